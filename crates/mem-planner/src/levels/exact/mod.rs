//! The cheapest plan of a small problem, by exhaustive search with pruning.
//!
//! Best-first search (A*: Hart, Nilsson, Raphael, 1968) over the locations of all tensors before
//! each step. A step runs with its operands in any levels that it accepts; before it, any tensor
//! may be copied to any free address, or dropped. The heuristic is the cost of the remaining steps
//! with each operand in the fastest level that its step accepts. It never overestimates, so the
//! first complete plan is the cheapest under the serial cost model.
//!
//! Addresses are multiples of a common divisor of all sizes and of the alignments that matter; in
//! unbounded levels, only the lowest free one is tried, and that of an operand whose bytes a result
//! may take over. Programs with loops are refused, and so are those that take more than a given
//! number of states.

mod replay;

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use self::replay::Replay;
use crate::levels::tuning;
use crate::numbers::gcd;
use crate::observe;
use mem_cost::{repeats_before, transfer_cost, use_cost};
use mem_model::{Bytes, LevelId, LevelPlan, LevelProblem, LevelStep, Tensor, TensorId, TensorUse};

/// Where the copy of a tensor in one level is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Spot {
    /// No copy is there, or only a stale one.
    Nowhere,
    /// A valid copy at home, which takes no room.
    Home,
    /// At home, and the first copy from there is free.
    FreshHome,
    /// A valid copy at an address.
    At(u64),
}

/// Indexed by tensor and level.
type State = Vec<Spot>;

/// Transition between two states.
#[derive(Clone, Debug)]
enum Action {
    Copy {
        tensor: TensorId,
        from: usize,
        to: usize,
    },
    Forget,
    /// Locations of the operands, in the order of the step's uses: the level of each, and its entry
    /// in the state.
    Run(Vec<(usize, Spot)>),
}

/// Transition: cycles, step and state after it, and action.
type Next = (u64, usize, State, Action);

/// A partial execution of a step: cycles, the state, and the locations of the operands so far.
type Way = (u64, State, Vec<(usize, Spot)>);

struct Node {
    state: State,
    step: usize,
    cost: u64,
    /// The predecessor, and the action that leads here.
    from: Option<(usize, Action)>,
}

struct Search<'a> {
    problem: &'a LevelProblem,
    n_levels: usize,
    /// Per level; `None`: unbounded.
    capacities: Vec<Option<u64>>,
    /// Per tensor: the step after its last use.
    dies: Vec<usize>,
    /// Per tensor: the step after its first write; 0 if it exists before the program, `None` if it is
    /// never written.
    defined: Vec<Option<usize>>,
    /// Divisor of all addresses.
    unit: u64,
}

/// The cheapest plan; `None` if there is none, or if the program has loops, too many addresses, or
/// more than `max_states` states.
pub(super) fn cheapest(problem: &LevelProblem, max_states: usize) -> Option<LevelPlan> {
    let search = Search::new(problem)?;
    let estimate = search.estimates();
    let mut nodes = vec![Node {
        state: search.start(),
        step: 0,
        cost: 0,
        from: None,
    }];
    let mut known: HashMap<(usize, State), u64> = HashMap::new();
    let mut heap = BinaryHeap::from([Reverse((estimate[0], 0_usize))]);
    while let Some(Reverse((_, index))) = heap.pop() {
        let (step, cost) = (nodes[index].step, nodes[index].cost);
        let state = nodes[index].state.clone();
        let seen = known.get(&(step, state.clone()));
        // A cheaper path to the same state has been found since.
        if seen.is_some_and(|least| *least < cost) {
            continue;
        }
        // The estimate never exceeds the true cost, so no other plan is cheaper.
        if step == problem.steps.len() && search.is_done(&state) {
            return Some(search.plan(&nodes, index));
        }
        for (more, step, state, action) in search.next(step, &state) {
            let cost = cost.saturating_add(more);
            let least = known.entry((step, state.clone())).or_insert(u64::MAX);
            // Equal states have the same future, so of equal costs the first one suffices.
            if cost >= *least {
                continue;
            }
            *least = cost;
            if nodes.len() >= max_states || observe::is_stopped() {
                return None;
            }
            // The index breaks ties, so that the search is deterministic.
            heap.push(Reverse((cost.saturating_add(estimate[step]), nodes.len())));
            nodes.push(Node {
                state,
                step,
                cost,
                from: Some((index, action)),
            });
        }
    }
    None
}

