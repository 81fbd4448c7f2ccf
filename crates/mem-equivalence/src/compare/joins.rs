//! Comparison of joins, whose values depend on the incoming edge taken.

use super::Comparison;
use crate::facts::{is_cyclic, is_invariant, is_memory, only_source, unknown_source};
use crate::goal::{Failure, Goal, unknown, vague};
use crate::value::{Graph, Node, NodeId};

/// Inputs of a join, one per incoming edge: a node and the first byte; `None`: no value.
pub(super) type Inputs = [Option<(NodeId, i64)>];

impl Comparison<'_> {
    /// Expands a goal about a join. Joins of the same label are equal if their inputs are. A join
    /// with only one source is replaced by that source. An invariant value equals a join if it
    /// equals every input. A side that is read from memory is the join of what is read along the
    /// edges.
    pub(super) fn expand_join(&mut self, goal: Goal) -> Result<(), Failure> {
        let goal = Goal {
            is_vague: self.is_vague,
            ..goal
        };
        let (of_a, of_b) = (&self.a.graph, &self.b.graph);
        let joins = [join(of_a, goal.a), join(of_b, goal.b)];
        if let [Some((label, inputs)), Some((other, theirs))] = joins
            && label == other
        {
            self.push_edges(goal, inputs, theirs);
            return Ok(());
        }
        if let Some(goal) = self.at_only_source(goal) {
            self.is_vague = true;
            self.push_goal(Goal {
                is_vague: true,
                ..goal
            });
            return Ok(());
        }
        for (graph, node) in [(of_a, goal.a), (of_b, goal.b)] {
            if let Some(number) = unknown_source(graph, node) {
                return Err(unknown(graph, number));
            }
        }
        if joins[0].is_none() && self.expand_slice(goal) {
            return Ok(());
        }
        match joins {
            [Some((_, inputs)), None] if self.is_same_everywhere(0, goal) => {
                self.push_inputs(0, goal, inputs);
                Ok(())
            }
            [None, Some((_, theirs))] if self.is_same_everywhere(1, goal) => {
                self.push_inputs(1, goal, theirs);
                Ok(())
            }
            // The two may change with the iterations of different loops: neither equality nor a
            // difference is proven.
            _ => vague(goal),
        }
    }

    /// Pushes one goal per edge into two joins of the same label.
    fn push_edges(&mut self, goal: Goal, inputs: &Inputs, theirs: &Inputs) {
        let (p, q) = goal.offsets;
        for (x, y) in inputs.iter().zip(theirs) {
            if let Some(((x, from), (y, at))) = x.zip(*y) {
                let goal = self.about_source(goal, 0, (x, from + p));
                let goal = self.about_source(goal, 1, (y, at + q));
                self.push_goal(goal);
            }
        }
    }

    /// The same claim about a source of the join on one side. If the claim is about all of the join, and the source
    /// is a part of a longer node, it says nothing about the rest of that node.
    fn about_source(&self, goal: Goal, side: usize, (source, from): (NodeId, i64)) -> Goal {
        let rest = |side: usize, (node, first): (NodeId, i64)| {
            let (graph, _) = self.side(side, &goal);
            graph.length(node).map(|own| own - first)
        };
        let length = rest(side, goal.of(side)).filter(|_| goal.length < 0);
        let is_part = |length: &i64| {
            let is_longer = rest(side, (source, from)).is_some_and(|own| own > *length);
            is_longer && rest(1 - side, goal.of(1 - side)).is_none_or(|other| other <= *length)
        };
        let length = length.filter(is_part).unwrap_or(goal.length);
        Goal { length, ..goal }.at(side, (source, from))
    }

    /// Pushes one goal per input of the join on one side. A join equals a value that cannot change
    /// between the edges and the join if all inputs of the join equal it. The join itself, as an
    /// input along a back edge, adds nothing.
    fn push_inputs(&mut self, side: usize, goal: Goal, inputs: &Inputs) {
        let (join, offset) = goal.of(side);
        let inputs = inputs.iter().copied().flatten();
        for (node, from) in inputs.filter(|own| *own != (join, 0)) {
            self.push_goal(self.about_source(goal, side, (node, from + offset)));
        }
    }

    /// Returns the same goal about the only source of a join, if one side has only one. What is before a loop
    /// is only followed if that is necessary: in an arena, there may be much.
    fn at_only_source(&mut self, goal: Goal) -> Option<Goal> {
        let searches = [(0, true), (1, true), (0, false), (1, false)];
        let mut found = searches.into_iter().filter_map(|(side, is_inside)| {
            let source = self.only_source(side, goal, is_inside)?;
            Some(self.about_source(goal, side, source))
        });
        found.next()
    }

    /// Whether the other node of a goal has the same value on all edges into the join on this side.
    fn is_same_everywhere(&self, side: usize, goal: Goal) -> bool {
        let (graph, join, others, other) = match side {
            0 => (&self.a.graph, goal.a, &self.b.graph, goal.b),
            _ => (&self.b.graph, goal.b, &self.a.graph, goal.a),
        };
        !is_memory(others.node(other)) && (is_invariant(others, other) || !is_cyclic(graph, join))
    }

    /// Returns the only source of the join on one side of a goal, if it has one. `is_inside`: without following what is
    /// before loops.
    fn only_source(&mut self, side: usize, goal: Goal, is_inside: bool) -> Option<(NodeId, i64)> {
        let (own, part) = ([self.a, self.b][side], goal.of(side));
        let loops = is_inside.then_some(&own.loops);
        let sources = &mut self.sources[side];
        let found = sources.entry((part.0, part.1, goal.length, is_inside));
        *found.or_insert_with(|| only_source(&own.graph, loops, part, goal.length))
    }
}

