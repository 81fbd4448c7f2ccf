//! A function with all its calls inlined, as one graph of blocks.
//!
//! Calls of functions with bodies are replaced by those bodies, so that a program in which calls
//! have been inlined is equal to one in which they have not. Recursive calls stay calls. If
//! inlining would exceed the step budget, all calls stay calls.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::live::Live;
use crate::nest::Nest;
use crate::program::{
    AccessStep, ChoiceStep, End, Function, Module, Step, StepKind, StorageStep, ValueId, ValueType,
};

/// A value of a flat function.
pub(crate) type Value = usize;

/// A call to inline: its index among the steps, the callee, the operands and the results.
type InlinedCall<'a> = (usize, &'a Function, &'a [ValueId], &'a [ValueId]);

/// A function with its calls inlined.
#[derive(Default)]
pub(crate) struct Flat<'a> {
    pub blocks: Vec<FlatBlock<'a>>,
    /// Indexed by value.
    pub types: Vec<&'a ValueType>,
    /// Reachable blocks in reverse post-order.
    pub order: Vec<usize>,
    /// Indexed by block: its incoming edges as `(block, index of edge)`, in reverse post-order of
    /// the source blocks.
    pub predecessors: Vec<Vec<(usize, usize)>>,
    /// Indexed by block: its label, if it has one. Labels number the entry, the blocks with several
    /// predecessors, and the blocks with an argument that no edge defines.
    pub labels: Vec<Option<u32>>,
    /// Indexed by value: whether its address may be known outside the function.
    pub escapes: Vec<bool>,
    pub arguments: Vec<Value>,
    /// The reachable blocks in the order of evaluation.
    pub nest: Nest,
    /// Whether a loop has been unrolled such that it begins with the same storages each time.
    pub is_unrolled: bool,
    /// Allocations that use the storage of another one, which they alternate with.
    pub owners: BTreeMap<Value, Value>,
    /// If there are such allocations: which values may still be used.
    pub live: Option<Live>,
}

/// Maps the values of a function to values of the flat function.
#[derive(Clone)]
pub(crate) struct Frame {
    /// Offset between the two.
    pub first: usize,
    /// Values that have another name in some blocks.
    pub renamed: Option<Rc<BTreeMap<Value, Value>>>,
}

impl Frame {
    pub(crate) fn value(&self, own: ValueId) -> Value {
        let value = self.first + own.0 as usize;
        let renamed = self.renamed.as_ref();
        renamed
            .and_then(|own| own.get(&value))
            .copied()
            .unwrap_or(value)
    }
}

/// The index of a counted loop in one of its iterations.
#[derive(Clone)]
pub(crate) struct Index {
    pub value: Value,
    /// Its value in the first iteration.
    pub lower: Value,
    pub step: Value,
    pub iteration: i64,
}

#[derive(Clone)]
pub(crate) struct FlatBlock<'a> {
    pub frame: Frame,
    pub arguments: Vec<Value>,
    pub steps: &'a [Step],
    /// `None`: control continues along the only edge.
    pub end: Option<&'a End>,
    pub edges: Vec<FlatEdge>,
    /// If the block begins an iteration that was peeled off a counted loop.
    pub index: Option<Index>,
    /// If the block ends an iteration that was peeled off a counted loop: its number.
    pub iteration: Option<i64>,
}

#[derive(Clone)]
pub(crate) struct FlatEdge {
    pub to: usize,
    pub values: Vec<(Option<Value>, Value)>,
}

/// Functions by name, and the recursive ones among them, which are not inlined.
pub(crate) struct Callees<'a> {
    functions: BTreeMap<&'a str, &'a Function>,
    is_recursive: BTreeSet<&'a str>,
}

impl<'a> Callees<'a> {
    pub(crate) fn new(module: &'a Module) -> Self {
        let named = module.functions.iter().map(|own| (&*own.name, own));
        let mut callees = Self {
            functions: named.collect(),
            is_recursive: BTreeSet::new(),
        };
        callees.find_recursion();
        callees
    }

    /// Finds recursive functions by an iterative depth-first search. Every cycle of the call graph
    /// contains at least one function found, so inlining terminates.
    fn find_recursion(&mut self) {
        let names: Vec<&str> = self.functions.keys().copied().collect();
        let mut is_done: BTreeSet<&str> = BTreeSet::new();
        for root in names {
            let mut path: Vec<(&str, Vec<&str>)> = vec![(root, self.called(root))];
            while let Some((name, rest)) = path.last_mut() {
                let name = *name;
                let Some(next) = rest.pop() else {
                    is_done.insert(name);
                    path.pop();
                    continue;
                };
                if let Some(first) = path.iter().position(|(own, _)| *own == next) {
                    self.is_recursive
                        .extend(path[first..].iter().map(|(own, _)| *own));
                } else if !is_done.contains(next) {
                    path.push((next, self.called(next)));
                }
            }
        }
    }

