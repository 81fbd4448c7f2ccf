//! Tensors that are in several places: which of them is up to date, and what is under way.

use std::collections::{HashMap, HashSet};

use mem_check::{Levels, Residence, TransferKind, Violation, check_levels};
use mem_model::{Aliasing, BufferId, Bytes, StepId};

use super::Verifier;
use super::compare::computes_the_same;
use super::tensors::{RECOMPUTE, Tensors, arguments};
use crate::dialect::{ViewOp, is_transfer};
use crate::extract::{Callees, Extraction, Locations, Roots, extract};
use crate::mlir::{Diagnostic, Op, Value};

/// Whether there is anything about a function that needs this check.
pub(super) fn is_wanted(function: Op, ops: &[Op]) -> bool {
    let mut names: HashSet<String> = arguments(function).map(|(_, name)| name).collect();
    ops.iter().any(|op| {
        let name = ViewOp::of(*op).and_then(ViewOp::name);
        let is_second = name.is_some_and(|name| name.starts_with('@') || !names.insert(name));
        is_second || is_transfer(*op) || op.attribute(RECOMPUTE).is_some()
    })
}

/// A function with the places of all of its tensors.
pub(super) struct Contents {
    extraction: Extraction,
    levels: Levels,
    /// What makes the places of tensors that have several views.
    followed: HashSet<Op>,
}

impl Contents {
    /// The function, with all that is known of every access.
    pub fn extraction(&self) -> &Extraction {
        &self.extraction
    }

    /// Whether the check of contents judges what is read through a view.
    pub fn judges(&self, view: Op) -> bool {
        self.followed.contains(&view)
    }
}

