//! Run-time values of interpreted programs, and scalar operations.

use std::rc::Rc;

use mem_opt::internals::{Op, Type, memref_layout};

use super::memory::{Bytes, Symbol, symbol};
use super::{Fault, Machine};
use crate::random::Random;

/// A strided view of memory. Offset and strides are in elements.
#[derive(Clone, Debug)]
pub(super) struct Memref {
    /// The aligned pointer.
    pub base: Bytes,
    pub offset: i64,
    pub sizes: Vec<i64>,
    pub strides: Vec<i64>,
    /// Size of an element in bytes.
    pub element: i64,
}

impl Memref {
    /// The address of element [0, …, 0].
    pub(super) fn start(&self) -> Bytes {
        self.base.at(self.offset.wrapping_mul(self.element))
    }

    pub(super) fn at(&self, indices: &[i64]) -> Result<Bytes, Fault> {
        let mut element = 0_i64;
        for ((index, size), stride) in indices.iter().zip(&self.sizes).zip(&self.strides) {
            within(*index, 1, *size)?;
            element += index * stride;
        }
        Ok(self.start().at(element * self.element))
    }

    /// Number of bytes from element [0, …, 0] to the end of the last element.
    pub(super) fn span(&self) -> i64 {
        if self.sizes.contains(&0) {
            return 0;
        }
        let last = self
            .sizes
            .iter()
            .zip(&self.strides)
            .map(|(n, stride)| (n - 1) * stride);
        (last.sum::<i64>() + 1) * self.element
    }

    /// Checks that a part of each dimension, from an offset on in steps, is within the dimension.
    pub(super) fn check_part(
        &self,
        offsets: &[i64],
        sizes: &[i64],
        steps: &[i64],
    ) -> Result<(), Fault> {
        // A part without elements may be anywhere.
        let n = if sizes.contains(&0) { 0 } else { sizes.len() };
        for index in 0..n {
            let first = offsets[index];
            let last = first.saturating_add(steps[index].saturating_mul(sizes[index] - 1));
            for element in [first, last] {
                within(element, 1, self.sizes[index])?;
            }
        }
        Ok(())
    }

    /// All indices in row-major order.
    pub(super) fn indices(&self) -> Vec<Vec<i64>> {
        all_indices(&self.sizes)
    }
}

/// Checks that bytes or elements `[start, start + size)` are among `available` ones.
pub(super) fn within(start: i64, size: i64, available: i64) -> Result<(), Fault> {
    if start >= 0 && start.checked_add(size).is_some_and(|end| end <= available) {
        return Ok(());
    }
    let length = usize::try_from(available).unwrap_or(0);
    Err(Fault::OutOfBounds {
        start,
        size,
        length,
    })
}

/// All indices below `sizes`, in row-major order.
pub(super) fn all_indices(sizes: &[i64]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for size in sizes {
        let longer = all.into_iter().flat_map(|index: Vec<i64>| {
            (0..*size).map(move |next| index.iter().copied().chain([next]).collect())
        });
        all = longer.collect();
    }
    all
}

/// A run-time value.
#[derive(Clone, Debug)]
pub(super) enum Data {
    Integer(i64),
    /// A number that is not computed concretely.
    Symbol(Symbol),
    Memref(Rc<Memref>),
    /// A buffer or an arena: its first byte, and its size in bytes.
    Storage(Bytes, i64),
    /// The token of a transfer.
    Token(usize),
}

impl Machine {
    /// Creates an argument of the interpreted function: its number, and that of the rank.
    pub(super) fn argument(
        &mut self,
        ty: Type,
        (index, rank): (usize, usize),
        inputs: &mut Random,
    ) -> Result<Data, Fault> {
        if let Some(layout) = memref_layout(ty) {
            let known = |dimensions: &[Option<i64>]| dimensions.iter().copied().collect();
            let sizes: Option<Vec<i64>> = known(&layout.shape);
            let strides: Option<Vec<i64>> = known(&layout.strides);
            let shape = sizes.zip(strides).zip(layout.offset);
            let ((sizes, strides), offset) = shape.ok_or_else(|| unsupported_type(ty))?;
            let size = layout.span().unwrap_or(0);
            let bytes = self.memory.allocate(size + offset * layout.element)?;
            let memref = Memref {
                base: bytes,
                offset,
                sizes,
                strides,
                element: layout.element,
            };
            for (number, indices) in memref.indices().iter().enumerate() {
                let input = inputs.next() ^ rank as u64;
                let value = symbol(("argument", index, number, input));
                self.memory
                    .write(memref.at(indices)?, memref.element, value)?;
            }
            return Ok(Data::Memref(Rc::new(memref)));
        }
        let number = inputs.next();
        match ty.to_string().as_str() {
            "i1" => Ok(Data::Integer((number & 1) as i64)),
            "index" | "i32" | "i64" => Ok(Data::Integer((number % 5) as i64)),
            "f32" | "f64" => Ok(Data::Symbol(symbol(("argument", index, number)))),
            _ => Err(unsupported_type(ty)),
        }
    }

