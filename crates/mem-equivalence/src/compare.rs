//! Decides whether two evaluated functions are observably equal.
//!
//! The proof obligations form a worklist of goals. A goal claims that a byte range of one graph
//! equals a byte range of the other. Expanding a goal replaces it by goals about the nodes that its
//! two nodes were computed from. Joins of the same label are equal if their inputs are equal edge
//! by edge. This equality may be assumed while it is being shown: by induction over the visits of
//! the block, since both programs take the same edges. Undefined bytes of the original are equal to
//! anything.
//!
//! There is no backtracking: each goal can be expanded in only one way. O(pairs of nodes compared).

mod joins;
mod memory;
mod reads;
mod rows;
mod slices;
#[cfg(test)]
mod testing;
mod waits;

use indexmap::IndexSet;
use rustc_hash::FxHashMap as HashMap;

use memory::Excepted;
use reads::Source;

use crate::contents::pairs;
use crate::difference::{Difference, Observed};
use crate::evaluate::{Evaluated, Observation, PLANNED};
use crate::facts::{has_undefined, is_memory, is_vague};
use crate::goal::{Failure, Goal, Goals, at_run_time, of_ticket, unknown};
use crate::linear::Linear;
use crate::memory::Aliasing;
use crate::program::Location;
use crate::value::{External, Graph, Node, NodeId, Piece, Region, Sharing};

/// Outcome of a comparison.
pub(crate) enum Verdict {
    Equal,
    /// One of the programs could not be followed: location and reason.
    Unknown(Option<Location>, &'static str),
    Different(Difference),
}

/// Byte range of a join: the node, the first byte, and the length in bytes; and whether what is before loops is not
/// followed. A length of -1 stands for the whole node.
type Part = (NodeId, i64, i64, bool);

/// Bytes of a storage in a memory state, `(offset, length)`; `None` stands for all of them.
type Bytes = (NodeId, External, Option<(i64, i64)>);

struct Comparison<'a> {
    a: &'a Evaluated,
    b: &'a Evaluated,
    work: Vec<Goal>,
    known: Goals,
    aliasing: &'a Aliasing,
    /// Whether the goal being expanded is vague (see [`Goal::is_vague`]). Pushed goals inherit the
    /// flag.
    is_vague: bool,
    /// First construct that could not be followed: location and reason.
    unknown: Option<(Option<Location>, &'static str)>,
    /// Per side, keyed by memory state, storage and `(offset, length)`: where the bytes come from.
    changes: [HashMap<Bytes, Source>; 2],
    /// Sets of bytes that may differ, numbered from one.
    excepted: IndexSet<Excepted>,
    /// Keyed by the memory states of a goal: sets of bytes that may differ in known goals.
    weakest: HashMap<(NodeId, NodeId), Vec<Goal>>,
    /// Per side, keyed by part of a join: the only source of that part, if it has one.
    sources: [HashMap<Part, Option<(NodeId, i64)>>; 2],
}

/// Compares two evaluated functions; `a` is the original.
pub(crate) fn compare(a: &Evaluated, b: &Evaluated, aliasing: &Aliasing) -> Verdict {
    let mut comparison = Comparison {
        a,
        b,
        work: Vec::new(),
        known: Goals::default(),
        aliasing,
        is_vague: false,
        unknown: None,
        changes: Default::default(),
        excepted: IndexSet::default(),
        weakest: HashMap::default(),
        sources: Default::default(),
    };
    match (comparison.compare_all(), comparison.unknown) {
        (Err(difference), _) => Verdict::Different(difference),
        (Ok(()), Some((location, why))) => Verdict::Unknown(location, why),
        (Ok(()), None) => Verdict::Equal,
    }
}

/// Whether a node is an address in storage of the function. Storage is elsewhere in the other
/// program, so what such an address is used for is not compared.
fn is_planned(graph: &Graph, node: NodeId) -> bool {
    match graph.node(node) {
        Node::Place(_) | Node::Site(_) => true,
        Node::Linear(form) => match form.terms[..] {
            [(of, 1)] => matches!(graph.node(of), Node::Place(_) | Node::Site(_)),
            _ => false,
        },
        _ => false,
    }
}

/// A difference at the observation with this index.
fn observed_difference(sides: [&Evaluated; 2], index: usize, what: Observed) -> Difference {
    let at = |own: &Evaluated| {
        let observation = own.observations.get(index).or(own.observations.last());
        observation.map_or(Location(0), |own| own.location)
    };
    Difference {
        observed: sides.map(at),
        what,
        made: [None; 2],
        bytes: None,
    }
}

impl Comparison<'_> {
    /// Compares everything that is observable: control flow, and the operands and the memory of
    /// terminators and of steps with arbitrary effects.
    fn compare_all(&mut self) -> Result<(), Difference> {
        self.compare_control()?;
        let (a, b) = (self.a, self.b);
        for (index, pair) in a.observations.iter().zip(&b.observations).enumerate() {
            self.compare_observations(index, pair)?;
        }
        self.compare_events()?;
        // Last, because an event that differs is a better place to report.
        for (index, (own, theirs)) in a.observations.iter().zip(&b.observations).enumerate() {
            if let Some((x, y)) = own.exchanged.zip(theirs.exchanged) {
                let differ = || observed_difference([a, b], index, Observed::Exchanged);
                self.settle(x, y, differ)?;
            }
        }
        Ok(())
    }

