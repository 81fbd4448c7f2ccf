//! How many tensors are computed again, and which: prefixes of orders, then what is annealed, then one more or less; plans of the whole
//! program decide.

use mem_model::LevelProblem;
use rayon::prelude::*;

use super::anneal::anneal;
use super::prices::best_first;
use super::profile::Profile;
use super::repeat::{Repeatable, Repetition};
use super::replay::{Droppable, Manner};
use super::sketch::Sketch;
use super::trials::{Choice, Cost, Found, Trials};
use super::{Advice, OffloadPolicy};

/// How many cycles of computing a cycle of the link is worth: it is all taken, or not.
const RATES: [f64; 4] = [f64::INFINITY, 0.1, 0.05, 0.02];

/// How tensors are computed again, what is mostly best first.
const MANNERS: [Manner; 4] = [
    Manner {
        longest: 64,
        keeps: true,
        window: 0,
    },
    Manner {
        longest: 64,
        keeps: true,
        window: 64,
    },
    Manner {
        longest: 64,
        keeps: false,
        window: 0,
    },
    Manner {
        longest: 8,
        keeps: true,
        window: 0,
    },
];

/// Tensors of which all sets are tried.
const FEW: usize = 6;

/// Choices that are looked at side by side.
const BATCH: usize = 8;

/// How often choices are annealed, on from the best so far; how many side by side; and how many choices each looks at.
const ROUNDS: usize = 3;
const CHAINS: usize = 4;
const LOOKS: usize = 800;

/// The search for the best `n` of which the first `n` of a list are dropped.
struct Climb<'d> {
    list: &'d [Droppable],
    middle: usize,
    /// How far away from the middle is looked; none: it is over.
    step: usize,
    best: Option<Found<'d>>,
}

pub(super) struct Search<'a> {
    trials: Trials<'a>,
    /// What others would have done.
    promises: Vec<(Cost, Vec<Repetition>)>,
}

impl<'a> Search<'a> {
    pub fn new(
        problem: &'a LevelProblem,
        repeatable: &'a [Repeatable],
        policy: OffloadPolicy,
        advice: &'a Advice,
    ) -> Self {
        Self {
            trials: Trials::new(problem, repeatable, policy, advice),
            promises: Vec::new(),
        }
    }

    /// Without any limit of level 0, cycles.
    pub fn ideal(&self) -> u64 {
        self.trials.ideal
    }

    /// The best without addresses.
    pub fn best(&self) -> Option<(Cost, Vec<Repetition>)> {
        self.trials.best.first().cloned()
    }

    /// What may be best with addresses, the best promise first: the best without, and what others would have done.
    pub fn promises(&self) -> Vec<(Cost, Vec<Repetition>)> {
        let mut all = [&self.trials.best[..], &self.promises].concat();
        all.sort();
        all.dedup();
        all
    }

    pub fn run(&mut self) {
        let nothing = Vec::new();
        let swaps = self.trials.attempt(&nothing);
        self.promises.extend(swaps.map(|cost| (cost, nothing)));
        let is_ideal = swaps.is_some_and(|cost| cost.makespan <= self.ideal() && cost.copied == 0);
        let has_no_choice = matches!(
            self.trials.policy,
            OffloadPolicy::Swap | OffloadPolicy::FarthestNextUse
        );
        if has_no_choice || is_ideal {
            return;
        }
        let problem = self.trials.problem;
        let Some(profile) = Profile::new(problem) else {
            return;
        };
        let mut is_kept = vec![false; problem.tensors.len()];
        let Advice {
            keep, stay, leave, ..
        } = self.trials.advice;
        for tensor in keep.iter().chain(stay).chain(leave) {
            if let Some(is_kept) = is_kept.get_mut(*tensor) {
                *is_kept = true;
            }
        }
        if self.trials.policy != OffloadPolicy::Recompute {
            self.checkpoints(&profile, &is_kept);
        }
        if self.trials.policy == OffloadPolicy::Checkpoints {
            return;
        }
        let longest = MANNERS[0].longest;
        let all = self.trials.producers.droppable(&profile, &is_kept, longest);
        if all.len() <= FEW {
            self.try_sets(&all);
        }
        let lists = RATES.map(|rate| best_first(&all, &profile, rate));
        let best = self.best_prefix(&lists);
        if let Some(found) = best {
            let mut found = self.best_manner(found);
            if self.trials.policy == OffloadPolicy::Auto {
                found = self.annealed(&profile, found);
            }
            self.improve(found);
        }
        if self.trials.policy == OffloadPolicy::Auto {
            self.recompute();
        }
    }

    /// Looks at all that there is.
    fn try_sets(&mut self, all: &[Droppable]) {
        let mut choices = Vec::new();
        for set in 0..1_u32 << all.len() {
            for manner in MANNERS {
                let mut choice = Choice::first(all, 0, manner);
                for (index, is_dropped) in choice.is_dropped.iter_mut().enumerate() {
                    *is_dropped = set >> index & 1 == 1;
                }
                choices.push((choice, None));
            }
        }
        self.trials.all(choices);
    }

    /// Keeps one tensor of as many as the square root of all.
    fn checkpoints(&mut self, profile: &Profile, is_kept: &[bool]) {
        let producers = &self.trials.producers;
        let mut droppable = producers.droppable(profile, is_kept, usize::MAX);
        droppable.sort_by_key(|own| (own.after, own.tensor));
        let every = droppable.len().isqrt().max(1);
        let manner = Manner {
            longest: usize::MAX,
            keeps: true,
            // What is computed again between two checkpoints stays until it is over there.
            window: self.trials.problem.steps.len() / every,
        };
        let choice = Choice {
            droppable: &droppable,
            is_dropped: (0..droppable.len())
                .map(|index| index % every != 0)
                .collect(),
            manner,
        };
        let repetitions = choice.replay(&self.trials.producers);
        if self.trials.policy == OffloadPolicy::Checkpoints {
            self.trials.best.clear();
        }
        let cost = self.trials.attempt(&repetitions);
        self.promises.extend(cost.map(|cost| (cost, repetitions)));
    }

