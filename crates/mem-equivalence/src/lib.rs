//! Translation validation: whether a planned program behaves like its original in everything that
//! is observable from outside.
//!
//! # Idea
//!
//! The same simple evaluator executes both programs symbolically, each on its own. Every scalar and
//! every byte of memory becomes a node of a value graph, which says how it was computed from the
//! inputs of the function. Copies, transfers, views and addresses disappear in the process: a byte
//! that was moved five times is still the same node. What remains of a program is its control flow,
//! the values that decide it, and its final memory. Two programs are equal if these are equal.
//!
//! The method is that of Tristan, Govereau and Morrisett, "Evaluating Value-Graph Translation
//! Validation for LLVM" (PLDI 2011), extended from SSA values to byte intervals, and with
//! bisimulation in place of loop normalization.
//!
//! # Lattice
//!
//! The content of a byte is *undefined*, a byte of a node, or *unknown*. At a control-flow merge,
//! contents that differ become a *join*, one per byte interval, with one input per incoming edge. The intervals are as
//! large as possible: what a loop writes as a whole is one, whatever was there before.
//! Loops are evaluated until the states at their headers reach a fixed point. They do, since byte
//! intervals are only ever refined and joins stay joins.
//!
//! An operation that reads bytes it also writes is not the same operation as one that does not. The
//! node of an operation therefore records how its operands share bytes, unless the operation is
//! known to read each element before it writes the same element, and the shared operands are
//! exactly the same elements.
//!
//! Transfers that proceed by themselves (DMA, calls of the runtime library) copy where they start.
//! That is exact because the state also contains the transfers in flight: any access that could
//! tell when a transfer really happens, and any path on which it is not waited for, is a race
//! ([`Outcome::Undefined`]). So is an access to storage that has been freed.
//!
//! A place in an arena whose address is known only at run time is storage of its own. Its content
//! becomes unknown when another place is written that is not known to be apart from it.
//!
//! # Cases
//!
//! Where a value may denote one of several storages, the evaluation is inexact. If nothing is
//! proven for that reason, both programs are compared again, by cases: iterations are peeled off
//! loops, and the conditions and edges that decide which storage is meant are assumed, one way and
//! the other. A loop that exchanges storages an unknown number of times is unrolled until it begins
//! with the same storages again. If nothing is proven then either, the cases are divided. Only an equality
//! in all cases counts; otherwise, the first outcome stands.
//!
//! # Guarantees
//!
//! If the outcome is [`Outcome::Equal`], then for all inputs on which the original is defined, both
//! programs take the same decisions in the same order, call the same functions with equal operands
//! and equal memory, leave equal bytes in all externally reachable memory, and free the same storage of
//! their callers. Neither accesses nor frees what has been freed. Where the original reads bytes that were
//! never written, the planned program may read anything.
//!
//! # Non-guarantees
//!
//! * Transfers that the caller describes as copies are assumed to happen where they are issued. For
//!   the operations of the dialect, another checker verifies that they are waited for.
//! * That a function frees everything that it owns is not checked. What is freed through a pointer that a callee
//!   has returned, or through one of several addresses from outside, may be accessed afterwards.
//! * Iterations of parallel loops are assumed to execute sequentially.
//! * The sizes of arenas and the addresses in them are assumed not to overflow.
//! * Which of its own storages the address of one belongs to is not compared: a program is assumed
//!   to use such addresses only to tell its storages apart.
//! * The address of storage from outside is assumed not to be one in storage of the function.
//! * Operations are assumed to compute what their fingerprints stand for from their operands alone,
//!   and accesses are assumed to be in bounds.
//! * The validator is sound, not complete: programs that are equal for arithmetic reasons may be
//!   found different. Where the evaluation itself is inexact, the outcome is [`Outcome::Unknown`],
//!   with the location and the reason.
//!
//! # Complexity
//!
//! Without loops, O(n log n), where n counts the steps and the pieces that accesses are split into.
//! With loops, that times the loop nesting depth plus one. An access to rows at regular distances,
//! such as a copy into a padded tensor, is one piece as long as both programs access the same rows
//! of the same nodes; otherwise each row is a piece. A write takes time in the number of values that denote
//! one of several storages and are still needed. A comparison by cases evaluates a bounded number of steps, linear in
//! those of the function.

#![forbid(unsafe_code)]

