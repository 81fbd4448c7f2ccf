//! Residency profile of the device: when tensors must be resident, when they may leave, and how
//! many bytes are in use at each step.

use mem_cost::{repeats_before, swap_cost};
use mem_model::{Bytes, GapId, Interval, LevelId, LevelProblem, TensorId};

use super::tuning;
use crate::levels::taken_over;

/// A range of steps during which a tensor is not accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Gap {
    /// The tensor.
    pub tensor: TensorId,
    /// Steps of the gap, `[start, end)`.
    pub steps: Interval<usize>,
    /// The access after the gap does not need the tensor's contents.
    pub is_dead: bool,
    /// The tensor was written since its previous gap, which makes copies on the host stale.
    pub is_changed: bool,
    /// Cycles to copy the tensor out before the first step of the gap, and back before the step
    /// after the gap.
    pub cycles: [u64; 2],
}

/// Residency of the tensors of a device over the steps.
#[derive(Clone, Debug)]
pub(super) struct Profile {
    /// Gaps of the tensors that may leave, sorted by tensor, then by step.
    pub gaps: Vec<Gap>,
    /// Indexed by tensor: its first gap in `gaps`; one more entry holds the number of gaps.
    first_gap: Vec<usize>,
    /// Per tensor: steps from its first use to its last, `[start, end)`; `None` if it has a home or
    /// is never used.
    pub lives: Vec<Option<Interval<usize>>>,
    /// Smallest alignment of a tensor on the device: all addresses are multiples of it.
    pub unit: u64,
    /// Per tensor: bytes that it occupies on the device, rounded up to `unit`. A larger alignment of
    /// its own says nothing about its end: another tensor may follow.
    pub sizes: Vec<u64>,
    /// Per step: bytes in use if all tensors are resident from their first use to their last,
    /// except in dead gaps.
    pub used: Vec<u64>,
    /// Bytes of the device available to these tensors.
    pub capacity: u64,
}

impl Profile {
    /// Returns `None` if a step uses a tensor neither on the device nor at its home, if the device is
    /// unbounded, or if the tensors with a home exceed a level's capacity.
    pub(super) fn new(problem: &LevelProblem) -> Option<Self> {
        let capacity = problem.capacities().ok()?[LevelId::DEVICE.index()]?.get();
        let n = problem.tensors.len();
        let mut profile = Self {
            gaps: Vec::new(),
            first_gap: Vec::with_capacity(n + 1),
            lives: vec![None; n],
            unit: unit(problem),
            sizes: Vec::with_capacity(n),
            used: Vec::new(),
            capacity,
        };
        // Per step: the change of the bytes in use.
        // Differences rather than sums, so that a tensor takes constant time however long it lives.
        let mut changes = vec![0_i128; problem.steps.len() + 1];
        for (tensor, stays) in stays(problem)?.iter().enumerate() {
            let tensor = TensorId::new(tensor);
            let size = problem.tensors[tensor.index()].size.get();
            let size = size.checked_next_multiple_of(profile.unit)?;
            profile.sizes.push(size);
            profile.first_gap.push(profile.gaps.len());
            profile.add_life(tensor, stays, &mut changes);
            // A tensor without bytes has nothing to free.
            if size > 0 {
                profile.add_gaps(problem, tensor, stays, &mut changes);
            }
        }
        profile.first_gap.push(profile.gaps.len());
        profile.used = profile.bytes_in_use(problem, &changes)?;
        Some(profile)
    }

    /// Records from when to when a tensor is needed.
    fn add_life(&mut self, tensor: TensorId, stays: &[Stay], changes: &mut [i128]) {
        let (Some(first), Some(last)) = (stays.first(), stays.last()) else {
            return;
        };
        let life = Interval::new(first.steps.start, last.steps.end);
        self.lives[tensor.index()] = Some(life);
        let size = i128::from(self.sizes[tensor.index()]);
        changes[life.start] += size;
        changes[life.end.min(changes.len() - 1)] -= size;
    }

    /// Records the gaps in which a tensor may leave.
    fn add_gaps(
        &mut self,
        problem: &LevelProblem,
        tensor: TensorId,
        stays: &[Stay],
        changes: &mut [i128],
    ) {
        let own = &problem.tensors[tensor.index()];
        let size = i128::from(self.sizes[tensor.index()]);
        let mut is_changed = false;
        for pair in stays.windows(2) {
            is_changed |= pair[0].is_changing;
            let steps = Interval::new(pair[0].steps.end, pair[1].steps.start);
            // `forced` copies right at both ends of a gap without asking again.
            let can_leave = own.within.is_none()
                && own.can_move_before(steps.start)
                && own.can_move_before(steps.end);
            if !can_leave {
                continue;
            }
            // Nothing is preserved in a dead gap, so its bytes are free in every plan.
            if pair[1].is_new {
                changes[steps.start] -= size;
                changes[steps.end] += size;
            }
            self.gaps.push(Gap {
                tensor,
                steps,
                is_dead: pair[1].is_new,
                // Changes before a gap that is not recorded count for the next one that is.
                is_changed: std::mem::take(&mut is_changed),
                cycles: copy_cycles(problem, tensor, steps),
            });
        }
    }

    /// Per step: bytes in use, where operands whose bytes results take over count once. `None` if a
    /// sum exceeds 64 bits.
    fn bytes_in_use(&self, problem: &LevelProblem, changes: &[i128]) -> Option<Vec<u64>> {
        let mut now = 0_i128;
        let mut used = Vec::with_capacity(problem.steps.len());
        for (step, change) in changes.iter().enumerate().take(problem.steps.len()) {
            now += change;
            let bytes = u64::try_from(now).ok()?;
            let shared = shared(problem, &self.sizes, step);
            let shared: u64 = shared.iter().map(|(.., bytes)| bytes).sum();
            used.push(bytes.saturating_sub(shared));
        }
        Some(used)
    }

