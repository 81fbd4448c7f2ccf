//! Transfers in flight: copies that proceed by themselves between their start and a wait, and
//! exchanges with other programs and launches that do.
//!
//! The evaluation lets a transfer happen where it starts, like any copy. That is exact if no step
//! can observe when it really happens: until the wait, no step reads or writes the destination, and
//! no step writes the source. The state therefore carries the transfers in flight, and every access
//! is checked against them. An access that certainly touches the bytes of a transfer that certainly
//! is in flight is a race, and the program is wrong. Where one of the two is uncertain, the
//! function is not followed.
//!
//! Where control meets, a transfer is in flight if it is on any incoming edge, and certainly in
//! flight if it is on all of them. A wait ends every transfer that its ticket may stand for on the
//! path taken: a block argument stands for the transfer whose ticket arrives along the edge taken.

mod launches;

use std::collections::{BTreeSet, HashSet};
use std::rc::Rc;

use crate::evaluate::{Binding, Evaluator, State};
use crate::flatten::{Frame, Value};
use crate::lost::{Cause, Lost};
use crate::program::{Location, Tag, Ticket, Transfer};
use crate::value::{External, Node, NodeId, Sharing};
use crate::view::{Base, View, are_blocks_alike};
pub(crate) use launches::Earlier;

/// What a step does with bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// A transfer that has started and, on at least one path, has not been waited for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Flight {
    /// The result of the step that starts it. At most one transfer of a step is in flight.
    site: Value,
    /// Location of that step.
    start: Option<Location>,
    /// Values that stand for it now.
    tickets: Vec<NodeId>,
    /// Storage and first byte of its tag.
    tag: Option<(Base, i64)>,
    /// Number of units that are copied.
    count: i64,
    source: Vec<Place>,
    target: Vec<Place>,
    /// The merges that denote source and target, until control meets and merges may change.
    merges: [Option<u32>; 2],
    /// Whether it is in flight on every path.
    is_sure: bool,
    /// Sites of those that have completed when it starts, unless they have started again.
    after: Vec<Value>,
}

impl Flight {
    /// Whether a merge, given by its storage, denotes source or target.
    pub(crate) fn is_through(&self, merge: u32) -> bool {
        self.merges.contains(&Some(merge))
    }

    /// Whether source or target are in such a storage.
    pub(crate) fn touches(&self, is_there: impl Fn(Base) -> bool) -> bool {
        let mut places = self.source.iter().chain(&self.target);
        places.any(|place| is_there(place.base))
    }

    /// Lets places in such a storage be anywhere in another one.
    pub(crate) fn move_places(&mut self, is_there: impl Fn(Base) -> bool, to: Base) {
        for place in self.source.iter_mut().chain(&mut self.target) {
            if is_there(place.base) {
                (place.base, place.bytes, place.is_exact) = (to, ALL, false);
            }
        }
    }

    /// The ticket, and whether the transfer is in flight on every path.
    pub(crate) const fn ticket(&self) -> (Value, bool) {
        (self.site, self.is_sure)
    }
}

/// Bytes that an access may touch. They are fixed when the access is made, because the values that
/// an address is computed from may change.
#[derive(Clone, Debug, PartialEq)]
struct Place {
    base: Base,
    /// Byte range `[start, end)`.
    bytes: (i64, i64),
    /// Whether all of the bytes are touched.
    is_exact: bool,
    /// Location of the step that makes the access.
    by: Option<Location>,
}

/// Every byte of a storage.
const ALL: (i64, i64) = (i64::MIN, i64::MAX);

