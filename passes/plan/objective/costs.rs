//! Costs of functions, and whether those of one variant are lower than those of another.

use mem_model::{Bytes, Problem};
use mem_planner::{PlanOptions, Strategy, lower_bound, plan};

/// The cost of each function.
pub(crate) struct Costs {
    functions: Vec<(String, Cost)>,
}

/// The cost of a function.
enum Cost {
    /// Of a plan, if there is one.
    Known(Option<u64>),
    /// The arena has not been planned. `None` if sizes are known only at run time.
    Arena(Strategy, Option<Box<Problem>>),
}

impl Costs {
    pub(crate) fn known(costs: Vec<(String, Option<u64>)>) -> Self {
        let costs = costs.into_iter();
        Self {
            functions: costs
                .map(|(name, cost)| (name, Cost::Known(cost)))
                .collect(),
        }
    }

    pub(super) fn of_arenas(strategy: Strategy, arenas: Vec<(String, Option<Problem>)>) -> Self {
        let arenas = arenas.into_iter();
        let cost = |problem: Option<Problem>| Cost::Arena(strategy, problem.map(Box::new));
        Self {
            functions: arenas
                .map(|(name, problem)| (name, cost(problem)))
                .collect(),
        }
    }

    /// Whether there is a plan of every function, or may be one.
    pub(super) fn are_known(&self) -> bool {
        let mut functions = self.functions.iter();
        functions.all(|(_, cost)| !matches!(cost, Cost::Known(None)))
    }

    /// The functions whose arena has been planned or can be, and takes more than `capacity`.
    pub(super) fn larger_than(&self, capacity: Bytes) -> Vec<(String, u64)> {
        let larger = |(name, cost): &(String, Cost)| {
            let Cost::Arena(strategy, Some(problem)) = cost else {
                return None;
            };
            let fits = |peak: Option<u64>| peak.is_some_and(|peak| peak <= capacity.get());
            if problem.items.is_empty() || fits(peak(problem, quick(*strategy))) {
                return None;
            }
            let peak = peak(problem, *strategy)?;
            (peak > capacity.get()).then(|| (name.clone(), peak))
        };
        self.functions.iter().filter_map(larger).collect()
    }

    fn of(&self, name: &str) -> Option<&Cost> {
        let mut functions = self.functions.iter();
        functions.find(|(own, _)| own == name).map(|(_, cost)| cost)
    }

    /// Whether there is a plan of a function, or may be one.
    pub(crate) fn is_known(&self, name: &str) -> bool {
        !matches!(self.of(name), Some(Cost::Known(None)))
    }

    /// Whether a function costs less than in `others`, by more than `threshold` thousandths.
    pub(crate) fn is_less(&self, others: &Self, name: &str, threshold: u32) -> bool {
        match (self.of(name), others.of(name)) {
            (Some(Cost::Known(own)), Some(Cost::Known(other))) => match (own, other) {
                (Some(own), Some(other)) => is_less(*own, *other, threshold),
                (own, None) => own.is_some(),
                (None, Some(_)) => false,
            },
            (Some(Cost::Arena(strategy, own)), Some(Cost::Arena(_, other))) => {
                match (own, other) {
                    (Some(own), Some(other)) => is_smaller(own, other, *strategy, threshold),
                    // Live bytes are all that is known.
                    _ => true,
                }
            }
            // Functions without buffers, and those that have a plan, have no costs.
            _ => false,
        }
    }
}

/// The functions of a module that have no plan.
#[derive(Default)]
pub(crate) struct Lacking {
    functions: Vec<(String, u64)>,
}

impl Lacking {
    /// Functions, by name, and the bytes that they need or that are missing.
    pub(crate) fn of_functions(functions: impl IntoIterator<Item = (String, u64)>) -> Self {
        Self {
            functions: functions.into_iter().collect(),
        }
    }

    /// The bytes that a function without a plan needs, or that are missing; comparable with those of the
    /// same function in other variants. `None` if it has a plan.
    pub(crate) fn of(&self, name: &str) -> Option<u64> {
        let mut functions = self.functions.iter();
        functions
            .find(|(own, _)| own == name)
            .map(|(_, bytes)| *bytes)
    }
}

