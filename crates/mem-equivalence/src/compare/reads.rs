//! Comparison of bytes that are read from externally reachable storage, and where bytes of memory
//! come from.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Comparison;
use super::memory::{Excepted, covers, ranges};
use crate::contents::within;
use crate::goal::{Failure, Goal, unknown, vague};
use crate::memory::Aliasing;
use crate::value::{External, Graph, Node, NodeId, Piece};

/// Where bytes of a storage come from in a memory state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The state is the last one in which they may have changed.
    State(NodeId),
    /// They are bytes of a node from this offset on.
    Piece(NodeId, i64),
}

/// Bytes of externally reachable memory.
#[derive(Clone, Copy)]
enum Wanted<'a> {
    /// Bytes of a storage, `(offset, length)`. `None`: all of them.
    Of(External, Option<(i64, i64)>),
    /// All but these.
    Except(&'a Excepted),
}

/// A search for where bytes of memory come from: the last state in which they may have
/// changed, or a piece that consists of them. Looks through a join if all its
/// inputs lead to the same source: a depth-first search of the states before it. O(states).
struct Search<'a> {
    graph: &'a Graph,
    aliasing: &'a Aliasing,
    bytes: Wanted<'a>,
    /// The joins that the search is inside of.
    path: Vec<Visit>,
    seen: FxHashSet<NodeId>,
    /// The sources of joins that are not on the path any more, if those on the path have the same
    /// one. If one of these has several, it is itself the source from there on, and no other equals
    /// it.
    done: FxHashMap<NodeId, Source>,
}

/// A join on the path of a search.
struct Visit {
    join: NodeId,
    /// The source of the inputs visited so far.
    known: Option<Source>,
    /// Inputs still to visit.
    left: Vec<NodeId>,
}

/// Outcome of one step of a search.
enum Next {
    /// The search continues at this state.
    At(NodeId),
    /// This source was found; `None`: a join that contributes no source of its own.
    Found(Option<Source>),
}

impl Search<'_> {
    fn run(mut self, memory: NodeId) -> Source {
        let mut at = memory;
        loop {
            let next = match self.enter(at) {
                Next::Found(found) => self.leave(found),
                next => next,
            };
            match next {
                Next::At(state) => at = state,
                Next::Found(found) => return found.unwrap_or(Source::State(memory)),
            }
        }
    }

    /// Visits a state.
    fn enter(&mut self, at: NodeId) -> Next {
        match self.graph.node(at) {
            Node::Join { number, .. } if self.seen.insert(at) => {
                let inputs = self.graph.joins[*number as usize].iter().flatten();
                let mut left: Vec<NodeId> = inputs.map(|(own, _)| *own).collect();
                let Some(next) = left.pop() else {
                    return Next::Found(Some(Source::State(at)));
                };
                self.path.push(Visit {
                    join: at,
                    known: None,
                    left,
                });
                Next::At(next)
            }
            // A join on the current path, reached along a back edge, contributes no source of its
            // own.
            Node::Join { .. } if self.path.iter().any(|own| own.join == at) => Next::Found(None),
            Node::Join { .. } => {
                let known = self.done.get(&at).copied();
                Next::Found(Some(known.unwrap_or(Source::State(at))))
            }
            node => match before(node, self.aliasing, self.bytes) {
                Some(Source::State(memory)) => Next::At(memory),
                Some(piece) => Next::Found(Some(piece)),
                None => Next::Found(Some(Source::State(at))),
            },
        }
    }

    /// Adds the source of an input to the joins on the path, up to one with an input still to
    /// visit. Returns that input, or the source of the first join if there is none.
    fn leave(&mut self, mut found: Option<Source>) -> Next {
        while let Some(visit) = self.path.last_mut() {
            let is_same = visit.known.is_none() || found.is_none() || visit.known == found;
            visit.known = visit.known.or(found);
            if is_same && let Some(next) = visit.left.pop() {
                return Next::At(next);
            }
            if is_same {
                found = visit.known;
                self.done.extend(found.map(|found| (visit.join, found)));
            } else {
                found = Some(Source::State(visit.join));
            }
            self.path.pop();
        }
        Next::Found(found)
    }
}

