//! What the exact search knows of a program, and its states.
//!
//! Sets of values are masks, so a program has at most [`MOST_VALUES`] values.

use mem_cost::swap_cost;
use mem_model::{Bytes, LevelId, LevelProblem, Repeatable, TensorId};

use super::super::profile::Profile;
use super::super::recompute::Values;

/// Number of values that fit a mask.
pub(super) const MOST_VALUES: usize = 64;

/// A set of values.
pub(super) type Mask = u64;

/// Values of a set, ascending.
pub(super) fn members(mut set: Mask) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let value = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(value)
    })
}

/// The set of one value.
pub(super) fn only(value: usize) -> Mask {
    1 << value
}

/// The set of some values.
pub(super) fn mask(values: &[u32]) -> Mask {
    values.iter().fold(0, |set, own| set | only(*own as usize))
}

/// A copy in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Flight {
    pub value: u8,
    pub is_out: bool,
}

/// The discrete part of a state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    /// The next step of the program that has not been executed.
    pub next: usize,
    /// Control does not wait any more for copies that were issued before earlier steps.
    pub is_issuing: bool,
    /// Values on the device, those that are being copied included.
    pub resident: Mask,
    /// Values of which the host has the latest contents.
    pub on_host: Mask,
    /// In the order of their issue.
    pub flights: Vec<Flight>,
    /// Addresses of the values on the device in granules, ascending by value; empty if addresses are
    /// left open.
    pub offsets: Vec<i32>,
}

impl Place {
    /// Values that are being copied in one direction.
    pub(super) fn flying(&self, is_out: bool) -> Mask {
        let own = self.flights.iter().filter(|own| own.is_out == is_out);
        own.fold(0, |set, own| set | only(own.value.into()))
    }

    /// Index of a value in `offsets`.
    pub(super) fn rank(&self, value: usize) -> usize {
        (self.resident & (only(value) - 1)).count_ones() as usize
    }

    /// Puts a value on the device; at an address unless addresses are left open.
    pub(super) fn put(&mut self, value: usize, offset: Option<i32>) {
        if let Some(offset) = offset {
            let rank = self.rank(value);
            self.offsets.insert(rank, offset);
        }
        self.resident |= only(value);
    }

    /// Gives up the bytes of values.
    pub(super) fn drop_all(&mut self, values: Mask) {
        for value in members(values & self.resident) {
            if !self.offsets.is_empty() {
                self.offsets.remove(self.rank(value));
            }
            self.resident &= !only(value);
        }
    }
}

/// A program as the search sees it.
pub(super) struct Program<'a> {
    pub values: Values<'a>,
    pub n_steps: usize,
    /// Granules of the device.
    pub capacity: i32,
    /// Per value: its tensor.
    pub tensors: Vec<TensorId>,
    /// Per value: cycles to copy it out, and back; `None` without a link.
    pub copies: Option<Vec<[u64; 2]>>,
    /// One engine copies in both directions.
    pub has_one_engine: bool,
    /// Per step: values that it uses, that it defines, and that it changes without defining them.
    pub uses: Vec<Mask>,
    pub defines: Vec<Mask>,
    pub changes: Vec<Mask>,
    /// Per step: other values of the tensors of which it defines values.
    pub replaces: Vec<Mask>,
    /// Per step, and for the end: values that it or later steps use and that earlier steps defined.
    needed: Vec<Mask>,
    /// Per step, and for the end: values that may be needed, also to compute others again.
    wanted: Vec<Mask>,
    /// Per step, and for the end: its cycles and those of all later steps.
    pub remaining: Vec<u64>,
}

impl<'a> Program<'a> {
    /// `None` if the program has loops or blocks, tensors that must not move, or too many values.
    /// `is_kept` is indexed by tensor: it must not be recomputed. `engines`: indices of the engines
    /// that copy out, and back.
    pub(super) fn new(
        problem: &'a LevelProblem,
        repeatable: &[Repeatable],
        profile: &Profile,
        is_kept: &[bool],
        engines: Option<[usize; 2]>,
    ) -> Option<Self> {
        let is_simple = problem.steps.iter().all(|step| step.repeats <= 1)
            && problem.blocks.windows(2).all(|pair| pair[0] == pair[1])
            && (problem.tensors.iter()).all(|own| own.frozen.is_empty() && own.within.is_none());
        if !is_simple {
            return None;
        }
        let values = Values::new(problem, repeatable, profile, is_kept);
        if values.sizes.len() > MOST_VALUES {
            return None;
        }
        let n_steps = problem.steps.len();
        let tensors = values.tensors.clone();
        let copies = engines.map(|_| {
            let size = |tensor: &TensorId| problem.tensors[tensor.index()].size;
            let cycles = tensors
                .iter()
                .map(|own| swap_cost(&problem.hierarchy, size(own)));
            cycles.collect()
        });
        let mut own = Self {
            n_steps,
            capacity: values.granules(profile.capacity),
            copies,
            has_one_engine: engines.is_some_and(|[out, back]| out == back),
            uses: (0..n_steps)
                .map(|step| mask(values.uses.of(step)))
                .collect(),
            defines: (0..n_steps)
                .map(|step| mask(values.defines.of(step)))
                .collect(),
            changes: Vec::new(),
            replaces: Vec::new(),
            needed: vec![0; n_steps + 1],
            wanted: vec![0; n_steps + 1],
            remaining: vec![0; n_steps + 1],
            tensors,
            values,
        };
        own.changes = (0..n_steps)
            .map(|step| own.changed(problem, step))
            .collect();
        own.replaces = (0..n_steps).map(|step| own.replaced(step)).collect();
        for step in (0..n_steps).rev() {
            own.needed[step] = (own.needed[step + 1] | own.uses[step]) & !own.defines[step];
            own.remaining[step] = own.remaining[step + 1].saturating_add(own.values.cycles[step]);
        }
        for step in 0..n_steps {
            own.wanted[step] = own.closure(step, 0).0;
        }
        Some(own)
    }

