//! A self-contained HTML page: each plan before and after, side by side, with the tensors live at a
//! step, and explanations of the placements.

use std::fmt::Write as _;

use mem_cost::explain;

use super::sentences::explanation_text;
use super::svg::diagram;
use super::{LevelView, escaped, grouped};

/// Maximum number of explanations per function.
const MOST: usize = 50;

/// The page's only script: zoom, and the tensors live at the selected step.
const SCRIPT: &str = "
document.querySelectorAll('figure').forEach(figure => {
  const svg = figure.querySelector('svg'), info = figure.querySelector('.info');
  const zoom = figure.querySelector('input');
  const width = svg.width.baseVal.value, height = svg.height.baseVal.value;
  zoom.addEventListener('input', () => {
    svg.setAttribute('width', width * zoom.value);
    svg.setAttribute('height', height * zoom.value);
  });
  const steps = Number(figure.dataset.steps);
  svg.addEventListener('click', event => {
    const box = svg.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * 1100;
    const step = Math.min(Math.max(Math.floor((x - 90) / ((1100 - 110) / (steps + 1))), 0), steps);
    const alive = [...svg.querySelectorAll('.place')].filter(
      place => Number(place.dataset.first) <= step && step < Number(place.dataset.end));
    svg.querySelectorAll('.place').forEach(place => place.style.opacity = alive.includes(place) ? 1 : 0.25);
    info.textContent = (step < steps ? 'step ' + step : 'after the last step') + ': ' + alive.map(place => place.querySelector('title').textContent).join('; ');
  });
});
document.body.dataset.diagrams = document.querySelectorAll('figure svg').length;
";

/// Returns a complete HTML page.
#[must_use]
pub fn levels_page(views: &[LevelView<'_>]) -> String {
    let mut text = String::from(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Memory plan</title><style>\n\
         body { font-family: sans-serif; margin: 1em; }\n\
         .plans { display: flex; gap: 1em; overflow-x: auto; }\n\
         figure { margin: 0; }\n.info { max-width: 70em; color: #333; min-height: 1.2em; }\n\
         td, th { text-align: left; padding: 0.1em 0.8em; vertical-align: top; }\n\
         .place:hover rect { stroke-width: 2; }\n</style></head><body>\n",
    );
    for (number, view) in views.iter().enumerate() {
        function(number, view, &mut text);
    }
    let _ = write!(text, "<script>{SCRIPT}</script>\n</body></html>\n");
    text
}

fn function(number: usize, view: &LevelView<'_>, text: &mut String) {
    let _ = writeln!(text, "<h1>@{}</h1>", escaped(view.name));
    if view.lower_bound > 0 {
        let _ = writeln!(
            text,
            "<p>Serial cost: {} cycles; lower bound: {}.</p>",
            grouped(view.plan.cost),
            grouped(view.lower_bound)
        );
    }
    text.push_str("<div class=\"plans\">\n");
    let plans = view.before.map(|plan| (plan, "initial")).into_iter();
    for (index, (plan, name)) in plans.chain([(view.plan, view.strategy)]).enumerate() {
        let _ = writeln!(
            text,
            "<figure data-steps=\"{}\"><label>zoom <input type=\"range\" min=\"1\" max=\"8\" step=\"0.5\" value=\"1\">\
             </label><p class=\"info\">Click a step to see which tensors are live there.</p>\n{}</figure>",
            view.problem.steps.len(),
            diagram(view, plan, name, &format!("{number}-{index}"))
        );
    }
    text.push_str("</div>\n<h2>What costs most</h2>\n<table><tr><th>step</th><th>cycles</th><th>why</th></tr>\n");
    for own in explain(view.problem, view.plan).into_iter().take(MOST) {
        let _ = writeln!(
            text,
            "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
            own.step,
            grouped(own.cycles),
            escaped(&explanation_text(&own, view.problem))
        );
    }
    text.push_str("</table>\n");
}
