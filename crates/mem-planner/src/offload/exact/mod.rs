//! Plans of small programs by exhaustive search over orders of execution, repetitions, copies and, where
//! it matters, addresses.
//!
//! A state is what is on the device and on the host, and which copies are in flight; a decision
//! executes the next step, repeats others, drops a value, or issues or awaits a copy. The rules are
//! those of plans and their simulation (`mem_cost::simulate`), so the fastest execution is the fastest
//! plan, but for what the search leaves out:
//!
//! * programs with loops, with tensors that must not move, or with many values;
//! * more than one engine in a direction;
//! * copies between the steps of a group that is repeated as a whole;
//! * addresses that touch no other tensor and no end of the device.
//!
//! Without addresses, the fastest execution may not be packable; then, addresses are part of the state.
//! The number of states is limited: [`search`] has the order in which they are left.
//!
//! * [`state`] is the program and its states; [`search`] decides, [`bound`] tells what to leave out;
//!   [`lower`] makes a plan of the decisions.

mod bound;
mod lower;
mod search;
mod state;

use mem_model::{LevelProblem, Repeatable};

use super::packed::Packed;
use super::profile::Profile;
use super::timetable::engines;
use super::{Advice, search::kept, tuning};
use lower::lower;
use search::Search;
use state::Program;

/// A plan with a makespan of less than `most` cycles, for a program of at most
/// [`tuning::EXACT_STEPS`] steps; `None` if there is none, or if it was not found.
pub(super) fn plan(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    advice: &Advice,
    most: u64,
) -> Option<Packed> {
    let is_restricted = advice.has_pins() || !advice.leads.is_empty();
    if problem.steps.len() > tuning::EXACT_STEPS || is_restricted {
        return None;
    }
    let profile = Profile::new(problem)?;
    let is_kept = kept(problem, advice);
    let link = engines(problem);
    let program = Program::new(problem, repeatable, &profile, &is_kept, link)?;
    let n_states = tuning::n_exact_states(problem.steps.len());
    let found = [false, true].into_iter().find_map(|has_addresses| {
        if has_addresses && !program.is_aligned(problem) {
            return None;
        }
        let path = Search::run(&program, has_addresses, most, n_states)?;
        lower(problem, repeatable, &program, &path, has_addresses)
    })?;
    // Where states are left out, a timetable may have better copies for the same repetitions.
    let other = link.and_then(|_| {
        let repetitions = found.repetitions.clone();
        Packed::new(problem, repeatable, advice, repetitions)
    });
    let best = [found]
        .into_iter()
        .chain(other)
        .min_by_key(|own| own.makespan);
    best.filter(|own| own.makespan < most)
}
