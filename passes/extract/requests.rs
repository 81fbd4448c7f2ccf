//! Requests: which bytes each wait for a request may end the access to, and whether every path has
//! one.
//!
//! A request is modeled as a name of the storage that it accesses, like a view. The result of the
//! operation that starts it denotes the storage of the operand. A request that an edge passes on (an
//! argument of a block, a value that a loop carries, a result of a loop or a branch) is a merge that the
//! edge binds, as a memref is. A wait reads all of the storage that its operand denotes, so lifetimes,
//! liveness around loops and checks of plans need to know nothing else of requests.
//!
//! That is sound if every request is waited for: each path from its start has to meet a wait through a
//! value that holds this request. [`Extractor::settle_requests`] follows each start through the control
//! flow graph with the set of values that hold the request then. An edge gives the request further names,
//! and takes away those that it binds to something else; the next execution of the start takes away the
//! name of its result. The request is lost if it has no name left, if the function ends, or where a loop
//! can never reach a wait: nothing would tell that the storage remains in use. The buffer of a lost request
//! is not planned. So is that of a request returned or passed to a call, unless a wait through another of its
//! values follows.
//!
//! A select gives the request a further name if its condition chooses it. Both outcomes are followed; further
//! selects in the same block, as executed once, that have the same condition have the same outcome. In the model,
//! the selected request denotes the storage of both, so that both are in use until the wait.
//!
//! Exponential in the number of names that one request has at once, which is small, and limited by
//! [`MAX_STATES`]; otherwise linear in blocks per start.

use rustc_hash::{FxBuildHasher, FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use mem_flow::UnplannableReason;
use mem_model::{Access, AccessKind, Binding, BlockId, Pointer, PointerId, PointerKind, StepId};

use super::{Escape, Extractor, Roots};
use crate::ir::mpi::{awaits_request, is_request, selects_request, starts_request};
use crate::ir::{Forwarded, Op, Value};

/// Maximum number of pairs of a block and a set of names that one request is followed through.
const MAX_STATES: usize = 10_000;

/// What a block does with requests.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// An operation starts the request that its result holds.
    Start(Op, Value),
    Wait(Value),
    /// The result holds the first request if the condition holds, and the second one otherwise.
    Select {
        condition: Value,
        requests: [Value; 2],
        result: Value,
    },
}

/// An edge that passes on requests.
struct Passed {
    target: BlockId,
    values: Vec<(Option<Value>, Value)>,
}

/// Requests of a function.
#[derive(Default)]
pub(super) struct Requests {
    /// Whether there are any.
    pub exist: bool,
    /// What each block does, in order.
    events: BTreeMap<BlockId, Vec<Event>>,
    /// The edges that leave each block.
    edges: BTreeMap<BlockId, Vec<Passed>>,
    /// The merge of each request that edges bind.
    merges: IndexMap<Value, PointerId, FxBuildHasher>,
    /// The steps of waits, and what they wait for.
    waits: Vec<(StepId, Value)>,
}

