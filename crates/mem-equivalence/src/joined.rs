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
use crate::value::{NodeId, Piece};

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

/// Bytes that become one join.
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
        meeting: Meeting<'_>,
        joins: &mut Joins,
        lists: &[Vec<Piece>],
        start: i64,
    ) -> Vec<(i64, Piece)> {
        let end = start + lists[0].iter().map(|own| own.length).sum::<i64>();
        let known: Joins = joins
            .range(start..end)
            .map(|(at, own)| (*at, *own))
            .collect();
        let marks = self.marks(&known, start, end);
        let mut slices: Vec<&[Piece]> = lists.iter().map(Vec::as_slice).collect();
        slices.push(&marks);
        let (mut met, mut at) = (Vec::new(), start);
        let mut open: Option<Group> = None;
        for part in cut(&slices).chunks_exact(slices.len()) {
            let part = part[..lists.len()].iter();
            let part: Vec<Piece> = part.map(|own| self.graph.normal(*own)).collect();
            let from = at;
            at += part[0].length;
            let before = known.range(..=from).next_back();
            let is_joined = before.is_some_and(|(_, own)| from < own.end);
            let is_same = part.windows(2).all(|pair| pair[0] == pair[1]);
            if is_same && !is_joined {
                met.extend(open.take().map(|own| self.join(meeting, joins, own)));
                if !self.graph.is_undefined(part[0].node) {
                    met.push((from, part[0]));
                }
                continue;
            }
            let is_edge = before.is_some_and(|(first, own)| *first == from || own.end == from);
            let continues = |own: &Group| {
                let mut pairs = own.inputs.iter().zip(&part);
                own.end == from
                    && pairs.any(|(all, next)| {
                        all.last()
                            .is_some_and(|last| self.graph.continues(last, next))
                    })
            };
            match open.as_mut().filter(|own| !is_edge && continues(own)) {
                Some(own) => {
                    own.end = at;
                    own.inputs
                        .iter_mut()
                        .zip(part)
                        .for_each(|(all, next)| all.push(next));
                }
                None => {
                    let next = Group {
                        start: from,
                        end: at,
                        inputs: part.into_iter().map(|own| vec![own]).collect(),
                    };
                    let last = open.replace(next);
                    met.extend(last.map(|own| self.join(meeting, joins, own)));
                }
            }
        }
        met.extend(open.map(|own| self.join(meeting, joins, own)));
        met
    }

    /// Pieces of any node that end where joins begin or end.
    fn marks(&mut self, known: &Joins, start: i64, end: i64) -> Vec<Piece> {
        let ends = known.iter().flat_map(|(first, own)| [*first, own.end]);
        let mut marks = Vec::new();
        let mut at = start;
        for next in ends.chain([end]) {
            if next > at {
                marks.push(self.graph.gap(next - at));
                at = next;
            }
        }
        marks
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
