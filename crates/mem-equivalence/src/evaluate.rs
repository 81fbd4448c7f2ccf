//! Symbolic evaluation of one flat function: every value and every byte of memory as a node of a graph.
//!
//! Blocks are evaluated in reverse post-order. Where control meets, what differs between the edges becomes a join. Loops are
//! evaluated until the heads' states stay as they are: at first, edges back are taken not to change anything; once a byte is a
//! join it stays one, and bytes are only ever told apart more finely, so that this ends.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::contents::Contents;
use crate::flatten::{Flat, Value};
use crate::linear::Linear;
use crate::memory::Aliasing;
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
pub(crate) enum Slot {
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
    /// By label: the position that follows it.
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
    pub joins: HashMap<(u32, Slot), NodeId>,
    /// By label: storages of which some bytes are joins there.
    pub joined_storages: HashMap<u32, BTreeSet<u32>>,
    /// By label: arguments that are merges.
    pub pointers: HashMap<u32, Vec<Value>>,
    /// By block: memory at its end, once it has been evaluated.
    pub ends: Vec<Option<State>>,
    /// By block with an end of its own: which of those it is.
    end_numbers: Vec<usize>,
    pub has_changed: bool,
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
