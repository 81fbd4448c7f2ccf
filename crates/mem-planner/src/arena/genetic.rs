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
use super::{PlanError, PlanOptions, Strategy, threads, tuning};

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
pub(super) fn improve(
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
    let least = tuning::NEIGHBOUR_COST * decoder.work();
    if is_good || limits.is_over() || limits.work_left() < least {
        return Ok(None);
    }
    let breeder = Breeder {
        decoder,
        profile: Profile::new(decoder),
        bound,
        clock: limits.clock(),
        pool: threads::pool(options.threads),
        seed: options.seed.wrapping_mul(tuning::SEED_SPREAD[0]),
    };
    let first = std::iter::once(decoder.by_address(start)).chain(orders);
    let mut population = breeder.first_generation(first, limits)?;
    let mut generation = 0_u64;
    while !population.is_empty() && !limits.is_over() {
        let best = population[0].peak;
        limits.report(Strategy::Genetic, best.min(before.get()), bound.get());
        if best <= bound.get() || best <= limits.enough() {
            break;
        }
        breeder.next_generation(&mut population, generation, limits);
        generation += 1;
    }
    // The population is sorted. `start` itself is in it, so its best may be no better.
    let best = population.into_iter().next();
    let better = best.filter(|best| best.peak < before.get());
    Ok(better.map(|best| best.offsets))
}

/// Sorts the best first, drops individuals of equal fitness, and keeps at most [`tuning::POPULATION`].
fn rank(population: &mut Vec<Individual>) {
    population.sort_by_key(|individual| (individual.peak, individual.excess));
    // Individuals of equal fitness are mostly alike, and would soon be the whole population.
    population.dedup_by_key(|individual| (individual.peak, individual.excess));
    population.truncate(tuning::POPULATION);
}

struct Breeder<'a, 'p> {
    decoder: &'a Decoder<'p>,
    profile: Profile,
    bound: Bytes,
    clock: Clock<'a>,
    pool: Option<rayon::ThreadPool>,
    seed: u64,
}

impl Breeder<'_, '_> {
    /// Decodes the initial orders, as many as the effort permits.
    fn first_generation(
        &self,
        orders: impl Iterator<Item = Vec<u32>>,
        limits: &mut Limits<'_>,
    ) -> Result<Vec<Individual>, PlanError> {
        let mut population: Vec<Individual> = Vec::new();
        for order in orders {
            let Some((individual, work)) = self.decoded(order, None)? else {
                break;
            };
            limits.spend(tuning::NEIGHBOUR_COST * work);
            population.push(individual);
            if limits.is_over() {
                break;
            }
        }
        rank(&mut population);
        Ok(population)
    }

    /// Adds children to the population, and lets the fittest survive.
    fn next_generation(
        &self,
        population: &mut Vec<Individual>,
        generation: u64,
        limits: &mut Limits<'_>,
    ) {
        // The place of a child determines its random numbers, so that threads do not matter.
        let child = |index: usize| {
            let place = generation.wrapping_mul(tuning::CHILDREN as u64) + index as u64;
            let spread = place.wrapping_mul(tuning::SEED_SPREAD[1]);
            self.child(population, Rng::with_seed(self.seed ^ spread))
        };
        let children = 0..tuning::CHILDREN;
        let born: Vec<_> = match &self.pool {
            Some(pool) => pool.install(|| children.into_par_iter().map(child).collect()),
            None => children.map(child).collect(),
        };
        for child in born {
            // A missing child is worse than the whole population; an error means a peak above
            // 2^63-1 bytes. Both cost about one look at each item.
            let (individual, work) = child.ok().flatten().unzip();
            let n_items = self.decoder.problem().items.len() as u64;
            limits.spend(tuning::NEIGHBOUR_COST * work.unwrap_or(n_items));
            population.extend(individual);
        }
        rank(population);
    }

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
                // A sequence is sorted by address, so the parent's offsets of the common prefix are
                // what decoding would yield.
                let pairs = order.iter().zip(&parent.sequence);
                let n_known = pairs.take_while(|(a, b)| a == b).count();
                let known = &parent.offsets;
                self.decoder
                    .decode_suffix(&order, n_known, known, worst, self.clock)?
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

