//! Improves orders by simulated annealing (S. Kirkpatrick, C. Gelatt, M. Vecchi, "Optimization by
//! Simulated Annealing", Science 220, 1983).
//!
//! A change repeats a chain of groups before a step, repeats a group no longer, or repeats it
//! elsewhere. Together, the changes reach every order. A chain begins with the group of a value that
//! the step uses. Operands that are gone by then either stay until there, or their groups join the
//! chain, depending on a bound on their cycles that is drawn for each change. So a single change may
//! exchange an expensive value for all the cheap ones that follow from it.
//!
//! Orders may exceed the capacity on the way. The price of a byte in excess rises while the
//! temperature falls: the first orders find out which values are worth their bytes, the last ones
//! must fit.

use super::super::tuning;
use crate::observe;

use super::order::{Cost, Element, Excess, Order, Room};
use super::values::Values;

/// How long and how hot to anneal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heat {
    pub n_trials: usize,
    /// First and last temperature, in units of the longest group.
    pub heats: [f64; 2],
    /// First price of bytes in excess if there must be none; see [`tuning::EXCESS_PRICES`].
    pub price: f64,
    pub seed: u64,
}

/// An order and its cost.
pub(in super::super) type Fit = (Cost, Vec<Element>);

/// Annealing of one order.
struct Annealing<'a> {
    order: Order<'a>,
    rng: fastrand::Rng,
    /// Per value: the probability with which a change that begins with it is tried.
    worth: &'a [f64],
    /// The unit of temperatures and prices, in cycles.
    unit: f64,
    /// Temperature.
    heat: f64,
    /// Price of a granule in excess.
    price: f64,
    excess: Excess,
    best: Option<Fit>,
    /// The groups of the change that is tried.
    chain: Vec<u32>,
}

/// The best order found; or the last order, if it must fit and none does. The time of a trial is
/// linear in the positions that it changes.
pub(super) fn anneal(
    values: &Values,
    worth: &[f64],
    room: &Room,
    start: &[Element],
    heat: Heat,
) -> Result<Fit, Fit> {
    let mut own = Annealing {
        order: Order::new(values, room, start),
        rng: fastrand::Rng::with_seed(heat.seed),
        worth,
        unit: values.longest as f64,
        heat: heat.heats[0],
        price: 0.0,
        excess: room.excess,
        best: None,
        chain: Vec::new(),
    };
    own.note();
    let moves = match room.excess {
        Excess::Forbidden => tuning::MOVES,
        Excess::Copied { .. } => tuning::n_order_moves(values.cycles.len()),
    };
    for trial in 0..heat.n_trials {
        // A stopped search needs an order that fits, and no better one.
        if observe::is_stopped() && own.best.is_some() {
            break;
        }
        if trial % tuning::COOLING == 0 {
            own.report(values, trial as f64 / heat.n_trials as f64);
            // Geometric: each order of magnitude gets the same number of trials.
            let part = trial as f64 / heat.n_trials as f64;
            let between = |first: f64, last: f64| first * (last / first).powf(part);
            own.heat = between(heat.heats[0], heat.heats[1]);
            own.price = match room.excess {
                Excess::Forbidden => {
                    between(heat.price, tuning::LAST_EXCESS_PRICE) / f64::from(room.capacity.max(1))
                }
                Excess::Copied { price } => price / own.unit,
            };
        }
        let is_changed = match own.rng.usize(..moves) {
            0 => own.shift(),
            number if number % 2 == 0 => own.remove(),
            _ => own.insert(),
        };
        if is_changed {
            own.note();
        }
    }
    let last = || (own.order.cost(), own.order.elements());
    own.best.ok_or_else(last)
}

/// Per value: the probability of trying to recompute it. Small values seldom decide whether an order
/// fits, and there may be many of them.
pub(super) fn worths(values: &Values) -> Vec<f64> {
    let largest = values.sizes.iter().copied().max().unwrap_or(0);
    let large = f64::from(largest) * tuning::LARGE_VALUE;
    let worth = |size: &i32| (f64::from(*size) / large).max(tuning::LEAST_WORTH);
    values.sizes.iter().map(worth).collect()
}

