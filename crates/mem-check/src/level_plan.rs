//! Checks plans over several levels by executing them step by step: every step finds its operands
//! in a level that it accepts, and no contents are lost.
//!
//! # Idea
//!
//! At each step, a placement either holds its tensor or does not. A step that writes a tensor
//! invalidates all other placements of the tensor, and all placements that overlap the written
//! addresses. A transfer propagates the state of its source. Lifetimes are not used, so a wrong
//! lifetime cannot hide an error. The cost of the plan is accumulated along the way.
//!
//! # Non-guarantees
//!
//! Loops are executed once. Tensors that are live around a loop must keep their placement inside;
//! this is checked only where the problem states it (`frozen`).
//!
//! # Complexity
//!
//! O(accesses + transfers), times the number of placements that share an address.

use mem_model::{
    Bytes, Interval, LevelId, LevelPlacement, LevelPlan, LevelProblem, PlacementId, TensorId,
    TensorUse, Transfer,
};

use crate::level_cost::{repeats_before, transfer_cost, use_cost};

/// Why a plan over several levels is invalid. Indices refer to the problem and the plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LevelError {
    /// A reference to a nonexistent entity.
    #[error("{0} refers to something that does not exist")]
    Unknown(&'static str),
    /// A placement lies outside of its level's capacity, or is misaligned.
    #[error("placement {} is not within its level, or not aligned", .0.index())]
    Address(PlacementId),
    /// A placement claims to be a home, but the tensor has no home in that level.
    #[error("placement {} is at home, but its tensor has none there", .0.index())]
    NoHome(PlacementId),
    /// A step or transfer uses a placement outside of the placement's steps, or for another tensor.
    #[error(
        "step {step} uses placement {}, which is not there then, or of something else",
        .placement.index()
    )]
    Absent {
        /// The step.
        step: usize,
        /// The placement.
        placement: PlacementId,
    },
    /// A step does not accept a tensor in the level of its placement.
    #[error("step {step} does not accept tensor {} in {level}", .tensor.index())]
    NotAccepted {
        /// The step.
        step: usize,
        /// The tensor.
        tensor: TensorId,
        /// The level.
        level: LevelId,
    },
    /// A placement that is read does not hold its tensor.
    #[error(
        "step {step} reads tensor {} at placement {}, which does not hold it",
        .tensor.index(),
        .placement.index()
    )]
    Stale {
        /// The step; the number of steps for a transfer after the last.
        step: usize,
        /// The tensor.
        tensor: TensorId,
        /// The placement.
        placement: PlacementId,
    },
    /// Two operands of one step share bytes.
    #[error(
        "step {step} uses placements {} and {}, which have common bytes",
        .first.index(),
        .second.index()
    )]
    Shared {
        /// The step.
        step: usize,
        /// One placement.
        first: PlacementId,
        /// The other placement.
        second: PlacementId,
    },
    /// A placement is used while a transfer is in flight that reads or writes its bytes, or a
    /// transfer is never waited for.
    #[error(
        "step {step} uses placement {}, or bytes of it, while it is copied",
        .placement.index()
    )]
    UnderWay {
        /// The step.
        step: usize,
        /// The placement.
        placement: PlacementId,
    },
    /// No engine copies in this direction.
    #[error("nothing copies from {from} to {to}, which is planned before step {step}")]
    Unconnected {
        /// The step.
        step: usize,
        /// Source level.
        from: LevelId,
        /// Destination level.
        to: LevelId,
    },
    /// The tensors with a home exceed the capacity of a level.
    #[error("{level} is full before the first step: {missing} bytes are missing")]
    Full {
        /// The level.
        level: LevelId,
        /// Number of excess bytes.
        missing: Bytes,
    },
    /// A tensor is transferred where it must keep its placement, or across a block boundary.
    #[error("tensor {} cannot be copied before step {step}", .tensor.index())]
    Frozen {
        /// The tensor.
        tensor: TensorId,
        /// The step.
        step: usize,
    },
    /// A tensor that is live around a loop does not keep its placement throughout the loop, so the
    /// next iteration would not find it there.
    #[error(
        "tensor {} is carried around step {step}, and does not keep placement {}",
        .tensor.index(),
        .placement.index()
    )]
    Carried {
        /// The tensor.
        tensor: TensorId,
        /// A step that uses the tensor.
        step: usize,
        /// Placement that the step uses.
        placement: PlacementId,
    },
    /// The home of a result is not up to date after the last step.
    #[error("the home of tensor {} is not up to date after the last step", .0.index())]
    NotWrittenBack(TensorId),
    /// The claimed cost is wrong.
    #[error("the plan says that it costs {claimed} cycles, and costs {cost}")]
    Cost {
        /// Cost according to the plan, in cycles.
        claimed: u64,
        /// Actual cost, in cycles.
        cost: u64,
    },
}

