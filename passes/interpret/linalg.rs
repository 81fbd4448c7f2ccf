//! Operations of linalg, element by element.

use std::rc::Rc;

use super::data::{Data, Memref, all_indices};
use super::{Fault, Machine};
use crate::mlir::{Attribute, Op, Region, SEGMENTS};

impl Machine {
    /// Returns whether `op` is one.
    pub(super) fn linalg(&mut self, op: Op) -> Result<bool, Fault> {
        match op.name() {
            "linalg.fill" => {
                let (value, target) = (self.get(op.operand(0))?, self.memref(op.operand(1))?);
                let value = self.symbol_of(&value);
                for indices in self.in_any_order(target.indices()) {
                    self.memory
                        .write(target.at(&indices)?, target.element, value)?;
                }
            }
            "linalg.copy" => {
                let (source, target) = (self.memref(op.operand(0))?, self.memref(op.operand(1))?);
                for indices in self.in_any_order(target.indices()) {
                    let value = self.memory.read(source.at(&indices)?, source.element)?;
                    self.memory
                        .write(target.at(&indices)?, target.element, value)?;
                }
            }
            "linalg.generic" => self.generic(op)?,
            // Set before the body runs.
            "linalg.index" => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// From the first to the last, or the other way round.
    fn in_any_order(&mut self, mut indices: Vec<Vec<i64>>) -> Vec<Vec<i64>> {
        if self.below(2) == 1 {
            indices.reverse();
        }
        indices
    }

    fn generic(&mut self, op: Op) -> Result<(), Fault> {
        let unsupported = || Fault::Unsupported("linalg.generic".to_owned());
        let maps = op.attribute("indexing_maps").and_then(|a| a.elements());
        let maps: Option<Vec<Vec<usize>>> = maps
            .unwrap_or_default()
            .into_iter()
            .map(Attribute::projection)
            .collect();
        let maps = maps.ok_or_else(unsupported)?;
        let iterators = op
            .attribute("iterator_types")
            .and_then(|a| a.elements())
            .unwrap_or_default();
        let is_parallel = iterators.iter().all(|i| i.to_string().contains("parallel"));
        let groups = op
            .attribute(SEGMENTS)
            .and_then(|a| a.small_integers())
            .unwrap_or_default();
        let n_inputs = groups.first().map_or(0, |n| *n as usize);
        let body = op.regions().next().ok_or_else(unsupported)?;
        let mut operands: Vec<Operand> = Vec::new();
        let mut sizes = vec![0; iterators.len()];
        for (value, map) in op.operands().zip(maps) {
            operands.push(match self.get(value)? {
                Data::Memref(memref) => {
                    for (dimension, size) in map.iter().zip(&memref.sizes) {
                        sizes[*dimension] = *size;
                    }
                    Operand::Memref(memref, map)
                }
                number => Operand::Number(number),
            });
        }
        let mut rounds = all_indices(&sizes);
        if is_parallel {
            rounds = self.in_any_order(rounds);
        }
        for round in rounds {
            self.element(body, &operands, n_inputs, &round)?;
        }
        Ok(())
    }

    /// One element: reads all operands, computes, writes.
    fn element(
        &mut self,
        body: Region,
        operands: &[Operand],
        n_inputs: usize,
        round: &[i64],
    ) -> Result<(), Fault> {
        let mut arguments = Vec::new();
        for operand in operands {
            arguments.push(match operand {
                Operand::Number(number) => number.clone(),
                Operand::Memref(memref, map) => {
                    let at = memref.at(&project(map, round))?;
                    Data::Symbol(self.memory.read(at, memref.element)?)
                }
            });
        }
        let block = body.first_block().ok_or(Fault::Garbage)?;
        for op in block.ops().filter(|op| op.name() == "linalg.index") {
            let dimension = op.attribute("dim").and_then(|a| a.integer()).unwrap_or(0);
            let index = round
                .get(dimension as usize)
                .copied()
                .ok_or(Fault::Garbage)?;
            self.set(op.result(), Data::Integer(index));
        }
        let yielded = self.region(body, arguments)?;
        for (operand, value) in operands[n_inputs..].iter().zip(yielded) {
            if let Operand::Memref(memref, map) = operand {
                let value = self.symbol_of(&value);
                self.memory
                    .write(memref.at(&project(map, round))?, memref.element, value)?;
            }
        }
        Ok(())
    }
}

enum Operand {
    Memref(Rc<Memref>, Vec<usize>),
    Number(Data),
}

fn project(map: &[usize], round: &[i64]) -> Vec<i64> {
    map.iter().map(|dimension| round[*dimension]).collect()
}