/// Returns the label and the inputs of a join; `None` for any other node.
pub(super) fn join(graph: &Graph, node: NodeId) -> Option<(u32, &Inputs)> {
    match *graph.node(node) {
        Node::Join { label, number } => Some((label, &graph.joins[number as usize])),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compare::testing::evaluated;
    use crate::compare::{Verdict, compare};
    use crate::memory::Aliasing;
    use crate::value::Piece;

    fn join(graph: &mut Graph, label: u32, length: i64, inputs: &Inputs) -> NodeId {
        let node = graph.join(label, inputs.len());
        graph.resize(node, length);
        let last = graph.joins.len() - 1;
        graph.joins[last] = inputs.to_vec();
        node
    }

    /// In the second program, the tensor is part of a longer join, which is part of a join that goes on after it.
    #[test]
    fn the_rest_of_a_join_may_go_on_in_its_source() {
        let [mut a, mut b] = [Graph::default(), Graph::default()];
        let tensor = |graph: &mut Graph| graph.add_sized(Node::Argument(0, 0), Some(8));
        let x = tensor(&mut a);
        let own = join(&mut a, 3, 8, &[Some((x, 0)), Some((x, 0))]);
        let x = tensor(&mut b);
        let paths = [1, 2].map(|number| {
            let other = b.add_sized(Node::Argument(number, 0), Some(16));
            let piece = |node, length| Piece {
                node,
                offset: 0,
                length,
            };
            let arena = [piece(other, 16), piece(x, 8), piece(other, 16)];
            Some((b.concatenation(arena), 0))
        });
        let all = join(&mut b, 1, 40, &paths);
        let first = join(&mut b, 2, 24, &[Some((all, 0)), Some((all, 0))]);
        let theirs = join(&mut b, 3, 8, &[Some((first, 16)), Some((first, 16))]);
        let (a, b) = (evaluated(a, own), evaluated(b, theirs));
        assert!(matches!(
            compare(&a, &b, &Aliasing::default()),
            Verdict::Equal
        ));
    }
}
