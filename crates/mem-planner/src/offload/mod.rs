//! Programs that need more than a device has: what to compute again, and what to copy to the host.
//!
//! A tensor that nobody uses for a while, at a time when more is live than the budget, can be copied away and back, or dropped and computed
//! again in front of its next use, by the step that wrote it, if what that read is still what it was; what is gone is
//! computed again before. Which is better depends on how busy the link is, and so on all the others.
//!
//! So decisions follow from one number, how many cycles of computing a cycle of the link is worth: each gap is closed by computing
//! again if that takes fewer. For each of some numbers the whole program is planned, copies beside the computation, and the
//! schedule that is over first wins. At zero everything is copied, without a limit everything that can be is computed again.
//! The idea of comparing both overheads is Capuchin's (X. Peng et al., ASPLOS 2020); unlike there the comparison is made on whole
//! schedules, link contention and addresses included.
//!
//! Steps of loops are not repeated, and neither are those that write several tensors: what they write is copied. A tensor that
//! several steps write one after the other (it is filled, and then added to) is computed again by all of them.

use std::collections::{BTreeSet, HashSet};

use mem_model::{
    Bytes, Interval, LevelId, LevelProblem, LevelStep, TensorUse, access_cost, simulate,
    transfer_cost,
};

use crate::levels::{LevelNoFit, LevelPolicy, overlap, plan_levels};

/// How room is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum OffloadPolicy {
    /// Whatever is over first.
    #[default]
    Auto,
    /// Nothing is computed again.
    Swap,
    /// All that can be is computed again, and the rest copied.
    Recompute,
}

impl OffloadPolicy {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Auto, Self::Swap, Self::Recompute];

    /// What it is called.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Swap => "swap",
            Self::Recompute => "recompute",
        }
    }

    /// How many cycles of computing a cycle of the link is worth.
    const fn rates(self) -> &'static [f64] {
        match self {
            Self::Auto => &[0.0, 0.1, 0.3, 1.0, 3.0, f64::INFINITY],
            Self::Swap => &[0.0],
            Self::Recompute => &[f64::INFINITY],
        }
    }
}

impl std::str::FromStr for OffloadPolicy {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|known| known.name() == name);
        found.ok_or_else(|| format!("no policy '{name}'; there are auto, swap, recompute"))
    }
}

/// A step that is computed a second time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Repetition {
    /// The step in front of which that happens; those in front of one are in the order in which they happen.
    pub before: usize,
    /// The step that is repeated.
    pub step: usize,
}

/// What is repeated, and how long the program takes then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offload {
    /// In the order in which it happens.
    pub repetitions: Vec<Repetition>,
    /// Cycles of the schedule that this was chosen for; with plans by farthest next use.
    pub makespan: u64,
    /// Without any limit of level 0, and so without copies.
    pub ideal: u64,
}

/// Steps in a chain of repetitions, at most: long ones keep more alive.
const CHAINS: [usize; 4] = [1, 2, 4, 8];

/// Decides what to repeat. `repeatable`: by step, whether it computes the same from the same operands. Level 0 is the device.
/// A few plans, and linear in the uses of tensors times the length of chains beyond that.
///
/// # Errors
/// If a step does not fit, whatever is repeated: with as little as possible.
pub fn plan_offload(
    problem: &LevelProblem,
    repeatable: &[bool],
    policy: OffloadPolicy,
) -> Result<Offload, LevelNoFit> {
    let closable = Gaps::new(problem, repeatable).closable();
    let ideal = ideal(problem);
    let mut best: Option<Offload> = None;
    let mut failure = None;
    let rates = policy.rates().iter();
    let ways = rates.flat_map(|rate| CHAINS.map(|max_chain| (*rate, max_chain)));
    let mut known = HashSet::new();
    for (rate, max_chain) in ways {
        let repetitions = choose(&closable, rate, max_chain);
        if !known.insert(repetitions.clone()) {
            continue;
        }
        let extended = repeated(problem, &repetitions);
        match plan_levels(&extended, LevelPolicy::FarthestNextUse) {
            Ok(plan) => {
                let makespan = simulate(&extended, &overlap(&extended, &plan)).makespan;
                if best.as_ref().is_none_or(|best| makespan < best.makespan) {
                    best = Some(Offload {
                        repetitions,
                        makespan,
                        ideal,
                    });
                }
            }
            Err(error) => {
                failure.get_or_insert(error);
            }
        }
    }
    match (best, failure) {
        (Some(best), _) => Ok(best),
        (None, Some(failure)) => Err(failure),
        (None, None) => unreachable!("there are rates, and each has a plan or none"),
    }
}

/// Cycles of all steps with everything in level 0.
fn ideal(problem: &LevelProblem) -> u64 {
    let steps = problem.steps.iter();
    let cycles = steps.map(|step| step_cost(problem, step).saturating_mul(step.repeats.max(1)));
    cycles.fold(0, u64::saturating_add)
}

