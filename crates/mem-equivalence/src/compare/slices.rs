//! Slices: what the original computes in storage of its own and copies to a place known only at run time, the other
//! program may compute in that place.

use rustc_hash::FxHashSet as HashSet;

use super::Comparison;
use super::joins::join;
use crate::facts::is_from_before;
use crate::goal::Goal;
use crate::value::{Graph, Node, NodeId, Region};

/// Maximum number of pairs of nodes visited.
const MAX_PAIRS: usize = 1024;

impl Comparison<'_> {
    /// Expands the claim that a string in which a slice is replaced by what loops have left in storage of its own
    /// equals what the same loops have left of a string in the other program. It holds if these write the same
    /// values to the same places of the slice, and if the strings are equal before: the original, which is defined,
    /// writes within its own storage, so that the other program writes within the slice. Returns false if the goal is
    /// no such claim.
    ///
    /// The other string comes from one node wherever the storage of the original is undefined. This node is from
    /// before the outermost of the loops, since it enters that one, so it stays the same until the slice is copied.
    /// Where the slice is must not depend on the loops either: they write to it before it is copied. O(nodes of the
    /// loops).
    pub(super) fn expand_slice(&mut self, goal: Goal) -> bool {
        let Some(equal) = self.equal_in_slice(&goal) else {
            return false;
        };
        // That these are equal is sufficient, but not necessary.
        self.is_vague = true;
        for (x, y) in equal {
            self.push(x, y);
        }
        true
    }

    /// The pairs of nodes that have to be equal; `None` if that is not enough.
    fn equal_in_slice(&self, goal: &Goal) -> Option<Vec<(NodeId, NodeId)>> {
        let (a, b) = (&self.a.graph, &self.b.graph);
        let Node::Update { old, region, new } = a.node(goal.a) else {
            return None;
        };
        // What holds for all bytes holds for some.
        let is_aligned = goal.offsets.0 == goal.offsets.1;
        let length = dense_length(region).filter(|_| is_aligned)?;
        let (mut equal, mut entering) = (Vec::new(), HashSet::default());
        let mut first_label = u32::MAX;
        let mut seen = HashSet::from_iter([(*new, goal.b)]);
        let mut work = vec![(*new, goal.b)];
        while let Some((x, y)) = work.pop() {
            if is_undefined(a, x, length) {
                entering.insert(y);
                continue;
            }
            if a.length(x) != Some(length) || seen.len() > MAX_PAIRS {
                return None;
            }
            let mut next = Vec::new();
            match (a.node(x), b.node(y)) {
                (Node::Join { .. }, Node::Join { .. }) => {
                    let ((label, inputs), (other, theirs)) = (join(a, x)?, join(b, y)?);
                    if label != other {
                        return None;
                    }
                    first_label = first_label.min(label);
                    for (x, y) in inputs.iter().zip(theirs) {
                        match x.zip(*y) {
                            Some(((x, 0), (y, 0))) => next.push((x, y)),
                            Some(_) => return None,
                            None => {}
                        }
                    }
                }
                (
                    Node::Update {
                        old: x,
                        region: own,
                        new: v,
                    },
                    Node::Update {
                        old: y,
                        region: theirs,
                        new: w,
                    },
                ) => {
                    equal.extend(equal_places(region, own, theirs)?);
                    equal.push((*v, *w));
                    next.push((*x, *y));
                }
                _ => return None,
            }
            work.extend(next.into_iter().filter(|own| seen.insert(*own)));
        }
        let mut entering = entering.into_iter();
        let before = entering.next()?;
        equal.push((*old, before));
        let mut terms = region.start.terms.iter();
        let is_certain =
            entering.next().is_none() && terms.all(|(own, _)| is_from_before(a, *own, first_label));
        is_certain.then_some(equal)
    }
}

/// The pairs of nodes that have to be equal so that a region of a slice is a region of the whole string; `None` if
/// that is not enough.
fn equal_places(slice: &Region, own: &Region, whole: &Region) -> Option<Vec<(NodeId, NodeId)>> {
    let start = slice.start.plus(&own.start);
    let pairs = start.terms.iter().zip(&whole.start.terms);
    let is_same = (start.constant, own.element) == (whole.start.constant, whole.element)
        && start.terms.len() == whole.start.terms.len()
        && pairs.clone().all(|(x, y)| x.1 == y.1)
        && own.dims.is_empty()
        && whole.dims.is_empty();
    is_same.then(|| pairs.map(|(x, y)| (x.0, y.0)).collect())
}

/// The number of bytes of a region whose elements follow one another in memory.
fn dense_length(region: &Region) -> Option<i64> {
    let mut length = region.element;
    for (size, stride) in region.dims.iter().rev() {
        let size = size.known()?;
        if size != 1 && stride.known()? != length {
            return None;
        }
        length = length.checked_mul(size)?;
    }
    Some(length)
}

