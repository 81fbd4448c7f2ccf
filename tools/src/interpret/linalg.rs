//! Structured operations of linalg, executed point by point of their iteration space.

use std::collections::HashMap;
use std::rc::Rc;

use mem_opt::internals::{Affine, AffineMap, Op, Region, SEGMENTS, indexing_maps};

use super::data::{Data, Memref, all_indices};
use super::memory::Bytes;
use super::{Fault, Machine};

/// An operand, with the map from points of the iteration space to its elements.
enum Operand {
    Memref(Rc<Memref>, AffineMap),
    Number(Data),
}

impl Operand {
    /// The address and size of the operand's element at `point`; `None` for a number.
    fn element(&self, point: &[i64]) -> Result<Option<(Bytes, i64)>, Fault> {
        let Self::Memref(memref, map) = self else {
            return Ok(None);
        };
        let indices = map.at(point).ok_or(Fault::Garbage)?;
        Ok(Some((memref.at(&indices)?, memref.element)))
    }
}

impl Machine {
    /// Executes an operation of linalg. Returns whether `op` is one.
    pub(super) fn linalg(&mut self, op: Op) -> Result<bool, Fault> {
        if !op.name().starts_with("linalg.") {
            return Ok(false);
        }
        // The result is set by `point` before the body runs.
        if op.name() == "linalg.index" {
            return Ok(true);
        }
        let Some(maps) = indexing_maps(op) else {
            return Ok(false);
        };
        let unsupported = || Fault::Unsupported(op.name().to_owned());
        let sizes = self.iteration_space(op, &maps)?.ok_or_else(unsupported)?;
        let mut operands: Vec<Operand> = Vec::new();
        for (value, map) in op.operands().zip(maps) {
            operands.push(match self.get(value)? {
                Data::Memref(memref) => Operand::Memref(memref, map),
                number => Operand::Number(number),
            });
        }
        let body = op.regions().next().ok_or_else(unsupported)?;
        let n_inputs = n_inputs(op, operands.len());
        let mut points = all_indices(&sizes);
        let any_order = !self.points_interfere(body, &operands, n_inputs, &points)?;
        if any_order && self.below(2) == 1 {
            points.reverse();
        }
        for point in points {
            self.point(body, &operands, n_inputs, &point)?;
        }
        Ok(true)
    }

    /// The sizes of the iteration space, taken from operands whose map results are plain
    /// dimensions. `None` if some dimension occurs in no such result.
    fn iteration_space(&self, op: Op, maps: &[AffineMap]) -> Result<Option<Vec<i64>>, Fault> {
        let n_dimensions = maps.first().map_or(0, |map| map.n_dimensions);
        let mut sizes = vec![None; n_dimensions];
        for (value, map) in op.operands().zip(maps) {
            let Data::Memref(memref) = self.get(value)? else {
                continue;
            };
            for (result, size) in map.results.iter().zip(&memref.sizes) {
                if let Affine::Dimension(dimension) = result {
                    sizes[*dimension] = Some(*size);
                }
            }
        }
        Ok(sizes.into_iter().collect())
    }

    /// Whether some point writes bytes that another point reads or writes. Memory that the body
    /// itself accesses counts as read by every point.
    fn points_interfere(
        &self,
        body: Region,
        operands: &[Operand],
        n_inputs: usize,
        points: &[Vec<i64>],
    ) -> Result<bool, Fault> {
        let mut writers: HashMap<(usize, i64), usize> = HashMap::new();
        for (number, point) in points.iter().enumerate() {
            for operand in &operands[n_inputs..] {
                for byte in bytes(operand.element(point)?) {
                    if *writers.entry(byte).or_insert(number) != number {
                        return Ok(true);
                    }
                }
            }
        }
        for (number, point) in points.iter().enumerate() {
            for operand in operands {
                let mut read = bytes(operand.element(point)?);
                if read.any(|byte| writers.get(&byte).is_some_and(|writer| *writer != number)) {
                    return Ok(true);
                }
            }
        }
        for memref in self.accessed_in(body) {
            for indices in memref.indices() {
                let mut read = bytes(Some((memref.at(&indices)?, memref.element)));
                if read.any(|byte| writers.contains_key(&byte)) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Memrefs that operations in the body use without being block arguments.
    fn accessed_in(&self, body: Region) -> Vec<Rc<Memref>> {
        let ops = body.blocks().flat_map(|block| block.ops());
        let values = ops.flat_map(|op| op.operands().collect::<Vec<_>>());
        let memrefs = values.filter_map(|value| match self.get(value) {
            Ok(Data::Memref(memref)) => Some(memref),
            _ => None,
        });
        memrefs.collect()
    }

    /// Executes one point: reads all operands, runs the body, writes the results.
    fn point(
        &mut self,
        body: Region,
        operands: &[Operand],
        n_inputs: usize,
        point: &[i64],
    ) -> Result<(), Fault> {
        let mut arguments = Vec::new();
        for operand in operands {
            arguments.push(match (operand, operand.element(point)?) {
                (Operand::Number(number), _) => number.clone(),
                (_, Some((at, element))) => Data::Symbol(self.memory.read(at, element)?),
                (_, None) => return Err(Fault::Garbage),
            });
        }
        let block = body.first_block().ok_or(Fault::Garbage)?;
        for op in block.ops().filter(|op| op.name() == "linalg.index") {
            let dimension = op.attribute("dim").and_then(|a| a.integer()).unwrap_or(0);
            let index = point.get(dimension as usize).copied();
            self.set(op.result(), Data::Integer(index.ok_or(Fault::Garbage)?));
        }
        let yielded = self.region(body, arguments)?;
        for (operand, value) in operands[n_inputs..].iter().zip(yielded) {
            if let Some((at, element)) = operand.element(point)? {
                let value = self.symbol_of(&value);
                self.memory.write(at, element, value)?;
            }
        }
        Ok(())
    }
}

/// Number of operands that are only read. Without operand segments, `linalg.reduce` has as many
/// results as inputs, and any other operation has one result.
fn n_inputs(op: Op, n_operands: usize) -> usize {
    let groups = op.attribute(SEGMENTS).and_then(|a| a.small_integers());
    match groups.and_then(|groups| groups.first().copied()) {
        Some(inputs) => usize::try_from(inputs).unwrap_or(0),
        None if op.name() == "linalg.reduce" => n_operands / 2,
        None => n_operands.saturating_sub(1),
    }
}

/// The bytes of an element, as (allocation, position).
fn bytes(element: Option<(Bytes, i64)>) -> impl Iterator<Item = (usize, i64)> {
    let all = element.map(|(at, size)| (0..size).map(move |i| (at.allocation, at.start + i)));
    all.into_iter().flatten()
}
