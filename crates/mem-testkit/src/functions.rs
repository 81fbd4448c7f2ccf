//! Random problems over several levels, as their text form has them: with names, and with the input
//! of planning within a budget.

use mem_model::{
    AcceptedOperand, Advice, Bytes, FunctionLevels, Hierarchy, Interval, LevelId, LevelProblem,
    LevelStep, OffloadInput, OffloadPolicy, Port, Repeatable, TensorId,
};

use crate::{Rng, engine, level, random_level_problem, tensor, used};

/// Names with characters that may trip a parser, a terminal or an editor.
const ODD_NAMES: [&str; 10] = [
    "",
    " ",
    "\"",
    "\\",
    "#",
    "\n\r\t",
    "\u{0}\u{7f}\u{85}\u{2028}",
    "é🦀",
    "end",
    "t0 \"x\" size 4",
];

fn odd_name(rng: &mut Rng, number: usize) -> String {
    // The number keeps names of levels unique.
    format!("{}{number}", rng.pick(&ODD_NAMES).unwrap_or_default())
}

fn odd_number(rng: &mut Rng) -> u64 {
    let numbers = [0, 1, 2, 1000, u64::MAX >> 1, u64::MAX];
    rng.pick(&numbers).unwrap_or_default()
}

/// Generates a well-formed problem with every feature of the text form: odd names, extreme numbers,
/// and clauses that no extraction would combine. It need not have a plan.
pub fn random_odd_function(rng: &mut Rng, n_steps: usize) -> FunctionLevels {
    let mut problem = random_level_problem(rng, n_steps);
    odd_hierarchy(rng, &mut problem.hierarchy);
    let (n_steps, n_levels) = (problem.steps.len(), problem.hierarchy.levels.len());
    for (index, tensor) in problem.tensors.iter_mut().enumerate() {
        tensor.name = odd_name(rng, index);
        tensor.is_preloaded = rng.chance(30);
        if rng.chance(10) {
            tensor.size = Bytes::new(odd_number(rng));
        }
        if rng.chance(30) {
            let start = rng.below(n_steps);
            tensor.within = Some(Interval::new(start, rng.between(start, n_steps)));
        }
        if rng.chance(20) && n_steps > 3 {
            tensor.frozen = vec![Interval::new(0, 1), Interval::new(2, n_steps)];
        }
    }
    for (index, step) in problem.steps.iter_mut().enumerate() {
        step.name = odd_name(rng, index);
        if rng.chance(20) {
            (step.cycles, step.repeats) = (odd_number(rng), odd_number(rng));
        }
        for used in &mut step.uses {
            used.writes_all = used.writes > Bytes::ZERO && rng.chance(50);
            if rng.chance(20) {
                let levels = (0..rng.between(1, 3)).map(|_| LevelId::new(rng.below(n_levels)));
                used.accepted = levels.collect();
            }
        }
    }
    if rng.chance(50) {
        let block = |gap: usize| match rng.below(3) {
            0 => usize::MAX - gap,
            _ => rng.below(5),
        };
        problem.blocks = (0..=n_steps).map(block).collect();
    }
    let offload = (n_levels == 2 && rng.chance(50)).then(|| odd_input(rng, &problem));
    FunctionLevels {
        function: odd_name(rng, 0),
        problem,
        offload,
    }
}

fn odd_hierarchy(rng: &mut Rng, hierarchy: &mut Hierarchy) {
    let speeds = [
        0.0,
        0.1,
        1.0 / 3.0,
        1024.0,
        1e-30,
        f64::MAX,
        f64::MIN_POSITIVE,
    ];
    let speed = |rng: &mut Rng| rng.pick(&speeds).unwrap_or_default();
    hierarchy.compute = speed(rng);
    hierarchy.is_preloaded = rng.chance(50);
    let n_levels = hierarchy.levels.len();
    for (index, level) in hierarchy.levels.iter_mut().enumerate() {
        level.name = odd_name(rng, index);
        level.read.bandwidth = speed(rng);
        level.write.latency = odd_number(rng);
        if rng.chance(20) {
            level.capacity = Some(Bytes::new(odd_number(rng)));
        }
    }
    for engine in &mut hierarchy.engines {
        engine.name = odd_name(rng, 0);
    }
    for _ in 0..rng.below(3) {
        hierarchy.operands.push(AcceptedOperand {
            operation: odd_name(rng, 0),
            index: odd_number(rng) as usize,
            levels: vec![LevelId::new(rng.below(n_levels))],
        });
    }
}