/// Checks a plan, as described in the module documentation. Returns its cost in cycles.
///
/// # Errors
/// The first violation found.
pub fn check_level_plan(problem: &LevelProblem, plan: &LevelPlan) -> Result<u64, LevelError> {
    let mut machine = Machine::new(problem, plan)?;
    let mut transfers = plan.transfers.iter().peekable();
    if plan.accessed.len() != problem.steps.len() {
        return Err(LevelError::Unknown("the list of accesses"));
    }
    for step in 0..=problem.steps.len() {
        // Transfers that are due complete first: those issued here may depend on them.
        machine.land(step)?;
        while let Some(transfer) = transfers.next_if(|transfer| transfer.before == step) {
            machine.transfer(transfer)?;
        }
        if step < problem.steps.len() {
            machine.step(step)?;
        }
    }
    if transfers.next().is_some() {
        return Err(LevelError::Unknown("the order of transfers"));
    }
    machine.finish()
}

struct Machine<'a> {
    problem: &'a LevelProblem,
    plan: &'a LevelPlan,
    /// Indexed by placement: whether it holds its tensor.
    holds: Vec<bool>,
    /// Indexed by tensor: whether it has contents that could be lost.
    is_defined: Vec<bool>,
    /// Indexed by tensor: whether it is preloaded and still unused.
    is_fresh: Vec<bool>,
    /// Indexed by placement: placements that overlap it in space and time.
    neighbours: Vec<Vec<PlacementId>>,
    /// Indexed by tensor: its placements.
    placements: Vec<Vec<PlacementId>>,
    /// Transfers in flight.
    flights: Vec<Transfer>,
    cost: u64,
}

impl<'a> Machine<'a> {
    fn new(problem: &'a LevelProblem, plan: &'a LevelPlan) -> Result<Self, LevelError> {
        let levels = &problem.hierarchy.levels;
        let full = |(level, missing)| LevelError::Full { level, missing };
        let capacities = problem.capacities().map_err(full)?;
        for (index, placement) in plan.placements.iter().enumerate() {
            let tensor = problem.tensors.get(placement.tensor.index());
            let tensor = tensor.ok_or(LevelError::Unknown("a placement"))?;
            let level = levels.get(placement.level.index());
            let level = level.ok_or(LevelError::Unknown("a placement"))?;
            let Some(offset) = placement.offset else {
                if tensor.home != Some(placement.level) {
                    return Err(LevelError::NoHome(PlacementId::new(index)));
                }
                continue;
            };
            let end = offset.checked_add(tensor.size);
            let alignment = tensor.alignment.max(level.alignment).get().max(1);
            let is_within = end.is_some_and(|end| {
                let capacity = capacities[placement.level.index()];
                capacity.is_none_or(|most| end <= most)
            });
            if !is_within || !offset.get().is_multiple_of(alignment) {
                return Err(LevelError::Address(PlacementId::new(index)));
            }
        }
        let mut placements = vec![Vec::new(); problem.tensors.len()];
        for (index, placement) in plan.placements.iter().enumerate() {
            placements[placement.tensor.index()].push(PlacementId::new(index));
        }
        let at_home = |placement: &mem_model::LevelPlacement| placement.offset.is_none();
        Ok(Self {
            problem,
            plan,
            holds: plan.placements.iter().map(at_home).collect(),
            is_fresh: problem.tensors.iter().map(|t| t.is_preloaded).collect(),
            // An empty tensor has no contents that could be lost.
            is_defined: problem
                .tensors
                .iter()
                .map(|tensor| tensor.home.is_some() && tensor.size > Bytes::ZERO)
                .collect(),
            neighbours: neighbours(problem, plan),
            placements,
            flights: Vec::new(),
            cost: 0,
        })
    }

