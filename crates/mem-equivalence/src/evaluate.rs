//! Symbolic evaluation of one flat function: every scalar and every byte of memory becomes a node
//! of the value graph.
//!
//! Blocks are evaluated in reverse post-order. At a control-flow merge, contents that differ
//! between the incoming edges become joins. A loop is evaluated until the state at its head reaches
//! a fixed point ([`crate::sweeps`]): the first sweep ignores back edges, a byte that has become a
//! join stays a join, and byte intervals are only ever refined, so the iteration terminates.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap as HashMap;

use crate::cases::Cases;
use crate::contents::Contents;
use crate::events::Event;
use crate::extent::Extents;
use crate::flatten::{Flat, FlatBlock, Value};
use crate::flights::Flight;
use crate::frees::Frees;
use crate::joined::Joins;
use crate::linear::Linear;
use crate::locals::Locals;
use crate::lost::Lost;
use crate::memory::Aliasing;
use crate::order::Order;
use crate::places::Place;
use crate::program::{Fingerprint, Layout, Location, StepKind, StorageStep, ValueType};
use crate::sweeps::Head;
use crate::value::{External, Graph, Node, NodeId, Piece};
use crate::view::{Base, View};

/// Why an address cannot be followed: it differs between the programs.
pub(crate) const PLANNED: &str = "it is the address of planned storage";

/// Maximum number of merges at once where all executions are one case. The time of a write is cubic in it.
const MAX_MERGES: usize = 8;

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
    pub place: Option<Box<Place>>,
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
    /// The last position at which it is needed ([`Extents`]).
    pub last: usize,
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
    pub locals: Locals,
    pub merges: Rc<Vec<Merge>>,
    pub memory: NodeId,
    /// Everything that was exchanged with other programs, or freed for the caller, so far.
    pub exchanged: NodeId,
    /// Transfers in flight on at least one path, by site.
    pub flights: Rc<Vec<Flight>>,
}

impl State {
    pub(crate) fn local(&self, storage: u32) -> Rc<Contents> {
        self.locals.get(storage).cloned().unwrap_or_default()
    }

    pub(crate) fn local_mut(&mut self, storage: u32) -> &mut Contents {
        self.locals.get_mut(storage)
    }
}

/// An observable event: a branch decision or a return.
pub(crate) struct Observation {
    /// Number of the block among those with a terminator of their own.
    pub number: usize,
    pub location: Location,
    pub fingerprint: Fingerprint,
    pub values: Vec<NodeId>,
    /// At a return: externally reachable memory.
    pub memory: Option<NodeId>,
    /// At a return: everything that was exchanged with other programs.
    pub exchanged: Option<NodeId>,
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

/// The entity that a join merges, other than bytes of local storage.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    Value(Value),
    Pointer(Value),
    Memory,
    Exchanged,
}

/// Result of evaluating a function.
pub(crate) struct Evaluated {
    /// In a comparison by cases: empty, since the next evaluation adds to the graph.
    pub graph: Rc<Graph>,
    pub observations: Vec<Observation>,
    /// Steps with arbitrary effects, and exchanges. What they observe is compared even if the
    /// function does not return.
    pub events: Vec<Event>,
    /// Indexed by label: the next position after the label.
    pub successors: Vec<Position>,
    /// By label in a loop: the head of the outermost one.
    pub loops: HashMap<u32, usize>,
    /// In a comparison by cases, by number of a block with a terminator of its own: the only edge
    /// that control takes at its end, if it is known.
    pub taken: BTreeMap<usize, usize>,
}

