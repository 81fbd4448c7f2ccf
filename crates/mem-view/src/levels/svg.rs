//! Space-time diagrams: steps along x, addresses along y, a band for each level, a rectangle for
//! each placement, and an arrow for each copy.

use std::fmt::Write as _;

use mem_cost::simulate;
use mem_model::{Bytes, LevelId, LevelPlacement, LevelPlan, PlacementId, TensorId, Transfer};

use super::{LevelView, escaped, first_and_last, grouped};
use crate::labels::{Rectangle, add_labels};

const WIDTH: f64 = 1100.0;
const BAND: f64 = 220.0;
const GAP: f64 = 34.0;
const LEFT: f64 = 90.0;
const TOP: f64 = 60.0;

/// Returns the plan as a complete SVG file.
#[must_use]
pub fn levels_svg(view: &LevelView<'_>) -> String {
    let title = format!("@{}, {}", view.name, view.strategy);
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text.push_str(&diagram(view, view.plan, &title, "plan"));
    text
}

/// Maps steps and addresses to coordinates.
struct Frame {
    /// Per level: the number of bytes that its band shows, and its upper edge.
    bands: Vec<(f64, f64)>,
    per_step: f64,
}

impl Frame {
    fn new(view: &LevelView<'_>, plan: &LevelPlan) -> Self {
        let levels = &view.problem.hierarchy.levels;
        let bands = levels.iter().enumerate().map(|(index, level)| {
            let used = plan.peak(view.problem, LevelId::new(index));
            let used = used.map_or(0, Bytes::get);
            // A level that is unbounded or much larger than needed is scaled to its peak.
            let shown = match level.capacity.map(Bytes::get) {
                Some(capacity) if capacity <= used.saturating_mul(4) => capacity,
                _ => used,
            };
            (shown.max(1) as f64, TOP + index as f64 * (BAND + GAP))
        });
        Self {
            bands: bands.collect(),
            per_step: (WIDTH - LEFT - 20.0) / (view.problem.steps.len().max(1) + 1) as f64,
        }
    }

    fn x(&self, step: usize) -> f64 {
        LEFT + step as f64 * self.per_step
    }

    /// Addresses grow upwards.
    fn y(&self, level: usize, address: u64) -> f64 {
        let (bytes, top) = self.bands[level];
        top + BAND * (1.0 - (address as f64 / bytes).min(1.0))
    }
}

/// Returns an `<svg>` element; `id` must be unique within a page.
pub(super) fn diagram(view: &LevelView<'_>, plan: &LevelPlan, title: &str, id: &str) -> String {
    let frame = Frame::new(view, plan);
    let schedule = simulate(view.problem, plan);
    let height = TOP + frame.bands.len() as f64 * (BAND + GAP) + 20.0;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <defs><marker id=\"arrow-{id}\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"6\" \
         markerHeight=\"6\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    let caption = format!(
        "{title}: {} cycles serially, {} with overlapped copies; {} copies of {}",
        grouped(plan.cost),
        grouped(schedule.makespan),
        plan.transfers.len(),
        plan.moved(view.problem).human(),
    );
    let _ = writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"24\" font-size=\"14\">{}</text>",
        escaped(&caption)
    );
    let _ = writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"42\" fill=\"#555\">steps 0 to {} from left to right, addresses upwards</text>",
        view.problem.steps.len().saturating_sub(1)
    );
    bands(view, &frame, &mut text);
    let placed = plan.placements.iter().filter(|own| own.offset.is_some());
    let rectangles: Vec<Rectangle<'_>> = placed
        .map(|placement| rectangle(view, placement, &frame, &mut text))
        .collect();
    add_labels(&rectangles, &mut text);
    for transfer in &plan.transfers {
        arrow(view, plan, &frame, transfer, id, &mut text);
    }
    text.push_str("</svg>\n");
    text
}