/// Returns where bytes of memory come from, see [`Search`].
fn source(graph: &Graph, aliasing: &Aliasing, memory: NodeId, bytes: Wanted<'_>) -> Source {
    let search = Search {
        graph,
        aliasing,
        bytes,
        path: Vec::new(),
        seen: FxHashSet::default(),
        done: FxHashMap::default(),
    };
    search.run(memory)
}

/// Returns the state before a write that does not change the bytes, or the piece that they are
/// after it. `None` if the write may change them in another way, or for any other node.
fn before(node: &Node, aliasing: &Aliasing, bytes: Wanted<'_>) -> Option<Source> {
    match (node, bytes) {
        (
            Node::Write { memory, to, .. } | Node::WriteElements { memory, to, .. },
            Wanted::Of(of, _),
        ) if !aliasing.may_meet(*to, of) => Some(Source::State(*memory)),
        (Node::Write { memory, to, pieces }, Wanted::Of(of, Some((start, length))))
            if *to == of =>
        {
            let mut hit = within(pieces, start, start + length);
            match hit.next() {
                None => Some(Source::State(*memory)),
                Some((_, piece)) => {
                    (piece.length == length).then_some(Source::Piece(piece.node, piece.offset))
                }
            }
        }
        (Node::Write { memory, to, pieces }, Wanted::Except(excepted)) => {
            let is_excepted = |(start, end): &(i64, i64)| covers(excepted, &(*to, *start, *end));
            let is_hidden = ranges(pieces).iter().all(is_excepted);
            is_hidden.then_some(Source::State(*memory))
        }
        _ => None,
    }
}

