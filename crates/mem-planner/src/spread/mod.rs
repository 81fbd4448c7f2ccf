//! Moves the items of a finished plan so that those which one step accesses do not begin at nearly
//! equal offsets within a page.
//!
//! A processor compares the low twelve bits of addresses to find out whether a load depends on a
//! store that is still on its way to the cache. If a step stores to one tensor and loads from
//! another, and both begin at equal offsets in a page, such loads wait for stores that they do not
//! depend on (*4 KiB aliasing*; Intel 64 and IA-32 Architectures Optimization Reference Manual).
//! Tensors whose sizes are powers of two, packed without gaps, are all that way.
//!
//! # Definitions
//!
//! The [`Contact`]s of a problem list the pairs that count. The *cost* of a plan is the sum of
//! their weights, each times how close the two begin ([`cost`]). Storage outside of the arena is
//! assumed to begin at the same offset in a page as the arena does, because allocators place large
//! blocks at a constant distance from the start of a page.
//!
//! # Method
//!
//! Whatever is above another item that is live at the same time stays above it ([`stack`]). That
//! leaves every item an interval of offsets: from what the items below it allow, to what the items
//! above it need below the highest admissible end. Items are visited from the bottom to the top.
//! Each takes the offset of its interval at which its contacts cost least, and of those the nearest
//! to its present one. Items above that are in the way move up, for which their intervals
//! guarantee room. In the first pass, only contacts with items below count, so that of two that are close the
//! upper one moves. Further passes count all contacts, and are repeated while they lower the cost.
//!
//! # Guarantees
//!
//! The result is a plan of the same problem: pairs that share bytes in place still do, and fixed
//! items stay. It has a lower cost, or there is none. No item ends above the peak, unless the
//! caller allows it and the plan costs less that way. Plans without cost are left as they are.
//!
//! Not guaranteed: the lowest cost. In particular, the order of items from bottom to top stays.
//!
//! # Complexity
//!
//! O(n log n + c) for `n` parts of items times the intervals at which they are live, and `c`
//! contacts, times 64 offsets to choose from for items with costs. Without costs: O(c).

mod cost;
mod stack;

#[cfg(test)]
mod tests;

use std::str::FromStr;

use log::debug;
use mem_model::{Bytes, Contact, Plan, Problem};

use cost::{Neighbour, PAGE, neighbours_of};
use stack::Stack;

/// Number of bytes that are loaded into the cache at once. Items move by multiples of it.
const LINE: i64 = 64;

/// Passes over all items after the first one, which finds most of what there is.
const MAX_PASSES: usize = 3;

/// The contacts that count for the place of an item.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counted {
    /// Those with items that have been visited, which lie below or are apart in time, and with what is
    /// outside of the arena.
    Visited,
    All,
}

/// Whether the items of a plan are spread over the offsets within a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Items stay where they are.
    Off,
    /// Items move, and the peak may grow by this number of bytes.
    Within(Bytes),
}

impl Default for Spread {
    fn default() -> Self {
        Self::Within(Bytes::ZERO)
    }
}

/// The text is no value of [`Spread`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown value '{0}' for option 'spread': expected off, free, or a size such as 256 or 4KiB"
)]
pub struct UnknownSpread(String);

impl FromStr for Spread {
    type Err = UnknownSpread;

    fn from_str(text: &str) -> Result<Self, UnknownSpread> {
        match text {
            "off" => Ok(Self::Off),
            "free" => Ok(Self::Within(Bytes::ZERO)),
            size => match Bytes::limit(size) {
                Ok(extra) => Ok(Self::Within(extra)),
                Err(_) => Err(UnknownSpread(size.to_owned())),
            },
        }
    }
}

/// Cost of a plan: the sum of the weights of all contacts, each times how close the two begin within
/// a page. `offsets` has one offset per item of the problem.
#[must_use]
pub(crate) fn cost_of(contacts: &[Contact], offsets: &[i64]) -> u64 {
    let costs = contacts
        .iter()
        .map(|contact| cost::of_contact(contact, offsets));
    costs.fold(0, u64::saturating_add)
}

