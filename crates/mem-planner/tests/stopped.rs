//! Searches that are stopped: what they return is a plan all the same, and bounds are bounds. Stopping
//! concerns the whole process, so this file has a single test.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use mem_check::{check_level_plan, check_plan};
use mem_cost::simulate;
use mem_model::{
    Along, BufferId, Bytes, IterationDimension, RowMap, TileAccess, TileBuffer, TileOperand,
    TileOperation, TileProgram,
};
use mem_planner::observe::{Event, Quantity, Searching, is_stopped, observe, stop_searches};
use mem_planner::{
    CostModel, LevelStrategy, OffloadPolicy, Overlap, PlanError, PlanOptions, Strategy,
    TileOptions, TilePlan, TileTarget, plan, plan_levels_with, plan_offload, plan_tiles,
};
use mem_testkit::{
    Rng, random_level_problem, random_offload_function, random_problem, random_small_level_problem,
};

static REPORTS: AtomicUsize = AtomicUsize::new(0);

/// Whether the observer stops the search once it has found a lower peak than at first.
static STOPS: AtomicBool = AtomicBool::new(false);

/// The first peak that is reported while `STOPS`.
static FIRST: AtomicU64 = AtomicU64::new(0);

fn arenas() {
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        // Large ones look at the clock while they are decoded.
        let n = if seed % 50 == 0 { 5000 } else { 40 };
        let problem = random_problem(&mut rng, n, n);
        let options = PlanOptions::default();
        let found = match plan(&problem, Strategy::Auto, &options) {
            Ok(found) => found,
            Err(PlanError::NoFit(_)) => continue,
            Err(error) => panic!("seed {seed}: {error}"),
        };
        check_plan(&problem, &found).expect("a valid plan");
        assert!(found.lower_bound <= found.peak, "seed {seed}");
    }
}

fn levels() {
    for seed in 0..100 {
        let mut rng = Rng::new(seed);
        let problem = match seed % 2 {
            0 => random_level_problem(&mut rng, 20),
            _ => random_small_level_problem(&mut rng),
        };
        let (strategy, model) = (LevelStrategy::Auto, CostModel::Serial);
        let Ok(found) = plan_levels_with(&problem, strategy, model) else {
            continue;
        };
        check_level_plan(&problem, &found.plan).expect("a valid plan");
        assert!(found.lower_bound <= found.plan.cost, "seed {seed}");
    }
}

/// Returns the number of programs with a plan.
fn budgets() -> usize {
    let mut n_planned = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let function = random_offload_function(&mut rng, 8);
        let input = function.offload.expect("a budget");
        let policy = OffloadPolicy::Auto;
        let found = plan_offload(&function.problem, &input.repeatable, policy, &input.advice);
        let Ok((answer, found)) = found.map(|found| (found.plan.clone(), found)) else {
            continue;
        };
        let Ok(answer) = answer else { continue };
        check_level_plan(&found.problem, &answer.plan).expect("a valid plan");
        let makespan = simulate(&found.problem, &answer.plan).makespan;
        assert!(found.least <= makespan, "seed {seed}");
        n_planned += 1;
    }
    n_planned
}

/// Operations on 64 rows, each of which reads the result of the one before it. Every second result is larger
/// than the last one. No two have the same shape.
fn chain() -> TileProgram {
    let row = |index: usize| {
        let least = if index.is_multiple_of(2) { 100 } else { 400 };
        least + index as u64
    };
    let rows = |buffer: usize, access| TileOperand {
        buffer: BufferId::new(buffer),
        access,
        bytes: Bytes::new(64 * row(buffer)),
        covers_rows: true,
        along: vec![Along::Rows(RowMap {
            dimension: 0,
            scale: 1,
            first: 0,
            last: 1,
        })],
    };
    let buffer = |index: usize| TileBuffer {
        name: format!("b{index}"),
        shape: vec![64, row(index) as i64],
        element: Bytes::new(1),
        is_private: index > 0,
        is_distinct: index > 0,
    };
    let operation = |index: usize| TileOperation {
        name: "operation".to_owned(),
        dimensions: vec![IterationDimension {
            extent: 64,
            is_parallel: true,
        }],
        operands: vec![
            rows(index, TileAccess::Read),
            rows(index + 1, TileAccess::Write),
        ],
        is_copy: false,
        can_be_delayed: true,
    };
    // Reads the last result as a whole.
    let end = TileOperation {
        name: "end".to_owned(),
        dimensions: Vec::new(),
        operands: vec![TileOperand {
            along: Vec::new(),
            ..rows(8, TileAccess::Read)
        }],
        is_copy: false,
        can_be_delayed: true,
    };
    TileProgram {
        buffers: (0..9).map(buffer).collect(),
        operations: (0..8).map(operation).chain([end]).collect(),
    }
}

fn tiles() -> TilePlan {
    let options = TileOptions {
        target: TileTarget::Peak,
        overlap: Overlap::Auto,
        extra_work: 10,
    };
    plan_tiles(&chain(), &options)
}

/// A search for tiles that ends early has the best groups that it has found; one that does not begin
/// has none.
fn stop_tiles() {
    let best = tiles();
    assert!(best.peak < best.untiled_peak);
    STOPS.store(true, Ordering::Relaxed);
    let stopped = tiles();
    assert!(is_stopped());
    assert!(!stopped.groups.is_empty());
    assert!(best.peak < stopped.peak && stopped.peak < stopped.untiled_peak);
    assert!(tiles().groups.is_empty());
}

fn observed(event: Event) {
    let Event::Search(Searching { best, .. }) = event else {
        return;
    };
    REPORTS.fetch_add(1, Ordering::Relaxed);
    if let (true, Some(Quantity::Peak(peak))) = (STOPS.load(Ordering::Relaxed), best) {
        let first = FIRST.fetch_max(peak.get(), Ordering::Relaxed);
        if peak.get() < first {
            stop_searches();
        }
    }
}

#[test]
fn stopped_searches_return_plans() {
    observe(observed);
    assert!(!is_stopped());
    let n_planned = budgets();
    assert!(REPORTS.load(Ordering::Relaxed) > 100);
    stop_tiles();
    arenas();
    levels();
    // A stopped search goes on until it has a plan.
    assert!(budgets() * 10 >= n_planned * 9, "{n_planned}");
}