    /// Compares the positions that labels denote. Joins and gates are compared by label, so labels
    /// have to denote corresponding points of the two programs.
    fn compare_control(&self) -> Result<(), Difference> {
        let (a, b) = (self.a, self.b);
        let lengths = [a, b].map(|own| own.observations.len());
        if a.successors == b.successors && lengths[0] == lengths[1] {
            return Ok(());
        }
        let mut pairs = a.successors.iter().zip(&b.successors);
        let first = pairs.position(|(own, theirs)| own != theirs);
        let index = first.unwrap_or(lengths[0].min(lengths[1]));
        Err(observed_difference([a, b], index, Observed::Control))
    }

    /// Compares two terminators: where they lead, and what is observed there.
    fn compare_observations(
        &mut self,
        index: usize,
        (own, theirs): (&Observation, &Observation),
    ) -> Result<(), Difference> {
        let sides = [self.a, self.b];
        let differ = |what: Observed| observed_difference(sides, index, what);
        if own.number != theirs.number
            || own.fingerprint != theirs.fingerprint
            || own.edges != theirs.edges
            || own.values.len() != theirs.values.len()
        {
            return Err(differ(Observed::Control));
        }
        for (position, (x, y)) in own.values.iter().zip(&theirs.values).enumerate() {
            self.settle(*x, *y, || differ(Observed::Operand(position)))?;
        }
        match own.memory.zip(theirs.memory) {
            Some((x, y)) => self.settle(x, y, || differ(Observed::Memory)),
            None => Ok(()),
        }
    }

    /// Compares the steps with arbitrary effects.
    fn compare_events(&mut self) -> Result<(), Difference> {
        let (a, b) = (self.a, self.b);
        if a.events.len() != b.events.len() {
            return Err(observed_difference(
                [a, b],
                a.observations.len(),
                Observed::Control,
            ));
        }
        for (own, theirs) in a.events.iter().zip(&b.events) {
            self.settle(own.node, theirs.node, || Difference {
                observed: [own.location, theirs.location],
                what: Observed::Event,
                made: [None; 2],
                bytes: None,
            })?;
        }
        self.compare_waits()
    }

