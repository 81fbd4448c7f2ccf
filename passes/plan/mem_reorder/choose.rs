//! Chooses among the orders that are proposed for a function, by their costs.
//!
//! The orders for one aim are written in all functions, the functions are planned, and the operations are
//! moved back. An order stays in a function if it costs less there than the order of the program by more
//! than the threshold, and less than the proposals before. Where planning takes long, proposals have to cost
//! less in the plans of a quick policy first, unless it finds none for the order of the program.

use mem_model::Bytes;
use mem_planner::{OrderAim, OrderOptions, order_excess};

use super::Proposed;
use crate::framework::{Failed, PassResult};
use crate::ir::Op;
use crate::plan::objective::{Costs, Objective};

/// Writes the best orders of all functions, of which there is one for each aim.
pub(super) fn choose(
    module: Op,
    objective: &Objective,
    aims: &[OrderOptions],
    functions: &mut [Proposed<'_>],
) -> PassResult {
    let is_promising = |function: &Proposed<'_>, aim: usize, is_known: bool| {
        let saves = || match (objective.capacity(), aims[aim].aim) {
            (None, _) | (Some(_), OrderAim::EarlyEnds | OrderAim::Evictions(_)) => true,
            (Some(capacity), _) => saves_excess(function, aim, capacity),
        };
        function.is_changed(aim) && !is_known && saves()
    };
    let mut promising: Promising = Vec::new();
    for aim in 0..aims.len() {
        let functions = functions.iter().enumerate();
        let of_aim = functions.map(|(at, own)| {
            // An order that did not seem worth a plan for one aim may be for another.
            let is_known = own.is_known(aim, |other| promising[other][at]);
            is_promising(own, aim, is_known)
        });
        let of_aim = of_aim.collect();
        promising.push(of_aim);
    }
    let threshold = aims[0].threshold;
    if let Some(quick) = objective.quick() {
        let is_better = |tried: &Costs, own: &Costs, name: &str| {
            !own.is_known(name) || tried.is_less(own, name, threshold)
        };
        compare(module, &quick, is_better, functions, &mut promising)?;
    }
    let is_better = |tried: &Costs, own: &Costs, name: &str| tried.is_less(own, name, threshold);
    let tried = compare(module, objective, is_better, functions, &mut promising)?;
    for (at, function) in functions.iter_mut().enumerate() {
        let mut best: Option<usize> = None;
        for aim in (0..aims.len()).filter(|aim| promising[*aim][at]) {
            if best.is_none_or(|best| tried[aim].is_less(&tried[best], function.name, 0)) {
                best = Some(aim);
            }
        }
        log::debug!(target: "order", "@{}: proposal {best:?} is the best", function.name);
        if let Some(aim) = best {
            function.write(aim)?;
        }
    }
    Ok(())
}

/// For each aim, whether each function has an order that may be better.
type Promising = Vec<Vec<bool>>;

/// Returns the costs of the orders for each aim. Those that are not better than the order of the program are
/// not promising any more; `is_better` has the costs of both, and the name of a function.
fn compare(
    module: Op,
    objective: &Objective,
    is_better: impl Fn(&Costs, &Costs, &str) -> bool,
    functions: &mut [Proposed<'_>],
    promising: &mut Promising,
) -> Result<Vec<Costs>, Failed> {
    if !promising.iter().flatten().any(|own| *own) {
        return Ok(Vec::new());
    }
    let own = objective.costs(module)?;
    let mut tried: Vec<Costs> = Vec::new();
    for promising in promising.iter_mut() {
        let aim = tried.len();
        for (function, is_promising) in functions.iter_mut().zip(&*promising) {
            if *is_promising {
                function.write(aim)?;
            }
        }
        let costs = match promising.contains(&true) {
            true => objective.costs(module)?,
            false => Costs::known(Vec::new()),
        };
        for (function, is_promising) in functions.iter_mut().zip(promising) {
            *is_promising = *is_promising && is_better(&costs, &own, function.name);
            function.restore();
        }
        tried.push(costs);
    }
    Ok(tried)
}

/// Whether the orders for an aim have fewer bytes above a capacity than those of the program, by a
/// hundredth: less hardly changes what is copied, and planning takes time.
fn saves_excess(function: &Proposed<'_>, aim: usize, capacity: Bytes) -> bool {
    let (mut before, mut after) = (0_u128, 0_u128);
    for block in &function.blocks {
        let problem = &block.extracted.problem;
        let mut own = block.plans[aim].order.clone();
        let planned = order_excess(problem, &own, capacity);
        own.sort_unstable();
        let excess = order_excess(problem, &own, capacity);
        before += u128::from(excess.unwrap_or(0));
        after += u128::from(planned.unwrap_or(0));
    }
    (before - after.min(before)) * 100 > before
}