    /// Values that a step uses and whose tensors it writes.
    fn changed(&self, problem: &LevelProblem, step: usize) -> Mask {
        let written = |tensor: TensorId| {
            let mut uses = problem.steps[step].uses.iter();
            uses.any(|used| used.tensor == tensor && used.writes > Bytes::ZERO)
        };
        let all = members(self.uses[step]).filter(|value| written(self.tensors[*value]));
        all.fold(0, |set, value| set | only(value))
    }

    /// Other values of the tensors of which a step defines values.
    fn replaced(&self, step: usize) -> Mask {
        let is_same = |value: usize| {
            let mut defines = members(self.defines[step]);
            defines.any(|own| own != value && self.tensors[own] == self.tensors[value])
        };
        let all = (0..self.tensors.len()).filter(|value| is_same(*value));
        all.fold(0, |set, value| set | only(value))
    }

    /// Whether a group may be repeated before a step.
    pub(super) fn is_allowed(&self, group: u32, next: usize) -> bool {
        next < self.n_steps && self.values.is_allowed(group, next)
    }

    /// Values that the steps from `next` on need if those of `available` exist, and that are needed to
    /// compute these again; the cycles of what has to be computed again, and whether it can be.
    fn closure(&self, next: usize, available: Mask) -> (Mask, u64, bool) {
        let (mut all, mut done) = (0, 0_u64);
        let mut open = self.needed[next];
        let (mut cycles, mut is_possible) = (0_u64, true);
        while open != 0 {
            all |= open;
            let mut operands = 0;
            for value in members(open & !available) {
                if done & only(value) != 0 {
                    continue;
                }
                let group = self.values.group_of[value];
                let Some(group) = group.filter(|own| self.is_allowed(*own, next)) else {
                    is_possible = false;
                    continue;
                };
                let group = &self.values.groups[group as usize];
                cycles = cycles.saturating_add(group.cycles);
                // A group is repeated once for all that it defines.
                done |= mask(&group.defines);
                operands |= mask(&group.uses);
            }
            open = operands & !all;
        }
        (all, cycles, is_possible)
    }

    /// Values that may be needed from a step on.
    pub(super) fn wanted(&self, next: usize) -> Mask {
        self.wanted[next]
    }

    /// Lower bound on the cycles from a step on if the values of `available` exist; `None` if the
    /// program cannot be completed.
    pub(super) fn least(&self, next: usize, available: Mask) -> Option<u64> {
        let (_, cycles, is_possible) = self.closure(next, available);
        is_possible.then(|| cycles.saturating_add(self.remaining[next]))
    }

    /// Granules of a set of values.
    pub(super) fn granules(&self, set: Mask) -> i64 {
        members(set)
            .map(|own| i64::from(self.values.sizes[own]))
            .sum()
    }

    /// Operands whose bytes results of a step may take over.
    pub(super) fn operands_in_place(&self, step: usize, is_again: bool) -> Mask {
        let all = self.values.takeovers(step).iter();
        let all = all.filter(|own| if is_again { own.is_again } else { own.is_first });
        all.fold(0, |set, own| set | only(own.operand as usize))
    }

    /// Granules that results of a step take over from operands that are dead afterwards, and where:
    /// pairs of operand and result. `is_again`: the step is repeated.
    pub(super) fn taken_over(
        &self,
        step: usize,
        is_again: bool,
        dead: Mask,
    ) -> Vec<(usize, usize, i32)> {
        let mut taken: Vec<(usize, usize, i32)> = Vec::new();
        for own in self.values.takeovers(step) {
            let is_possible = if is_again { own.is_again } else { own.is_first };
            let (operand, result) = (own.operand as usize, own.result as usize);
            let is_new = taken.last().is_none_or(|(_, last, _)| *last != result);
            if is_possible && is_new && dead & only(operand) != 0 {
                taken.push((operand, result, own.size));
            }
        }
        taken
    }

    /// Whether every address in granules suits every tensor.
    pub(super) fn is_aligned(&self, problem: &LevelProblem) -> bool {
        let level = problem.hierarchy.levels[LevelId::DEVICE.index()].alignment;
        let alignments = self
            .tensors
            .iter()
            .map(|own| problem.tensors[own.index()].alignment);
        let mut all = alignments.chain([level]).map(|own| own.get().max(1));
        all.all(|own| self.values.granule.is_multiple_of(own))
    }
}
