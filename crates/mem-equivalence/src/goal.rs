//! What a comparison has to show, and why it may not hold.

use crate::program::Location;
use crate::value::{Graph, NodeId};

/// Two strings of bytes that have to be equal, and where the second is from the first's beginning.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Goal {
    pub a: NodeId,
    pub b: NodeId,
    /// Bytes of `a` in front of those compared, and of `b`.
    pub offsets: (i64, i64),
    /// How many; -1: all there are.
    pub length: i64,
    /// On the way here, bytes were chosen at run time: what is compared may be more than what matters.
    pub is_vague: bool,
}

/// Why a goal does not hold.
pub(crate) enum Failure {
    Different(Goal),
    Unknown(Option<Location>, &'static str),
}

/// States of memory that are not made the same way, and may still be the same.
pub(crate) fn vague(goal: Goal) -> Result<(), Failure> {
    Err(Failure::Different(Goal {
        is_vague: true,
        ..goal
    }))
}

/// An element that is chosen at run time is something else.
pub(crate) fn at_run_time(graph: &Graph, node: NodeId) -> Failure {
    let why = "which of several values is read here depends on an index known only at run time";
    Failure::Unknown(graph.origin(node), why)
}

pub(crate) fn unknown(graph: &Graph, number: u32) -> Failure {
    let (location, why) = graph.unknowns[number as usize];
    Failure::Unknown(location, why)
}
