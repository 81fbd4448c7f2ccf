//! Whether tiles are worth it: plans the program with and without them.
//!
//! Tiles are chosen by an estimate of the time that they take. The passes after this one change the program
//! further, and the planner has the last word on where buffers are. So both variants go through these
//! passes as copies, and are planned as the pipeline plans. Tiles stay only in functions that cost less
//! with them.
//!
//! A call may be inlined, so the tiles of a callee count for its callers. Functions that call each other,
//! directly or not, keep their tiles together, or none of them does.

use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::{Op, Silence, symbol_uses};
use crate::plan::objective::{Costs, Objective};
use crate::plan::tiled::functions_of;

/// A program before it has tiles.
pub(super) struct Untiled {
    /// A copy that is in no block.
    module: Op,
}

impl Untiled {
    pub(super) fn new(module: Op) -> Self {
        let module = module.copied();
        Self { module }
    }

    /// Forgets the copy.
    pub(super) fn discard(&self) {
        self.module.erase();
    }

    /// Restores the functions of the program that cost no less with tiles after `passes`, and returns for
    /// each function whether it has been restored.
    pub(super) fn restore_worse(
        self,
        run: &PassRun,
        objective: &Objective,
        passes: &str,
    ) -> Vec<bool> {
        let module = run.operation();
        let tiled = costs(run, module.copied(), objective, passes);
        let untiled = costs(run, self.module.copied(), objective, passes);
        let functions = functions_of(module);
        let is_restored = is_worse(module, &functions, &tiled, &untiled);
        let originals = functions_of(self.module);
        for ((function, original), is_restored) in functions.iter().zip(originals).zip(&is_restored)
        {
            if *is_restored {
                original.move_before(*function);
                function.erase();
            }
        }
        self.module.erase();
        is_restored
    }
}

/// The costs of the functions of a copy after `passes`; none if these fail. The copy is erased.
fn costs(run: &PassRun, copy: Op, objective: &Objective, passes: &str) -> Costs {
    // Passes run on operations inside that of this one.
    let Some(first) = run.operation().direct_ops().next() else {
        copy.erase();
        return Costs::known(Vec::new());
    };
    copy.insert_before(first);
    // Diagnostics appear once, when the passes run on the variant that has been chosen.
    let silence = Silence::new(copy.context());
    let is_ready: PassResult = match passes {
        "" => Ok(()),
        _ => run.run_passes(copy, passes),
    };
    let costs = is_ready.and_then(|()| objective.costs(copy));
    drop(silence);
    copy.erase();
    costs.unwrap_or_else(|Failed| Costs::known(Vec::new()))
}

/// Whether each function has to do without tiles: unless one of those that it is connected to by calls
/// costs less with them, and none costs more.
fn is_worse(module: Op, functions: &[Op], tiled: &Costs, untiled: &Costs) -> Vec<bool> {
    let names: Vec<String> = functions
        .iter()
        .map(|op| op.symbol().unwrap_or_default())
        .collect();
    let components = components(module, functions, &names);
    let is_worse = |component: &usize| {
        let members = || {
            names
                .iter()
                .zip(&components)
                .filter(|(_, own)| *own == component)
        };
        let is_better = members().any(|(name, _)| tiled.is_less(untiled, name, 0));
        let is_worse = members().any(|(name, _)| untiled.is_less(tiled, name, 0));
        !is_better || is_worse
    };
    components.iter().map(is_worse).collect()
}

/// Numbers that are equal for functions which call each other, directly or not, and for those of the same
/// name.
fn components(module: Op, functions: &[Op], names: &[String]) -> Vec<usize> {
    let mut components: Vec<usize> = (0..functions.len()).collect();
    let mut join = |a: usize, b: usize| {
        let (from, to) = (components[a], components[b]);
        components
            .iter_mut()
            .filter(|own| **own == from)
            .for_each(|own| *own = to);
    };
    let uses = symbol_uses(module);
    for (index, name) in names.iter().enumerate() {
        if let Some(other) = names[..index].iter().position(|other| other == name) {
            join(index, other);
        }
        for (user, _) in uses.iter().filter(|(_, used)| used == name) {
            let mut around = std::iter::successors(Some(*user), |op| op.parent());
            let caller = around.find_map(|op| functions.iter().position(|own| *own == op));
            if let Some(caller) = caller {
                join(index, caller);
            }
        }
    }
    components
}
