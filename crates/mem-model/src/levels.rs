//! Placement of tensors in several memories: the problem and its plan. A program is a sequence of
//! steps here. The plan says where each tensor resides during each step, and which transfers move
//! it between levels.

use crate::{Bytes, Carrier, Hierarchy, Interval, LevelId, MessageId, PlacementId, TensorId};

/// A block of data that is placed as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tensor {
    /// Unique within the problem.
    pub name: String,
    /// Size in bytes.
    pub size: Bytes,
    /// Power of two that divides its addresses.
    pub alignment: Bytes,
    /// Level of the storage that the tensor has before the first step, outside of the plan's
    /// arenas: arguments and constants. `None`: the tensor has no storage until it is placed.
    pub home: Option<LevelId>,
    /// Whether the home must be up to date after the last step.
    pub is_result: bool,
    /// Whether the tensor already resides at the place of its first use when the program starts:
    /// its first transfer from its home costs no cycles, unless a use precedes it.
    pub is_preloaded: bool,
    /// Steps before which the tensor must not be transferred, as half-open intervals in ascending
    /// order: blocks that a jump passes over (such as a loop body) while the tensor is live across
    /// the jump.
    pub frozen: Vec<Interval<usize>>,
    /// For a tensor that is local to one block: the steps of the block. A transfer before the first
    /// of them is part of the block and runs as often as that step. A transfer of any other tensor
    /// before that step is part of the code around the block.
    pub within: Option<Interval<usize>>,
}

impl Tensor {
    /// Whether the tensor may be transferred before `step`.
    #[must_use]
    pub fn can_move_before(&self, step: usize) -> bool {
        self.can_move_within(step, step)
    }

    /// Whether the tensor may be transferred before at least one of the steps `first..=last`.
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

    /// Returns the interval of steps around `step` throughout which the tensor must keep its
    /// placement if one of them uses it; `None` if there is no such interval.
    #[must_use]
    pub fn carried_around(&self, step: usize) -> Option<Interval<usize>> {
        let next = self.frozen.partition_point(|interval| interval.end <= step);
        let frozen = self.frozen.get(next)?;
        // `frozen` leaves out the first step of the interval, since a transfer before the whole
        // interval is allowed.
        let steps = Interval::new(frozen.start.saturating_sub(1), frozen.end);
        steps.contains(step).then_some(steps)
    }
}

/// The accesses of one step to one tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TensorUse {
    /// The tensor.
    pub tensor: TensorId,
    /// Bytes read; 0 if it is not read.
    pub reads: Bytes,
    /// Bytes written; 0 if it is not written.
    pub writes: Bytes,
    /// Whether the step leaves none of the previous contents.
    pub writes_all: bool,
    /// Levels in which the step accepts the tensor; empty: all.
    pub accepted: Vec<LevelId>,
    /// Index of a use of the same step whose tensor dies at the step and whose bytes this tensor
    /// may take over.
    pub takes_over: Option<usize>,
}

impl TensorUse {
    /// Whether the previous contents of the tensor matter: the step reads them, or leaves some of
    /// them in place.
    #[must_use]
    pub fn needs_content(&self) -> bool {
        self.reads > Bytes::ZERO || !self.writes_all
    }

    /// Whether the step accepts the tensor in `level`.
    #[must_use]
    pub fn accepts(&self, level: LevelId) -> bool {
        self.accepted.is_empty() || self.accepted.contains(&level)
    }
}

/// What one execution of a step does with the links to the other ranks, or with the engines of the
/// hierarchy. A link is an engine, or one
/// for each direction: it carries messages one after the other, beside computation and copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LinkUse {
    /// Nothing.
    #[default]
    None,
    /// Starts a message and goes on.
    Starts {
        /// The message.
        message: MessageId,
        /// Cycles for which it occupies the link.
        cycles: u64,
        /// Where it travels.
        on: Carrier,
    },
    /// Waits until a message is complete; `None`: until all messages are that have been started, on
    /// any link, because it is not known which one is meant.
    Awaits(Option<MessageId>),
    /// Occupies a link, and waits until the message is complete.
    Blocks {
        /// Cycles for which it occupies the link.
        cycles: u64,
        /// Where it travels.
        on: Carrier,
    },
    /// Starts a copy of the tensor that the step reads to the one that it writes, and goes on if an
    /// engine works between their levels. Otherwise the step is the copy. No link to other ranks takes
    /// part in it, but what waits for messages waits for it, too.
    Copies(MessageId),
}

impl LinkUse {
    /// Cycles for which one execution occupies a link.
    #[must_use]
    pub const fn cycles(self) -> u64 {
        match self {
            Self::None | Self::Awaits(_) | Self::Copies(_) => 0,
            Self::Starts { cycles, .. } | Self::Blocks { cycles, .. } => cycles,
        }
    }

    /// The link that one execution occupies.
    #[must_use]
    pub const fn carrier(self) -> Option<Carrier> {
        match self {
            Self::None | Self::Awaits(_) | Self::Copies(_) => None,
            Self::Starts { on, .. } | Self::Blocks { on, .. } => Some(on),
        }
    }
}