pub(crate) struct Evaluator<'a> {
    pub flat: &'a Flat<'a>,
    pub graph: Graph,
    pub aliasing: Aliasing,
    pub values: Vec<Binding>,
    pub storages: Vec<Storage>,
    /// Arguments modeled as local storage, with their byte ranges. Callers see their final
    /// contents.
    pub alone: Vec<(u32, External, (i64, i64))>,
    /// Storage of each value that owns one: allocations, arguments modeled as local storage,
    /// constant globals, merges, and results of rotations.
    pub of_value: HashMap<Value, u32>,
    /// Storage of each place in an arena that is not at a known address.
    pub of_place: HashMap<Place, u32>,
    /// By storage that is allocated again: the storage that stands for all earlier instances.
    pub earlier: HashMap<u32, u32>,
    /// By arena: its own storage and those of its places, if there are any.
    pub places_in: HashMap<u32, Vec<u32>>,
    pub order: RefCell<Order>,
    /// Computed once there is a merge.
    pub extents: OnceCell<Extents>,
    pub escaped: HashMap<Value, External>,
    pub joins: HashMap<(u32, Slot), NodeId>,
    /// By label and storage: the bytes that are joined there.
    pub joined: HashMap<u32, BTreeMap<u32, Joins>>,
    /// By label and storage of a merge that the label creates: the bytes that are joined.
    pub merged: HashMap<(u32, u32), Joins>,
    /// Indexed by label: block arguments that are merges.
    pub pointers: HashMap<u32, Vec<Value>>,
    /// Indexed by block: what is known of the loop whose head it is, once that has been evaluated.
    pub heads: Vec<Option<Box<Head>>>,
    /// Indexed by block: the state at its end, from its evaluation until no block needs it any more.
    pub ends: Vec<Option<State>>,
    /// Indexed by block: whether it has been evaluated.
    pub is_evaluated: Vec<bool>,
    /// Indexed by block: its number among the blocks with a terminator of their own.
    pub end_numbers: Vec<usize>,
    /// Indexed by block: the only edge that control takes at its end, if it is known.
    pub taken: Vec<Option<usize>>,
    /// The block and the number of the step that is being evaluated.
    pub here: (usize, usize),
    /// In a comparison by cases: what this case assumes.
    pub cases: Option<&'a mut Cases>,
    pub has_changed: bool,
    pub frees: Frees,
    /// By number of the block among those with a terminator of their own.
    observations: Vec<Option<Observation>>,
    /// Indexed by block.
    pub events: Vec<Vec<Event>>,
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
/// reach no fixed point within [`MAX_SWEEPS`](crate::sweeps::MAX_SWEEPS) sweeps. `cases`: the case to evaluate, if the
/// function is compared by cases; it keeps the graph.
pub(crate) fn evaluate<'a>(
    flat: &'a Flat<'a>,
    setting: &Setting,
    is_original: bool,
    mut cases: Option<&'a mut Cases>,
) -> Result<Evaluated, Lost> {
    let n = flat.blocks.len();
    let graph = cases.as_mut().map(|own| std::mem::take(&mut own.graph));
    let mut evaluator = Evaluator {
        flat,
        graph: graph.unwrap_or_default(),
        aliasing: setting.aliasing.clone(),
        values: vec![Binding::None; flat.types.len()],
        storages: Vec::new(),
        alone: Vec::new(),
        of_value: HashMap::default(),
        of_place: HashMap::default(),
        earlier: HashMap::default(),
        places_in: HashMap::default(),
        order: RefCell::default(),
        extents: OnceCell::new(),
        escaped: HashMap::default(),
        joins: HashMap::default(),
        joined: HashMap::default(),
        merged: HashMap::default(),
        pointers: HashMap::default(),
        heads: (0..n).map(|_| None).collect(),
        ends: (0..n).map(|_| None).collect(),
        is_evaluated: vec![false; n],
        end_numbers: end_numbers(flat),
        taken: vec![None; n],
        here: (0, 0),
        cases,
        has_changed: false,
        frees: Frees::of(is_original),
        observations: flat.ends().map(|_| None).collect(),
        events: (0..n).map(|_| Vec::new()).collect(),
    };
    evaluator.number_escaped();
    let outcome = evaluator.settle(setting);
    let numbers = evaluator.end_numbers.iter().copied();
    let taken = numbers.zip(evaluator.taken);
    let observations = evaluator.observations.into_iter().flatten().collect();
    let mut by_block = evaluator.events;
    let events = flat
        .order
        .iter()
        .flat_map(|own| std::mem::take(&mut by_block[*own]));
    let events = events.collect();
    let mut graph = evaluator.graph;
    // Even a failed evaluation returns the graph: the question that it asks refers to a node.
    if let Some(cases) = evaluator.cases {
        cases.graph = std::mem::take(&mut graph);
    }
    outcome.map(|successors| Evaluated {
        taken: taken.filter_map(|(at, own)| Some((at, own?))).collect(),
        successors,
        loops: loops(flat),
        graph: Rc::new(graph),
        observations,
        events,
    })
}