/// Bytes of the arena that a strategy plans.
fn peak(problem: &Problem, strategy: Strategy) -> Option<u64> {
    let plan = plan(problem, strategy, &PlanOptions::default());
    plan.ok().map(|plan| plan.peak.get())
}

/// A strategy that takes little time, and is never better.
const fn quick(strategy: Strategy) -> Strategy {
    match strategy {
        // It is never worse than the quick ones, which it tries first.
        Strategy::Auto => Strategy::GreedyBySize,
        other => other,
    }
}

fn is_less(own: u64, other: u64, threshold: u32) -> bool {
    let saved = u128::from(other.saturating_sub(own)) * 1000;
    saved > u128::from(other) * u128::from(threshold)
}

/// Whether the arena for one problem is smaller than that for another. Most often, a quick plan of the one
/// takes less than any plan of the other.
fn is_smaller(own: &Problem, other: &Problem, strategy: Strategy, threshold: u32) -> bool {
    // Without buffers that the planner places, live bytes are all that is known.
    if own.items.is_empty() {
        return true;
    }
    let is_less = |own: u64, other: u64| is_less(own, other, threshold);
    let bound = lower_bound(other).map_or(0, Bytes::get);
    if peak(own, quick(strategy)).is_some_and(|own| is_less(own, bound)) {
        return true;
    }
    match (peak(own, strategy), peak(other, strategy)) {
        (Some(own), Some(other)) => is_less(own, other),
        (own, None) => own.is_some(),
        (None, Some(_)) => false,
    }
}

#[cfg(test)]
mod tests {
    use mem_model::{BufferId, Bytes, Interval, Item, Part, Point, Problem, StepId};
    use mem_planner::Strategy;

    use super::Costs;

    /// An arena with one buffer at an offset.
    fn arena(size: u64, offset: u64) -> Costs {
        let [first, last] = [0, 1].map(|step| Point::early(StepId::new(step)));
        let part = Part {
            bytes: Interval::new(Bytes::ZERO, Bytes::new(size)),
            live: std::iter::once(Interval::new(first, last)).collect(),
        };
        let item = Item {
            buffer: BufferId::new(0),
            slot: 0,
            size: Bytes::new(size),
            alignment: Bytes::new(1),
            parts: vec![part],
            fixed: Some(Bytes::new(offset)),
        };
        let problem = Problem {
            items: vec![item],
            ..Problem::default()
        };
        Costs::of_arenas(Strategy::Auto, vec![("main".to_owned(), Some(problem))])
    }

    #[test]
    fn the_size_of_the_arena_decides_and_not_the_live_bytes() {
        let is_less = |own: &Costs, other: &Costs| own.is_less(other, "main", 10);
        assert!(is_less(&arena(64, 0), &arena(96, 0)));
        assert!(
            is_less(&arena(64, 16), &arena(64, 32)),
            "live bytes prove nothing"
        );
        assert!(!is_less(&arena(64, 64), &arena(96, 0)));
        assert!(!is_less(&arena(96, 0), &arena(96, 0)));
    }

    #[test]
    fn functions_lack_bytes_if_their_arena_exceeds_a_capacity() {
        let larger = |capacity| arena(64, 32).larger_than(Bytes::new(capacity));
        assert_eq!(larger(95), [("main".to_owned(), 96)]);
        assert_eq!(larger(96), []);
        assert!(costs(Some(1)).are_known());
        assert!(!costs(None).are_known());
    }

    fn costs(of_main: Option<u64>) -> Costs {
        Costs::known(vec![("main".to_owned(), of_main)])
    }

    #[test]
    fn a_cost_is_less_by_more_than_the_threshold() {
        let is_less = |own, other, threshold| costs(own).is_less(&costs(other), "main", threshold);
        assert!(is_less(Some(98), Some(100), 19));
        assert!(!is_less(Some(98), Some(100), 20));
        assert!(!is_less(Some(100), Some(100), 0));
        assert!(!is_less(Some(101), Some(100), 0));
    }

    #[test]
    fn any_plan_is_better_than_none() {
        assert!(costs(Some(1)).is_less(&costs(None), "main", 1000));
        assert!(!costs(None).is_less(&costs(Some(1)), "main", 0));
        assert!(!costs(None).is_less(&costs(None), "main", 0));
        assert!(!costs(Some(1)).is_less(&costs(Some(2)), "other", 0));
    }
}