impl Comparison<'_> {
    /// Returns where the bytes of a goal come from that are read from a storage on one side.
    fn source(&mut self, side: usize, goal: &Goal, memory: NodeId, of: External) -> Source {
        let graph = match side {
            0 => &self.a.graph,
            _ => &self.b.graph,
        };
        let (_, offset) = goal.of(side);
        let all = *self.changes[side]
            .entry((memory, of, None))
            .or_insert_with(|| source(graph, self.aliasing, memory, Wanted::Of(of, None)));
        // Most bytes of a storage have the same last change.
        let (Source::State(last), true) = (all, goal.length >= 0) else {
            return all;
        };
        let bytes = Some((offset, goal.length));
        *self.changes[side]
            .entry((last, of, bytes))
            .or_insert_with(|| source(graph, self.aliasing, last, Wanted::Of(of, bytes)))
    }

    /// Returns the same goal with the bytes that are read from memory traced to where they come
    /// from. `None` if nothing is read, or if it is traced already.
    pub(super) fn traced(&mut self, goal: &Goal) -> Option<Goal> {
        let mut traced = *goal;
        for side in [0, 1] {
            let (graph, node) = self.side(side, goal);
            let (memory, of) = match (goal.reads[side], graph.node(node)) {
                (Some(of), _) => (node, of),
                (None, Node::Read { memory, of }) => (*memory, *of),
                _ => continue,
            };
            let source = self.source(side, goal, memory, of);
            match source {
                Source::State(last) => {
                    let (_, offset) = goal.of(side);
                    traced = traced.at(side, (last, offset));
                    traced.reads[side] = Some(of);
                }
                Source::Piece(own, from) => {
                    traced = traced.at(side, (own, from));
                    traced.reads[side] = None;
                }
            }
        }
        (traced != *goal).then_some(traced)
    }

    /// Returns the same goal about the last states in which any bytes changed that may not differ.
    /// `None` if no bytes may differ, or if these are the states of the goal.
    pub(super) fn at_last_change(&self, goal: &Goal) -> Option<Goal> {
        let excepted = &self.excepted[goal.except.checked_sub(1)? as usize];
        let mut traced = *goal;
        for side in [0, 1] {
            let (graph, memory) = self.side(side, goal);
            if let Source::State(last) =
                source(graph, self.aliasing, memory, Wanted::Except(excepted))
            {
                traced = traced.at(side, (last, 0));
            }
        }
        (traced != *goal).then_some(traced)
    }

    /// Expands a goal about bytes that are read from memory. The states need not be equal: only
    /// writes that may have changed the bytes matter.
    pub(super) fn expand_read(&mut self, goal: Goal) -> Result<(), Failure> {
        if self.split(&goal) {
            return Ok(());
        }
        let (of_a, of_b) = (&self.a.graph, &self.b.graph);
        let (x, y) = (of_a.node(goal.a), of_b.node(goal.b));
        match (goal.reads, x, y) {
            ([None, _], Node::Undefined, _) => return Ok(()),
            ([None, _], Node::Unknown(number), _) => return Err(unknown(of_a, *number)),
            ([_, None], _, Node::Unknown(number)) => return Err(unknown(of_b, *number)),
            _ => {}
        }
        // The initial content of a storage, as a node or read from the initial state.
        let initial = |reads: Option<External>, node: &Node| match (reads, node) {
            (Some(of), Node::Memory) => Some(of),
            (None, Node::Initial(of)) => Some(*of),
            _ => None,
        };
        let [first, second] = [initial(goal.reads[0], x), initial(goal.reads[1], y)];
        if let (Some(of), Some(other)) = (first, second) {
            return match goal.offsets.0 == goal.offsets.1 && self.external(of, other) {
                true => Ok(()),
                false => Err(Failure::Different(goal)),
            };
        }
        match (goal.reads, x, y) {
            (_, Node::Join { .. }, Node::Join { .. }) => self.expand_join(goal),
            // Equal memory states are sufficient but not necessary: they include bytes that are not
            // read.
            ([Some(of), Some(other)], ..) => {
                if goal.offsets.0 != goal.offsets.1 || !self.external(of, other) {
                    return vague(goal);
                }
                self.is_vague = true;
                self.push(goal.a, goal.b);
                Ok(())
            }
            (_, Node::Join { .. }, _) | (_, _, Node::Join { .. }) => self.expand_join(goal),
            _ => vague(goal),
        }
    }

    /// Pushes one goal per piece if the bytes of a goal are several pieces on one side, or a piece
    /// of another node. Returns whether they are.
    fn split(&mut self, goal: &Goal) -> bool {
        for side in [0, 1] {
            let (graph, node) = self.side(side, goal);
            let (_, offset) = goal.of(side);
            let parts = match (goal.reads[side], graph.node(node)) {
                (Some(of), Node::Write { to, pieces, .. }) if *to == of && goal.length >= 0 => {
                    parts_of(node, offset, goal.length, pieces)
                }
                (None, Node::Sequence(_) | Node::Overlay { .. } | Node::Gather { .. }) => {
                    let whole = graph.length(node).filter(|_| goal.length == -1);
                    graph.part(node, offset, whole.unwrap_or(goal.length))
                }
                _ => continue,
            };
            if parts.iter().all(|own| own.node == node) && parts.len() == 1 {
                continue;
            }
            let mut part = Goal {
                is_vague: self.is_vague,
                ..*goal
            };
            for own in parts {
                part.length = own.length;
                self.push_goal(part.at(side, (own.node, own.offset)));
                part.offsets.0 += own.length;
                part.offsets.1 += own.length;
            }
            return true;
        }
        false
    }
}

/// Cuts bytes that are read from a memory state where written pieces begin and end.
fn parts_of(memory: NodeId, start: i64, length: i64, written: &[(i64, Piece)]) -> Vec<Piece> {
    let end = start + length;
    let bounds = within(written, start, end).flat_map(|(at, own)| [at, at + own.length]);
    let mut parts = Vec::new();
    let mut at = start;
    for bound in bounds.chain([end]) {
        if bound > at {
            parts.push(Piece {
                node: memory,
                offset: at,
                length: bound - at,
            });
            at = bound;
        }
    }
    parts
}
