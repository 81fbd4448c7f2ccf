//! Tensors in several places: which of the places are up to date, and which transfers are in
//! flight.

use std::collections::{HashMap, HashSet};

use mem_check::{Levels, Residence, TransferKind, Violation, check_levels};
use mem_model::{Aliasing, BufferId, Bytes, StepId};

use super::Verifier;
use crate::extract::{Callees, Extraction, Locations, Roots, extract};
use crate::ir::compare::computes_the_same;
use crate::ir::dialect::{ViewOp, is_transfer};
use crate::ir::tensors::{RECOMPUTE, Tensors, named_arguments, root_of};
use crate::ir::{Diagnostic, Op, Value, memref_layout};

/// Whether a function contains anything that needs this check.
pub(super) fn is_wanted(function: Op, ops: &[Op]) -> bool {
    let mut names: HashSet<String> = named_arguments(function).map(|(_, name)| name).collect();
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
    /// The operations that make the places of tensors with several views.
    followed: HashSet<Op>,
}

impl Contents {
    /// The function, extracted with everything known about each access.
    pub fn extraction(&self) -> &Extraction {
        &self.extraction
    }

    /// One of the places of a tensor.
    fn place_of(&self, tensor: u32) -> Option<BufferId> {
        let mut residences = self.levels.residences.iter();
        let is_own = |own: &Vec<Residence>| own.iter().any(|place| place.tensor == tensor);
        residences.position(is_own).map(BufferId::new)
    }

    /// Whether the check of contents judges reads through a view.
    pub fn judges(&self, view: Op) -> bool {
        self.followed.contains(&view)
    }
}

