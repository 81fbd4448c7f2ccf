//! Views with several possible targets: the result of a select, or a slot of a rotation.

use std::rc::Rc;

use crate::cases::ONE_OF_SEVERAL;
use crate::contents::{Contents, along};
use crate::evaluate::{Binding, Evaluator, Merge, State, Target};
use crate::extent::Extents;
use crate::flatten::Value;
use crate::flights::is_merge;
use crate::linear::Linear;
use crate::lost::Lost;
use crate::value::{External, Node, NodeId};
use crate::view::{Base, View};

impl Evaluator<'_> {
    pub(crate) fn select(
        &mut self,
        condition: NodeId,
        yes: Value,
        no: Value,
        result: Value,
        state: &mut State,
    ) -> Result<Binding, Lost> {
        let views = [self.view(yes), self.view(no)];
        if views[0] == views[1] {
            return Ok(Binding::View(Rc::clone(&views[0])));
        }
        if let Some(holds) = self.holds(condition) {
            return Ok(Binding::View(Rc::clone(&views[usize::from(!holds)])));
        }
        // In a comparison by cases, the condition is decided instead of merging the views.
        if self.want(condition) {
            return self.lost(ONE_OF_SEVERAL);
        }
        let same_shape = views[0].dims == views[1].dims && views[0].element == views[1].element;
        let hulls = [0, 1].map(|index| views[index].hull());
        match [views[0].base, views[1].base] {
            _ if !same_shape => Ok(Binding::View(Rc::new(View::unknown()))),
            // A choice of external addresses is an address, and needs no storage of its own.
            [Base::External(a), Base::External(b)] => {
                let [a, b] = [(a, 0), (b, 1)].map(|(own, index)| {
                    let start = views[index].start.clone();
                    self.graph.add(Node::Address(own, start))
                });
                let node = self.graph.add(Node::Choice(condition, a, b));
                Ok(Binding::View(Rc::new(View {
                    base: Base::External(External::Pointer(node)),
                    limits: None,
                    aligned: Linear::default(),
                    start: Linear::default(),
                    ..(*views[0]).clone()
                })))
            }
            [Base::Unknown, _] | [_, Base::Unknown] => Ok(Binding::View(Rc::new(View::unknown()))),
            [a, b] => {
                let [Some(of_a), Some(of_b)] = hulls else {
                    return Ok(Binding::View(Rc::new(View::unknown())));
                };
                let [x, y] = [self.read(state, &views[0])?, self.read(state, &views[1])?];
                let content = match x == y {
                    true => x,
                    false => self
                        .graph
                        .add_sized(Node::Choice(condition, x, y), views[0].bytes()),
                };
                let places = [(a, of_a), (b, of_b)];
                let view = self.one_of(result, &places, &views[0], &[], state);
                self.write_content(&view, content, state);
                Ok(Binding::View(Rc::new(view)))
            }
        }
    }

    /// Selects one of two tickets. Which transfer a wait for it is for is known only in a comparison by cases.
    pub(crate) fn select_ticket(
        &mut self,
        condition: NodeId,
        yes: Value,
        no: Value,
    ) -> Result<Binding, Lost> {
        let tickets = [yes, no].map(|own| self.scalar(own));
        if tickets[0] == tickets[1] {
            return Ok(Binding::Scalar(tickets[0]));
        }
        if let Some(holds) = self.holds(condition) {
            return Ok(Binding::Scalar(tickets[usize::from(!holds)]));
        }
        if self.want(condition) {
            return self.lost(ONE_OF_SEVERAL);
        }
        let choice = Node::Choice(condition, tickets[0], tickets[1]);
        Ok(Binding::Scalar(self.graph.add(choice)))
    }

    /// Initializes the content of a new merge. The program writes nothing here, so no alias
    /// changes.
    pub(crate) fn write_content(&mut self, view: &View, content: NodeId, state: &mut State) {
        let (Base::Local(storage), Some(runs)) = (view.base, view.runs()) else {
            return;
        };
        let length = runs.iter().map(|(_, length)| length).sum();
        let pieces = self.graph.pieces(content, length);
        state.local_mut(storage).write_all(along(&runs, &pieces));
    }

    /// Creates a merge that denotes one of `places` and is known not to denote the storages in
    /// `apart`.
    pub(crate) fn one_of(
        &mut self,
        result: Value,
        places: &[(Base, (i64, i64))],
        like: &View,
        apart: &[u32],
        state: &mut State,
    ) -> View {
        let (low, high) = places[0].1;
        let storage = self.storage(result, Some(high - low), false);
        *state.local_mut(storage) = Contents::default();
        let mut targets: Vec<Target> = Vec::new();
        let mut add = |target: Target| {
            if !targets.contains(&target) {
                targets.push(target);
            }
        };
        for (own, bytes) in places {
            let merge = state
                .merges
                .iter()
                .find(|merge| Base::Local(merge.storage) == *own);
            let further = merge.map(|merge| merge.targets.clone()).unwrap_or_default();
            if *own != Base::Local(storage) {
                add(Target {
                    base: *own,
                    bytes: *bytes,
                    gate: None,
                });
            }
            for target in further {
                add(Target {
                    gate: None,
                    ..target
                });
            }
        }
        self.replace_merge(state, result, (storage, targets, apart));
        let bases: Vec<Base> = places.iter().map(|(own, _)| *own).collect();
        self.mark_choice(state, storage, &bases);
        let mut view = like.clone();
        view.base = Base::Local(storage);
        view.limits = None;
        // Byte 0 of the merge is the first byte of its target.
        view.start = like.start.plus(&Linear::constant(-low));
        view.aligned = like.aligned.plus(&Linear::constant(-low));
        view
    }

    /// Records a merge, in place of its previous instance: what it may denote, and what it is apart from.
    pub(crate) fn replace_merge(
        &self,
        state: &mut State,
        of: Value,
        (storage, targets, apart): (u32, Vec<Target>, &[u32]),
    ) {
        self.drop_merges(state);
        let merges = Rc::make_mut(&mut state.merges);
        merges.retain(|merge| merge.storage != storage);
        for merge in merges.iter_mut() {
            // Merges that may denote the previous instance also list its targets, and keep those.
            merge.targets.retain(|own| own.base != Base::Local(storage));
            // Nothing is known to be apart from the new instance.
            merge.apart.retain(|own| *own != storage);
        }
        merges.push(Merge {
            storage,
            targets,
            apart: apart.to_vec(),
            last: self.extents().last(of),
        });
        merges.sort_by_key(|merge| merge.storage);
    }

    /// Drops the merges that are not needed from here on, and their contents.
    pub(crate) fn drop_merges(&self, state: &mut State) {
        if state.merges.is_empty() {
            return;
        }
        let here = self.extents().position(self.here);
        let flights = Rc::clone(&state.flights);
        let is_needed = |merge: &Merge| {
            // Transfers do not meet what the slot that they access is apart from.
            here <= merge.last || flights.iter().any(|own| own.is_through(merge.storage))
        };
        for merge in state.merges.iter().filter(|own| !is_needed(own)) {
            *state.locals.get_mut(merge.storage) = Contents::default();
        }
        if !state.merges.iter().all(is_needed) {
            Rc::make_mut(&mut state.merges).retain(is_needed);
        }
    }

    fn extents(&self) -> &Extents {
        self.extents.get_or_init(|| Extents::new(self.flat))
    }

    pub(crate) fn rotate(
        &mut self,
        slots: &[Value],
        avoiding: &[Value],
        result: Value,
        state: &mut State,
    ) -> Result<(), Lost> {
        let views: Vec<Rc<View>> = slots.iter().map(|slot| self.view(*slot)).collect();
        let mut places = Vec::new();
        for view in &views {
            match (view.base, view.hull()) {
                (base @ Base::Local(_), Some(hull)) => places.push((base, hull)),
                _ => return self.lost("a rotation of slots of unknown size"),
            }
        }
        let Some(like) = views.first() else {
            return self.lost("a rotation of no slots");
        };
        let avoided: Vec<Rc<View>> = avoiding.iter().map(|value| self.view(*value)).collect();
        if self.cases.is_some()
            && let Some(free) = self.first_free(&places, &avoided, state)
        {
            self.set(result, Binding::View(Rc::clone(&views[free])));
            return Ok(());
        }
        let mut apart = Vec::new();
        let mut taken = Vec::new();
        for view in avoided {
            match view.base {
                base @ Base::Local(storage) if is_merge(state, base) => apart.push(storage),
                Base::Local(_) => taken.push(view),
                // All slots are local, so an external view lies in none of them.
                Base::External(_) => {}
                Base::Unknown => return self.lost("a rotation around storage that is not known"),
            }
        }
        let view = self.one_of(result, &places, like, &apart, state);
        // A rotation compares addresses. A view that spans several slots has its address in only
        // one of them.
        taken.retain(|own| self.is_in_one_slot(own, &places));
        exclude(state, view.base, &taken);
        self.set(result, Binding::View(Rc::new(view)));
        Ok(())
    }

    /// Returns the number of the first slot that none of the avoided views points into, if it is
    /// known where all of them point.
    fn first_free(
        &self,
        slots: &[(Base, (i64, i64))],
        avoided: &[Rc<View>],
        state: &State,
    ) -> Option<usize> {
        let mut pointers = Vec::new();
        for view in avoided {
            match view.base {
                Base::External(_) => {}
                Base::Local(own) if self.is_one_place(own, state) => {
                    pointers.push((view.base, view.aligned.known()?));
                }
                // The pointer may lead into any slot.
                Base::Local(_) | Base::Unknown => return None,
            }
        }
        let is_busy = |(base, (start, end)): &(Base, (i64, i64))| {
            let mut into = pointers.iter().filter(|own| own.0 == *base);
            into.any(|own| (*start..*end).contains(&own.1))
        };
        slots.iter().position(|slot| !is_busy(slot))
    }

    /// Records that a slot selected by comparing addresses is apart from views that the addresses
    /// belong to, as far as that follows:
    ///
    /// * The slots share no byte, and there are more of them than addresses. Every slot but the
    ///   last is taken only if no address points into it. The last one is taken if an address
    ///   points into each of the others, and then none is left to point into the last.
    /// * A view that lies within one slot has its address there, so another slot is taken. A view
    ///   that shares no byte with any slot is apart from all of them.
    pub(crate) fn rotated(
        &mut self,
        result: Value,
        slots: &[Value],
        avoiding: &[Value],
        bytes: i64,
        state: &mut State,
    ) {
        let places: Option<Vec<(Base, (i64, i64))>> = slots
            .iter()
            .map(|slot| place_of_slot(&self.view(*slot), bytes, state))
            .collect();
        let Some(places) = places.filter(|own| self.are_disjoint(own)) else {
            return;
        };
        // With as many addresses as slots, all slots may be busy, and the last one is taken anyway.
        if avoiding.len() >= slots.len() {
            return;
        }
        let Base::Local(chosen) = self.view(result).base else {
            return;
        };
        let mut apart = Vec::new();
        let mut taken = Vec::new();
        for avoided in avoiding {
            // The pointer of a view with an offset is not that of its first element.
            let layout = self.layout(*avoided);
            if layout.is_none_or(|own| own.offset != Some(0)) {
                continue;
            }
            let view = self.view(*avoided);
            let mut merges = state.merges.iter();
            match merges.find(|own| Base::Local(own.storage) == view.base) {
                Some(merge) => {
                    let mut targets = merge.targets.iter();
                    let is_kept_apart = targets.all(|own| {
                        is_merge(state, own.base)
                            || self.is_of_one_slot((own.base, own.bytes), &places)
                    });
                    apart.extend(is_kept_apart.then_some(merge.storage));
                }
                None => taken.extend(Some(view).filter(|own| self.is_in_one_slot(own, &places))),
            }
        }
        exclude(state, Base::Local(chosen), &taken);
        let merges = Rc::make_mut(&mut state.merges);
        if let Some(merge) = merges.iter_mut().find(|merge| merge.storage == chosen) {
            merge.apart.extend(apart);
        }
    }

    fn are_disjoint(&self, places: &[(Base, (i64, i64))]) -> bool {
        let pairs = places.iter().enumerate();
        let mut pairs =
            pairs.flat_map(|(at, own)| places[at + 1..].iter().map(move |of| (own, of)));
        pairs.all(|(a, b)| !self.may_touch(*a, *b))
    }

    /// Whether bytes lie within one of the slots or share no byte with any.
    fn is_of_one_slot(&self, own: (Base, (i64, i64)), slots: &[(Base, (i64, i64))]) -> bool {
        let mut met = slots.iter().filter(|slot| self.may_touch(own, **slot));
        match (met.next(), met.next()) {
            (None, _) => true,
            (Some(slot), None) => is_around(slot, &own),
            (Some(_), Some(_)) => false,
        }
    }

    /// Whether the bytes of a view are known to lie within one of the slots.
    fn is_in_one_slot(&self, view: &View, slots: &[(Base, (i64, i64))]) -> bool {
        view.hull().is_some_and(|hull| {
            let own = (view.base, hull);
            slots.iter().any(|slot| is_around(slot, &own)) && self.is_of_one_slot(own, slots)
        })
    }
}

