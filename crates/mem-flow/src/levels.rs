//! From a program to the problem of placing its tensors in several levels.
//!
//! A plan over levels is a plan for a sequence: the steps in layout order. Where control does not follow that order (back to
//! the start of a loop, past the other branch), a tensor must be in the same place on both ends of the jump. So a tensor
//! that lives across a jump stays where it is in all blocks that the jump passes, which is what
//! [`Tensor::frozen`] says: loops get such tensors in front, and give them back behind.
//!
//! # What never moves
//!
//! Tensors that merges can denote have one place; so have those that asynchronous operations access. Arguments that may share bytes with
//! anything that is written, or of which nobody knows what they are, are used where they are.
//!
//! # Complexity
//!
//! Linear in steps and accesses; and jumps times tensors.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use mem_model::{
    Access, AccessKind, Aliasing, BufferId, Bytes, Hierarchy, Interval, LevelId, LevelProblem,
    LevelStep, Point, PointerId, PointerKind, Program, Role, StepId, Storage, Tensor, TensorUse,
};

use crate::Lifetimes;
use crate::in_place::takes_over;

/// What a program does not say.
#[derive(Clone, Debug)]
pub struct LevelContext {
    /// The memories.
    pub hierarchy: Hierarchy,
    /// By buffer with storage of its own: the level that is in; others are in the slowest.
    pub homes: HashMap<BufferId, LevelId>,
    /// Buffers that have to be used where they are.
    pub immovable: BTreeSet<BufferId>,
    /// Buffers that have one place for all their life.
    pub fixed: BTreeSet<BufferId>,
    /// By step: how often it runs, for what it costs.
    pub repeats: Vec<u64>,
    /// By step: cycles that it computes.
    pub cycles: Vec<u64>,
    /// By step, and behind the last: the number of the block that copies in front of it are in.
    pub blocks: Vec<usize>,
    /// The levels in which steps accept buffers; others accept all.
    pub accepted: HashMap<(StepId, BufferId), Vec<LevelId>>,
    /// Whether what loops only read may be loaded anew in each iteration; otherwise once in front of them.
    pub streams: bool,
}

/// What a tensor of the problem is in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TensorOrigin {
    /// The buffer.
    pub buffer: BufferId,
    /// Distance of the places that its instances take turns at, in bytes; zero if there is one.
    pub stride: Bytes,
}

/// A problem, and the way back from its tensors. Steps have the numbers that they have in the program.
#[derive(Clone, Debug)]
pub struct LevelExtract {
    /// The problem.
    pub problem: LevelProblem,
    /// By tensor.
    pub origins: Vec<TensorOrigin>,
}

/// The problem of placing the tensors of a program in several levels.
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

/// Control that does not go on to the next block: the blocks that it passes, and where it goes.
#[derive(Clone, Copy, Debug)]
struct Jump {
    first: usize,
    last: usize,
    /// `None`: out of the function.
    target: Option<usize>,
    is_backward: bool,
}

/// All jumps of a program.
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
    /// By pointer: what it may denote.
    denoted: Vec<BTreeSet<BufferId>>,
    /// By step: what it does with each buffer.
    uses: Vec<BTreeMap<BufferId, Amounts>>,
    /// By buffer: from the first to behind the last step that accesses it.
    spans: Vec<Option<Interval<usize>>>,
    is_written: Vec<bool>,
    /// By buffer: whether its bytes can be elsewhere than where they are, or than they are first.
    is_fixed: Vec<bool>,
    /// By block.
    is_in_loop: Vec<bool>,
    /// Boundaries in front of blocks at which nothing can be copied: one jump ends there, and another begins.
    is_tight: Vec<bool>,

    tensors: Vec<Tensor>,
    origins: Vec<TensorOrigin>,
    steps: Vec<LevelStep>,
    /// By buffer: the blocks that jumps pass across which it lives.
    passed: Vec<Vec<(usize, usize)>>,
    /// By buffer: its tensor.
    main: Vec<usize>,
    /// By block and buffer: tensors that only the block knows.
    local: HashMap<(usize, BufferId), usize>,
}

