//! Scaling of planning over levels: long programs of random steps with five tensors each (an
//! activation, a gradient, a workspace, and two weights), on a fast memory backed by a slow one.
//! Run `cargo bench -p mem-planner --bench levels`, optionally with numbers of steps as arguments.
//!
//! Measures the planner as a whole, including the bound and the overlapped schedule, in one run
//! each.

use std::time::Instant;

use mem_cost::simulate;
use mem_model::{
    Bytes, Hierarchy, LevelId, LevelProblem, LevelStep, Port, Tensor, TensorId, TensorUse,
};
use mem_planner::{CostModel, LevelStrategy, overlap, plan_levels_with};
use mem_testkit::{Rng, engine, level, tensor};

const FAST: LevelId = LevelId::DEVICE;
const SLOW: LevelId = LevelId::HOST;

fn main() {
    let wanted: Vec<usize> = std::env::args()
        .filter_map(|text| text.parse().ok())
        .collect();
    let sizes = match wanted.is_empty() {
        true => vec![1250, 2500, 5000, 10_000],
        false => wanted,
    };
    println!("| steps | blocks | strategy | seconds | cost / bound | copies |");
    println!("| ---: | ---: | --- | ---: | ---: | ---: |");
    for n_steps in sizes {
        let problem = problem(n_steps);
        let mut bound = 1;
        for strategy in [
            LevelStrategy::Auto,
            LevelStrategy::Global,
            LevelStrategy::LocalSearch { segment: 1 },
            LevelStrategy::LocalSearch { segment: 2 },
        ] {
            let start = Instant::now();
            let answer = plan_levels_with(&problem, strategy, CostModel::Serial);
            let answer = answer.expect("the slow level is unbounded");
            let beside = overlap(&problem, &answer.plan);
            std::hint::black_box(simulate(&problem, &beside));
            let seconds = start.elapsed().as_secs_f64();
            bound = answer.lower_bound.max(bound);
            let ratio = answer.plan.cost as f64 / bound as f64;
            let (name, blocks) = (strategy.name(), problem.tensors.len());
            let n_copies = answer.plan.transfers.len();
            println!("| {n_steps} | {blocks} | {name} | {seconds:.1} | {ratio:.3} | {n_copies} |");
        }
    }
}

/// Five tensors per step. The inputs of a step were written a few steps before, some of them long
/// before.
fn problem(n_steps: usize) -> LevelProblem {
    let mut rng = Rng::new(n_steps as u64);
    let mut tensors: Vec<Tensor> = Vec::new();
    let mut steps = Vec::new();
    for step in 0..n_steps {
        let mut new = |kind: &str, home: Option<LevelId>, rng: &mut Rng| {
            let size = 64 * rng.between(1, 1024) as u64;
            tensors.push(Tensor {
                home,
                ..tensor(format!("{kind}{step}"), size, 64)
            });
            tensors.len() - 1
        };
        let outputs = ["activation", "gradient", "workspace"].map(|kind| new(kind, None, &mut rng));
        let weights = [0, 1].map(|_| new("weight", Some(SLOW), &mut rng));
        let inputs = inputs(step, &mut rng);
        let used = |tensor: usize, writes: bool| {
            let size = tensors[tensor].size;
            TensorUse {
                tensor: TensorId::new(tensor),
                reads: if writes { Bytes::ZERO } else { size },
                writes: if writes { size } else { Bytes::ZERO },
                writes_all: writes,
                accepted: Vec::new(),
                takes_over: None,
            }
        };
        let reads = inputs
            .iter()
            .chain(&weights)
            .map(|tensor| used(*tensor, false));
        let writes = outputs.iter().map(|tensor| used(*tensor, true));
        steps.push(LevelStep {
            name: format!("s{step}"),
            cycles: 1000,
            repeats: 1,
            uses: reads.chain(writes).collect(),
            ..LevelStep::default()
        });
    }
    LevelProblem {
        hierarchy: hierarchy(),
        tensors,
        steps,
        blocks: Vec::new(),
    }
}

fn hierarchy() -> Hierarchy {
    let port = |latency: u64, bandwidth: f64| Port { latency, bandwidth };
    Hierarchy {
        levels: vec![
            level("sram", Some(1 << 20), 64, port(30, 16.0)),
            level("dram", None, 64, port(400, 4.0)),
        ],
        engines: vec![engine("in", (SLOW, FAST)), engine("out", (FAST, SLOW))],
        ..Hierarchy::default()
    }
}

/// Activations and gradients of up to three earlier steps.
fn inputs(step: usize, rng: &mut Rng) -> Vec<usize> {
    let mut inputs = Vec::new();
    for _ in 0..3 {
        let distance = match rng.chance(15) {
            true => rng.between(1, 200),
            false => rng.between(1, 4),
        };
        if let Some(before) = step.checked_sub(distance) {
            inputs.push(5 * before + rng.below(2));
        }
    }
    inputs.sort_unstable();
    inputs.dedup();
    inputs
}
