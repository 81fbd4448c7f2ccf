//! Large problems over levels: time that is quadratic in the common case would take minutes.

use mem_check::check_level_plan;
use mem_model::{Hierarchy, Interval, LevelId, LevelProblem, LevelStep, Port, Tensor};
use mem_planner::{LevelPolicy, plan_levels};
use mem_testkit::{level, tensor, used};

/// A loop around the whole program carries all tensors around.
#[test]
fn a_loop_that_carries_many_tensors_is_planned() {
    let n = 60_000;
    let port = |bandwidth: f64| Port {
        latency: 0,
        bandwidth,
    };
    let problem = LevelProblem {
        hierarchy: Hierarchy {
            levels: vec![
                level("fast", Some(64 * 100), 1, port(64.0)),
                level("slow", None, 1, port(1.0)),
            ],
            ..Hierarchy::default()
        },
        tensors: (0..n)
            .map(|index| Tensor {
                home: Some(LevelId::new(1)),
                frozen: vec![Interval::new(1, n)],
                ..tensor(format!("t{index}"), 64, 1)
            })
            .collect(),
        // Each step reads a tensor.
        steps: (0..n)
            .map(|step| {
                let mut used = used(step, 64, false);
                used.accepted.clear();
                LevelStep {
                    repeats: 8,
                    uses: vec![used],
                    ..LevelStep::default()
                }
            })
            .collect(),
        blocks: Vec::new(),
    };
    let plan = plan_levels(&problem, LevelPolicy::Initial).expect("the slow level is unbounded");
    assert_eq!(check_level_plan(&problem, &plan), Ok(plan.cost));
}