/// Cycles of a step with its operands in level 0: computing, or accessing them, whatever takes longer.
fn step_cost(problem: &LevelProblem, step: &LevelStep) -> u64 {
    let accesses = access_cost(&problem.hierarchy, step, |_| LevelId::new(0));
    step.cycles.max(accesses)
}

/// Steps between two uses of a tensor that need not keep it.
struct Closable {
    /// The use behind.
    before: usize,
    /// The steps that compute it again.
    chain: Vec<usize>,
    /// Cycles that they take.
    again: f64,
    /// Cycles of copying it away and back.
    link: f64,
}

/// What is repeated if a cycle of the link is worth so many of computing, in chains of so many steps.
fn choose(closable: &[Closable], rate: f64, max_chain: usize) -> Vec<Repetition> {
    let cheap = closable
        .iter()
        .filter(|gap| gap.chain.len() <= max_chain && gap.again < rate * gap.link);
    let repetitions = cheap.flat_map(|gap| {
        let before = gap.before;
        gap.chain.iter().map(move |step| Repetition {
            before,
            step: *step,
        })
    });
    // Each once, and as they were computed before.
    let repetitions: BTreeSet<Repetition> = repetitions.collect();
    repetitions.into_iter().collect()
}

/// Who writes and uses each tensor.
struct Gaps<'a> {
    problem: &'a LevelProblem,
    repeatable: &'a [bool],
    /// By tensor: the steps that use it.
    uses: Vec<Vec<usize>>,
    /// By tensor: the steps that write it.
    writers: Vec<Vec<usize>>,
    /// By step: the sum of whether more is live there than level 0 has, up to it.
    n_tight: Vec<usize>,
}

impl<'a> Gaps<'a> {
    fn new(problem: &'a LevelProblem, repeatable: &'a [bool]) -> Self {
        let mut uses = vec![Vec::new(); problem.tensors.len()];
        let mut writers = vec![Vec::new(); problem.tensors.len()];
        for (step, at) in problem.steps.iter().enumerate() {
            for used in &at.uses {
                uses[used.tensor].push(step);
                if used.writes > Bytes::ZERO {
                    writers[used.tensor].push(step);
                }
            }
        }
        let mut changes: Vec<i128> = vec![0; problem.steps.len() + 1];
        for (tensor, lifetime) in problem.lifetimes().into_iter().enumerate() {
            let own = &problem.tensors[tensor];
            if let Some(life) = lifetime.filter(|_| own.home.is_none()) {
                changes[life.start] += i128::from(own.size.get());
                changes[life.end] -= i128::from(own.size.get());
            }
        }
        let capacity = problem.capacities().ok().and_then(|left| left[0]);
        let capacity = capacity.map_or(i128::MAX, |bytes| i128::from(bytes.get()));
        let (mut live, mut n) = (0, 0);
        let mut n_tight = vec![0];
        for change in &changes[..problem.steps.len()] {
            live += change;
            n += usize::from(live > capacity);
            n_tight.push(n);
        }
        Self {
            problem,
            repeatable,
            uses,
            writers,
            n_tight,
        }
    }

    /// All gaps that computing again would close, where more is live than there is room for.
    fn closable(&self) -> Vec<Closable> {
        let mut closable = Vec::new();
        for (tensor, uses) in self.uses.iter().enumerate() {
            let own = &self.problem.tensors[tensor];
            for gap in uses.windows(2).filter(|_| own.home.is_none()) {
                let (from, before) = (gap[0], gap[1]);
                let is_tight = self.n_tight[before] > self.n_tight[from + 1];
                let mut chain = Vec::new();
                if is_tight && self.chain(tensor, before, &mut chain) {
                    let steps = chain.iter().map(|step| &self.problem.steps[*step]);
                    let again = steps.map(|step| step_cost(self.problem, step) as f64);
                    closable.push(Closable {
                        before,
                        again: again.sum(),
                        link: self.link_cost(tensor) as f64,
                        chain,
                    });
                }
            }
        }
        closable
    }

    /// Cycles of copying a tensor away and back.
    fn link_cost(&self, tensor: usize) -> u64 {
        let size = self.problem.tensors[tensor].size;
        let (device, host) = (LevelId::new(0), LevelId::new(1));
        let hierarchy = &self.problem.hierarchy;
        let out = transfer_cost(hierarchy, size, device, host);
        out.saturating_add(transfer_cost(hierarchy, size, host, device))
    }

