//! Symbolic evaluation of one flat function: every scalar and every byte of memory becomes a node
//! of the value graph.
//!
//! Blocks are evaluated in reverse post-order. At a control-flow merge, contents that differ
//! between the incoming edges become joins. Loops are evaluated until the states at their headers
//! reach a fixed point: the first sweep ignores back edges, a byte that has become a join stays a
//! join, and byte intervals are only ever refined, so the iteration terminates.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use crate::contents::Contents;
use crate::flatten::{Flat, Value};
use crate::flights::Flight;
use crate::linear::Linear;
use crate::memory::Aliasing;
use crate::order::Order;
use crate::places::Place;
use crate::program::{Fingerprint, Layout, Location, StepKind, ValueType};
use crate::value::{External, Graph, Node, NodeId, Piece};
use crate::view::{Base, View};

/// Maximum number of sweeps over a function with loops.
const MAX_SWEEPS: usize = 64;

/// Location of a construct that cannot be followed, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    pub location: Option<Location>,
    pub why: &'static str,
    /// If the program is wrong whatever the other one does, because it races with a transfer in
    /// flight: where that transfer starts.
    pub race: Option<Option<Location>>,
}

/// Symbolic meaning of a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Binding {
    None,
    Scalar(NodeId),
    View(Rc<View>),
}

/// Storage owned by the function.
pub(crate) struct Storage {
    pub bytes: Option<i64>,
    /// Whether several tensors share the storage.
    pub is_arena: bool,
    /// For a place in an arena that is not at a known address.
    pub place: Option<Place>,
}

/// A view with several possible targets, modeled as storage of its own that holds the content of
/// the target it denotes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Merge {
    pub storage: u32,
    /// The places that the merge may denote.
    pub targets: Vec<Target>,
    /// Local storages that the merge is known not to denote.
    pub apart: Vec<u32>,
}

/// A place that a merge may denote.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    /// Never [`Base::Unknown`].
    pub base: Base,
    /// Byte range `[start, end)` in `base`. The first byte of the merge is at `start`.
    pub bytes: (i64, i64),
    /// `(label, edge)`: the merge denotes this target exactly if control last entered `label` along
    /// `edge`. `None`: the merge may denote this target.
    pub gate: Option<(u32, u32)>,
}

/// State of memory at a program point.
#[derive(Clone)]
pub(crate) struct State {
    pub locals: Rc<Vec<Rc<Contents>>>,
    pub merges: Rc<Vec<Merge>>,
    pub memory: NodeId,
    /// Transfers in flight on at least one path, by site.
    pub flights: Rc<Vec<Flight>>,
}

impl State {
    pub(crate) fn local(&self, storage: u32) -> Rc<Contents> {
        self.locals
            .get(storage as usize)
            .cloned()
            .unwrap_or_default()
    }

    pub(crate) fn local_mut(&mut self, storage: u32) -> &mut Contents {
        let locals = Rc::make_mut(&mut self.locals);
        if locals.len() <= storage as usize {
            locals.resize_with(storage as usize + 1, Rc::default);
        }
        Rc::make_mut(&mut locals[storage as usize])
    }
}

/// An observable event: a branch decision or a return.
pub(crate) struct Observation {
    pub location: Location,
    pub fingerprint: Fingerprint,
    pub values: Vec<NodeId>,
    /// At a return: externally reachable memory.
    pub memory: Option<NodeId>,
    /// Per edge: the position that it leads to.
    pub edges: Vec<Position>,
}

/// A control-flow position in a form that can be compared between the two programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// A join point, by label.
    Label(u32),
    /// The next decision or return, by index of its observation.
    End(usize),
}

/// The entity that a join merges.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    Value(Value),
    Pointer(Value),
    Memory,
    Byte(u32, i64),
    /// A byte of the merge storage that the label creates: storage and address.
    Merged(u32, i64),
}

/// Result of evaluating a function.
pub(crate) struct Evaluated {
    pub graph: Graph,
    pub observations: Vec<Observation>,
    /// Indexed by label: the next position after the label.
    pub successors: Vec<Position>,
}

