//! Random planning problems over several levels.

use mem_model::{
    Bytes, CopyEngine, Hierarchy, Interval, Level, LevelId, LevelProblem, LevelStep, Port,
    Repeatable, Tensor, TensorId, TensorUse,
};

use crate::Rng;

fn port(rng: &mut Rng, level: usize) -> Port {
    Port {
        latency: rng.below(10) as u64 * (1 + 10 * level as u64),
        bandwidth: 64.0 / f64::from(1 << (2 * level)),
    }
}

/// Levels of which all except the last are small.
fn hierarchy(rng: &mut Rng) -> Hierarchy {
    let n = rng.between(1, 3);
    let level = |level: usize, rng: &mut Rng| Level {
        name: format!("l{level}"),
        capacity: (level + 1 < n)
            .then(|| Bytes::new(rng.between(8, 64) as u64 * (1 + 4 * level as u64))),
        alignment: Bytes::new(1 << rng.below(3)),
        read: port(rng, level),
        write: port(rng, level),
    };
    let mut hierarchy = Hierarchy {
        levels: (0..n).map(|index| level(index, rng)).collect(),
        ..Hierarchy::default()
    };
    if rng.chance(60) {
        let engine = |name: usize, links| CopyEngine {
            name: format!("e{name}"),
            links,
        };
        let ids = || (0..n).map(LevelId::new);
        let all = || ids().flat_map(|a| ids().map(move |b| (a, b)));
        let down = all().filter(|(a, b)| a < b).collect();
        let up = all().filter(|(a, b)| a > b).collect();
        hierarchy.engines = vec![engine(0, down), engine(1, up)];
    }
    hierarchy
}

/// Generates a problem of up to `n_steps` steps. Tensors are arguments, results, constants and
/// intermediates, each written before it is read. Some problems have a loop that carries tensors
/// around; some steps require a level or work in place.
pub fn random_level_problem(rng: &mut Rng, n_steps: usize) -> LevelProblem {
    let hierarchy = hierarchy(rng);
    let last = LevelId::new(hierarchy.levels.len() - 1);
    let n_steps = rng.between(1, n_steps);
    let n_tensors = rng.between(1, 2 * n_steps);
    let tensors: Vec<Tensor> = (0..n_tensors)
        .map(|index| random_tensor(rng, index, last))
        .collect();
    let mut steps: Vec<LevelStep> = Vec::new();
    let mut is_written = vec![false; n_tensors];
    for step in 0..n_steps {
        let mut uses: Vec<TensorUse> = Vec::new();
        for _ in 0..rng.between(1, 4) {
            let tensor = TensorId::new(rng.below(n_tensors));
            if uses.iter().any(|used| used.tensor == tensor) {
                continue;
            }
            let (size, own) = (tensors[tensor.index()].size, &tensors[tensor.index()]);
            let exists = own.home.is_some() || is_written[tensor.index()];
            let is_constant = own.home.is_some() && !own.is_result;
            let writes = !is_constant && (!exists || rng.chance(40));
            let reads = exists && (!writes || rng.chance(50));
            let amount = |is_done: bool| if is_done { size } else { Bytes::ZERO };
            uses.push(TensorUse {
                tensor,
                reads: amount(reads),
                writes: amount(writes),
                writes_all: writes && (!exists || rng.chance(70)),
                accepted: match rng.chance(5) {
                    true => vec![LevelId::new(rng.below(hierarchy.levels.len()))],
                    false => Vec::new(),
                },
                takes_over: match writes && rng.chance(60) {
                    true => uses.iter().position(|used| used.reads > Bytes::ZERO),
                    false => None,
                },
            });
            is_written[tensor.index()] |= writes;
        }
        steps.push(LevelStep {
            name: format!("s{step}"),
            cycles: rng.below(50) as u64,
            repeats: 1,
            uses,
            ..LevelStep::default()
        });
    }
    let mut problem = LevelProblem {
        hierarchy,
        tensors,
        steps,
        blocks: Vec::new(),
    };
    if rng.chance(40) {
        let start = rng.below(n_steps);
        let end = rng.between(start + 1, n_steps);
        repeat(&mut problem, start, end, rng.between(2, 9) as u64);
    }
    problem
}

