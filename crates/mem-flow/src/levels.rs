//! Extracts the problem of placing the tensors of a program in several memory levels.
//!
//! A plan over levels is a plan for a sequence: the steps in layout order. Where control leaves
//! that order (a back edge, a branch past a block), a tensor must be in the same place at both ends
//! of the jump. A tensor that is live across a jump therefore cannot move in the blocks that the
//! jump passes, which [`Tensor::frozen`] states. Loops acquire such tensors before they start and
//! release them after they end.
//!
//! # What never moves
//!
//! Tensors that merges can denote have one place, and so do tensors that asynchronous operations
//! access. Arguments are used in place if they may share bytes with anything that is written, or if
//! their aliasing is unknown.
//!
//! # Complexity
//!
//! Linear in steps and accesses, plus O(jumps × tensors).

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mem_model::{
    Access, AccessKind, Aliasing, BufferId, Bytes, Hierarchy, Interval, LevelId, LevelProblem,
    LevelStep, LinkUse, Point, PointerId, PointerKind, Program, Role, StepId, Storage, Tensor,
    TensorId, TensorUse,
};

use crate::Lifetimes;
use crate::denoted::Denoted;
use crate::in_place::takes_over;

/// Information that the program does not contain.
#[derive(Clone, Debug)]
pub struct LevelContext {
    /// The memory hierarchy.
    pub hierarchy: Hierarchy,
    /// Level of each buffer that has storage already; a missing buffer is in the slowest level.
    pub homes: HashMap<BufferId, LevelId>,
    /// Buffers that must be used where they are.
    pub immovable: BTreeSet<BufferId>,
    /// Buffers that have one place for their whole lifetime.
    pub fixed: BTreeSet<BufferId>,
    /// Indexed by step: execution count, as a factor of its cost.
    pub repeats: Vec<u64>,
    /// Indexed by step: time of one execution in cycles, including `waits`.
    pub cycles: Vec<u64>,
    /// Indexed by step: cycles in which one execution waits for messages. Empty: none does.
    pub waits: Vec<u64>,
    /// Indexed by step: the part in messages. Empty: there are none.
    pub links: Vec<LinkUse>,
    /// Indexed by step and access: the most bytes that one execution of the step touches; `None`, or
    /// missing: all bytes that it may touch.
    pub touched: Vec<Vec<Option<Bytes>>>,
    /// Indexed by step, plus an entry for the end: the block that contains copies before the step.
    pub blocks: Vec<usize>,
    /// Levels in which a step accepts a buffer; a missing entry means all levels.
    pub accepted: HashMap<(StepId, BufferId), Vec<LevelId>>,
    /// Whether data that a loop only reads may be loaded again in each iteration; otherwise it is
    /// loaded once, before the loop.
    pub streams: bool,
}

/// Maps a tensor of the problem back to the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorOrigin {
    /// The buffer.
    pub buffer: BufferId,
    /// Distance in bytes between the slots that its instances rotate through; zero if there is one
    /// slot.
    pub stride: Bytes,
}

/// A problem, and the mapping from its tensors to buffers. Steps keep their numbers.
#[derive(Clone, Debug)]
pub struct LevelExtract {
    /// The problem.
    pub problem: LevelProblem,
    /// Indexed by tensor.
    pub origins: Vec<TensorOrigin>,
}

/// Builds the problem of placing the tensors of a program in several levels.
#[must_use]
pub fn level_problem(
    program: &Program,
    lifetimes: &Lifetimes,
    context: &LevelContext,
) -> LevelExtract {
    let mut builder = Builder::new(program, lifetimes, context);
    builder.add_tensors();
    builder.add_steps();
    LevelExtract {
        problem: LevelProblem {
            hierarchy: context.hierarchy.clone(),
            tensors: builder.tensors,
            steps: builder.steps,
            blocks: context.blocks.clone(),
        },
        origins: builder.origins,
    }
}

/// A control-flow edge that does not fall through to the next block, with the blocks that it
/// passes.
#[derive(Clone, Copy, Debug)]
struct Jump {
    first: usize,
    last: usize,
    /// `None`: leaves the function.
    target: Option<usize>,
    is_backward: bool,
}

