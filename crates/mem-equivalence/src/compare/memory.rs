//! Comparison of states of externally reachable memory.

use std::collections::BTreeMap;

use super::Comparison;
use crate::contents::cut;
use crate::facts::is_certain;
use crate::goal::{Failure, Goal, vague};
use crate::value::{External, Graph, Node, NodeId, Piece, Region};

/// Byte ranges `[start, end)` of storages, sorted, disjoint and not adjacent.
pub(super) type Excepted = Vec<(External, i64, i64)>;

/// Consecutive writes of known bytes, the last one first, and the state before all of them.
struct Chain {
    /// The state after each of the writes.
    states: Vec<NodeId>,
    writes: Vec<(External, Vec<(i64, Piece)>)>,
    base: NodeId,
}

impl Comparison<'_> {
    /// Whether a known goal about the same memory states allows fewer bytes to differ.
    pub(super) fn is_weaker(&mut self, goal: &Goal) -> bool {
        if goal.except == 0 {
            return false;
        }
        let same = Goal { except: 0, ..*goal };
        let sure = Goal {
            is_vague: false,
            ..same
        };
        if self.known.contains(&same) || self.known.contains(&sure) {
            return true;
        }
        let known = self.weakest.entry((goal.a, goal.b)).or_default();
        let excepted = |own: &Goal| &self.excepted[own.except as usize - 1];
        let is_within = |own: &Goal| {
            let mut ranges = excepted(own).iter();
            ranges.all(|range| covers(excepted(goal), range))
        };
        if known
            .iter()
            .any(|own| (goal.is_vague || !own.is_vague) && is_within(own))
        {
            return true;
        }
        known.push(*goal);
        false
    }

    /// Expands a goal about two memory states that are no joins of the same label. The last states in which bytes
    /// changed that may not differ stand for them. The bytes that are
    /// written since the last join or call have to be equal, and all others have to be equal
    /// before.
    pub(super) fn expand_memory(&mut self, goal: Goal, is_sure: bool) -> Result<(), Failure> {
        if let Some(goal) = self.at_last_change(&goal) {
            self.push_goal(goal);
            return Ok(());
        }
        let (x, y) = (self.a.graph.node(goal.a), self.b.graph.node(goal.b));
        match (x, y) {
            (Node::Memory, Node::Memory) => return Ok(()),
            (Node::After(x), Node::After(y)) => {
                self.push(*x, *y);
                return Ok(());
            }
            (Node::WriteElements { .. }, Node::WriteElements { .. }) => {
                return match self.writes_of_elements(goal, is_sure) {
                    true => Ok(()),
                    false => Err(Failure::Different(Goal {
                        is_vague: self.is_vague,
                        ..goal
                    })),
                };
            }
            (Node::Write { .. }, _) | (_, Node::Write { .. }) => {}
            (Node::Join { .. }, _) | (_, Node::Join { .. }) => return self.expand_join(goal),
            // The same bytes may have been written in another way.
            _ => return vague(goal),
        }
        let mut own = chain(&self.a.graph, goal.a);
        let mut theirs = chain(&self.b.graph, goal.b);
        let n_alike = n_alike(&own, &theirs);
        if n_alike == 0 {
            own = self.apart(own);
            theirs = self.apart(theirs);
        } else {
            // The same bytes have been written last, so only all others matter before.
            own = own.last(n_alike);
            theirs = theirs.last(n_alike);
            for ((to, pieces), (of, other)) in own.writes.iter().zip(&theirs.writes) {
                self.external(*to, *of);
                self.push_pieces(&goal, *to, pieces, other);
            }
        }
        let written = written(&own, &theirs);
        let mut writes = own.writes.iter().chain(&theirs.writes);
        // A pointer has a name of its own in each program, and what is allocated in a loop is another
        // one each time.
        let mut are_fixed = || writes.all(|(to, _)| to.is_fixed());
        if n_alike == 0 && (!are_fixed() || !self.push_written(&goal, &own, &theirs, &written)) {
            return vague(goal);
        }
        let except = self.except(&goal, written);
        // The bytes that differ between the edges of a join may be overwritten later.
        let is_join = |graph: &Graph, node| matches!(graph.node(node), Node::Join { .. });
        let is_vague = self.is_vague
            || is_join(&self.a.graph, own.base)
            || is_join(&self.b.graph, theirs.base);
        self.push_goal(Goal {
            a: own.base,
            b: theirs.base,
            except,
            is_vague,
            ..goal
        });
        Ok(())
    }

    /// Returns the last writes of a chain, as far as none of them may hide what is written by one before.
    fn apart(&self, chain: Chain) -> Chain {
        let mut storages: Vec<External> = Vec::new();
        let is_hidden = |(to, _): &(External, Vec<(i64, Piece)>)| {
            let mut others = storages.iter().filter(|own| *own != to);
            let is_hidden = others.any(|own| self.aliasing.may_meet(*own, *to));
            if !storages.contains(to) {
                storages.push(*to);
            }
            is_hidden
        };
        let n = chain.writes.iter().position(is_hidden);
        let all = chain.writes.len();
        chain.last(n.unwrap_or(all))
    }

    /// Pushes a goal for each range of bytes that either chain writes and that may not differ.
    /// Returns `false` if it is not known which write of a chain the bytes come from.
    fn push_written(&mut self, goal: &Goal, a: &Chain, b: &Chain, written: &Excepted) -> bool {
        // The bytes are split where any piece begins or ends.
        let mut bounds: BTreeMap<External, Vec<i64>> = BTreeMap::new();
        for (to, pieces) in a.writes.iter().chain(&b.writes) {
            let ends = pieces.iter().flat_map(|own| [own.0, own.0 + own.1.length]);
            bounds.entry(*to).or_default().extend(ends);
        }
        for (of, mut bounds) in bounds {
            bounds.sort_unstable();
            bounds.dedup();
            for pair in bounds.windows(2) {
                let range = (of, pair[0], pair[1]);
                let is_excepted = self.is_excepted(goal.except, &range);
                if !covers(written, &range) || is_excepted {
                    continue;
                }
                let part = Goal {
                    offsets: (pair[0], pair[0]),
                    length: pair[1] - pair[0],
                    reads: [Some(of); 2],
                    except: 0,
                    is_vague: self.is_vague,
                    ..*goal
                };
                // A goal about bytes in this state may lead to one about the whole state, which
                // must not follow from itself.
                let traced = self.traced(&part).unwrap_or(part);
                let is_within = |chain: &Chain, node: NodeId, reads: Option<External>| {
                    reads.is_some() && chain.states.contains(&node)
                };
                if is_within(a, traced.a, traced.reads[0])
                    || is_within(b, traced.b, traced.reads[1])
                {
                    return false;
                }
                self.push_goal(traced);
            }
        }
        true
    }

    fn is_excepted(&self, except: u32, range: &(External, i64, i64)) -> bool {
        let number = except.checked_sub(1);
        number.is_some_and(|number| covers(&self.excepted[number as usize], range))
    }

    /// Returns the number of the set of the bytes that may differ before writes of others.
    fn except(&mut self, goal: &Goal, written: Excepted) -> u32 {
        let before = goal.except.checked_sub(1);
        let before = before.map(|number| self.excepted[number as usize].clone());
        let all = union(before.into_iter().flatten().chain(written));
        if all.is_empty() {
            return 0;
        }
        let number = self.excepted.insert_full(all).0 + 1;
        u32::try_from(number).unwrap_or(0)
    }

    /// Compares two writes of elements that are known only at run time.
    fn writes_of_elements(&mut self, goal: Goal, is_sure: bool) -> bool {
        let (x, y) = (self.a.graph.node(goal.a), self.b.graph.node(goal.b));
        let write = |node: &Node| match node {
            Node::WriteElements {
                memory,
                to,
                region,
                new,
            } => Some((*memory, *to, region.clone(), *new)),
            _ => None,
        };
        let Some(((memory, to, region, new), (p, of, r, q))) = write(x).zip(write(y)) else {
            return false;
        };
        let is_same = self.external(to, of) && self.region(&region, &r);
        self.push_goal(Goal {
            a: memory,
            b: p,
            is_vague: self.is_vague,
            ..goal
        });
        self.is_vague = !(is_sure && self.are_certain(&region, &r));
        is_same && self.both(new, q)
    }

    /// Whether two regions that are written last are known to be the same place. What is written is then visible,
    /// so a mismatch of the values is a definite difference.
    pub(super) fn are_certain(&self, a: &Region, b: &Region) -> bool {
        is_certain([&self.a.graph, &self.b.graph], [a, b])
    }

    /// Pushes goals about two writes of the same bytes of a storage, except those that may differ.
    fn push_pieces(&mut self, goal: &Goal, to: External, a: &[(i64, Piece)], b: &[(i64, Piece)]) {
        let (mut of_a, mut of_b) = (runs(a).into_iter(), runs(b).into_iter());
        while let (Some((start, x)), Some((_, y))) = (of_a.next(), of_b.next()) {
            if goal.except == 0 {
                self.push_pairs(&x, &y);
                continue;
            }
            let mut at = start;
            for pair in cut(&[&x, &y]).chunks_exact(2) {
                let end = at + pair[0].length;
                if !self.is_excepted(goal.except, &(to, at, end)) {
                    self.push_pairs(&pair[..1], &pair[1..]);
                }
                at = end;
            }
        }
    }
}

