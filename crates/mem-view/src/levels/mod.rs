//! Plans over several levels, for people: space-time diagrams, a page, a trace, JSON, and why things are where they are.

mod decisions;
mod explain;
mod json;
mod occupancy;
mod page;
mod svg;
mod trace;
mod tradeoff;

pub use decisions::{Decision, Way, decisions};
pub use explain::{Explanation, Held, Tightest, explain, tightest};
pub use json::levels_json;
pub use occupancy::Occupancy;
pub use page::levels_page;
pub use svg::levels_svg;
pub use trace::levels_trace;
pub use tradeoff::{Tradeoff, TradeoffPoint};

use mem_model::{BufferId, Interval, LevelPlan, LevelProblem, Program};

/// One function with its plan over several levels, and the one that it started from.
#[derive(Clone, Copy, Debug)]
pub struct LevelView<'a> {
    /// Of the function.
    pub name: &'a str,
    /// The function.
    pub program: &'a Program,
    /// What was planned.
    pub problem: &'a LevelProblem,
    /// By tensor of the problem: the buffer that it is. Several are one buffer if blocks have copies
    /// of their own.
    pub buffers: &'a [BufferId],
    /// The plan.
    pub plan: &'a LevelPlan,
    /// What found it.
    pub strategy: &'a str,
    /// The initial plan, to compare with.
    pub before: Option<&'a LevelPlan>,
    /// No plan costs less, one thing after the other; 0: not known.
    pub lower_bound: u64,
    /// What became of tensors that the device has no room for; empty: nobody has decided anything.
    pub decisions: &'a [Decision],
}

/// First and last step, both included, of half-open steps in a program of so many; `None`: only
/// something behind the last step needs it.
fn first_and_last(steps: Interval<usize>, n_steps: usize) -> Option<(usize, usize)> {
    let end = steps.end.min(n_steps);
    (steps.start < end).then(|| (steps.start, end - 1))
}

/// Text in XML and HTML.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML knows no other control characters.
            c if c.is_control() && c != '\n' && c != '\t' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// A number with its thousands apart.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push('\u{202f}');
        }
        grouped.push(digit);
    }
    grouped
}
