//! Whether what a write leaves may be read: a forward search over the control-flow graph that
//! follows every path from the write until the bytes are guaranteed to be overwritten.
//!
//! The search runs only for writes below weak writes. All searches together visit a number of
//! accesses and blocks that is linear in the program. Beyond that budget, the answer is yes, and a
//! limit is recorded.

use std::collections::VecDeque;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_model::{AccessKind, BlockId, Interval, IntervalSet, StepId};

use super::view::Context;
use super::{Dependence, Limit, Target, constant_hull};

/// Budget that all searches share: accesses and blocks visited per access of the program.
const VISITS_PER_ACCESS: usize = 64;

pub(super) struct Forward<'f, 'a> {
    of: &'f Dependence<'a>,
    /// Indexed by variable: the accesses that may touch it, ascending; computed on first use.
    touching: Option<HashMap<u32, Vec<u32>>>,
    /// Indexed by buffer: the steps that allocate it, ascending; computed on first use.
    allocations: Option<Vec<Vec<u32>>>,
    visits_left: usize,
}

/// Bytes and conditions still searched for at one position.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    context: Context,
    /// Bytes not overwritten yet, if the write has one exact target.
    left: Option<IntervalSet<u64>>,
}

/// Outcome of a state.
enum Fate {
    Read,
    Overwritten,
    Goes(State),
}

impl<'f, 'a> Forward<'f, 'a> {
    pub(super) fn new(of: &'f Dependence<'a>) -> Self {
        let n_accesses = of.states.step_of.len();
        Self {
            of,
            touching: None,
            allocations: None,
            visits_left: VISITS_PER_ACCESS * n_accesses + 10_000,
        }
    }

    /// Whether the bytes that definition `number` writes may be read.
    pub(super) fn may_be_read(&mut self, number: u32) -> bool {
        let access = self.of.access(number);
        // An asynchronous write may land at any time after its step: conservatively live.
        if access.token().is_some() {
            return true;
        }
        let mut search = self.start(number);
        let is_read = search.run(self);
        let Some(is_read) = is_read else {
            let id = self.of.id(number);
            self.of.limits.borrow_mut().insert(Limit::Liveness(id));
            return true;
        };
        is_read
    }

    fn start(&mut self, number: u32) -> PathSearch {
        let access = self.of.access(number);
        let own = self.of.targets(access.pointer, constant_hull(access));
        let exact = match own.as_slice() {
            [target] if target.exact => Some(*target),
            _ => None,
        };
        // Only for an exact target is it known which of its bytes a later write removes.
        let left = exact.map(|target| Dependence::bytes_of(access, &target).collect());
        let variables = self.of.variables_touched(access);
        let buffers = variables
            .iter()
            .map(|v| self.of.states.variables.buffer(*v));
        let is_visible = buffers.into_iter().any(|buffer| {
            let aliasing = self.of.program.buffers[buffer.index()].aliasing;
            aliasing.is_visible_outside()
        });
        PathSearch {
            number,
            variables,
            exact,
            is_visible,
            state: State {
                context: Context::of(access, &self.of.states.scope),
                left,
            },
            seen: HashSet::default(),
            pending: VecDeque::new(),
            visits_left: self.of.states.options.max_search,
        }
    }

    fn touching(&mut self) -> &HashMap<u32, Vec<u32>> {
        let of = self.of;
        self.touching.get_or_insert_with(|| {
            let mut touching: HashMap<u32, Vec<u32>> = HashMap::default();
            for number in 0..of.states.step_of.len() as u32 {
                for variable in of.variables_touched(of.access(number)) {
                    touching.entry(variable).or_default().push(number);
                }
            }
            touching
        })
    }

    fn allocations(&mut self) -> &[Vec<u32>] {
        let program = self.of.program;
        self.allocations.get_or_insert_with(|| {
            let mut allocations = vec![Vec::new(); program.buffers.len()];
            for (index, step) in program.steps.iter().enumerate() {
                for buffer in &step.allocates {
                    allocations[buffer.index()].push(index as u32);
                }
            }
            allocations
        })
    }

