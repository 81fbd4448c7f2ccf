//! Comparison of joins, whose values depend on the incoming edge taken.

use super::Comparison;
use crate::facts::{is_cyclic, is_invariant, is_memory, only_source, unknown_source};
use crate::goal::{Failure, Goal, unknown};
use crate::value::{Graph, Node, NodeId};

impl Comparison<'_> {
    /// Expands a goal about a join. Joins of the same label are equal if their inputs are. A join
    /// with only one source is replaced by that source. An invariant value equals a join if it
    /// equals every input.
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
                    self.push_goal(Goal {
                        a: x,
                        b: y,
                        offsets: (from + p, at + q),
                        is_vague: self.is_vague,
                        ..goal
                    });
                }
            }
            return Ok(());
        }
        if let Some((x, from)) = self.only_source(0, goal) {
            self.is_vague = true;
            self.push_goal(Goal {
                a: x,
                offsets: (from, q),
                is_vague: true,
                ..goal
            });
            return Ok(());
        }
        if let Some((y, at)) = self.only_source(1, goal) {
            self.is_vague = true;
            self.push_goal(Goal {
                b: y,
                offsets: (p, at),
                is_vague: true,
                ..goal
            });
            return Ok(());
        }
        let graphs = [&self.a.graph, &self.b.graph];
        for (graph, node) in graphs.into_iter().zip([goal.a, goal.b]) {
            if let Some(number) = unknown_source(graph, node) {
                return Err(unknown(graph, number));
            }
        }
        // A join equals a value that cannot change between the edges and the join if all inputs of
        // the join equal it. The join itself, as an input along a back edge, adds nothing.
        match (x, y) {
            (Some((_, inputs)), None) if self.is_same_everywhere(0, goal) => {
                let inputs = inputs.into_iter().flatten();
                for (x, from) in inputs.filter(|own| *own != (goal.a, 0)) {
                    self.push_part(x, goal.b, (from + p, q), goal.length);
                }
                Ok(())
            }
            (None, Some((_, theirs))) if self.is_same_everywhere(1, goal) => {
                let theirs = theirs.into_iter().flatten();
                for (y, at) in theirs.filter(|own| *own != (goal.b, 0)) {
                    self.push_part(goal.a, y, (p, at + q), goal.length);
                }
                Ok(())
            }
            // The two may change with the iterations of different loops: neither equality nor a
            // difference is proven.
            _ => Err(Failure::Different(Goal {
                is_vague: true,
                ..goal
            })),
        }
    }

    /// Whether the other node of a goal has the same value on all edges into the join on this side.
    pub(super) fn is_same_everywhere(&self, side: usize, goal: Goal) -> bool {
        let (graph, join, others, other) = match side {
            0 => (&self.a.graph, goal.a, &self.b.graph, goal.b),
            _ => (&self.b.graph, goal.b, &self.a.graph, goal.a),
        };
        !is_memory(others.node(other)) && (is_invariant(others, other) || !is_cyclic(graph, join))
    }

    /// Returns the only source of the join on one side of a goal, if it has one.
    pub(super) fn only_source(&mut self, side: usize, goal: Goal) -> Option<(NodeId, i64)> {
        let (graph, node, offset) = match side {
            0 => (&self.a.graph, goal.a, goal.offsets.0),
            _ => (&self.b.graph, goal.b, goal.offsets.1),
        };
        let sources = &mut self.sources[side];
        let found = sources.entry((node, offset, goal.length));
        *found.or_insert_with(|| only_source(graph, node, offset, goal.length))
    }
}