impl Extractor<'_> {
    /// Records what an operation of `block` does with a request.
    pub(super) fn note_request(&mut self, op: Op, block: BlockId) {
        if !self.requests.exist {
            return;
        }
        let event = if awaits_request(op) {
            Event::Wait(op.operand(0))
        } else if let Some(request) = request_of(op) {
            Event::Start(op, request)
        } else if selects_request(op) {
            Event::Select {
                condition: op.operand(0),
                requests: [op.operand(1), op.operand(2)],
                result: op.result(),
            }
        } else {
            return;
        };
        self.requests.events.entry(block).or_default().push(event);
    }

    /// Adds the step of a wait for a request.
    pub(super) fn lower_request_wait(&mut self, op: Op) {
        let request = op.operand(0);
        let tokens = self.roots.has_tokens().then(|| self.token(request));
        let step = StepId::new(self.steps.len());
        self.add_step(op).waits.extend(tokens);
        self.requests.waits.push((step, request));
    }

    /// Adds the step of a select between requests, whose result denotes the storage of either.
    pub(super) fn lower_request_choice(&mut self, op: Op) {
        let target = self.request_merge(op.result());
        let sources = [1, 2].map(|index| self.request_source(op.operand(index)));
        let mut sources = sources.to_vec();
        sources.dedup();
        self.add_step(op).bindings = vec![Binding { target, sources }].into();
    }

    /// Records which requests an edge passes on.
    pub(super) fn note_request_edge(&mut self, from: BlockId, target: BlockId, values: &Forwarded) {
        if !self.requests.exist {
            return;
        }
        let values = values.iter().copied();
        let values = values.filter(|(_, to)| is_request(to.ty())).collect();
        let edges = self.requests.edges.entry(from).or_default();
        edges.push(Passed { target, values });
    }

    /// The storage of a request that an edge passes on, whether or not the edges that bind the request are
    /// known yet.
    pub(super) fn request_source(&mut self, value: Value) -> PointerId {
        let is_of_function = || {
            let block = value.argument_block();
            block.is_some() && block == self.body_entry()
        };
        let is_bound = match value.owner() {
            Some(op) => op.regions().next().is_some(),
            None => !is_of_function(),
        };
        match is_bound {
            true => self.request_merge(value),
            false => self.request_pointer(value),
        }
    }

    /// The merge of a request that edges bind.
    pub(super) fn request_merge(&mut self, value: Value) -> PointerId {
        if let Some(known) = self.requests.merges.get(&value) {
            return *known;
        }
        let pointer = Pointer {
            name: self.unique_name(format!("request{}", self.pointers.len()).into()),
            kind: PointerKind::Merge,
            // As much as whatever it denotes.
            size: None,
        };
        // No value of the program holds the address.
        let merge = self.add_pointer(pointer, None);
        self.requests.merges.insert(value, merge);
        merge
    }

    /// The storage that a request denotes.
    pub(super) fn request_pointer(&mut self, value: Value) -> PointerId {
        let start = value.owner().filter(|op| request_of(*op) == Some(value));
        match (start, self.requests.merges.get(&value)) {
            (Some(start), _) => self.place(start.operand(0)).pointer,
            (None, Some(merge)) => *merge,
            (None, None) => self.elsewhere(),
        }
    }

    /// Lets waits access what they wait for, once all edges are known, and refuses to plan the storage of
    /// requests that may never be waited for.
    pub(super) fn settle_requests(&mut self) {
        if !self.requests.exist {
            return;
        }
        let received = self.received();
        self.unify_request_merges();
        for (step, request) in std::mem::take(&mut self.requests.waits) {
            let is_carried = request.owner().is_none_or(|op| !starts_request(op));
            // A token tells which request is waited for, and locks its bytes until then. A wait for a
            // request that was carried there does not complete the token. It keeps its place among all
            // accesses to the storage all the same.
            let is_modeled = matches!(self.roots, Roots::Everything { .. }) && !is_carried;
            let pointer = self.request_pointer(request);
            if is_modeled || Some(pointer) == self.elsewhere {
                continue;
            }
            let mut accesses = vec![Access::anywhere(AccessKind::Use, pointer)];
            if self.roots.is_everything() && received.contains(&request) {
                accesses.push(Access::anywhere(AccessKind::Define, pointer));
            }
            self.steps[step.index()].accesses = accesses;
        }
        for (block, index, op) in self.lost_requests() {
            log::debug!(target: "extract", "'{}' in {block} (event {index}) may be lost", op.name());
            self.escape(op.operand(0), Escape::UnawaitedTransfer, op);
        }
    }

    /// The requests that may receive a message.
    fn received(&self) -> HashSet<Value> {
        let events = self.requests.events.values().flatten();
        let starts = events.filter_map(|event| match event {
            Event::Start(op, request) if op.name() == "mpi.irecv" => Some(*request),
            _ => None,
        });
        let mut work: Vec<Value> = starts.collect();
        let mut passed: HashMap<Value, Vec<Value>> = HashMap::default();
        for (from, to) in self
            .requests
            .edges
            .values()
            .flatten()
            .flat_map(|own| &own.values)
        {
            // A value that an operation makes up may be any request.
            match from {
                Some(from) => passed.entry(*from).or_default().push(*to),
                None => work.push(*to),
            }
        }
        for event in self.requests.events.values().flatten() {
            if let Event::Select {
                requests, result, ..
            } = event
            {
                for from in requests {
                    passed.entry(*from).or_default().push(*result);
                }
            }
        }
        let mut received = HashSet::default();
        while let Some(value) = work.pop() {
            if received.insert(value) {
                work.extend(passed.get(&value).into_iter().flatten());
            }
        }
        received
    }

    /// Replaces each merge of a request by a merge of a memref that every edge binds to the same storage:
    /// the buffer that a loop carries beside its request. There is a value then that holds the
    /// address, and a new instance of the buffer can be kept away from it.
    fn unify_request_merges(&mut self) {
        let own: BTreeSet<PointerId> = self.requests.merges.values().copied().collect();
        if own.is_empty() {
            return;
        }
        let mut unified: HashMap<PointerId, PointerId> = HashMap::default();
        loop {
            let n_known = unified.len();
            // Per merge: the edges that bind it, and to what.
            let mut bound: BTreeMap<PointerId, Vec<(usize, usize, PointerId)>> = BTreeMap::new();
            for (from, block) in self.blocks.iter().enumerate() {
                for (index, edge) in block.successors.iter().enumerate() {
                    for Binding { target, sources } in &edge.bindings {
                        let source = sources[0];
                        let source = unified.get(&source).copied().unwrap_or(source);
                        bound
                            .entry(*target)
                            .or_default()
                            .push((from, index, source));
                    }
                }
            }
            let others: Vec<_> = bound
                .iter()
                .filter(|(merge, _)| !own.contains(merge))
                .collect();
            for merge in own.iter().filter(|merge| bound.contains_key(merge)) {
                // The edge of a loop back to its start may pass on the merge itself: then it stays what it
                // was, as the other one does.
                let is_alike = |other: PointerId, edges: &[(usize, usize, PointerId)]| {
                    let mine = &bound[merge];
                    let mut pairs = mine.iter().zip(edges);
                    mine.len() == edges.len()
                        && pairs.all(|(a, b)| {
                            (a.0, a.1) == (b.0, b.1)
                                && (a.2 == b.2 || a.2 == *merge && b.2 == other)
                        })
                };
                if !unified.contains_key(merge)
                    && let Some((other, _)) = others
                        .iter()
                        .find(|(other, edges)| is_alike(**other, edges))
                {
                    unified.insert(*merge, **other);
                }
            }
            if unified.len() == n_known {
                break;
            }
        }
        for edge in self
            .blocks
            .iter_mut()
            .flat_map(|block| &mut block.successors)
        {
            edge.bindings
                .retain(|binding| !unified.contains_key(&binding.target));
            for source in edge
                .bindings
                .iter_mut()
                .flat_map(|binding| &mut binding.sources)
            {
                *source = unified.get(source).copied().unwrap_or(*source);
            }
        }
        let of_selects = self.steps.iter_mut().flat_map(|step| &mut step.bindings);
        for source in of_selects.flat_map(|binding| &mut binding.sources) {
            *source = unified.get(source).copied().unwrap_or(*source);
        }
        for merge in self.requests.merges.values_mut() {
            *merge = unified.get(merge).copied().unwrap_or(*merge);
        }
    }

    /// The starts whose requests may not be waited for, with their block and their number there.
    fn lost_requests(&mut self) -> Vec<(BlockId, usize, Op)> {
        let mut starts = Vec::new();
        for (block, events) in &self.requests.events {
            for (index, event) in events.iter().enumerate() {
                if let Event::Start(op, request) = event {
                    starts.push((*block, index, *op, *request));
                }
            }
        }
        starts.sort_by_key(|(block, index, ..)| (*block, *index));
        // Cores synchronize with each other by rules of their own.
        let has_cores = !starts.is_empty() && self.has_cores();
        let lost = starts.into_iter().filter(|(block, index, _, request)| {
            has_cores || !self.requests.is_awaited(*block, *index, *request)
        });
        lost.map(|(block, index, op, _)| (block, index, op))
            .collect()
    }

    /// Refuses to plan allocations of which a new instance may begin while an older one is accessed by a
    /// request alone. A slot would have to be chosen for the new instance by comparing addresses, and no value
    /// holds the address that the request accesses.
    pub(super) fn refuse_nameless(&mut self) {
        let pointers = self.pointers.iter().zip(&self.pointer_values);
        let nameless: Vec<bool> = pointers
            .map(|(own, value)| is_nameless(own, *value))
            .collect();
        if self.roots != Roots::Allocations || !nameless.contains(&true) {
            return;
        }
        let program = self.take_model();
        let lifetimes = mem_flow::analyze_lifetimes(&program);
        (self.buffers, self.pointers) = (program.buffers, program.pointers);
        (self.symbols, self.tokens) = (program.symbols, program.tokens);
        (self.regions, self.blocks, self.steps) = (program.regions, program.blocks, program.steps);
        // A program that is not well-formed is reported where it is planned.
        let Ok(mut lifetimes) = lifetimes else {
            return;
        };
        lifetimes.leave_out_nameless(|pointer| nameless[pointer.index()]);
        for unplannable in lifetimes.unplannable {
            if let UnplannableReason::Nameless { step } = unplannable.reason {
                let own = PointerKind::Buffer(unplannable.buffer);
                let pointer = self.pointers.iter().position(|pointer| pointer.kind == own);
                let blame = self.step_ops[step.index()];
                let pointer = pointer.map(PointerId::new).into_iter();
                self.escapes
                    .extend(pointer.map(|own| (own, Escape::NamelessRequest, blame)));
            }
        }
    }
}

