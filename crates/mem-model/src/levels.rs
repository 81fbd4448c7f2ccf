//! Tensors over several memories: what is to be planned, and what a plan says. A program is a sequence of steps here; where
//! each tensor is while each step runs, and what is copied between them, is the plan.

use crate::{Bytes, Hierarchy, Interval, LevelId};

/// One block of data that is placed as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Unique within the problem.
    pub name: String,
    /// Bytes.
    pub size: Bytes,
    /// Power of two that divides its addresses.
    pub alignment: Bytes,
    /// Where it is before the first step, in memory of its own: arguments and constants. `None`: nowhere.
    pub home: Option<LevelId>,
    /// Whether its home has to be up to date behind the last step.
    pub is_result: bool,
    /// It is where it is used first when the program starts: if nobody has used it yet, its first copy from its home takes no
    /// time.
    pub is_preloaded: bool,
    /// In front of which steps it cannot be copied, as half-open intervals in ascending order: inside of loops
    /// around which it is carried.
    pub frozen: Vec<Interval<usize>>,
    /// Steps of a block that knows it as this, and nobody else: what is copied in front of the first of them is copied as
    /// often as that runs. Others are copied in front of whatever is around the block.
    pub within: Option<Interval<usize>>,
}

impl Tensor {
    /// Whether it may be copied in front of a step.
    #[must_use]
    pub fn can_move_before(&self, step: usize) -> bool {
        self.can_move_within(step, step)
    }

    /// Whether it may be copied in front of any step from `first` to `last`, both included.
    #[must_use]
    pub fn can_move_within(&self, first: usize, last: usize) -> bool {
        let next = self
            .frozen
            .partition_point(|interval| interval.end <= first);
        !self
            .frozen
            .get(next)
            .is_some_and(|interval| interval.contains(first) && interval.contains(last))
    }

    /// The steps for which it has to stay where it is if it is used by one of them, that `step` is among.
    #[must_use]
    pub fn carried_around(&self, step: usize) -> Option<Interval<usize>> {
        let next = self.frozen.partition_point(|interval| interval.end <= step);
        let frozen = self.frozen.get(next)?;
        let steps = Interval::new(frozen.start.saturating_sub(1), frozen.end);
        steps.contains(step).then_some(steps)
    }
}

/// What a step does with one tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorUse {
    /// Its index.
    pub tensor: usize,
    /// Bytes that are read; 0: none.
    pub reads: Bytes,
    /// Bytes that are written; 0: none.
    pub writes: Bytes,
    /// Nothing of what it held before is left.
    pub writes_all: bool,
    /// The levels in which the step accepts it; empty: all.
    pub accepted: Vec<LevelId>,
    /// Index of a use of the same step whose tensor dies there, and whose bytes this one may take over.
    pub takes_over: Option<usize>,
}

impl TensorUse {
    /// Whether the step needs something of what the tensor held before; otherwise it may hold anything.
    #[must_use]
    pub fn needs_content(&self) -> bool {
        self.reads > Bytes::ZERO || !self.writes_all
    }

    /// Whether the step accepts the tensor in a level.
    #[must_use]
    pub fn accepts(&self, level: LevelId) -> bool {
        self.accepted.is_empty() || self.accepted.contains(&level)
    }
}

/// One step of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelStep {
    /// For people.
    pub name: String,
    /// Cycles that it computes.
    pub cycles: u64,
    /// How often it runs, for what it costs.
    pub repeats: u64,
    /// Each tensor once.
    pub uses: Vec<TensorUse>,
}

/// Which tensors are where when?
#[derive(Clone, Debug, PartialEq)]
pub struct LevelProblem {
    /// The memories.
    pub hierarchy: Hierarchy,
    /// What is placed.
    pub tensors: Vec<Tensor>,
    /// In the order in which they run.
    pub steps: Vec<LevelStep>,
    /// By step, and for what is behind the last: the number of the block in which copies in front of it are. What begins in a
    /// block ends there. Empty: all are in one.
    pub blocks: Vec<usize>,
}

impl LevelProblem {
    /// Whether what begins in front of one step can be over in front of another.
    #[must_use]
    pub fn shares_block(&self, tensor: usize, first: usize, last: usize) -> bool {
        let is_one = match self.tensors[tensor].within {
            // Those of a block of its own are in that.
            Some(within) => within.contains(first) && within.contains(last),
            None => self.blocks.get(first) == self.blocks.get(last),
        };
        first == last || is_one
    }

