//! `genetic`: a genetic algorithm over placement orders.
//!
//! Decoding an order places each item at the lowest feasible offset ([`decode`](super::decode)). The items
//! sorted by the resulting addresses are the sequence that the operators work on. Decoding that
//! sequence again never raises the peak, so each individual is as compact as its order allows.
//! Operators:
//!
//! * crossover: the items at the lowest addresses of one parent, then the others in the order of
//!   the other parent;
//! * mutation: items that end above the bound move towards the front; an item moves before the item
//!   that supports it above a hole; two items are exchanged; an item that could share the space of
//!   another, being no larger and in no conflict with it, moves next to it, so that runs of reuse
//!   grow.
//!
//! Fitness is the peak, then the number of bytes above the bound. Randomness depends on the seed,
//! the generation and the position in it alone, so that the number of threads has no influence. The
//! search stops at the bound or when its budget is spent. One generation decodes [`tuning::CHILDREN`]
//! orders. The scheme follows Goldberg, "Genetic Algorithms in Search, Optimization, and Machine
//! Learning", 1989, with permutations as genes.

use std::cmp::Reverse;

use fastrand::Rng;
use mem_model::{Bytes, Interval, Point, StepId};
use rayon::prelude::*;

use super::decode::Decoder;
use super::limits::{Clock, Limits};
use super::measure::{end_of, excess_of, peak_of};
use super::orders::Profile;
use super::{PlanError, PlanOptions, Strategy, tuning};

#[derive(Clone)]
struct Individual {
    /// The items by address.
    sequence: Vec<u32>,
    offsets: Vec<Bytes>,
    peak: u64,
    /// Number of bytes above the bound.
    excess: u128,
}

/// Returns offsets with a lower peak than those of `start`, if the search finds any. The initial
/// population consists of `start` and `orders`.
pub(crate) fn improve(
    decoder: &Decoder<'_>,
    orders: Vec<Vec<u32>>,
    start: &[Bytes],
    bound: Bytes,
    options: &PlanOptions,
    limits: &mut Limits<'_>,
) -> Result<Option<Vec<Bytes>>, PlanError> {
    let before = peak_of(decoder.problem(), start);
    let is_good = before <= bound || before.get() <= limits.enough();
    // Less than one generation is not worth the setup.
    if is_good || limits.is_over() || limits.work_left() < tuning::NEIGHBOUR_COST * decoder.work() {
        return Ok(None);
    }
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build();
    // With a single thread, the calling thread does the work.
    let pool = pool.ok().filter(|_| options.threads != 1);
    let breeder = Breeder {
        decoder,
        profile: Profile::new(decoder),
        bound,
        clock: limits.clock(),
    };
    let first = std::iter::once(decoder.by_address(start)).chain(orders);
    let mut population: Vec<Individual> = Vec::new();
    for order in first {
        let Some((individual, work)) = breeder.decoded(order, None)? else {
            break;
        };
        limits.spend(tuning::NEIGHBOUR_COST * work);
        population.push(individual);
        if limits.is_over() {
            break;
        }
    }
    rank(&mut population);
    let mut generation = 0_u64;
    while !population.is_empty() && !limits.is_over() {
        let best = population[0].peak;
        limits.report(Strategy::Genetic, best.min(before.get()), bound.get());
        if best <= bound.get() || best <= limits.enough() {
            break;
        }
        let child = |index: usize| {
            let seed = options.seed.wrapping_mul(tuning::SEED_SPREAD[0]);
            let place = generation.wrapping_mul(tuning::CHILDREN as u64) + index as u64;
            breeder.child(
                &population,
                Rng::with_seed(seed ^ place.wrapping_mul(tuning::SEED_SPREAD[1])),
            )
        };
        let born: Vec<Result<Option<(Individual, u64)>, PlanError>> = match &pool {
            Some(pool) => {
                pool.install(|| (0..tuning::CHILDREN).into_par_iter().map(child).collect())
            }
            None => (0..tuning::CHILDREN).map(child).collect(),
        };
        for child in born {
            // A missing child is worse than the whole population; an error means a peak above
            // 2^63-1 bytes.
            let (individual, work) = child.ok().flatten().unzip();
            limits.spend(tuning::NEIGHBOUR_COST * work.unwrap_or(start.len() as u64));
            population.extend(individual);
        }
        rank(&mut population);
        generation += 1;
    }
    let best = population.into_iter().next();
    Ok(best
        .filter(|best| best.peak < before.get())
        .map(|best| best.offsets))
}