/// What a change costs, in units of the longest group. `price`: of a granule in excess.
fn energy(change: Cost, unit: f64, price: f64) -> f64 {
    let cycles = change.cycles as f64 / unit;
    let steps = change.steps as f64 * tuning::STEP_PRICE;
    cycles + steps + change.over as f64 * price
}

impl Annealing<'_> {
    fn report(&self, values: &Values, spent: f64) {
        let best = self.best.as_ref();
        let best = best.and_then(|(cost, _)| u64::try_from(cost.cycles).ok());
        observe::report_cycles(best, Some(values.ideal), Some(spent));
    }

    /// Remembers the order if it is the best that fits; or if it is the best, where copies take what
    /// does not fit.
    fn note(&mut self) {
        let cost = self.order.cost();
        let is_better = |known: &Fit| match self.excess {
            Excess::Forbidden => (cost.cycles, cost.steps) < (known.0.cycles, known.0.steps),
            Excess::Copied { price } => cost.priced(price) < known.0.priced(price),
        };
        let is_possible = cost.over == 0 || self.excess != Excess::Forbidden;
        if is_possible && self.best.as_ref().is_none_or(is_better) {
            self.best = Some((cost, self.order.elements()));
        }
    }

    /// The Metropolis criterion. Changes that cost nothing are accepted, to cross plateaus. `draw`: what
    /// has been drawn for this change.
    fn is_accepted(&mut self, change: Cost, draw: Option<f64>) -> bool {
        let change = energy(change, self.unit, self.price);
        change <= 0.0 || draw.unwrap_or_else(|| self.rng.f64()) < (-change / self.heat).exp()
    }

    /// Tries not to repeat a group.
    fn remove(&mut self) -> bool {
        let Some(head) = self.pick_head() else {
            return false;
        };
        let (unit, price, heat) = (self.unit, self.price, self.heat);
        let rng = &mut self.rng;
        // As in `is_accepted`, which decides in the end.
        let mut draw = None;
        let mut most = f64::INFINITY;
        let mut is_hopeless = false;
        let change = self.order.try_removal_unless(head, |least| {
            let least = energy(least, unit, price);
            if least > 0.0 && draw.is_none() {
                let drawn = rng.f64();
                draw = Some(drawn);
                most = -drawn.ln() * heat;
            }
            is_hopeless = least > most * (1.0 + tuning::MARGIN);
            is_hopeless
        });
        let is_accepted = !is_hopeless && self.is_accepted(change, draw);
        if is_accepted {
            self.order.remove(head);
        }
        is_accepted
    }

    /// Tries to repeat a chain of groups.
    fn insert(&mut self) -> bool {
        let Some(position) = self.pick_chain() else {
            return false;
        };
        // No insertion does more than to remove all of the excess. If that is not enough, nothing else
        // needs to be known.
        let groups = self.chain.iter();
        let groups = groups.map(|own| &self.order.values.groups[*own as usize]);
        let least = groups.fold(Cost::default(), |sum, own| Cost {
            cycles: sum.cycles + own.cycles.cast_signed(),
            steps: sum.steps + own.steps.len() as i64,
            over: -self.order.cost().over,
        });
        let draw = (energy(least, self.unit, self.price) > 0.0).then(|| self.rng.f64());
        if draw.is_some() && !self.is_accepted(least, draw) {
            return false;
        }
        let change = self.order.try_insertion(position, &self.chain);
        let is_accepted = self.is_accepted(change, draw);
        if is_accepted {
            self.order.insert(position, &self.chain);
        }
        is_accepted
    }

    /// Tries to repeat a group at another position.
    fn shift(&mut self) -> bool {
        let Some(head) = self.pick_head() else {
            return false;
        };
        let Some(mut to) = self.pick_target(head) else {
            return false;
        };
        let group = [self.order.group(head)];
        let n_steps = self.order.values.groups[group[0] as usize].steps.len();
        // Whatever is decided, nothing moves from there on.
        let until = to.max(head + n_steps);
        let from = self.order.first_changed(head, to);
        if to > head {
            to -= n_steps;
        }
        let away = self.order.try_removal_from(head, from);
        self.order.remove_until(head, until - n_steps);
        let back = self.order.try_insertion_from(to, &group, from);
        let change = Cost {
            over: away.over + back.over,
            ..Cost::default()
        };
        let is_accepted = self.is_accepted(change, None);
        if !is_accepted {
            self.order.try_insertion_from(head, &group, from);
            to = head;
        }
        self.order.insert_until(to, &group, until);
        is_accepted
    }

    /// Position of a repeated group.
    fn pick_head(&mut self) -> Option<usize> {
        let n_heads = self.order.n_heads();
        (n_heads > 0).then(|| self.order.head(self.rng.usize(..n_heads)))
    }

    /// Another position for a repeated group, near or far.
    fn pick_target(&mut self, head: usize) -> Option<usize> {
        let most = tuning::SHIFTS[usize::from(self.rng.bool())];
        let distance = 1 + self.rng.usize(..most);
        let group = self.order.group(head);
        let end = head + self.order.values.groups[group as usize].steps.len();
        let to = match self.rng.bool() {
            true => (end + distance).min(self.order.len() - 1),
            false => head.saturating_sub(distance),
        };
        let to = self.order.start_of(to);
        let is_other = to < head || to > end;
        let anchor = self.order.anchor(to);
        (is_other && self.order.values.is_allowed(group, anchor)).then_some(to)
    }

    /// Picks a position, and the groups to repeat there, so that a value need not stay until there.
    fn pick_chain(&mut self) -> Option<usize> {
        let values = self.order.values;
        let position = self.rng.usize(..self.order.len());
        let uses = values.uses.of(self.order.element(position).step as usize);
        if uses.is_empty() {
            return None;
        }
        let picked = self.rng.usize(..uses.len());
        if self.rng.f64() > self.worth[uses[picked] as usize] {
            return None;
        }
        let position = self.order.start_of(position);
        self.chain.clear();
        let (last, _) = self.order.around(uses[picked], position);
        // Right after it was used or defined, nothing could be gained.
        if last? + 1 == position || !self.add(uses[picked], position) {
            return None;
        }
        // One alone may have no room beside the others.
        if self.rng.usize(..tuning::ALL_OPERANDS) == 0 {
            for value in uses {
                self.add(*value, position);
            }
        }
        self.close(position).then_some(position)
    }

    /// Adds the group of a value that is used at a position to the chain, if it can be repeated.
    fn add(&mut self, value: u32, position: usize) -> bool {
        let values = self.order.values;
        let anchor = self.order.anchor(position);
        let group = values.group_of[value as usize];
        let group =
            group.filter(|own| !self.chain.contains(own) && values.is_allowed(*own, anchor));
        self.chain.extend(group);
        group.is_some()
    }

    /// Adds the groups of operands to a chain. Returns whether it is short enough.
    fn close(&mut self, position: usize) -> bool {
        let values = self.order.values;
        let anchor = self.order.anchor(position);
        // None, all, or as many as are cheaper than any other group.
        let bound = match self.rng.usize(..tuning::BOUNDS) {
            0 => 0,
            1 => u64::MAX,
            _ => values.groups[self.rng.usize(..values.groups.len())].cycles,
        };
        let is_odd = self.rng.usize(..tuning::ODD) == 0;
        let mut next = 0;
        while let Some(group) = self.chain.get(next) {
            next += 1;
            for value in &values.groups[*group as usize].uses {
                // It is there in any case.
                if self.order.around(*value, position).1 {
                    continue;
                }
                let Some(own) = values.group_of[*value as usize] else {
                    continue;
                };
                let is_cheap = values.groups[own as usize].cycles <= bound;
                let is_in = is_cheap ^ (is_odd && self.rng.usize(..tuning::ODD) == 0);
                if is_in && !self.chain.contains(&own) && values.is_allowed(own, anchor) {
                    self.chain.push(own);
                }
            }
            if self.chain.len() > tuning::LONGEST_CHAIN {
                return false;
            }
        }
        // Operands are computed first.
        self.chain
            .sort_unstable_by_key(|own| values.groups[*own as usize].last());
        true
    }
}