    /// The best choice of the first of one of some lists, that begin with some `n` each.
    fn best_prefix<'d>(&mut self, lists: &'d [(Vec<Droppable>, usize)]) -> Option<Found<'d>> {
        let manner = MANNERS[0];
        let starts = lists
            .iter()
            .map(|(list, n)| (Choice::first(list, *n, manner), None));
        let found = self.trials.all(starts.collect());
        let mut climbs: Vec<Climb> = lists
            .iter()
            .zip(found)
            .map(|((list, n), best)| Climb {
                list,
                middle: *n,
                step: n.div_ceil(4).max(1),
                best,
            })
            .collect();
        while !self.trials.is_over() {
            let mut choices = Vec::new();
            for climb in climbs.iter().filter(|climb| climb.step > 0) {
                let limit = climb.best.as_ref().map(|best| best.cost);
                for n in climb.sides() {
                    choices.push((Choice::first(climb.list, n, manner), limit));
                }
            }
            if choices.is_empty() {
                break;
            }
            let mut found = self.trials.all(choices).into_iter();
            for climb in climbs.iter_mut().filter(|climb| climb.step > 0) {
                climb.go_on(&mut found);
            }
        }
        climbs
            .into_iter()
            .filter_map(|climb| climb.best)
            .min_by_key(|best| best.cost)
    }

    /// The best manner for what is dropped.
    fn best_manner<'d>(&mut self, found: Found<'d>) -> Found<'d> {
        let others = MANNERS[1..].iter().map(|manner| {
            let choice = Choice {
                manner: *manner,
                ..found.choice.clone()
            };
            (choice, Some(found.cost))
        });
        let others = self.trials.all(others.collect());
        let best = others.into_iter().flatten().min_by_key(|other| other.cost);
        best.unwrap_or(found)
    }

    /// What may be better of what is good in sketches. How much of the link's time copies find depends on the program, so several parts of
    /// it are tried, and then such as are near the best.
    fn annealed<'d>(&mut self, profile: &Profile, mut found: Found<'d>) -> Found<'d> {
        let sketch = Sketch::new(self.trials.problem, self.trials.repeatable, profile);
        let (mut middle, mut width) = (0.7_f64, 0.2);
        for round in 0..ROUNDS {
            let trials = &self.trials;
            let parts = (0..CHAINS).map(|chain| {
                let side = 2.0 * chain as f64 / (CHAINS - 1) as f64 - 1.0;
                (middle + side * width).clamp(0.1, 1.0)
            });
            let chains: Vec<(usize, f64)> = parts.enumerate().collect();
            let anneal = |&(chain, part): &(usize, f64)| {
                let seed = (round * CHAINS + chain) as u64;
                let choice = anneal(&sketch, part, &trials.producers, &found.choice, LOOKS, seed);
                (choice, None)
            };
            let choices = chains.par_iter().map(anneal).collect();
            let all = self.trials.all(choices).into_iter().zip(&chains);
            let all = all.filter_map(|(own, (_, part))| Some((own?, *part)));
            let Some((best, part)) = all.min_by_key(|(own, _)| own.cost) else {
                break;
            };
            middle = part;
            width /= 2.0;
            if best.cost < found.cost {
                found = best;
            }
        }
        found
    }

    /// Drops more, or less, as long as that is better: what is copied though control waits for it, all or each; then anything.
    fn improve(&mut self, mut found: Found) {
        loop {
            let awaited = found.awaited();
            let all = 0..found.choice.droppable.len();
            let singles = awaited.iter().copied().chain(all).map(|index| vec![index]);
            let moves: Vec<Vec<usize>> = std::iter::once(awaited.clone()).chain(singles).collect();
            let better = moves.chunks(BATCH).find_map(|moves| {
                if self.trials.is_over() {
                    return None;
                }
                let trial =
                    |indices: &Vec<usize>| (found.choice.toggled(indices), Some(found.cost));
                let others = self.trials.all(moves.iter().map(trial).collect());
                others.into_iter().flatten().min_by_key(|other| other.cost)
            });
            let Some(better) = better else { break };
            found = better;
        }
    }

    /// What is best if as little as possible is copied: it may have addresses where others have none.
    fn recompute(&mut self) {
        let policy = OffloadPolicy::Recompute;
        let mut other = Search::new(
            self.trials.problem,
            self.trials.repeatable,
            policy,
            self.trials.advice,
        );
        other.run();
        for (cost, repetitions) in other.trials.best.into_iter().take(1) {
            let cost = Cost { copied: 0, ..cost };
            self.trials.offer(cost, &repetitions);
            self.promises.push((cost, repetitions));
        }
    }
}

impl<'d> Climb<'d> {
    /// Where it looks next.
    fn sides(&self) -> [usize; 2] {
        let up = (self.middle + self.step).min(self.list.len());
        [self.middle.saturating_sub(self.step), up]
    }

    /// Goes to the better side, if one is better, and looks nearer if not.
    fn go_on(&mut self, found: &mut impl Iterator<Item = Option<Found<'d>>>) {
        let sides = self.sides().into_iter().zip(found);
        let better = sides.filter_map(|(n, found)| Some((n, found?)));
        match better.min_by_key(|(_, found)| found.cost) {
            Some((n, better)) => {
                self.middle = n;
                self.best = Some(better);
            }
            None if self.step == 1 => self.step = 0,
            None => self.step = self.step.div_ceil(2),
        }
    }
}