fn bands(view: &LevelView<'_>, frame: &Frame, text: &mut String) {
    for (level, (bytes, top)) in view.problem.hierarchy.levels.iter().zip(&frame.bands) {
        let shown = Bytes::new(*bytes as u64);
        let of = match level.capacity {
            Some(capacity) if capacity != shown => format!("of {}", capacity.human()),
            _ => String::new(),
        };
        let width = WIDTH - LEFT - 20.0;
        let _ = writeln!(
            text,
            "<rect x=\"{LEFT}\" y=\"{top:.1}\" width=\"{width}\" height=\"{BAND}\" fill=\"#f4f4f4\" stroke=\"#999\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-weight=\"bold\">{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{of}</text>",
            LEFT - 6.0,
            top + 14.0,
            escaped(&level.name),
            LEFT - 6.0,
            top + 28.0,
            shown.human(),
            LEFT - 6.0,
            top + 42.0,
        );
    }
}

/// Returns the colour of a tensor, the same in all diagrams.
fn color(tensor: TensorId) -> String {
    color_of(tensor.index())
}

/// Returns the colour of the buffer or tensor with an index.
pub(crate) fn color_of(index: usize) -> String {
    // Multiples of the golden angle are well separated hues.
    format!("hsl({:.0} 60% 72%)", (index as f64 * 137.508) % 360.0)
}

/// Draws a placement, and returns where it is.
fn rectangle<'a>(
    view: &LevelView<'a>,
    placement: &LevelPlacement,
    frame: &Frame,
    text: &mut String,
) -> Rectangle<'a> {
    let tensor = &view.problem.tensors[placement.tensor.index()];
    let level = placement.level.index();
    let offset = placement.offset.map_or(0, Bytes::get);
    let (x, right) = (frame.x(placement.steps.start), frame.x(placement.steps.end));
    let (top, bottom) = (
        frame.y(level, offset + tensor.size.get()),
        frame.y(level, offset),
    );
    let (width, height) = ((right - x).max(0.5), (bottom - top).max(0.5));
    let when = match first_and_last(placement.steps, view.problem.steps.len()) {
        Some((first, last)) => format!("steps {first} to {last}"),
        None => "after the last step".to_owned(),
    };
    let _ = write!(
        text,
        "<g class=\"place\" data-first=\"{}\" data-end=\"{}\"><rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" \
         height=\"{height:.1}\" fill=\"{}\" stroke=\"#444\" stroke-width=\"0.4\"/><title>{}: {} at {} of {}, {when}</title>",
        placement.steps.start,
        placement.steps.end,
        color(placement.tensor),
        escaped(&tensor.name),
        tensor.size.human(),
        offset,
        escaped(&view.problem.hierarchy.levels[level].name),
    );
    text.push_str("</g>\n");
    Rectangle {
        left: x,
        top,
        right: x + width,
        bottom: top + height,
        name: &tensor.name,
    }
}

/// Draws an arrow from the source to the target. Homes are at the lower edge of their level.
fn arrow(
    view: &LevelView<'_>,
    plan: &LevelPlan,
    frame: &Frame,
    transfer: &Transfer,
    id: &str,
    text: &mut String,
) {
    let middle = |placement: PlacementId| {
        let own = &plan.placements[placement.index()];
        let size = view.problem.tensors[own.tensor.index()].size.get();
        let address = own.offset.map_or(0, |offset| offset.get() + size / 2);
        frame.y(own.level.index(), address)
    };
    let (x, until) = (frame.x(transfer.before), frame.x(transfer.until));
    let tensor = &view.problem.tensors[plan.placements[transfer.from.index()].tensor.index()];
    let _ = writeln!(
        text,
        "<g class=\"copy\"><line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{until:.1}\" y2=\"{:.1}\" stroke=\"black\" \
         stroke-width=\"0.7\" marker-end=\"url(#arrow-{id})\"/><title>copy of {}, from step {} until step {}</title></g>",
        middle(transfer.from),
        middle(transfer.to),
        escaped(&tensor.name),
        transfer.before,
        transfer.until,
    );
}
