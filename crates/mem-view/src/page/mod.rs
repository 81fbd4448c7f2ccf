//! The page: a self-contained HTML file that shows plans of every kind in a browser, without a
//! network. The script draws; all figures are computed here and embedded as JSON.

mod coverage;
mod data;
mod levels;
mod one_level;
mod reasons;
mod roles;
mod training;

use data::{Document, Function, Texts};

pub(crate) use one_level::{live_of, places_of};

use crate::{FunctionPlan, LevelView};

const HTML: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// In the order in which they depend on each other.
const SCRIPTS: [&str; 4] = [
    include_str!("model.js"),
    include_str!("chart.js"),
    include_str!("tables.js"),
    include_str!("page.js"),
];

/// Returns plans for one level as a complete HTML page. The entries of a function with placements
/// in several levels become one picture. Equal plans give equal bytes.
#[must_use]
pub fn plan_page(functions: &[FunctionPlan<'_>]) -> String {
    let mut texts = Texts::new();
    let mut shown: Vec<Function<'_>> = Vec::new();
    for (index, function) in functions.iter().enumerate() {
        let is_shown = function.is_one_of_several(&functions[..index]);
        if is_shown {
            continue;
        }
        let others = functions[index + 1..].iter();
        let others = others.filter(|other| function.is_other_level_of(other));
        let own: Vec<&FunctionPlan<'_>> = std::iter::once(function).chain(others).collect();
        shown.push(one_level::function(&own, &mut texts));
    }
    page(shown, texts)
}

/// Returns plans over several levels as a complete HTML page: for each function the plan, the
/// initial plan, the reasons for slow placements, and swaps and repetitions. Equal plans give equal
/// bytes.
#[must_use]
pub fn levels_page(views: &[LevelView<'_>]) -> String {
    let mut texts = Texts::new();
    let shown = views.iter().map(|view| levels::function(view, &mut texts));
    let shown = shown.collect();
    page(shown, texts)
}

fn page(functions: Vec<Function<'_>>, texts: Texts<'_>) -> String {
    let document = Document {
        texts: texts.all,
        functions,
    };
    // Serialization only fails for maps whose keys are not strings; the document has none.
    let data = serde_json::to_string(&document).unwrap_or_default();
    // A name must not end the element that holds the data.
    let data = data.replace('<', "\\u003c");
    let script = SCRIPTS.join("\n");
    let mut page = String::with_capacity(HTML.len() + STYLE.len() + script.len() + data.len());
    // One pass, so that names that look like a placeholder stay as they are.
    for (index, part) in HTML.split("/*INSERT*/").enumerate() {
        page.push_str(match index {
            0 => "",
            1 => STYLE,
            2 => &data,
            _ => &script,
        });
        page.push_str(part);
    }
    page
}