    fn transfer(&mut self, transfer: &Transfer) -> Result<(), LevelError> {
        let placements = &self.plan.placements;
        let ends = [transfer.from, transfer.to].map(|id| placements.get(id.index()));
        let [Some(from), Some(to)] = ends else {
            return Err(LevelError::Unknown("a transfer"));
        };
        self.check_ends(transfer, from, to)?;
        self.take(transfer.before, transfer.to)?;
        self.start(transfer, from.tensor)?;
        let (step, tensor) = (transfer.before, from.tensor);
        let size = self.problem.tensors[tensor.index()].size;
        let cycles = transfer_cost(self.problem, size, from.level, to.level);
        let mut times = repeats_before(self.problem, tensor, step);
        if from.offset.is_none() && self.is_fresh[tensor.index()] {
            // The first load of a preloaded tensor took place before the program starts.
            self.is_fresh[tensor.index()] = false;
            times -= 1;
        }
        self.add(cycles, times);
        Ok(())
    }

    /// Checks that a transfer copies the current contents of a tensor to a place that can hold them.
    fn check_ends(
        &self,
        transfer: &Transfer,
        from: &LevelPlacement,
        to: &LevelPlacement,
    ) -> Result<(), LevelError> {
        let step = transfer.before;
        let (tensor, of) = (from.tensor, &self.problem.tensors[from.tensor.index()]);
        if !self.problem.hierarchy.connects(from.level, to.level) {
            let (from, to) = (from.level, to.level);
            return Err(LevelError::Unconnected { step, from, to });
        }
        // The source must exist up to this step at least, the destination from this step on.
        let is_source = from.steps.start <= step && step <= from.steps.end;
        let is_target = to.steps.contains(step) || step == to.steps.end;
        if from.tensor != to.tensor || !is_source || !is_target {
            let placement = if is_source {
                transfer.to
            } else {
                transfer.from
            };
            return Err(LevelError::Absent { step, placement });
        }
        if !of.can_move_before(step) {
            return Err(LevelError::Frozen { tensor, step });
        }
        let is_good = self.holds[transfer.from.index()] || !self.is_defined[tensor.index()];
        if !is_good {
            let placement = transfer.from;
            return Err(LevelError::Stale {
                step,
                tensor,
                placement,
            });
        }
        if self.neighbours[transfer.to.index()].contains(&transfer.from) {
            return Err(LevelError::Shared {
                step,
                first: transfer.from,
                second: transfer.to,
            });
        }
        Ok(())
    }

    /// Starts a transfer, whose destination is valid once the transfer has completed.
    fn start(&mut self, transfer: &Transfer, tensor: TensorId) -> Result<(), LevelError> {
        let step = transfer.before;
        // A source must not be given up while another transfer still reads it.
        let is_read = |flight: &Transfer| flight.from == transfer.from;
        if !transfer.keeps_source && self.flights.iter().any(is_read) {
            let placement = transfer.from;
            return Err(LevelError::UnderWay { step, placement });
        }
        if transfer.until <= step {
            self.holds[transfer.to.index()] = true;
        } else {
            if !self.problem.shares_block(tensor, step, transfer.until) {
                return Err(LevelError::Frozen { tensor, step });
            }
            // The destination is invalid until the transfer has completed.
            self.holds[transfer.to.index()] = false;
            self.flights.push(*transfer);
        }
        if !transfer.keeps_source {
            self.holds[transfer.from.index()] = false;
        }
        Ok(())
    }