impl Evaluator<'_> {
    /// Evaluates the start of a transfer.
    pub(crate) fn start(
        &mut self,
        frame: &Frame,
        transfer: &Transfer,
        state: &mut State,
    ) -> Result<(), Lost> {
        let Transfer {
            from, to, result, ..
        } = transfer;
        let [from, to, site] = [from, to, result].map(|own| frame.value(*own));
        let [source, target] = [from, to].map(|value| self.view(value));
        let bytes = transfer.count.checked_mul(transfer.unit);
        if !are_blocks_alike(&source, &target) || source.bytes() != bytes {
            return self.lost("a transfer moves other bytes than those of its operands");
        }
        if let Some(Sharing::Same | Sharing::Within(..)) = self.sharing(state, &source, &target)? {
            return self.lost("both ends of a transfer may share bytes");
        }
        if state.flights.iter().any(|own| own.site == site) {
            return self.lost("a transfer starts again before it has been waited for");
        }
        // The new transfer is not in flight yet, so its own copy is checked only against others.
        self.copy(transfer.fingerprint, from, to, state)?;
        let tag = transfer.tag.as_ref().map(|tag| self.tag(frame, tag, state));
        let tag = tag.transpose()?;
        if tag.is_some() && state.flights.iter().any(|own| own.tag == tag) {
            return self.lost("another transfer with the same tag is in flight");
        }
        let flight = Flight {
            site,
            start: self.graph.here,
            tickets: vec![self.ticket(site)],
            tag,
            count: transfer.count,
            source: self.places(state, &source),
            target: self.places(state, &target),
            merges: [&source, &target].map(|view| match view.base {
                Base::Local(storage) if is_merge(state, view.base) => Some(storage),
                _ => None,
            }),
            is_sure: true,
            after: Vec::new(),
        };
        add_flight(state, flight);
        Ok(())
    }

    /// Makes the result of the step that starts a transfer its ticket.
    fn ticket(&mut self, site: Value) -> NodeId {
        let ticket = Node::Ticket(u32::try_from(site).unwrap_or(u32::MAX));
        let ticket = self.graph.add(ticket);
        self.set(site, Binding::Scalar(ticket));
        ticket
    }

    /// Evaluates a wait.
    pub(crate) fn wait(
        &mut self,
        frame: &Frame,
        ticket: &Ticket,
        count: Option<i64>,
        state: &mut State,
    ) -> Result<(), Lost> {
        let is_met: Vec<bool> = match ticket {
            Ticket::Value(value) | Ticket::Exchange(value) => {
                let node = self.scalar(frame.value(*value));
                // A ticket may be waited for again.
                let Some(sites) = self.sites_of(node) else {
                    return self.lost("it is not known which transfer is waited for");
                };
                let is_join = matches!(self.graph.node(node), Node::Join { .. });
                let flights = state.flights.iter();
                let is_met: Vec<bool> = flights.map(|own| own.tickets.contains(&node)).collect();
                // A join stands for another exchange on each path.
                let is_once = matches!(ticket, Ticket::Exchange(_)) && !is_join;
                let mut met = state.flights.iter().zip(&is_met);
                if is_once && !met.any(|(own, is_met)| *is_met && own.is_sure) {
                    return self.lost("an exchange may be waited for again");
                }
                // On some paths, a join may stand for a transfer for which it stands on no other.
                let is_unsure = |own: &Flight| {
                    let site = u32::try_from(own.site).unwrap_or(u32::MAX);
                    is_join && own.tag.is_none() && own.is_sure && sites.contains(&site)
                };
                if state.flights.iter().any(is_unsure) {
                    let flights = Rc::make_mut(&mut state.flights).iter_mut();
                    flights.for_each(|own| own.is_sure &= !is_unsure(own));
                }
                is_met
            }
            Ticket::Tag(tag) => {
                let tag = Some(self.tag(frame, tag, state)?);
                let mut own = state.flights.iter().filter(|own| own.tag == tag);
                // A wait that nothing ends may last forever.
                if !own.next().is_some_and(|own| own.is_sure) {
                    return self.lost("no transfer with this tag is certain to be in flight");
                }
                state.flights.iter().map(|own| own.tag == tag).collect()
            }
        };
        let mut ended = state.flights.iter().zip(&is_met);
        if ended.any(|(own, is_met)| *is_met && count.is_some_and(|count| count != own.count)) {
            return self.lost("a wait states another size than the transfer");
        }
        if is_met.contains(&true) {
            let ended = state.flights.iter().zip(&is_met);
            let ended = ended.filter(|(_, is_met)| **is_met).map(|(own, _)| own);
            let ended = ended.flat_map(|own| own.after.iter().chain([&own.site]));
            let ended: HashSet<Value> = ended.copied().collect();
            Rc::make_mut(&mut state.flights).retain(|own| !ended.contains(&own.site));
        }
        Ok(())
    }

    /// The sites of the transfers that a value may stand for, if it is a ticket or zero on every path.
    /// `None` if it may be anything else.
    fn sites_of(&self, node: NodeId) -> Option<BTreeSet<u32>> {
        let mut sites = BTreeSet::new();
        let mut seen = HashSet::from([node]);
        let mut work = vec![node];
        while let Some(at) = work.pop() {
            match self.graph.node(at) {
                Node::Ticket(site) => drop(sites.insert(*site)),
                Node::Integer(0) => {}
                Node::Join { number, .. } => {
                    let inputs = self.graph.joins[*number as usize].iter().flatten();
                    work.extend(inputs.map(|own| own.0).filter(|own| seen.insert(*own)));
                }
                _ => return None,
            }
        }
        Some(sites)
    }

    /// Fails if a ticket is stored. What is loaded later might be the ticket of an earlier transfer
    /// of the same step, which has the same node.
    pub(crate) fn check_stored(&self, value: NodeId) -> Result<(), Lost> {
        match self.sites_of(value) {
            Some(sites) if !sites.is_empty() => self.lost("the ticket of a transfer is stored"),
            _ => Ok(()),
        }
    }

    /// Returns the storage and the first byte of a tag.
    fn tag(&mut self, frame: &Frame, tag: &Tag, state: &State) -> Result<(Base, i64), Lost> {
        let element = self.element(frame, frame.value(tag.tags), &tag.indices)?;
        let is_own = matches!(element.base, Base::Local(_)) && !is_merge(state, element.base);
        match element.start.known().filter(|_| is_own) {
            Some(start) => Ok((element.base, start)),
            None => self.lost("the tag of a transfer is known only at run time"),
        }
    }

    /// Merges the transfers in flight over the incoming edges of a block whose arguments have been
    /// bound.
    pub(crate) fn meet_flights(
        &self,
        block: usize,
        label: u32,
        edges: &[usize],
        states: &[State],
    ) -> Rc<Vec<Flight>> {
        let joins = self.own_joins(block, label);
        let mut met: Vec<(Flight, usize)> = Vec::new();
        for (edge, state) in edges.iter().zip(states) {
            for flight in state.flights.iter() {
                let tickets = self.renamed(&flight.tickets, &joins, label, *edge);
                match met.iter_mut().find(|(own, _)| own.site == flight.site) {
                    None => met.push((
                        Flight {
                            tickets,
                            ..flight.clone()
                        },
                        1,
                    )),
                    Some((own, n)) => {
                        own.absorb(flight, &tickets);
                        *n += 1;
                    }
                }
            }
        }
        let mut flights = Vec::new();
        for (mut flight, n) in met {
            if n != states.len() {
                flight.is_sure = false;
                // On other paths, the end of this transfer says nothing about them.
                flight.after.clear();
            }
            flight.merges = [None; 2];
            flights.push(flight);
        }
        flights.sort_by_key(|own| own.site);
        Rc::new(flights)
    }

    /// The joins that a label defines as arguments of its block: node and number.
    fn own_joins(&self, block: usize, label: u32) -> Vec<(NodeId, u32)> {
        let incoming = self.flat.predecessors[block].first();
        let values = incoming.map(|(from, edge)| &self.flat.blocks[*from].edges[*edge].values);
        let targets = values.into_iter().flatten().map(|(_, to)| *to);
        let own = |target: Value| match self.values[target] {
            Binding::Scalar(node) => match *self.graph.node(node) {
                Node::Join { label: of, number } if of == label => Some((node, number)),
                _ => None,
            },
            _ => None,
        };
        targets.filter_map(own).collect()
    }

    /// The values that stand for a transfer after control has entered `label` along `edge`: its
    /// joins are redefined.
    fn renamed(
        &self,
        tickets: &[NodeId],
        joins: &[(NodeId, u32)],
        label: u32,
        edge: usize,
    ) -> Vec<NodeId> {
        let is_defined_here = |own: &&NodeId| match self.graph.node(**own) {
            Node::Join { label: of, .. } => *of == label,
            _ => false,
        };
        let kept = tickets.iter().filter(|own| !is_defined_here(own)).copied();
        let arrives = |(_, number): &&(NodeId, u32)| {
            let input = self.graph.joins[*number as usize][edge];
            input.is_some_and(|(own, _)| tickets.contains(&own))
        };
        let new = joins.iter().filter(arrives).map(|(node, _)| *node);
        kept.chain(new).collect()
    }

    /// Whether the transfers in flight at the end of a block differ from those `before`.
    pub(crate) fn flights_changed(&self, block: usize, before: Option<&State>) -> bool {
        let own = self.ends[block].as_ref().map(|own| &own.flights);
        let before = before.map(|own| &own.flights);
        let is_empty = |own: Option<&Rc<Vec<Flight>>>| own.is_none_or(|own| own.is_empty());
        !(is_empty(own) && is_empty(before)) && own != before
    }

    /// Fails if an access through a view may be to storage that has been freed, or race with a transfer in flight.
    pub(crate) fn check_access(
        &self,
        state: &State,
        view: &View,
        access: Access,
    ) -> Result<(), Lost> {
        self.check_allocated(state, view)?;
        if state.flights.is_empty() {
            return Ok(());
        }
        let places = self.places(state, view);
        for flight in state.flights.iter() {
            let (sure, perhaps) = match access {
                Access::Read => (
                    "bytes are read while a transfer writes them",
                    "bytes may be read while a transfer writes them",
                ),
                Access::Write => (
                    "bytes are written while a transfer writes them",
                    "bytes may be written while a transfer writes them",
                ),
            };
            let [is_off_source, is_off_target] = flight
                .merges
                .map(|own| own.is_some_and(|own| are_apart(state, own, view.base)));
            if !is_off_target {
                self.check_places(flight, &places, &flight.target, [sure, perhaps])?;
            }
            // Reading what a transfer reads is no race.
            if access == Access::Write && !is_off_source {
                let sure = "bytes are written while a transfer reads them";
                let perhaps = "bytes may be written while a transfer reads them";
                self.check_places(flight, &places, &flight.source, [sure, perhaps])?;
            }
        }
        Ok(())
    }

    /// Fails if a step with arbitrary effects on external storage may race with a transfer.
    pub(crate) fn check_event(&self, state: &State) -> Result<(), Lost> {
        let is_reachable = |own: &Place| match own.base {
            // Both the transfer and the call can only read a constant.
            Base::External(External::Global { is_constant, .. }) => !is_constant,
            Base::External(_) | Base::Unknown => true,
            Base::Local(_) => false,
        };
        let places = |own: &Flight| own.source.iter().chain(&own.target).any(is_reachable);
        match state.flights.iter().any(places) {
            true => self.lost("a call may access bytes while a transfer moves them"),
            false => Ok(()),
        }
    }

    /// Fails if storage is freed that a transfer in flight may access.
    pub(crate) fn check_landed_in(&self, state: &State, storage: Value) -> Result<(), Lost> {
        if state.flights.is_empty() {
            return Ok(());
        }
        let mut places = self.places(state, &self.view(storage));
        // All of the storage is freed, whichever part the view covers.
        places.iter_mut().for_each(|own| own.bytes = ALL);
        let why = [
            "storage is freed while a transfer accesses it",
            "storage may be freed while a transfer accesses it",
        ];
        for flight in state.flights.iter() {
            self.check_places(flight, &places, &flight.target, why)?;
            self.check_places(flight, &places, &flight.source, why)?;
        }
        Ok(())
    }

    /// Fails, for the given reason, if a transfer is in flight.
    pub(crate) fn check_landed(&self, state: &State, why: &'static str) -> Result<(), Lost> {
        let Some(flight) = state.flights.first() else {
            return Ok(());
        };
        Err(Lost {
            location: self.graph.here,
            why,
            undefined: flight.is_sure.then_some(started(flight.start)),
        })
    }

    fn check_places(
        &self,
        flight: &Flight,
        accessed: &[Place],
        moved: &[Place],
        [sure, perhaps]: [&'static str; 2],
    ) -> Result<(), Lost> {
        let pairs = || {
            let all = accessed.iter();
            all.flat_map(|own| moved.iter().map(move |theirs| (own, theirs)))
        };
        let touches = |(own, theirs): &(&Place, &Place)| {
            self.may_touch((own.base, own.bytes), (theirs.base, theirs.bytes))
        };
        let Some(first) = pairs().find(touches) else {
            return Ok(());
        };
        let is_exact = |(own, theirs): &(&Place, &Place)| {
            own.is_exact && theirs.is_exact && own.base == theirs.base
        };
        // One certain overlap makes a race, even if the first overlap found is not certain.
        let certain = is_exact(&first).then_some(first);
        let certain = certain.or_else(|| pairs().filter(touches).find(is_exact));
        if let Some((_, theirs)) = certain.filter(|_| flight.is_sure) {
            return Err(Lost {
                location: self.graph.here,
                why: sure,
                undefined: Some(started(theirs.by)),
            });
        }
        self.lost(perhaps)
    }

    /// The bytes that an access through a view may touch, in storage that is no merge.
    fn places(&self, state: &State, view: &View) -> Vec<Place> {
        let is_known = !is_merge(state, view.base);
        if let Some(runs) = view.runs().filter(|_| is_known) {
            let place = |(start, length)| Place {
                base: view.base,
                bytes: (start, start + length),
                is_exact: view.base != Base::Unknown,
                by: self.graph.here,
            };
            return runs.into_iter().map(place).collect();
        }
        let bytes = view.range().unwrap_or(ALL);
        let place = |base, bytes| Place {
            base,
            bytes,
            is_exact: false,
            by: self.graph.here,
        };
        if is_known {
            return vec![place(view.base, bytes)];
        }
        let mut merges = state.merges.iter();
        let merge = merges.find(|merge| Base::Local(merge.storage) == view.base);
        let targets = merge.into_iter().flat_map(|merge| &merge.targets);
        // The targets of a merge that is itself a target are listed as well.
        let places = targets.filter(|target| !is_merge(state, target.base));
        places
            .map(|target| place(target.base, target.bytes))
            .collect()
    }
}