    /// Per step: bytes of the tensors that cannot leave. `stays` is indexed by tensor: it never
    /// leaves.
    pub(super) fn needed(&self, stays: &[bool]) -> Vec<u64> {
        let mut needed = self.used.clone();
        // Dead gaps are not counted in `used` in the first place.
        let can_leave = |gap: &&Gap| !gap.is_dead && !stays[gap.tensor.index()];
        for gap in self.gaps.iter().filter(can_leave) {
            for used in &mut needed[gap.steps.start..gap.steps.end] {
                *used -= self.sizes[gap.tensor.index()];
            }
        }
        needed
    }

    /// The gaps of a tensor, ascending.
    pub(super) fn gaps_of(
        &self,
        tensor: TensorId,
    ) -> impl DoubleEndedIterator<Item = GapId> + use<> {
        let first = self.first_gap[tensor.index()];
        (first..self.first_gap[tensor.index() + 1]).map(GapId::new)
    }
}

/// Per tensor: the steps during which it must be resident, ascending. `None` if a step uses a tensor
/// neither on the device nor at its home.
fn stays(problem: &LevelProblem) -> Option<Vec<Vec<Stay>>> {
    let device = LevelId::DEVICE;
    let mut stays: Vec<Vec<Stay>> = vec![Vec::new(); problem.tensors.len()];
    for (step, at) in problem.steps.iter().enumerate() {
        for used in &at.uses {
            let tensor = &problem.tensors[used.tensor.index()];
            match tensor.home {
                // Tensors with a home on the device are there in any case, and copies of the program
                // itself read and write tensors on the host.
                Some(home) if used.accepts(home) => continue,
                Some(_) => return None,
                None if !used.accepts(device) => return None,
                None => {}
            }
            // A loop-carried tensor must not move between the iterations, so it stays for the whole
            // loop.
            let around = tensor.carried_around(step);
            let own = Stay {
                steps: around.unwrap_or(Interval::new(step, step + 1)),
                // The next iteration may read what this one left, so no contents die around a loop.
                is_new: around.is_none() && !used.needs_content(),
                is_changing: used.writes > Bytes::ZERO,
            };
            match stays[used.tensor.index()].last_mut() {
                // Stays that touch leave no gap.
                Some(last) if own.steps.start <= last.steps.end => {
                    last.steps.end = last.steps.end.max(own.steps.end);
                    last.is_changing |= own.is_changing;
                }
                _ => stays[used.tensor.index()].push(own),
            }
        }
    }
    Some(stays)
}

/// Smallest alignment of the tensors that have bytes in the arena of the device.
fn unit(problem: &LevelProblem) -> u64 {
    let tensors = problem.tensors.iter();
    // A tensor without bytes lies between no others, so its alignment does not matter.
    let placed = tensors.filter(|own| own.home.is_none() && own.size > Bytes::ZERO);
    let least = placed.map(|own| own.alignment).min().unwrap_or_default();
    let level = problem.hierarchy.levels[LevelId::DEVICE.index()].alignment;
    least.max(level).get().max(1)
}

/// Cycles to copy a tensor out before the first of `steps`, and back after the last, over all
/// executions.
fn copy_cycles(problem: &LevelProblem, tensor: TensorId, steps: Interval<usize>) -> [u64; 2] {
    // Without a host, there is no copy to price.
    if problem.hierarchy.levels.len() < 2 {
        return [0, 0];
    }
    let [away, back] = swap_cost(&problem.hierarchy, problem.tensors[tensor.index()].size);
    let times = |step: usize| repeats_before(problem, tensor, step);
    [
        away.saturating_mul(times(steps.start)),
        back.saturating_mul(times(steps.end)),
    ]
}

/// Cycles per byte to copy out, and back. Latency does not count: it is unknown in how many copies the
/// bytes move.
pub(super) fn cycles_per_byte(problem: &LevelProblem) -> [f64; 2] {
    // Without a host, there is no copy to price.
    let cycles = match problem.hierarchy.levels.len() {
        0 | 1 => [0, 0],
        _ => swap_cost(&problem.hierarchy, Bytes::new(tuning::LARGE_COPY)),
    };
    cycles.map(|cycles| cycles as f64 / tuning::LARGE_COPY as f64)
}

/// Operands of a step whose bytes results take over, as (operand, result, bytes). Only one result
/// can take over the bytes of an operand: the largest.
pub(super) fn shared(
    problem: &LevelProblem,
    sizes: &[u64],
    step: usize,
) -> Vec<(TensorId, TensorId, u64)> {
    let mut shared: Vec<(TensorId, TensorId, u64)> = Vec::new();
    for used in &problem.steps[step].uses {
        let Some(operand) = taken_over(problem, step, used) else {
            continue;
        };
        // The larger of the two keeps the rest of its bytes to itself.
        let both = sizes[operand.index()].min(sizes[used.tensor.index()]);
        match shared.iter_mut().find(|(known, ..)| *known == operand) {
            Some(known) if known.2 < both => *known = (operand, used.tensor, both),
            Some(_) => {}
            None => shared.push((operand, used.tensor, both)),
        }
    }
    shared
}

/// Consecutive steps during which a tensor must be resident.
#[derive(Clone, Copy, Debug)]
struct Stay {
    steps: Interval<usize>,
    /// The first of them does not need the previous contents.
    is_new: bool,
    is_changing: bool,
}