    /// What tensors that exist before leave of each level, in bytes; `None`: it is unbounded.
    ///
    /// # Errors
    /// A level that they do not leave anything of, and how many bytes they are too many.
    pub fn capacities(&self) -> Result<Vec<Option<Bytes>>, (LevelId, Bytes)> {
        let mut taken = vec![0_u64; self.hierarchy.levels.len()];
        for tensor in self.tensors.iter().filter(|tensor| tensor.within.is_none()) {
            if let Some(home) = tensor.home {
                let taken = &mut taken[home.index()];
                *taken = taken.saturating_add(tensor.size.get());
            }
        }
        let levels = self.hierarchy.levels.iter().zip(taken).enumerate();
        let left = levels.map(|(index, (level, taken))| match level.capacity {
            Some(capacity) => match capacity.get().checked_sub(taken) {
                Some(left) => Ok(Some(Bytes::new(left))),
                None => Err((LevelId::new(index), Bytes::new(taken - capacity.get()))),
            },
            None => Ok(None),
        });
        left.collect()
    }

    /// By tensor: from its first use to behind its last; `None` if it has none. A tensor that exists before lives
    /// from its first use on.
    #[must_use]
    pub fn lifetimes(&self) -> Vec<Option<Interval<usize>>> {
        let mut lifetimes: Vec<Option<Interval<usize>>> = vec![None; self.tensors.len()];
        for (step, used) in self.steps.iter().enumerate() {
            for used in &used.uses {
                let known = lifetimes[used.tensor].get_or_insert(Interval::new(step, step + 1));
                known.end = step + 1;
            }
        }
        lifetimes
    }
}

/// A tensor, or a copy of it, at an address for some steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelPlacement {
    /// What is there.
    pub tensor: usize,
    /// In which memory.
    pub level: LevelId,
    /// Where in the arena; `None`: it is the tensor's home.
    pub offset: Option<Bytes>,
    /// The steps during which it has the bytes.
    pub steps: Interval<usize>,
}

/// A copy of a whole tensor from one of its placements to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// The step in front of which it happens; behind the last step if it is their number.
    pub before: usize,
    /// Index of the placement it comes from.
    pub from: usize,
    /// Index of the placement it goes to.
    pub to: usize,
    /// The source is good afterwards: a load or a store, and no swap.
    pub keeps_source: bool,
    /// The step in front of which it has to be over, and before what else happens there; if it is `before`, nothing
    /// goes on meanwhile. Its source must not change until then, nor anybody use its target.
    pub until: usize,
}

/// An answer to a [`LevelProblem`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelPlan {
    /// Everywhere any tensor is.
    pub placements: Vec<LevelPlacement>,
    /// By step and use: the placement that is accessed.
    pub accessed: Vec<Vec<usize>>,
    /// In the order in which they happen.
    pub transfers: Vec<Transfer>,
    /// Cycles of all accesses and transfers, one after the other.
    pub cost: u64,
}

impl LevelPlan {
    /// What exists before, at home, and nothing else. Tensors with a home have the first placements, in their order.
    #[must_use]
    pub fn at_home(problem: &LevelProblem) -> Self {
        let tensors = problem.tensors.iter().enumerate();
        let placements = tensors.filter_map(|(tensor, own)| {
            Some(LevelPlacement {
                tensor,
                level: own.home?,
                offset: None,
                steps: Interval::new(0, problem.steps.len() + 1),
            })
        });
        Self {
            placements: placements.collect(),
            ..Self::default()
        }
    }

    /// The end of what is at addresses of a level, in bytes; `None`: nothing is.
    #[must_use]
    pub fn peak(&self, problem: &LevelProblem, level: LevelId) -> Option<Bytes> {
        let placements = self.placements.iter().filter(|own| own.level == level);
        let end = |own: &LevelPlacement| own.offset?.checked_add(problem.tensors[own.tensor].size);
        placements.filter_map(end).max()
    }

    /// How many bytes are copied, each copy counted once.
    #[must_use]
    pub fn moved(&self, problem: &LevelProblem) -> Bytes {
        let tensors = self
            .transfers
            .iter()
            .map(|t| self.placements[t.from].tensor);
        let sizes = tensors.map(|tensor| problem.tensors[tensor].size.get());
        Bytes::new(sizes.fold(0, u64::saturating_add))
    }
}

/// Cycles of copying a tensor between two levels: reading it here, and writing it there.
#[must_use]
pub fn transfer_cost(hierarchy: &Hierarchy, size: Bytes, from: LevelId, to: LevelId) -> u64 {
    let level = |id: LevelId| &hierarchy.levels[id.index()];
    let read = level(from).read.cycles(size);
    read.saturating_add(level(to).write.cycles(size))
}