    /// The accesses in `range` that may touch one of `variables`, ascending.
    fn numbers(&mut self, variables: &[u32], range: Interval<u32>) -> Vec<u32> {
        let touching = self.touching();
        let mut numbers = Vec::new();
        for variable in variables {
            let all = touching.get(variable).map_or(&[][..], Vec::as_slice);
            let first = all.partition_point(|number| *number < range.start);
            let after = all.partition_point(|number| *number < range.end);
            numbers.extend_from_slice(&all[first..after.max(first)]);
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// An allocation that replaces an instance that was written.
#[derive(Clone, Copy)]
struct Reset {
    step: usize,
    /// Whether no name can denote the old instance any more. Otherwise the old instance counts as
    /// read.
    is_over: bool,
}

impl Reset {
    fn fate(self) -> Fate {
        match self.is_over {
            true => Fate::Overwritten,
            false => Fate::Read,
        }
    }
}

/// The search for the readers of one write.
struct PathSearch {
    number: u32,
    variables: Vec<u32>,
    exact: Option<Target>,
    is_visible: bool,
    state: State,
    seen: HashSet<(BlockId, State)>,
    /// Nearest to the write first: readers are near most of the time.
    pending: VecDeque<(BlockId, State)>,
    visits_left: usize,
}

impl PathSearch {
    /// Whether some path reads the write; `None` if the budget is exhausted.
    fn run(&mut self, forward: &mut Forward<'_, '_>) -> Option<bool> {
        let of = forward.of;
        let step = StepId::new(of.states.step_of[self.number as usize] as usize);
        let block = of.block_of(step);
        if !of.states.graph.is_reachable(block) {
            return Some(false);
        }
        let state = self.state.clone();
        match self.through(forward, block, self.number + 1, state)? {
            Fate::Read => return Some(true),
            Fate::Overwritten => {}
            Fate::Goes(state) => self.leave(forward, block, &state),
        }
        while let Some((block, state)) = self.pending.pop_front() {
            let first = of.program.blocks[block.index()].steps.start.index();
            let first = of.states.first_access[first];
            match self.through(forward, block, first, state)? {
                Fate::Read => return Some(true),
                Fate::Overwritten => {}
                Fate::Goes(state) => self.leave(forward, block, &state),
            }
        }
        Some(false)
    }

    /// Passes a state on to the successors of `block`.
    fn leave(&mut self, forward: &Forward<'_, '_>, block: BlockId, state: &State) {
        let of = forward.of;
        for edge in &of.program.blocks[block.index()].successors {
            let context = state
                .context
                .enter(edge.target, &of.states.scope, &of.states.graph);
            let left = state.left.clone();
            let state = State { context, left };
            // The same bytes and conditions at the same block have the same fate.
            if self.seen.insert((edge.target, state.clone())) {
                self.pending.push_back((edge.target, state));
            }
        }
    }

    /// Transfers a state from access `first` to the end of `block`.
    fn through(
        &mut self,
        forward: &mut Forward<'_, '_>,
        block: BlockId,
        first: u32,
        mut state: State,
    ) -> Option<Fate> {
        let of = forward.of;
        let steps = of.program.blocks[block.index()].steps;
        let after = of.states.first_access[steps.end.index()];
        let numbers = forward.numbers(&self.variables, Interval::new(first, after));
        let own_step = match first == self.number + 1 {
            true => Some(of.states.step_of[self.number as usize]),
            false => None,
        };
        let first_step = own_step.map_or(steps.start.index(), |step| step as usize + 1);
        let reset = self.reset(forward, Interval::new(first_step, steps.end.index()));
        self.pay(forward, 1)?;
        for of_step in numbers
            .chunk_by(|a, b| of.states.step_of[*a as usize] == of.states.step_of[*b as usize])
        {
            let step = of.states.step_of[of_step[0] as usize] as usize;
            if let Some(reset) = reset.filter(|reset| reset.step <= step) {
                return Some(reset.fate());
            }
            // All reads of a step precede its writes.
            for kind in [AccessKind::Use, AccessKind::Define] {
                // The step's own reads precede its write.
                if kind == AccessKind::Use && own_step == Some(step as u32) {
                    continue;
                }
                for &number in of_step.iter().filter(|n| of.access(**n).kind == kind) {
                    self.pay(forward, 1)?;
                    match self.meet(of, number, state) {
                        Fate::Goes(next) => state = next,
                        fate => return Some(fate),
                    }
                }
            }
        }
        if let Some(reset) = reset {
            return Some(reset.fate());
        }
        let is_end = of.program.blocks[block.index()].successors.is_empty();
        // Code outside may read the bytes after a return, or while control stays in a loop.
        if self.is_visible && (is_end || !of.states.graph.reaches_exit(block)) {
            return Some(Fate::Read);
        }
        Some(Fate::Goes(state))
    }

    /// The first of `steps` that makes a new instance of a buffer that was written.
    fn reset(&self, forward: &mut Forward<'_, '_>, steps: Interval<usize>) -> Option<Reset> {
        let of = forward.of;
        let buffers = self
            .variables
            .iter()
            .map(|v| of.states.variables.buffer(*v));
        let first = |buffer: mem_model::BufferId| {
            let all = &forward.allocations()[buffer.index()];
            let next = all.partition_point(|step| (*step as usize) < steps.start);
            let step = *all.get(next)? as usize;
            (step < steps.end).then_some(step)
        };
        let step = buffers.filter_map(first).min()?;
        let has_older =
            |v: &u32| of.states.variables.older[of.states.variables.buffer(*v).index()].is_some();
        let is_over = self.variables.len() == 1 && !self.variables.iter().any(has_older);
        Some(Reset { step, is_over })
    }

    /// Transfers a state over an access.
    fn meet(&self, of: &Dependence<'_>, number: u32, mut state: State) -> Fate {
        let access = of.access(number);
        if state.context.excludes(access) || self.is_elsewhere(of, number, &state) {
            return Fate::Goes(state);
        }
        if access.kind == AccessKind::Use {
            return Fate::Read;
        }
        // An asynchronous write may land only after a later read, so it ends nothing.
        if access.token().is_some() {
            return Fate::Goes(state);
        }
        // With several open conditions, it is unknown in which executions the write takes place.
        let Ok(open) = state.context.open_condition(access) else {
            return Fate::Goes(state);
        };
        let mut left = state.left.clone();
        if let Some(left) = &mut left
            && self.is_exact(of, number)
        {
            Dependence::sure_bytes_of(access).for_each(|bytes| left.remove(bytes));
        }
        let is_gone = left.as_ref().is_some_and(IntervalSet::is_empty);
        let covers = is_gone || state.context.is_covered_by(access);
        match open {
            None if covers => Fate::Overwritten,
            // The old bytes survive only in executions in which the condition fails.
            Some(literal) if covers => {
                state.context = state.context.assuming_not(literal, &of.states.scope);
                Fate::Goes(state)
            }
            None => {
                state.left = left;
                Fate::Goes(state)
            }
            Some(_) => Fate::Goes(state),
        }
    }

    /// Whether an access to the same variable touches none of the bytes that are left.
    fn is_elsewhere(&self, of: &Dependence<'_>, number: u32, state: &State) -> bool {
        let (Some(exact), Some(left)) = (self.exact, &state.left) else {
            return false;
        };
        // A write that may have hit other buffers may be read through those.
        if self.variables.len() > 1 {
            return false;
        }
        let access = of.access(number);
        let targets = of.targets(access.pointer, constant_hull(access));
        let touches_left = |target: &Target| {
            target.variable == exact.variable
                && Dependence::bytes_of(access, target).any(|b| left.within(b).next().is_some())
        };
        !targets.iter().any(touches_left)
    }

    fn is_exact(&self, of: &Dependence<'_>, number: u32) -> bool {
        let access = of.access(number);
        let targets = of.targets(access.pointer, constant_hull(access));
        match (self.exact, targets.as_slice()) {
            (Some(own), [target]) => target.exact && target.variable == own.variable,
            _ => false,
        }
    }

    fn pay(&mut self, forward: &mut Forward<'_, '_>, visits: usize) -> Option<()> {
        self.visits_left = self.visits_left.checked_sub(visits)?;
        forward.visits_left = forward.visits_left.checked_sub(visits)?;
        Some(())
    }
}

impl Dependence<'_> {
    /// The variables that an access may touch: its own targets, and for a definition also those of
    /// buffers that may share bytes with them.
    pub(super) fn variables_touched(&self, access: &super::Access) -> Vec<u32> {
        let targets = self.targets(access.pointer, constant_hull(access));
        let mut variables: Vec<u32> = targets.iter().map(|target| target.variable).collect();
        if access.kind == AccessKind::Define {
            for referent in self.states.referents.of(access.pointer) {
                let overlapping = self.states.overlaps.with(referent.buffer).iter();
                variables.extend(overlapping.flat_map(|buffer| self.states.variables.of(*buffer)));
            }
            variables.sort_unstable();
            variables.dedup();
        }
        variables
    }
}
