//! Evaluated functions for tests.

use std::rc::Rc;

use crate::evaluate::{Evaluated, Observation};
use crate::program::{Fingerprint, Location};
use crate::value::{Graph, NodeId};

/// A function that returns a node.
pub(super) fn evaluated(graph: Graph, node: NodeId) -> Evaluated {
    let observation = Observation {
        number: 0,
        location: Location(0),
        fingerprint: Fingerprint(0),
        values: vec![node],
        memory: None,
        exchanged: None,
        edges: Vec::new(),
    };
    Evaluated {
        graph: Rc::new(graph),
        taken: Default::default(),
        observations: vec![observation],
        events: Vec::new(),
        loops: Default::default(),
        successors: Vec::new(),
    }
}