/// Sorts the best first, drops individuals of equal fitness, and keeps at most [`tuning::POPULATION`].
fn rank(population: &mut Vec<Individual>) {
    population.sort_by_key(|individual| (individual.peak, individual.excess));
    population.dedup_by_key(|individual| (individual.peak, individual.excess));
    population.truncate(tuning::POPULATION);
}

struct Breeder<'a, 'p> {
    decoder: &'a Decoder<'p>,
    profile: Profile,
    bound: Bytes,
    clock: Clock<'a>,
}

impl Breeder<'_, '_> {
    /// Decodes an order. `parent` is an individual and the worst peak in the population: the
    /// parent's offsets are reused for the common prefix of both orders, and the result is `None`
    /// if the peak exceeds the worst one. Also returns `None` if the time runs out.
    fn decoded(
        &self,
        order: Vec<u32>,
        parent: Option<(&Individual, Bytes)>,
    ) -> Result<Option<(Individual, u64)>, PlanError> {
        let decoded = match parent {
            None => self.decoder.decode(&order, self.clock)?,
            Some((parent, worst)) => {
                let pairs = order.iter().zip(&parent.sequence);
                let n_known = pairs.take_while(|(a, b)| a == b).count();
                let known = &parent.offsets;
                self.decoder
                    .decode_behind(&order, n_known, known, worst, self.clock)?
            }
        };
        let Some(decoded) = decoded else {
            return Ok(None);
        };
        let problem = self.decoder.problem();
        let individual = Individual {
            sequence: self.decoder.by_address(&decoded.offsets),
            peak: peak_of(problem, &decoded.offsets).get(),
            excess: excess_of(problem, &decoded.offsets, self.bound),
            offsets: decoded.offsets,
        };
        Ok(Some((individual, decoded.work)))
    }

    fn child(
        &self,
        population: &[Individual],
        mut rng: Rng,
    ) -> Result<Option<(Individual, u64)>, PlanError> {
        // Tournament selection: the better of two, since the population is sorted.
        let mut parent = || {
            &population[rng
                .usize(..population.len())
                .min(rng.usize(..population.len()))]
        };
        let (first, second) = (parent(), parent());
        let mut sequence = first.sequence.clone();
        if rng.bool() {
            // Small steps: decoding reuses the parent's offsets up to the first change.
            for _ in 0..1 + rng.usize(..tuning::MUTATIONS) {
                self.sink(first, &mut sequence, &mut rng);
            }
        } else {
            if rng.bool() {
                sequence = crossover(first, second, &mut rng);
            }
            for _ in 0..1 + rng.usize(..tuning::MUTATIONS) {
                match rng.usize(..4) {
                    0 => self.sink(first, &mut sequence, &mut rng),
                    1 => self.advance(first, &mut sequence, &mut rng),
                    2 => exchange(&mut sequence, &mut rng),
                    _ => self.pull(&mut sequence, &mut rng),
                }
            }
        }
        let worst = population.iter().map(|individual| individual.peak).max();
        self.decoded(
            sequence,
            Some((first, Bytes::new(worst.unwrap_or(u64::MAX)))),
        )
    }

