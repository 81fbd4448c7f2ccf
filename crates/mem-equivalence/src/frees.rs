//! Storage that has been freed.
//!
//! A free *marks* its storage: it writes a byte at an address that no access reaches. A mark is joined where control
//! meets, and ends where a step allocates the storage again, as all contents do. A merge has a mark of its own, which
//! says whether what it denotes has been freed.
//!
//! An access to storage that certainly is marked is an error of the planned program, whatever the original does. Where
//! the storage may be marked, the function is not followed. The original is assumed to be defined, so nothing is
//! marked in it.

use std::collections::HashSet;
use std::rc::Rc;

use rustc_hash::FxHashMap as HashMap;

use crate::access::FAR;
use crate::contents::Contents;
use crate::evaluate::{Evaluator, State, Target};
use crate::flatten::Value;
use crate::flights::is_merge;
use crate::joined::{Joins, Meeting};
use crate::lost::{Cause, Lost};
use crate::program::{Fingerprint, Location};
use crate::value::{External, Node, NodeId, Piece};
use crate::view::{Base, View};

/// Address of the mark.
const MARK: i64 = 2 * FAR;

/// What is known of frees.
#[derive(Default)]
pub(crate) struct Frees {
    /// Whether the original is evaluated.
    is_original: bool,
    /// By storage that has been marked: where.
    sites: HashMap<u32, Option<Location>>,
    /// By storage from outside: the storage that holds its mark.
    outside: HashMap<External, u32>,
}

impl Frees {
    pub(crate) fn of(is_original: bool) -> Self {
        Self {
            is_original,
            ..Self::default()
        }
    }
}