    fn add(&mut self, cycles: u64, times: u64) {
        self.cost = self.cost.saturating_add(cycles.saturating_mul(times));
    }

    /// Writes a placement: all overlapping placements lose their contents. No transfer in flight
    /// may touch the written bytes.
    fn take(&mut self, step: usize, placement: PlacementId) -> Result<(), LevelError> {
        for flight in &self.flights {
            let touched = [flight.from, flight.to];
            let is_hit = |own: &PlacementId| {
                *own == placement || self.neighbours[placement.index()].contains(own)
            };
            if touched.iter().any(is_hit) {
                return Err(LevelError::UnderWay { step, placement });
            }
        }
        for index in 0..self.neighbours[placement.index()].len() {
            let other = self.neighbours[placement.index()][index];
            self.holds[other.index()] = false;
        }
        Ok(())
    }

    /// Completes the transfers that are due before a step.
    fn land(&mut self, step: usize) -> Result<(), LevelError> {
        let over = |flight: &Transfer| flight.until <= step;
        for flight in self.flights.iter().filter(|flight| over(flight)) {
            // The source has to exist until the transfer completes.
            let steps = self.plan.placements[flight.from.index()].steps;
            if steps.end < flight.until {
                let placement = flight.from;
                return Err(LevelError::Absent { step, placement });
            }
            self.holds[flight.to.index()] = true;
        }
        self.flights.retain(|flight| !over(flight));
        Ok(())
    }

    fn step(&mut self, step: usize) -> Result<(), LevelError> {
        let uses = &self.problem.steps[step].uses;
        let accessed = &self.plan.accessed[step];
        if uses.len() != accessed.len() {
            return Err(LevelError::Unknown("the list of accesses"));
        }
        for (used, placement) in uses.iter().zip(accessed) {
            self.access(step, used, *placement)?;
        }
        self.check_disjoint(step)?;
        for (used, placement) in uses.iter().zip(accessed) {
            if used.writes > Bytes::ZERO {
                self.write(step, used.tensor, *placement)?;
            }
        }
        self.add(
            self.problem.steps[step].cycles,
            self.problem.steps[step].repeats.max(1),
        );
        Ok(())
    }

    fn access(&mut self, step: usize, used: &TensorUse, id: PlacementId) -> Result<(), LevelError> {
        let tensor = used.tensor;
        let found = self.plan.placements.get(id.index());
        let placement = found.ok_or(LevelError::Unknown("an access"))?;
        if placement.tensor != tensor || !placement.steps.contains(step) {
            let placement = id;
            return Err(LevelError::Absent { step, placement });
        }
        let level = placement.level;
        if !used.accepts(level) {
            return Err(LevelError::NotAccepted {
                step,
                tensor,
                level,
            });
        }
        let is_needed = used.needs_content();
        if is_needed && self.is_defined[tensor.index()] && !self.holds[id.index()] {
            let placement = id;
            return Err(LevelError::Stale {
                step,
                tensor,
                placement,
            });
        }
        if self.flights.iter().any(|flight| flight.to == id) {
            let placement = id;
            return Err(LevelError::UnderWay { step, placement });
        }
        if let Some(steps) = self.problem.tensors[tensor.index()].carried_around(step)
            && placement.offset.is_some()
            && !self.keeps(id, steps)
        {
            let placement = id;
            return Err(LevelError::Carried {
                tensor,
                step,
                placement,
            });
        }
        self.is_fresh[used.tensor.index()] = false;
        let cycles = use_cost(self.problem, used, level);
        self.add(cycles, self.problem.steps[step].repeats.max(1));
        Ok(())
    }

    /// Whether a placement has its bytes to itself during all of `steps`, in whatever order they
    /// run.
    fn keeps(&self, id: PlacementId, steps: Interval<usize>) -> bool {
        let others = self.neighbours[id.index()].iter();
        let mut others = others.map(|other| self.plan.placements[other.index()].steps);
        self.plan.placements[id.index()].steps.covers(steps)
            && !others.any(|other| other.overlaps(steps))
    }