/// Per tensor: the first step before which it has contents, if there is one.
fn defined(problem: &LevelProblem) -> Vec<Option<usize>> {
    let tensors = problem.tensors.iter();
    let mut defined: Vec<_> = tensors.map(|own| own.home.map(|_| 0)).collect();
    for (step, at) in problem.steps.iter().enumerate() {
        for used in at.uses.iter().filter(|used| used.writes > Bytes::ZERO) {
            // Steps are visited in order, so the first write is known already.
            defined[used.tensor.index()].get_or_insert(step + 1);
        }
    }
    defined
}

/// Whether a number of bytes from an address on overlap none of some ranges.
fn is_free(busy: &[(u64, u64)], at: u64, size: u64) -> bool {
    let mut busy = busy.iter();
    busy.all(|(start, end)| *end <= at || at + size <= *start)
}

/// Common divisor of all addresses that matter: with all tensors pushed down, each is at a sum of
/// sizes rounded up to alignments.
fn unit(problem: &LevelProblem) -> u64 {
    let sizes = problem.tensors.iter().map(|tensor| tensor.size.get());
    let sizes = sizes.fold(0, gcd).max(1);
    let of_levels = problem.hierarchy.levels.iter().map(|level| level.alignment);
    let of_tensors = problem.tensors.iter().map(|tensor| tensor.alignment);
    let mut alignments: Vec<u64> = of_levels.chain(of_tensors).map(Bytes::get).collect();
    // Alignments that divide all sizes require no padding.
    alignments.retain(|alignment| *alignment > 0 && !sizes.is_multiple_of(*alignment));
    alignments.into_iter().fold(sizes, gcd)
}

impl<'a> Search<'a> {
    fn new(problem: &'a LevelProblem) -> Option<Self> {
        // Transitions check neither where a tensor is frozen nor where blocks end.
        let has_loops = problem
            .tensors
            .iter()
            .any(|tensor| !tensor.frozen.is_empty() || tensor.within.is_some());
        if has_loops || problem.blocks.windows(2).any(|two| two[0] != two[1]) {
            return None;
        }
        // Which of two writes to the same bytes is last is not modelled.
        let is_odd = |step: &LevelStep| {
            let mut pairs = step
                .uses
                .iter()
                .filter_map(|used| Some((used, used.takes_over?)));
            pairs.any(|(used, operand)| {
                used.writes == Bytes::ZERO || step.uses[operand].writes > Bytes::ZERO
            })
        };
        if problem.steps.iter().any(is_odd) {
            return None;
        }
        let capacities = problem.capacities().ok()?;
        let capacities: Vec<_> = capacities.into_iter().map(|c| c.map(Bytes::get)).collect();
        let unit = unit(problem);
        let mut bounded = capacities.iter().flatten();
        if bounded.any(|capacity| capacity / unit > tuning::MAX_ADDRESSES) {
            return None;
        }
        let lifetimes = problem.lifetimes().into_iter();
        Some(Self {
            problem,
            n_levels: problem.hierarchy.levels.len(),
            capacities,
            dies: lifetimes
                .map(|life| life.map_or(0, |life| life.end))
                .collect(),
            defined: defined(problem),
            unit,
        })
    }

    /// The state before the program: homes hold their tensors.
    fn start(&self) -> State {
        let mut state = vec![Spot::Nowhere; self.problem.tensors.len() * self.n_levels];
        for (tensor, own) in self.problem.tensors.iter().enumerate() {
            if let Some(home) = own.home {
                // A state of its own, since the first load is free only once.
                state[self.slot(TensorId::new(tensor), home.index())] = match own.is_preloaded {
                    true => Spot::FreshHome,
                    false => Spot::Home,
                };
            }
        }
        state
    }

