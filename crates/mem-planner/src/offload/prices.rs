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
    let over: Vec<f64> = profile
        .used
        .iter()
        .map(|used| used.saturating_sub(profile.capacity) as f64)
        .collect();
    let most = over.iter().copied().fold(0.0, f64::max);
    let cost = |own: &Droppable| (own.cycles as f64).min(rate * own.link as f64).max(1.0);
    let mut prices: Vec<f64> = over.iter().map(|over| over / most.max(1.0)).collect();
    let mut mean = vec![0.0; prices.len()];
    let mut order: Vec<usize> = (0..droppable.len()).collect();
    let mut n_taken = 0;
    for round in 0..=tuning::PRICE_ROUNDS {
        let is_last = round == tuning::PRICE_ROUNDS;
        let used = if is_last { &mean } else { &prices };
        let sums = sums(used);
        let worth = |index: usize| {
            let own = &droppable[index];
            (sums[own.before] - sums[own.after + 1]) * profile.sizes[own.tensor] as f64
        };
        let mut scores = vec![0.0; droppable.len()];
        for (index, score) in scores.iter_mut().enumerate() {
            *score = worth(index) / cost(&droppable[index]);
        }
        order.sort_by(|a, b| scores[*b].total_cmp(&scores[*a]).then(a.cmp(b)));
        let mut wanted: f64 = used
            .iter()
            .zip(&over)
            .map(|(price, over)| price * over)
            .sum();
        n_taken = 0;
        let mut changes = vec![0.0; prices.len() + 1];
        for index in &order {
            if wanted <= 0.0 {
                break;
            }
            wanted -= worth(*index);
            let own = &droppable[*index];
            let size = profile.sizes[own.tensor] as f64;
            changes[own.after + 1] += size;
            changes[own.before] -= size;
            n_taken += 1;
        }
        let mut covered = 0.0;
        let speed = tuning::PRICE_SPEED / f64::from(round + 1).sqrt();
        let mut total = 0.0;
        for step in 0..prices.len() {
            covered += changes[step];
            if over[step] > 0.0 {
                prices[step] *= (speed * (over[step] - covered) / most).exp();
            }
            total += prices[step];
        }
        for (price, mean) in prices.iter_mut().zip(&mut mean) {
            *price /= total.max(f64::MIN_POSITIVE);
            // The last round ranks by the average prices of the second half: multiplicative weights
            // converges on average only.
            if round >= tuning::PRICE_ROUNDS / 2 && !is_last {
                *mean += *price;
            }
        }
    }
    let is_dropped = |index: &usize| {
        let own = &droppable[*index];
        own.cycles as f64 <= rate * own.link as f64
    };
    let n = order[..n_taken]
        .iter()
        .filter(|index| is_dropped(index))
        .count();
    let chosen = order.iter().filter(|index| is_dropped(index));
    (chosen.map(|index| droppable[*index]).collect(), n)
}

/// Prefix sums: the sum of all values before each index, and the total.
pub(super) fn sums(values: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values {
        sums.push(sums[sums.len() - 1] + value);
    }
    sums
}