    /// The steps that compute a tensor again in front of a step. Returns whether that can be.
    fn chain(&self, tensor: usize, before: usize, chain: &mut Vec<usize>) -> bool {
        // What has to stay as it is may be in use by what goes on beside the steps.
        let own = &self.problem.tensors[tensor];
        if !own.can_move_before(before) || own.carried_around(before).is_some() {
            return false;
        }
        // From the last step on that leaves nothing of what was there.
        let written = self.writers[tensor].partition_point(|step| *step < before);
        let writers = &self.writers[tensor][..written];
        let is_new = |step: &usize| {
            let mut uses = self.problem.steps[*step].uses.iter();
            let own = uses.find(|used| used.tensor == tensor);
            own.is_some_and(|used| used.writes_all && used.reads == Bytes::ZERO)
        };
        let Some(first) = writers.iter().rposition(is_new) else {
            return false;
        };
        for producer in &writers[first..] {
            if chain.contains(producer) {
                continue;
            }
            let is_again = self.is_repeatable(*producer, tensor)
                && self.can_be_in_front_of(before, *producer)
                && chain.len() < CHAINS[CHAINS.len() - 1];
            if !is_again {
                return false;
            }
            chain.push(*producer);
            let operands = self.problem.steps[*producer].uses.iter();
            let mut operands = operands.filter(|used| used.tensor != tensor);
            if !operands.all(|used| self.is_there(used, *producer, before, chain)) {
                return false;
            }
        }
        true
    }

    /// Whether an operand of a step is the same in front of another, or can be again.
    fn is_there(
        &self,
        used: &TensorUse,
        producer: usize,
        before: usize,
        chain: &mut Vec<usize>,
    ) -> bool {
        let writers = &self.writers[used.tensor];
        let is_changed = writers.iter().any(|step| (producer..before).contains(step));
        if is_changed {
            return false;
        }
        // What is used later is there, or comes back for that.
        let is_alive = self.uses[used.tensor]
            .last()
            .is_some_and(|last| *last >= before);
        let is_home = self.problem.tensors[used.tensor].home.is_some();
        is_home || is_alive || self.chain(used.tensor, before, chain)
    }

    /// Whether a step writes one tensor only, and all of it: what is written in parts is not known well enough.
    fn is_repeatable(&self, step: usize, tensor: usize) -> bool {
        let mut uses = self.problem.steps[step].uses.iter();
        let size = self.problem.tensors[tensor].size;
        let is_pure = |used: &TensorUse| match used.tensor == tensor {
            true => used.writes == size,
            false => used.writes == Bytes::ZERO,
        };
        self.repeatable.get(step).copied().unwrap_or(false) && uses.all(is_pure)
    }

    /// Both run once, in the same block: what loops do is not repeated.
    fn can_be_in_front_of(&self, before: usize, producer: usize) -> bool {
        let runs_once = |step: usize| self.problem.steps[step].repeats <= 1;
        let blocks = &self.problem.blocks;
        runs_once(before) && runs_once(producer) && blocks.get(before) == blocks.get(producer)
    }
}

/// The problem with steps repeated.
#[must_use]
pub fn repeated(problem: &LevelProblem, repetitions: &[Repetition]) -> LevelProblem {
    let mut extended = problem.clone();
    extended.steps.clear();
    extended.blocks.clear();
    let mut next = repetitions.iter().peekable();
    // By step, and behind the last: its new number.
    let mut numbers = Vec::with_capacity(problem.steps.len() + 1);
    for step in 0..=problem.steps.len() {
        let block = problem.blocks.get(step).copied();
        while let Some(repetition) = next.next_if(|next| next.before == step) {
            let mut again = problem.steps[repetition.step].clone();
            for used in &mut again.uses {
                used.takes_over = None;
            }
            extended.steps.push(again);
            extended.blocks.extend(block);
        }
        numbers.push(extended.steps.len());
        extended.steps.extend(problem.steps.get(step).cloned());
        extended.blocks.extend(block);
    }
    let moved = |steps: Interval<usize>| {
        let end = |end: usize| match end.checked_sub(1) {
            Some(last) => numbers[last.min(problem.steps.len())] + 1,
            None => 0,
        };
        Interval::new(numbers[steps.start], end(steps.end))
    };
    for tensor in &mut extended.tensors {
        tensor.frozen = tensor.frozen.iter().map(|frozen| moved(*frozen)).collect();
        tensor.within = tensor.within.map(moved);
    }
    // Bytes that an operand leaves are only taken over where it still dies.
    let lifetimes = extended.lifetimes();
    for (step, at) in extended.steps.iter_mut().enumerate() {
        let dies = |index: usize, uses: &[TensorUse]| {
            let tensor = uses.get(index).map(|used| used.tensor);
            tensor
                .and_then(|tensor| lifetimes[tensor])
                .is_some_and(|life| life.end == step + 1)
        };
        let uses = at.uses.clone();
        for used in &mut at.uses {
            used.takes_over = used.takes_over.filter(|operand| dies(*operand, &uses));
        }
    }
    extended
}
