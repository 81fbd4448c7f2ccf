//! Symbolic evaluation of one flat function: every value and every byte of memory as a node of a graph.
//!
//! Blocks are evaluated in reverse post-order. Where control meets, what differs between the edges becomes a join. Loops are
//! evaluated until the heads' states stay as they are: at first, edges back are taken not to change anything; once a byte is a
//! join it stays one, and bytes are only ever told apart more finely, so that this ends.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

use crate::contents::{Contents, cut};
use crate::flatten::{Flat, Value};
use crate::linear::Linear;
use crate::memory::{Aliasing, read_runs};
use crate::program::{Fingerprint, Layout, Location, StepKind, ValueType};
use crate::value::{External, Graph, Node, NodeId, Piece};
use crate::view::{Base, View};

/// Times that loops are evaluated.
const MAX_SWEEPS: usize = 64;

/// Why a function cannot be followed, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    pub location: Option<Location>,
    pub why: &'static str,
}

/// What a value is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Binding {
    None,
    Scalar(NodeId),
    View(Rc<View>),
}

/// Storage of the function's own.
pub(crate) struct Storage {
    pub bytes: Option<i64>,
    /// Several tensors share it.
    pub is_arena: bool,
}

/// A view that may be several, as storage of its own: what it denotes has the same content wherever it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Merge {
    pub storage: u32,
    /// What it may be.
    pub targets: Vec<Target>,
    /// Storage that it surely is not.
    pub apart: Vec<u32>,
}

/// Storage that a merge may be.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    /// Never unknown.
    pub base: Base,
    /// Its bytes, `[start, end)`; the merge's first byte is the first of them.
    pub bytes: (i64, i64),
    /// It is this if control came to the label by this edge, and else it is not; `None`: perhaps.
    pub gate: Option<(u32, u32)>,
}

/// Memory at some point of the program.
#[derive(Clone)]
pub(crate) struct State {
    pub locals: Rc<Vec<Rc<Contents>>>,
    pub merges: Rc<Vec<Merge>>,
    pub memory: NodeId,
}

impl State {
    pub fn local(&self, storage: u32) -> Rc<Contents> {
        self.locals
            .get(storage as usize)
            .cloned()
            .unwrap_or_default()
    }

    pub fn local_mut(&mut self, storage: u32) -> &mut Contents {
        let locals = Rc::make_mut(&mut self.locals);
        if locals.len() <= storage as usize {
            locals.resize_with(storage as usize + 1, Rc::default);
        }
        Rc::make_mut(&mut locals[storage as usize])
    }
}

/// What outsiders see of a run: a decision, or the end.
pub(crate) struct Observation {
    pub location: Location,
    pub fingerprint: Fingerprint,
    pub values: Vec<NodeId>,
    /// At the end: memory that others can reach.
    pub memory: Option<NodeId>,
    /// By edge: where it leads.
    pub edges: Vec<Position>,
}

/// A place in the control flow that both programs have, if they have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// Where control meets, by label.
    Label(u32),
    /// The next decision, by its place among the observations.
    End(usize),
}

/// What a join is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Slot {
    Value(Value),
    Pointer(Value),
    Memory,
    Byte(u32, i64),
    /// What storage becomes that is a merge from here on.
    Merged(u32, i64),
}

/// A function that has been evaluated.
pub(crate) struct Evaluated {
    pub graph: Graph,
    pub observations: Vec<Observation>,
    /// By label: the place behind it.
    pub behind: Vec<Position>,
}

pub(crate) struct Evaluator<'a> {
    pub flat: &'a Flat<'a>,
    pub graph: Graph,
    pub aliasing: Aliasing,
    pub values: Vec<Binding>,
    pub storages: Vec<Storage>,
    /// Arguments that are storage of the function's own, and their bytes: callers see what is in them at the end.
    alone: Vec<(u32, (i64, i64))>,
    /// By value that makes storage, a merge, or a place in a rotation.
    pub of_value: HashMap<Value, u32>,
    pub escaped: HashMap<Value, u32>,
    joins: HashMap<(u32, Slot), NodeId>,
    /// By label: storages of which some bytes are joins there.
    joined_storages: HashMap<u32, BTreeSet<u32>>,
    /// By label: arguments that are merges.
    pointers: HashMap<u32, Vec<Value>>,
    /// By block: memory at its end, once it has been evaluated.
    ends: Vec<Option<State>>,
    /// By block with an end of its own: which of those it is.
    end_numbers: Vec<usize>,
    has_changed: bool,
    observations: Vec<Observation>,
}

