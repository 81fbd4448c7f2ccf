//! A lower bound on the makespan of the executions that continue a state.

use super::state::{Flight, Place, Program, members};

/// Lower bound on the makespan from the copies back that are still to be made: each value that is
/// on the host only is copied back before its next use, after the others that are used before it,
/// or computed again. Copies and repetitions may be of parts of values.
pub(super) fn least_with_copies(program: &Program, place: &Place, times: &[u64]) -> u64 {
    let Some(copies) = &program.copies else {
        return 0;
    };
    let own_engine = |own: &Flight| program.has_one_engine || !own.is_out;
    let flights = place.flights.iter().zip(&times[1..]);
    let ends = flights
        .filter(|(own, _)| own_engine(own))
        .map(|(_, end)| *end);
    let mut link = ends.max().unwrap_or(0).max(times[0]) as f64;
    let mut computed = times[0] as f64;
    let mut absent = place.on_host & !place.resident;
    // As in `balanced`.
    let mut savings: Vec<(f64, f64)> = Vec::new();
    let mut least = 0.0_f64;
    for step in place.next..program.n_steps {
        if absent == 0 {
            break;
        }
        for value in members(program.uses[step] & absent) {
            let back = copies[value][1] as f64;
            link += back;
            let group = program.values.group_of[value];
            if let Some(group) = group.filter(|own| program.is_allowed(*own, place.next)) {
                let group = &program.values.groups[group as usize];
                // One repetition may save the copies of all that it defines.
                let cycles = group.cycles as f64 / group.defines.len() as f64;
                savings.push((cycles / back.max(1.0), back));
            }
        }
        absent &= !program.uses[step];
        savings.sort_by(|a, b| a.0.total_cmp(&b.0));
        let both = balanced(link, computed, &savings);
        least = least.max(both + program.remaining[step] as f64);
        computed += program.values.cycles[step] as f64;
    }
    // Rounding errors must not exclude the best execution.
    (least * (1.0 - ROUNDING) - ROUNDING).ceil().max(0.0) as u64
}

/// Margin for rounding errors, as a fraction and in cycles.
const ROUNDING: f64 = 1e-9;

/// Time until both the link and the computation are done, where repetitions may take over work of the
/// link. `savings`: cycles of repetition for a cycle of the link, ascending, and cycles of the link.
fn balanced(mut link: f64, mut computed: f64, savings: &[(f64, f64)]) -> f64 {
    for (rate, most) in savings {
        if link <= computed {
            break;
        }
        // As much as makes both equal, or all of it.
        let part = ((link - computed) / (1.0 + rate)).min(*most);
        link -= part;
        computed += part * rate;
    }
    link.max(computed)
}
