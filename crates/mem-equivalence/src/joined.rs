//! Contents of local storage where control meets: bytes that differ between the incoming edges become joins, as few
//! as possible.
//!
//! An arena holds what is left of many tensors. Only bytes whose strips differ are looked at, and what is a single piece
//! along some edge becomes a single join, however many pieces the other edges have there: a tensor that a loop writes
//! is one piece along the edge back to its head, although the bytes before the loop are those of other tensors. The
//! pieces of an arena would otherwise be cut further by each tensor that is written there.

use std::collections::BTreeMap;
use std::rc::Rc;

use crate::contents::{Contents, cut};
use crate::evaluate::Evaluator;
use crate::value::{Graph, NodeId, Piece};

/// The bytes of a storage that are joined at a label, by first address. They stay joined, and are only ever divided
/// further, so that loops reach a fixed point.
pub(crate) type Joins = BTreeMap<i64, Join>;

/// The join of the bytes from an address on.
#[derive(Clone, Copy)]
pub(crate) struct Join {
    end: i64,
    node: NodeId,
}

/// Where control meets: the label, the number of edges, and those that have been evaluated.
#[derive(Clone, Copy)]
pub(crate) struct Meeting<'a> {
    pub label: u32,
    pub n: usize,
    pub edges: &'a [usize],
}

/// Bytes where control meets.
#[derive(Debug, PartialEq)]
enum Part {
    /// The same piece along all edges, with its first address.
    Same(i64, Piece),
    Joined(Group),
}

/// Bytes that become one join.
#[derive(Debug, PartialEq)]
struct Group {
    start: i64,
    end: i64,
    /// By edge: the pieces.
    inputs: Vec<Vec<Piece>>,
}

impl Evaluator<'_> {
    /// Returns what a storage holds where control meets; `None` if it is what it holds along the first edge.
    /// `contents`: what it holds along each edge. O(strips + pieces of the bytes that differ · edges).
    pub(crate) fn meet_contents(
        &mut self,
        at: Meeting<'_>,
        joins: &mut Joins,
        contents: &[Rc<Contents>],
    ) -> Option<Contents> {
        let mut met = None;
        for (start, end) in differing(contents, joins) {
            let read = |own: &Rc<Contents>| own.read(&mut self.graph, start, end - start);
            let lists: Vec<Vec<Piece>> = contents.iter().map(read).collect();
            let is_same = lists.windows(2).all(|pair| pair[0] == pair[1]);
            if is_same && joins.range(start..end).next().is_none() {
                continue;
            }
            let pieces = self.meet_pieces(at, joins, &lists, start);
            let met = met.get_or_insert_with(|| Contents::clone(&contents[0]));
            met.clear(start, end);
            met.write_all(pieces);
        }
        met
    }

    /// Returns the pieces from address `start` on where control meets, without bytes that are undefined. `lists`: the
    /// pieces along each edge.
    pub(crate) fn meet_pieces(
        &mut self,
        at: Meeting<'_>,
        joins: &mut Joins,
        lists: &[Vec<Piece>],
        start: i64,
    ) -> Vec<(i64, Piece)> {
        let mut met = Vec::new();
        for part in divided(&mut self.graph, joins, lists, start) {
            match part {
                Part::Same(_, piece) if self.graph.is_undefined(piece.node) => {}
                Part::Same(start, piece) => met.push((start, piece)),
                Part::Joined(group) => met.push(self.join(at, joins, group)),
            }
        }
        met
    }

    /// Joins bytes.
    fn join(&mut self, meeting: Meeting<'_>, joins: &mut Joins, group: Group) -> (i64, Piece) {
        let length = group.end - group.start;
        let node = match joins.get(&group.start) {
            Some(own) => own.node,
            None => {
                self.has_changed = true;
                self.graph.join(meeting.label, meeting.n)
            }
        };
        let join = Join {
            end: group.end,
            node,
        };
        joins.insert(group.start, join);
        self.graph.resize(node, length);
        let inputs =
            group
                .inputs
                .into_iter()
                .map(|pieces| match self.graph.joined(pieces).as_slice() {
                    [only] => (only.node, only.offset),
                    pieces => (self.graph.concatenation(pieces.iter().copied()), 0),
                });
        let inputs: Vec<(NodeId, i64)> = inputs.collect();
        self.set_inputs(node, meeting.edges, &inputs);
        let piece = Piece {
            node,
            offset: 0,
            length,
        };
        (group.start, piece)
    }
}

/// Divides bytes from address `start` on, given as one list of pieces for each edge, into those that are the same and
/// those that become joins. Two bytes that differ belong to one join if they are in one piece along some edge, unless
/// they have been divided before. O(pieces · edges).
fn divided(graph: &mut Graph, joins: &Joins, lists: &[Vec<Piece>], start: i64) -> Vec<Part> {
    let end = start + lists[0].iter().map(|own| own.length).sum::<i64>();
    let marks = marks(graph, joins, start, end);
    let mut slices: Vec<&[Piece]> = lists.iter().map(Vec::as_slice).collect();
    slices.push(&marks);
    let (mut parts, mut at) = (Vec::new(), start);
    for bytes in cut(&slices).chunks_exact(slices.len()) {
        let bytes = bytes[..lists.len()].iter();
        let bytes: Vec<Piece> = bytes.map(|own| graph.normal(*own)).collect();
        let from = at;
        at += bytes[0].length;
        let before = joins.range(..=from).next_back();
        let is_joined = before.is_some_and(|(_, own)| from < own.end);
        if !is_joined && bytes.windows(2).all(|pair| pair[0] == pair[1]) {
            parts.push(Part::Same(from, bytes[0]));
            continue;
        }
        let is_divided = before.is_some_and(|(first, own)| *first == from || own.end == from);
        let continues = |(all, next): (&Vec<Piece>, &Piece)| {
            all.last().is_some_and(|last| graph.continues(last, next))
        };
        match parts.last_mut() {
            Some(Part::Joined(own))
                if !is_divided && own.inputs.iter().zip(&bytes).any(continues) =>
            {
                own.end = at;
                let inputs = own.inputs.iter_mut().zip(bytes);
                inputs.for_each(|(all, next)| all.push(next));
            }
            _ => parts.push(Part::Joined(Group {
                start: from,
                end: at,
                inputs: bytes.into_iter().map(|own| vec![own]).collect(),
            })),
        }
    }
    parts
}