/// What has to be the same for both programs that are compared.
pub(crate) struct Setting {
    /// Arguments of the original; more of them are arenas, which nothing else denotes.
    pub n_arguments: usize,
    pub aliasing: Aliasing,
    /// By argument: whatever is accessed through others is other storage, and its bytes are known.
    pub is_alone: Vec<bool>,
}

/// Evaluates a function.
pub(crate) fn evaluate(flat: &Flat<'_>, setting: &Setting) -> Result<Evaluated, Lost> {
    let n = flat.blocks.len();
    let mut evaluator = Evaluator {
        flat,
        graph: Graph::default(),
        aliasing: setting.aliasing.clone(),
        values: vec![Binding::None; flat.types.len()],
        storages: Vec::new(),
        alone: Vec::new(),
        of_value: HashMap::new(),
        escaped: HashMap::new(),
        joins: HashMap::new(),
        joined_storages: HashMap::new(),
        pointers: HashMap::new(),
        ends: (0..n).map(|_| None).collect(),
        end_numbers: end_numbers(flat),
        has_changed: false,
        observations: Vec::new(),
    };
    evaluator.number_escaped();
    for _ in 0..MAX_SWEEPS {
        evaluator.has_changed = false;
        evaluator.observations.clear();
        evaluator.sweep(setting)?;
        if !flat.has_loops || !evaluator.has_changed {
            let labelled = flat
                .order
                .iter()
                .filter(|block| flat.labels[**block].is_some());
            let behind = labelled
                .map(|block| evaluator.position_behind(*block))
                .collect();
            return Ok(Evaluated {
                behind,
                graph: evaluator.graph,
                observations: evaluator.observations,
            });
        }
    }
    Err(Lost {
        location: None,
        why: "its loops do not settle",
    })
}

