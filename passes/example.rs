//! What sizes and offsets that only the run time knows would be for an example.

use std::collections::HashMap;

use mem_model::Bytes;

use crate::mlir::{Op, Value};

/// Values of type index, if every number that is not computed from others by the arithmetic that planning emits is
/// one and the same.
pub(crate) struct Example {
    unknown: u64,
    values: HashMap<Value, u64>,
}

impl Example {
    /// Computes them for a function; linear. Wraps as the run time does.
    pub(crate) fn new(function: Op, unknown: u64) -> Self {
        let mut example = Self {
            unknown,
            values: HashMap::new(),
        };
        function.walk(&mut |op| example.compute(op));
        example
    }

    fn compute(&mut self, op: Op) {
        let of = |index: usize| self.value(op.operand(index));
        let value = match op.name() {
            "arith.constant" => match op.result().constant() {
                Some(constant) => constant as u64,
                None => return,
            },
            "arith.addi" => of(0).wrapping_add(of(1)),
            "arith.muli" => of(0).wrapping_mul(of(1)),
            "arith.maxsi" => (of(0) as i64).max(of(1) as i64) as u64,
            "arith.andi" => of(0) & of(1),
            _ => return,
        };
        self.values.insert(op.result(), value);
    }

    fn value(&self, value: Value) -> u64 {
        self.values.get(&value).copied().unwrap_or(self.unknown)
    }

    /// The value as a number of bytes.
    pub(crate) fn bytes(&self, value: Value) -> Bytes {
        Bytes::new(self.value(value))
    }
}