impl Evaluator<'_> {
    /// Numbers the allocations whose address escapes, in reverse post-order of the blocks.
    /// Corresponding allocations of both programs get the same number if both allocate in the same
    /// order.
    fn number_escaped(&mut self) {
        for index in &self.flat.order {
            let block = &self.flat.blocks[*index];
            for step in block.steps {
                if let StepKind::Storage(StorageStep::Allocate { result, .. }) = &step.kind {
                    let value = block.frame.value(*result);
                    if self.flat.escapes[value] {
                        let number = u32::try_from(self.escaped.len()).unwrap_or(u32::MAX);
                        let own = External::Escaped {
                            number,
                            is_in_loop: self.flat.nest.outermost[*index].is_some(),
                        };
                        self.escaped.insert(value, own);
                    }
                }
            }
        }
    }

    /// Evaluates a block, given the states at the ends of its predecessors.
    pub(crate) fn block(&mut self, index: usize, setting: &Setting) -> Result<(), Lost> {
        // What was observed before lacks contents that arrive along back edges.
        let block = &self.flat.blocks[index];
        if block.end.is_some() {
            self.observations[self.end_numbers[index]] = None;
        }
        self.events[index].clear();
        self.here = (index, 0);
        let mut state = match self.flat.predecessors[index].is_empty() {
            true => self.entry(setting),
            // In this case, control takes none of the incoming edges that have been evaluated.
            false if !self.is_reached(index) => return Ok(()),
            false => self.meet(index)?,
        };
        if let Some(cases) = &mut self.cases
            && !cases.pay(block.steps.len() + 1)
        {
            return self.lost("there are too many cases");
        }
        self.drop_merges(&mut state);
        if state.merges.len() > MAX_MERGES && self.cases.is_some() && !self.is_divided() {
            return self.lost("too many values denote one of several storages");
        }
        for (number, step) in block.steps.iter().enumerate() {
            self.graph.here = Some(step.location);
            self.here = (index, number);
            self.step(&block.frame, &step.kind, &mut state)?;
        }
        if let Some(end) = block.end {
            self.graph.here = Some(end.location);
            // Only a return has no edges.
            if end.edges.is_empty() {
                self.check_landed(&state, "a transfer is in flight when the function returns")?;
            }
            self.observe(index, end, &state);
            let taken = self.taken_edge(index, end);
            self.has_changed |= std::mem::replace(&mut self.taken[index], taken) != taken;
        }
        self.here = (index, block.steps.len());
        self.drop_merges(&mut state);
        // `set` and `joined` report changes of values and contents, and `note_changed` those of merges. Flights
        // are compared here. A loop whose blocks have just been reached has not met its own ends yet.
        self.is_evaluated[index] = true;
        let before = self.ends[index].replace(state);
        self.has_changed |= before.is_none() || self.flights_changed(index, before.as_ref());
        Ok(())
    }

    /// Whether control takes an edge from one block to another, as far as is known by now.
    pub(crate) fn is_taken(&self, from: usize, edge: usize) -> bool {
        let to = self.flat.blocks[from].edges[edge].to;
        self.is_left_along(from, edge) && self.may_enter(to, (from, edge))
    }

    /// Whether the decision at the end of a block may lead to an edge, as far as is known by now.
    pub(crate) fn is_left_along(&self, from: usize, edge: usize) -> bool {
        self.is_evaluated[from] && self.taken[from].is_none_or(|taken| taken == edge)
    }

    fn is_reached(&self, block: usize) -> bool {
        let mut entering = self.flat.predecessors[block].iter();
        entering.any(|(from, edge)| self.is_taken(*from, *edge))
    }

    fn observe(&mut self, block: usize, end: &crate::program::End, state: &State) {
        let FlatBlock { frame, edges, .. } = &self.flat.blocks[block];
        let mut values = Vec::new();
        for operand in &end.operands {
            let node = self.scalar(frame.value(*operand));
            values.push(node);
        }
        let edges: Vec<Position> = edges.iter().map(|edge| self.position(edge.to)).collect();
        if edges.is_empty() {
            // Memory does not include arguments modeled as local storage, although callers see
            // them.
            for (storage, _, hull) in self.alone.clone() {
                let pieces = state
                    .local(storage)
                    .read(&mut self.graph, hull.0, hull.1 - hull.0);
                values.push(self.graph.sequence(pieces));
            }
        }
        let number = self.end_numbers[block];
        self.observations[number] = Some(Observation {
            number,
            location: end.location,
            fingerprint: end.fingerprint,
            values,
            memory: end.edges.is_empty().then_some(state.memory),
            exchanged: end.edges.is_empty().then_some(state.exchanged),
            edges,
        });
    }

    /// Returns the first position reached from the start of a block, including its own label.
    fn position(&self, block: usize) -> Position {
        match self.flat.labels[block] {
            Some(label) => Position::Label(label),
            None => self.position_past_label(block),
        }
    }

    /// Returns the first position reached from the start of a block, excluding its own label.
    pub(crate) fn position_past_label(&self, block: usize) -> Position {
        match (
            self.flat.blocks[block].end,
            self.flat.blocks[block].edges.first(),
        ) {
            // A block without a decision of its own cannot be observed, so the position is that of
            // its successor.
            (None, Some(edge)) => self.position(edge.to),
            _ => Position::End(self.end_numbers[block]),
        }
    }

    /// Binds the arguments and returns the state at function entry.
    fn entry(&mut self, setting: &Setting) -> State {
        let memory = self.graph.add(Node::Memory);
        // Nothing has been exchanged yet; later states are results of exchanges.
        let exchanged = self.graph.add(Node::Integer(0));
        let mut state = State {
            locals: Locals::default(),
            merges: Rc::default(),
            memory,
            exchanged,
            flights: Rc::default(),
        };
        for (index, value) in self.flat.arguments.iter().enumerate() {
            let number = u32::try_from(index).unwrap_or(u32::MAX);
            let binding = match self.flat.types[*value] {
                ValueType::Scalar { .. } => {
                    Binding::Scalar(self.graph.add(Node::Argument(number, 0)))
                }
                // Arguments that the original lacks are arenas, whatever layout their type has.
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
        // Every sweep binds the arguments again.
        if !self.alone.contains(&(storage, external, hull)) {
            self.alone.push((storage, external, hull));
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
        // Allocations of an unrolled loop that alternate share a storage (`share_storages`).
        let value = self.flat.owners.get(&value).copied().unwrap_or(value);
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

    /// Adds storage of unknown size that no value owns.
    pub(crate) fn add_storage(&mut self, place: Option<Box<Place>>) -> u32 {
        let number = u32::try_from(self.storages.len()).unwrap_or(u32::MAX);
        self.storages.push(Storage {
            bytes: None,
            is_arena: false,
            place,
        });
        number
    }

    /// Returns a value as one node: a scalar, or the address of a view.
    pub(crate) fn scalar(&mut self, value: Value) -> NodeId {
        match &self.values[value] {
            Binding::Scalar(node) => *node,
            Binding::View(view) => match view.base {
                // External storage has the same address in both programs.
                Base::External(external) => {
                    let start = view.start.clone();
                    self.graph.add(Node::Address(external, start))
                }
                _ => self.graph.unknown(PLANNED),
            },
            Binding::None => self.graph.unknown("it is used before it is defined"),
        }
    }
}

/// By label in a loop: the head of the outermost one.
fn loops(flat: &Flat<'_>) -> HashMap<u32, usize> {
    let labels = flat.labels.iter().zip(&flat.nest.outermost);
    labels
        .filter_map(|(label, head)| label.zip(*head))
        .collect()
}

/// Indexed by block: its position among the blocks with a terminator of their own.
fn end_numbers(flat: &Flat<'_>) -> Vec<usize> {
    let mut numbers = vec![usize::MAX; flat.blocks.len()];
    for (number, block) in flat.ends().enumerate() {
        numbers[block] = number;
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