pub(crate) struct Evaluator<'a> {
    pub flat: &'a Flat<'a>,
    pub graph: Graph,
    pub aliasing: Aliasing,
    pub values: Vec<Binding>,
    pub storages: Vec<Storage>,
    /// Arguments modeled as local storage: storage and byte range. Callers see their final
    /// contents.
    alone: Vec<(u32, (i64, i64))>,
    /// Storage of each value that owns one: allocations, arguments modeled as local storage,
    /// constant globals, merges, and results of rotations.
    pub of_value: HashMap<Value, u32>,
    /// Storage of each place in an arena that is not at a known address.
    pub of_place: HashMap<Place, u32>,
    /// By arena: its own storage and those of its places, if there are any.
    pub places_in: HashMap<u32, Vec<u32>>,
    pub order: RefCell<Order>,
    pub escaped: HashMap<Value, u32>,
    pub joins: HashMap<(u32, Slot), NodeId>,
    /// Indexed by label: storages with at least one byte that is joined there.
    pub joined_storages: HashMap<u32, BTreeSet<u32>>,
    /// Indexed by label: block arguments that are merges.
    pub pointers: HashMap<u32, Vec<Value>>,
    /// Indexed by block: the state at its end; `None` until the block has been evaluated.
    pub ends: Vec<Option<State>>,
    /// Indexed by block: the index of its observation, for blocks with a terminator of their own.
    end_numbers: Vec<usize>,
    pub has_changed: bool,
    observations: Vec<Observation>,
}

/// Assumptions that the evaluations of both programs share.
pub(crate) struct Setting {
    /// Number of arguments of the original. Any further arguments are arenas, which nothing else
    /// aliases.
    pub n_arguments: usize,
    pub aliasing: Aliasing,
    /// Indexed by argument: whether no other accessed storage may alias it, and its bytes are
    /// known.
    pub is_alone: Vec<bool>,
}

/// Evaluates a function.
///
/// # Errors
///
/// Returns [`Lost`] if the function contains a construct that cannot be followed, or if its loops
/// reach no fixed point within [`MAX_SWEEPS`] sweeps.
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
        of_place: HashMap::new(),
        places_in: HashMap::new(),
        order: RefCell::default(),
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
        // Without loops, one sweep in reverse post-order visits every block after its predecessors.
        if !flat.has_loops || !evaluator.has_changed {
            let labelled = flat
                .order
                .iter()
                .filter(|block| flat.labels[**block].is_some());
            let successors = labelled
                .map(|block| evaluator.position_behind(*block))
                .collect();
            return Ok(Evaluated {
                successors,
                graph: evaluator.graph,
                observations: evaluator.observations,
            });
        }
    }
    Err(Lost {
        location: None,
        why: "its loops do not settle",
        race: None,
    })
}

impl Evaluator<'_> {
    pub(crate) fn lost<T>(&self, why: &'static str) -> Result<T, Lost> {
        let location = self.graph.here;
        Err(Lost {
            location,
            why,
            race: None,
        })
    }

    /// Numbers the allocations whose address escapes, in reverse post-order of the blocks.
    /// Corresponding allocations of both programs get the same number if both allocate in the same
    /// order.
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
                if end.edges.is_empty() {
                    self.check_landed(&state)?;
                }
                self.observe(*index, end, &state);
            }
            let before = self.ends[*index].replace(state);
            self.has_changed |= self.flights_changed(*index, before.as_ref());
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
            // Memory does not include arguments modeled as local storage, although callers see
            // them.
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

    /// Returns the first position reached from the start of a block, including its own label.
    fn position(&self, block: usize) -> Position {
        match self.flat.labels[block] {
            Some(label) => Position::Label(label),
            None => self.position_behind(block),
        }
    }

    /// Returns the first position reached from the start of a block, excluding its own label.
    fn position_behind(&self, block: usize) -> Position {
        match (
            self.flat.blocks[block].end,
            self.flat.blocks[block].edges.first(),
        ) {
            (None, Some(edge)) => self.position(edge.to),
            _ => Position::End(self.end_numbers[block]),
        }
    }

    /// Binds the arguments and returns the state at function entry.
    fn entry(&mut self, setting: &Setting) -> State {
        let memory = self.graph.add(Node::Memory);
        let mut state = State {
            locals: Rc::default(),
            merges: Rc::default(),
            memory,
            flights: Rc::default(),
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

    /// Binds an argument to storage that the caller provides for this function alone. Its content
    /// is undefined at entry.
    fn arena(&mut self, value: Value, state: &mut State) -> Binding {
        let storage = self.storage(value, None, true);
        *state.local_mut(storage) = Contents::default();
        Binding::View(Rc::new(bytes_view(Base::Local(storage), None)))
    }

    /// Binds an argument without aliases to local storage with the argument's initial content.
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

    /// Returns the number of the storage that a value owns, and creates the storage on first use.
    pub(crate) fn storage(&mut self, value: Value, bytes: Option<i64>, is_arena: bool) -> u32 {
        let next = u32::try_from(self.storages.len()).unwrap_or(u32::MAX);
        let number = *self.of_value.entry(value).or_insert(next);
        if number == next {
            self.storages.push(Storage {
                bytes,
                is_arena,
                place: None,
            });
        }
        number
    }

    /// Returns a value as one node: a scalar, or the address of a view.
    pub(crate) fn scalar(&mut self, value: Value) -> NodeId {
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

/// Indexed by block: its position among the blocks with a terminator of their own.
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

/// Returns a view of all bytes of a storage.
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
