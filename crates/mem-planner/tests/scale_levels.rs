//! Large problems over levels: time that is quadratic in the common case would take minutes.

use mem_check::check_level_plan;
use mem_model::{Interval, LevelId, LevelProblem, Tensor};
use mem_planner::{LevelPolicy, plan_levels};
use mem_testkit::{fast_and_slow, reading, tensor};

/// A loop around the whole program carries all tensors around.
#[test]
fn a_loop_that_carries_many_tensors_is_planned() {
    let n = 60_000;
    let problem = LevelProblem {
        hierarchy: fast_and_slow(64 * 100),
        tensors: (0..n)
            .map(|index| Tensor {
                home: Some(LevelId::new(1)),
                frozen: vec![Interval::new(1, n)],
                ..tensor(format!("t{index}"), 64, 1)
            })
            .collect(),
        // Each step reads a tensor.
        steps: (0..n).map(|step| reading(step, 64, 8)).collect(),
        blocks: Vec::new(),
    };
    let plan = plan_levels(&problem, LevelPolicy::Initial).expect("the slow level is unbounded");
    assert_eq!(check_level_plan(&problem, &plan), Ok(plan.cost));
}