fn random_tensor(rng: &mut Rng, index: usize, last: LevelId) -> Tensor {
    let has_home = rng.chance(30);
    let is_result = has_home && rng.chance(40);
    Tensor {
        name: format!("t{index}"),
        size: Bytes::new(rng.below(20) as u64),
        alignment: Bytes::new(1 << rng.below(4)),
        home: has_home.then_some(last),
        is_result,
        is_preloaded: has_home && !is_result && index.is_multiple_of(3),
        frozen: Vec::new(),
        within: None,
    }
}

/// Generates a problem with two levels and a few small tensors, without loops, that is small enough
/// to enumerate all plans. In some steps, the last result may take over an operand that dies.
pub fn random_small_level_problem(rng: &mut Rng) -> LevelProblem {
    let n_steps = rng.between(3, 7);
    let mut problem = random_level_problem(rng, 1);
    let speed = |latency: u64, bandwidth: f64| Port { latency, bandwidth };
    let capacity = rng.between(4, 7) as u64;
    problem.hierarchy.engines.clear();
    problem.hierarchy.levels = vec![
        level("fast", Some(capacity), 1, speed(1, 4.0)),
        level("slow", None, 1, speed(rng.below(20) as u64, 0.5)),
    ];
    let n_tensors = rng.between(3, 5);
    problem.tensors = (0..n_tensors)
        .map(|index| small_tensor(rng, index))
        .collect();
    let mut is_written = vec![false; n_tensors];
    problem.steps = (0..n_steps)
        .map(|step| {
            let mut uses: Vec<TensorUse> = Vec::new();
            for _ in 0..rng.between(1, 3) {
                let tensor = TensorId::new(rng.below(n_tensors));
                if uses.iter().any(|used| used.tensor == tensor) {
                    continue;
                }
                let own = &problem.tensors[tensor.index()];
                let exists = own.home.is_some() || is_written[tensor.index()];
                let is_constant = own.home.is_some() && !own.is_result;
                let writes = !is_constant && (!exists || rng.chance(30));
                let amount = |is_done: bool| if is_done { own.size } else { Bytes::ZERO };
                uses.push(TensorUse {
                    tensor,
                    reads: amount(!writes),
                    writes: amount(writes),
                    writes_all: writes,
                    accepted: Vec::new(),
                    takes_over: None,
                });
                is_written[tensor.index()] |= writes;
            }
            LevelStep {
                name: format!("s{step}"),
                cycles: 0,
                repeats: 1,
                uses,
                ..LevelStep::default()
            }
        })
        .collect();
    allow_in_place(rng, &mut problem);
    problem
}

/// Lets the last result of a step take over the bytes of an operand that dies there, in most steps
/// that have both.
fn allow_in_place(rng: &mut Rng, problem: &mut LevelProblem) {
    let lifetimes = problem.lifetimes();
    for (index, step) in problem.steps.iter_mut().enumerate() {
        let dies = |used: &TensorUse| {
            let is_over = |life: &Interval<usize>| life.end == index + 1;
            lifetimes[used.tensor.index()].as_ref().is_some_and(is_over)
        };
        let is_read = |used: &TensorUse| used.writes == Bytes::ZERO && dies(used);
        let sizes: Vec<Bytes> = (step.uses.iter())
            .map(|used| problem.tensors[used.tensor.index()].size)
            .collect();
        let operand = step.uses.iter().position(is_read);
        let last = step
            .uses
            .last_mut()
            .filter(|last| last.writes > Bytes::ZERO);
        if let (Some(operand), Some(result)) = (operand, last) {
            // Different sizes are rare in programs, but possible.
            let is_same = sizes.last() == sizes.get(operand);
            if rng.chance(if is_same { 80 } else { 20 }) {
                result.takes_over = Some(operand);
            }
        }
    }
}