    fn called(&self, name: &str) -> Vec<&'a str> {
        let steps = self.functions.get(name).into_iter();
        let steps = steps
            .flat_map(|own| &own.blocks)
            .flat_map(|block| &block.steps);
        let callee = |step: &'a Step| match &step.kind {
            StepKind::Call { callee, .. } => {
                self.functions.get_key_value(&**callee).map(|(own, _)| *own)
            }
            _ => None,
        };
        steps.filter_map(callee).collect()
    }

    /// The functions whose bodies replace calls in `name`, directly or in turn.
    pub(crate) fn inlined(&self, name: &str) -> BTreeSet<&'a str> {
        let mut found = BTreeSet::new();
        let mut pending = self.called(name);
        while let Some(callee) = pending.pop() {
            if self.body(callee).is_some() && found.insert(callee) {
                pending.extend(self.called(callee));
            }
        }
        found
    }

    pub(crate) fn is_recursive(&self, name: &str) -> bool {
        self.is_recursive.contains(name)
    }

    pub(crate) fn with_body(&self, name: &str) -> Option<&'a Function> {
        self.functions
            .get(name)
            .copied()
            .filter(|own| !own.blocks.is_empty())
    }

    /// Returns the body to inline at a call, if the callee can be inlined.
    fn body(&self, name: &str) -> Option<&'a Function> {
        self.with_body(name).filter(|_| !self.is_recursive(name))
    }
}

impl<'a> Flat<'a> {
    /// Flattens a function. `budget`: maximum number of steps, terminators included; if inlining
    /// exceeds it, no call is inlined. Returns the flat function, and whether its calls are
    /// inlined.
    pub(crate) fn new(
        function: &'a Function,
        callees: &Callees<'a>,
        budget: usize,
    ) -> (Self, bool) {
        let mut builder = Builder {
            callees,
            blocks: Vec::new(),
            types: Vec::new(),
            left: budget,
            is_inlining: true,
        };
        let whole = builder.build(function);
        let (blocks, types, is_whole) = match whole {
            Some(()) => (builder.blocks, builder.types, true),
            None => {
                (builder.blocks, builder.types) = (Vec::new(), Vec::new());
                (builder.left, builder.is_inlining) = (usize::MAX, false);
                builder.build(function);
                (builder.blocks, builder.types, false)
            }
        };
        let arguments = blocks
            .first()
            .map(|block| block.arguments.clone())
            .unwrap_or_default();
        let mut flat = Self {
            blocks,
            types,
            arguments,
            ..Self::default()
        };
        flat.number();
        flat.find_escapes(callees);
        (flat, is_whole)
    }

    /// Whether a value denotes storage.
    pub(crate) fn is_storage(&self, value: Value) -> bool {
        !matches!(self.types[value], ValueType::Scalar { .. })
    }

    /// The reachable blocks with a terminator of their own, in reverse post-order.
    pub(crate) fn ends(&self) -> impl Iterator<Item = usize> {
        let blocks = self.order.iter().copied();
        blocks.filter(|block| self.blocks[*block].end.is_some())
    }

    /// Computes block order, predecessors and labels.
    pub(crate) fn number(&mut self) {
        let n = self.blocks.len();
        let (mut is_seen, mut order) = (vec![false; n], Vec::new());
        let mut path = vec![(0, 0)];
        is_seen[0] = true;
        while let Some((block, next)) = path.last_mut() {
            let edge = self.blocks[*block].edges.get(*next);
            *next += 1;
            match edge.map(|edge| edge.to) {
                Some(to) if !is_seen[to] => {
                    is_seen[to] = true;
                    path.push((to, 0));
                }
                Some(_) => {}
                None => {
                    order.push(*block);
                    path.pop();
                }
            }
        }
        order.reverse();
        self.predecessors = vec![Vec::new(); n];
        for block in &order {
            for (index, edge) in self.blocks[*block].edges.iter().enumerate() {
                self.predecessors[edge.to].push((*block, index));
            }
        }
        self.nest = Nest::new(&order, &self.predecessors);
        self.labels = vec![None; n];
        let mut next = 0;
        for block in &order {
            let is_unbound = |(from, edge): &(usize, usize)| {
                self.blocks[*from].edges[*edge]
                    .values
                    .iter()
                    .any(|(source, _)| source.is_none())
            };
            let is_bound = self.predecessors[*block].len() < 2
                && !self.predecessors[*block].iter().any(is_unbound)
                && self.n_bound(*block) >= self.blocks[*block].arguments.len();
            if !is_bound || *block == 0 {
                self.labels[*block] = Some(next);
                next += 1;
            }
        }
        self.order = order;
    }

