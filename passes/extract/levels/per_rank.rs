//! Integers and communicators as functions of the rank that computes them.
//!
//! The program of a rank computes the ranks that it sends to and receives from, and the communicators of
//! its collectives, from its own rank. Evaluated for every rank of a grid, such values say between which
//! ranks a message travels. What is not evaluated is unknown: arguments, loop variables, loaded values, results
//! of other operations, and what overflows. Only the model of time depends on the answers.
//!
//! Takes time linear in the number of ranks for each value.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::ir::{AffineMap, Op, Value};

/// Maximum length of a chain of operations that compute a value.
const MAX_DEPTH: usize = 64;

/// An integer on each rank.
pub(super) type Numbers = Rc<[Option<i64>]>;

/// The ranks that communicate with each rank, in the order of their numbers in the communicator; of the whole
/// program. `None`: the rank has no such communicator.
pub(super) type Groups = Rc<[Option<Rc<[u64]>>]>;

/// Values that have been evaluated.
pub(super) struct PerRank {
    n_ranks: usize,
    numbers: HashMap<Value, Option<Numbers>>,
    groups: HashMap<Value, Option<Groups>>,
}

impl PerRank {
    pub(super) fn new(n_ranks: usize) -> Self {
        Self {
            n_ranks,
            numbers: HashMap::new(),
            groups: HashMap::new(),
        }
    }

    /// A value on each rank; `None` if it cannot be evaluated.
    pub(super) fn numbers(&mut self, value: Value) -> Option<Numbers> {
        self.number(value, 0)
    }

    /// The groups of a communicator; `None` if they cannot be evaluated.
    pub(super) fn groups(&mut self, communicator: Value) -> Option<Groups> {
        self.group(communicator, 0)
    }

    /// Whether each rank executes an operation, as far as branches on known conditions tell.
    pub(super) fn executes(&mut self, op: Op) -> Vec<bool> {
        let mut executes = vec![true; self.n_ranks];
        let mut own = op;
        while let Some(around) = own.parent() {
            if around.name() == "scf.if" {
                let region = own.block().and_then(|block| block.parent_region());
                let is_then = region == around.regions().next();
                if let Some(conditions) = self.numbers(around.operand(0)) {
                    for (own, condition) in executes.iter_mut().zip(conditions.iter()) {
                        *own &= condition.is_none_or(|own| (own != 0) == is_then);
                    }
                }
            }
            own = around;
        }
        executes
    }

    fn number(&mut self, value: Value, depth: usize) -> Option<Numbers> {
        if let Some(known) = self.numbers.get(&value) {
            return known.clone();
        }
        let found = (depth < MAX_DEPTH)
            .then(|| self.evaluate(value, depth + 1))
            .flatten();
        // A condition is 0 or 1, whatever its extension is.
        let is_condition = value.ty().to_string() == "i1";
        let found = found.map(|own| match is_condition {
            true => own.iter().map(|own| own.map(|own| own & 1)).collect(),
            false => own,
        });
        self.numbers.insert(value, found.clone());
        found
    }

    fn evaluate(&mut self, value: Value, depth: usize) -> Option<Numbers> {
        let op = value.owner()?;
        match op.name() {
            "arith.constant" => {
                let constant = value.constant()?;
                return Some(vec![Some(constant); self.n_ranks].into());
            }
            "mpi.comm_rank" | "mpi.comm_size" => {
                let groups = self.group(op.operand(0), depth)?;
                let is_rank = op.name() == "mpi.comm_rank";
                let own = (0_u64..).zip(groups.iter()).map(|(rank, group)| {
                    let group = group.as_ref()?;
                    let number = match is_rank {
                        true => group.iter().position(|own| *own == rank)?,
                        false => group.len(),
                    };
                    i64::try_from(number).ok()
                });
                // The return value, if there is one, is the first result.
                return (op.results().last() == Some(value)).then(|| own.collect());
            }
            _ => {}
        }
        let operator = Operator::of(op)?;
        let operands = op.operands().map(|own| self.number(own, depth));
        let operands: Vec<Numbers> = operands.collect::<Option<_>>()?;
        let on_rank = |rank: usize| {
            let own = operands.iter().map(|own| own[rank]);
            let own: Vec<i64> = own.collect::<Option<_>>()?;
            operator.apply(&own)
        };
        Some((0..self.n_ranks).map(on_rank).collect())
    }

    fn group(&mut self, communicator: Value, depth: usize) -> Option<Groups> {
        if let Some(known) = self.groups.get(&communicator) {
            return known.clone();
        }
        let found = (depth < MAX_DEPTH)
            .then(|| self.split(communicator, depth + 1))
            .flatten();
        self.groups.insert(communicator, found.clone());
        found
    }