    /// Picks an item that ends above the bound, and the tightest point of its lifetime. An item
    /// that lies above a hole there is held up by a support that is not live at that point; the
    /// item moves before its support.
    fn sink(&self, parent: &Individual, sequence: &mut [u32], rng: &mut Rng) {
        let items = &self.decoder.problem().items;
        let span = |item: u32| {
            let offset = parent.offsets[item as usize];
            (offset, end_of(&items[item as usize], offset))
        };
        let is_above = |item: &&u32| span(**item).1 > self.bound;
        let above: Vec<u32> = parent.sequence.iter().filter(is_above).copied().collect();
        if above.is_empty() {
            return;
        }
        let top = above[rng.usize(..above.len())];
        let mut hull = self.decoder.hull(top);
        if rng.bool() {
            // Vary the point: consider only one half of the lifetime.
            let middle = hull.start.index() + rng.u64(..hull.end.index() - hull.start.index());
            let middle = Point::early(StepId::new((middle / 2) as usize));
            let half = match rng.bool() {
                true => Interval::new(hull.start, middle),
                false => Interval::new(middle, hull.end),
            };
            hull = if half.is_empty() { hull } else { half };
        }
        let Some((point, _)) = self.profile.highest(hull) else {
            return;
        };
        let mut holes: Vec<(u64, u32)> = Vec::new();
        let mut end = Bytes::ZERO;
        for &item in &parent.sequence {
            if self.decoder.hull(item).contains(point) {
                let (start, its_end) = span(item);
                if let Some(hole) = start.checked_sub(end).filter(|hole| *hole > Bytes::ZERO) {
                    holes.push((hole.get(), item));
                }
                end = end.max(its_end);
            }
        }
        holes.sort_unstable_by_key(|hole| Reverse(*hole));
        // Prefer large holes.
        let n_holes = holes.len();
        let Some(&(_, upper)) = holes.get(rng.usize(..=n_holes).min(rng.usize(..=n_holes))) else {
            return;
        };
        let bottom = span(upper).0;
        let supports = |item: &u32| span(*item).1 == bottom && self.decoder.conflict(*item, upper);
        let at = |wanted: u32, sequence: &[u32]| sequence.iter().position(|item| *item == wanted);
        let support = sequence.iter().position(supports);
        if let (Some(to), Some(from)) = (support, at(upper, sequence))
            && to < from
        {
            sequence[to..=from].rotate_right(1);
        }
    }

    /// Moves items that end above the bound towards the front.
    fn advance(&self, parent: &Individual, sequence: &mut Vec<u32>, rng: &mut Rng) {
        let items = &self.decoder.problem().items;
        let is_above = |item: &u32| {
            let index = *item as usize;
            end_of(&items[index], parent.offsets[index]) > self.bound
        };
        let above: Vec<usize> = (0..sequence.len())
            .filter(|at| is_above(&sequence[*at]))
            .collect();
        if above.is_empty() {
            return;
        }
        match rng.bool() {
            true => {
                let from = above[rng.usize(..above.len())];
                let to = rng.usize(..=from);
                sequence[to..=from].rotate_right(1);
            }
            false => {
                // Moves all items at the peak, and the others above the bound with probability
                // `chance`.
                let chance = rng.f64();
                let top = |item: &u32| {
                    end_of(&items[*item as usize], parent.offsets[*item as usize]).get()
                        == parent.peak
                };
                let (chosen, rest): (Vec<u32>, Vec<u32>) = (sequence.iter())
                    .partition(|item| top(item) || is_above(item) && rng.f64() < chance);
                let at = rng.usize(..=rest.len()).min(rng.usize(..=rest.len()));
                sequence.clear();
                sequence.extend_from_slice(&rest[..at]);
                sequence.extend(chosen);
                sequence.extend_from_slice(&rest[at..]);
            }
        }
    }

    /// Moves an item that could share the space of another item next to it.
    fn pull(&self, sequence: &mut [u32], rng: &mut Rng) {
        if sequence.is_empty() {
            return;
        }
        let items = &self.decoder.problem().items;
        let at = rng.usize(..sequence.len());
        let size = items[sequence[at] as usize].size;
        let near = (at + 2..sequence.len()).take(tuning::NEAR);
        let mut others = near.filter(|other| {
            let item = sequence[*other];
            items[item as usize].size <= size && !self.decoder.conflict(sequence[at], item)
        });
        if let Some(other) = others.next() {
            sequence[at + 1..=other].rotate_right(1);
        }
    }
}

/// Takes the lowest items of one parent, then the rest in the order of the other parent.
fn crossover(first: &Individual, second: &Individual, rng: &mut Rng) -> Vec<u32> {
    let n = rng.usize(..=first.sequence.len());
    let mut is_taken = vec![false; first.offsets.len()];
    let mut sequence = first.sequence[..n].to_vec();
    for item in &sequence {
        is_taken[*item as usize] = true;
    }
    let others = second.sequence.iter().copied();
    sequence.extend(others.filter(|item| !is_taken[*item as usize]));
    sequence
}

/// Exchanges two nearby items.
fn exchange(sequence: &mut [u32], rng: &mut Rng) {
    if !sequence.is_empty() {
        let a = rng.usize(..sequence.len());
        let b = (a + rng.usize(..tuning::NEAR)).min(sequence.len() - 1);
        sequence.swap(a, b);
    }
}