/// Whether a pointer denotes the storage of requests only, so that no value holds its address. `value`: that
/// of the pointer.
pub(super) fn is_nameless(pointer: &Pointer, value: Option<Value>) -> bool {
    pointer.kind == PointerKind::Merge && value.is_none()
}

/// The request that an operation starts.
fn request_of(op: Op) -> Option<Value> {
    let mut results = op.results();
    starts_request(op).then(|| results.find(|own| is_request(own.ty())))?
}

/// Maximum number of outcomes of conditions within a block.
const MAX_OUTCOMES: usize = 64;

/// A request in the middle of a block, for one outcome of the conditions of selects before.
#[derive(Clone)]
struct Outcome {
    /// The values that hold the request.
    held: Vec<Value>,
    /// The outcomes of conditions.
    known: Vec<(Value, bool)>,
}

impl Outcome {
    /// What becomes of the request at a select: each outcome of the condition, unless it is known. If
    /// `is_divided` is false, the result holds the request only if it does whatever the outcome is.
    fn select(
        mut self,
        condition: Value,
        requests: [Value; 2],
        result: Value,
        is_divided: bool,
    ) -> Vec<Self> {
        // Whatever the result was before, it is chosen anew.
        let chosen = requests.map(|own| self.held.contains(&own));
        self.held.retain(|own| *own != result);
        let known = self.known.iter().find(|own| own.0 == condition);
        let outcomes = match known {
            Some((_, holds)) => vec![*holds],
            None if chosen[0] == chosen[1] || !is_divided => {
                self.held.extend((chosen == [true; 2]).then_some(result));
                return vec![self];
            }
            None => vec![true, false],
        };
        let outcomes = outcomes.into_iter().map(|holds| {
            let mut own = self.clone();
            if own.known.iter().all(|known| known.0 != condition) {
                own.known.push((condition, holds));
            }
            own.held
                .extend(chosen[usize::from(!holds)].then_some(result));
            own
        });
        outcomes.collect()
    }
}

