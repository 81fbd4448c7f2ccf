//! The cheapest plan over two levels by exhaustive search, for problems with a few tensors.

use mem_cost::{transfer_cost, use_cost};
use mem_model::{Bytes, LevelId, LevelProblem, Tensor, TensorId, TensorUse};

use crate::exhaustive::{Moves, Next, ends, is_defined, least_cost};

/// Valid copies of a tensor: at an address in the fast level, and in the slow one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Copies {
    fast: Option<u64>,
    slow: bool,
    /// Preloaded and not used yet: the next copy from the slow level to the fast one is free.
    fresh: bool,
}

type Places = Vec<Copies>;

/// The minimum cost of all plans, in cycles; `None` if no plan exists. Requires that the slow level
/// is unbounded, that levels have no alignment of their own, that there are no loops, and that only
/// the last use of a step takes over an operand. Exponential time.
#[must_use]
pub fn cheapest_level_plan(problem: &LevelProblem) -> Option<u64> {
    let start: Places = problem
        .tensors
        .iter()
        .map(|tensor| Copies {
            fast: None,
            slow: tensor.home.is_some(),
            fresh: tensor.is_preloaded,
        })
        .collect();
    let search = Search {
        problem,
        ends: ends(problem),
    };
    least_cost(&search, start)
}

struct Search<'a> {
    problem: &'a LevelProblem,
    /// Per tensor: one more than the last step that uses it.
    ends: Vec<usize>,
}

impl Search<'_> {
    /// Addresses in the fast level at which the tensor overlaps no other.
    fn free(&self, tensor: TensorId, places: &[Copies]) -> Vec<u64> {
        let own = &self.problem.tensors[tensor.index()];
        let (size, capacity) = (own.size.get(), self.problem.hierarchy.levels[0].capacity);
        let Some(last) = capacity.map_or(Some(1 << 10), |c| c.get().checked_sub(size)) else {
            return Vec::new();
        };
        let meets = |at: u64| {
            places.iter().enumerate().any(|(other, copies)| {
                let theirs = self.problem.tensors[other].size.get();
                other != tensor.index()
                    && copies
                        .fast
                        .is_some_and(|start| start.max(at) < (start + theirs).min(at + size))
            })
        };
        let aligned = (0..=last).step_by(own.alignment.get().max(1) as usize);
        aligned.filter(|at| !meets(*at)).collect()
    }

    /// The copies after a result has taken over the place of an operand in the fast level, which
    /// destroys the operand's copy there.
    fn in_place(
        &self,
        used: &TensorUse,
        uses: &[TensorUse],
        places: &[Copies],
        after: impl Fn(Option<u64>, bool) -> Copies,
    ) -> Option<Places> {
        let mut changed = places.to_vec();
        let operand = uses[used.takes_over?].tensor;
        let address = changed[operand.index()].fast.take()?;
        let is_free = self.free(used.tensor, &changed).contains(&address);
        changed[used.tensor.index()] = after(Some(address), false);
        is_free.then_some(changed)
    }
}

impl Moves for Search<'_> {
    type Copies = Copies;

    fn problem(&self) -> &LevelProblem {
        self.problem
    }

    fn is_done(&self, tensor: &Tensor, copies: &Copies) -> bool {
        !tensor.is_result || copies.slow
    }

    /// With every choice of copies to use.
    fn run(&self, step: usize, places: &[Copies], next: &mut Next<Copies>) {
        let mut ways: Vec<(u64, Places)> = vec![(self.problem.steps[step].cycles, places.to_vec())];
        let uses = &self.problem.steps[step].uses;
        for used in uses {
            let mut more = Vec::new();
            for (cost, places) in &ways {
                let copies = places[used.tensor.index()];
                let is_defined = is_defined(self.problem, used.tensor, step);
                let is_needed = is_defined && used.needs_content();
                let mut at = |level: usize, copies: Copies| {
                    if used.accepts(LevelId::new(level)) {
                        let mut changed = places.to_vec();
                        changed[used.tensor.index()] = copies;
                        let cycles = use_cost(&self.problem.hierarchy, used, LevelId::new(level));
                        more.push((cost + cycles, changed));
                    }
                };
                let writes = used.writes > Bytes::ZERO;
                let after = |fast: Option<u64>, slow: bool| Copies {
                    fast,
                    slow,
                    fresh: false,
                };
                if copies.slow || !is_needed {
                    let fast = if writes { None } else { copies.fast };
                    at(1, after(fast, true));
                }
                let slow = copies.slow && !writes;
                match copies.fast {
                    Some(fast) => at(0, after(Some(fast), slow)),
                    None if !is_needed => {
                        for fast in self.free(used.tensor, places) {
                            at(0, after(Some(fast), slow));
                        }
                    }
                    None => {}
                }
                if !is_needed && copies.fast.is_none() && used.accepts(LevelId::new(0)) {
                    let cycles = use_cost(&self.problem.hierarchy, used, LevelId::new(0));
                    let changed = self.in_place(used, uses, places, after);
                    more.extend(changed.map(|changed| (cost + cycles, changed)));
                }
            }
            ways = more;
        }
        for (cost, mut places) in ways {
            for (tensor, copies) in places.iter_mut().enumerate() {
                if self.ends[tensor] <= step + 1 && !self.problem.tensors[tensor].is_result {
                    *copies = Copies::default();
                }
            }
            next.push((cost, step + 1, places));
        }
    }

    fn transfer(&self, step: usize, places: &[Copies], next: &mut Next<Copies>) {
        let cost = |size: Bytes, from: usize, to: usize| {
            transfer_cost(
                &self.problem.hierarchy,
                size,
                LevelId::new(from),
                LevelId::new(to),
            )
        };
        for (tensor, copies) in places.iter().enumerate() {
            let size = self.problem.tensors[tensor].size;
            let mut with = |copies: Copies, cost: u64| {
                let mut changed = places.to_vec();
                changed[tensor] = copies;
                next.push((cost, step, changed));
            };
            if copies.fast.is_some() {
                with(
                    Copies {
                        fast: None,
                        ..*copies
                    },
                    0,
                );
                if !copies.slow {
                    with(
                        Copies {
                            slow: true,
                            ..*copies
                        },
                        cost(size, 0, 1),
                    );
                }
            }
            let from = match (copies.fast, copies.slow) {
                (Some(_), _) => 0,
                (None, true) => 1,
                (None, false) => continue,
            };
            for at in self
                .free(TensorId::new(tensor), places)
                .into_iter()
                .filter(|at| copies.fast != Some(*at))
            {
                // The source and the target of a transfer must not overlap.
                let is_apart = copies.fast.is_none_or(|old| old.abs_diff(at) >= size.get());
                if is_apart {
                    let is_free = copies.fresh && from == 1;
                    with(
                        Copies {
                            fast: Some(at),
                            fresh: copies.fresh && from == 0,
                            ..*copies
                        },
                        if is_free { 0 } else { cost(size, from, 0) },
                    );
                }
            }
        }
    }
}