fn small_tensor(rng: &mut Rng, index: usize) -> Tensor {
    let has_home = rng.chance(40);
    let is_result = has_home && rng.chance(40);
    Tensor {
        name: format!("t{index}"),
        size: Bytes::new(rng.between(1, 3) as u64),
        alignment: Bytes::new(1),
        home: has_home.then_some(LevelId::new(1)),
        is_result,
        is_preloaded: has_home && !is_result && index.is_multiple_of(3),
        frozen: Vec::new(),
        within: None,
    }
}

/// Turns steps into a loop body. Tensors that outlive it cannot move inside.
fn repeat(problem: &mut LevelProblem, start: usize, end: usize, times: u64) {
    for step in &mut problem.steps[start..end] {
        step.repeats = times;
    }
    let inside = |step: usize| usize::from(start < step && step < end);
    problem.blocks = (0..=problem.steps.len()).map(inside).collect();
    for (tensor, lifetime) in problem.lifetimes().into_iter().enumerate() {
        let Some(lifetime) = lifetime else { continue };
        let is_carried =
            lifetime.start < start || lifetime.end > end || problem.tensors[tensor].home.is_some();
        let meets = lifetime.start < end && lifetime.end > start;
        if is_carried && meets && start + 1 < end {
            problem.tensors[tensor].frozen = vec![Interval::new(start + 1, end)];
        }
    }
}

/// A level whose reads cost as much as its writes; unbounded without a `capacity`.
#[must_use]
pub fn level(name: &str, capacity: Option<u64>, alignment: u64, port: Port) -> Level {
    Level {
        name: name.to_owned(),
        capacity: capacity.map(Bytes::new),
        alignment: Bytes::new(alignment),
        read: port,
        write: port,
    }
}

/// A fast level with a capacity, and an unbounded slow one.
#[must_use]
pub fn fast_and_slow(capacity: u64) -> Hierarchy {
    let port = |bandwidth: f64| Port {
        latency: 0,
        bandwidth,
    };
    Hierarchy {
        levels: vec![
            level("fast", Some(capacity), 1, port(64.0)),
            level("slow", None, 1, port(1.0)),
        ],
        ..Hierarchy::default()
    }
}

/// A step that reads a whole tensor in any level.
#[must_use]
pub fn reading(tensor: usize, size: u64, repeats: u64) -> LevelStep {
    let anywhere = TensorUse {
        accepted: Vec::new(),
        ..used(tensor, size, false)
    };
    LevelStep {
        repeats,
        uses: vec![anywhere],
        ..LevelStep::default()
    }
}

/// For each of `n_steps` steps, at random, whether it may be repeated, and until when.
pub fn random_repeatable(rng: &mut Rng, n_steps: usize) -> Vec<Repeatable> {
    let repeatable = (0..n_steps).map(|step| Repeatable {
        is_pure: rng.chance(80),
        until: rng.chance(20).then(|| rng.between(step, n_steps)),
        ..Repeatable::default()
    });
    repeatable.collect()
}

/// An engine that copies in one direction.
#[must_use]
pub fn engine(name: &str, link: (LevelId, LevelId)) -> CopyEngine {
    CopyEngine {
        name: name.to_owned(),
        links: vec![link],
    }
}

/// An intermediate tensor, which may be placed in any level.
#[must_use]
pub fn tensor(name: String, size: u64, alignment: u64) -> Tensor {
    Tensor {
        name,
        size: Bytes::new(size),
        alignment: Bytes::new(alignment),
        home: None,
        is_result: false,
        is_preloaded: false,
        frozen: Vec::new(),
        within: None,
    }
}

/// A use that reads or writes a whole tensor and accepts it in level 0, the device, only.
#[must_use]
pub fn used(tensor: usize, size: u64, writes: bool) -> TensorUse {
    let bytes = |is_it: bool| Bytes::new(if is_it { size } else { 0 });
    TensorUse {
        tensor: TensorId::new(tensor),
        reads: bytes(!writes),
        writes: bytes(writes),
        writes_all: writes,
        accepted: vec![LevelId::DEVICE],
        takes_over: None,
    }
}
