//! The cheapest plan of a small problem, by exhaustive search with pruning.
//!
//! Best-first search (A*: Hart, Nilsson, Raphael, 1968) over the locations of all tensors before
//! each step. A step runs with its operands in any levels that it accepts; before it, any tensor
//! may be copied to any free address, or dropped. The heuristic is the cost of the remaining steps
//! with each operand in the fastest level that its step accepts. It never overestimates, so the
//! first complete plan is the cheapest under the serial cost model.
//!
//! Addresses are multiples of a common divisor of all sizes and of the alignments that matter; in
//! unbounded levels, only the lowest free one is tried. Programs with loops are refused, and so are
//! those that take more than a given number of states.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::assemble::take_along;
use super::tuning;
use crate::numbers::gcd;
use mem_cost::{repeats_before, serial_cost, transfer_cost, use_cost};
use mem_model::{
    Bytes, Interval, LevelId, LevelPlacement, LevelPlan, LevelProblem, PlacementId, Tensor,
    TensorId, TensorUse, Transfer,
};

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
    /// Locations of the operands: the level of each, and its entry in the state.
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
            if cost >= *least {
                continue;
            }
            *least = cost;
            if nodes.len() >= max_states {
                return None;
            }
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
        let has_loops = problem
            .tensors
            .iter()
            .any(|tensor| !tensor.frozen.is_empty() || tensor.within.is_some());
        if has_loops || problem.blocks.windows(2).any(|two| two[0] != two[1]) {
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
                !own.is_result || self.at(state, TensorId::new(tensor), home.index()) == Spot::Home
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
        let step = of_level.max(own.alignment).get().max(self.unit);
        let busy = self.busy(state, level);
        let is_free = |at: &u64| {
            let mut busy = busy.iter();
            busy.all(|(start, end)| *end <= *at || at + size <= *start)
        };
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
            if is_fresh {
                with = self.with(&with, tensor, from, Spot::Home);
            }
            next.push((cost, step, with, Action::Copy { tensor, from, to }));
        }
    }

    /// Transitions that execute the next step, with its operands in all possible locations.
    fn run(&self, step: usize, state: &State, next: &mut Vec<Next>) {
        let at = &self.problem.steps[step];
        let mut ways: Vec<Way> = vec![(at.cycles, state.clone(), Vec::new())];
        for used in &at.uses {
            let mut more = Vec::new();
            for (cost, state, levels) in &ways {
                for level in (0..self.n_levels).filter(|l| used.accepts(LevelId::new(*l))) {
                    let cycles = use_cost(&self.problem.hierarchy, used, LevelId::new(level));
                    for state in self.used_in(step, used, state, level) {
                        let mut levels = levels.clone();
                        levels.push((level, self.at(&state, used.tensor, level)));
                        more.push((cost.saturating_add(cycles), state, levels));
                    }
                }
            }
            ways = more;
        }
        for (cost, mut state, levels) in ways {
            self.finish_step(step, &levels, &mut state);
            let cost = cost.saturating_mul(at.repeats.max(1));
            next.push((cost, step + 1, state, Action::Run(levels)));
        }
    }

    /// Updates a state after a step whose operands are at `levels`.
    fn finish_step(&self, step: usize, levels: &[(usize, Spot)], state: &mut State) {
        // All operands have been read; a write makes the other copies stale.
        for (used, (level, _)) in self.problem.steps[step].uses.iter().zip(levels) {
            let own = &mut state[self.slot(used.tensor, 0)..][..self.n_levels];
            for spot in own.iter_mut().filter(|spot| **spot == Spot::FreshHome) {
                *spot = Spot::Home;
            }
            for other in (0..self.n_levels).filter(|other| other != level) {
                if used.writes > Bytes::ZERO {
                    own[other] = Spot::Nowhere;
                }
            }
        }
        for (tensor, own) in self.problem.tensors.iter().enumerate() {
            if self.dies[tensor] == step + 1 && !own.is_result {
                let first = self.slot(TensorId::new(tensor), 0);
                state[first..][..self.n_levels].fill(Spot::Nowhere);
            }
        }
    }

    /// States in which a step can access an operand in a level.
    fn used_in(&self, step: usize, used: &TensorUse, state: &State, level: usize) -> Vec<State> {
        let tensor = used.tensor;
        let is_defined = self.defined[tensor.index()].is_some_and(|defined| defined <= step);
        if self.at(state, tensor, level) != Spot::Nowhere {
            return vec![state.clone()];
        }
        if is_defined && used.needs_content() {
            return Vec::new();
        }
        let home = self.problem.tensors[tensor.index()].home;
        if home.is_some_and(|home| home.index() == level) {
            return vec![self.with(state, tensor, level, Spot::Home)];
        }
        let free = self.free(state, tensor, level).into_iter();
        free.map(|address| self.with(state, tensor, level, Spot::At(address)))
            .collect()
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

/// A plan under construction from a sequence of actions.
struct Replay<'a> {
    search: &'a Search<'a>,
    plan: LevelPlan,
    /// Indexed by tensor and level: the open placement.
    open: Vec<Option<PlacementId>>,
}