/// Cycles of each transfer of a plan, as often as it runs. Linear.
#[must_use]
pub fn transfer_cycles(problem: &LevelProblem, plan: &LevelPlan) -> Vec<u64> {
    let mut is_loaded = vec![false; problem.tensors.len()];
    let lifetimes = problem.lifetimes();
    let cycles = |transfer: &Transfer| {
        let [from, to] = [transfer.from, transfer.to].map(|index| &plan.placements[index]);
        let tensor = &problem.tensors[from.tensor];
        let cycles = transfer_cost(&problem.hierarchy, tensor.size, from.level, to.level);
        let mut times = repeats_before(problem, from.tensor, transfer.before);
        if from.offset.is_none() && !std::mem::replace(&mut is_loaded[from.tensor], true) {
            let is_unused = lifetimes[from.tensor].is_none_or(|life| transfer.before <= life.start);
            times -= u64::from(tensor.is_preloaded && is_unused);
        }
        cycles.saturating_mul(times)
    };
    plan.transfers.iter().map(cycles).collect()
}

/// Cycles of what a step does with a tensor in a level.
#[must_use]
pub fn use_cost(hierarchy: &Hierarchy, used: &TensorUse, level: LevelId) -> u64 {
    let level = &hierarchy.levels[level.index()];
    let read = level.read.cycles(used.reads);
    read.saturating_add(level.write.cycles(used.writes))
}

/// Cycles of all that a step accesses, each time that it runs; `level`: by use, where that is.
pub fn access_cost(
    hierarchy: &Hierarchy,
    step: &LevelStep,
    level: impl Fn(usize) -> LevelId,
) -> u64 {
    let uses = step.uses.iter().enumerate();
    let costs = uses.map(|(index, used)| use_cost(hierarchy, used, level(index)));
    costs.fold(0, u64::saturating_add)
}

/// By step: cycles of all its runs with all tensors in the fastest level: computing, or accessing them, whatever takes longer.
#[must_use]
pub fn fastest_cycles(problem: &LevelProblem) -> Vec<u64> {
    let cycles = |step: &LevelStep| {
        let accesses = access_cost(&problem.hierarchy, step, |_| LevelId::new(0));
        let each = step.cycles.max(accesses);
        each.saturating_mul(step.repeats.max(1))
    };
    problem.steps.iter().map(cycles).collect()
}

/// Cycles of the whole program with all tensors in the fastest level: no schedule is over earlier.
#[must_use]
pub fn ideal_cycles(problem: &LevelProblem) -> u64 {
    let cycles = fastest_cycles(problem).into_iter();
    cycles.fold(0, u64::saturating_add)
}

/// Cycles of copying a tensor from a device, level 0, to its host, level 1, and back.
#[must_use]
pub fn swap_cost(hierarchy: &Hierarchy, size: Bytes) -> [u64; 2] {
    let (device, host) = (LevelId::new(0), LevelId::new(1));
    [
        transfer_cost(hierarchy, size, device, host),
        transfer_cost(hierarchy, size, host, device),
    ]
}

/// How often a copy of a tensor in front of a step runs: not more often than what is around it.
#[must_use]
pub fn repeats_before(problem: &LevelProblem, tensor: usize, step: usize) -> u64 {
    let repeats = |step: Option<usize>| {
        let step = step.and_then(|step| problem.steps.get(step));
        step.map_or(1, |step| step.repeats.max(1))
    };
    match problem.tensors[tensor].within {
        Some(within) if within.contains(step) => repeats(Some(step)),
        _ => repeats(step.checked_sub(1)).min(repeats(Some(step))),
    }
}

/// Cycles of all that a plan does, one after the other: the serial cost model. Linear.
#[must_use]
pub fn serial_cost(problem: &LevelProblem, plan: &LevelPlan) -> u64 {
    let mut cost = 0_u64;
    let mut add = |cycles: u64, times: u64| {
        cost = cost.saturating_add(cycles.saturating_mul(times));
    };
    for (step, accessed) in problem.steps.iter().zip(&plan.accessed) {
        let level = |index: usize| plan.placements[accessed[index]].level;
        let accesses = access_cost(&problem.hierarchy, step, level);
        add(step.cycles.saturating_add(accesses), step.repeats.max(1));
    }
    for cycles in transfer_cycles(problem, plan) {
        add(cycles, 1);
    }
    cost
}