    fn split(&mut self, communicator: Value, depth: usize) -> Option<Groups> {
        let op = communicator.owner()?;
        match op.name() {
            "mpi.comm_world" => {
                let all: Rc<[u64]> = (0..self.n_ranks as u64).collect();
                Some(vec![Some(all); self.n_ranks].into())
            }
            "mpi.comm_split" => {
                let around = self.group(op.operand(0), depth)?;
                let colors = self.number(op.operand(1), depth)?;
                let keys = self.number(op.operand(2), depth)?;
                // By the group that is split, named by its first rank, and by color: the ranks and their keys.
                let mut parts: BTreeMap<(u64, i64), Vec<(i64, u64)>> = BTreeMap::new();
                let mut own: Vec<Option<(u64, i64)>> = Vec::new();
                for (rank, group) in around.iter().enumerate() {
                    let Some(first) = group.as_ref().and_then(|group| group.first()) else {
                        own.push(None);
                        continue;
                    };
                    let part = (*first, colors[rank]?);
                    // A rank without a color gets no communicator.
                    own.push(Some(part).filter(|part| part.1 >= 0));
                    parts
                        .entry(part)
                        .or_default()
                        .push((keys[rank]?, rank as u64));
                }
                let parts = parts.into_iter().map(|(part, mut ranks)| {
                    ranks.sort_unstable();
                    let ranks = ranks.into_iter().map(|(_, rank)| rank);
                    (part, ranks.collect::<Rc<[u64]>>())
                });
                let parts: BTreeMap<_, Rc<[u64]>> = parts.collect();
                let groups = own.into_iter();
                Some(groups.map(|part| parts.get(&part?).cloned()).collect())
            }
            _ => None,
        }
    }
}

/// An operation on integers.
enum Operator {
    /// Of one operand, which stays what it is.
    Same,
    /// The operand, unless it is negative.
    Unsigned,
    /// The operand, if it fits in 32 bits.
    Truncated,
    Binary(fn(i64, i64) -> Option<i64>),
    Compare(i64),
    Select,
    Map(AffineMap),
}

impl Operator {
    fn of(op: Op) -> Option<Self> {
        let binary = |own: fn(i64, i64) -> Option<i64>| Some(Self::Binary(own));
        match op.name() {
            "arith.index_cast" | "arith.extsi" => Some(Self::Same),
            "arith.index_castui" | "arith.extui" => Some(Self::Unsigned),
            "arith.trunci" => Some(Self::Truncated),
            "arith.addi" => binary(i64::checked_add),
            "arith.subi" => binary(i64::checked_sub),
            "arith.muli" => binary(i64::checked_mul),
            "arith.divsi" => binary(i64::checked_div),
            "arith.remsi" => binary(i64::checked_rem),
            "arith.floordivsi" => binary(|a, b| {
                let quotient = a.checked_div(b)?;
                let is_inexact = a.checked_rem(b)? != 0 && (a < 0) != (b < 0);
                quotient.checked_sub(i64::from(is_inexact))
            }),
            "arith.ceildivsi" => binary(|a, b| {
                let quotient = a.checked_div(b)?;
                let is_inexact = a.checked_rem(b)? != 0 && (a < 0) == (b < 0);
                quotient.checked_add(i64::from(is_inexact))
            }),
            "arith.divui" => binary(|a, b| (a >= 0 && b > 0).then(|| a / b)),
            "arith.remui" => binary(|a, b| (a >= 0 && b > 0).then(|| a % b)),
            "arith.andi" => binary(|a, b| Some(a & b)),
            "arith.ori" => binary(|a, b| Some(a | b)),
            "arith.xori" => binary(|a, b| Some(a ^ b)),
            "arith.minsi" => binary(|a, b| Some(a.min(b))),
            "arith.maxsi" => binary(|a, b| Some(a.max(b))),
            "arith.cmpi" => Some(Self::Compare(op.attribute("predicate")?.integer()?)),
            "arith.select" => Some(Self::Select),
            "affine.apply" => {
                let map = op.attribute("map")?.affine_map_of_operands()?;
                Some(Self::Map(map))
            }
            _ => None,
        }
    }

    /// The result for some operands; `None` if it is unknown.
    fn apply(&self, operands: &[i64]) -> Option<i64> {
        match (self, operands) {
            (Self::Same, [own]) => Some(*own),
            (Self::Unsigned, [own]) => Some(*own).filter(|own| *own >= 0),
            (Self::Truncated, [own]) => i32::try_from(*own).ok().map(i64::from),
            (Self::Binary(apply), [a, b]) => apply(*a, *b),
            (Self::Compare(predicate), [a, b]) => compare(*predicate, *a, *b).map(i64::from),
            (Self::Select, [condition, a, b]) => Some(if *condition != 0 { *a } else { *b }),
            (Self::Map(map), operands) => map.at(operands)?.first().copied(),
            _ => None,
        }
    }
}

/// Compares as a predicate of `arith.cmpi` does, given by its number.
fn compare(predicate: i64, a: i64, b: i64) -> Option<bool> {
    let is_unsigned = a >= 0 && b >= 0;
    match predicate {
        0 => Some(a == b),
        1 => Some(a != b),
        2 => Some(a < b),
        3 => Some(a <= b),
        4 => Some(a > b),
        5 => Some(a >= b),
        6 => is_unsigned.then_some(a < b),
        7 => is_unsigned.then_some(a <= b),
        8 => is_unsigned.then_some(a > b),
        9 => is_unsigned.then_some(a >= b),
        _ => None,
    }
}
