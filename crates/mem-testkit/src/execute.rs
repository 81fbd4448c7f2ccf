//! An oracle: executes a planned program along a random path and compares every read with an ideal
//! machine in which every instance of every buffer has memory of its own.
//!
//! Memory holds, for each byte, the number of the write that it comes from; 0 is undefined.
//! Operands are compared both before and after the step writes, because an operation may read its
//! operands again while it writes its results. The exception is an in-place operand whose result
//! has the same address.
//!
//! In a block with steps on several cores, names are resolved in program order, and accesses happen
//! in any order that the cores and the dependences between steps permit.

use std::collections::HashMap;

use mem_model::{
    Access, AccessKind, Binding, BufferId, Interval, Plan, PointerId, PointerKind, Program,
    Rotation, StepId, Storage,
};

use crate::Rng;

/// A read that saw the wrong bytes, or a rotation that found no free slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The step.
    pub step: StepId,
    /// The pointer that was read through; `None` if no slot was free.
    pub pointer: Option<PointerId>,
    /// The buffer that was read, or allocated.
    pub buffer: BufferId,
}

/// Executes about `n_steps` steps. Buffers without a placement have memory of their own.
///
/// # Errors
/// The first read of defined bytes that differs from the ideal machine, or the first rotation
/// without a free slot.
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
        let mut issued = Vec::new();
        for step in steps.start.index()..steps.end.index() {
            issued.push(machine.issue(StepId::new(step), rng)?);
        }
        for step in any_order(program, &issued, rng) {
            machine.perform(&issued[step])?;
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

/// The value of a name: bytes `[base, base + len)` of an instance.
#[derive(Clone, Copy)]
struct View {
    instance: usize,
    base: usize,
    len: usize,
}

/// A name, its value when the step was issued, and a byte range relative to that.
type Touched = (PointerId, View, std::ops::Range<usize>);

/// A step whose names have been resolved.
struct Issued {
    id: StepId,
    reads: Vec<Touched>,
    writes: Vec<Touched>,
}

/// Whether two steps touch a common byte of an instance, and at least one of them writes it.
fn race(a: &Issued, b: &Issued) -> bool {
    let bytes = |(_, view, range): &Touched| view.base + range.start..view.base + range.end;
    let common = |x: &Touched, y: &Touched| {
        let (own, theirs) = (bytes(x), bytes(y));
        x.1.instance == y.1.instance && own.start.max(theirs.start) < own.end.min(theirs.end)
    };
    let any = |x: &[Touched], y: &[Touched]| x.iter().any(|x| y.iter().any(|y| common(x, y)));
    any(&a.writes, &b.writes) || any(&a.writes, &b.reads) || any(&a.reads, &b.writes)
}

/// A random order of a block's steps that respects cores and dependences: a step waits for earlier
/// steps of its core, and for earlier steps that conflict with it in every execution. Steps that
/// conflict only in this execution stay in order, too, because the model defines no result for
/// races. O(s³).
fn any_order(program: &Program, steps: &[Issued], rng: &mut Rng) -> Vec<usize> {
    let step = |index: usize| &program.steps[steps[index].id.index()];
    let waits = |later: usize, earlier: usize| {
        let same_name = |a: &Access, b: &Access| {
            let kind = |access: &Access| program.pointers[access.pointer.index()].kind;
            a.pointer == b.pointer || kind(a) == kind(b) && kind(a) != PointerKind::Merge
        };
        let depends = |a: &Access, b: &Access| {
            let writes = a.kind == AccessKind::Define || b.kind == AccessKind::Define;
            let (own, theirs) = (a.certain(), b.certain());
            let common = own
                .zip(theirs)
                .is_some_and(|(own, theirs)| own.overlaps(theirs));
            writes && common && same_name(a, b)
        };
        let accesses = |index: usize| step(index).accesses.iter();
        let mut pairs = accesses(later).flat_map(|a| accesses(earlier).map(move |b| (a, b)));
        step(later).core == step(earlier).core
            || pairs.any(|(a, b)| depends(a, b))
            || race(&steps[earlier], &steps[later])
    };
    let mut left: Vec<usize> = (0..steps.len()).collect();
    let is_serial = left.iter().all(|index| step(*index).core.is_none());
    if is_serial {
        return left;
    }
    let mut order = Vec::new();
    while !left.is_empty() {
        let is_ready = |index: &usize| {
            !left
                .iter()
                .any(|other| other < index && waits(*index, *other))
        };
        let ready: Vec<usize> = left.iter().copied().filter(is_ready).collect();
        let next = ready[rng.below(ready.len())];
        left.retain(|index| *index != next);
        order.push(next);
    }
    order
}

struct Instance {
    buffer: BufferId,
    slot: u32,
    /// Indexed by byte.
    ideal: Vec<u32>,
    /// Offset in the arena in bytes; `None`: it has memory of its own, which is `ideal`.
    offset: Option<usize>,
}

struct Machine<'a> {
    program: &'a Program,
    rotations: HashMap<(StepId, BufferId), &'a Rotation>,
    /// Indexed by buffer: the offsets of its slots.
    offsets: Vec<Vec<usize>>,
    instances: Vec<Instance>,
    /// Indexed by buffer: the newest instance.
    newest: Vec<usize>,
    /// Indexed by pointer: the value of a merge.
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

    /// Applies a step's effects on names and instances, and chooses the bytes that it will touch.
    fn issue(&mut self, id: StepId, rng: &mut Rng) -> Result<Issued, Mismatch> {
        let step = &self.program.steps[id.index()];
        for &buffer in &step.allocates {
            let slot = self.choose_slot(id, buffer)?;
            self.new_instance(buffer, slot);
        }
        self.bind(&step.bindings, rng);
        let (mut reads, mut writes) = (Vec::new(), Vec::new());
        for access in &step.accesses {
            if let Some((view, range)) = self.choose_bytes(access, rng) {
                let touched = (access.pointer, view, range);
                match access.kind {
                    AccessKind::Use => reads.push(touched),
                    AccessKind::Define => writes.push(touched),
                }
            }
        }
        Ok(Issued { id, reads, writes })
    }

    /// Performs the reads and writes of a step.
    fn perform(&mut self, step: &Issued) -> Result<(), Mismatch> {
        self.compare(step.id, &step.reads)?;
        for (_, view, range) in &step.writes {
            self.write(*view, range.clone());
        }
        let program = self.program;
        let pairs = &program.steps[step.id.index()].in_place;
        let is_done_with = |read: &&Touched| {
            let written = |result| step.writes.iter().filter(move |write| write.0 == result);
            let mut results = pairs
                .iter()
                .filter(|pair| pair.0 == read.0)
                .flat_map(|pair| written(pair.1));
            results.any(|write| {
                self.address(write.1)
                    .is_some_and(|a| self.address(read.1) == Some(a))
            })
        };
        let still_read = step.reads.iter().filter(|read| !is_done_with(read));
        self.compare(step.id, &still_read.cloned().collect::<Vec<_>>())
    }

    /// The arena offset of a view's first byte, if the view is in the arena.
    fn address(&self, view: View) -> Option<usize> {
        Some(self.instances[view.instance].offset? + view.base)
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
            // A merge that reaches less than its source is a view at any offset inside it.
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

    /// The bytes that an execution of `access` touches: all that it must touch, and some of those
    /// that it may touch.
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
        // Touches all of them in half of the cases: partial accesses hide errors as often as they
        // expose them.
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
