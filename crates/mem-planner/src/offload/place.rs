//! Lowers a timetable to a plan: placements, transfers, and addresses.

use mem_cost::serial_cost;
use mem_model::{
    Bytes, Interval, LevelId, LevelPlacement, LevelPlan, LevelProblem, PlacementId, TensorId,
    Transfer,
};

use super::large_first::{packed, packed_once};
use super::timetable::{Copying, Leave, Timetable};
use crate::PlanOptions;
use crate::levels::{packing, placed, reuses};

/// A copy between two placements, with the keys that order it.
struct Queued {
    /// Copies out precede copies back before the same step, so that they vacate bytes first.
    is_back: bool,
    /// Intended start, in cycles.
    start: u64,
    transfer: Transfer,
}

impl Queued {
    fn new(copy: Copying, is_back: bool, from: PlacementId, to: PlacementId) -> Self {
        Self {
            is_back,
            start: copy.start,
            transfer: Transfer {
                before: copy.before,
                from,
                to,
                keeps_source: true,
                until: copy.until,
            },
        }
    }
}

/// A plan under construction from a timetable.
struct Lowering {
    plan: LevelPlan,
    /// Per tensor: its placement at home.
    homes: Vec<Option<PlacementId>>,
    /// Per tensor: its device placements with the step at which each stops being accessed,
    /// ascending.
    stays: Vec<Vec<(usize, PlacementId)>>,
    copies: Vec<Queued>,
}

/// A tensor on its way through its gaps.
struct Way {
    tensor: TensorId,
    /// Start of the current stay on the device.
    start: usize,
    /// Its placement on the host, if it was ever there.
    host: Option<PlacementId>,
    /// The host holds its contents.
    is_good: bool,
    /// Pending copy back from the host, into the next device placement.
    back: Option<Copying>,
}

impl Lowering {
    fn new(problem: &LevelProblem) -> Self {
        let plan = LevelPlan::at_home(problem);
        let mut homes = vec![None; problem.tensors.len()];
        for (index, own) in plan.placements.iter().enumerate() {
            homes[own.tensor.index()] = Some(PlacementId::new(index));
        }
        Self {
            plan,
            homes,
            stays: vec![Vec::new(); problem.tensors.len()],
            copies: Vec::new(),
        }
    }

    /// Adds the placements and copies of a tensor.
    fn lower(&mut self, timetable: &Timetable<'_>, tensor: TensorId, life: Interval<usize>) {
        let mut way = Way {
            tensor,
            start: life.start,
            host: None,
            is_good: false,
            back: None,
        };
        // A gap in which the tensor neither dies nor leaves needs nothing: its placement continues.
        for gap in timetable.profile.gaps_of(tensor) {
            let own = timetable.profile.gaps[gap.index()];
            way.is_good &= !own.is_changed;
            if own.is_dead {
                // Nothing is preserved: another placement begins with the overwriting step.
                self.stay(&mut way, own.steps.start, own.steps.start);
                way.start = own.steps.end;
                way.is_good = false;
            } else if let Some(leave) = timetable.leaves[gap.index()] {
                self.leave(&mut way, &leave, own.steps.start);
            }
        }
        self.stay(&mut way, life.end, life.end);
    }

    fn add(&mut self, tensor: TensorId, level: LevelId, steps: Interval<usize>) -> PlacementId {
        self.plan.placements.push(LevelPlacement {
            tensor,
            level,
            offset: Some(Bytes::ZERO),
            steps,
        });
        PlacementId::new(self.plan.placements.len() - 1)
    }

    /// Adds a stay on the device that lasts until `end`, and whose last access is before `last`.
    fn stay(&mut self, way: &mut Way, end: usize, last: usize) -> PlacementId {
        let placement = self.add(way.tensor, LevelId::DEVICE, Interval::new(way.start, end));
        self.stays[way.tensor.index()].push((last, placement));
        if let (Some(copy), Some(host)) = (way.back.take(), way.host) {
            self.copies.push(Queued::new(copy, true, host, placement));
        }
        placement
    }