    /// Returns the number of arguments of a block that its first incoming edge defines.
    fn n_bound(&self, block: usize) -> usize {
        let first = self.predecessors[block].first();
        first.map_or(0, |(from, edge)| {
            self.blocks[*from].edges[*edge].values.len()
        })
    }

    /// Indexed by argument: whether anything uses it. `None` if the function may access memory that
    /// is neither local nor an argument: in calls and opaque steps, or through a mutable global.
    pub(crate) fn used_arguments(&self) -> Option<Vec<bool>> {
        let mut is_used = vec![false; self.types.len()];
        let mut globals = Vec::new();
        for block in self.order.iter().map(|index| &self.blocks[*index]) {
            for step in block.steps {
                match &step.kind {
                    StepKind::Event { .. } | StepKind::Call { .. } | StepKind::Unknown { .. } => {
                        return None;
                    }
                    StepKind::Storage(StorageStep::Global {
                        result,
                        is_constant: false,
                        ..
                    }) => globals.push(block.frame.value(*result)),
                    StepKind::Free { .. } => {}
                    kind => {
                        for own in kind.operands() {
                            is_used[block.frame.value(own)] = true;
                        }
                    }
                }
            }
            let passed = block.edges.iter().flat_map(|edge| &edge.values);
            for from in passed.filter_map(|(from, _)| *from) {
                is_used[from] = true;
            }
            let decides = block.end.iter().flat_map(|end| &end.operands);
            for own in decides {
                is_used[block.frame.value(*own)] = true;
            }
        }
        let is_accessed = globals.into_iter().any(|own| is_used[own]);
        let own = || self.arguments.iter().map(|own| is_used[*own]).collect();
        (!is_accessed).then(own)
    }

    /// Finds the values whose address may become known outside the function. O(uses).
    pub(crate) fn find_escapes(&mut self, callees: &Callees<'_>) {
        let mut sources: Vec<Vec<Value>> = vec![Vec::new(); self.types.len()];
        let mut work: Vec<Value> = Vec::new();
        for block in self.order.iter().map(|index| &self.blocks[*index]) {
            let value = |own: &ValueId| block.frame.value(*own);
            for step in block.steps {
                match &step.kind {
                    StepKind::Storage(StorageStep::View { result, source, .. }) => {
                        sources[value(result)].push(value(source));
                    }
                    StepKind::Choice(ChoiceStep::Select {
                        yes, no, result, ..
                    }) => {
                        sources[value(result)].extend([value(yes), value(no)]);
                    }
                    StepKind::Choice(ChoiceStep::Rotate { slots, result, .. }) => {
                        sources[value(result)].extend(slots.iter().map(value));
                    }
                    StepKind::Access(AccessStep::Store { value: own, .. }) => work.push(value(own)),
                    StepKind::Event { operands, .. } | StepKind::Unknown { operands, .. } => {
                        work.extend(operands.iter().map(value));
                    }
                    StepKind::Call {
                        callee, operands, ..
                    } if callees.with_body(callee).is_none() => {
                        work.extend(operands.iter().map(value));
                    }
                    _ => {}
                }
            }
            for (from, to) in block.edges.iter().flat_map(|edge| &edge.values) {
                sources[*to].extend(from);
            }
            if let Some(end) = block.end {
                work.extend(end.operands.iter().map(value));
            }
        }
        let mut escapes = vec![false; self.types.len()];
        while let Some(value) = work.pop() {
            if !std::mem::replace(&mut escapes[value], true) {
                work.extend(&sources[value]);
            }
        }
        self.escapes = escapes;
    }
}

struct Builder<'a, 'c> {
    callees: &'c Callees<'a>,
    blocks: Vec<FlatBlock<'a>>,
    types: Vec<&'a ValueType>,
    left: usize,
    is_inlining: bool,
}

/// A function that is being placed in the flat graph.
struct Placed<'a> {
    function: &'a Function,
    values: Frame,
    /// Number of its first block in the flat graph.
    first_block: usize,
    /// Block to which it returns, and the values that its results define there. `None` for the
    /// root.
    after: Option<(usize, Vec<Value>)>,
}