/// What a step does with a buffer.
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
        let denoted = denoted(program);
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

    /// What each step does with each buffer. What may be one of several is taken for all of them.
    fn collect_uses(&mut self) {
        for (index, step) in self.program.steps.iter().enumerate() {
            let mut uses: BTreeMap<BufferId, Amounts> = BTreeMap::new();
            for access in &step.accesses {
                let denoted = &self.denoted[access.pointer.index()];
                for buffer in denoted {
                    let size = self.program.buffers[buffer.index()].size;
                    let bytes = match access.may {
                        Some(may) => Bytes::new(may.end.get() - may.start.get()).min(size),
                        None => size,
                    };
                    let amounts = uses.entry(*buffer).or_default();
                    match access.kind {
                        AccessKind::Use => {
                            amounts.reads = (amounts.reads + bytes.get()).min(size.get());
                            amounts.is_reading = true;
                        }
                        AccessKind::Define => {
                            amounts.writes = (amounts.writes + bytes.get()).min(size.get());
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
                    // Every place is one that its level accepts.
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
            self.main.push(self.tensors.len());
            self.passed.push(Vec::new());
            let frozen = match is_ours && (self.is_fixed[index] || n_slots > 1) {
                true => self.whole_life(id),
                false => self.frozen(id, is_ours),
            };
            self.tensors.push(Tensor {
                name: buffer.name.clone(),
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

    /// Whether the plan says where a buffer is.
    fn is_ours(&self, id: BufferId) -> bool {
        let is_planned = self.program.buffers[id.index()].storage == Storage::Planned;
        is_planned && self.lifetimes.slots[id.index()] > 0 && !self.context.immovable.contains(&id)
    }

    /// Finds out what has one place: what merges can denote, what is accessed behind its steps, and storage that exists
    /// already if others may write it, or read what is written to it.
    fn fix(&mut self) {
        let mut fixed = self.context.immovable.clone();
        fixed.extend(self.context.fixed.iter().copied());
        for (pointer, denoted) in self.program.pointers.iter().zip(&self.denoted) {
            if pointer.kind == PointerKind::Merge {
                fixed.extend(denoted.iter().copied());
            }
        }
        let accesses = self.program.steps.iter().flat_map(|step| &step.accesses);
        for access in accesses.filter(|access| access.token().is_some()) {
            fixed.extend(self.denoted[access.pointer.index()].iter().copied());
        }
        for index in 0..self.program.buffers.len() {
            let id = BufferId::new(index);
            self.is_fixed[index] =
                fixed.contains(&id) || !self.is_ours(id) && !self.is_alone(index);
        }
    }

    /// Whether storage that exists already is known to be read and written by its own name only.
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

    /// A tensor that stays where its life begins.
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

    /// In front of which steps a tensor must not be copied.
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
            // Where one jump ends and another begins, no block is between them: both are passed, or neither.
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

    /// Runs of blocks, those that touch as one.
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

    /// Whether bytes matter when control enters a block.
    fn is_live_into(&self, live: &mem_model::IntervalSet<Point>, block: usize) -> bool {
        let mut seen = BTreeSet::new();
        let mut open = vec![block];
        while let Some(block) = open.pop() {
            let block = &self.program.blocks[block];
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
            let home = self.tensors[self.main[id.index()]].home;
            // What nobody reads any more need not be kept.
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
                // What control may pass by keeps what was there.
                writes_all: !is_passed && (is_lost || amounts.writes_all && !amounts.is_reading),
                accepted,
                takes_over: taken,
            });
        }
        self.steps.push(LevelStep {
            name: step.name.clone(),
            cycles: self.context.cycles[index],
            repeats: self.context.repeats[index],
            uses: of_step,
        });
    }

    /// The buffer that a pointer denotes, if it is one.
    fn only(&self, pointer: PointerId) -> Option<BufferId> {
        match self.program.pointers[pointer.index()].kind {
            PointerKind::Buffer(buffer) => Some(buffer),
            PointerKind::Merge => None,
        }
    }

    /// The tensor that a block knows a buffer as: what is only read, where control jumps, comes and goes with the block.
    fn tensor_at(&mut self, id: BufferId, block: usize) -> usize {
        let main = self.main[id.index()];
        let steps = self.steps_of(block, block);
        let own = &self.tensors[main];
        let is_constant =
            own.home.is_some() && !self.is_written[id.index()] && !self.is_fixed[id.index()];
        let mut jumps = self.jumps.iter();
        let is_passed = jumps.any(|jump| jump.first <= block && block <= jump.last);
        let is_wanted = self.context.streams || !self.is_in_loop[block];
        if !(is_constant && is_passed && is_wanted) {
            return main;
        }
        let next = self.tensors.len();
        let local = *self.local.entry((block, id)).or_insert(next);
        if local == next {
            let mut tensor = own.clone();
            tensor.frozen = Vec::new();
            tensor.within = Some(steps);
            self.tensors.push(tensor);
            self.origins.push(self.origins[main]);
        }
        local
    }
}

/// Whether an access is sure to write all of a buffer.
fn is_all(access: &Access, size: Bytes) -> bool {
    access
        .certain()
        .is_some_and(|bytes| bytes.start == Bytes::ZERO && bytes.end >= size)
}

/// By pointer: the buffers that it may denote, at any time.
fn denoted(program: &Program) -> Vec<BTreeSet<BufferId>> {
    let mut denoted: Vec<BTreeSet<BufferId>> = program
        .pointers
        .iter()
        .map(|pointer| match pointer.kind {
            PointerKind::Buffer(buffer) => BTreeSet::from([buffer]),
            PointerKind::Merge => BTreeSet::new(),
        })
        .collect();
    let of_edges = program.blocks.iter().flat_map(|block| &block.successors);
    let bindings = of_edges.flat_map(|edge| &edge.bindings);
    let bindings: Vec<_> = bindings
        .chain(program.steps.iter().flat_map(|step| &step.bindings))
        .collect();
    loop {
        let mut changed = false;
        for binding in &bindings {
            for source in &binding.sources {
                let more = denoted[source.index()].clone();
                let own = &mut denoted[binding.target.index()];
                let before = own.len();
                own.extend(more);
                changed |= own.len() > before;
            }
        }
        if !changed {
            return denoted;
        }
    }
}
