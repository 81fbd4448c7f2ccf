//! The least cost over several levels by exhaustive search, whatever the addresses.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use mem_cost::{repeats_before, transfer_cost, use_cost};
use mem_model::{Bytes, LevelId, LevelProblem, TensorId, TensorUse};

/// Valid copies of a tensor: a bit per level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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
        ends: (problem.lifetimes().iter())
            .map(|life| life.map_or(0, |life| life.end))
            .collect(),
    };
    // Dijkstra's algorithm: the first final state taken off the heap is the cheapest.
    let mut known = BTreeSet::new();
    let mut heap = BinaryHeap::from([Reverse((0_u64, 0_usize, start))]);
    while let Some(Reverse((cost, step, places))) = heap.pop() {
        if !known.insert((step, places.clone())) {
            continue;
        }
        let mut next = Vec::new();
        if step == problem.steps.len() {
            let mut tensors = problem.tensors.iter().zip(&places);
            let is_home = |home: LevelId, own: &Copies| own.levels >> home.index() & 1 == 1;
            if tensors.all(|(tensor, own)| {
                !tensor.is_result || tensor.home.is_some_and(|home| is_home(home, own))
            }) {
                return Some(cost);
            }
        } else {
            search.run(step, &places, &mut next);
        }
        search.transfer(step, &places, &mut next);
        for (more, step, places) in next {
            heap.push(Reverse((cost.saturating_add(more), step, places)));
        }
    }
    None
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

    fn fits(&self, places: &Places) -> bool {
        self.levels().all(|level| {
            let held = places.iter().zip(&self.problem.tensors);
            let held = held.filter(|(own, tensor)| {
                own.levels >> level & 1 == 1 && tensor.home != Some(LevelId::new(level))
            });
            let bytes: u64 = held.map(|(_, tensor)| tensor.size.get()).sum();
            self.capacities[level].is_none_or(|most| bytes <= most.get())
        })
    }

    /// Adds or drops one copy.
    fn transfer(&self, step: usize, places: &Places, next: &mut Vec<(u64, usize, Places)>) {
        for (index, own) in places.iter().enumerate() {
            let tensor = &self.problem.tensors[index];
            let mut with = |copies: Copies, cost: u64| {
                let mut changed = places.clone();
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

    /// Executes the next step, with every choice of copies to use.
    fn run(&self, step: usize, places: &Places, next: &mut Vec<(u64, usize, Places)>) {
        let at = &self.problem.steps[step];
        let repeats = at.repeats.max(1);
        let mut ways: Vec<(u64, Places)> = vec![(at.cycles * repeats, places.clone())];
        for used in &at.uses {
            let mut more = Vec::new();
            for (cost, places) in &ways {
                for level in self.levels() {
                    let after = self.used(used, level, step, places[used.tensor.index()]);
                    let Some(after) = after else { continue };
                    let id = LevelId::new(level);
                    let cycles = use_cost(&self.problem.hierarchy, used, id) * repeats;
                    let mut changed = places.clone();
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

    /// The copies of a tensor after it is used in a level; `None` if that is impossible.
    fn used(&self, used: &TensorUse, level: usize, step: usize, own: Copies) -> Option<Copies> {
        let here = 1 << level;
        let is_needed = used.needs_content() && self.is_defined(used.tensor, step);
        let is_possible =
            used.accepts(LevelId::new(level)) && (!is_needed || own.levels & here != 0);
        let levels = match used.writes > Bytes::ZERO {
            true => here,
            false => own.levels | here,
        };
        let fresh = false;
        is_possible.then_some(Copies { levels, fresh })
    }

    fn is_defined(&self, tensor: TensorId, step: usize) -> bool {
        let before = self.problem.steps[..step].iter();
        let mut uses = before.flat_map(|step| &step.uses);
        let is_written = uses.any(|used| used.tensor == tensor && used.writes > Bytes::ZERO);
        self.problem.tensors[tensor.index()].home.is_some() || is_written
    }
}