    /// Adds a stay and the absence after it. `last` is the first step of the gap.
    fn leave(&mut self, way: &mut Way, leave: &Leave, last: usize) {
        // The timetable accepts gaps by relief, not in order. It may have scheduled this copy
        // before an earlier absence made it unnecessary.
        let out = leave.out.filter(|_| !way.is_good);
        // The bytes are needed until the copy out has completed.
        let end = out.map_or(last, |out| out.until);
        let placement = self.stay(way, end, last);
        let first = out.map_or(last, |out| out.before);
        // One placement on the host serves all absences: a tensor that returned and was not written
        // is still there, at the same address.
        let host = way.host.unwrap_or_else(|| {
            let steps = Interval::new(first, first);
            self.add(way.tensor, LevelId::HOST, steps)
        });
        way.host = Some(host);
        // Tensors that leave before the same step are copied out first, so they must not take these
        // bytes yet.
        self.plan.placements[host.index()].steps.end = leave.back.until.max(leave.back.before + 1);
        if let Some(out) = out {
            self.copies.push(Queued::new(out, false, placement, host));
        }
        way.is_good = true;
        way.back = Some(leave.back);
        way.start = leave.back.before;
    }

    fn finish(mut self, problem: &LevelProblem, has_outs_first: bool) -> LevelPlan {
        self.copies.sort_by_key(|own| {
            let Transfer { before, from, .. } = own.transfer;
            (before, own.is_back && has_outs_first, own.start, from)
        });
        let copies = self.copies.iter();
        self.plan.transfers = copies.map(|own| own.transfer).collect();
        for (step, at) in problem.steps.iter().enumerate() {
            let placement = |tensor: TensorId| {
                let own = &self.stays[tensor.index()];
                let next = own.partition_point(|(end, _)| *end <= step);
                let on_device = own.get(next).map(|(_, placement)| *placement);
                on_device
                    .or(self.homes[tensor.index()])
                    // Never reached: the profile rejects operands that are neither placed nor at
                    // home on the device.
                    .unwrap_or(PlacementId::new(0))
            };
            let placements = at.uses.iter().map(|used| placement(used.tensor));
            self.plan.accessed.push(placements.collect());
        }
        self.plan.cost = serial_cost(problem, &self.plan);
        self.plan
    }
}

impl Timetable<'_> {
    /// The plan, with all addresses zero.
    pub(super) fn plan(&self) -> LevelPlan {
        let mut lowering = Lowering::new(self.problem);
        for (tensor, life) in self.profile.lives.iter().enumerate() {
            if let Some(life) = life {
                lowering.lower(self, TensorId::new(tensor), *life);
            }
        }
        lowering.finish(self.problem, self.has_outs_first)
    }

    /// Assigns addresses to all placements of a plan. The search on the device takes `effort`, and
    /// stops once its peak is at most `enough` bytes. Returns the peak of the device in bytes; `None` if the host
    /// overflows, or if the packer fails.
    pub(super) fn place(&self, plan: &mut LevelPlan, enough: u64, effort: u64) -> Option<u64> {
        let mut peaks = [0, 0];
        // The levels share no bytes, so each is a packing problem of its own.
        for level in [LevelId::DEVICE, LevelId::HOST] {
            let own = placed(plan, level);
            let mut packing = packing(self.problem, plan, &own, level);
            // Steps run on the device, so no bytes are taken over elsewhere.
            if level == LevelId::DEVICE {
                packing.reuses = reuses(self.problem, plan, &own);
            }
            // Only the device is tight: the host gets no search effort.
            let (peak, offsets) = match level {
                LevelId::DEVICE => packed(&packing, enough, effort)?,
                _ => packed_once(&packing, &PlanOptions::default().with_effort(0))?,
            };
            for (id, offset) in own.iter().zip(offsets) {
                plan.placements[id.index()].offset = Some(offset);
            }
            peaks[level.index()] = peak;
        }
        let [device, host] = peaks;
        let capacity = self.problem.capacities().ok()?[LevelId::HOST.index()];
        capacity
            .is_none_or(|most| host <= most.get())
            .then_some(device)
    }
}