/// Collects all jumps of a program.
fn jumps(program: &Program) -> Vec<Jump> {
    let mut jumps = Vec::new();
    let end = program.blocks.len() - 1;
    for (from, block) in program.blocks.iter().enumerate() {
        if block.successors.is_empty() && from < end {
            jumps.push(Jump {
                first: from + 1,
                last: end,
                target: None,
                is_backward: false,
            });
        }
        for edge in &block.successors {
            let to = edge.target.index();
            let is_backward = to <= from;
            let (first, last) = match is_backward {
                true => (to, from),
                false => (from + 1, to - 1),
            };
            if first <= last {
                jumps.push(Jump {
                    first,
                    last,
                    target: Some(to),
                    is_backward,
                });
            }
        }
    }
    jumps
}

struct Builder<'a> {
    program: &'a Program,
    lifetimes: &'a Lifetimes,
    context: &'a LevelContext,
    slowest: LevelId,
    jumps: Vec<Jump>,
    denoted: Denoted,
    /// Indexed by step: its effect on each buffer.
    uses: Vec<BTreeMap<BufferId, Amounts>>,
    /// Indexed by buffer: `[first, last + 1)` of the steps that access it.
    spans: Vec<Option<Interval<usize>>>,
    is_written: Vec<bool>,
    /// Indexed by buffer: whether it stays in one place for its whole lifetime.
    is_fixed: Vec<bool>,
    /// Indexed by block.
    is_in_loop: Vec<bool>,
    /// Boundaries before blocks at which no copy is possible: one jump ends there and another
    /// begins.
    is_tight: Vec<bool>,

    tensors: Vec<Tensor>,
    origins: Vec<TensorOrigin>,
    steps: Vec<LevelStep>,
    /// Indexed by buffer: the blocks passed by jumps across which it is live, as runs (first,
    /// last).
    passed: Vec<Vec<(usize, usize)>>,
    /// Indexed by buffer: its tensor.
    main: Vec<TensorId>,
    /// By block and buffer: tensors that exist only within the block.
    local: HashMap<(usize, BufferId), TensorId>,
}

