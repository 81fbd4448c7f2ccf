//! Places in an arena whose address or size is known only at run time.
//!
//! Each such place is modeled as storage of its own. Places of known sizes whose addresses differ
//! by a constant are one storage. The addresses and sizes must have the same values wherever
//! control is, or the name of a place would denote other bytes in the next iteration of a loop.
//!
//! Places of one arena can overlap. What a place holds therefore becomes unknown when another place
//! is written, except where the two are known to be apart ([`crate::order`]).

use std::rc::Rc;

use crate::access::FAR;
use crate::evaluate::{Evaluator, Merge, State};
use crate::linear::Linear;
use crate::value::{Node, NodeId, Piece};
use crate::view::{Base, View};

/// A place in an arena.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Place {
    /// The storage of the arena, for bytes at known addresses.
    pub arena: u32,
    /// Address of the first byte of the place.
    pub start: Linear,
    /// Size in bytes. `None`: the place is used at known distances from its start.
    pub extent: Option<Linear>,
    /// Values that are not negative if the place has any bytes.
    pub sizes: Vec<NodeId>,
}

/// Bytes of an arena: start, end, and values that are not negative if any byte is there.
struct Span {
    start: Linear,
    end: Linear,
    sizes: Vec<NodeId>,
}

impl Evaluator<'_> {
    /// Turns a view of bytes of an arena, derived from the view `of`, into a view of the storage of
    /// its place. The view is left as it is if its address and size are known, or if they may vary.
    pub(crate) fn place(&mut self, of: &View, view: &mut View) {
        let Base::Local(arena) = view.base else {
            return;
        };
        if !self.storages[arena as usize].is_arena || of.limits.is_some() {
            return;
        }
        let at_start = View {
            start: Linear::default(),
            ..view.clone()
        };
        let is_static = at_start.hull().is_some();
        if is_static && view.start.known().is_some() {
            return;
        }
        let extent = (!is_static).then(|| self.extent(view));
        let is_fixed = |form: &Linear| self.order.borrow_mut().is_fixed(&self.graph, form);
        if !is_fixed(&view.start) || !extent.as_ref().is_none_or(is_fixed) {
            return;
        }
        // Places of known sizes at a constant distance share a storage, so the constant stays in
        // the view.
        let distance = match is_static {
            true => Linear::constant(view.start.constant),
            false => Linear::default(),
        };
        let start = view.start.minus(&distance);
        let sizes = match is_static {
            true => Vec::new(),
            false => sizes(&view.dims),
        };
        view.aligned = view.aligned.minus(&start);
        view.start = distance;
        view.base = Base::Local(self.storage_of_place(Place {
            arena,
            start,
            extent,
            sizes,
        }));
    }

    /// Returns the distance from the first byte of a view to its end; strides are not negative.
    fn extent(&mut self, view: &View) -> Linear {
        let mut extent = Linear::constant(view.element);
        for (size, stride) in &view.dims {
            let last = size.plus(&Linear::constant(-1));
            extent = extent.plus(&self.times(&last, stride));
        }
        extent
    }

    fn storage_of_place(&mut self, place: Place) -> u32 {
        if let Some(known) = self.of_place.get(&place) {
            return *known;
        }
        let number = self.add_storage(Some(Box::new(place.clone())));
        let places = self.places_in.entry(place.arena).or_default();
        if places.is_empty() {
            // Bytes at known addresses are in the storage of the arena, and places may overlap
            // them.
            places.push(place.arena);
        }
        places.push(number);
        self.of_place.insert(place, number);
        number
    }

    /// Returns the storages that bytes of the same arena belong to, including `storage` itself.
    /// Empty if it is part of no arena, or if all addresses in the arena are known.
    pub(crate) fn places_beside(&self, storage: u32) -> &[u32] {
        let place = self.storages[storage as usize].place.as_deref();
        let arena = place.map_or(storage, |place| place.arena);
        self.places_in.get(&arena).map_or(&[], Vec::as_slice)
    }

    /// Whether bytes of two storages may be bytes of one arena at the same address.
    pub(crate) fn may_share(
        &self,
        (a, of_a): (u32, (i64, i64)),
        (b, of_b): (u32, (i64, i64)),
    ) -> bool {
        if !self.places_beside(a).contains(&b) {
            return false;
        }
        match (self.span(a, of_a), self.span(b, of_b)) {
            (Some(a), Some(b)) => !self.are_apart(&a, &b),
            _ => true,
        }
    }

    /// The bytes `[start, end)` of a storage as bytes of an arena. `None` if they may be any.
    fn span(&self, storage: u32, bytes: (i64, i64)) -> Option<Span> {
        let place = self.storages[storage as usize].place.as_deref();
        let start = place.map(|own| own.start.clone()).unwrap_or_default();
        let extent = place.and_then(|own| own.extent.as_ref());
        let from = |distance: i64| start.plus(&Linear::constant(distance));
        let (start, end) = match extent {
            Some(extent) => (start.clone(), start.plus(extent)),
            None if -FAR < bytes.0 && bytes.1 < FAR => (from(bytes.0), from(bytes.1)),
            None => return None,
        };
        let sizes = place.map(|own| own.sizes.clone()).unwrap_or_default();
        Some(Span { start, end, sizes })
    }

    fn are_apart(&self, a: &Span, b: &Span) -> bool {
        // A span without bytes is apart from everything, so both may be assumed to have some.
        let sizes = [a.sizes.as_slice(), b.sizes.as_slice()].concat();
        let mut order = self.order.borrow_mut();
        let mut precedes = |a: &Span, b: &Span| {
            let between = b.start.minus(&a.end);
            order.is_at_least_zero(&self.graph, &between, &sizes)
        };
        precedes(a, b) || precedes(b, a)
    }

    /// Makes unknown what other places of the arena hold in bytes that a write through a view may
    /// have changed.
    pub(crate) fn conceal(&mut self, state: &mut State, view: &View) {
        let Base::Local(storage) = view.base else {
            return;
        };
        if self.places_beside(storage).is_empty() {
            return;
        }
        let bytes = view.range().unwrap_or((0, FAR));
        let mut span = self.span(storage, bytes);
        if let Some(span) = &mut span {
            // A write of no elements changes nothing, so the view may be assumed to have some.
            span.sizes.extend(sizes(&view.dims));
        }
        self.conceal_span(state, storage, span.as_ref());
    }

    /// Like [`Self::conceal`], for a write of bytes `[start, end)` of a storage.
    pub(crate) fn conceal_bytes(&mut self, state: &mut State, storage: u32, bytes: (i64, i64)) {
        if !self.places_beside(storage).is_empty() {
            let span = self.span(storage, bytes);
            self.conceal_span(state, storage, span.as_ref());
        }
    }

    fn conceal_span(&mut self, state: &mut State, storage: u32, span: Option<&Span>) {
        for other in self.places_beside(storage).to_vec() {
            if other != storage {
                self.conceal_in(state, other, span);
            }
        }
    }

    /// Makes the bytes of a storage unknown that may be in `span`, or anywhere if there is none.
    fn conceal_in(&mut self, state: &mut State, storage: u32, span: Option<&Span>) {
        let (start, end) = match span {
            None => (-FAR, FAR),
            Some(span) => match self.overlap(storage, span) {
                Some(bytes) => bytes,
                None => return,
            },
        };
        let length = end - start;
        let contents = state.local(storage).read(&mut self.graph, start, length);
        let is_unknown = |own: &Piece| matches!(self.graph.node(own.node), Node::Unknown(_));
        if contents.iter().all(is_unknown) {
            return;
        }
        let why = "another tensor's place in the arena is not known to be apart";
        let piece = Piece {
            node: self.graph.unknown(why),
            offset: 0,
            length,
        };
        state.local_mut(storage).write(start, &[piece]);
    }

    /// Returns the bytes `[start, end)` of a storage that are not known to be apart from a span.
    fn overlap(&self, storage: u32, span: &Span) -> Option<(i64, i64)> {
        let own = self.storages[storage as usize].place.as_deref();
        if own.is_some_and(|own| own.extent.is_some()) {
            let whole = (0, FAR);
            let own = self.span(storage, whole)?;
            return (!self.are_apart(&own, span)).then_some(whole);
        }
        let origin = own.map(|own| own.start.clone()).unwrap_or_default();
        let mut order = self.order.borrow_mut();
        let mut bound = |form: Linear| order.lower_bound(&self.graph, &form, &span.sizes);
        let start = bound(span.start.minus(&origin)).map_or(-FAR, |own| own.clamp(-FAR, FAR));
        let end = bound(origin.minus(&span.end)).map_or(FAR, |own| -own.clamp(-FAR, FAR));
        (start < end).then_some((start, end))
    }

    /// Initializes the contents of a place that a view makes accessible for the first time: bytes
    /// that have been written through other places are unknown.
    pub(crate) fn enter(&mut self, state: &mut State, view: &View) {
        let Base::Local(storage) = view.base else {
            return;
        };
        let others = self.places_beside(storage).to_vec();
        // A place with contents has been entered before, and later writes have concealed what they
        // changed.
        if others.is_empty() || !state.local(storage).is_empty() {
            return;
        }
        for other in others.into_iter().filter(|other| *other != storage) {
            let contents = state.local(other);
            let mut pieces = contents.iter();
            let Some((start, first)) = pieces.next() else {
                continue;
            };
            let (at, last) = pieces.last().unwrap_or((start, first));
            let span = self.span(other, (start, at + last.length));
            self.conceal_in(state, storage, span.as_ref());
        }
    }

    /// Empties a storage that is allocated again, with all places in it.
    pub(crate) fn reset(&mut self, state: &mut State, storage: u32) {
        let all = [&[storage], self.places_beside(storage)].concat();
        for own in &all {
            if !state.local(*own).is_empty() {
                *state.local_mut(*own) = Default::default();
            }
        }
        self.renew_instance(state, storage, &all);
    }

    /// An earlier allocation of this step is another instance, so nothing denotes the new one yet. What denotes
    /// earlier ones may still denote the same one: all of them are one storage from now on. `all`: the storage
    /// and all places in it.
    fn renew_instance(&mut self, state: &mut State, storage: u32, all: &[u32]) {
        let is_of_this = |base: Base| matches!(base, Base::Local(own) if all.contains(&own));
        let is_met = |own: &Merge| own.targets.iter().any(|of| is_of_this(of.base));
        let is_merged = state.merges.iter().any(is_met);
        let is_in_flight = state.flights.iter().any(|own| own.touches(is_of_this));
        if !is_merged && !is_in_flight {
            return;
        }
        let earlier = Base::Local(self.earlier(storage));
        if is_merged {
            for merge in Rc::make_mut(&mut state.merges) {
                let targets = std::mem::take(&mut merge.targets);
                for mut target in targets {
                    if is_of_this(target.base) {
                        // It may be one of several instances, at one of several places.
                        target.gate = None;
                        target.base = earlier;
                        if all.len() > 1 {
                            target.bytes = (0, FAR);
                        }
                    }
                    if !merge.targets.contains(&target) {
                        merge.targets.push(target);
                    }
                }
            }
        }
        if is_in_flight {
            for flight in Rc::make_mut(&mut state.flights) {
                flight.move_places(is_of_this, earlier);
            }
        }
    }

    /// Returns the storage that stands for all earlier instances of another one.
    fn earlier(&mut self, storage: u32) -> u32 {
        if let Some(known) = self.earlier.get(&storage) {
            return *known;
        }
        let number = self.add_storage(None);
        self.earlier.insert(storage, number);
        number
    }
}

/// Returns values that are not negative if a view with these dimensions has any elements.
fn sizes(dims: &[(Linear, Linear)]) -> Vec<NodeId> {
    // A size of at least one is `factor * node + constant > 0`.
    let size = |(size, _): &(Linear, Linear)| match size.terms[..] {
        // If `constant <= factor`, `factor * node > -factor` follows, hence `node >= 0`.
        [(node, factor)] if factor > 0 && size.constant <= factor => Some(node),
        _ => None,
    };
    dims.iter().filter_map(size).collect()
}
