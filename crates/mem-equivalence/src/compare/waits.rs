//! Compares when exchanges are waited for.
//!
//! All programs of a group run at the same time. Each of them starts its exchanges in one order, and
//! stops at a wait until the others have started what matches. A program that stops before it starts
//! an exchange depends on the others: they have to get as far without that exchange. If a program
//! waits later, with respect to the exchanges that it starts, it depends on less. Its exchanges then
//! start whenever those of the original would, by induction over the order of starts, and nothing
//! waits forever that did not in the original. A program that waits earlier may depend on itself.
//!
//! So at each event, every exchange that is in flight in the original has to be in flight in the
//! other program. An exchange that does not proceed by itself is never in flight. Exchanges are
//! identified by their positions among the events, which are compared before.

use rustc_hash::FxHashMap as HashMap;

use super::Comparison;
use crate::difference::{Difference, Observed};
use crate::evaluate::Evaluated;
use crate::flatten::Value;

/// The number of the event that starts the exchange with each ticket.
fn numbers(side: &Evaluated) -> HashMap<Value, usize> {
    let events = side.events.iter().enumerate();
    events
        .filter_map(|(number, own)| Some((own.site?, number)))
        .collect()
}

impl Comparison<'_> {
    /// Fails if an exchange is waited for earlier than in the original.
    pub(super) fn compare_waits(&mut self) -> Result<(), Difference> {
        let (a, b) = (self.a, self.b);
        let [own_numbers, their_numbers] = [a, b].map(numbers);
        for (own, theirs) in a.events.iter().zip(&b.events) {
            for (ticket, is_sure) in &own.in_flight {
                let Some(number) = own_numbers.get(ticket) else {
                    // A copy within the program, or an exchange with waits that keep their places.
                    continue;
                };
                let is_same = |ticket: &Value| their_numbers.get(ticket) == Some(number);
                let mut found = theirs.in_flight.iter().filter(|(other, _)| is_same(other));
                match (found.next(), is_sure) {
                    (Some((_, true)), _) => {}
                    (None, true) => {
                        return Err(Difference {
                            observed: [own.location, theirs.location],
                            what: Observed::Awaited,
                            made: [a, b].map(|side| Some(side.events[*number].location)),
                            bytes: None,
                        });
                    }
                    _ => {
                        let why = "on some paths, an exchange may be waited for too early";
                        self.unknown.get_or_insert((Some(theirs.location), why));
                    }
                }
            }
        }
        Ok(())
    }
}