mod access;
mod address_map;
mod arithmetic;
mod cases;
mod choice;
mod compare;
mod compute;
mod contents;
mod derive;
mod difference;
mod evaluate;
mod events;
mod extent;
mod facts;
mod flatten;
mod flights;
mod frees;
mod goal;
mod joined;
mod linear;
mod live;
mod locals;
mod lost;
mod meet;
mod memory;
mod nest;
mod order;
mod packed;
mod peel;
mod places;
pub mod program;
mod rows;
mod steps;
mod sweeps;
mod value;
mod view;

pub use difference::{Difference, Observed};
pub use lost::Cause;

use std::collections::BTreeSet;

use cases::compare_in_cases;
use compare::{Verdict, compare};
use evaluate::{Evaluated, Setting, evaluate};
use flatten::{Callees, Flat};
use lost::Lost;
use memory::Aliasing;
use program::{Function, Location, Module, ValueType};
use value::External;

/// Maximum number of steps of a function after inlining, per step of its module. Beyond that, calls
/// are not inlined.
const MAX_GROWTH: usize = 8;

/// Minimum step budget.
const MIN_BUDGET: usize = 100_000;

/// Outcome of validating a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The function behaves like the original.
    Equal,
    /// The function could not be validated.
    Unknown {
        /// Whether the original is what could not be followed. If the comparison itself could not
        /// decide, this is `false`.
        is_original: bool,
        /// Location of the construct that could not be followed, if known.
        location: Option<Location>,
        /// The reason, phrased to follow "because".
        why: &'static str,
    },
    /// The function does not behave like the original.
    Different(Difference),
    /// The function races with a transfer in flight, or accesses storage that has been freed, so its behavior is not
    /// defined.
    Undefined {
        /// Location of the step that must not happen.
        location: Option<Location>,
        /// What is wrong, as a clause.
        why: &'static str,
        /// The step because of which it must not happen.
        cause: Cause,
    },
}

/// Compares all functions that have bodies, in the order of the original. `noalias_arguments`:
/// assume that no two arguments of a function share a byte.
///
/// Private functions that are not recursive are compared where they are inlined into their callers. If
/// a caller is not equal, or if anything but calls refers to such a function, it is also compared by
/// itself. The only outcome then reported is [`Outcome::Different`], unless some call was not inlined
/// because its caller would have become too large.
#[must_use]
pub fn compare_modules(
    original: &Module,
    planned: &Module,
    noalias_arguments: bool,
) -> Vec<(String, Outcome)> {
    let callees = [original, planned].map(Callees::new);
    let is_root = |own: &Function| own.is_public || callees[0].is_recursive(&own.name);
    let defined = original.functions.iter().enumerate();
    let mut order: Vec<(usize, &Function)> =
        defined.filter(|(_, own)| !own.blocks.is_empty()).collect();
    // Callers from outside first: what has been compared as a part of them, in all contexts that there
    // are, need not be compared by itself, which would take quadratic time in chains of calls.
    order.sort_by_key(|(_, own)| !is_root(own));
    let mut compared: BTreeSet<&str> = BTreeSet::new();
    let mut outcomes = Vec::new();
    let mut has_calls = false;
    for (position, function) in order {
        let is_root = is_root(function);
        if !is_root && !function.is_referenced && compared.contains(&*function.name) {
            continue;
        }
        let outcome = match callees[1].with_body(&function.name) {
            Some(counterpart) => {
                let n = function.blocks[0].arguments.len();
                let sides = [(original, function), (planned, counterpart)];
                let (outcome, is_inlined) =
                    compare_functions(sides, &callees, n, noalias_arguments);
                has_calls |= !is_inlined;
                if is_inlined && outcome == Outcome::Equal {
                    compared.append(&mut callees[0].inlined(&function.name));
                }
                outcome
            }
            None => Outcome::Unknown {
                is_original: true,
                location: Some(function.location),
                why: "the planned module has no such function",
            },
        };
        outcomes.push((position, function.name.clone(), is_root, outcome));
    }
    outcomes.sort_by_key(|(position, ..)| *position);
    let is_reported = |is_root: bool, outcome: &Outcome| match outcome {
        Outcome::Different(_) => true,
        Outcome::Unknown { .. } | Outcome::Undefined { .. } => is_root || has_calls,
        Outcome::Equal => is_root,
    };
    outcomes.retain(|(_, _, is_root, outcome)| is_reported(*is_root, outcome));
    let outcomes = outcomes.into_iter();
    outcomes
        .map(|(_, name, _, outcome)| (name, outcome))
        .collect()
}

