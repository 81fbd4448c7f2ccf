//! Explanations of large plans take time in proportion to their uses.

use mem_cost::{Cause, Reason, explain};
use mem_model::{
    Hierarchy, LevelId, LevelPlan, LevelProblem, LevelStep, PlacementId, Port, Tensor,
};
use mem_testkit::{level, tensor, used};

/// Searching all uses for the tensor of each would take a minute.
#[test]
fn many_uses_in_a_slow_level_are_explained() {
    let n = 200_000;
    let port = |bandwidth: f64| Port {
        latency: 0,
        bandwidth,
    };
    let problem = LevelProblem {
        hierarchy: Hierarchy {
            levels: vec![
                level("fast", Some(128), 1, port(64.0)),
                level("slow", None, 1, port(1.0)),
            ],
            ..Hierarchy::default()
        },
        tensors: (0..n / 2)
            .map(|index| Tensor {
                home: Some(LevelId::new(1)),
                ..tensor(format!("t{index}"), 64, 1)
            })
            .collect(),
        // Each tensor is read twice.
        steps: (0..n)
            .map(|step| {
                let mut used = used(step / 2, 64, false);
                used.accepted.clear();
                LevelStep {
                    repeats: 1,
                    uses: vec![used],
                    ..LevelStep::default()
                }
            })
            .collect(),
        blocks: Vec::new(),
    };
    let plan = LevelPlan {
        accessed: (0..n)
            .map(|step| vec![PlacementId::new(step / 2)])
            .collect(),
        ..LevelPlan::at_home(&problem)
    };
    let found = explain(&problem, &plan);
    assert_eq!(found.len(), n);
    let is_expected = |cause: &Cause| {
        let Cause::Slower { reason, .. } = cause else {
            return false;
        };
        *reason == Reason::NotWorthwhile
    };
    assert!(found.iter().all(|own| is_expected(&own.cause)));
}
