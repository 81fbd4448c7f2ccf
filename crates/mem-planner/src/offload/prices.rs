//! Prices of bytes at each step: finds tensors that are best dropped together.
//!
//! Any tensor that need not be resident at a step can remove the excess there, and a dropped tensor
//! makes room at all steps of its gap: a covering problem with one interval per tensor. Each step
//! has a price. A tensor is worth the price of its bytes over its steps, and tensors are taken by
//! worth per cycle until the worth of the excess is covered. The prices of uncovered steps then
//! rise, and those of others fall (multiplicative weights: S. Arora, E. Hazan, S. Kale, "The
//! Multiplicative Weights Update Method", Theory of Computing 8, 2012).
//!
//! O(rounds * (steps + n log n)) for n tensors.

use super::profile::Profile;
use super::replay::Droppable;
use super::tuning;

/// The tensors that are best dropped, the best first, and how many of them cover the excess. A
/// cycle of the link costs `rate` compute cycles; tensors that are cheaper to copy are omitted.
pub(super) fn best_first(
    droppable: &[Droppable],
    profile: &Profile,
    rate: f64,
) -> (Vec<Droppable>, usize) {
    let mut cover = Cover::new(droppable, profile, rate);
    for round in 0..tuning::PRICE_ROUNDS {
        cover.rank(&cover.prices.clone());
        cover.adjust(round);
        // Multiplicative weights converges on average only. The first half of the rounds is far
        // from the limit, and does not count.
        if round >= tuning::PRICE_ROUNDS / 2 {
            for (mean, price) in cover.mean.iter_mut().zip(&cover.prices) {
                *mean += *price;
            }
        }
    }
    // The final order is that of the mean prices: those of the last round oscillate around them.
    cover.rank(&cover.mean.clone());
    // Cheaper to copy: they took part, since copies cover the excess as well.
    let is_dropped = |index: &usize| {
        let own = &droppable[*index];
        own.cycles as f64 <= rate * own.link as f64
    };
    let taken = &cover.order[..cover.n_taken];
    let n = taken.iter().filter(|index| is_dropped(index)).count();
    let chosen = cover.order.iter().filter(|index| is_dropped(index));
    (chosen.map(|index| droppable[*index]).collect(), n)
}

/// The covering problem: tensors in the order in which they cover the excess at some prices.
struct Cover<'a> {
    droppable: &'a [Droppable],
    profile: &'a Profile,
    rate: f64,
    /// Per step: bytes in excess.
    over: Vec<f64>,
    /// Largest excess.
    most: f64,
    /// Per step: price of a byte. Prices sum to 1 after the first round.
    prices: Vec<f64>,
    /// Per step: sum of the prices of the second half of the rounds.
    mean: Vec<f64>,
    /// Tensors by worth per cycle, the best first.
    order: Vec<usize>,
    /// How many of them cover the worth of the excess.
    n_taken: usize,
}

impl<'a> Cover<'a> {
    fn new(droppable: &'a [Droppable], profile: &'a Profile, rate: f64) -> Self {
        let used = profile.used.iter();
        let over = used.map(|used| used.saturating_sub(profile.capacity) as f64);
        let over: Vec<f64> = over.collect();
        let most = over.iter().copied().fold(0.0, f64::max);
        Self {
            droppable,
            profile,
            rate,
            prices: over.iter().map(|over| over / most.max(1.0)).collect(),
            mean: vec![0.0; over.len()],
            over,
            most,
            order: (0..droppable.len()).collect(),
            n_taken: 0,
        }
    }

    /// Cycles that dropping a tensor costs: those of recomputing it, or of copying it instead.
    fn cost(&self, own: &Droppable) -> f64 {
        let copied = self.rate * own.link as f64;
        // At least one, so that the worth per cycle stays finite.
        (own.cycles as f64).min(copied).max(1.0)
    }

    /// Orders tensors by the worth of their bytes per cycle, and counts how many of them cover the
    /// worth of the excess.
    fn rank(&mut self, prices: &[f64]) {
        let sums = sums(prices);
        let worth = |own: &Droppable| {
            // The tensor is absent only strictly between the two steps.
            (sums[own.before] - sums[own.after + 1]) * self.profile.sizes[own.tensor.index()] as f64
        };
        let scores = self.droppable.iter().map(|own| worth(own) / self.cost(own));
        let scores: Vec<f64> = scores.collect();
        self.order
            .sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        let steps = prices.iter().zip(&self.over);
        // The oracle of the method: it covers only the average of all steps, weighted by their
        // prices, for which taking tensors by worth per cycle is optimal up to the last one.
        let mut wanted: f64 = steps.map(|(price, over)| price * over).sum();
        self.n_taken = 0;
        for index in &self.order {
            if wanted <= 0.0 {
                break;
            }
            wanted -= worth(&self.droppable[*index]);
            self.n_taken += 1;
        }
    }

    /// Raises the prices of steps that the tensors taken do not cover, and lowers the others.
    fn adjust(&mut self, round: u32) {
        // Differences, so that a tensor takes constant time however long its gap is.
        let mut changes = vec![0.0; self.prices.len() + 1];
        for index in &self.order[..self.n_taken] {
            let own = &self.droppable[*index];
            let size = self.profile.sizes[own.tensor.index()] as f64;
            changes[own.after + 1] += size;
            changes[own.before] -= size;
        }
        let speed = tuning::PRICE_SPEED / f64::from(round + 1).sqrt();
        let (mut covered, mut total) = (0.0, 0.0);
        for (step, price) in self.prices.iter_mut().enumerate() {
            covered += changes[step];
            // Without excess, the price is zero from the start, and a factor would not change it.
            if self.over[step] > 0.0 {
                *price *= (speed * (self.over[step] - covered) / self.most).exp();
            }
            total += *price;
        }
        // Only the relations of prices matter: without this, they would overflow.
        for price in &mut self.prices {
            // The total is zero if no step is in excess.
            *price /= total.max(f64::MIN_POSITIVE);
        }
    }
}

/// Prefix sums: the sum of all values before each index, and the total.
pub(super) fn sums(values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values {
        sums.push(sums[sums.len() - 1] + value);
    }
    sums
}