impl Verifier<'_> {
    /// Finds the places of all tensors.
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
        self.add_steps(&extraction, &mut tensors, &mut levels);
        let ops = extraction.buffer_ops.iter().enumerate();
        let globals = ops.filter(|(_, op)| op.is_some_and(|op| op.name() == "memref.get_global"));
        levels.globals = globals.map(|(index, _)| BufferId::new(index)).collect();
        self.add_births(&extraction, &mut levels);
        let of_several = levels.followed();
        let mut followed = HashSet::new();
        for (op, residences) in extraction.buffer_ops.iter().zip(&levels.residences) {
            // Buffers with several slots are left to the check of addresses.
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

    /// Tracks the contents of all places of all tensors.
    pub(super) fn check_contents(&mut self, contents: &Contents) {
        let checked = check_levels(&contents.extraction.program, &contents.levels);
        for violation in checked.err().iter().flat_map(|error| &error.violations) {
            self.report_contents(contents, violation);
        }
    }

    /// The places of each buffer. Buffers that are not in an arena are memories of their own.
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
                // Unknown storage has no place that could be compared with another.
                residences.push(Vec::new());
                continue;
            };
            let tensor = tensors.of_root(value);
            let slots = op.map_or(Vec::new(), |op| self.slots(op));
            let mut places: Vec<(Value, u64)> = slots
                .into_iter()
                .map(|slot| (slot.arena, slot.offset))
                .collect();
            // Unknown code may write a global, but the home of a global is known.
            let is_known = buffer.aliasing != Aliasing::Unknown || op.is_some();
            if places.is_empty() && is_known {
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

    /// Records which steps are transfers, and which are recomputations.
    fn add_steps(&mut self, extraction: &Extraction, tensors: &mut Tensors, levels: &mut Levels) {
        for (index, op) in extraction.step_ops.iter().enumerate() {
            if is_transfer(*op) {
                self.check_layouts(*op, tensors);
            }
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
                            let text =
                                "is marked as a repetition, but no earlier operation does the same";
                            self.error(*op, text.to_owned());
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Checks that a transfer does not reorder elements: it copies bytes in order, so both places
    /// of the tensor need the same layout.
    fn check_layouts(&mut self, transfer: Op, tensors: &mut Tensors) {
        let [from, to] = [transfer.operand(0), transfer.operand(1)];
        if tensors.of(from) != tensors.of(to) {
            return;
        }
        let layouts = memref_layout(from.ty()).zip(memref_layout(to.ty()));
        if !layouts.is_some_and(|(from, to)| from.orders_as(&to)) {
            let name = tensors.name(root_of(to)).unwrap_or_default();
            let text = format!(
                "copies '{name}' to '{name}' in another layout: {} to {}",
                from.ty(),
                to.ty()
            );
            self.error(transfer, text);
        }
    }

    /// Records where tensors begin: where the first of their places is made.
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

    fn report_contents(&mut self, contents: &Contents, violation: &Violation) {
        let Contents {
            extraction, levels, ..
        } = contents;
        let at = |step: &StepId| extraction.step_ops[step.index()].location();
        let name = |buffer: &BufferId| {
            let op = extraction.buffer_ops[buffer.index()];
            let stated = op.and_then(ViewOp::of).and_then(ViewOp::name);
            stated.unwrap_or_else(|| extraction.program.buffers[buffer.index()].name.clone())
        };
        // Storage that stands for callees and unknown pointers has no name.
        let is_named = |buffer: &BufferId| {
            let aliasing = extraction.program.buffers[buffer.index()].aliasing;
            aliasing != Aliasing::Unknown || levels.globals.contains(buffer)
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
            Violation::StaleElsewhere {
                reader,
                through,
                buffer,
                since,
                bytes,
            } => {
                let reads = match is_named(through) {
                    true => format!("reads '{}', which may be", name(through)),
                    false => "may read".to_owned(),
                };
                let text = format!(
                    "{reads} '{}', whose bytes [{}, {}) are not up to date there",
                    name(buffer),
                    bytes.start,
                    bytes.end
                );
                Diagnostic::error(at(reader), text).note(at(since), "since this operation")
            }
            Violation::OperandOverwritten {
                step,
                operand,
                result,
            } => {
                let text = format!(
                    "may write '{}' over its own operand '{}' before it has read that",
                    name(result),
                    name(operand)
                );
                Diagnostic::error(at(step), text)
            }
            Violation::Torn {
                step,
                operand,
                result,
            } => {
                let text = format!(
                    "reads '{}' and writes '{}', which may be the same bytes in the original program and are apart here",
                    name(operand),
                    name(result)
                );
                Diagnostic::error(at(step), text)
            }
            Violation::TransferOverlap { step, from, to } => {
                let text = format!(
                    "copies '{}' to '{}', which have common bytes",
                    name(from),
                    name(to)
                );
                Diagnostic::error(at(step), text)
            }
            Violation::InFlight {
                step,
                buffer,
                locked,
                transfer,
            } => {
                let text = match name(buffer) == name(locked) {
                    true => format!(
                        "touches '{}' before the transfer of its bytes is waited for",
                        name(buffer)
                    ),
                    false => format!(
                        "touches '{}', which shares bytes with '{}', before the transfer of those is waited for",
                        name(buffer),
                        name(locked)
                    ),
                };
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
            Violation::Recomputed {
                step,
                original,
                lapse,
            } => {
                let operand = lapse.and_then(|lapse| contents.place_of(lapse.tensor));
                let through = lapse.and_then(|lapse| lapse.through);
                let through = through.filter(is_named);
                let mut text = match operand {
                    Some(operand) => format!("operand '{}' may have changed", name(&operand)),
                    None => "operands may have changed".to_owned(),
                };
                if let Some(through) = through {
                    text += &format!(" through '{}'", name(&through));
                }
                let text = format!("recomputes what cannot be recomputed here: {text}");
                let error =
                    Diagnostic::error(at(step), text).note(at(original), "since this operation");
                match lapse.filter(|lapse| lapse.by != *original) {
                    Some(lapse) => error.note(at(&lapse.by), "by this operation"),
                    None => error,
                }
            }
            other => Diagnostic::error(self.function.location(), other.to_string()),
        };
        diagnostic.emit();
    }
}