/// Effect of a step on a buffer.
#[derive(Clone, Copy, Debug, Default)]
struct Amounts {
    reads: u64,
    writes: u64,
    writes_all: bool,
    is_reading: bool,
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, lifetimes: &'a Lifetimes, context: &'a LevelContext) -> Self {
        let jumps = jumps(program);
        let denoted = Denoted::new(program, usize::MAX);
        let n_blocks = program.blocks.len();
        let mut is_in_loop = vec![false; n_blocks];
        let (mut ends, mut begins) = (vec![false; n_blocks + 1], vec![false; n_blocks + 1]);
        for jump in &jumps {
            ends[jump.last + 1] = true;
            begins[jump.first] = true;
            if jump.is_backward {
                is_in_loop[jump.first..=jump.last].fill(true);
            }
        }
        let is_tight = ends.iter().zip(&begins).map(|(a, b)| *a && *b).collect();
        let mut builder = Self {
            program,
            lifetimes,
            context,
            slowest: LevelId::new(context.hierarchy.levels.len() - 1),
            jumps,
            denoted,
            uses: Vec::with_capacity(program.steps.len()),
            spans: vec![None; program.buffers.len()],
            is_written: vec![false; program.buffers.len()],
            is_fixed: vec![false; program.buffers.len()],
            is_in_loop,
            is_tight,
            tensors: Vec::new(),
            origins: Vec::new(),
            steps: Vec::new(),
            passed: Vec::new(),
            main: Vec::new(),
            local: HashMap::new(),
        };
        builder.collect_uses();
        builder.fix();
        builder
    }

    /// Collects the effects of steps on buffers. An access through a merge counts for each buffer
    /// that the merge may denote.
    fn collect_uses(&mut self) {
        for (index, step) in self.program.steps.iter().enumerate() {
            let mut uses: BTreeMap<BufferId, Amounts> = BTreeMap::new();
            for (position, access) in step.accesses.iter().enumerate() {
                let denoted = self.denoted.of(access.pointer);
                let touched = self.context.touched.get(index);
                let touched = touched.and_then(|own| *own.get(position)?);
                for buffer in denoted {
                    let size = self.program.buffers[buffer.index()].size;
                    let may = access.may;
                    let may = may.map_or(size, |may| Bytes::new(may.end.get() - may.start.get()));
                    // A slice at an unknown position may touch any byte, but not all of them.
                    let bytes = may.min(size).min(touched.unwrap_or(size));
                    let amounts = uses.entry(*buffer).or_default();
                    match access.kind {
                        AccessKind::Use => {
                            amounts.reads = (amounts.reads + bytes.get()).min(size.get());
                            amounts.is_reading = true;
                        }
                        AccessKind::Define => {
                            amounts.writes = (amounts.writes + bytes.get()).min(size.get());
                            // A write through a merge reaches only one of the buffers that the
                            // merge may denote.
                            amounts.writes_all |= denoted.len() == 1 && is_all(access, size);
                            self.is_written[buffer.index()] = true;
                        }
                    }
                    let span = &mut self.spans[buffer.index()];
                    span.get_or_insert(Interval::new(index, index)).end = index + 1;
                }
            }
            self.uses.push(uses);
        }
    }

    fn add_tensors(&mut self) {
        for (index, buffer) in self.program.buffers.iter().enumerate() {
            let id = BufferId::new(index);
            let n_slots = match self.is_ours(id) {
                true => self.lifetimes.slots[index],
                false => 0,
            };
            let stride = match n_slots {
                0 | 1 => Bytes::ZERO,
                _ => {
                    // Every slot must satisfy the alignment of every level.
                    let levels = self.context.hierarchy.levels.iter();
                    let alignment = levels.map(|level| level.alignment).max();
                    let alignment = alignment.map_or(buffer.alignment, |a| a.max(buffer.alignment));
                    let aligned = buffer.size.checked_align_up(alignment);
                    aligned.unwrap_or(buffer.size)
                }
            };
            let size = match n_slots {
                0 | 1 => buffer.size,
                _ => Bytes::new(stride.get().saturating_mul(u64::from(n_slots))),
            };
            let home = self.context.homes.get(&id).copied();
            let is_ours = n_slots > 0;
            self.main.push(TensorId::new(self.tensors.len()));
            self.passed.push(Vec::new());
            let frozen = match is_ours && (self.is_fixed[index] || n_slots > 1) {
                true => self.whole_life(id),
                false => self.frozen(id, is_ours),
            };
            self.tensors.push(Tensor {
                name: buffer.name.to_string(),
                size,
                alignment: buffer.alignment,
                home: (!is_ours).then_some(home.unwrap_or(self.slowest)),
                is_result: !is_ours && self.is_written[index] && !self.is_fixed[index],
                is_preloaded: self.context.hierarchy.is_preloaded
                    && !is_ours
                    && buffer.role == Role::Constant,
                frozen,
                within: None,
            });
            self.origins.push(TensorOrigin { buffer: id, stride });
        }
    }

    /// Whether the plan decides where a buffer is.
    fn is_ours(&self, id: BufferId) -> bool {
        let is_planned = self.program.buffers[id.index()].storage == Storage::Planned;
        is_planned && self.lifetimes.slots[id.index()] > 0 && !self.context.immovable.contains(&id)
    }

    /// Finds the buffers that have one place: those that merges can denote or asynchronous
    /// operations access, and existing storage whose bytes another name may write or read.
    fn fix(&mut self) {
        let mut fixed = self.context.immovable.clone();
        fixed.extend(self.context.fixed.iter().copied());
        for (index, pointer) in self.program.pointers.iter().enumerate() {
            if pointer.kind == PointerKind::Merge {
                fixed.extend(self.denoted.of(PointerId::new(index)));
            }
        }
        let accesses = self.program.steps.iter().flat_map(|step| &step.accesses);
        for access in accesses.filter(|access| access.token().is_some()) {
            fixed.extend(self.denoted.of(access.pointer));
        }
        for index in 0..self.program.buffers.len() {
            let id = BufferId::new(index);
            self.is_fixed[index] =
                fixed.contains(&id) || !self.is_ours(id) && !self.is_alone(index);
        }
    }

    /// Whether existing storage is known to be read and written through its own name only.
    fn is_alone(&self, index: usize) -> bool {
        let own = &self.program.buffers[index];
        let is_known = own.storage == Storage::External
            && own.aliasing != Aliasing::Unknown
            && own.size > Bytes::ZERO;
        let mut others = self.program.buffers.iter().enumerate();
        is_known
            && others.all(|(other, theirs)| {
                let is_written = self.is_written[index] || self.is_written[other];
                let may_meet = other != index && own.aliasing.may_overlap(theirs.aliasing);
                !(may_meet && is_written && self.spans[other].is_some())
            })
    }

    /// The frozen steps of a tensor that stays where its lifetime begins.
    fn whole_life(&self, id: BufferId) -> Vec<Interval<usize>> {
        let live = self.lifetimes.live(id).hull();
        let accessed = self.spans[id.index()];
        let steps = live.map(|live| {
            let last = Point::step(live.end).index() + usize::from(live.end.is_late());
            Interval::new(live.start.step().index(), last)
        });
        let start = [steps, accessed]
            .iter()
            .flatten()
            .map(|steps| steps.start)
            .min();
        let end = [steps, accessed]
            .iter()
            .flatten()
            .map(|steps| steps.end)
            .max();
        match (start, end) {
            (Some(start), Some(end)) if start + 1 < end => vec![Interval::new(start + 1, end)],
            _ => Vec::new(),
        }
    }

    /// Steps before which a tensor must not be copied.
    fn frozen(&mut self, id: BufferId, is_ours: bool) -> Vec<Interval<usize>> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        let live = self.lifetimes.live(id);
        for jump in &self.jumps {
            let is_crossed = match (is_ours, jump.target) {
                (true, Some(target)) => self.is_live_into(&live, target),
                (true, None) => false,
                (false, _) => self.spans[id.index()].is_some_and(|span| {
                    let passed = self.steps_of(jump.first, jump.last);
                    span.start < passed.end && passed.start < span.end
                }),
            };
            if is_crossed {
                runs.push((jump.first, jump.last));
            }
        }
        runs.sort_unstable();
        let mut frozen: Vec<Interval<usize>> = Vec::new();
        let runs = self.loosened(runs);
        self.passed[id.index()].clone_from(&runs);
        for (mut first, mut last) in runs {
            // Where one jump ends and another begins, no block separates them: pass both or
            // neither.
            while self.is_tight[first] {
                let ending = self.jumps.iter().filter(|jump| jump.last + 1 == first);
                first = ending.map(|jump| jump.first).min().unwrap_or(0);
            }
            while self.is_tight[last + 1] {
                let beginning = self.jumps.iter().filter(|jump| jump.first == last + 1);
                last = beginning.map(|jump| jump.last).max().unwrap_or(last + 1);
            }
            let steps = self.steps_of(first, last);
            if steps.start + 1 < steps.end {
                // Before the first of these steps, the tensor may still move.
                let inside = Interval::new(steps.start + 1, steps.end);
                match frozen
                    .last_mut()
                    .filter(|before| before.end >= inside.start)
                {
                    Some(before) => before.end = before.end.max(inside.end),
                    None => frozen.push(inside),
                }
            }
        }
        frozen
    }

    /// Merges adjacent and overlapping runs of blocks.
    fn loosened(&self, runs: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
        let mut merged: Vec<(usize, usize)> = Vec::new();
        for (first, last) in runs {
            match merged.last_mut().filter(|before| first <= before.1 + 1) {
                Some(before) => before.1 = before.1.max(last),
                None => merged.push((first, last)),
            }
        }
        merged
    }

    fn steps_of(&self, first: usize, last: usize) -> Interval<usize> {
        let blocks = &self.program.blocks;
        Interval::new(
            blocks[first].steps.start.index(),
            blocks[last].steps.end.index(),
        )
    }

    /// Whether the bytes are live when control enters a block.
    fn is_live_into(&self, live: &mem_model::IntervalSet<Point>, block: usize) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![block];
        while let Some(block) = open.pop() {
            let block = &self.program.blocks[block];
            // Empty blocks have no points; their successors decide.
            if block.steps.start < block.steps.end {
                if live.contains(Point::early(block.steps.start)) {
                    return true;
                }
                continue;
            }
            let next = block.successors.iter().map(|edge| edge.target.index());
            open.extend(next.filter(|next| seen.insert(*next)));
        }
        false
    }

    fn add_steps(&mut self) {
        for block in 0..self.program.blocks.len() {
            let steps = self.steps_of(block, block);
            for step in steps.start..steps.end {
                self.add_step(step, block);
            }
        }
        debug_assert_eq!(self.steps.len(), self.program.steps.len());
    }

    fn add_step(&mut self, index: usize, block: usize) {
        let step = &self.program.steps[index];
        let uses = std::mem::take(&mut self.uses[index]);
        let order: Vec<BufferId> = uses.keys().copied().collect();
        let mut of_step = Vec::with_capacity(uses.len());
        for (id, amounts) in uses {
            let tensor = self.tensor_at(id, block);
            let home = self.tensors[self.main[id.index()].index()].home;
            // A step need not preserve content that is dead before it.
            let point = Point::early(StepId::new(index));
            let is_lost = home.is_none()
                && !amounts.is_reading
                && !self.lifetimes.parts[id.index()]
                    .iter()
                    .any(|part| part.live.contains(point));
            let mut passed = self.passed[id.index()].iter();
            let is_passed = passed.any(|(first, last)| (*first..=*last).contains(&block));
            let accepted = match home {
                Some(home) if self.is_fixed[id.index()] => vec![home],
                _ => {
                    let key = (StepId::new(index), id);
                    self.context.accepted.get(&key).cloned().unwrap_or_default()
                }
            };
            let taken = step.in_place.iter().find_map(|(operand, result)| {
                let is_result = self.only(*result) == Some(id);
                let operand = self.only(*operand).filter(|_| is_result)?;
                let block = &self.program.blocks[block];
                let at = StepId::new(index);
                let may = takes_over(self.program, self.lifetimes, block, at, operand, id);
                order
                    .iter()
                    .position(|other| *other == operand)
                    .filter(|_| may)
            });
            of_step.push(TensorUse {
                tensor,
                reads: Bytes::new(amounts.reads),
                writes: Bytes::new(amounts.writes),
                // Control may bypass the step, and the old content must survive on that path.
                writes_all: !is_passed && (is_lost || amounts.writes_all && !amounts.is_reading),
                accepted,
                takes_over: taken,
            });
        }
        self.steps.push(LevelStep {
            name: step.name.to_string(),
            cycles: self.context.cycles[index],
            repeats: self.context.repeats[index],
            waits: self.context.waits.get(index).copied().unwrap_or(0),
            link: self.context.links.get(index).copied().unwrap_or_default(),
            uses: of_step,
        });
    }

    /// The buffer that a pointer denotes, unless it is a merge.
    fn only(&self, pointer: PointerId) -> Option<BufferId> {
        self.program.pointers[pointer.index()].kind.buffer()
    }

    /// The tensor that represents a buffer in a block. Where control jumps, data that is only read
    /// gets a tensor local to the block, which is loaded for the block and dropped after it.
    fn tensor_at(&mut self, id: BufferId, block: usize) -> TensorId {
        let main = self.main[id.index()];
        let steps = self.steps_of(block, block);
        let own = &self.tensors[main.index()];
        let is_constant =
            own.home.is_some() && !self.is_written[id.index()] && !self.is_fixed[id.index()];
        let mut jumps = self.jumps.iter();
        let is_passed = jumps.any(|jump| jump.first <= block && block <= jump.last);
        let is_wanted = self.context.streams || !self.is_in_loop[block];
        if !(is_constant && is_passed && is_wanted) {
            return main;
        }
        let next = TensorId::new(self.tensors.len());
        let local = *self.local.entry((block, id)).or_insert(next);
        if local == next {
            let mut tensor = own.clone();
            tensor.frozen = Vec::new();
            tensor.within = Some(steps);
            self.tensors.push(tensor);
            self.origins.push(self.origins[main.index()]);
        }
        local
    }
}

/// Whether an access is guaranteed to write a whole buffer.
fn is_all(access: &Access, size: Bytes) -> bool {
    access
        .certain()
        .is_some_and(|bytes| bytes.start == Bytes::ZERO && bytes.end >= size)
}
