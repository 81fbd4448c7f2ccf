//! An oracle: executes a planned program along a random path, next to an ideal machine in which
//! every instance of every buffer has memory of its own, and compares every read.
//!
//! Memory holds, for each byte, the number of the write that it comes from; 0 is undefined.
//! Operands are compared before the step writes and after, because an operation may read its
//! operands again while it writes its results.

use std::collections::HashMap;

use mem_model::{
    Access, AccessKind, Binding, BufferId, Interval, Plan, PointerId, PointerKind, Program,
    Rotation, StepId, Storage,
};

use crate::Rng;

/// A read that saw the wrong bytes, or a rotation that found no slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The step.
    pub step: StepId,
    /// What it read through; `None` if no slot was free.
    pub pointer: Option<PointerId>,
    /// The buffer that was read, or of which a new instance was to be made.
    pub buffer: BufferId,
}

/// Executes at most `n_steps` steps. Buffers without a placement have memory of their own.
///
/// # Errors
/// The first read of defined bytes that differs from the ideal machine.
pub fn execute(
    program: &Program,
    rotations: &[Rotation],
    plan: &Plan,
    rng: &mut Rng,
    n_steps: usize,
) -> Result<(), Mismatch> {
    let mut machine = Machine::new(program, rotations, plan);
    let mut block = 0;
    let mut n_done = 0;
    loop {
        let steps = program.blocks[block].steps;
        for step in steps.start.index()..steps.end.index() {
            machine.step(StepId::new(step), rng)?;
        }
        n_done += steps.end.index() - steps.start.index() + 1;
        let successors = &program.blocks[block].successors;
        if successors.is_empty() || n_done > n_steps {
            return Ok(());
        }
        let edge = &successors[rng.below(successors.len())];
        machine.bind(&edge.bindings, rng);
        block = edge.target.index();
    }
}

/// What a name denotes: bytes from `base` on of an instance.
#[derive(Clone, Copy)]
struct View {
    instance: usize,
    base: usize,
    len: usize,
}

struct Instance {
    buffer: BufferId,
    slot: u32,
    /// By byte.
    ideal: Vec<u32>,
    /// Where it is in the arena; `None`: it has memory of its own, which is the ideal.
    offset: Option<usize>,
}

struct Machine<'a> {
    program: &'a Program,
    rotations: HashMap<(StepId, BufferId), &'a Rotation>,
    /// By buffer: offsets by slot.
    offsets: Vec<Vec<usize>>,
    instances: Vec<Instance>,
    /// By buffer: the newest instance.
    newest: Vec<usize>,
    /// By pointer: what a merge denotes.
    merges: Vec<Option<View>>,
    arena: Vec<u32>,
    n_writes: u32,
}

impl<'a> Machine<'a> {
    fn new(program: &'a Program, rotations: &'a [Rotation], plan: &Plan) -> Self {
        let mut offsets = vec![Vec::new(); program.buffers.len()];
        for placement in &plan.placements {
            offsets[placement.buffer.index()].push(placement.offset.get() as usize);
        }
        let mut machine = Self {
            program,
            rotations: rotations.iter().map(|r| ((r.step, r.buffer), r)).collect(),
            offsets,
            instances: Vec::new(),
            newest: vec![0; program.buffers.len()],
            merges: vec![None; program.pointers.len()],
            arena: vec![0; plan.peak.get() as usize],
            n_writes: 0,
        };
        for index in 0..program.buffers.len() {
            machine.new_instance(BufferId::new(index), 0);
        }
        for (index, buffer) in program.buffers.iter().enumerate() {
            if buffer.storage == Storage::External {
                machine.n_writes += 1;
                machine.instances[index].ideal.fill(machine.n_writes);
            }
        }
        machine
    }

    fn new_instance(&mut self, buffer: BufferId, slot: u32) {
        self.newest[buffer.index()] = self.instances.len();
        self.instances.push(Instance {
            buffer,
            slot,
            ideal: vec![0; self.program.buffers[buffer.index()].size.get() as usize],
            offset: self.offsets[buffer.index()].get(slot as usize).copied(),
        });
    }

    fn view(&self, name: PointerId) -> Option<View> {
        match self.program.pointers[name.index()].kind {
            PointerKind::Merge => self.merges[name.index()],
            PointerKind::Buffer(buffer) => {
                let instance = self.newest[buffer.index()];
                let len = self.instances[instance].ideal.len();
                Some(View {
                    instance,
                    base: 0,
                    len,
                })
            }
        }
    }