/// Whether nothing has written any of the bytes of a string.
fn is_undefined(graph: &Graph, node: NodeId, length: i64) -> bool {
    let pieces = graph.pieces(node, length);
    pieces.iter().all(|piece| graph.is_undefined(piece.node))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::testing::evaluated;
    use crate::compare::{Verdict, compare};
    use crate::linear::Linear;
    use crate::memory::Aliasing;
    use crate::value::Piece;

    /// Four elements of 4 bytes each.
    const SLICE: i64 = 16;

    const STRING: i64 = 64;

    fn argument(graph: &mut Graph, number: u32, length: Option<i64>) -> NodeId {
        graph.add_sized(Node::Argument(number, 0), length)
    }

    /// A string with an element, or a slice, replaced.
    fn update(
        graph: &mut Graph,
        (old, new): (NodeId, NodeId),
        start: Linear,
        dims: &[i64],
    ) -> NodeId {
        let length = graph.length(old);
        let dims = dims
            .iter()
            .map(|size| (Linear::constant(*size), Linear::constant(4)));
        let region = Region {
            start,
            dims: dims.collect(),
            element: 4,
        };
        let update = Node::Update {
            old,
            region: region.into(),
            new,
        };
        graph.add_sized(update, length)
    }

    /// What a loop leaves that replaces an element, of a string that is one of `before` at first, from an offset on.
    /// `label`: that of the loop.
    fn looped(
        graph: &mut Graph,
        label: u32,
        before: [(NodeId, i64); 2],
        (start, length): (Linear, i64),
    ) -> NodeId {
        let value = argument(graph, 1, None);
        let join = graph.join(label, 3);
        graph.resize(join, length);
        let last = graph.joins.len() - 1;
        let next = update(graph, (join, value), start, &[]);
        graph.joins[last] = before.into_iter().chain([(next, 0)]).map(Some).collect();
        join
    }

    /// The places of the slice and of an element in it.
    fn places(graph: &mut Graph) -> [Linear; 2] {
        let [slice, element] = [2, 3].map(|number| argument(graph, number, None));
        [(slice, SLICE), (element, 4)].map(|(node, factor)| Linear::of_node(node).times(factor))
    }

    /// A loop on storage of its own, which is copied to a slice.
    fn copied(graph: &mut Graph, label: u32, length: i64) -> NodeId {
        let [slice, element] = places(graph);
        let old = argument(graph, 0, Some(STRING));
        let undefined = graph.add(Node::Undefined);
        let new = looped(graph, label, [(undefined, 0); 2], (element, length));
        update(graph, (old, new), slice, &[SLICE / 4])
    }

    /// The same loop in place. `before`: which strings are there before, and from which offset on.
    fn in_place(graph: &mut Graph, label: u32, before: [(u32, i64); 2]) -> NodeId {
        let [slice, element] = places(graph);
        let before = before.map(|(number, offset)| (argument(graph, number, Some(STRING)), offset));
        looped(graph, label, before, (slice.plus(&element), STRING))
    }

    /// Whether parts of the two strings are found equal, given the first byte of each.
    fn are_equal(
        (mut a, x): (Graph, NodeId),
        (mut b, y): (Graph, NodeId),
        first: [i64; 2],
    ) -> bool {
        let part = |graph: &mut Graph, node, offset| {
            let length = STRING - first.into_iter().max().unwrap_or(0);
            graph.concatenation([Piece {
                node,
                offset,
                length,
            }])
        };
        let (x, y) = (part(&mut a, x, first[0]), part(&mut b, y, first[1]));
        let verdict = compare(&evaluated(a, x), &evaluated(b, y), &Aliasing::default());
        matches!(verdict, Verdict::Equal)
    }

    fn built(build: impl FnOnce(&mut Graph) -> NodeId) -> (Graph, NodeId) {
        let mut graph = Graph::default();
        let node = build(&mut graph);
        (graph, node)
    }

    #[test]
    fn the_same_loop_may_write_the_slice_in_place() {
        let copied = |label, length| built(|graph| copied(graph, label, length));
        let entered = |before| built(|graph| in_place(graph, 5, before));
        let in_place = || entered([(0, 0); 2]);
        assert!(are_equal(copied(5, SLICE), in_place(), [0, 0]));
        assert!(are_equal(copied(5, SLICE), in_place(), [8, 8]));
        // The next element, and elements that do not follow one another.
        let next = built(|graph| {
            let [slice, element] = places(graph);
            let at = slice.plus(&element).plus(&Linear::constant(4));
            let old = argument(graph, 0, Some(STRING));
            looped(graph, 5, [(old, 0); 2], (at, STRING))
        });
        assert!(!are_equal(copied(5, SLICE), next, [0, 0]));
        let strided = |size, stride| Region {
            start: Linear::default(),
            dims: vec![(Linear::constant(size), Linear::constant(stride))],
            element: 4,
        };
        assert_eq!(dense_length(&strided(4, 4)), Some(SLICE));
        assert_eq!(dense_length(&strided(1, 8)), Some(4));
        assert_eq!(dense_length(&strided(4, 8)), None);
        assert!(!are_equal(copied(5, SLICE), in_place(), [0, 4]));
        // Another loop.
        assert!(!are_equal(copied(6, SLICE), in_place(), [0, 0]));
        // Not what is there before in the original.
        for before in [[(0, 0), (9, 0)], [(9, 0), (0, 0)], [(0, 4); 2]] {
            assert!(!are_equal(copied(5, SLICE), entered(before), [0, 0]));
        }
        // The loop may write beyond what is copied.
        assert!(!are_equal(copied(5, 2 * SLICE), in_place(), [0, 0]));
    }
}
