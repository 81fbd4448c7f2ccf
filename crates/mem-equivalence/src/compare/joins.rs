//! Comparison of joins, whose values depend on the incoming edge taken.

use super::Comparison;
use crate::facts::{is_cyclic, is_invariant, is_memory, only_source, unknown_source};
use crate::goal::{Failure, Goal, unknown, vague};
use crate::value::{Graph, Node, NodeId};

impl Comparison<'_> {
    /// Expands a goal about a join. Joins of the same label are equal if their inputs are. A join
    /// with only one source is replaced by that source. An invariant value equals a join if it
    /// equals every input. A side that is read from memory is the join of what is read along the edges.
    pub(super) fn expand_join(&mut self, goal: Goal) -> Result<(), Failure> {
        let join = |graph: &Graph, node: NodeId| match *graph.node(node) {
            Node::Join { label, number } => Some((label, graph.joins[number as usize].clone())),
            _ => None,
        };
        let (x, y) = (join(&self.a.graph, goal.a), join(&self.b.graph, goal.b));
        let (p, q) = goal.offsets;
        let goal = Goal {
            is_vague: self.is_vague,
            ..goal
        };
        let on_a = |(a, from): (NodeId, i64)| Goal {
            a,
            offsets: (from, q),
            ..goal
        };
        let on_b = |(b, at): (NodeId, i64)| Goal {
            b,
            offsets: (p, at),
            ..goal
        };
        if let (Some((label, inputs)), Some((other, theirs))) = (&x, &y)
            && label == other
        {
            for (x, y) in inputs.iter().zip(theirs) {
                if let Some(((x, from), (y, at))) = x.zip(*y) {
                    self.push_goal(Goal {
                        a: x,
                        b: y,
                        offsets: (from + p, at + q),
                        ..goal
                    });
                }
            }
            return Ok(());
        }
        let source = self.only_source(0, goal).map(on_a);
        if let Some(goal) = source.or_else(|| self.only_source(1, goal).map(on_b)) {
            self.is_vague = true;
            self.push_goal(Goal {
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
                    self.push_goal(on_a((x, from + p)));
                }
                Ok(())
            }
            (None, Some((_, theirs))) if self.is_same_everywhere(1, goal) => {
                let theirs = theirs.into_iter().flatten();
                for (y, at) in theirs.filter(|own| *own != (goal.b, 0)) {
                    self.push_goal(on_b((y, at + q)));
                }
                Ok(())
            }
            // The two may change with the iterations of different loops: neither equality nor a
            // difference is proven.
            _ => vague(goal),
        }
    }

    /// Whether the other node of a goal has the same value on all edges into the join on this side.
    fn is_same_everywhere(&self, side: usize, goal: Goal) -> bool {
        let (graph, join, others, other) = match side {
            0 => (&self.a.graph, goal.a, &self.b.graph, goal.b),
            _ => (&self.b.graph, goal.b, &self.a.graph, goal.a),
        };
        !is_memory(others.node(other)) && (is_invariant(others, other) || !is_cyclic(graph, join))
    }

    /// Returns the only source of the join on one side of a goal, if it has one.
    fn only_source(&mut self, side: usize, goal: Goal) -> Option<(NodeId, i64)> {
        let (graph, node, offset) = match side {
            0 => (&self.a.graph, goal.a, goal.offsets.0),
            _ => (&self.b.graph, goal.b, goal.offsets.1),
        };
        let sources = &mut self.sources[side];
        let found = sources.entry((node, offset, goal.length));
        *found.or_insert_with(|| only_source(graph, node, offset, goal.length))
    }
}