impl<'a> Builder<'a, '_> {
    /// Builds the flat graph of a function. Returns `None` if the budget does not suffice. Uses a
    /// worklist, so deep call chains need no stack.
    fn build(&mut self, root: &'a Function) -> Option<()> {
        let mut work = vec![self.placed(root, None)];
        while let Some(placed) = work.pop() {
            for (index, block) in placed.function.blocks.iter().enumerate() {
                self.left = self.left.checked_sub(block.steps.len() + 1)?;
                self.place(&placed, index, &block.steps, &mut work);
            }
        }
        Some(())
    }

    fn placed(&mut self, function: &'a Function, after: Option<(usize, Vec<Value>)>) -> Placed<'a> {
        let first_block = self.blocks.len();
        let values = Frame {
            first: self.types.len(),
            renamed: None,
        };
        self.types.extend(&function.types);
        for block in &function.blocks {
            let arguments = block.arguments.iter();
            self.blocks.push(FlatBlock {
                frame: values.clone(),
                arguments: arguments.map(|own| values.value(*own)).collect(),
                steps: &[],
                end: None,
                edges: Vec::new(),
                index: None,
                iteration: None,
            });
        }
        Placed {
            function,
            values,
            first_block,
            after,
        }
    }

    /// Fills in a block of a function, split at the calls that are inlined.
    fn place(
        &mut self,
        placed: &Placed<'a>,
        index: usize,
        steps: &'a [Step],
        work: &mut Vec<Placed<'a>>,
    ) {
        let value = |own: &ValueId| placed.values.value(*own);
        let mut current = placed.first_block + index;
        let mut rest = steps;
        while let Some((at, callee, operands, results)) = self.first_call(rest) {
            self.blocks[current].steps = &rest[..at];
            let next = self.blocks.len();
            self.blocks.push(FlatBlock {
                frame: placed.values.clone(),
                arguments: Vec::new(),
                steps: &[],
                end: None,
                edges: Vec::new(),
                index: None,
                iteration: None,
            });
            let after = (next, results.iter().map(value).collect());
            let inner = self.placed(callee, Some(after));
            let parameters = callee.blocks[0].arguments.iter();
            let parameters = parameters.map(|own| inner.values.value(*own));
            let handed = operands.iter().map(|own| Some(value(own)));
            self.blocks[current].edges.push(FlatEdge {
                to: inner.first_block,
                values: handed.zip(parameters).collect(),
            });
            work.push(inner);
            current = next;
            rest = &rest[at + 1..];
        }
        self.blocks[current].steps = rest;
        self.end_block(current, placed, &placed.function.blocks[index].end);
    }

    /// The first call that is inlined: its index, the callee, the operands and the results.
    fn first_call(&self, steps: &'a [Step]) -> Option<InlinedCall<'a>> {
        let mut steps = steps.iter().enumerate().filter(|_| self.is_inlining);
        steps.find_map(|(at, step)| match &step.kind {
            StepKind::Call {
                callee,
                operands,
                results,
                ..
            } => {
                let body = self.callees.body(callee)?;
                Some((at, body, &operands[..], &results[..]))
            }
            _ => None,
        })
    }

    /// Ends a block as its function does; the return of an inlined function jumps to the block
    /// after the call.
    fn end_block(&mut self, current: usize, placed: &Placed<'a>, end: &'a End) {
        let value = |own: &ValueId| placed.values.value(*own);
        match (&placed.after, end.edges.is_empty()) {
            (Some((after, results)), true) => {
                let returned = end.operands.iter().map(|own| Some(value(own)));
                self.blocks[current].edges.push(FlatEdge {
                    to: *after,
                    values: returned.zip(results.iter().copied()).collect(),
                });
            }
            _ => {
                // An unconditional jump decides nothing, so it is not observed. Otherwise inlining,
                // which turns calls and returns into jumps, would be observable.
                let is_jump = end.edges.len() == 1 && end.operands.is_empty();
                self.blocks[current].end = Some(end).filter(|_| !is_jump);
                let edge = |edge: &crate::program::Edge| FlatEdge {
                    to: placed.first_block + edge.to.0 as usize,
                    values: edge
                        .values
                        .iter()
                        .map(|(from, to)| (from.as_ref().map(value), value(to)))
                        .collect(),
                };
                self.blocks[current].edges = end.edges.iter().map(edge).collect();
            }
        }
    }
}