impl Verifier<'_> {
    /// Where the tensors are.
    pub(super) fn contents(&mut self, callees: &Callees) -> Contents {
        let roots = Roots::Levels {
            unknown: self.unknown,
        };
        let extraction = extract(self.function, roots, Locations::Skip, callees);
        let mut tensors = Tensors::new(self.function);
        let mut levels = Levels {
            residences: self.residences(&extraction, &mut tensors),
            ..Levels::default()
        };
        self.add_steps(&extraction, &mut levels);
        self.add_births(&extraction, &mut levels);
        let of_several = levels.followed();
        let mut followed = HashSet::new();
        for (op, residences) in extraction.buffer_ops.iter().zip(&levels.residences) {
            // What takes turns in several slots is left to the check of addresses.
            if let (Some(op), [residence]) = (op, &residences[..])
                && of_several.contains(&residence.tensor)
            {
                followed.insert(*op);
            }
        }
        Contents {
            extraction,
            levels,
            followed,
        }
    }

    /// Follows the contents of all places of all tensors.
    pub(super) fn check_contents(&mut self, contents: &Contents) {
        let checked = check_levels(&contents.extraction.program, &contents.levels);
        for violation in checked.err().iter().flat_map(|error| &error.violations) {
            self.report_contents(&contents.extraction, violation);
        }
    }

    /// Where each buffer is. Those that are nowhere in an arena are memories of their own.
    fn residences(
        &mut self,
        extraction: &Extraction,
        tensors: &mut Tensors,
    ) -> Vec<Vec<Residence>> {
        let mut memories: HashMap<Value, u32> = HashMap::new();
        let mut values: HashMap<BufferId, Value> = HashMap::new();
        for (pointer, value) in extraction
            .program
            .pointers
            .iter()
            .zip(&extraction.pointer_values)
        {
            if let (mem_model::PointerKind::Buffer(buffer), Some(value)) = (pointer.kind, value) {
                values.insert(buffer, *value);
            }
        }
        let mut residences = Vec::new();
        for (index, buffer) in extraction.program.buffers.iter().enumerate() {
            let op = extraction.buffer_ops[index];
            let value = values.get(&BufferId::new(index)).copied();
            let Some(value) = value.or(op.map(Op::result)) else {
                // What nobody knows is not the same place twice.
                residences.push(Vec::new());
                continue;
            };
            let tensor = tensors.of_root(value);
            let slots = op.map_or(Vec::new(), |op| self.slots(op));
            let mut places: Vec<(Value, u64)> = slots
                .into_iter()
                .map(|slot| (slot.arena, slot.offset))
                .collect();
            if places.is_empty() && buffer.aliasing != Aliasing::Unknown {
                places.push((value, 0));
            }
            let mut residence = |(memory, address)| {
                let next = memories.len() as u32;
                Residence {
                    tensor,
                    start: Bytes::ZERO,
                    memory: *memories.entry(memory).or_insert(next),
                    address: Bytes::new(address),
                }
            };
            residences.push(places.into_iter().map(&mut residence).collect());
        }
        residences
    }

    /// Which steps copy, and which compute again.
    fn add_steps(&mut self, extraction: &Extraction, levels: &mut Levels) {
        for (index, op) in extraction.step_ops.iter().enumerate() {
            let step = StepId::new(index);
            match op.name() {
                "mem.load" | "mem.store" => {
                    levels.transfers.insert(step, TransferKind::Copy);
                }
                "mem.swap" | "mem.move" => {
                    levels.transfers.insert(step, TransferKind::Swap);
                }
                _ if op.attribute(RECOMPUTE).is_some() => {
                    let mut others = extraction.step_ops.iter().enumerate();
                    let original = others.find(|(_, other)| {
                        other.name() == op.name()
                            && other.attribute(RECOMPUTE).is_none()
                            && computes_the_same(self.function, **other, *op)
                    });
                    match original {
                        Some((original, _)) => {
                            levels.recomputed.insert(step, StepId::new(original));
                        }
                        None => {
                            let text = "is to compute again what another operation has, but none does the same";
                            self.error(*op, text.to_owned());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// A tensor begins where the first of its places is made.
    fn add_births(&self, extraction: &Extraction, levels: &mut Levels) {
        let mut first: HashMap<u32, BufferId> = HashMap::new();
        for (index, step) in extraction.program.steps.iter().enumerate() {
            for buffer in &step.allocates {
                for residence in &levels.residences[buffer.index()] {
                    if *first.entry(residence.tensor).or_insert(*buffer) == *buffer {
                        let births = levels.births.entry(StepId::new(index)).or_default();
                        births.push(residence.tensor);
                    }
                }
            }
        }
    }

    fn report_contents(&mut self, extraction: &Extraction, violation: &Violation) {
        let at = |step: &StepId| extraction.step_ops[step.index()].location();
        let name = |buffer: &BufferId| {
            let op = extraction.buffer_ops[buffer.index()];
            let stated = op.and_then(ViewOp::of).and_then(ViewOp::name);
            stated.unwrap_or_else(|| extraction.program.buffers[buffer.index()].name.clone())
        };
        self.n_errors += 1;
        let diagnostic = match violation {
            Violation::Stale {
                reader,
                buffer,
                since,
                bytes,
            } => {
                let text = format!(
                    "reads '{}', whose bytes [{}, {}) are not up to date here",
                    name(buffer),
                    bytes.start,
                    bytes.end
                );
                Diagnostic::error(at(reader), text).note(at(since), "since this operation")
            }
            Violation::InFlight {
                step,
                buffer,
                transfer,
            } => {
                let text = format!(
                    "touches '{}' before the transfer of its bytes is waited for",
                    name(buffer)
                );
                Diagnostic::error(at(step), text).note(at(transfer), "which starts here")
            }
            Violation::NeverAwaited { step } => {
                let text = "is under way when the function returns, or begins anew, on some path";
                Diagnostic::error(at(step), text)
            }
            Violation::NotWrittenBack { buffer, since } => {
                let text = format!(
                    "'{}' is not up to date when the function returns",
                    name(buffer)
                );
                let function = self.function.location();
                Diagnostic::error(function, text).note(at(since), "since this operation")
            }
            Violation::Recomputed { step, original } => {
                let text =
                    "computes again what cannot be computed again here: operands may have changed";
                Diagnostic::error(at(step), text).note(at(original), "since this operation")
            }
            other => Diagnostic::error(self.function.location(), other.to_string()),
        };
        diagnostic.emit();
    }
}
