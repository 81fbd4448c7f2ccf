//! Goals of a comparison, and reasons why a goal fails.

use rustc_hash::FxHashSet;

use crate::program::Location;
use crate::value::{External, Graph, NodeId};

/// A claim: a byte range of node `a` of the original equals one of node `b` of the planned program,
/// or the externally reachable memory is the same in two states.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Goal {
    pub a: NodeId,
    pub b: NodeId,
    /// First compared byte of `a` and of `b`.
    pub offsets: (i64, i64),
    /// Number of compared bytes; -1: all bytes.
    pub length: i64,
    /// If a side is a memory state: the storage that the bytes are read from. Otherwise `None`.
    pub reads: [Option<External>; 2],
    /// If both sides are memory states as a whole: number of a set of bytes that may differ. Zero
    /// is the empty set.
    pub except: u32,
    /// Whether the goal may demand more than the observations do, for example because bytes were
    /// chosen at run time on the path to it. Its failure then does not prove a difference.
    pub is_vague: bool,
}

impl Goal {
    /// Returns the claim that two nodes are equal as a whole.
    pub(crate) fn whole(a: NodeId, b: NodeId) -> Self {
        Self {
            a,
            b,
            offsets: (0, 0),
            length: -1,
            reads: [None; 2],
            except: 0,
            is_vague: false,
        }
    }

    fn is_whole(&self) -> bool {
        let whole = Self::whole(self.a, self.b);
        let is_vague = self.is_vague;
        *self == Self { is_vague, ..whole }
    }

    /// Returns the node on one side, and its first compared byte.
    pub(crate) fn of(&self, side: usize) -> (NodeId, i64) {
        [(self.a, self.offsets.0), (self.b, self.offsets.1)][side]
    }

    /// Returns the same claim about the bytes of a node from an offset on, on one side.
    pub(crate) fn at(self, side: usize, (node, offset): (NodeId, i64)) -> Self {
        let mut goal = self;
        match side {
            0 => (goal.a, goal.offsets.0) = (node, offset),
            _ => (goal.b, goal.offsets.1) = (node, offset),
        }
        goal
    }
}

/// A set of goals. There can be millions, most of them about nodes as a whole, which take 8 bytes.
#[derive(Default)]
pub(crate) struct Goals {
    /// Those that are not vague, and those that are.
    whole: [FxHashSet<(NodeId, NodeId)>; 2],
    others: FxHashSet<Goal>,
}

impl Goals {
    pub(crate) fn contains(&self, goal: &Goal) -> bool {
        match goal.is_whole() {
            true => self.whole[usize::from(goal.is_vague)].contains(&(goal.a, goal.b)),
            false => self.others.contains(goal),
        }
    }

    /// Adds a goal; returns whether it is new.
    pub(crate) fn insert(&mut self, goal: Goal) -> bool {
        match goal.is_whole() {
            true => self.whole[usize::from(goal.is_vague)].insert((goal.a, goal.b)),
            false => self.others.insert(goal),
        }
    }
}

/// Reason why a goal fails.
pub(crate) enum Failure {
    Different(Goal),
    Unknown(Option<Location>, &'static str),
}

/// Fails without proving a difference: memory states built in different ways may still be equal.
pub(crate) fn vague(goal: Goal) -> Result<(), Failure> {
    Err(Failure::Different(Goal {
        is_vague: true,
        ..goal
    }))
}

/// Fails because an element chosen at run time is compared with a node of another kind.
pub(crate) fn at_run_time(graph: &Graph, node: NodeId) -> Failure {
    let why = "which of several values is read here depends on an index known only at run time";
    Failure::Unknown(graph.origin(node), why)
}

/// Fails because a value depends on what a transfer is waited for by, which only waits may use.
pub(crate) fn of_ticket(graph: &Graph, node: NodeId) -> Failure {
    let why = "the ticket of a transfer is used for something else than waiting";
    Failure::Unknown(graph.origin(node), why)
}

pub(crate) fn unknown(graph: &Graph, number: u32) -> Failure {
    let (location, why) = graph.unknowns[number as usize];
    Failure::Unknown(location, why)
}
