//! Explanations of large plans take time in proportion to their uses.

use mem_cost::{Cause, Reason, explain};
use mem_model::{LevelId, LevelPlan, LevelProblem, PlacementId, Tensor};
use mem_testkit::{fast_and_slow, reading, tensor};

/// Searching all uses for the tensor of each would take a minute.
#[test]
fn many_uses_in_a_slow_level_are_explained() {
    let n = 200_000;
    let problem = LevelProblem {
        hierarchy: fast_and_slow(128),
        tensors: (0..n / 2)
            .map(|index| Tensor {
                home: Some(LevelId::new(1)),
                ..tensor(format!("t{index}"), 64, 1)
            })
            .collect(),
        // Each tensor is read twice.
        steps: (0..n).map(|step| reading(step / 2, 64, 1)).collect(),
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
