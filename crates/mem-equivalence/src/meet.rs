//! Control-flow merges: contents that differ between the incoming edges become joins.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::cases::ONE_OF_SEVERAL;
use crate::contents::Contents;
use crate::evaluate::{Binding, Evaluator, Merge, Slot, State, Target};
use crate::flatten::Value;
use crate::joined::Meeting;
use crate::linear::Linear;
use crate::lost::Lost;
use crate::memory::read_runs;
use crate::program::ValueType;
use crate::value::{External, Node, NodeId, Piece};
use crate::view::{Base, View};

/// Maximum number of times that more is assumed about merges than what is known where a loop returns to its head.
const MAX_ASSUMED: usize = 4;

impl Evaluator<'_> {
    /// Returns the state at the start of a block that has predecessors, and binds its arguments.
    pub(crate) fn meet(&mut self, block: usize) -> Result<State, Lost> {
        let predecessors = &self.flat.predecessors[block];
        let known: Vec<(usize, usize, usize)> = predecessors
            .iter()
            .enumerate()
            // A back edge counts only after a sweep has evaluated the block that it leaves.
            .filter(|(_, (from, index))| self.is_taken(*from, *index))
            .map(|(edge, (from, index))| (edge, *from, *index))
            .collect();
        let ends = known.iter().map(|(_, from, _)| self.ends[*from].clone());
        let Some(states) = ends.collect::<Option<Vec<State>>>() else {
            return self.lost("a state is missing");
        };
        let Some(label) = self.flat.labels[block].filter(|_| predecessors.len() > 1) else {
            self.bind(block, &known);
            return Ok(states[0].clone());
        };
        let edges: Vec<usize> = known.iter().map(|(edge, ..)| *edge).collect();
        // A join has an input for every edge, including those that only a later sweep finds to be
        // taken.
        let meeting = Meeting {
            label,
            n: predecessors.len(),
            edges: &edges,
        };
        let is_back: Vec<bool> = known.iter().map(|own| self.is_back(block, *own)).collect();
        let outside = |own: &State| [own.memory, own.exchanged];
        let [memory, exchanged] = [(0, Slot::Memory), (1, Slot::Exchanged)].map(|(index, slot)| {
            let mut inputs: Vec<(NodeId, i64)> =
                states.iter().map(|own| (outside(own)[index], 0)).collect();
            self.pass_through(block, index, &is_back, &mut inputs);
            self.joined(meeting, slot, &inputs).0
        });
        let mut state = State {
            locals: states[0].locals.clone(),
            merges: self.meet_merges_at(block, &states, &is_back),
            memory,
            exchanged,
            flights: Rc::default(),
        };
        // Values follow contents: a merge replaces what the incoming states hold in its storage.
        self.meet_locals(block, meeting, (&states, &is_back), &mut state);
        self.meet_values(block, meeting, &known, &states, &mut state)?;
        // Tickets are renamed to block arguments, so the arguments have to be bound.
        if states.iter().any(|own| !own.flights.is_empty()) {
            state.flights = self.meet_flights(block, label, &edges, &states);
        }
        if self.flat.nest.loops[block].is_some() {
            let head = self.heads[block].get_or_insert_default();
            head.locals = state.locals.clone();
            head.outside = Some(outside(&state));
        }
        Ok(state)
    }

    /// What a loop does not change is along the edges back to its head what it is along the others, if these agree,
    /// although the state there may be from before the loop around this one was swept again.
    fn pass_through(
        &self,
        block: usize,
        index: usize,
        is_back: &[bool],
        inputs: &mut [(NodeId, i64)],
    ) {
        let head = self.heads[block].as_ref().filter(|_| !is_back[0]);
        if head.is_none_or(|own| own.changes[index]) {
            return;
        }
        let first = inputs[0];
        let mut others = inputs.iter().zip(is_back);
        if others.all(|(own, is_back)| *is_back || *own == first) {
            inputs.fill(first);
        }
    }

    /// Whether an edge, given with its number among those to the block, leads back to the head of a loop.
    fn is_back(&self, block: usize, (_, from, index): (usize, usize, usize)) -> bool {
        let own = self.flat.nest.loops[block].as_ref();
        own.is_some_and(|own| own.back.contains(&(from, index)))
    }

    /// Binds the values that are passed along a single incoming edge.
    pub(crate) fn bind(&mut self, block: usize, known: &[(usize, usize, usize)]) {
        let Some((_, from, index)) = known.first() else {
            return;
        };
        let label = self.flat.labels[block].unwrap_or(0);
        let edge = &self.flat.blocks[*from].edges[*index];
        // An edge assigns in parallel: all sources are read before any target is set.
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
            // Numbering from the top keeps these apart from the arguments in `bind_unbound`.
            let made_up = Node::Induction(label, u32::MAX - position);
            let binding = binding.unwrap_or_else(|| Binding::Scalar(self.graph.add(made_up)));
            self.set(to, binding);
        }
    }

    /// Binds the block arguments that no edge defines.
    pub(crate) fn bind_unbound(&mut self, block: usize, label: u32, bound: &[Value]) {
        let arguments = self.flat.blocks[block].arguments.iter().enumerate();
        for (index, argument) in arguments.filter(|(_, own)| !bound.contains(own)) {
            let number = u32::try_from(index).unwrap_or(u32::MAX);
            let binding = match self.flat.types[*argument] {
                ValueType::Scalar { .. } => {
                    let known = self.known_index(block, *argument);
                    let node = || self.graph.add(Node::Induction(label, number));
                    Binding::Scalar(known.unwrap_or_else(node))
                }
                _ => Binding::View(Rc::new(View::unknown())),
            };
            self.set(*argument, binding);
        }
    }

    pub(crate) fn set(&mut self, value: Value, binding: Binding) {
        if self.values[value] != binding {
            self.has_changed = true;
            self.values[value] = binding;
        }
    }

    /// Returns the node that merges the inputs from several edges, and the offset in it. Once created, a join is kept even if its inputs
    /// agree, so that the fixed-point iteration terminates.
    pub(crate) fn joined(
        &mut self,
        meeting: Meeting<'_>,
        slot: Slot,
        inputs: &[(NodeId, i64)],
    ) -> (NodeId, i64) {
        let key = (meeting.label, slot);
        let known = self.joins.get(&key).copied();
        if known.is_none() && inputs.windows(2).all(|pair| pair[0] == pair[1]) {
            return inputs[0];
        }
        let node = known.unwrap_or_else(|| {
            self.has_changed = true;
            let node = self.graph.join(meeting.label, meeting.n);
            self.joins.insert(key, node);
            node
        });
        self.set_inputs(node, meeting.edges, inputs);
        (node, 0)
    }

    /// Sets the inputs of a join from the edges that have been evaluated.
    pub(crate) fn set_inputs(&mut self, join: NodeId, edges: &[usize], inputs: &[(NodeId, i64)]) {
        if let Node::Join { number, .. } = *self.graph.node(join) {
            for (edge, input) in edges.iter().zip(inputs) {
                let own = &mut self.graph.joins[number as usize][*edge];
                self.has_changed |= *own != Some(*input);
                *own = Some(*input);
            }
        }
    }

    fn meet_locals(
        &mut self,
        block: usize,
        meeting: Meeting<'_>,
        (states, is_back): (&[State], &[bool]),
        state: &mut State,
    ) {
        // What an earlier visit has joined stays joined, so agreement is no reason to skip it.
        let mut joined = self.joined.remove(&meeting.label).unwrap_or_default();
        let mut storages: BTreeSet<u32> = joined.keys().copied().collect();
        let head = self.heads[block].as_ref().filter(|_| !is_back[0]);
        for (other, is_back) in states.iter().zip(is_back).skip(1) {
            match head.filter(|_| *is_back) {
                // What a loop does not change is along the edge back to its head what it is along the others,
                // although the state there may be from before the loop around this one was swept again.
                Some(head) => storages.extend(&head.changed),
                None => states[0].locals.differing(&other.locals, &mut |storage| {
                    storages.insert(storage);
                }),
            }
        }
        for storage in storages {
            let contents: Vec<Rc<Contents>> = states.iter().map(|own| own.local(storage)).collect();
            let mut joins = joined.remove(&storage).unwrap_or_default();
            // Otherwise the contents keep their `Rc`, so that the next merge can compare pointers.
            if let Some(met) = self.meet_contents(meeting, &mut joins, &contents) {
                *state.local_mut(storage) = met;
            }
            if !joins.is_empty() {
                joined.insert(storage, joins);
            }
        }
        if !joined.is_empty() {
            self.joined.insert(meeting.label, joined);
        }
    }

    /// The merges at the start of a block. What the storage of a merge is apart from may have been found only in this
    /// sweep of the loop around, so that it is not yet known where this loop returns to its head. Then the first sweep
    /// assumes it, and another one follows, which meets what this sweep has left.
    fn meet_merges_at(
        &mut self,
        block: usize,
        states: &[State],
        is_back: &[bool],
    ) -> Rc<Vec<Merge>> {
        let mut met = self.meet_merges(states);
        let head = self.heads[block].as_ref();
        let is_stale = head.is_some_and(|own| own.is_stale && own.n_assumed < MAX_ASSUMED);
        if !is_stale || is_back[0] || met.is_empty() {
            return met;
        }
        let entering = states.iter().zip(is_back).filter(|(_, is_back)| !**is_back);
        let entering: Vec<State> = entering.map(|(own, _)| own.clone()).collect();
        let known = self.meet_merges(&entering);
        let is_assumed = |own: &Merge| {
            let mut met = met.iter().filter(|other| other.storage == own.storage);
            met.any(|other| other.apart != own.apart)
        };
        let assumed: Vec<&Merge> = known.iter().filter(|own| is_assumed(own)).collect();
        if let (Some(head), false) = (&mut self.heads[block], assumed.is_empty()) {
            head.n_assumed += 1;
            self.has_changed = true;
            for own in Rc::make_mut(&mut met) {
                let mut entering = assumed.iter().filter(|other| other.storage == own.storage);
                if let Some(other) = entering.next() {
                    own.apart.clone_from(&other.apart);
                }
            }
        }
        met
    }

    /// Merges the possible targets of merges over the incoming edges.
    pub(crate) fn meet_merges(&self, states: &[State]) -> Rc<Vec<Merge>> {
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
            // Being apart has to hold along every edge on which the merge exists.
            known.apart.retain(|own| merge.apart.contains(own));
        }
        Rc::new(met.into_values().collect())
    }

    pub(crate) fn meet_values(
        &mut self,
        block: usize,
        meeting: Meeting<'_>,
        known: &[(usize, usize, usize)],
        states: &[State],
        state: &mut State,
    ) -> Result<(), Lost> {
        let label = meeting.label;
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
                    if self.is_divided()
                        && matches!(sources[0], Binding::View(_))
                        && sources.windows(2).any(|pair| pair[0] != pair[1])
                        // Other iterations may have to be told apart.
                        && (self.want_decision(block) || self.flat.is_unrolled)
                    {
                        return self.lost(ONE_OF_SEVERAL);
                    }
                    self.meet_bindings(*target, meeting, &sources, states, state)?
                }
            };
            met.push((*target, binding));
        }
        for (target, binding) in met {
            self.set(target, binding);
        }
        Ok(())
    }

    pub(crate) fn meet_bindings(
        &mut self,
        target: Value,
        meeting: Meeting<'_>,
        sources: &[Binding],
        states: &[State],
        state: &mut State,
    ) -> Result<Binding, Lost> {
        let label = meeting.label;
        let scalars: Option<Vec<(NodeId, i64)>> = sources
            .iter()
            .map(|own| match own {
                Binding::Scalar(node) => Some((*node, 0)),
                _ => None,
            })
            .collect();
        if let Some(inputs) = scalars {
            let (node, _) = self.joined(meeting, Slot::Value(target), &inputs);
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
        // As for joins, a value that has become a merge stays one, so that the iteration
        // terminates.
        let is_known = self.of_value.contains_key(&target)
            || self.joins.contains_key(&(label, Slot::Pointer(target)));
        if !is_known && views.windows(2).all(|pair| pair[0] == pair[1]) {
            return Ok(Binding::View(Rc::clone(&views[0])));
        }
        self.meet_views(target, meeting, &views, states, state)
    }

    pub(crate) fn meet_views(
        &mut self,
        target: Value,
        meeting: Meeting<'_>,
        views: &[Rc<View>],
        states: &[State],
        state: &mut State,
    ) -> Result<Binding, Lost> {
        let label = meeting.label;
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
        // An external address that depends on the path is a join of addresses, and needs no storage
        // of its own.
        if let Some(externals) = externals {
            let mut inputs = Vec::new();
            for (own, start) in externals {
                inputs.push((self.graph.add(Node::Address(own, start)), 0));
            }
            let (node, _) = self.joined(meeting, Slot::Pointer(target), &inputs);
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
        // Placeholder key: records that the target is a merge. Its content is joined byte by byte.
        self.joins
            .entry((label, Slot::Pointer(target)))
            .or_insert(NodeId(u32::MAX));
        let pointers = self.pointers.entry(label).or_default();
        if !pointers.contains(&target) {
            pointers.push(target);
        }
        self.merge_locals(target, meeting, views, states, state)
    }

    /// Merges views, at least one of them of local storage, into new storage with the content that
    /// the denoted view has.
    pub(crate) fn merge_locals(
        &mut self,
        target: Value,
        meeting: Meeting<'_>,
        views: &[Rc<View>],
        states: &[State],
        state: &mut State,
    ) -> Result<Binding, Lost> {
        let Meeting { label, edges, .. } = meeting;
        let mut hulls = Vec::new();
        for view in views {
            match (view.base, view.hull()) {
                (Base::Unknown, _) | (_, None) => {
                    return Ok(Binding::View(Rc::new(View::unknown())));
                }
                // Contents are merged from the lowest byte on, so the first element has to be
                // there.
                (base, Some(hull)) if view.start.known() == Some(hull.0) => {
                    hulls.push((base, hull))
                }
                _ => return Ok(Binding::View(Rc::new(View::unknown()))),
            }
        }
        // Views of one shape span the same number of bytes.
        let length = hulls[0].1.1 - hulls[0].1.0;
        let storage = self.storage(target, Some(length), false);
        let mut lists = Vec::new();
        for ((own, hull), from) in hulls.iter().zip(states) {
            lists.push(self.bytes(from, *own, hull.0, length));
        }
        let mut joins = self.merged.remove(&(label, storage)).unwrap_or_default();
        let pieces = self.meet_pieces(meeting, &mut joins, &lists, 0);
        let mut contents = Contents::default();
        contents.write_all(pieces);
        let bases: Vec<Base> = hulls.iter().map(|(own, _)| *own).collect();
        self.meet_marks(meeting, &mut joins, (&bases, states), &mut contents);
        self.merged.insert((label, storage), joins);
        *state.local_mut(storage) = contents;
        let mut targets: Vec<Target> = Vec::new();
        for ((hull, edge), from) in hulls.iter().zip(edges).zip(states) {
            self.add_targets(&mut targets, *hull, (target, label, *edge), from);
        }
        self.replace_merge(state, target, (storage, targets, &[]));
        let mut view = (*views[0]).clone();
        view.base = Base::Local(storage);
        view.limits = None;
        (view.aligned, view.start) = (Linear::default(), Linear::default());
        Ok(Binding::View(Rc::new(view)))
    }

    /// Adds the targets of a merge that it has along one edge: the storage of the view, and the
    /// targets of that storage if it is a merge itself. `at`: the merged value, the label and the
    /// edge.
    fn add_targets(
        &self,
        targets: &mut Vec<Target>,
        (own, hull): (Base, (i64, i64)),
        (target, label, edge): (Value, u32, usize),
        from: &State,
    ) {
        let mut add = |target: Target| {
            if !targets.contains(&target) {
                targets.push(target);
            }
        };
        // This label renews its merges. The previous instance of a merge is therefore no target of
        // the new one; only the targets of the previous instance are.
        let is_renewed = matches!(own, Base::Local(own) if self.is_met_here(own, target, label));
        if !is_renewed {
            add(Target {
                base: own,
                bytes: hull,
                gate: Some((label, u32::try_from(edge).unwrap_or(u32::MAX))),
            });
        }
        let mut merges = from.merges.iter();
        let merge = merges.find(|merge| Base::Local(merge.storage) == own);
        for further in merge.into_iter().flat_map(|merge| &merge.targets) {
            add(Target {
                gate: None,
                ..further.clone()
            });
        }
    }

    /// Returns bytes of a storage as pieces; empty if the base is unknown.
    pub(crate) fn bytes(
        &mut self,
        state: &State,
        base: Base,
        start: i64,
        length: i64,
    ) -> Vec<Piece> {
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

    /// Whether a storage is that of a merge of this label, which the current visit replaces.
    pub(crate) fn is_met_here(&self, storage: u32, target: Value, label: u32) -> bool {
        let is_own = self.of_value.get(&target) == Some(&storage);
        let others = self.pointers.get(&label).into_iter().flatten();
        is_own
            || others
                .filter_map(|value| self.of_value.get(value))
                .any(|own| *own == storage)
    }
}