impl<'a> Replay<'a> {
    fn new(search: &'a Search) -> Self {
        let n_slots = search.problem.tensors.len() * search.n_levels;
        let plan = LevelPlan::at_home(search.problem);
        let mut open = vec![None; n_slots];
        for (placement, own) in plan.placements.iter().enumerate() {
            open[search.slot(own.tensor, own.level.index())] = Some(PlacementId::new(placement));
        }
        Self { search, plan, open }
    }

    /// Opens a placement at an address from a step on.
    fn add(&mut self, slot: usize, address: u64, step: usize) {
        self.open[slot] = Some(PlacementId::new(self.plan.placements.len()));
        self.plan.placements.push(LevelPlacement {
            tensor: TensorId::new(slot / self.search.n_levels),
            level: LevelId::new(slot % self.search.n_levels),
            offset: Some(Bytes::new(address)),
            steps: Interval::new(step, self.search.problem.steps.len() + 1),
        });
    }

    /// Ends the placement in a slot, unless it is a home.
    fn close(&mut self, slot: usize, step: usize) {
        let known =
            self.open[slot].filter(|known| self.plan.placements[known.index()].offset.is_some());
        if let Some(known) = known {
            self.plan.placements[known.index()].steps.end = step;
            self.open[slot] = None;
        }
    }

    fn play(&mut self, step: usize, action: &Action, after: &State) {
        match action {
            Action::Forget => self.close_all(after, step),
            Action::Copy { tensor, from, to } => self.copy(step, (*tensor, *from, *to), after),
            Action::Run(operands) => {
                self.access(step, operands);
                // What the step made stale still exists while it runs.
                self.close_all(after, step + 1);
            }
        }
    }

    /// Ends the placements of all copies that a state no longer has.
    fn close_all(&mut self, after: &State, step: usize) {
        for slot in (0..after.len()).filter(|slot| after[*slot] == Spot::Nowhere) {
            self.close(slot, step);
        }
    }

    fn copy(&mut self, step: usize, (tensor, from, to): (TensorId, usize, usize), after: &State) {
        let [from, to] = [from, to].map(|level| self.search.slot(tensor, level));
        // Read first: within one level, the target replaces the source.
        let source = self.open[from];
        self.close(to, step);
        if let Spot::At(address) = after[to] {
            self.add(to, address, step);
        }
        if let (Some(from), Some(to)) = (source, self.open[to]) {
            self.plan.transfers.push(Transfer {
                before: step,
                from,
                to,
                keeps_source: true,
                until: step,
            });
        }
    }

    /// Records the placements that a step accesses, and opens those of new tensors.
    fn access(&mut self, step: usize, operands: &[(usize, Spot)]) {
        let uses = self.search.problem.steps[step].uses.iter().zip(operands);
        let mut accessed = Vec::new();
        for (used, (level, spot)) in uses {
            let slot = self.search.slot(used.tensor, *level);
            if let (None, Spot::At(address)) = (self.open[slot], spot) {
                self.add(slot, *address, step);
            }
            accessed.extend(self.open[slot]);
        }
        self.plan.accessed.push(accessed);
    }

    fn finish(mut self) -> LevelPlan {
        take_along(&mut self.plan);
        self.plan.cost = serial_cost(self.search.problem, &self.plan);
        self.plan
    }
}
