//! Launches in flight: computations that proceed by themselves, some of them after others.
//!
//! A launch that starts after another one has completed may touch the same bytes, and whatever waits for
//! it has waited for both. If nothing but the later launch uses the ticket of the earlier one, the later
//! one takes over what is in use: in a stream of launches, one is in flight at a time.

use std::collections::HashSet;
use std::rc::Rc;

use super::{Flight, add_flight};
use crate::evaluate::{Evaluator, State};
use crate::flatten::{Frame, Value};
use crate::lost::Lost;
use crate::program::Completed;
use crate::view::View;

/// Launches that have completed when another one starts.
#[derive(Default)]
pub(crate) struct Earlier {
    /// Sites of all of them.
    after: Vec<Value>,
    /// Those that nothing waits for but what waits for the later one.
    over: Vec<Flight>,
    /// The others.
    kept: Vec<Flight>,
}

impl Evaluator<'_> {
    /// Removes the launches that have completed when another one starts from those in flight.
    pub(crate) fn land(
        &mut self,
        frame: &Frame,
        after: &[Completed],
        state: &mut State,
    ) -> Result<Earlier, Lost> {
        let mut earlier = Earlier::default();
        for Completed {
            ticket,
            is_only_use,
        } in after
        {
            let node = self.scalar(frame.value(*ticket));
            if self.sites_of(node).is_none() {
                return self.lost("it is not known which launch has completed");
            }
            let is_met = |own: &Flight| own.tickets.contains(&node);
            let met = state.flights.iter().filter(|own| is_met(own));
            let sites = met.flat_map(|own| own.after.iter().chain([&own.site]));
            let sites: HashSet<Value> = sites.copied().collect();
            let flights = Rc::make_mut(&mut state.flights);
            for flight in flights.extract_if(.., |own| sites.contains(&own.site)) {
                earlier.after.push(flight.site);
                let is_over = *is_only_use && flight.tickets == [node];
                match is_over {
                    true => earlier.over.push(flight),
                    false => earlier.kept.push(flight),
                }
            }
        }
        Ok(earlier)
    }

    /// Keeps what an operation reads and writes in flight until its ticket is waited for.
    pub(crate) fn take_off(
        &mut self,
        site: Value,
        [read, written]: [&[Rc<View>]; 2],
        earlier: Earlier,
        state: &mut State,
    ) -> Result<(), Lost> {
        let others = state.flights.iter().chain(&earlier.kept);
        if others.chain(&earlier.over).any(|own| own.site == site) {
            return self.lost("an operation starts again before it has been waited for");
        }
        let places = |views: &[Rc<View>]| {
            let own = views.iter().flat_map(|view| self.places(state, view));
            own.collect::<Vec<_>>()
        };
        let [source, target] = [read, written].map(places);
        let mut flight = Flight {
            site,
            start: self.graph.here,
            tickets: vec![self.ticket(site)],
            tag: None,
            count: 0,
            source,
            target,
            merges: [None; 2],
            is_sure: true,
            after: earlier.after,
        };
        earlier
            .over
            .into_iter()
            .for_each(|own| flight.continues(own));
        Rc::make_mut(&mut state.flights).extend(earlier.kept);
        add_flight(state, flight);
        Ok(())
    }
}

impl Flight {
    /// Adds what an earlier launch accesses, which is in flight as long as this one.
    fn continues(&mut self, earlier: Self) {
        self.source.extend(earlier.source);
        self.target.extend(earlier.target);
    }
}