impl Evaluator<'_> {
    /// Evaluates a free. What is freed for the caller is observable, in order.
    pub(crate) fn free(
        &mut self,
        fingerprint: Fingerprint,
        freed: Value,
        state: &mut State,
    ) -> Result<(), Lost> {
        self.check_landed_in(state, freed)?;
        let view = self.view(freed);
        let outside = self.outside(view.base);
        if let Some(of) = outside {
            let address = self.graph.add(Node::Address(of, view.start.clone()));
            let step = self.graph.add(Node::Step {
                fingerprint,
                inputs: Box::new([state.exchanged, address]),
                shared: Box::default(),
            });
            state.exchanged = self.graph.add(Node::Result(step, 0));
        }
        if self.frees.is_original {
            return Ok(());
        }
        if view.base == Base::Unknown {
            return self.lost("it is not known which storage is freed");
        }
        if outside.is_none() && self.is_given(view.base) {
            return self.lost("an arena of the caller is freed");
        }
        // An argument may begin anywhere in what the caller has allocated.
        let is_own = outside.is_none() && !is_merge(state, view.base);
        if is_own && (self.is_place(view.base) || view.start.known() != Some(0)) {
            return self.lost("storage is freed through a view of a part of it");
        }
        let why = ["storage is freed twice", "storage may be freed twice"];
        self.check_unmarked(state, view.base, why)?;
        self.mark(state, view.base);
        Ok(())
    }

    /// Fails if an access through a view may be to storage that has been freed.
    pub(crate) fn check_allocated(&self, state: &State, view: &View) -> Result<(), Lost> {
        if self.frees.sites.is_empty() || view.bytes() == Some(0) {
            return Ok(());
        }
        let why = [
            "bytes are accessed that have been freed",
            "bytes are accessed that may have been freed",
        ];
        self.check_unmarked(state, view.base, why)
    }

    fn check_unmarked(
        &self,
        state: &State,
        base: Base,
        [sure, perhaps]: [&'static str; 2],
    ) -> Result<(), Lost> {
        let Some((storage, mark)) = self.mark_of(state, base) else {
            return Ok(());
        };
        match self.is_freed(mark) {
            Some(false) => Ok(()),
            Some(true) => Err(Lost {
                location: self.graph.here,
                why: sure,
                undefined: Some(Cause {
                    location: self.frees.sites.get(&storage).copied().flatten(),
                    what: "it is freed here",
                }),
            }),
            None => self.lost(perhaps),
        }
    }

    /// The storage from outside that a base is in, if its owner can tell whether it is freed.
    fn outside(&self, base: Base) -> Option<External> {
        match base {
            Base::External(of @ (External::Argument(_) | External::Pointer(_))) => Some(of),
            Base::Local(storage) => {
                let mut alone = self.alone.iter();
                alone.find_map(|(own, of, _)| (*own == storage).then_some(*of))
            }
            _ => None,
        }
    }

    /// Whether a base is storage that an argument provides.
    fn is_given(&self, base: Base) -> bool {
        let mut arguments = self.flat.arguments.iter();
        let storage = |value| self.of_value.get(value).copied().map(Base::Local);
        arguments.any(|value| storage(value) == Some(base))
    }

    /// Whether a base is a place in an arena whose address is known only at run time.
    fn is_place(&self, base: Base) -> bool {
        matches!(base, Base::Local(own) if self.storages[own as usize].place.is_some())
    }

    /// The storage with the mark of a base, if it has one. Storage that is another one whenever a loop allocates it, or
    /// whenever a value points to it, has none unless the function owns it.
    fn marked(&self, base: Base) -> Option<u32> {
        match base {
            Base::Local(storage) => {
                let place = self.storages[storage as usize].place.as_deref();
                Some(place.map_or(storage, |place| place.arena))
            }
            Base::External(of) => self.frees.outside.get(&of).copied(),
            Base::Unknown => None,
        }
    }

    fn mark_of(&self, state: &State, base: Base) -> Option<(u32, NodeId)> {
        let storage = self.marked(base)?;
        let (_, piece) = state.locals.get(storage)?.at(MARK)?;
        Some((storage, piece.node))
    }

    /// Whether a mark says that the storage has been freed; `None` if it says so on some paths only, or is unknown.
    fn is_freed(&self, mark: NodeId) -> Option<bool> {
        let (mut found, mut seen) = ([false; 2], HashSet::new());
        let mut work = vec![mark];
        while let Some(node) = work.pop() {
            if !seen.insert(node) {
                continue;
            }
            match self.graph.node(node) {
                Node::Undefined => found[0] = true,
                Node::Integer(_) => found[1] = true,
                Node::Join { number, .. } => {
                    let inputs = self.graph.joins[*number as usize].iter().flatten();
                    work.extend(inputs.map(|(input, _)| *input));
                }
                Node::Gate { new, old, .. } => work.extend([new.0, old.0]),
                _ => return None,
            }
        }
        match found {
            [true, true] => None,
            [_, is_freed] => Some(is_freed),
        }
    }

    /// Marks storage, what the merge denotes if it is one, and all merges that may denote any of that.
    fn mark(&mut self, state: &mut State, base: Base) {
        if let Base::External(of) = base
            && of.is_fixed()
            && !self.frees.outside.contains_key(&of)
        {
            let number = self.add_storage(None);
            self.frees.outside.insert(of, number);
        }
        let Some(storage) = self.marked(base) else {
            return;
        };
        let freed = self.graph.add(Node::Integer(1));
        self.set_mark(state, storage, freed);
        if state.merges.is_empty() {
            return;
        }
        let merges = Rc::clone(&state.merges);
        let mut hit = vec![storage];
        let own = merges.iter().find(|own| own.storage == storage);
        for target in own.into_iter().flat_map(|own| &own.targets) {
            let Some(of) = self.marked(target.base) else {
                continue;
            };
            self.mark_through(state, of, target, freed);
            hit.push(of);
        }
        for merge in merges.iter().filter(|own| own.storage != storage) {
            for target in &merge.targets {
                if let Some(of) = self.marked(target.base)
                    && hit.contains(&of)
                    && let Some((_, mark)) = self.mark_of(state, target.base)
                {
                    self.mark_through(state, merge.storage, target, mark);
                }
            }
        }
    }

    /// Marks storage if control has gone where a merge denotes the target.
    fn mark_through(&mut self, state: &mut State, storage: u32, target: &Target, mark: NodeId) {
        let node = match target.gate {
            Some((label, edge)) => {
                let old = self.mark_of(state, Base::Local(storage));
                let old = old.map_or_else(|| self.graph.add(Node::Undefined), |(_, own)| own);
                self.graph.add(Node::Gate {
                    label,
                    edge,
                    new: (mark, 0),
                    old: (old, 0),
                })
            }
            None => self.perhaps(),
        };
        self.set_mark(state, storage, node);
    }

    fn perhaps(&mut self) -> NodeId {
        self.graph.unknown("one of several storages has been freed")
    }

    fn set_mark(&mut self, state: &mut State, storage: u32, node: NodeId) {
        self.frees.sites.insert(storage, self.graph.here);
        let piece = Piece {
            node,
            offset: 0,
            length: 1,
        };
        state.local_mut(storage).write(MARK, &[piece]);
    }

    /// Marks a new merge, which denotes one of several places, if these are marked.
    pub(crate) fn mark_choice(&mut self, state: &mut State, merge: u32, places: &[Base]) {
        if self.frees.sites.is_empty() {
            return;
        }
        let mark = |own: &Base| self.mark_of(state, *own).map(|(_, mark)| mark);
        let marks: Vec<Option<NodeId>> = places.iter().map(mark).collect();
        let is_same = marks.windows(2).all(|pair| pair[0] == pair[1]);
        match marks[0] {
            Some(mark) if is_same => self.set_mark(state, merge, mark),
            _ if marks.iter().any(Option::is_some) => {
                let perhaps = self.perhaps();
                self.set_mark(state, merge, perhaps);
            }
            _ => {}
        }
    }

    /// Adds the mark of a merge where control meets, from those along each edge, to its contents.
    pub(crate) fn meet_marks(
        &mut self,
        meeting: Meeting<'_>,
        joins: &mut Joins,
        (bases, states): (&[Base], &[State]),
        contents: &mut Contents,
    ) {
        if self.frees.sites.is_empty() {
            return;
        }
        let mut lists = Vec::new();
        for (base, from) in bases.iter().zip(states) {
            let mut piece = self.graph.gap(1);
            if let Some((_, mark)) = self.mark_of(from, *base) {
                piece.node = mark;
            }
            lists.push(vec![piece]);
        }
        let pieces = self.meet_pieces(meeting, joins, &lists, MARK);
        contents.write_all(pieces);
    }
}