impl Evaluator<'_> {
    pub fn lost<T>(&self, why: &'static str) -> Result<T, Lost> {
        let location = self.graph.here;
        Err(Lost { location, why })
    }

    /// Allocations whose address gets away are numbered in the order of the program.
    fn number_escaped(&mut self) {
        for block in self
            .flat
            .order
            .iter()
            .map(|index| &self.flat.blocks[*index])
        {
            for step in block.steps {
                if let StepKind::Allocate { result, .. } = &step.kind {
                    let value = block.first_value + result.0 as usize;
                    if self.flat.escapes[value] {
                        let number = u32::try_from(self.escaped.len()).unwrap_or(u32::MAX);
                        self.escaped.insert(value, number);
                    }
                }
            }
        }
    }

    fn sweep(&mut self, setting: &Setting) -> Result<(), Lost> {
        for index in &self.flat.order {
            let block = &self.flat.blocks[*index];
            let mut state = match self.flat.predecessors[*index].is_empty() {
                true => self.entry(setting),
                false => self.meet(*index)?,
            };
            for step in block.steps {
                self.graph.here = Some(step.location);
                self.step(block.first_value, &step.kind, &mut state)?;
            }
            if let Some(end) = block.end {
                self.graph.here = Some(end.location);
                self.observe(*index, end, &state);
            }
            self.ends[*index] = Some(state);
        }
        Ok(())
    }

    fn observe(&mut self, block: usize, end: &crate::program::End, state: &State) {
        let (first_value, edges) = (
            self.flat.blocks[block].first_value,
            &self.flat.blocks[block].edges,
        );
        let mut values = Vec::new();
        for operand in &end.operands {
            let node = self.scalar(first_value + operand.0 as usize);
            values.push(node);
        }
        let edges: Vec<Position> = edges.iter().map(|edge| self.position(edge.to)).collect();
        if edges.is_empty() {
            for (storage, hull) in self.alone.clone() {
                let pieces = state
                    .local(storage)
                    .read(&mut self.graph, hull.0, hull.1 - hull.0);
                values.push(self.graph.sequence(pieces));
            }
        }
        self.observations.push(Observation {
            location: end.location,
            fingerprint: end.fingerprint,
            values,
            memory: end.edges.is_empty().then_some(state.memory),
            edges,
        });
    }

    /// The next place on the way from a block on, itself included.
    fn position(&self, block: usize) -> Position {
        match self.flat.labels[block] {
            Some(label) => Position::Label(label),
            None => self.position_behind(block),
        }
    }

    /// The next place on the way from a block on, beside its own label.
    fn position_behind(&self, block: usize) -> Position {
        match (
            self.flat.blocks[block].end,
            self.flat.blocks[block].edges.first(),
        ) {
            (None, Some(edge)) => self.position(edge.to),
            _ => Position::End(self.end_numbers[block]),
        }
    }

    /// Memory and arguments at the start.
    fn entry(&mut self, setting: &Setting) -> State {
        let memory = self.graph.add(Node::Memory);
        let mut state = State {
            locals: Rc::default(),
            merges: Rc::default(),
            memory,
        };
        for (index, value) in self.flat.arguments.iter().enumerate() {
            let number = u32::try_from(index).unwrap_or(u32::MAX);
            let binding = match self.flat.types[*value] {
                ValueType::Scalar { .. } => {
                    Binding::Scalar(self.graph.add(Node::Argument(number, 0)))
                }
                _ if index >= setting.n_arguments => self.arena(*value, &mut state),
                ValueType::Elements(layout) if setting.is_alone[index] => {
                    self.alone(*value, number, layout, &mut state)
                }
                ValueType::Elements(layout) => self.argument(number, layout),
                ValueType::Bytes(_) => self.arena(*value, &mut state),
                ValueType::Unknown => Binding::View(Rc::new(View::unknown())),
            };
            self.values[*value] = binding;
        }
        state
    }

    /// Storage that the caller provides for this function alone.
    fn arena(&mut self, value: Value, state: &mut State) -> Binding {
        let storage = self.storage(value, None, true);
        *state.local_mut(storage) = Contents::default();
        Binding::View(Rc::new(bytes_view(Base::Local(storage), None)))
    }

    /// An argument that nothing else denotes, as storage of the function's own.
    fn alone(&mut self, value: Value, number: u32, layout: &Layout, state: &mut State) -> Binding {
        let external = External::Argument(number);
        let Binding::View(view) = self.argument(number, layout) else {
            return Binding::None;
        };
        let hull = view.hull().unwrap_or((0, 0));
        let storage = self.storage(value, Some(hull.1), false);
        let piece = Piece {
            node: self.graph.add(Node::Initial(external)),
            offset: hull.0,
            length: hull.1 - hull.0,
        };
        *state.local_mut(storage) = Contents::default();
        state.local_mut(storage).write(hull.0, &[piece]);
        if !self.alone.contains(&(storage, hull)) {
            self.alone.push((storage, hull));
        }
        Binding::View(Rc::new(View {
            base: Base::Local(storage),
            limits: Some(hull),
            ..(*view).clone()
        }))
    }

    fn argument(&mut self, number: u32, layout: &Layout) -> Binding {
        let mut next = 0;
        let mut or_unknown = |graph: &mut Graph, known: Option<i64>| {
            next += 1;
            match known {
                Some(known) => Linear::constant(known),
                None => Linear::of_node(graph.add(Node::Argument(number, next))),
            }
        };
        let element = layout.element;
        let start = or_unknown(&mut self.graph, layout.offset).times(element);
        let mut dims = Vec::new();
        for (size, stride) in &layout.dims {
            let size = or_unknown(&mut self.graph, *size);
            dims.push((size, or_unknown(&mut self.graph, *stride).times(element)));
        }
        Binding::View(Rc::new(View {
            base: Base::External(External::Argument(number)),
            limits: None,
            aligned: Linear::default(),
            start,
            dims,
            element,
            within: None,
        }))
    }

    /// The number of the storage that a value stands for.
    pub fn storage(&mut self, value: Value, bytes: Option<i64>, is_arena: bool) -> u32 {
        let next = u32::try_from(self.storages.len()).unwrap_or(u32::MAX);
        let number = *self.of_value.entry(value).or_insert(next);
        if number == next {
            self.storages.push(Storage { bytes, is_arena });
        }
        number
    }

    /// A value as one node: a scalar, or where a view points to.
    pub fn scalar(&mut self, value: Value) -> NodeId {
        match &self.values[value] {
            Binding::Scalar(node) => *node,
            Binding::View(view) => match view.base {
                Base::External(external) => {
                    let start = view.start.clone();
                    self.graph.add(Node::Address(external, start))
                }
                _ => self.graph.unknown("it is the address of planned storage"),
            },
            Binding::None => self.graph.unknown("it is used before it is defined"),
        }
    }

    // Where control meets.

    fn meet(&mut self, block: usize) -> Result<State, Lost> {
        let predecessors = &self.flat.predecessors[block];
        let known: Vec<(usize, usize, usize)> = predecessors
            .iter()
            .enumerate()
            .filter(|(_, (from, _))| self.ends[*from].is_some())
            .map(|(edge, (from, index))| (edge, *from, *index))
            .collect();
        let states: Vec<State> = known
            .iter()
            .filter_map(|(_, from, _)| self.ends[*from].clone())
            .collect();
        let Some(label) = self.flat.labels[block].filter(|_| predecessors.len() > 1) else {
            self.bind(block, &known);
            return Ok(states[0].clone());
        };
        let edges: Vec<usize> = known.iter().map(|(edge, ..)| *edge).collect();
        let n = predecessors.len();
        let inputs: Vec<(NodeId, i64)> = states.iter().map(|state| (state.memory, 0)).collect();
        let memory = self.joined((label, Slot::Memory), n, &edges, &inputs).0;
        let mut state = State {
            locals: Rc::clone(&states[0].locals),
            merges: self.meet_merges(&states),
            memory,
        };
        self.meet_locals(label, n, &edges, &states, &mut state);
        self.meet_values(block, label, &known, &states, &mut state)?;
        Ok(state)
    }

    /// Values along a single edge.
    fn bind(&mut self, block: usize, known: &[(usize, usize, usize)]) {
        let Some((_, from, index)) = known.first() else {
            return;
        };
        let label = self.flat.labels[block].unwrap_or(0);
        let edge = &self.flat.blocks[*from].edges[*index];
        let bindings: Vec<(Value, Option<Binding>)> = edge
            .values
            .iter()
            .map(|(source, to)| (*to, source.map(|source| self.values[source].clone())))
            .collect();
        self.bind_unbound(
            block,
            label,
            &bindings.iter().map(|(to, _)| *to).collect::<Vec<_>>(),
        );
        for (position, (to, binding)) in (0..).zip(bindings) {
            let made_up = Node::Induction(label, u32::MAX - position);
            let binding = binding.unwrap_or_else(|| Binding::Scalar(self.graph.add(made_up)));
            self.set(to, binding);
        }
    }

    /// Arguments of a block that no edge defines.
    fn bind_unbound(&mut self, block: usize, label: u32, bound: &[Value]) {
        let arguments = self.flat.blocks[block].arguments.iter().enumerate();
        for (index, argument) in arguments.filter(|(_, own)| !bound.contains(own)) {
            let number = u32::try_from(index).unwrap_or(u32::MAX);
            let binding = match self.flat.types[*argument] {
                ValueType::Scalar { .. } => {
                    Binding::Scalar(self.graph.add(Node::Induction(label, number)))
                }
                _ => Binding::View(Rc::new(View::unknown())),
            };
            self.set(*argument, binding);
        }
    }

    pub fn set(&mut self, value: Value, binding: Binding) {
        if self.values[value] != binding {
            self.has_changed = true;
            self.values[value] = binding;
        }
    }

    /// The node that comes in from several edges, and from which byte of it. `edges`: those that are known so far.
    fn joined(
        &mut self,
        key: (u32, Slot),
        n: usize,
        edges: &[usize],
        inputs: &[(NodeId, i64)],
    ) -> (NodeId, i64) {
        let known = self.joins.get(&key).copied();
        if known.is_none() && inputs.windows(2).all(|pair| pair[0] == pair[1]) {
            return inputs[0];
        }
        let node = known.unwrap_or_else(|| {
            self.has_changed = true;
            let node = self.graph.join(key.0, n);
            self.joins.insert(key, node);
            node
        });
        if let Node::Join { number, .. } = *self.graph.node(node) {
            for (edge, input) in edges.iter().zip(inputs) {
                let own = &mut self.graph.joins[number as usize][*edge];
                self.has_changed |= *own != Some(*input);
                *own = Some(*input);
            }
        }
        (node, 0)
    }

    fn meet_locals(
        &mut self,
        label: u32,
        n: usize,
        edges: &[usize],
        states: &[State],
        state: &mut State,
    ) {
        let has_joins = self.joined_storages.contains_key(&label);
        if !has_joins
            && states
                .windows(2)
                .all(|pair| Rc::ptr_eq(&pair[0].locals, &pair[1].locals))
        {
            return;
        }
        for storage in 0..u32::try_from(self.storages.len()).unwrap_or(u32::MAX) {
            let contents: Vec<Rc<Contents>> = states.iter().map(|own| own.local(storage)).collect();
            let is_same = contents
                .windows(2)
                .all(|pair| Rc::ptr_eq(&pair[0], &pair[1]));
            let own = self.joined_storages.get(&label);
            if is_same && !own.is_some_and(|own| own.contains(&storage)) {
                continue;
            }
            let n_joins = self.joins.len();
            let met = self.meet_contents(label, n, edges, storage, &contents);
            if self.joins.len() > n_joins {
                self.joined_storages
                    .entry(label)
                    .or_default()
                    .insert(storage);
            }
            if *state.local(storage) != met {
                *state.local_mut(storage) = met;
            }
        }
    }

    fn meet_contents(
        &mut self,
        label: u32,
        n: usize,
        edges: &[usize],
        storage: u32,
        contents: &[Rc<Contents>],
    ) -> Contents {
        let bounds = contents.iter().flat_map(|own| own.iter());
        let hull = bounds.map(|(start, piece)| (start, start + piece.length));
        let hull = hull.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        let Some((start, end)) = hull else {
            return Contents::default();
        };
        let lists: Vec<Vec<Piece>> = contents
            .iter()
            .map(|own| own.read(&mut self.graph, start, end - start))
            .collect();
        let undefined = self.graph.add(Node::Undefined);
        let (mut met, mut at) = (Contents::default(), start);
        for part in cut(&lists) {
            let length = part[0].length;
            let inputs: Vec<(NodeId, i64)> =
                part.iter().map(|own| (own.node, own.offset)).collect();
            let key = (label, Slot::Byte(storage, at));
            let (node, offset) = self.joined(key, n, edges, &inputs);
            if node != undefined {
                let piece = Piece {
                    node,
                    offset,
                    length,
                };
                met.write(at, &[piece]);
            }
            at += length;
        }
        met
    }

    /// What merges may be on any of the edges.
    fn meet_merges(&self, states: &[State]) -> Rc<Vec<Merge>> {
        if states
            .windows(2)
            .all(|pair| pair[0].merges == pair[1].merges)
        {
            return Rc::clone(&states[0].merges);
        }
        let mut met: BTreeMap<u32, Merge> = BTreeMap::new();
        for merge in states.iter().flat_map(|state| state.merges.iter()) {
            let known = met.entry(merge.storage).or_insert_with(|| merge.clone());
            for target in &merge.targets {
                if !known.targets.contains(target) {
                    known.targets.push(target.clone());
                }
            }
            known.apart.retain(|own| merge.apart.contains(own));
        }
        Rc::new(met.into_values().collect())
    }

    fn meet_values(
        &mut self,
        block: usize,
        label: u32,
        known: &[(usize, usize, usize)],
        states: &[State],
        state: &mut State,
    ) -> Result<(), Lost> {
        let n = self.flat.predecessors[block].len();
        let edges: Vec<usize> = known.iter().map(|(edge, ..)| *edge).collect();
        let (_, from, index) = known[0];
        let targets: Vec<Value> = self.flat.blocks[from].edges[index]
            .values
            .iter()
            .map(|(_, to)| *to)
            .collect();
        self.bind_unbound(block, label, &targets);
        let mut met = Vec::new();
        for (position, target) in targets.iter().enumerate() {
            let source = |(_, from, index): &(usize, usize, usize)| {
                let pair = self.flat.blocks[*from].edges[*index].values.get(position);
                pair.and_then(|(source, _)| *source)
                    .map(|source| self.values[source].clone())
            };
            let sources: Option<Vec<Binding>> = known.iter().map(source).collect();
            let binding = match sources {
                None => {
                    let number = u32::MAX - u32::try_from(position).unwrap_or(0);
                    Binding::Scalar(self.graph.add(Node::Induction(label, number)))
                }
                Some(sources) => {
                    self.meet_bindings(*target, label, n, &edges, &sources, states, state)?
                }
            };
            met.push((*target, binding));
        }
        for (target, binding) in met {
            self.set(target, binding);
        }
        Ok(())
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "everything that is known of one place where control meets"
    )]
    fn meet_bindings(
        &mut self,
        target: Value,
        label: u32,
        n: usize,
        edges: &[usize],
        sources: &[Binding],
        states: &[State],
        state: &mut State,
    ) -> Result<Binding, Lost> {
        let scalars: Option<Vec<(NodeId, i64)>> = sources
            .iter()
            .map(|own| match own {
                Binding::Scalar(node) => Some((*node, 0)),
                _ => None,
            })
            .collect();
        if let Some(inputs) = scalars {
            let (node, _) = self.joined((label, Slot::Value(target)), n, edges, &inputs);
            return Ok(Binding::Scalar(node));
        }
        let views: Option<Vec<Rc<View>>> = sources
            .iter()
            .map(|own| match own {
                Binding::View(view) => Some(Rc::clone(view)),
                _ => None,
            })
            .collect();
        let Some(views) = views else {
            return self.lost("a value is storage on some ways only");
        };
        let is_known = self.of_value.contains_key(&target)
            || self.joins.contains_key(&(label, Slot::Pointer(target)));
        if !is_known && views.windows(2).all(|pair| pair[0] == pair[1]) {
            return Ok(Binding::View(Rc::clone(&views[0])));
        }
        self.meet_views(target, label, n, edges, &views, states, state)
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "everything that is known of one place where control meets"
    )]
    fn meet_views(
        &mut self,
        target: Value,
        label: u32,
        n: usize,
        edges: &[usize],
        views: &[Rc<View>],
        states: &[State],
        state: &mut State,
    ) -> Result<Binding, Lost> {
        if !self.joins.contains_key(&(label, Slot::Pointer(target))) {
            self.has_changed = true;
        }
        let same_shape =
            |pair: &[Rc<View>]| pair[0].dims == pair[1].dims && pair[0].element == pair[1].element;
        if !views.windows(2).all(same_shape) {
            return Ok(Binding::View(Rc::new(View::unknown())));
        }
        let external = |view: &Rc<View>| match view.base {
            Base::External(own) => Some((own, view.start.clone())),
            _ => None,
        };
        let externals: Option<Vec<(External, Linear)>> = views.iter().map(external).collect();
        if let Some(externals) = externals {
            let mut inputs = Vec::new();
            for (own, start) in externals {
                inputs.push((self.graph.add(Node::Address(own, start)), 0));
            }
            let (node, _) = self.joined((label, Slot::Pointer(target)), n, edges, &inputs);
            return Ok(Binding::View(Rc::new(View {
                base: Base::External(External::Pointer(node)),
                limits: None,
                aligned: Linear::default(),
                start: Linear::default(),
                dims: views[0].dims.clone(),
                element: views[0].element,
                within: None,
            })));
        }
        self.joins
            .entry((label, Slot::Pointer(target)))
            .or_insert(NodeId(u32::MAX));
        let pointers = self.pointers.entry(label).or_default();
        if !pointers.contains(&target) {
            pointers.push(target);
        }
        self.merge_locals(target, label, n, edges, views, states, state)
    }

    /// A view that is one of several of the function's own storages: storage with the content that they have.
    #[allow(
        clippy::too_many_arguments,
        reason = "everything that is known of one place where control meets"
    )]
    fn merge_locals(
        &mut self,
        target: Value,
        label: u32,
        n: usize,
        edges: &[usize],
        views: &[Rc<View>],
        states: &[State],
        state: &mut State,
    ) -> Result<Binding, Lost> {
        let mut targets = Vec::new();
        let mut hulls = Vec::new();
        for view in views {
            match (view.base, view.hull()) {
                (Base::Unknown, _) | (_, None) => {
                    return Ok(Binding::View(Rc::new(View::unknown())));
                }
                (base, Some(hull)) if view.start.known() == Some(hull.0) => {
                    hulls.push((base, hull))
                }
                _ => return Ok(Binding::View(Rc::new(View::unknown()))),
            }
        }
        let length = hulls[0].1.1 - hulls[0].1.0;
        let storage = self.storage(target, Some(length), false);
        let mut lists = Vec::new();
        for ((own, hull), from) in hulls.iter().zip(states) {
            lists.push(self.bytes(from, *own, hull.0, length));
        }
        let (mut contents, mut at) = (Contents::default(), 0);
        for part in cut(&lists) {
            let inputs: Vec<(NodeId, i64)> =
                part.iter().map(|own| (own.node, own.offset)).collect();
            let key = (label, Slot::Merged(storage, at));
            let (node, offset) = self.joined(key, n, edges, &inputs);
            let piece = Piece {
                node,
                offset,
                length: part[0].length,
            };
            contents.write(at, &[piece]);
            at += piece.length;
        }
        *state.local_mut(storage) = contents;
        for (((own, hull), edge), from) in hulls.iter().zip(edges).zip(states) {
            let merge = from
                .merges
                .iter()
                .find(|merge| Base::Local(merge.storage) == *own);
            // What a merge of this very place was, it is no more.
            let is_renewed =
                matches!(own, Base::Local(own) if self.is_met_here(*own, target, label));
            if !is_renewed {
                targets.push(Target {
                    base: *own,
                    bytes: *hull,
                    gate: Some((label, u32::try_from(*edge).unwrap_or(u32::MAX))),
                });
            }
            for further in merge.into_iter().flat_map(|merge| &merge.targets) {
                targets.push(Target {
                    gate: None,
                    ..further.clone()
                });
            }
        }
        let merges = Rc::make_mut(&mut state.merges);
        merges.retain(|merge| merge.storage != storage);
        for merge in merges.iter_mut() {
            merge.targets.retain(|own| own.base != Base::Local(storage));
        }
        let mut distinct: Vec<Target> = Vec::new();
        for own in targets {
            if !distinct.contains(&own) {
                distinct.push(own);
            }
        }
        merges.push(Merge {
            storage,
            targets: distinct,
            apart: Vec::new(),
        });
        merges.sort_by_key(|merge| merge.storage);
        let mut view = (*views[0]).clone();
        view.base = Base::Local(storage);
        view.limits = None;
        (view.aligned, view.start) = (Linear::default(), Linear::default());
        Ok(Binding::View(Rc::new(view)))
    }

    /// Bytes of known storage.
    pub fn bytes(&mut self, state: &State, base: Base, start: i64, length: i64) -> Vec<Piece> {
        match base {
            Base::Local(storage) => state.local(storage).read(&mut self.graph, start, length),
            Base::External(of) => read_runs(
                &mut self.graph,
                &self.aliasing,
                state.memory,
                of,
                &[(start, length)],
            ),
            Base::Unknown => Vec::new(),
        }
    }

    /// Whether storage is that of a merge at the same place, which is another one from now on.
    fn is_met_here(&self, storage: u32, target: Value, label: u32) -> bool {
        let is_own = self.of_value.get(&target) == Some(&storage);
        let others = self.pointers.get(&label).into_iter().flatten();
        is_own
            || others
                .filter_map(|value| self.of_value.get(value))
                .any(|own| *own == storage)
    }
}

/// By block: its place among those with an end of their own.
fn end_numbers(flat: &Flat<'_>) -> Vec<usize> {
    let mut numbers = vec![usize::MAX; flat.blocks.len()];
    let own = flat
        .order
        .iter()
        .filter(|block| flat.blocks[**block].end.is_some());
    for (number, block) in own.enumerate() {
        numbers[*block] = number;
    }
    numbers
}

/// All bytes of some storage.
pub(crate) fn bytes_view(base: Base, bytes: Option<i64>) -> View {
    View {
        base,
        limits: bytes.map(|bytes| (0, bytes)),
        aligned: Linear::default(),
        start: Linear::default(),
        dims: bytes
            .map(|bytes| (Linear::constant(bytes), Linear::constant(1)))
            .into_iter()
            .collect(),
        element: 1,
        within: None,
    }
}
