//! Scaling of offload planning: training steps of random layers, whose activations are read again
//! in reverse order, within half and a quarter of their peak. Run `cargo bench -p mem-planner
//! --bench offload`, optionally with numbers of steps as arguments.
//!
//! Measures everything, in one run each: the choice of recomputations, the timetable, and the
//! addresses.

use std::time::Instant;

use mem_cost::simulate;
use mem_model::{Bytes, Hierarchy, LevelId, LevelProblem, LevelStep, Port, TensorUse};
use mem_planner::{Advice, OffloadPolicy, Repeatable, plan_offload, widths};
use mem_testkit::{Rng, engine, level, tensor, used};

fn main() {
    let wanted: Vec<usize> = std::env::args()
        .filter_map(|text| text.parse().ok())
        .collect();
    let sizes = match wanted.is_empty() {
        true => vec![1000, 10_000],
        false => wanted,
    };
    println!("| steps | budget | seconds | time / ideal | copies | repeated |");
    println!("| ---: | ---: | ---: | ---: | ---: | ---: |");
    for n_steps in sizes {
        for part in [2, 4] {
            let mut problem = problem(n_steps);
            let (_, peak) = widths(&problem).expect("all is on the device");
            problem.hierarchy.levels[0].capacity = Some(Bytes::new(peak / part));
            let pure = Repeatable {
                is_pure: true,
                ..Repeatable::default()
            };
            let repeatable = vec![pure; problem.steps.len()];
            let advice = Advice::default();
            let start = Instant::now();
            let answer = plan_offload(&problem, &repeatable, OffloadPolicy::Auto, &advice);
            let answer = answer.expect("it fits");
            let plan = answer.plan.expect("it fits").plan;
            let seconds = start.elapsed().as_secs_f64();
            let ratio = simulate(&answer.problem, &plan).makespan as f64 / answer.ideal as f64;
            let (n_copies, n_again) = (plan.transfers.len(), answer.repetitions.len());
            println!(
                "| {n_steps} | 1/{part} | {seconds:.2} | {ratio:.3} | {n_copies} | {n_again} |"
            );
        }
    }
}

/// A forward pass of cheap and expensive layers, and its backward pass, at the speed of a V100 on
/// PCIe 3.
fn problem(n_steps: usize) -> LevelProblem {
    let mut rng = Rng::new(n_steps as u64);
    let (device, host) = (LevelId::new(0), LevelId::new(1));
    let port = |latency: u64, bandwidth: f64| Port { latency, bandwidth };
    let n = n_steps / 2;
    let size = |rng: &mut Rng| (rng.between(1, 16) as u64) << 18;
    let sizes: Vec<u64> = (0..n).map(|_| size(&mut rng)).collect();
    let cycles: Vec<u64> = (0..n).map(|_| [0, 0, 0, 400_000][rng.below(4)]).collect();
    let layer = |tensor: usize| {
        if tensor < n {
            tensor
        } else {
            2 * n - 1 - tensor
        }
    };
    let used = |tensor: usize, writes: bool| used(tensor, sizes[layer(tensor)], writes);
    let steps = (0..2 * n).map(|step| {
        let mut uses: Vec<TensorUse> = Vec::new();
        uses.extend(step.checked_sub(1).map(|before| used(before, false)));
        if step > n {
            uses.push(used(2 * n - 1 - step, false));
        }
        uses.push(used(step, true));
        LevelStep {
            cycles: cycles[layer(step)],
            repeats: 1,
            uses,
            ..LevelStep::default()
        }
    });
    LevelProblem {
        hierarchy: Hierarchy {
            levels: vec![
                level("device", Some(1 << 40), 256, port(400, 588.0)),
                level("host", None, 256, port(15_000, 7.8)),
            ],
            engines: vec![engine("in", (host, device)), engine("out", (device, host))],
            ..Hierarchy::default()
        },
        tensors: (0..2 * n)
            .map(|index| tensor(format!("t{index}"), sizes[layer(index)], 64))
            .collect(),
        steps: steps.collect(),
        blocks: Vec::new(),
    }
}
