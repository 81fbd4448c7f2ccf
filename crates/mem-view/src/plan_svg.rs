//! Plans for one level as an SVG picture for documents: steps along x, addresses along y, a
//! rectangle for each part of a buffer while it is live.

use std::fmt::Write as _;

use mem_model::BufferId;

use crate::FunctionPlan;
use crate::labels::{Rectangle, add_labels};
use crate::levels::{color_of, escaped};

const WIDTH: f64 = 1100.0;
const BAND: f64 = 320.0;
const LEFT: f64 = 90.0;
/// Height of a caption with the space around it.
const CAPTION: f64 = 60.0;

/// Returns the plans below each other, as one complete SVG file. Equal plans give equal bytes.
#[must_use]
pub fn plan_svg(functions: &[FunctionPlan<'_>]) -> String {
    let height = (BAND + CAPTION) * functions.len().max(1) as f64 + 20.0;
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, function) in functions.iter().enumerate() {
        let top = (BAND + CAPTION) * index as f64 + CAPTION;
        add_function(function, top, &mut text);
    }
    text.push_str("</svg>\n");
    text
}

fn add_function(function: &FunctionPlan<'_>, top: f64, text: &mut String) {
    let plan = function.plan;
    let (width, n_steps) = (WIDTH - LEFT - 20.0, function.program.steps.len());
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"{:.1}\" font-size=\"14\">@{} in {}, {}: peak {}, lower bound {}</text>\n\
         <text x=\"{LEFT}\" y=\"{:.1}\" fill=\"#555\">steps 0 to {} from left to right, addresses upwards</text>\n\
         <rect x=\"{LEFT}\" y=\"{top}\" width=\"{width}\" height=\"{BAND}\" fill=\"#f4f4f4\" stroke=\"#999\"/>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
        top - 28.0,
        escaped(&function.program.name),
        escaped(function.level),
        escaped(&plan.strategy),
        plan.peak.human(),
        plan.lower_bound.human(),
        top - 10.0,
        n_steps.saturating_sub(1),
        LEFT - 6.0,
        top + 10.0,
        plan.peak.human(),
    );
    let per_point = width / (2 * n_steps).max(1) as f64;
    let per_byte = BAND / plan.peak.get().max(1) as f64;
    let mut rectangles = Vec::new();
    for placement in &plan.placements {
        for part in function.parts_of(placement.buffer) {
            let [low, high] = [part.bytes.start, part.bytes.end]
                .map(|bytes| placement.offset.get().saturating_add(bytes.get()) as f64);
            for live in part.live.iter() {
                let [start, end] = [live.start.index(), live.end.index()].map(|at| at as f64);
                let (left, upper) = (LEFT + start * per_point, top + BAND - high * per_byte);
                let wide = ((end - start) * per_point).max(0.5);
                let tall = ((high - low) * per_byte).max(0.5);
                let _ = writeln!(
                    text,
                    "<rect x=\"{left:.1}\" y=\"{upper:.1}\" width=\"{wide:.1}\" height=\"{tall:.1}\" fill=\"{}\" \
                     stroke=\"#444\" stroke-width=\"0.4\">{}</rect>",
                    color_of(placement.buffer.index()),
                    title(function, placement.buffer, placement.offset.get()),
                );
                rectangles.push(Rectangle {
                    left,
                    top: upper,
                    right: left + wide,
                    bottom: upper + tall,
                    name: &function.program.buffers[placement.buffer.index()].name,
                });
            }
        }
    }
    add_labels(&rectangles, text);
}

/// What a browser shows for a rectangle below the pointer.
fn title(function: &FunctionPlan<'_>, buffer: BufferId, offset: u64) -> String {
    let own = &function.program.buffers[buffer.index()];
    let (name, size) = (escaped(&own.name), own.size.human());
    format!("<title>{name}: {size} at {offset}</title>")
}
