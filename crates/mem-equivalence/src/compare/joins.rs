//! Joins: values that depend on the edge by which control came.

use super::Comparison;
use crate::facts::{is_cyclic, is_invariant, is_memory, only_source, unknown_source};
use crate::goal::{Failure, Goal, unknown};
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
        let graphs = [&self.a.graph, &self.b.graph];
        for (graph, node) in graphs.into_iter().zip([goal.a, goal.b]) {
            if let Some(number) = unknown_source(graph, node) {
                return Err(unknown(graph, number));
            }
        }
        // A join is equal to a value that does not change on the way to it, or at all, if everything that enters it is.
        match (x, y) {
            (Some((_, inputs)), None) if self.is_same_everywhere(0, goal) => {
                for (x, from) in inputs.into_iter().flatten().filter(|(x, _)| *x != goal.a) {
                    self.push_part(x, goal.b, (from + p, q), goal.length);
                }
                Ok(())
            }
            (None, Some((_, theirs))) if self.is_same_everywhere(1, goal) => {
                for (y, at) in theirs.into_iter().flatten().filter(|(y, _)| *y != goal.b) {
                    self.push_part(goal.a, y, (p, at + q), goal.length);
                }
                Ok(())
            }
            // The two may change with the iterations of different loops.
            _ => Err(Failure::Different(Goal {
                is_vague: true,
                ..goal
            })),
        }
    }

    /// Whether the other node of a goal has one value on all edges into the join on this side.
    fn is_same_everywhere(&self, side: usize, goal: Goal) -> bool {
        let (graph, join, others, other) = match side {
            0 => (&self.a.graph, goal.a, &self.b.graph, goal.b),
            _ => (&self.b.graph, goal.b, &self.a.graph, goal.a),
        };
        !is_memory(others.node(other)) && (is_invariant(others, other) || !is_cyclic(graph, join))
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
