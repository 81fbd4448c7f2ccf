//! Evaluates sizes and offsets known only at run time, for an assumed example input.

use rustc_hash::FxHashMap as HashMap;

use mem_model::Bytes;

use crate::ir::{Op, Value};

/// Values of type `index`, assuming that every number which is not computed by the arithmetic that
/// planning emits equals `unknown`.
pub(crate) struct Example {
    unknown: u64,
    /// `None`: overflow, i.e. more than any memory has.
    values: HashMap<Value, Option<u64>>,
}

impl Example {
    /// Evaluates all values of a function. Linear in the number of operations.
    pub(crate) fn new(function: Op, unknown: u64) -> Self {
        let mut example = Self {
            unknown,
            values: HashMap::default(),
        };
        function.walk(&mut |op| example.compute(op));
        example
    }

    fn compute(&mut self, op: Op) {
        let of = |index: usize| self.value(op.operand(index));
        let both = || Some((of(0)?, of(1)?));
        let value = match op.name() {
            "arith.constant" => match op.result().constant() {
                Some(constant) => Some(constant as u64),
                None => return,
            },
            "arith.addi" => both().and_then(|(a, b)| a.checked_add(b)),
            "arith.muli" => both().and_then(|(a, b)| a.checked_mul(b)),
            "arith.maxsi" => both().map(|(a, b)| (a as i64).max(b as i64) as u64),
            // Alignment: a rounded-up sum, masked.
            "arith.andi" => both().map(|(a, b)| a & b),
            _ => return,
        };
        self.values.insert(op.result(), value);
    }

    fn value(&self, value: Value) -> Option<u64> {
        let known = self.values.get(&value).copied();
        known.unwrap_or(Some(self.unknown))
    }

    /// The value as a number of bytes; `None` if it exceeds `i64::MAX`.
    pub(crate) fn bytes(&self, value: Value) -> Option<Bytes> {
        let bytes = self.value(value)?;
        (bytes <= i64::MAX as u64).then_some(Bytes::new(bytes))
    }
}
