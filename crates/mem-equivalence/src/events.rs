//! Steps that other programs, or code outside the function, observe: exchanges, and steps with
//! arbitrary effects.

use crate::evaluate::{Evaluator, State};
use crate::flatten::Value;
use crate::program::Location;
use crate::value::NodeId;

/// An observed step.
pub(crate) struct Event {
    pub location: Location,
    /// What it computes, from everything that it observes.
    pub node: NodeId,
    /// The ticket of an exchange that proceeds by itself, if waits for it may move.
    pub site: Option<Value>,
    /// The tickets of the transfers in flight when it starts, and whether each is certain to be.
    pub in_flight: Vec<(Value, bool)>,
}

impl Evaluator<'_> {
    /// Records that a step is observed.
    pub(crate) fn record(&mut self, node: NodeId, site: Option<Value>, state: &State) {
        self.events[self.here.0].push(Event {
            location: self.graph.here.unwrap_or(Location(0)),
            node,
            site,
            in_flight: state.flights.iter().map(|own| own.ticket()).collect(),
        });
    }
}
