//! Slices: what the original computes in storage of its own and copies to a place known only at run time, the other
//! program may compute in that place.

use rustc_hash::FxHashSet as HashSet;

use super::Comparison;
use super::joins::join;
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
        let is_whole =
            goal.offsets == (0, 0) && (goal.length < 0 || a.length(goal.a) == Some(goal.length));
        let length = dense_length(region).filter(|_| is_whole)?;
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
        let is_inside = |(x, y): &(NodeId, NodeId)| *y == before && !is_undefined(a, *x, length);
        equal.push((*old, before));
        let mut terms = region.start.terms.iter();
        let is_certain = entering.next().is_none()
            && !seen.iter().any(is_inside)
            && terms.all(|(own, _)| is_from_before(a, *own, first_label));
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

/// Whether a scalar is known not to change from a label on. Labels are numbered in reverse post-order, so those in a
/// loop come after that of its head.
fn is_from_before(graph: &Graph, scalar: NodeId, label: u32) -> bool {
    let (mut work, mut seen) = (vec![scalar], HashSet::from_iter([scalar]));
    while let Some(node) = work.pop() {
        let inputs = match graph.node(node) {
            Node::Integer(_) | Node::Argument(..) => Vec::new(),
            Node::Join { label: own, .. } | Node::Induction(own, _) if *own < label => Vec::new(),
            Node::Linear(form) => form.terms.iter().map(|(own, _)| *own).collect(),
            Node::Result(step, _) => vec![*step],
            Node::Step { inputs, shared, .. } if shared.is_empty() => inputs.to_vec(),
            _ => return false,
        };
        work.extend(inputs.into_iter().filter(|own| seen.insert(*own)));
    }
    true
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
