//! In-place execution: may this operand of an operation share these bytes with this result?
//!
//! Every pass that changes which bytes an operand denotes asks this question here. The answer is
//! yes in exactly three cases:
//!
//! 1. The two share no byte; callers know this from their own analysis of addresses.
//! 2. They already shared the same bytes in the original program.
//! 3. They denote the same elements in the same order, and the operation is known to read each
//!    element before it writes that element, while no other iteration reads it: [`pairs`]. If two
//!    elements of a view share bytes (a stride of 0), an iteration reads what an earlier iteration
//!    has written, so such views are excluded.
//!
//! In every other case the answer is no. An operation that reads in a different order than it
//! writes (a transpose, a reduction, a matrix product, a reversed or permuted map) would read bytes
//! it has already overwritten; so would any operation whose operand and result overlap partially.
//!
//! Kernels state case 3 explicitly. For structured operations it follows from the indexing maps: an
//! input and an output are both indexed by the identity of a parallel iteration space. The same
//! storage must not be read through another input that is indexed differently.

use melior::ir::ValueLike as _;

use crate::ir::dialect::KernelOp;
use crate::ir::{Op, Value, is_storage, memref_layout, n_inits};

/// Named structured operations that compute each element from the elements at the same indices.
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

/// An operand whose bytes a result may reuse, provided both start at the same address.
pub(super) struct Pair {
    pub operand: Value,
    pub result: Value,
    /// Operands that must not alias `operand`.
    pub others: Vec<Value>,
}

/// The in-place pairs of an operation.
pub(super) fn pairs(op: Op) -> Vec<Pair> {
    match op.name() {
        "mem.kernel" => of_kernel(op),
        "linalg.generic" => of_generic(op).unwrap_or_default(),
        name if ELEMENTWISE.contains(&name) => {
            // The last operand is the only output, and all indexing maps are identities by
            // definition.
            let n_operands = op.operands().count();
            let (inputs, outputs) = split(op, n_operands.saturating_sub(1));
            with_types(&inputs, &outputs, &vec![true; inputs.len()])
        }
        _ => Vec::new(),
    }
}

/// Whether `operand` may denote the very same elements as `result`, because each is read before it
/// is written (case 3).
pub(crate) fn reads_before_it_writes(op: Op, operand: Value, result: Value) -> bool {
    // A copy of elements onto themselves changes nothing, in any order.
    if op.name() == "memref.copy" {
        return true;
    }
    let mut pairs = pairs(op).into_iter();
    pairs.any(|pair| {
        // An operand that is also read in another order sees elements that were overwritten before.
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
    let maps = op.attribute("indexing_maps")?.elements()?;
    let is_identity: Vec<bool> = maps.iter().map(|map| map.is_identity_map()).collect();
    let n_inputs = op.operands().count().checked_sub(n_inits(op)?)?;
    let (inputs, outputs) = split(op, n_inputs);
    // Every output must be indexed by the identity: an output written out of order could alias
    // storage that another output has reused.
    if !is_identity
        .get(n_inputs..)?
        .iter()
        .all(|is_identity| *is_identity)
    {
        return None;
    }
    Some(with_types(&inputs, &outputs, &is_identity[..n_inputs]))
}

/// Pairs each input with every output of the same type. Inputs that are read in another order must
/// not alias the input of a pair; in such an input's own pairs, that is the input itself.
fn with_types(inputs: &[Value], outputs: &[Value], is_identity: &[bool]) -> Vec<Pair> {
    let marked = || inputs.iter().zip(is_identity);
    let others: Vec<Value> = marked().filter(|(_, is)| !**is).map(|(v, _)| *v).collect();
    // Few inputs have the type of an output, and to compare types takes less time than a layout.
    let has_pair = |v: &&Value| outputs.iter().any(|result| result.ty() == v.ty());
    let candidates = inputs
        .iter()
        .filter(has_pair)
        .filter(|v| is_storage(v.ty()) && has_distinct_elements(**v));
    let pair = |operand: &Value| {
        let operand = *operand;
        // In another layout or element type, the element at the same indices would have another
        // address.
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
    candidates.flat_map(pair).collect()
}
