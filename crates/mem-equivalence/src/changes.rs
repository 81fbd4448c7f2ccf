//! When a storage changed last, looking through joins of memory that has changed elsewhere.

use std::collections::HashSet;

use crate::linear::Linear;
use crate::memory::Aliasing;
use crate::value::{External, Graph, Node, NodeId, Region};

/// The last state of memory in which a storage may have changed. What comes in where control meets is looked through if all of
/// it is the same; O(states).
pub(crate) fn last_change(
    graph: &Graph,
    aliasing: &Aliasing,
    memory: NodeId,
    of: External,
) -> NodeId {
    // Joins on the way, with what was found for their inputs so far and those that are left.
    let mut path: Vec<(NodeId, Option<NodeId>, Vec<NodeId>)> = Vec::new();
    let mut seen: HashSet<NodeId> = HashSet::new();
    let mut at = memory;
    loop {
        let mut found = match graph.node(at) {
            Node::Write { memory, to, .. } | Node::WriteElements { memory, to, .. }
                if !aliasing.may_meet(*to, of) =>
            {
                at = *memory;
                continue;
            }
            Node::Join { number, .. } if seen.insert(at) => {
                let inputs = graph.joins[*number as usize].iter().flatten();
                let mut inputs: Vec<NodeId> = inputs.map(|(own, _)| *own).collect();
                if let Some(next) = inputs.pop() {
                    path.push((at, None, inputs));
                    at = next;
                    continue;
                }
                Some(at)
            }
            // A join that is being looked at adds nothing.
            Node::Join { .. } if path.iter().any(|(own, ..)| *own == at) => None,
            _ => Some(at),
        };
        loop {
            let Some((join, known, left)) = path.last_mut() else {
                return found.unwrap_or(memory);
            };
            let is_same = known.is_none() || found.is_none() || *known == found;
            *known = known.or(found);
            if !is_same {
                found = Some(*join);
                path.pop();
                continue;
            }
            if let Some(next) = left.pop() {
                at = next;
                break;
            }
            found = *known;
            path.pop();
        }
    }
}

/// Whether a node's parts are more than what it holds may depend on.
pub(crate) fn is_vague(node: &Node) -> bool {
    matches!(
        node,
        Node::Update { .. }
            | Node::Extract { .. }
            | Node::Gate { .. }
            | Node::Choice(..)
            | Node::WriteElements { .. }
            | Node::Linear(_)
    )
}

/// Whether a node is a state of memory.
pub(crate) fn is_memory(node: &Node) -> bool {
    matches!(
        node,
        Node::Memory | Node::Write { .. } | Node::WriteElements { .. } | Node::After(_)
    )
}

/// Whether two regions, one in each graph, are the same elements, and there are some: by what callers gave, without anything
/// that the functions compute.
pub(crate) fn is_certain(graphs: [&Graph; 2], regions: [&Region; 2]) -> bool {
    let node = |side: usize, at: NodeId| graphs[side].node(at);
    let is_given = |(x, y): (&(NodeId, i64), &(NodeId, i64))| {
        let (own, theirs) = (node(0, x.0), node(1, y.0));
        x.1 == y.1 && own == theirs && matches!(own, Node::Argument(..) | Node::Induction(..))
    };
    let is_same = |x: &Linear, y: &Linear| {
        let mut terms = x.terms.iter().zip(&y.terms);
        x.constant == y.constant && x.terms.len() == y.terms.len() && terms.all(is_given)
    };
    let [a, b] = regions;
    let mut dims = a.dims.iter().zip(&b.dims);
    (a.element, a.dims.len()) == (b.element, b.dims.len())
        && is_same(&a.start, &b.start)
        && dims.all(|(x, y)| {
            let (own, theirs) = (x.0.known(), y.0.known());
            own == theirs && own.is_some_and(|size| size > 0) && is_same(&x.1, &y.1)
        })
}