    fn step(&mut self, id: StepId, rng: &mut Rng) -> Result<(), Mismatch> {
        let step = &self.program.steps[id.index()];
        for &buffer in &step.allocates {
            let slot = self.choose_slot(id, buffer)?;
            self.new_instance(buffer, slot);
        }
        self.bind(&step.bindings, rng);
        let mut reads = Vec::new();
        for access in step.accesses.iter().filter(|a| a.kind == AccessKind::Use) {
            if let Some((view, range)) = self.choose_bytes(access, rng) {
                reads.push((access.pointer, view, range));
            }
        }
        self.compare(id, &reads)?;
        for access in step
            .accesses
            .iter()
            .filter(|a| a.kind == AccessKind::Define)
        {
            if let Some((view, range)) = self.choose_bytes(access, rng) {
                self.write(view, range);
            }
        }
        self.compare(id, &reads)
    }

    fn choose_slot(&self, step: StepId, buffer: BufferId) -> Result<u32, Mismatch> {
        let Some(rotation) = self.rotations.get(&(step, buffer)) else {
            return Ok(0);
        };
        let denoted = rotation.avoid.iter().filter_map(|&name| self.view(name));
        let instances = denoted.map(|view| &self.instances[view.instance]);
        let taken: Vec<u32> = instances
            .filter(|i| i.buffer == buffer)
            .map(|i| i.slot)
            .collect();
        let n_slots = self.offsets[buffer.index()].len() as u32;
        (0..n_slots)
            .find(|slot| !taken.contains(slot))
            .ok_or(Mismatch {
                step,
                pointer: None,
                buffer,
            })
    }

    fn bind(&mut self, bindings: &[Binding], rng: &mut Rng) {
        let mut bound = Vec::new();
        for binding in bindings {
            let source = rng.pick(&binding.sources);
            let view = source.and_then(|source| self.view(source));
            let size = self.program.pointers[binding.target.index()].size;
            // A merge that reaches less than its source is a view anywhere inside.
            let narrowed = view.map(|view| {
                let len = size.map_or(view.len, |size| view.len.min(size.get() as usize));
                let base = view.base + rng.between(0, view.len - len);
                View { base, len, ..view }
            });
            bound.push((binding.target, narrowed));
        }
        for (target, view) in bound {
            self.merges[target.index()] = view;
        }
    }

    /// Bytes that an execution of `access` touches: all that it must, and some that it may.
    fn choose_bytes(
        &self,
        access: &Access,
        rng: &mut Rng,
    ) -> Option<(View, std::ops::Range<usize>)> {
        let view = self.view(access.pointer)?;
        let clamp = |range: Interval<mem_model::Bytes>| {
            let (start, end) = (range.start.get() as usize, range.end.get() as usize);
            (start.min(view.len), end.min(view.len))
        };
        let (may_start, may_end) = access.may.map_or((0, view.len), clamp);
        let must = access.must.map(clamp).filter(|(start, end)| start < end);
        let (start, end) = match must {
            Some((start, end)) => (rng.between(may_start, start), rng.between(end, may_end)),
            None => {
                let start = rng.between(may_start, may_end);
                (start, rng.between(start, may_end))
            }
        };
        // Mostly all of it: partial accesses hide mistakes as often as they show them.
        match rng.chance(50) {
            true => Some((view, may_start..may_end)),
            false => Some((view, start..end)),
        }
    }

    fn write(&mut self, view: View, range: std::ops::Range<usize>) {
        self.n_writes += 1;
        let instance = &mut self.instances[view.instance];
        for byte in range {
            instance.ideal[view.base + byte] = self.n_writes;
            if let Some(offset) = instance.offset {
                self.arena[offset + view.base + byte] = self.n_writes;
            }
        }
    }

    fn compare(
        &self,
        step: StepId,
        reads: &[(PointerId, View, std::ops::Range<usize>)],
    ) -> Result<(), Mismatch> {
        for (pointer, view, range) in reads {
            let instance = &self.instances[view.instance];
            let Some(offset) = instance.offset else {
                continue;
            };
            for byte in range.clone().map(|byte| view.base + byte) {
                let ideal = instance.ideal[byte];
                if ideal != 0 && ideal != self.arena[offset + byte] {
                    return Err(Mismatch {
                        step,
                        pointer: Some(*pointer),
                        buffer: instance.buffer,
                    });
                }
            }
        }
        Ok(())
    }
}
