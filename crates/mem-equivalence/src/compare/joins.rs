//! Joins: values that depend on the edge by which control came.

use super::Comparison;
use crate::facts::{is_invariant, only_source};
use crate::goal::{Failure, Goal};
use crate::value::{Graph, Node, NodeId};

impl Comparison<'_> {
    /// Joins at one place are equal if their inputs are; a join is equal to what all its inputs are equal to.
    pub(super) fn expand_join(&mut self, goal: Goal) -> Result<(), Failure> {
        let join = |graph: &Graph, node: NodeId| match *graph.node(node) {
            Node::Join { label, number } => Some((label, graph.joins[number as usize].clone())),
            _ => None,
        };
        let (x, y) = (join(&self.a.graph, goal.a), join(&self.b.graph, goal.b));
        let (p, q) = goal.offsets;
        if let (Some((label, inputs)), Some((other, theirs))) = (&x, &y)
            && label == other
        {
            for (x, y) in inputs.iter().zip(theirs) {
                if let Some(((x, from), (y, at))) = x.zip(*y) {
                    self.push_part(x, y, (from + p, at + q), goal.length);
                }
            }
            return Ok(());
        }
        if let Some((x, from)) = self.only_source(0, goal) {
            self.is_vague = true;
            self.push_part(x, goal.b, (from, q), goal.length);
            return Ok(());
        }
        if let Some((y, at)) = self.only_source(1, goal) {
            self.is_vague = true;
            self.push_part(goal.a, y, (p, at), goal.length);
            return Ok(());
        }
        match (x, y) {
            // What never changes is equal to a join if it is to all that comes in.
            (Some((_, inputs)), None) if is_invariant(&self.b.graph, goal.b) => {
                for (x, from) in inputs.into_iter().flatten().filter(|(x, _)| *x != goal.a) {
                    self.push_part(x, goal.b, (from + p, q), goal.length);
                }
            }
            (None, Some((_, theirs))) if is_invariant(&self.a.graph, goal.a) => {
                for (y, at) in theirs.into_iter().flatten().filter(|(y, _)| *y != goal.b) {
                    self.push_part(goal.a, y, (p, at + q), goal.length);
                }
            }
            _ => return Err(Failure::Different(goal)),
        }
        Ok(())
    }

    /// What a join of one of the two programs always is.
    fn only_source(&mut self, side: usize, goal: Goal) -> Option<(NodeId, i64)> {
        let (graph, node, offset) = match side {
            0 => (&self.a.graph, goal.a, goal.offsets.0),
            _ => (&self.b.graph, goal.b, goal.offsets.1),
        };
        let sources = &mut self.sources[side];
        let found = sources.entry((node, offset, goal.length));
        *found.or_insert_with(|| only_source(graph, node, offset, goal.length))
    }

    /// Memory in front of a write: where control met before, bytes may differ that are overwritten.
    pub(super) fn below(&mut self, a: NodeId, b: NodeId) -> bool {
        let is_join = |graph: &Graph, node| matches!(graph.node(node), Node::Join { .. });
        let before = self.is_vague;
        self.is_vague |= is_join(&self.a.graph, a) || is_join(&self.b.graph, b);
        self.push(a, b);
        self.is_vague = before;
        true
    }
}
