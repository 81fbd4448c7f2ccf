//! Tensors in several places: which of the places are up to date, and which transfers are in
//! flight.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_check::{Levels, Residence, TransferKind, check_levels};
use mem_model::{Aliasing, BufferId, Bytes, StepId};

use super::Verifier;
use crate::extract::{Callees, Extraction, Locations, Roots, extract};
use crate::ir::compare::Repetitions;
use crate::ir::dialect::{ViewOp, is_transfer};
use crate::ir::spaces::{named_level, shown, space_of};
use crate::ir::tensors::{RECOMPUTE, Tensors, global_symbol, named_arguments, root_of};
use crate::ir::{Op, Value, memref_layout};

/// Whether a function contains anything that needs this check.
pub(super) fn is_wanted(function: Op, ops: &[Op]) -> bool {
    let mut names: HashSet<String> = named_arguments(function).map(|(_, name)| name).collect();
    ops.iter().any(|op| {
        let name = ViewOp::of(*op).and_then(ViewOp::name);
        let is_second =
            name.is_some_and(|name| global_symbol(&name).is_some() || !names.insert(name));
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
    pub(super) fn extraction(&self) -> &Extraction {
        &self.extraction
    }

    /// Where each tensor is, and what the steps do to its places.
    pub(super) fn levels(&self) -> &Levels {
        &self.levels
    }

    /// One of the places of a tensor.
    pub(super) fn place_of(&self, tensor: u32) -> Option<BufferId> {
        let mut residences = self.levels.residences.iter();
        let is_own = |own: &Vec<Residence>| own.iter().any(|place| place.tensor == tensor);
        residences.position(is_own).map(BufferId::new)
    }

    /// Whether the check of contents judges reads through a view.
    pub(super) fn judges(&self, view: Op) -> bool {
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
        let mut followed = HashSet::default();
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
        let mut memories: HashMap<Value, u32> = HashMap::default();
        let mut values: HashMap<BufferId, Value> = HashMap::default();
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
        // Made once, since a function may have thousands of arguments and of repetitions.
        let mut repetitions = None;
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
                    let repetitions =
                        repetitions.get_or_insert_with(|| Repetitions::new(self.function));
                    let mut others = extraction.step_ops.iter().enumerate();
                    let original = others.find(|(_, other)| {
                        other.name() == op.name()
                            && other.attribute(RECOMPUTE).is_none()
                            && repetitions.computes_the_same(**other, *op)
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
        self.check_levels(transfer);
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

    /// Checks a transfer between places of one tensor: the types of its ends must not say that it
    /// stays in a level or, for a `mem.move`, that it leaves one.
    fn check_levels(&mut self, transfer: Op) {
        let [from, to] = [0, 1].map(|end| space_of(transfer.operand(end).ty()).flatten());
        match (transfer.name(), from.and_then(named_level)) {
            ("mem.move", _) if from != to => {
                let text = format!(
                    "moves data within a level, but from {} to {}",
                    shown(from),
                    shown(to)
                );
                self.error(transfer, text);
            }
            ("mem.move", _) => {}
            // Several levels may share other memory spaces.
            (_, Some(level)) if from == to => {
                let text = format!("moves data between levels, but both places are in '{level}'");
                self.error(transfer, text);
            }
            _ => {}
        }
    }

    /// Records where tensors begin: where the first of their places is made.
    fn add_births(&self, extraction: &Extraction, levels: &mut Levels) {
        let mut first: HashMap<u32, BufferId> = HashMap::default();
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
}
