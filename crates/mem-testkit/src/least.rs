//! The least cost over several levels by exhaustive search, without regard to addresses.

use mem_cost::{repeats_before, transfer_cost, use_cost};
use mem_model::{Bytes, LevelId, LevelProblem, Tensor, TensorId, TensorUse};

use crate::exhaustive::{Moves, Next, ends, is_defined, least_cost};

/// Valid copies of a tensor: a bit per level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Copies {
    levels: u32,
    /// Preloaded and not used yet: the next copy from home is free.
    fresh: bool,
}

type Places = Vec<Copies>;

/// The minimum cost of all plans in which the bytes of each level suffice, in cycles; `None` if
/// there is none. Requires that no tensor is frozen, local to a block, or written before it has
/// contents, and that nothing is taken over. Exponential time.
#[must_use]
pub fn least_level_cost(problem: &LevelProblem) -> Option<u64> {
    let start: Places = (problem.tensors.iter())
        .map(|tensor| Copies {
            levels: tensor.home.map_or(0, |home| 1 << home.index()),
            fresh: tensor.is_preloaded,
        })
        .collect();
    let search = Search {
        problem,
        capacities: problem.capacities().ok()?,
        ends: ends(problem),
    };
    least_cost(&search, start)
}

struct Search<'a> {
    problem: &'a LevelProblem,
    capacities: Vec<Option<Bytes>>,
    /// Per tensor: one more than the last step that uses it.
    ends: Vec<usize>,
}

impl Search<'_> {
    fn levels(&self) -> impl Iterator<Item = usize> + use<> {
        0..self.problem.hierarchy.levels.len()
    }

    fn fits(&self, places: &[Copies]) -> bool {
        self.levels().all(|level| {
            let held = places.iter().zip(&self.problem.tensors);
            let held = held.filter(|(own, tensor)| {
                own.levels >> level & 1 == 1 && tensor.home != Some(LevelId::new(level))
            });
            let bytes: u64 = held.map(|(_, tensor)| tensor.size.get()).sum();
            self.capacities[level].is_none_or(|most| bytes <= most.get())
        })
    }

    /// The copies of a tensor after it is used in a level; `None` if that is impossible.
    fn used(&self, used: &TensorUse, level: usize, step: usize, own: Copies) -> Option<Copies> {
        let here = 1 << level;
        let is_needed = used.needs_content() && is_defined(self.problem, used.tensor, step);
        let is_possible =
            used.accepts(LevelId::new(level)) && (!is_needed || own.levels & here != 0);
        let levels = match used.writes > Bytes::ZERO {
            true => here,
            false => own.levels | here,
        };
        let fresh = false;
        is_possible.then_some(Copies { levels, fresh })
    }
}

impl Moves for Search<'_> {
    type Copies = Copies;

    fn problem(&self) -> &LevelProblem {
        self.problem
    }

    fn is_done(&self, tensor: &Tensor, own: &Copies) -> bool {
        let is_home = |home: LevelId| own.levels >> home.index() & 1 == 1;
        !tensor.is_result || tensor.home.is_some_and(is_home)
    }

    /// With every choice of copies to use.
    fn run(&self, step: usize, places: &[Copies], next: &mut Next<Copies>) {
        let at = &self.problem.steps[step];
        let repeats = at.repeats.max(1);
        let mut ways: Vec<(u64, Places)> = vec![(at.cycles * repeats, places.to_vec())];
        for used in &at.uses {
            let mut more = Vec::new();
            for (cost, places) in &ways {
                for level in self.levels() {
                    let after = self.used(used, level, step, places[used.tensor.index()]);
                    let Some(after) = after else { continue };
                    let id = LevelId::new(level);
                    let cycles = use_cost(&self.problem.hierarchy, used, id) * repeats;
                    let mut changed = places.to_vec();
                    changed[used.tensor.index()] = after;
                    more.push((cost + cycles, changed));
                }
            }
            ways = more;
        }
        for (cost, mut places) in ways {
            if !self.fits(&places) {
                continue;
            }
            for (index, own) in places.iter_mut().enumerate() {
                if self.ends[index] <= step + 1 && !self.problem.tensors[index].is_result {
                    own.levels = 0;
                }
            }
            next.push((cost, step + 1, places));
        }
    }

    fn transfer(&self, step: usize, places: &[Copies], next: &mut Next<Copies>) {
        for (index, own) in places.iter().enumerate() {
            let tensor = &self.problem.tensors[index];
            let mut with = |copies: Copies, cost: u64| {
                let mut changed = places.to_vec();
                changed[index] = copies;
                if self.fits(&changed) {
                    next.push((cost, step, changed));
                }
            };
            let times = repeats_before(self.problem, TensorId::new(index), step);
            for from in self.levels().filter(|from| own.levels >> from & 1 == 1) {
                let is_home = tensor.home == Some(LevelId::new(from));
                if !is_home {
                    let levels = own.levels & !(1 << from);
                    with(Copies { levels, ..*own }, 0);
                }
                for to in self.levels().filter(|to| own.levels >> to & 1 == 0) {
                    let ids = [from, to].map(LevelId::new);
                    if !self.problem.hierarchy.connects(ids[0], ids[1]) {
                        continue;
                    }
                    let each = transfer_cost(&self.problem.hierarchy, tensor.size, ids[0], ids[1]);
                    let copies = Copies {
                        levels: own.levels | 1 << to,
                        fresh: own.fresh && !is_home,
                    };
                    with(copies, each * (times - u64::from(own.fresh && is_home)));
                }
            }
        }
    }
}