    /// Converts a value to a symbol.
    pub(super) fn symbol_of(&mut self, data: &Data) -> Symbol {
        match data {
            Data::Integer(number) => self.memory.of_integer(*number),
            Data::Symbol(symbol) => *symbol,
            Data::Memref(memref) => symbol(("memref", memref.sizes.clone())),
            Data::Storage(..) | Data::Token(_) => 0,
        }
    }

    /// A concrete integer, for indices and control flow. A symbol that stands for no integer is a
    /// fault.
    pub(super) fn integer(&self, data: &Data) -> Result<i64, Fault> {
        match data {
            Data::Integer(number) => Ok(*number),
            Data::Symbol(symbol) => match self.memory.integer(*symbol) {
                Some(number) => Ok(number),
                None => Err(Fault::Garbage),
            },
            _ => Err(Fault::Garbage),
        }
    }

    /// A condition. An unknown comparison is decided by its symbol, so it is decided the same way
    /// in every run.
    pub(super) fn truth(&self, data: &Data) -> Result<bool, Fault> {
        match data {
            // A comparison of numbers that are not computed concretely.
            Data::Symbol(symbol) if self.memory.integer(*symbol).is_none() => {
                Ok((symbol >> 7) & 1 == 1)
            }
            data => Ok(self.integer(data)? & 1 == 1),
        }
    }

    pub(super) fn integers(&self, op: Op, first: usize) -> Result<Vec<i64>, Fault> {
        let operands = op.operands().skip(first);
        operands
            .map(|value| self.integer(&self.get(value)?))
            .collect()
    }

    /// Executes an operation on numbers. Returns whether `op` is one.
    pub(super) fn scalar(&mut self, op: Op) -> Result<bool, Fault> {
        if op.regions().next().is_some() || op.results().count() != 1 {
            return Ok(false);
        }
        let operands: Result<Vec<Data>, Fault> = op.operands().map(|v| self.get(v)).collect();
        let operands = operands?;
        if let Some(constant) = op.result().constant() {
            self.set(op.result(), Data::Integer(constant));
            return Ok(true);
        }
        let is_number = |data: &Data| matches!(data, Data::Integer(_) | Data::Symbol(_));
        if op.name() == "arith.select" {
            let chosen = match self.truth(&operands[0])? {
                true => operands[1].clone(),
                false => operands[2].clone(),
            };
            self.set(op.result(), chosen);
            return Ok(true);
        }
        if !operands.iter().all(is_number) || memref_layout(op.result().ty()).is_some() {
            return Ok(false);
        }
        let numbers: Option<Vec<i64>> = operands.iter().map(|d| self.integer(d).ok()).collect();
        let divides = matches!(op.name(), "arith.divui" | "arith.remui");
        if divides && numbers.as_ref().is_some_and(|numbers| numbers[1] == 0) {
            return Err(Fault::Division);
        }
        let computed = numbers.and_then(|numbers| compute(op, &numbers));
        let data = match computed {
            Some(number) => Data::Integer(number),
            None => {
                let mut parts = vec![self.says(op)];
                for operand in &operands {
                    parts.push(self.symbol_of(operand));
                }
                Data::Symbol(symbol(parts))
            }
        };
        self.set(op.result(), data);
        Ok(true)
    }
}

fn unsupported_type(ty: Type) -> Fault {
    Fault::Unsupported(ty.to_string())
}

/// Evaluates the integer operations that indices and conditions are made of.
fn compute(op: Op, numbers: &[i64]) -> Option<i64> {
    let predicate = || op.attribute("predicate").and_then(|a| a.integer());
    let unsigned = |n: i64| n as u64;
    Some(match (op.name(), numbers) {
        ("arith.addi", [a, b]) => a.wrapping_add(*b),
        ("arith.subi", [a, b]) => a.wrapping_sub(*b),
        ("arith.muli", [a, b]) => a.wrapping_mul(*b),
        ("arith.divui", [a, b]) if *b != 0 => (unsigned(*a) / unsigned(*b)) as i64,
        ("arith.remui", [a, b]) if *b != 0 => (unsigned(*a) % unsigned(*b)) as i64,
        ("arith.maxsi", [a, b]) => *a.max(b),
        ("arith.minsi", [a, b]) => *a.min(b),
        ("arith.minui", [a, b]) => unsigned(*a).min(unsigned(*b)) as i64,
        ("arith.andi", [a, b]) => a & b,
        ("arith.ori", [a, b]) => a | b,
        ("arith.xori", [a, b]) => a ^ b,
        ("arith.index_cast" | "arith.extui" | "arith.extsi", [a]) => *a,
        ("arith.cmpi", [a, b]) => i64::from(match predicate()? {
            0 => a == b,
            1 => a != b,
            2 => a < b,
            3 => a <= b,
            4 => a > b,
            5 => a >= b,
            6 => unsigned(*a) < unsigned(*b),
            7 => unsigned(*a) <= unsigned(*b),
            8 => unsigned(*a) > unsigned(*b),
            _ => unsigned(*a) >= unsigned(*b),
        }),
        _ => return None,
    })
}