    /// Operands of a step must be disjoint, except for a result that takes over the bytes of an
    /// operand at the same offset.
    fn check_disjoint(&self, step: usize) -> Result<(), LevelError> {
        let uses = &self.problem.steps[step].uses;
        let accessed = &self.plan.accessed[step];
        for (index, first) in accessed.iter().enumerate() {
            for (other, second) in accessed.iter().enumerate().skip(index + 1) {
                let takes_over =
                    uses[other].takes_over == Some(index) || uses[index].takes_over == Some(other);
                let offset =
                    |placement: PlacementId| self.plan.placements[placement.index()].offset;
                let is_in_place = takes_over && offset(*first) == offset(*second);
                if self.neighbours[first.index()].contains(second) && !is_in_place {
                    let (first, second) = (*first, *second);
                    return Err(LevelError::Shared {
                        step,
                        first,
                        second,
                    });
                }
            }
        }
        Ok(())
    }

    fn write(
        &mut self,
        step: usize,
        tensor: TensorId,
        placement: PlacementId,
    ) -> Result<(), LevelError> {
        self.take(step, placement)?;
        for other in &self.placements[tensor.index()] {
            self.holds[other.index()] = *other == placement;
        }
        self.is_defined[tensor.index()] = self.problem.tensors[tensor.index()].size > Bytes::ZERO;
        Ok(())
    }

    fn finish(self) -> Result<u64, LevelError> {
        if let Some(flight) = self.flights.first() {
            let (step, placement) = (self.problem.steps.len(), flight.to);
            return Err(LevelError::UnderWay { step, placement });
        }
        let mut is_written = vec![false; self.problem.tensors.len()];
        for used in self.problem.steps.iter().flat_map(|step| &step.uses) {
            is_written[used.tensor.index()] |= used.writes > Bytes::ZERO;
        }
        for (index, tensor) in self.problem.tensors.iter().enumerate() {
            let id = TensorId::new(index);
            let is_home =
                |placement: &&PlacementId| self.plan.placements[placement.index()].offset.is_none();
            let mut homes = self.placements[index].iter().filter(is_home);
            let is_touched = homes.clone().next().is_some();
            let is_good = if is_touched {
                homes.any(|home| self.holds[home.index()])
            } else {
                !is_written[index]
            };
            if tensor.is_result && !is_good {
                return Err(LevelError::NotWrittenBack(id));
            }
        }
        if self.plan.cost != self.cost {
            return Err(LevelError::Cost {
                claimed: self.plan.cost,
                cost: self.cost,
            });
        }
        Ok(self.cost)
    }
}

/// Returns, for each placement, those that overlap it in space and time.
fn neighbours(problem: &LevelProblem, plan: &LevelPlan) -> Vec<Vec<PlacementId>> {
    let mut by_start: Vec<(usize, u64, u64, PlacementId)> = Vec::new();
    for (index, placement) in plan.placements.iter().enumerate() {
        if let Some(offset) = placement.offset {
            let size = problem.tensors[placement.tensor.index()].size.get();
            let start = offset.get();
            by_start.push((
                placement.level.index(),
                start,
                start + size,
                PlacementId::new(index),
            ));
        }
    }
    by_start.sort_unstable();
    let mut neighbours = vec![Vec::new(); plan.placements.len()];
    for (position, (level, start, end, index)) in by_start.iter().enumerate() {
        let later = by_start[position + 1..].iter();
        for (_, from, to, other) in later.take_while(|(of, from, ..)| of == level && from < end) {
            // Only placements that coexist can overwrite each other. The end is included, since a
            // transfer may still use a placement there.
            let times = [*index, *other].map(|id| plan.placements[id.index()].steps);
            let closed =
                times.map(|steps: Interval<usize>| Interval::new(steps.start, steps.end + 1));
            if start.max(from) < end.min(to) && closed[0].overlaps(closed[1]) {
                neighbours[index.index()].push(*other);
                neighbours[other.index()].push(*index);
            }
        }
    }
    neighbours
}