    /// Per step: lower bound on the cost of it and all later steps.
    fn estimates(&self) -> Vec<u64> {
        let mut estimates = vec![0_u64; self.problem.steps.len() + 1];
        for (step, at) in self.problem.steps.iter().enumerate().rev() {
            let fastest = |used: &TensorUse| {
                let levels = (0..self.n_levels).map(LevelId::new);
                let accepted = levels.filter(|level| used.accepts(*level));
                let costs = accepted.map(|level| use_cost(&self.problem.hierarchy, used, level));
                costs.min().unwrap_or(0)
            };
            let uses = at.uses.iter().map(fastest);
            let cycles = uses.fold(at.cycles, u64::saturating_add);
            let own = cycles.saturating_mul(at.repeats.max(1));
            estimates[step] = estimates[step + 1].saturating_add(own);
        }
        estimates
    }

    fn is_done(&self, state: &State) -> bool {
        let mut tensors = self.problem.tensors.iter().enumerate();
        tensors.all(|(tensor, own)| match own.home {
            Some(home) => {
                let spot = self.at(state, TensorId::new(tensor), home.index());
                !own.is_result || matches!(spot, Spot::Home | Spot::FreshHome)
            }
            None => true,
        })
    }

    /// Index of a tensor's copy in a level, in a [`State`].
    fn slot(&self, tensor: TensorId, level: usize) -> usize {
        tensor.index() * self.n_levels + level
    }

    fn at(&self, state: &State, tensor: TensorId, level: usize) -> Spot {
        state[self.slot(tensor, level)]
    }

    fn with(&self, state: &State, tensor: TensorId, level: usize, spot: Spot) -> State {
        let mut state = state.clone();
        state[self.slot(tensor, level)] = spot;
        state
    }

    /// Free addresses of a level for a tensor; only the lowest in unbounded levels, where all others
    /// would be as good.
    fn free(&self, state: &State, tensor: TensorId, level: usize) -> Vec<u64> {
        let own = &self.problem.tensors[tensor.index()];
        let size = own.size.get();
        let of_level = self.problem.hierarchy.levels[level].alignment;
        // Alignments are powers of two, so `unit` divides this one or is a multiple of it.
        let step = of_level.max(own.alignment).get().max(self.unit);
        let busy = self.busy(state, level);
        let is_free = |at: &u64| is_free(&busy, *at, size);
        match self.capacities[level] {
            Some(capacity) => {
                let Some(last) = capacity.checked_sub(size) else {
                    return Vec::new();
                };
                let all = (0..=last).step_by(usize::try_from(step).unwrap_or(usize::MAX));
                all.filter(is_free).collect()
            }
            None => {
                let ends = busy.iter().map(|(_, end)| end.next_multiple_of(step));
                let lowest = std::iter::once(0).chain(ends).filter(is_free).min();
                lowest.into_iter().collect()
            }
        }
    }

    /// Whether a tensor fits at an address of a level.
    fn free_at(&self, state: &State, tensor: TensorId, level: usize, address: u64) -> bool {
        let own = &self.problem.tensors[tensor.index()];
        let size = own.size.get();
        let alignment = self.problem.hierarchy.levels[level]
            .alignment
            .max(own.alignment);
        address.is_multiple_of(alignment.get().max(1))
            && self.capacities[level].is_none_or(|capacity| address + size <= capacity)
            && is_free(&self.busy(state, level), address, size)
    }

    /// Address ranges of a level that are in use.
    fn busy(&self, state: &State, level: usize) -> Vec<(u64, u64)> {
        let tensors = self.problem.tensors.iter().enumerate();
        let range =
            |(tensor, own): (usize, &Tensor)| match self.at(state, TensorId::new(tensor), level) {
                Spot::At(start) if own.size > Bytes::ZERO => Some((start, start + own.size.get())),
                _ => None,
            };
        tensors.filter_map(range).collect()
    }

    /// All transitions from a state.
    fn next(&self, step: usize, state: &State) -> Vec<Next> {
        let mut next = Vec::new();
        for tensor in (0..self.problem.tensors.len()).map(TensorId::new) {
            self.transfers(step, state, tensor, &mut next);
        }
        if step < self.problem.steps.len() {
            self.run(step, state, &mut next);
        }
        next
    }

