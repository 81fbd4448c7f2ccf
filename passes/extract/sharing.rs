//! May this operation's operand share these bytes with its result?
//!
//! Every pass that changes which bytes an operand denotes asks this question here. The answer is yes in exactly three cases:
//!
//! 1. the two share no byte (callers know from their own analysis of addresses);
//! 2. they shared the same bytes in the program as it was;
//! 3. they denote the same elements in the same order, and the operation is known to read each element before it writes the
//!    same one, while no other iteration reads it: [`pairs`]. Where two elements of a view share bytes (a stride of 0), an
//!    iteration reads what an earlier one has written.
//!
//! Everything else is a no: an operation that reads in another order than it writes (a transpose, a reduction, a matrix
//! product, a reversed or permuted map) would read what it has overwritten, and so would any operation whose operand and
//! result overlap in part.
//!
//! Kernels state case 3. Structured operations show it: an input and an output are indexed by the identity of a parallel
//! iteration space. The same storage must not come in by another input that is indexed differently.

use melior::ir::ValueLike as _;

use crate::dialect::KernelOp;
use crate::mlir::{Attribute, Op, SEGMENTS, Value, is_storage, memref_layout};

/// Named structured operations that compute each element from those at the same place.
const ELEMENTWISE: [&str; 26] = [
    "linalg.abs",
    "linalg.add",
    "linalg.ceil",
    "linalg.copy",
    "linalg.div",
    "linalg.div_unsigned",
    "linalg.erf",
    "linalg.exp",
    "linalg.floor",
    "linalg.log",
    "linalg.map",
    "linalg.max",
    "linalg.min",
    "linalg.mul",
    "linalg.negf",
    "linalg.powf",
    "linalg.reciprocal",
    "linalg.round",
    "linalg.rsqrt",
    "linalg.select",
    "linalg.sqrt",
    "linalg.square",
    "linalg.sub",
    "linalg.tanh",
    "linalg.min_unsigned",
    "linalg.max_unsigned",
];

/// An operand whose bytes a result may take over, if they start at the same address.
pub(super) struct Pair {
    pub operand: Value,
    pub result: Value,
    /// Operands that must not be the same storage.
    pub others: Vec<Value>,
}

/// The pairs of an operation.
pub(super) fn pairs(op: Op) -> Vec<Pair> {
    match op.name() {
        "mem.kernel" => of_kernel(op),
        "linalg.generic" => of_generic(op).unwrap_or_default(),
        // Maps of its own would be another order.
        name if ELEMENTWISE.contains(&name) && op.attribute("indexing_maps").is_none() => {
            let n_operands = op.operands().count();
            let (inputs, outputs) = split(op, n_operands.saturating_sub(1));
            with_types(&inputs, &outputs, &vec![true; inputs.len()])
        }
        _ => Vec::new(),
    }
}

/// Whether `operand` may be the very same elements as `result`: each is read before it is written (case 3).
pub(crate) fn reads_before_it_writes(op: Op, operand: Value, result: Value) -> bool {
    if op.name() == "memref.copy" {
        return operand.ty() == result.ty() && has_distinct_elements(operand);
    }
    let mut pairs = pairs(op).into_iter();
    pairs.any(|pair| {
        pair.operand == operand && pair.result == result && !pair.others.contains(&operand)
    })
}

fn has_distinct_elements(value: Value) -> bool {
    memref_layout(value.ty()).is_some_and(|layout| layout.has_distinct_elements())
}

fn split(op: Op, n_inputs: usize) -> (Vec<Value>, Vec<Value>) {
    let operands: Vec<Value> = op.operands().collect();
    let (inputs, outputs) = operands.split_at(n_inputs.min(operands.len()));
    (inputs.to_vec(), outputs.to_vec())
}

fn of_kernel(op: Op) -> Vec<Pair> {
    let Some(kernel) = KernelOp::of(op) else {
        return Vec::new();
    };
    let uses: Vec<Value> = kernel.uses().iter().map(|v| Value(v.to_raw())).collect();
    let results: Vec<Value> = kernel.defines().iter().map(|v| Value(v.to_raw())).collect();
    let positions = kernel.in_place().unwrap_or_default();
    let positions = positions
        .into_iter()
        .filter_map(|n| usize::try_from(n).ok());
    let taken = positions.filter_map(|n| uses.get(n));
    let pair = |operand: Value, result: Value| Pair {
        operand,
        result,
        others: Vec::new(),
    };
    taken
        .flat_map(|operand| results.iter().map(move |result| pair(*operand, *result)))
        .collect()
}

fn of_generic(op: Op) -> Option<Vec<Pair>> {
    let iterators = op.attribute("iterator_types")?.elements()?;
    let is_parallel = |a: &Attribute| a.to_string().contains("parallel");
    if !iterators.iter().all(is_parallel) {
        return None;
    }
    let maps = op.attribute("indexing_maps")?.elements()?;
    let is_identity: Vec<bool> = maps.iter().map(|map| map.is_identity_map()).collect();
    let sizes = op.attribute(SEGMENTS)?.small_integers()?;
    let n_inputs = usize::try_from(*sizes.first()?).ok()?;
    let (inputs, outputs) = split(op, n_inputs);
    // All outputs: what one writes out of order could be what another has taken over.
    if !is_identity
        .get(n_inputs..)?
        .iter()
        .all(|is_identity| *is_identity)
    {
        return None;
    }
    Some(with_types(&inputs, &outputs, &is_identity[..n_inputs]))
}

/// Pairs of inputs that are read in order with outputs of the same type.
fn with_types(inputs: &[Value], outputs: &[Value], is_identity: &[bool]) -> Vec<Pair> {
    let marked = || inputs.iter().zip(is_identity);
    let others: Vec<Value> = marked().filter(|(_, is)| !**is).map(|(v, _)| *v).collect();
    let ordered = marked()
        .filter(|(v, is)| **is && is_storage(v.ty()) && has_distinct_elements(**v))
        .map(|(v, _)| *v);
    let pair = |operand: Value| {
        let same = outputs
            .iter()
            .filter(move |result| result.ty() == operand.ty());
        let others = others.clone();
        same.map(move |result| Pair {
            operand,
            result: *result,
            others: others.clone(),
        })
    };
    ordered.flat_map(pair).collect()
}