impl Chain {
    /// Returns the last `n` writes.
    fn last(mut self, n: usize) -> Self {
        if let Some(base) = self.states.get(n) {
            self.base = *base;
        }
        self.states.truncate(n);
        self.writes.truncate(n);
        self
    }
}

/// Returns how many of the last writes of two chains are of the same bytes in the same order.
fn n_alike(a: &Chain, b: &Chain) -> usize {
    let is_same = |x: &External, y: &External| match (x, y) {
        (External::Pointer(_), External::Pointer(_)) => true,
        _ => x == y,
    };
    let mut pairs = a.writes.iter().zip(&b.writes);
    let first = pairs.position(|(x, y)| !is_same(&x.0, &y.0) || ranges(&x.1) != ranges(&y.1));
    first.unwrap_or(a.writes.len().min(b.writes.len()))
}

/// Returns the writes of known bytes that lead to a memory state.
fn chain(graph: &Graph, mut base: NodeId) -> Chain {
    let (mut states, mut writes) = (Vec::new(), Vec::new());
    while let Node::Write { memory, to, pieces } = graph.node(base) {
        states.push(base);
        writes.push((*to, pieces.clone()));
        base = *memory;
    }
    Chain {
        states,
        writes,
        base,
    }
}

/// Returns the pieces without gaps between them, by first address.
fn runs(pieces: &[(i64, Piece)]) -> Vec<(i64, Vec<Piece>)> {
    let mut runs: Vec<(i64, Vec<Piece>)> = Vec::new();
    let mut end = 0;
    for (start, piece) in pieces {
        match runs.last_mut() {
            Some((_, own)) if end == *start => own.push(*piece),
            _ => runs.push((*start, vec![*piece])),
        }
        end = start + piece.length;
    }
    runs
}