    /// Transitions that add or drop one copy of a tensor.
    fn transfers(&self, step: usize, state: &State, tensor: TensorId, next: &mut Vec<Next>) {
        let own = &self.problem.tensors[tensor.index()];
        // A result lives on until it is home. A tensor without uses never has to move.
        let is_over =
            self.dies[tensor.index()] <= step && !own.is_result || self.dies[tensor.index()] == 0;
        let is_defined = self.defined[tensor.index()].is_some_and(|defined| defined <= step);
        for from in 0..self.n_levels {
            let source = self.at(state, tensor, from);
            if let Spot::At(_) = source {
                let without = self.with(state, tensor, from, Spot::Nowhere);
                next.push((0, step, without, Action::Forget));
            }
            // Copies without contents, or of a dead tensor, only cost.
            if source == Spot::Nowhere || is_over || !is_defined {
                continue;
            }
            for to in (0..self.n_levels).filter(|to| *to != from) {
                if self.at(state, tensor, to) == Spot::Nowhere {
                    self.copies(step, state, (tensor, from, to), next);
                }
            }
            // To another address in the same level.
            if let Spot::At(_) = source {
                self.copies(step, state, (tensor, from, from), next);
            }
        }
    }

    /// Transitions that copy a tensor from one level to another, or to itself, if the levels are
    /// connected.
    fn copies(
        &self,
        step: usize,
        state: &State,
        (tensor, from, to): (TensorId, usize, usize),
        next: &mut Vec<Next>,
    ) {
        let own = &self.problem.tensors[tensor.index()];
        let (hierarchy, ids) = (
            &self.problem.hierarchy,
            (LevelId::new(from), LevelId::new(to)),
        );
        if !hierarchy.connects(ids.0, ids.1) {
            return;
        }
        let is_fresh = self.at(state, tensor, from) == Spot::FreshHome;
        let cost = transfer_cost(hierarchy, own.size, ids.0, ids.1);
        let times = repeats_before(self.problem, tensor, step);
        let cost = cost.saturating_mul(times - u64::from(is_fresh));
        // A move within the home's level leads to another address there, not to the home.
        let is_home = from != to && own.home.is_some_and(|home| home.index() == to);
        let spots: Vec<Spot> = match is_home {
            true => vec![Spot::Home],
            false => {
                let free = self.free(state, tensor, to).into_iter();
                free.map(Spot::At).collect()
            }
        };
        for spot in spots {
            let mut with = self.with(state, tensor, to, spot);
            // The free load is used up.
            if is_fresh {
                with = self.with(&with, tensor, from, Spot::Home);
            }
            next.push((cost, step, with, Action::Copy { tensor, from, to }));
        }
    }

    /// Transitions that execute the next step, with its operands in all possible locations.
    fn run(&self, step: usize, state: &State, next: &mut Vec<Next>) {
        let at = &self.problem.steps[step];
        let nowhere = vec![(0, Spot::Nowhere); at.uses.len()];
        let mut ways: Vec<Way> = vec![(at.cycles, state.clone(), nowhere)];
        // A result that takes over an operand's bytes needs to know where the operand is accessed.
        let mut order: Vec<usize> = (0..at.uses.len()).collect();
        order.sort_by_key(|position| at.uses[*position].takes_over.is_some());
        for position in order {
            let used = &at.uses[position];
            let mut more = Vec::new();
            // Each way has a state of its own: the address of one operand is not free for the next.
            for (cost, state, spots) in &ways {
                for level in (0..self.n_levels).filter(|l| used.accepts(LevelId::new(*l))) {
                    let cycles = use_cost(&self.problem.hierarchy, used, LevelId::new(level));
                    for state in self.used_in((step, used), state, level, spots) {
                        let mut spots = spots.clone();
                        spots[position] = (level, self.at(&state, used.tensor, level));
                        more.push((cost.saturating_add(cycles), state, spots));
                    }
                }
            }
            ways = more;
        }
        for (cost, mut state, spots) in ways {
            self.finish_step(step, &spots, &mut state);
            let cost = cost.saturating_mul(at.repeats.max(1));
            next.push((cost, step + 1, state, Action::Run(spots)));
        }
    }

