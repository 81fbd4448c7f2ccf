//! Translation validation: whether a program does what another one does, in all that outsiders see.
//!
//! # Idea
//!
//! Both programs are evaluated symbolically, each by itself, by the same simple evaluator: every scalar and every byte of memory
//! becomes a node of a graph that says how it was computed from what the function was given. Copies, transfers, views and
//! addresses disappear in that: a byte that was moved five times is still the same node. What remains of a program is its
//! control flow, the values that decide it, and what it leaves behind. Two programs are equal if those are.
//!
//! The method is that of Tristan, Govereau and Morrisett, "Evaluating Value-Graph Translation Validation for LLVM" (PLDI 2011),
//! extended from SSA values to byte intervals, and with bisimulation in the place of normalization of loops.
//!
//! # Lattice
//!
//! The content of a byte is *undefined*, a byte of a node, or *unknown*. Where control meets, contents that differ become a
//! *join*, one for each byte interval, whose inputs are what comes along each edge; loops are evaluated until their heads stay as
//! they are, which they do, since bytes are only ever told apart more finely and joins stay joins.
//!
//! An operation that reads bytes it writes is another operation than one that does not: how its operands share bytes belongs to
//! its node, unless it is known to read each element before it writes the same one, and they are the very same elements.
//!
//! # Guarantees
//!
//! If the answer is [`Outcome::Equal`], then for all inputs, wherever the original is defined: both programs take the same
//! decisions in the same order, call the same functions with equal operands and equal memory, and leave equal bytes in all memory
//! that others can reach. Where the original reads bytes that were never written, anything goes.
//!
//! # Non-guarantees
//!
//! * Asynchronous transfers are taken to happen when they are issued; that they are waited for is another checker's business.
//! * Iterations of parallel loops are taken to run one after the other.
//! * Operations do what their fingerprints stand for, from their operands alone, and accesses are in bounds.
//! * Equal is sound, not complete: programs that are equal for reasons of arithmetic may be found different. Where the
//!   evaluation itself is not exact, the answer is [`Outcome::Unknown`], and says where.
//!
//! # Cost
//!
//! O(n log n) in steps, and pieces that accesses are split into, for programs without loops; as many times that as loops are
//! nested otherwise, and once more.

#![forbid(unsafe_code)]

mod access;
mod choice;
mod compare;
mod contents;
mod derive;
mod difference;
mod evaluate;
mod facts;
mod flatten;
mod goal;
mod linear;
mod meet;
mod memory;
pub mod program;
mod steps;
mod value;
mod view;

pub use difference::{Difference, Observed};

use compare::{Verdict, compare};
use evaluate::{Evaluated, Lost, Setting, evaluate};
use flatten::{Callees, Flat};
use memory::Aliasing;
use program::{Function, Location, Module, ValueType};
use value::External;

/// Most steps of a function with all it calls in place, per step of the module; beyond that, calls stay calls.
const MAX_GROWTH: usize = 8;

/// The least budget of steps.
const MIN_BUDGET: usize = 100_000;

/// What is known of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It does what the original does.
    Equal,
    /// It could not be followed.
    Unknown {
        /// In which of the programs: the original?
        is_original: bool,
        /// Where.
        location: Option<Location>,
        /// Why not; follows "because".
        why: &'static str,
    },
    /// It does not do what the original does.
    Different(Difference),
}

/// Compares all functions, in the order of the original. `noalias_arguments`: no two arguments of a function share a byte.
///
/// Functions that only this module calls are looked at where they are called, too, and there is no outcome for one of them that
/// is equal, cannot be followed, or is gone.
#[must_use]
pub fn compare_modules(
    original: &Module,
    planned: &Module,
    noalias_arguments: bool,
) -> Vec<(String, Outcome)> {
    let callees = [original, planned].map(Callees::new);
    let mut outcomes = Vec::new();
    for function in original
        .functions
        .iter()
        .filter(|own| !own.blocks.is_empty())
    {
        let is_root = function.is_public || callees[0].is_recursive(&function.name);
        let outcome = match callees[1].with_body(&function.name) {
            Some(counterpart) => {
                let n = function.blocks[0].arguments.len();
                compare_functions(
                    [(original, function), (planned, counterpart)],
                    &callees,
                    n,
                    noalias_arguments,
                )
            }
            None => Outcome::Unknown {
                is_original: true,
                location: Some(function.location),
                why: "the planned module has no such function",
            },
        };
        if is_root || matches!(outcome, Outcome::Different(_)) {
            outcomes.push((function.name.clone(), outcome));
        }
    }
    outcomes
}

fn compare_functions(
    sides: [(&Module, &Function); 2],
    callees: &[Callees<'_>; 2],
    n_arguments: usize,
    noalias_arguments: bool,
) -> Outcome {
    let budget = |module: &Module| {
        let blocks = module.functions.iter().flat_map(|own| &own.blocks);
        let n_steps: usize = blocks.map(|block| block.steps.len() + 1).sum();
        MIN_BUDGET.max(n_steps.saturating_mul(MAX_GROWTH))
    };
    let mut flat = [0, 1].map(|side: usize| {
        let (module, function) = sides[side];
        Flat::new(function, &callees[side], budget(module))
    });
    // Calls are in place in both, or in none.
    if flat[0].1 != flat[1].1 {
        flat = [0, 1].map(|side: usize| Flat::new(sides[side].1, &callees[side], 0));
    }
    let mut is_noalias = sides[0].1.is_noalias.clone();
    if noalias_arguments {
        is_noalias = vec![true; n_arguments];
    }
    let aliasing = Aliasing { is_noalias };
    let is_alone = alone(&[&flat[0].0, &flat[1].0], &aliasing, n_arguments);
    let setting = Setting {
        n_arguments,
        aliasing,
        is_alone,
    };
    let evaluated = [0, 1].map(|side: usize| evaluate(&flat[side].0, &setting));
    let unknown = |is_original: bool, lost: &Lost| Outcome::Unknown {
        is_original,
        location: lost.location,
        why: lost.why,
    };
    let [a, b]: [&Evaluated; 2] = match [&evaluated[0], &evaluated[1]] {
        [Err(lost), _] => return unknown(true, lost),
        [_, Err(lost)] => return unknown(false, lost),
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

/// By argument: in both programs, whatever is accessed through others is other storage, and its layout is known.
fn alone(flat: &[&Flat<'_>; 2], aliasing: &Aliasing, n_arguments: usize) -> Vec<bool> {
    let [Some(used), Some(theirs)] = [flat[0].used_arguments(), flat[1].used_arguments()] else {
        return vec![false; n_arguments];
    };
    let is_used = |index: usize| {
        let own = |used: &[bool]| used.get(index).copied().unwrap_or(false);
        own(&used) || own(&theirs)
    };
    let argument = |index: usize| External::Argument(u32::try_from(index).unwrap_or(u32::MAX));
    let meets = |index: usize| {
        let mut others = (0..n_arguments).filter(|other| *other != index && is_used(*other));
        others.any(|other| {
            let value = flat[0].arguments[other];
            !matches!(flat[0].types[value], ValueType::Scalar { .. })
                && aliasing.may_meet(argument(index), argument(other))
        })
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
