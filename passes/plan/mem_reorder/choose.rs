//! Chooses among the orders that are proposed for a function, by their costs.
//!
//! The orders for one aim are written in all functions, the functions are planned, and the operations are
//! moved back. An order stays in a function if it costs less there than the order of the program by more
//! than the threshold, and less than the proposals before. Where planning takes long, proposals have to cost
//! less in the plans of a quick policy first, unless it finds none for the order of the program.
//!
//! If a function has no plan in any order, it gets the one that needs the fewest bytes: the planner's error
//! states these, and with that limit there is a plan.

use mem_model::Bytes;
use mem_planner::{OrderAim, OrderOptions, order_excess};

use super::Proposed;
use crate::framework::{Failed, PassResult};
use crate::ir::Op;
use crate::plan::objective::{Costs, Lacking, Objective};

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
    let candidates = promising.clone();
    let is_better = |tried: &Costs, own: &Costs, name: &str| tried.is_less(own, name, threshold);
    let compared = compare(module, objective, is_better, functions, &mut promising)?;
    let Some(Compared { own, tried }) = compared else {
        return Ok(());
    };
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
    need_least(module, objective, (&own, &tried), functions, &candidates)
}

/// Writes the orders that need the fewest bytes in functions that have no plan in any order. `candidates`: the
/// orders that have been planned, with the costs `tried`; `own`: the costs of the order of the program.
fn need_least(
    module: Op,
    objective: &Objective,
    (own, tried): (&Costs, &[Costs]),
    functions: &mut [Proposed<'_>],
    candidates: &Promising,
) -> PassResult {
    let lacks =
        |function: &Proposed<'_>| function.written.is_none() && !own.is_known(function.name);
    let lacking: Vec<bool> = functions.iter().map(lacks).collect();
    if !lacking.contains(&true) {
        return Ok(());
    }
    let needs = objective.lacking(module, own, None)?;
    let mut tried_needs: Vec<Lacking> = Vec::new();
    for (aim, costs) in tried.iter().enumerate() {
        let pairs = lacking.iter().zip(&candidates[aim]);
        let selected: Vec<bool> = pairs.map(|(lacks, is_some)| *lacks && *is_some).collect();
        tried_needs.push(match selected.contains(&true) {
            true => with_orders(functions, aim, &selected, || {
                objective.lacking(module, costs, None)
            })?,
            false => Lacking::default(),
        });
    }
    for (at, function) in functions
        .iter_mut()
        .enumerate()
        .filter(|(at, _)| lacking[*at])
    {
        let aims = (0..tried.len()).filter(|aim| candidates[*aim][at]);
        let bytes = aims.filter_map(|aim| Some((tried_needs[aim].of(function.name)?, aim)));
        if let Some((bytes, aim)) = bytes.min()
            && needs.of(function.name).is_some_and(|own| bytes < own)
        {
            function.write(aim)?;
        }
    }
    Ok(())
}

/// What `measure` returns while the selected functions have their orders for an aim.
fn with_orders<T>(
    functions: &mut [Proposed<'_>],
    aim: usize,
    selected: &[bool],
    measure: impl FnOnce() -> Result<T, Failed>,
) -> Result<T, Failed> {
    let mut own: Vec<&mut Proposed<'_>> = { functions.iter_mut().zip(selected) }
        .filter_map(|(function, is_selected)| is_selected.then_some(function))
        .collect();
    own.iter_mut()
        .try_for_each(|function| function.write(aim))?;
    let measured = measure()?;
    own.into_iter().for_each(Proposed::restore);
    Ok(measured)
}

/// For each aim, whether each function has an order that may be better.
type Promising = Vec<Vec<bool>>;

/// What functions cost in the order of the program, and in those for each aim.
struct Compared {
    own: Costs,
    tried: Vec<Costs>,
}

/// Returns the costs of the orders, if there are any. Those that are not better than the order of the program are
/// not promising any more; `is_better` has the costs of both, and the name of a function.
fn compare(
    module: Op,
    objective: &Objective,
    is_better: impl Fn(&Costs, &Costs, &str) -> bool,
    functions: &mut [Proposed<'_>],
    promising: &mut Promising,
) -> Result<Option<Compared>, Failed> {
    if !promising.iter().flatten().any(|own| *own) {
        return Ok(None);
    }
    let own = objective.costs(module)?;
    let mut tried: Vec<Costs> = Vec::new();
    for promising in promising.iter_mut() {
        let aim = tried.len();
        let costs = match promising.contains(&true) {
            true => with_orders(functions, aim, promising, || objective.costs(module))?,
            false => Costs::known(Vec::new()),
        };
        for (function, is_promising) in functions.iter().zip(promising) {
            *is_promising = *is_promising && is_better(&costs, &own, function.name);
        }
        tried.push(costs);
    }
    Ok(Some(Compared { own, tried }))
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