/// Moves items so that contacts cost less. The peak stays, or grows within the capacity of the problem by as
/// much as `spread` permits, if that lowers the cost further. `None`: no better plan was found, or the problem
/// has reserved addresses or penalties, which are not supported.
///
/// # Panics
/// If `plan` is no plan of `problem`, or if a contact names an item that does not exist.
#[must_use]
pub fn spread(
    problem: &Problem,
    contacts: &[Contact],
    plan: &Plan,
    spread: Spread,
) -> Option<Plan> {
    let Spread::Within(extra) = spread else {
        return None;
    };
    let offset = |place: &mem_model::Placement| place.offset.get() as i64;
    let offsets: Vec<i64> = plan.placements.iter().map(offset).collect();
    let before = cost_of(contacts, &offsets);
    if before == 0 || !problem.reserved.is_empty() || !problem.penalties.is_empty() {
        return None;
    }
    let stack = Stack::new(problem, offsets.clone())?;
    let mut search = Search {
        contacts,
        neighbours: neighbours_of(contacts, offsets.len()),
        stack,
        cost: before,
    };
    search.run(plan.peak.get() as i64);
    let unpaid = search.cost;
    if unpaid > 0 && extra > Bytes::ZERO {
        let highest = plan.peak.get().saturating_add(extra.get());
        let capacity = problem.capacity.map_or(u64::MAX, Bytes::get);
        let highest = highest.min(capacity).min(crate::MAX_BYTES.get());
        search.run(highest.max(plan.peak.get()) as i64);
    }
    debug!(target: "plan", "contacts cost {before}, {unpaid} at the same peak, {} in the end", search.cost);
    (search.cost < before).then(|| with_offsets(problem, plan, &search.stack.offsets))
}

/// The plan with other offsets.
fn with_offsets(problem: &Problem, plan: &Plan, offsets: &[i64]) -> Plan {
    let mut moved = plan.clone();
    let mut peak = 0;
    for ((place, item), offset) in moved.placements.iter_mut().zip(&problem.items).zip(offsets) {
        place.offset = Bytes::new(offset.unsigned_abs());
        peak = peak.max(offset.unsigned_abs() + item.size.get());
    }
    moved.peak = Bytes::new(peak);
    moved
}

struct Search<'p> {
    contacts: &'p [Contact],
    /// Per item: its contacts.
    neighbours: Vec<Vec<Neighbour>>,
    stack: Stack,
    cost: u64,
}

impl Search<'_> {
    /// Makes passes while they lower the cost. No item ends above `highest`.
    fn run(&mut self, highest: i64) {
        self.pass(highest, Counted::Visited);
        let mut n_passes = 0;
        while self.cost > 0 && n_passes < MAX_PASSES && self.pass(highest, Counted::All) {
            n_passes += 1;
        }
    }

    /// Visits all bodies from the bottom to the top. Undone, with `false` as the result, if that does not
    /// lower the cost.
    fn pass(&mut self, highest: i64, counted: Counted) -> bool {
        let before = self.stack.clone();
        self.visit(highest, counted);
        let cost = cost_of(self.contacts, &self.stack.offsets);
        let is_better = cost < self.cost;
        match is_better {
            true => self.cost = cost,
            false => self.stack = before,
        }
        is_better
    }

    fn visit(&mut self, highest: i64, counted: Counted) {
        let ceilings = self.stack.ceilings(highest);
        let mut moves = vec![0; self.stack.bodies.len()];
        for body in 0..self.stack.bodies.len() {
            let floor = self.stack.floor(body, &moves);
            let distance = self.best_move(body, floor, ceilings[body], counted);
            self.stack.shift(body, distance);
            moves[body] = distance;
        }
        self.stack.settle(&moves);
    }

    /// The distance, between `floor` and `ceiling`, by which a body moves. Both are multiples of its
    /// alignment.
    fn best_move(&self, body: usize, floor: i64, ceiling: i64, counted: Counted) -> i64 {
        let start = 0.clamp(floor, ceiling);
        let step = LINE.max(self.stack.bodies[body].alignment);
        let mut best = (self.cost_after(body, start, counted), start);
        for n_steps in 1..=PAGE / step {
            for distance in [start + n_steps * step, start - n_steps * step] {
                if best.0 == 0 {
                    return best.1;
                }
                if distance < floor || distance > ceiling {
                    continue;
                }
                let cost = self.cost_after(body, distance, counted);
                if cost < best.0 {
                    best = (cost, distance);
                }
            }
        }
        best.1
    }

    /// Cost of the contacts of a body with others, if it moves by `distance`.
    fn cost_after(&self, body: usize, distance: i64, counted: Counted) -> u64 {
        let mut cost = 0_u64;
        for &item in &self.stack.bodies[body].items {
            let offset = self.stack.offsets[item] + distance;
            for neighbour in &self.neighbours[item] {
                let other = match neighbour.item {
                    Some(other) => match self.stack.body_of[other] {
                        same if same == body => continue,
                        later if later > body && counted == Counted::Visited => continue,
                        _ => self.stack.offsets[other],
                    },
                    None => 0,
                };
                let own = cost::of_distance(offset - other).saturating_mul(neighbour.weight);
                cost = cost.saturating_add(own);
            }
        }
        cost
    }
}