/// The values that hold a request, sorted by name, at the start of a block.
type Held = (BlockId, Vec<Value>);

impl Requests {
    /// Whether every path from event `index` of `block`, which starts `request`, has a wait for it.
    fn is_awaited(&self, block: BlockId, index: usize, request: Value) -> bool {
        // The states that can be reached, those before each of them, and those in which all is well.
        let mut numbers: HashMap<Held, usize> = HashMap::default();
        let mut before: Vec<Vec<usize>> = Vec::new();
        let mut complete: Vec<usize> = Vec::new();
        let mut left: Vec<(Option<usize>, Held)> = Vec::new();
        for first in self.through(block, index + 1, vec![request]).1 {
            let Some(next) = self.passed_on(block, &first) else {
                return false;
            };
            left.extend(next.into_iter().map(|own| (None, own)));
        }
        while let Some((from, held)) = left.pop() {
            if held.1.is_empty() {
                return false;
            }
            if let Some(known) = numbers.get(&held) {
                before[*known].extend(from);
                continue;
            }
            let number = before.len();
            if number >= MAX_STATES {
                return false;
            }
            before.push(from.into_iter().collect());
            numbers.insert(held.clone(), number);
            let (block, held) = held;
            let (is_awaited, open) = self.through(block, 0, held);
            if is_awaited {
                complete.push(number);
            }
            for held in open {
                match self.passed_on(block, &held) {
                    // The function ends.
                    None => return false,
                    Some(next) => left.extend(next.into_iter().map(|own| (Some(number), own))),
                }
            }
        }
        // Where a loop goes on forever, nothing would tell that the storage remains in use.
        let mut is_complete = vec![false; before.len()];
        while let Some(number) = complete.pop() {
            if !std::mem::replace(&mut is_complete[number], true) {
                complete.extend(&before[number]);
            }
        }
        is_complete.into_iter().all(|own| own)
    }

