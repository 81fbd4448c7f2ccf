//! Bytes read from the slowest level and written to it.

use mem_cost::slowest_traffic;
use mem_model::{Bytes, LevelId, LevelPlan, LevelProblem, LevelStep, PlacementId, Tensor};
use mem_testkit::{fast_and_slow, reading, tensor};

/// Two steps that read a tensor, the second of them ten times.
fn problem() -> LevelProblem {
    LevelProblem {
        hierarchy: fast_and_slow(128),
        tensors: vec![Tensor {
            home: Some(LevelId::new(1)),
            ..tensor("t".to_owned(), 64, 1)
        }],
        steps: vec![
            reading(0, 64, 1),
            LevelStep {
                repeats: 10,
                ..reading(0, 64, 1)
            },
        ],
        blocks: Vec::new(),
    }
}

#[test]
fn repeated_accesses_count_each_time() {
    let problem = problem();
    let plan = LevelPlan {
        accessed: vec![vec![PlacementId::new(0)]; 2],
        ..LevelPlan::at_home(&problem)
    };
    assert_eq!(slowest_traffic(&problem, &plan), Bytes::new(11 * 64));
}

#[test]
fn accesses_to_other_levels_do_not_count() {
    let mut problem = problem();
    problem.tensors[0].home = Some(LevelId::FASTEST);
    let plan = LevelPlan {
        accessed: vec![vec![PlacementId::new(0)]; 2],
        ..LevelPlan::at_home(&problem)
    };
    assert_eq!(slowest_traffic(&problem, &plan), Bytes::ZERO);
}