/// Compares two functions. Also returns whether all calls that can be inlined were.
fn compare_functions(
    sides: [(&Module, &Function); 2],
    callees: &[Callees<'_>; 2],
    n_arguments: usize,
    noalias_arguments: bool,
) -> (Outcome, bool) {
    let budget = |module: &Module| {
        let blocks = module.functions.iter().flat_map(|own| &own.blocks);
        let n_steps: usize = blocks.map(|block| block.steps.len() + 1).sum();
        MIN_BUDGET.max(n_steps.saturating_mul(MAX_GROWTH))
    };
    let mut flat = [0, 1].map(|side: usize| {
        let (module, function) = sides[side];
        Flat::new(function, &callees[side], budget(module))
    });
    // Calls are inlined on both sides or on neither: a call is equal only to a call.
    let is_inlined = flat[0].1 && flat[1].1;
    if flat[0].1 != flat[1].1 {
        flat = [0, 1].map(|side: usize| Flat::new(sides[side].1, &callees[side], 0));
    }
    let mut is_noalias = sides[0].1.is_noalias.clone();
    if noalias_arguments {
        is_noalias = vec![true; n_arguments];
    }
    let aliasing = Aliasing { is_noalias };
    let flat = [&flat[0].0, &flat[1].0];
    let is_alone = alone(&flat, &aliasing, n_arguments);
    let setting = Setting {
        n_arguments,
        aliasing,
        is_alone,
    };
    let outcome = compare_flat(flat, &setting);
    let is_open = matches!(outcome, Outcome::Unknown { .. });
    let in_cases = is_open.then(|| compare_in_cases(flat, callees, &setting));
    (in_cases.flatten().unwrap_or(outcome), is_inlined)
}

fn compare_flat(flat: [&Flat<'_>; 2], setting: &Setting) -> Outcome {
    let evaluated = [0, 1].map(|side| evaluate(flat[side], setting, side == 0, None));
    let unknown = |is_original: bool, lost: &Lost| Outcome::Unknown {
        is_original,
        location: lost.location,
        why: lost.why,
    };
    let [a, b]: [&Evaluated; 2] = match [&evaluated[0], &evaluated[1]] {
        [Err(lost), _] => return unknown(true, lost),
        [_, Err(lost)] => {
            return lost.undefined().unwrap_or_else(|| unknown(false, lost));
        }
        [Ok(a), Ok(b)] => [a, b],
    };
    match compare(a, b, &setting.aliasing) {
        Verdict::Equal => Outcome::Equal,
        Verdict::Unknown(location, why) => Outcome::Unknown {
            is_original: false,
            location,
            why,
        },
        Verdict::Different(difference) => Outcome::Different(difference),
    }
}

/// Indexed by argument: whether, in both programs, no other accessed storage may alias it, its
/// layout is static, and its address does not escape.
fn alone(flat: &[&Flat<'_>; 2], aliasing: &Aliasing, n_arguments: usize) -> Vec<bool> {
    let [Some(used), Some(theirs)] = [flat[0].used_arguments(), flat[1].used_arguments()] else {
        return vec![false; n_arguments];
    };
    let is_used = |index: usize| {
        let own = |used: &[bool]| used.get(index).copied().unwrap_or(false);
        own(&used) || own(&theirs)
    };
    let argument = |index: usize| External::Argument(u32::try_from(index).unwrap_or(u32::MAX));
    // Those that no other argument can alias would answer no to each question.
    let others = (0..n_arguments).filter(|other| {
        let value = flat[0].arguments[*other];
        let is_scalar = matches!(flat[0].types[value], ValueType::Scalar { .. });
        is_used(*other) && !is_scalar && !aliasing.is_apart(*other)
    });
    let others: Vec<usize> = others.collect();
    let meets = |index: usize| {
        let mut others = others.iter().filter(|other| **other != index);
        !aliasing.is_apart(index)
            && others.any(|other| aliasing.may_meet(argument(index), argument(*other)))
    };
    let is_known = |flat: &Flat<'_>, index: usize| {
        let value = flat.arguments[index];
        let is_static = match flat.types[value] {
            ValueType::Elements(layout) => {
                let mut dims = layout.dims.iter();
                layout.offset.is_some()
                    && dims.all(|(size, stride)| size.is_some() && stride.is_some())
            }
            _ => false,
        };
        is_static && !flat.escapes[value]
    };
    let is_alone = |index: usize| !meets(index) && flat.iter().all(|flat| is_known(flat, index));
    (0..n_arguments).map(is_alone).collect()
}