/// One step of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelStep {
    /// Name for reports.
    pub name: String,
    /// Time of one execution in cycles: computation, and waiting for messages under the serial model.
    pub cycles: u64,
    /// Those of `cycles` in which the step waits for messages. The overlapped model does not count
    /// them: it simulates the links.
    pub waits: u64,
    /// What the step does with the links to the other ranks, and with engines.
    pub link: LinkUse,
    /// Number of executions that the cost model assumes; 0 counts as 1.
    pub repeats: u64,
    /// Accessed tensors, each once.
    pub uses: Vec<TensorUse>,
}

impl LevelStep {
    /// Cycles of computation of one execution.
    #[must_use]
    pub const fn computing(&self) -> u64 {
        self.cycles.saturating_sub(self.waits)
    }
}

/// The problem of deciding where each tensor resides, and when.
#[derive(Clone, Debug, PartialEq)]
pub struct LevelProblem {
    /// The memory hierarchy.
    pub hierarchy: Hierarchy,
    /// The tensors to place.
    pub tensors: Vec<Tensor>,
    /// The steps, in execution order.
    pub steps: Vec<LevelStep>,
    /// Per step, plus one entry for the end of the program: number of the block that transfers
    /// before the step belong to. A transfer must complete in the block that issues it. Empty: all
    /// steps are in one block.
    pub blocks: Vec<usize>,
}

impl LevelProblem {
    /// Whether a transfer of `tensor` that is issued before step `first` may complete before step
    /// `last`.
    #[must_use]
    pub fn shares_block(&self, tensor: TensorId, first: usize, last: usize) -> bool {
        let is_one = match self.tensors[tensor.index()].within {
            // A block-local tensor is transferred only inside its block.
            Some(within) => within.contains(first) && within.contains(last),
            None => self.blocks.get(first) == self.blocks.get(last),
        };
        first == last || is_one
    }

    /// Returns the bytes of each level that are left after tensors with a home; `None`: unbounded.
    ///
    /// # Errors
    /// The first level that those tensors overfill, and by how many bytes.
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

    /// Returns the lifetimes, indexed by tensor: from the first use to one past the last; `None` if
    /// the tensor has no use. The lifetime of a tensor with a home starts at its first use, too.
    #[must_use]
    pub fn lifetimes(&self) -> Vec<Option<Interval<usize>>> {
        let mut lifetimes: Vec<Option<Interval<usize>>> = vec![None; self.tensors.len()];
        for (step, used) in self.steps.iter().enumerate() {
            for used in &used.uses {
                let known =
                    lifetimes[used.tensor.index()].get_or_insert(Interval::new(step, step + 1));
                known.end = step + 1;
            }
        }
        lifetimes
    }
}

/// A tensor, or a copy of it, at one address for an interval of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelPlacement {
    /// The tensor.
    pub tensor: TensorId,
    /// Level of the address.
    pub level: LevelId,
    /// Offset in the arena of the level, in bytes; `None`: the tensor's home.
    pub offset: Option<Bytes>,
    /// Steps during which the placement occupies its bytes.
    pub steps: Interval<usize>,
}

/// A copy of a whole tensor from one of its placements to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transfer {
    /// Step before which the transfer is issued; the number of steps if it is issued after the
    /// last.
    pub before: usize,
    /// The source.
    pub from: PlacementId,
    /// The destination.
    pub to: PlacementId,
    /// Whether the source remains valid afterwards: true for a load or a store, false for a swap.
    pub keeps_source: bool,
    /// First step that may assume the transfer has completed; control waits for it before anything
    /// else that happens before the step. If equal to `before`, the transfer is synchronous. Until
    /// then the source must not be written, and the destination must not be accessed.
    pub until: usize,
}

/// A solution of a [`LevelProblem`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LevelPlan {
    /// All placements of all tensors.
    pub placements: Vec<LevelPlacement>,
    /// Indexed by step and use: the placement that is accessed.
    pub accessed: Vec<Vec<PlacementId>>,
    /// Transfers, in the order in which they are issued.
    pub transfers: Vec<Transfer>,
    /// Cost in cycles under the serial model, see `mem_cost::serial_cost`.
    pub cost: u64,
}

impl LevelPlan {
    /// Creates a plan of the existing storage only. Tensors with a home get the first placements,
    /// in their order.
    #[must_use]
    pub fn at_home(problem: &LevelProblem) -> Self {
        let tensors = problem.tensors.iter().enumerate();
        let placements = tensors.filter_map(|(tensor, own)| {
            Some(LevelPlacement {
                tensor: TensorId::new(tensor),
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

    /// Returns the end of the highest placement at an offset in `level`, in bytes; `None` if there
    /// is none.
    #[must_use]
    pub fn peak(&self, problem: &LevelProblem, level: LevelId) -> Option<Bytes> {
        let placements = self.placements.iter().filter(|own| own.level == level);
        let end = |own: &LevelPlacement| {
            own.offset?
                .checked_add(problem.tensors[own.tensor.index()].size)
        };
        placements.filter_map(end).max()
    }

    /// Returns the number of bytes transferred; each transfer counts once, however often it runs.
    #[must_use]
    pub fn moved(&self, problem: &LevelProblem) -> Bytes {
        let tensors = self
            .transfers
            .iter()
            .map(|t| self.placements[t.from.index()].tensor);
        let sizes = tensors.map(|tensor| problem.tensors[tensor.index()].size.get());
        Bytes::new(sizes.fold(0, u64::saturating_add))
    }
}