/// Returns the ranges that consist of pieces without gaps between them.
pub(super) fn ranges(pieces: &[(i64, Piece)]) -> Vec<(i64, i64)> {
    let length = |own: &[Piece]| own.iter().map(|piece| piece.length).sum::<i64>();
    let runs = runs(pieces).into_iter();
    runs.map(|(start, own)| (start, start + length(&own)))
        .collect()
}

/// Returns all bytes that two chains write to storages that are the same ones at all times.
fn written(a: &Chain, b: &Chain) -> Excepted {
    let writes = a.writes.iter().chain(&b.writes);
    let fixed = writes.filter(|(to, _)| to.is_fixed());
    union(fixed.flat_map(|(to, pieces)| {
        let ranges = ranges(pieces).into_iter();
        ranges.map(|(start, end)| (*to, start, end))
    }))
}

/// Returns the union of byte ranges of storages.
fn union(all: impl Iterator<Item = (External, i64, i64)>) -> Excepted {
    let mut all: Vec<_> = all.collect();
    all.sort_unstable();
    let mut union: Excepted = Vec::new();
    for (of, start, end) in all {
        match union.last_mut() {
            Some((own, _, last)) if *own == of && *last >= start => *last = end.max(*last),
            _ => union.push((of, start, end)),
        }
    }
    union
}

/// Whether a set of bytes includes a range. O(log n).
pub(super) fn covers(all: &Excepted, range: &(External, i64, i64)) -> bool {
    let (of, start, end) = *range;
    let next = all.partition_point(|own| (own.0, own.1) <= (of, start));
    let own = next.checked_sub(1).map(|last| all[last]);
    own.is_some_and(|own| own.0 == of && own.2 >= end)
}