/// Whether the bytes of one place include those of another in the same storage.
fn is_around(outer: &(Base, (i64, i64)), inner: &(Base, (i64, i64))) -> bool {
    outer.0 == inner.0 && outer.1.0 <= inner.1.0 && inner.1.1 <= outer.1.1
}

/// The bytes of a slot, if they are known and the slot's pointer is that of its first byte.
fn place_of_slot(view: &View, bytes: i64, state: &State) -> Option<(Base, (i64, i64))> {
    let hull = view.hull()?;
    let is_whole = view.start.known() == Some(hull.0)
        && view.aligned == view.start
        && hull.1 - hull.0 == bytes;
    let is_plain = matches!(view.base, Base::Local(_)) && !is_merge(state, view.base);
    (is_whole && is_plain).then_some((view.base, hull))
}

/// Removes from the targets of a merge those in which one of the views lies.
fn exclude(state: &mut State, merge: Base, taken: &[Rc<View>]) {
    let lies_in = |target: &Target, view: &View| {
        let hull = view.hull().filter(|_| view.base == target.base);
        hull.is_some_and(|hull| hull.0 < target.bytes.1 && target.bytes.0 < hull.1)
    };
    let merges = Rc::make_mut(&mut state.merges);
    if let Some(own) = merges
        .iter_mut()
        .find(|own| Base::Local(own.storage) == merge)
    {
        own.targets
            .retain(|target| !taken.iter().any(|view| lies_in(target, view)));
    }
}