    /// Tries to prove that two nodes are equal. Fails if they are known to differ. Goals that
    /// cannot be decided are recorded in `self.unknown`.
    fn settle(
        &mut self,
        a: NodeId,
        b: NodeId,
        difference: impl Fn() -> Difference,
    ) -> Result<(), Difference> {
        self.push(a, b);
        while let Some(goal) = self.work.pop() {
            self.is_vague = goal.is_vague;
            let outcome = self.expand(goal);
            self.is_vague = false;
            match outcome {
                Ok(()) => {}
                Err(Failure::Unknown(location, why)) => {
                    self.unknown.get_or_insert((location, why));
                }
                Err(Failure::Different(goal)) if goal.is_vague => {
                    let location = self.b.graph.origin(goal.b);
                    let why = "what it is depends on which bytes are accessed at run time";
                    self.unknown.get_or_insert((location, why));
                }
                Err(Failure::Different(goal)) => {
                    let is_part = goal.length >= 0;
                    return Err(Difference {
                        made: [self.a.graph.origin(goal.a), self.b.graph.origin(goal.b)],
                        bytes: is_part.then_some((goal.offsets.1, goal.offsets.1 + goal.length)),
                        ..difference()
                    });
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, a: NodeId, b: NodeId) {
        self.push_part(a, b, (0, 0), -1);
    }

    fn push_part(&mut self, a: NodeId, b: NodeId, offsets: (i64, i64), length: i64) {
        self.push_goal(Goal {
            offsets,
            length,
            is_vague: self.is_vague,
            ..Goal::whole(a, b)
        });
    }

    fn push_goal(&mut self, goal: Goal) {
        // A goal that has been pushed without being vague subsumes the vague one.
        let sure = Goal {
            is_vague: false,
            ..goal
        };
        if !self.known.contains(&sure) && !self.is_weaker(&goal) && self.known.insert(goal) {
            self.work.push(goal);
        }
    }

    /// Replaces a goal by goals that imply it.
    fn expand(&mut self, goal: Goal) -> Result<(), Failure> {
        if let Some(goal) = self.traced(&goal) {
            self.push_goal(goal);
            return Ok(());
        }
        if goal.reads != [None; 2] {
            return self.expand_read(goal);
        }
        let (of_a, of_b) = (&self.a.graph, &self.b.graph);
        let (x, y) = (of_a.node(goal.a), of_b.node(goal.b));
        let is_sure = !goal.is_vague;
        self.is_vague |= is_vague(x) || is_vague(y);
        let goal = Goal {
            is_vague: self.is_vague,
            ..goal
        };
        let is_list = |node: &Node| {
            matches!(
                node,
                Node::Sequence(_) | Node::Overlay { .. } | Node::Gather { .. }
            )
        };
        if is_list(x) || is_list(y) {
            return match self.packed_parts(&goal) {
                Some(parts) => {
                    self.push_all(&parts);
                    Ok(())
                }
                None => self.expand_sequence(goal),
            };
        }
        // A goal without a length is about a loaded scalar.
        let is_single = |offset: i64, element: i64| {
            offset % element == 0 && [element, -1].contains(&goal.length)
        };
        match (x, y) {
            (Node::Undefined, _) => Ok(()),
            (Node::Unknown(number), _) => Err(unknown(of_a, *number)),
            (_, Node::Unknown(number)) => Err(unknown(of_b, *number)),
            _ if is_planned(of_a, goal.a) && is_planned(of_b, goal.b) => Ok(()),
            _ if is_planned(of_a, goal.a) => Err(Failure::Unknown(of_a.origin(goal.a), PLANNED)),
            _ if is_planned(of_b, goal.b) => Err(Failure::Unknown(of_b.origin(goal.b), PLANNED)),
            (Node::Ticket(_), _) => Err(of_ticket(of_a, goal.a)),
            (_, Node::Ticket(_)) => Err(of_ticket(of_b, goal.b)),
            _ if is_memory(x) || is_memory(y) => self.expand_memory(goal, is_sure),
            (Node::Join { label: own, .. }, Node::Join { label: theirs, .. })
                if own != theirs && goal.except != 0 =>
            {
                self.expand_memory(goal, is_sure)
            }
            (Node::Join { .. }, _) | (_, Node::Join { .. }) => self.expand_join(goal),
            (Node::Splat { .. }, Node::Splat { .. }) => self.expand_splats(goal, x, y),
            (Node::Splat { value, element }, _) if is_single(goal.offsets.0, *element) => {
                self.push_part(*value, goal.b, (0, goal.offsets.1), goal.length);
                Ok(())
            }
            (_, Node::Splat { value, element }) if is_single(goal.offsets.1, *element) => {
                self.push_part(goal.a, *value, (goal.offsets.0, 0), goal.length);
                Ok(())
            }
            (Node::Gate { .. }, Node::Gate { .. }) => self.expand_gates(goal, x, y),
            _ => self.expand_regions(goal, is_sure),
        }
    }

    pub(super) fn side(&self, side: usize, goal: &Goal) -> (&Graph, NodeId) {
        match side {
            0 => (&self.a.graph, goal.a),
            _ => (&self.b.graph, goal.b),
        }
    }

    /// Expands a goal about elements that are known only at run time. All other nodes are compared
    /// part by part. `is_sure`: whether the goal itself is not vague.
    fn expand_regions(&mut self, goal: Goal, is_sure: bool) -> Result<(), Failure> {
        let (of_a, of_b) = (&self.a.graph, &self.b.graph);
        match (of_a.node(goal.a), of_b.node(goal.b)) {
            // The update covers this element or misses it, depending on run-time values. Hence the
            // old and the new content must both equal the other side.
            (Node::Update { old, region, new }, y)
                if !matches!(y, Node::Update { .. })
                    && region.is_element_at(goal.offsets.0, goal.length) =>
            {
                self.push_part(*old, goal.b, goal.offsets, goal.length);
                self.push_part(*new, goal.b, (0, goal.offsets.1), goal.length);
                Ok(())
            }
            (x, Node::Update { old, region, new })
                if !matches!(x, Node::Update { .. })
                    && region.is_element_at(goal.offsets.1, goal.length) =>
            {
                self.push_part(goal.a, *old, goal.offsets, goal.length);
                self.push_part(goal.a, *new, (goal.offsets.0, 0), goal.length);
                Ok(())
            }
            (Node::Choice(c, x, y), Node::Choice(d, p, q)) => {
                self.push(*c, *d);
                for (x, y) in [(x, p), (y, q)] {
                    self.push_part(*x, *y, goal.offsets, goal.length);
                }
                Ok(())
            }
            // The extracted elements are known only at run time, so an extract is comparable only
            // with another extract.
            (Node::Extract { .. }, y) if !matches!(y, Node::Extract { .. }) => {
                Err(at_run_time(of_a, goal.a))
            }
            (x, Node::Extract { .. }) if !matches!(x, Node::Extract { .. }) => {
                Err(at_run_time(of_b, goal.b))
            }
            _ if goal.offsets.0 != goal.offsets.1 => Err(Failure::Different(goal)),
            _ => self.expand_equal(goal, is_sure),
        }
    }

    /// Compares two storages that are filled with one element each.
    fn expand_splats(&mut self, goal: Goal, x: &Node, y: &Node) -> Result<(), Failure> {
        let splat = |node: &Node| match *node {
            Node::Splat { value, element } => Some((value, element)),
            _ => None,
        };
        let is_aligned = |element: i64| (goal.offsets.0 - goal.offsets.1) % element == 0;
        match splat(x).zip(splat(y)) {
            Some(((x, own), (y, theirs))) if own == theirs && is_aligned(own) => {
                self.push(x, y);
                Ok(())
            }
            _ => Err(Failure::Different(goal)),
        }
    }

    /// Compares two contents that depend on whether control took an edge.
    fn expand_gates(&mut self, goal: Goal, x: &Node, y: &Node) -> Result<(), Failure> {
        let gate = |node: &Node| match *node {
            Node::Gate {
                label,
                edge,
                new,
                old,
            } => Some(((label, edge), [new, old])),
            _ => None,
        };
        let (p, q) = goal.offsets;
        match gate(x).zip(gate(y)) {
            Some(((condition, own), (other, theirs))) if condition == other => {
                for ((x, from), (y, at)) in own.into_iter().zip(theirs) {
                    self.push_part(x, y, (from + p, at + q), goal.length);
                }
                Ok(())
            }
            _ => Err(Failure::Different(goal)),
        }
    }

    /// Compares two nodes of the same kind part by part. `is_sure`: whether the goal itself is not vague.
    fn expand_equal(&mut self, goal: Goal, is_sure: bool) -> Result<(), Failure> {
        let no = || Err(Failure::Different(goal));
        let (x, y) = (
            self.a.graph.node(goal.a).clone(),
            self.b.graph.node(goal.b).clone(),
        );
        let is_same = match (x, y) {
            (Node::Integer(x), Node::Integer(y)) => x == y,
            (Node::Linear(x), Node::Linear(y)) => self.linear(&x, &y),
            (Node::Argument(a, b), Node::Argument(c, d))
            | (Node::Induction(a, b), Node::Induction(c, d)) => (a, b) == (c, d),
            (Node::Initial(x), Node::Initial(y)) => self.external(x, y),
            (Node::Address(x, p), Node::Address(y, q)) => {
                self.external(x, y) && self.linear(&p, &q)
            }
            (x @ Node::Step { .. }, y @ Node::Step { .. }) => {
                if !self.steps(&x, &y) {
                    return Err(Failure::Different(Goal {
                        is_vague: self.is_vague,
                        ..goal
                    }));
                }
                true
            }
            (Node::Result(x, n), Node::Result(y, m)) => n == m && self.both(x, y),
            (
                Node::Update { old, region, new },
                Node::Update {
                    old: p,
                    region: r,
                    new: q,
                },
            ) => {
                // Only the compared bytes of the old content matter.
                self.push_part(old, p, goal.offsets, goal.length);
                let is_same = self.region(&region, &r);
                let length = self.a.graph.length(goal.a);
                let is_whole =
                    goal.length == -1 || goal.offsets.0 == 0 && Some(goal.length) == length;
                self.is_vague = !(is_sure && is_whole && self.are_certain(&region, &r));
                is_same && self.both(new, q)
            }
            (Node::Extract { from, region }, Node::Extract { from: p, region: r }) => {
                self.region(&region, &r) && self.both(from, p)
            }
            _ => false,
        };
        if is_same { Ok(()) } else { no() }
    }

    /// Compares two steps: what they compute, their inputs, and which bytes their operands share.
    fn steps(&mut self, x: &Node, y: &Node) -> bool {
        let step = |node: &Node| match node {
            Node::Step {
                fingerprint,
                inputs,
                shared,
            } => Some((*fingerprint, inputs.clone(), shared.clone())),
            _ => None,
        };
        let Some(((own, inputs, shared), (of, theirs, of_shared))) = step(x).zip(step(y)) else {
            return false;
        };
        // A step that reads undefined bytes may compute anything, so it does not matter how its
        // operands share bytes.
        let mut all = inputs.iter();
        if shared != of_shared && all.any(|input| has_undefined(&self.a.graph, *input)) {
            self.is_vague = true;
        }
        own == of && self.all(&inputs, &theirs) && self.sharings(&shared, &of_shared)
    }

    /// Compares byte sequences part by part, split at the boundaries of both sides.
    fn expand_sequence(&mut self, goal: Goal) -> Result<(), Failure> {
        let length = |graph: &Graph, node: NodeId| match graph.node(node) {
            Node::Sequence(pieces) => Some(pieces.iter().map(|piece| piece.length).sum::<i64>()),
            Node::Overlay { .. } | Node::Gather { .. } => graph.length(node),
            _ => None,
        };
        let length = match goal.length {
            -1 => match [length(&self.a.graph, goal.a), length(&self.b.graph, goal.b)] {
                [Some(x), Some(y)] if x != y => return Err(Failure::Different(goal)),
                [x, y] => x.or(y).unwrap_or(0),
            },
            known => known,
        };
        let x = self.a.graph.part(goal.a, goal.offsets.0, length);
        let y = self.b.graph.part(goal.b, goal.offsets.1, length);
        self.push_pairs(&x, &y);
        Ok(())
    }

    /// Pushes one goal per pair of aligned pieces. Both lists have the same total length.
    fn push_pairs(&mut self, a: &[Piece], b: &[Piece]) {
        self.push_all(&pairs(a, b));
    }

    fn push_all(&mut self, pairs: &[[Piece; 2]]) {
        for [x, y] in pairs {
            self.push_part(x.node, y.node, (x.offset, y.offset), x.length);
        }
    }

    fn both(&mut self, a: NodeId, b: NodeId) -> bool {
        self.push(a, b);
        true
    }

    fn all(&mut self, a: &[NodeId], b: &[NodeId]) -> bool {
        for (x, y) in a.iter().zip(b) {
            self.push(*x, *y);
        }
        a.len() == b.len()
    }

    /// Compares two linear forms term by term. Terms are sorted by node number, the order in which
    /// each program first computed them. If that order differs between the programs, equal forms
    /// may be found different, but never the reverse.
    fn linear(&mut self, a: &Linear, b: &Linear) -> bool {
        let is_same = a.constant == b.constant
            && a.terms.len() == b.terms.len()
            && a.terms.iter().zip(&b.terms).all(|(x, y)| x.1 == y.1);
        for (x, y) in a.terms.iter().zip(&b.terms) {
            self.push(x.0, y.0);
        }
        is_same
    }

    fn external(&mut self, a: External, b: External) -> bool {
        match (a, b) {
            (External::Pointer(x), External::Pointer(y)) => self.both(x, y),
            _ => a == b,
        }
    }

    fn region(&mut self, a: &Region, b: &Region) -> bool {
        let mut is_same = a.element == b.element
            && a.dims.len() == b.dims.len()
            && self.linear(&a.start, &b.start);
        for (x, y) in a.dims.iter().zip(&b.dims) {
            is_same &= self.linear(&x.0, &y.0);
            // The stride of a dimension with at most one element is irrelevant.
            let is_one = x.0.known().is_some_and(|size| size <= 1);
            is_same &= is_one || self.linear(&x.1, &y.1);
        }
        is_same
    }

    fn sharings(&mut self, a: &[(u32, u32, Sharing)], b: &[(u32, u32, Sharing)]) -> bool {
        a.len() == b.len()
            && a.iter().zip(b).all(|(x, y)| {
                (x.0, x.1) == (y.0, y.1)
                    && match (&x.2, &y.2) {
                        (Sharing::Same, Sharing::Same) => true,
                        (Sharing::Within(p, q, r), Sharing::Within(s, t, u)) => {
                            self.linear(p, s) && self.region(q, t) && self.region(r, u)
                        }
                        (Sharing::Perhaps(p, q), Sharing::Perhaps(r, s)) => {
                            self.external(p.0, r.0)
                                && self.region(&p.1, &r.1)
                                && self.external(q.0, s.0)
                                && self.region(&q.1, &s.1)
                        }
                        _ => false,
                    }
            })
    }
}