/// Pieces of no meaning that end where joins in `[start, end)` begin or end.
fn marks(graph: &mut Graph, joins: &Joins, start: i64, end: i64) -> Vec<Piece> {
    let known = joins.range(start..end);
    let ends = known.flat_map(|(first, own)| [*first, own.end]);
    let mut marks = Vec::new();
    let mut at = start;
    for next in ends.chain([end]) {
        if next > at {
            marks.push(graph.gap(next - at));
            at = next;
        }
    }
    marks
}

/// Returns the bytes that may differ between contents or have been joined, as disjoint ranges `[start, end)` in
/// ascending order. No piece has bytes in two of them. O(strips log strips).
fn differing(contents: &[Rc<Contents>], joins: &Joins) -> Vec<(i64, i64)> {
    let mut found: Vec<(i64, i64)> = joins.iter().map(|(start, own)| (*start, own.end)).collect();
    for other in &contents[1..] {
        contents[0].differing(other, &mut found);
    }
    found.sort_unstable();
    let mut ranges: Vec<(i64, i64)> = Vec::new();
    for (start, end) in found {
        match ranges.last_mut() {
            Some(last) if start < last.1 => last.1 = end.max(last.1),
            _ => ranges.push((start, end)),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Node;

    fn piece(node: NodeId, offset: i64, length: i64) -> Piece {
        Piece {
            node,
            offset,
            length,
        }
    }

    /// The ranges of the joins in a division, and whether all other bytes are where they were.
    fn joined(
        graph: &mut Graph,
        joins: &[(i64, i64)],
        lists: &[Vec<Piece>],
    ) -> (Vec<(i64, i64)>, bool) {
        let node = graph.add(Node::Undefined);
        let joins = joins
            .iter()
            .map(|(start, end)| (*start, Join { end: *end, node }));
        let (mut ranges, mut is_whole, mut at) = (Vec::new(), true, 100);
        for part in divided(graph, &joins.collect(), lists, 100) {
            let (start, end) = match part {
                Part::Same(start, piece) => (start, start + piece.length),
                Part::Joined(own) => {
                    ranges.push((own.start, own.end));
                    (own.start, own.end)
                }
            };
            is_whole &= start == at;
            at = end;
        }
        (ranges, is_whole && at == 112)
    }

    #[test]
    fn what_is_one_piece_along_an_edge_becomes_one_join() {
        let mut graph = Graph::default();
        let [x, y, z, w] = [0, 1, 2, 3].map(|number| graph.add(Node::Argument(number, 0)));
        let entry = vec![piece(x, 0, 4), piece(y, 0, 4), piece(z, 0, 4)];
        let written = vec![piece(x, 0, 4), piece(w, 0, 8)];
        let lists = [entry.clone(), written];
        assert_eq!(joined(&mut graph, &[], &lists), (vec![(104, 112)], true));
        // What is apart along all edges stays apart, and equal bytes in between are no part of a join.
        let lists = [
            entry.clone(),
            vec![piece(w, 0, 4), piece(x, 0, 4), piece(z, 0, 4)],
        ];
        assert_eq!(
            joined(&mut graph, &[], &lists),
            (vec![(100, 104), (104, 108)], true)
        );
        let lists = [
            vec![piece(x, 0, 12)],
            vec![piece(w, 0, 4), piece(x, 4, 4), piece(w, 8, 4)],
        ];
        assert_eq!(
            joined(&mut graph, &[], &lists),
            (vec![(100, 104), (108, 112)], true)
        );
    }

    #[test]
    fn joins_stay_and_are_only_divided() {
        let mut graph = Graph::default();
        let [x, y] = [0, 1].map(|number| graph.add(Node::Argument(number, 0)));
        let same = [vec![piece(x, 0, 12)], vec![piece(x, 0, 12)]];
        let known = [(102, 106)];
        assert_eq!(joined(&mut graph, &known, &same), (vec![(102, 106)], true));
        let halves = vec![piece(x, 0, 4), piece(y, 0, 8)];
        let lists = [halves.clone(), halves];
        assert_eq!(
            joined(&mut graph, &known, &lists),
            (vec![(102, 104), (104, 106)], true)
        );
        // A piece that goes on beyond a join is divided there.
        let lists = [vec![piece(x, 0, 12)], vec![piece(y, 0, 12)]];
        let divided = vec![(100, 102), (102, 106), (106, 112)];
        assert_eq!(joined(&mut graph, &known, &lists), (divided, true));
    }
}
