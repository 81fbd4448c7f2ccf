//! Large inputs: time or memory that is quadratic in the common case would take minutes and hit the
//! runner's limit.

use mem_check::{check_level_plan, check_plan, check_program_plan};
use mem_flow::{analyze_lifetimes, problem};
use mem_model::{
    BufferId, Bytes, Hierarchy, Interval, Item, LevelId, LevelPlacement, LevelPlan, LevelProblem,
    LevelStep, Part, PlacementId, Problem, StepId, Tensor, TensorId, parse_programs,
};
use mem_planner::{PlanOptions, Strategy};
use mem_testkit::{Rng, random_problem, tensor, used};

#[test]
fn twenty_thousand_items_are_planned_and_checked() {
    let mut rng = Rng::new(1);
    let mut problem = random_problem(&mut rng, 0, 1);
    while problem.items.len() < 20_000 {
        let mut more = random_problem(&mut rng, 20_000, 20_000);
        let n_known = problem.items.len();
        for (index, item) in more.items.iter_mut().enumerate() {
            item.buffer = BufferId::new(n_known + index);
        }
        problem.items.append(&mut more.items);
    }
    let plan = mem_planner::plan(&problem, Strategy::default(), &PlanOptions::default());
    let plan = plan.expect("no capacity");
    check_plan(&problem, &plan).expect("a correct plan");
}

#[test]
fn a_long_program_is_checked() {
    // A chain of 20 000 operations; each reads the results of the two before it.
    let n_steps = 20_000_usize;
    let mut text = "mem-program 1\nprogram \"chain\"\n".to_owned();
    for i in 0..n_steps {
        text += &format!("buffer b{i} \"t{i}\" size 64 align 64 intermediate planned\n");
    }
    for i in 0..n_steps {
        text += &format!("pointer p{i} \"t{i}\" buffer b{i} size 64\n");
    }
    text += "region r0 function\nblock bb0 in r0\n";
    for i in 0..n_steps {
        text += &format!("step s{i} \"op\"\nallocates b{i}\n");
        for input in i.saturating_sub(2)..i {
            text += &format!("use p{input} may 0..64 must 0..64\n");
        }
        text += &format!("define p{i} may 0..64 must 0..64\n");
    }
    text += "end\n";
    let program = &parse_programs(&text).expect("a program")[0];
    let lifetimes = analyze_lifetimes(program).expect("valid");
    let problem = problem(program, &lifetimes);
    let plan = mem_planner::plan(&problem, Strategy::default(), &PlanOptions::default());
    let plan = plan.expect("no capacity");
    assert_eq!(plan.peak, Bytes::new(192));
    check_plan(&problem, &plan).expect("a correct plan");
    check_program_plan(program, &lifetimes.rotations, &plan).expect("a correct plan");
}

#[test]
fn a_long_plan_over_levels_is_checked() {
    let n = 300_000;
    let all = || (0..n).map(TensorId::new);
    let problem = LevelProblem {
        hierarchy: Hierarchy::single(),
        tensors: all()
            .map(|id| Tensor {
                home: (id.index() % 2 == 0).then_some(LevelId::FASTEST),
                ..tensor(format!("t{}", id.index()), 64, 1)
            })
            .collect(),
        // Each step writes a tensor.
        steps: (0..n)
            .map(|index| LevelStep {
                uses: vec![used(index, 64, true)],
                ..LevelStep::default()
            })
            .collect(),
        blocks: Vec::new(),
    };
    let mut plan = LevelPlan::default();
    for tensor in all() {
        let is_home = problem.tensors[tensor.index()].home.is_some();
        plan.placements.push(LevelPlacement {
            tensor,
            level: LevelId::FASTEST,
            offset: (!is_home).then_some(Bytes::new(64 * tensor.index() as u64)),
            steps: Interval::new(0, n + 1),
        });
        plan.accessed.push(vec![PlacementId::new(tensor.index())]);
    }
    assert_eq!(check_level_plan(&problem, &plan), Ok(0));
}

/// A storage with a name for each of its many contents.
#[test]
fn a_storage_with_many_aliases_is_checked() {
    let n_items = 50_000;
    let size = Bytes::new(64);
    let item = |index: usize| {
        let steps = Interval::of_steps(StepId::new(index), StepId::new(index));
        let part = Part::whole(size, [steps].into_iter().collect());
        Item::new(BufferId::new(index), size, size, vec![part])
    };
    let mut problem = Problem::of_items((0..n_items).map(item).collect());
    problem.aliases = vec![(0..n_items).collect()];
    let plan = mem_planner::plan(&problem, Strategy::default(), &PlanOptions::default());
    let plan = plan.expect("no capacity");
    assert_eq!(plan.peak, size);
    check_plan(&problem, &plan).expect("a correct plan");
}