    /// Updates a state after a step whose operands are at `levels`.
    fn finish_step(&self, step: usize, levels: &[(usize, Spot)], state: &mut State) {
        // All operands have been read; a write makes the other copies stale.
        for (used, (level, _)) in self.problem.steps[step].uses.iter().zip(levels) {
            let own = &mut state[self.slot(used.tensor, 0)..][..self.n_levels];
            // Only a load before the first use is free.
            for spot in own.iter_mut().filter(|spot| **spot == Spot::FreshHome) {
                *spot = Spot::Home;
            }
            for other in (0..self.n_levels).filter(|other| other != level) {
                if used.writes > Bytes::ZERO {
                    own[other] = Spot::Nowhere;
                }
            }
        }
        for (used, result) in self.problem.steps[step].uses.iter().zip(levels) {
            // The result has overwritten the copy whose bytes it took over. Homes are disjoint.
            if let (Some(operand), (level, Spot::At(_))) = (used.takes_over, result)
                && levels[operand] == *result
            {
                let tensor = self.problem.steps[step].uses[operand].tensor;
                state[self.slot(tensor, *level)] = Spot::Nowhere;
            }
        }
        for (tensor, own) in self.problem.tensors.iter().enumerate() {
            // Copies of a dead tensor can only be in the way.
            if self.dies[tensor] == step + 1 && !own.is_result {
                let first = self.slot(TensorId::new(tensor), 0);
                state[first..][..self.n_levels].fill(Spot::Nowhere);
            }
        }
    }

    /// States in which a step can access an operand in a level. `spots`: the locations of the
    /// operands before it.
    fn used_in(
        &self,
        (step, used): (usize, &TensorUse),
        state: &State,
        level: usize,
        spots: &[(usize, Spot)],
    ) -> Vec<State> {
        let tensor = used.tensor;
        let is_defined = self.defined[tensor.index()].is_some_and(|defined| defined <= step);
        if self.at(state, tensor, level) != Spot::Nowhere {
            return vec![state.clone()];
        }
        if is_defined && used.needs_content() {
            return Vec::new();
        }
        let home = self.problem.tensors[tensor.index()].home;
        // The step writes the home, which takes no address.
        if home.is_some_and(|home| home.index() == level) {
            return vec![self.with(state, tensor, level, Spot::Home)];
        }
        let mut free = self.free(state, tensor, level);
        let taken = self.taken_over((step, used), state, level, spots);
        free.extend(taken.filter(|address| !free.contains(address)));
        let states = free.into_iter();
        states
            .map(|address| self.with(state, tensor, level, Spot::At(address)))
            .collect()
    }

    /// Returns the address of the operand whose bytes a result may take over, if the result fits
    /// there.
    fn taken_over(
        &self,
        (step, used): (usize, &TensorUse),
        state: &State,
        level: usize,
        spots: &[(usize, Spot)],
    ) -> Option<u64> {
        let operand = used.takes_over?;
        let (of, Spot::At(address)) = spots[operand] else {
            return None;
        };
        let operand = self.problem.steps[step].uses[operand].tensor;
        // Only the copy that the step accesses, and not if another result has taken it over.
        let without = self.with(state, operand, of, Spot::Nowhere);
        let is_free = of == level && self.free_at(&without, used.tensor, level, address);
        is_free.then_some(address)
    }

    /// The plan that the actions up to a node make.
    fn plan(&self, nodes: &[Node], last: usize) -> LevelPlan {
        let mut way = Vec::new();
        let mut at = last;
        while let Some((before, action)) = &nodes[at].from {
            way.push((nodes[*before].step, action, &nodes[at].state));
            at = *before;
        }
        let mut replay = Replay::new(self);
        for (step, action, state) in way.into_iter().rev() {
            replay.play(step, action, state);
        }
        replay.finish()
    }
}