    /// A child of two parents, and the work that it took.
    fn child(
        &self,
        population: &[Individual],
        mut rng: Rng,
    ) -> Result<Option<(Individual, u64)>, PlanError> {
        // Tournament selection: the better of two, since the population is sorted.
        let mut parent = || {
            let (one, other) = (rng.usize(..population.len()), rng.usize(..population.len()));
            &population[one.min(other)]
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
                self.mutate(first, &mut sequence, &mut rng);
            }
        }
        let worst = population.iter().map(|individual| individual.peak).max();
        let worst = Bytes::new(worst.unwrap_or(u64::MAX));
        self.decoded(sequence, Some((first, worst)))
    }

    fn mutate(&self, parent: &Individual, sequence: &mut Vec<u32>, rng: &mut Rng) {
        match rng.usize(..4) {
            0 => self.sink(parent, sequence, rng),
            1 => self.advance(parent, sequence, rng),
            2 => exchange(sequence, rng),
            _ => self.pull(sequence, rng),
        }
    }

    /// Picks an item that ends above the bound, and the tightest point of its lifetime. An item
    /// that lies above a hole there is held up by a support that is not live at that point; the
    /// item moves before its support.
    fn sink(&self, parent: &Individual, sequence: &mut [u32], rng: &mut Rng) {
        let is_above = |item: &&u32| self.span(parent, **item).1 > self.bound;
        let above: Vec<u32> = parent.sequence.iter().filter(is_above).copied().collect();
        if above.is_empty() {
            return;
        }
        let top = above[rng.usize(..above.len())];
        let Some(point) = self.tight_point(top, rng) else {
            return;
        };
        let holes = self.holes(parent, point);
        // Prefer large holes. One number past the end means that no hole is chosen, so that even a
        // single hole is not filled every time.
        let n_holes = holes.len();
        let Some(&(_, upper)) = holes.get(rng.usize(..=n_holes).min(rng.usize(..=n_holes))) else {
            return;
        };
        let bottom = self.span(parent, upper).0;
        let supports = |item: &u32| {
            self.span(parent, *item).1 == bottom && self.decoder.conflict(*item, upper)
        };
        let support = sequence.iter().position(supports);
        let own = sequence.iter().position(|item| *item == upper);
        // The support may have moved after the item already, by an earlier mutation.
        if let (Some(to), Some(from)) = (support, own)
            && to < from
        {
            sequence[to..=from].rotate_right(1);
        }
    }

    /// Start and end of an item in an individual.
    fn span(&self, individual: &Individual, item: u32) -> (Bytes, Bytes) {
        let offset = individual.offsets[item as usize];
        let items = &self.decoder.problem().items;
        (offset, end_of(&items[item as usize], offset))
    }

    /// The point with the most live bytes in the lifetime of an item, or in one half of it: always
    /// the same point would always show the same holes.
    fn tight_point(&self, item: u32, rng: &mut Rng) -> Option<Point> {
        let mut hull = self.decoder.hull(item);
        if rng.bool() {
            let middle = hull.start.index() + rng.u64(..hull.end.index() - hull.start.index());
            let middle = Point::early(StepId::new((middle / 2) as usize));
            let half = match rng.bool() {
                true => Interval::new(hull.start, middle),
                false => Interval::new(middle, hull.end),
            };
            hull = if half.is_empty() { hull } else { half };
        }
        self.profile.highest(hull).map(|(point, _)| point)
    }

    /// Holes below items at a point, the largest first: the bytes, and the item above.
    fn holes(&self, parent: &Individual, point: Point) -> Vec<(u64, u32)> {
        let mut holes: Vec<(u64, u32)> = Vec::new();
        let mut end = Bytes::ZERO;
        // The sequence is in ascending order of address.
        for &item in &parent.sequence {
            if self.decoder.hull(item).contains(point) {
                let (start, its_end) = self.span(parent, item);
                if let Some(hole) = start.checked_sub(end).filter(|hole| *hole > Bytes::ZERO) {
                    holes.push((hole.get(), item));
                }
                end = end.max(its_end);
            }
        }
        holes.sort_unstable_by_key(|hole| Reverse(*hole));
        holes
    }

    /// Moves items that end above the bound towards the front: one of them, or many.
    fn advance(&self, parent: &Individual, sequence: &mut Vec<u32>, rng: &mut Rng) {
        let is_above = |item: u32| self.span(parent, item).1 > self.bound;
        let above: Vec<usize> = (0..sequence.len())
            .filter(|at| is_above(sequence[*at]))
            .collect();
        if above.is_empty() {
            return;
        }
        if rng.bool() {
            let from = above[rng.usize(..above.len())];
            let to = rng.usize(..=from);
            sequence[to..=from].rotate_right(1);
            return;
        }
        // All items at the peak move, and the others above the bound with probability `chance`: a
        // lower peak requires that all of the first group moves.
        let chance = rng.f64();
        let is_top = |item: u32| self.span(parent, item).1.get() == parent.peak;
        let (chosen, rest): (Vec<u32>, Vec<u32>) = sequence
            .iter()
            .partition(|item| is_top(**item) || is_above(**item) && rng.f64() < chance);
        // The smaller of two random places: near the front, where the space is not taken yet.
        let at = rng.usize(..=rest.len()).min(rng.usize(..=rest.len()));
        sequence.clear();
        sequence.extend_from_slice(&rest[..at]);
        sequence.extend(chosen);
        sequence.extend_from_slice(&rest[at..]);
    }

    /// Moves an item that could share the space of another item next to it.
    fn pull(&self, sequence: &mut [u32], rng: &mut Rng) {
        if sequence.is_empty() {
            return;
        }
        let items = &self.decoder.problem().items;
        let at = rng.usize(..sequence.len());
        let size = items[sequence[at] as usize].size;
        // The item at `at + 1` is next to it already.
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
    // A prefix of the first parent, whose offsets decoding then reuses.
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