    /// Follows a request that some values hold from event `first` of a block on. Returns whether some outcome of
    /// the conditions of selects has a wait for it, and the values that hold it at the end of the block, for each
    /// outcome that has none. At most [`MAX_OUTCOMES`] outcomes are told apart; with more, some of those that are
    /// returned hold fewer values than they could.
    fn through(&self, block: BlockId, first: usize, held: Vec<Value>) -> (bool, Vec<Vec<Value>>) {
        let mut outcomes = vec![Outcome {
            held,
            known: Vec::new(),
        }];
        let mut is_awaited = false;
        let events = self.events.get(&block).map_or(&[][..], Vec::as_slice);
        for event in events.iter().skip(first) {
            match event {
                Event::Wait(request) => {
                    let before = outcomes.len();
                    outcomes.retain(|own| !own.held.contains(request));
                    is_awaited |= outcomes.len() < before;
                }
                // From here on, its result is another request.
                Event::Start(_, request) => {
                    for own in &mut outcomes {
                        own.held.retain(|own| own != request);
                    }
                }
                Event::Select {
                    condition,
                    requests,
                    result,
                } => {
                    let is_divided = outcomes.len() < MAX_OUTCOMES;
                    outcomes = outcomes
                        .into_iter()
                        .flat_map(|own| own.select(*condition, *requests, *result, is_divided))
                        .collect();
                }
            }
        }
        let open = outcomes.into_iter().map(|own| own.held);
        (is_awaited, open.collect())
    }

    /// The blocks that follow, and the values that hold a request there. `None` if the function ends.
    fn passed_on(&self, block: BlockId, held: &[Value]) -> Option<Vec<Held>> {
        let edges = self.edges.get(&block)?;
        let next = edges.iter().map(|Passed { target, values }| {
            let is_bound = |own: &Value| values.iter().any(|(_, to)| to == own);
            let kept = held.iter().copied().filter(|own| !is_bound(own));
            let holds = |from: &Option<Value>| from.is_some_and(|from| held.contains(&from));
            let new = values
                .iter()
                .filter(|(from, _)| holds(from))
                .map(|(_, to)| *to);
            let mut names: Vec<Value> = kept.chain(new).collect();
            names.sort_unstable_by_key(|own| own.0.ptr.addr());
            names.dedup();
            (*target, names)
        });
        Some(next.collect())
    }
}
