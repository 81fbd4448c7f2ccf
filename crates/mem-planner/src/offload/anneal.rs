//! Improves choices of tensors to recompute in a [sketch](super::sketch), by simulated annealing
//! (S. Kirkpatrick, C. Gelatt, M. Vecchi, "Optimization by Simulated Annealing", Science 220,
//! 1983).

use crate::observe;

use super::replay::{Droppable, Producers};
use super::sketch::{Scratch, Sketch};
use super::trials::Choice;
use super::tuning;

/// The best of `n_looks` choices, each a neighbour of the current one. `reach`: as for
/// [`Sketch::makespan`].
pub(super) fn anneal<'d>(
    sketch: &Sketch,
    reach: f64,
    producers: &Producers,
    start: &Choice<'d>,
    n_looks: usize,
    seed: u64,
) -> Choice<'d> {
    if start.is_dropped.is_empty() {
        return start.clone();
    }
    // In the order of the program, which replays need.
    let mut order: Vec<usize> = (0..start.droppable.len()).collect();
    order.sort_by_key(|index| start.droppable[*index].after);
    let mut scratch = Scratch::default();
    let mut energy = |choice: &Choice| {
        let chosen = order.iter().filter(|index| choice.is_dropped[**index]);
        let chosen: Vec<Droppable> = chosen.map(|index| choice.droppable[*index]).collect();
        let repetitions = producers.replay(&chosen, choice.manner);
        sketch.makespan(&repetitions, reach, &mut scratch)
    };
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut now = (energy(start), start.clone());
    let mut best = now.clone();
    for look in 0..n_looks {
        if observe::is_stopped() {
            break;
        }
        // Temperatures fall geometrically: each order of magnitude gets the same number of looks.
        let part = look as f64 / n_looks as f64;
        let heat = now.0 * tuning::HEAT[0] * (tuning::HEAT[1] / tuning::HEAT[0]).powf(part);
        let next = now.1.toggled(&neighbour(&now.1.is_dropped, &mut rng));
        let found = energy(&next);
        // The Metropolis criterion. Choices of equal length are accepted, to cross plateaus.
        if found <= now.0 || rng.f64() < ((now.0 - found) / heat).exp() {
            now = (found, next);
            if now.0 < best.0 {
                best = now.clone();
            }
        }
    }
    best.1
}

/// Toggles one tensor, or exchanges it for one in the opposite state: near an optimum, as many bytes
/// must be dropped as before.
fn neighbour(is_dropped: &[bool], rng: &mut fastrand::Rng) -> Vec<usize> {
    let n = is_dropped.len();
    let one = rng.usize(..n);
    let mut indices = vec![one];
    if rng.bool() {
        let others: Vec<usize> = (0..n)
            .filter(|other| is_dropped[*other] != is_dropped[one])
            .collect();
        if !others.is_empty() {
            indices.push(others[rng.usize(..others.len())]);
        }
    }
    indices
}

#[cfg(test)]
mod tests {
    use mem_testkit::Rng;

    use super::super::profile::Profile;
    use super::super::replay::Manner;
    use super::super::sketch::tests::program;
    use super::*;

    #[test]
    fn the_result_is_no_worse_and_always_the_same() {
        let mut n_better = 0;
        for seed in 0..100 {
            let (problem, repeatable) = program(&mut Rng::new(seed));
            let Some(profile) = Profile::new(&problem) else {
                continue;
            };
            let producers = Producers::new(&problem, &repeatable);
            let is_kept = vec![false; problem.tensors.len()];
            let all = producers.droppable(&profile, &is_kept, 64);
            let manner = Manner {
                longest: 64,
                keeps: true,
                window: 0,
            };
            let start = Choice::first(&all, all.len() / 2, manner);
            let sketch = Sketch::new(&problem, &repeatable, &profile);
            let energy = |choice: &Choice| {
                let repetitions = choice.replay(&producers);
                sketch.makespan(&repetitions, 1.0, &mut Scratch::default())
            };
            let found = anneal(&sketch, 1.0, &producers, &start, 50, seed);
            let again = anneal(&sketch, 1.0, &producers, &start, 50, seed);
            assert_eq!(found.is_dropped, again.is_dropped, "seed {seed}");
            assert!(energy(&found) <= energy(&start), "seed {seed}");
            n_better += usize::from(energy(&found) < energy(&start));
        }
        assert!(n_better > 20, "{n_better}");
    }
}
