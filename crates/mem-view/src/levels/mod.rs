//! Plans over several levels for people and tools: space-time diagrams, a trace,
//! JSON, and sentences that explain placements and decisions.

mod json;
mod sentences;
mod svg;
mod trace;
mod tradeoff;

pub use json::levels_json;
pub use sentences::{decision_text, explanation_text, tightest_text};
pub(crate) use svg::color_of;
pub use svg::levels_svg;
pub use trace::levels_trace;
pub use tradeoff::{Tradeoff, TradeoffPoint};

use mem_cost::Decision;
use mem_model::{BufferId, Bytes, Interval, LevelId, LevelPlan, LevelProblem, Program, Repetition};

use crate::Untiled;

/// One function with its plan over several levels, and the initial plan.
#[derive(Clone, Copy, Debug)]
pub struct LevelView<'a> {
    /// Name of the function.
    pub name: &'a str,
    /// The function.
    pub program: &'a Program,
    /// The problem that was solved.
    pub problem: &'a LevelProblem,
    /// Per tensor of the problem: its buffer. Several tensors share a buffer if blocks have copies
    /// of their own.
    pub buffers: &'a [BufferId],
    /// The plan.
    pub plan: &'a LevelPlan,
    /// Name of the strategy that found the plan.
    pub strategy: &'a str,
    /// The initial plan, for comparison.
    pub before: Option<&'a LevelPlan>,
    /// Lower bound on the serial cost, in cycles; 0 if unknown.
    pub lower_bound: u64,
    /// Decisions about tensors that the device has no room for; empty if there were none to make.
    pub decisions: &'a [Decision],
    /// Per step of the problem: the step of the program that it executes. Empty if they are the
    /// same.
    pub steps: &'a [Repetition],
    /// Per buffer: its shape and element type in the source. Empty if unknown.
    pub types: &'a [String],
    /// Per step of the program: the number of the group that it runs tile by tile with. Empty if there
    /// are no groups.
    pub groups: &'a [Option<i64>],
    /// Per step of the program: what its operation accessed before it ran tile by tile. Empty if no step
    /// does.
    pub untiled: &'a [Option<Untiled>],
}

/// Bytes of a level that tensors occupy before the first step: arguments, results and constants.
pub(crate) fn home_bytes(problem: &LevelProblem, level: LevelId) -> Bytes {
    let own = problem.tensors.iter().filter(|own| own.within.is_none());
    let at_home = own.filter(|own| own.home == Some(level));
    Bytes::new(
        at_home
            .map(|own| own.size.get())
            .fold(0, u64::saturating_add),
    )
}

/// First and last step, both included, of half-open `steps` in a program of `n_steps` steps; `None`
/// if only the end of the program needs them.
fn first_and_last(steps: Interval<usize>, n_steps: usize) -> Option<(usize, usize)> {
    let end = steps.end.min(n_steps);
    (steps.start < end).then(|| (steps.start, end - 1))
}

/// Escapes text for XML and HTML.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // XML allows neither other control characters nor these two.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            c if c.is_control() && c != '\n' && c != '\t' => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

/// Formats a number with its thousands separated.
pub(crate) fn grouped(number: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn characters_that_xml_does_not_allow_are_replaced() {
        assert_eq!(
            escaped("<a b=\"c\">&\n"),
            "&lt;a b=&quot;c&quot;&gt;&amp;\n"
        );
        let replaced = escaped("\u{0}\u{1b}\u{7f}\u{fffe}\u{ffff}");
        assert_eq!(replaced, "\u{fffd}".repeat(5));
        assert_eq!(escaped("größe\u{fffd}\u{1f600}"), "größe\u{fffd}\u{1f600}");
    }
}