fn odd_input(rng: &mut Rng, problem: &LevelProblem) -> OffloadInput {
    let repeatable = problem.steps.iter().map(|step| Repeatable {
        is_pure: rng.chance(50),
        until: rng.chance(30).then(|| rng.below(problem.steps.len() + 1)),
        in_place: match step.uses.len() > 1 && rng.chance(50) {
            true => vec![(1, 0), (0, 1)],
            false => Vec::new(),
        },
    });
    let repeatable = repeatable.collect();
    let policy = rng.pick(&OffloadPolicy::ALL).unwrap_or_default();
    let mut advice = Advice::default();
    for tensor in (0..problem.tensors.len()).map(TensorId::new) {
        let pinned = [&mut advice.stay, &mut advice.leave, &mut advice.keep];
        for tensors in pinned {
            if rng.chance(10) {
                tensors.insert(tensor);
            }
        }
        if rng.chance(10) {
            let cycles = [i64::MIN, -1, 0, 7, i64::MAX];
            let step = rng.below(problem.steps.len());
            let cycles = rng.pick(&cycles).unwrap_or_default();
            advice.leads.insert((tensor, step), cycles);
        }
    }
    OffloadInput {
        device: LevelId::DEVICE,
        host: LevelId::HOST,
        policy,
        repeatable,
        advice,
    }
}

/// Generates a training step of up to `n_layers` layers on a device that has room for some of the
/// activations only: each layer writes an activation, and the backward pass reads them in reverse
/// order. The budget suffices for every step.
pub fn random_offload_function(rng: &mut Rng, n_layers: usize) -> FunctionLevels {
    let n = rng.between(2, n_layers.max(2));
    let (device, host) = (LevelId::DEVICE, LevelId::HOST);
    let port = |bandwidth: f64| Port {
        latency: 1,
        bandwidth,
    };
    let link = rng.pick(&[0.02, 0.1, 0.5, 2.0]).unwrap_or(1.0);
    let budget = SIZE * rng.between(3, n + 1) as u64;
    let hierarchy = Hierarchy {
        levels: vec![
            level("device", Some(budget), 1, port(64.0)),
            level("host", None, 1, port(link)),
        ],
        engines: vec![engine("in", (host, device)), engine("out", (device, host))],
        ..Hierarchy::default()
    };
    let steps = training_steps(rng, n);
    let repeatable = steps.iter().map(|step| Repeatable {
        is_pure: rng.chance(80),
        until: rng.chance(10).then_some(2 * n),
        in_place: match step.uses.len() {
            1 => Vec::new(),
            n_uses => vec![(0, n_uses - 1)],
        },
    });
    let offload = OffloadInput {
        device,
        host,
        repeatable: repeatable.collect(),
        policy: rng.pick(&OffloadPolicy::ALL).unwrap_or_default(),
        advice: Advice {
            keep: (0..n)
                .map(TensorId::new)
                .filter(|_| rng.chance(10))
                .collect(),
            ..Advice::default()
        },
    };
    FunctionLevels {
        function: "train".to_owned(),
        problem: LevelProblem {
            hierarchy,
            tensors: (0..2 * n)
                .map(|index| tensor(format!("t{index}"), SIZE, 1))
                .collect(),
            steps,
            blocks: Vec::new(),
        },
        offload: Some(offload),
    }
}

/// Size of each tensor of [`random_offload_function`], in bytes.
const SIZE: u64 = 16;

/// The forward and the backward pass of `n` layers.
fn training_steps(rng: &mut Rng, n: usize) -> Vec<LevelStep> {
    let mut step = |name: &str, reads: &[usize], writes: usize| LevelStep {
        name: name.to_owned(),
        cycles: 1 << rng.below(9),
        repeats: 1,
        uses: (reads.iter().map(|tensor| used(*tensor, SIZE, false)))
            .chain([used(writes, SIZE, true)])
            .collect(),
        ..LevelStep::default()
    };
    let mut steps = vec![step("input", &[], 0)];
    steps.extend((1..n).map(|layer| step("forward", &[layer - 1], layer)));
    steps.push(step("loss", &[n - 1], n));
    for layer in (0..n - 1).rev() {
        let gradient = 2 * n - 1 - layer;
        steps.push(step("backward", &[layer, gradient - 1], gradient));
    }
    // The gradient that a step reads is dead afterwards, and so is the activation. The results of
    // the forward pass are read again, and are taken over only if they are recomputed.
    for step in &mut steps[n..] {
        let result = step.uses.len() - 1;
        step.uses[result].takes_over = Some(0);
    }
    steps
}