fn started(location: Option<Location>) -> Cause {
    Cause {
        location,
        what: "the transfer starts here",
    }
}

fn add_flight(state: &mut State, flight: Flight) {
    let flights = Rc::make_mut(&mut state.flights);
    // What has completed before another one started is not this one.
    for other in flights.iter_mut() {
        other.after.retain(|own| *own != flight.site);
    }
    flights.push(flight);
    // Sweeps compare the lists of flights, so their order must be fixed.
    flights.sort_by_key(|own| own.site);
}

impl Flight {
    /// Adds what is known of the same transfer on another edge, where `tickets` stand for it.
    fn absorb(&mut self, other: &Self, tickets: &[NodeId]) {
        // A value stands for the transfer only if it does so along every edge.
        self.tickets.retain(|own| tickets.contains(own));
        self.after.retain(|own| other.after.contains(own));
        for (own, theirs) in [
            (&mut self.source, &other.source),
            (&mut self.target, &other.target),
        ] {
            if own != theirs {
                // The transfer touches one list of places or the other, so no place is certain.
                own.iter_mut().for_each(|place| place.is_exact = false);
                let new = theirs.iter().filter(|place| !own.contains(place));
                let new: Vec<Place> = new.cloned().collect();
                own.extend(new.into_iter().map(|place| Place {
                    is_exact: false,
                    ..place
                }));
            }
        }
        // A tag is a fixed place, so two tags would mean two transfers.
        self.tag = self.tag.filter(|_| self.tag == other.tag);
        self.is_sure &= other.is_sure;
    }
}

/// Whether a storage stands for one of several places.
pub(crate) fn is_merge(state: &State, base: Base) -> bool {
    let mut merges = state.merges.iter();
    merges.any(|merge| Base::Local(merge.storage) == base)
}

/// Whether a merge is known not to denote what a view of another merge does.
fn are_apart(state: &State, merge: u32, base: Base) -> bool {
    let Base::Local(other) = base else {
        return false;
    };
    let says = |own: u32, of: u32| {
        let mut merges = state.merges.iter();
        merges.any(|merge| merge.storage == own && merge.apart.contains(&of))
    };
    says(merge, other) || says(other, merge)
}
