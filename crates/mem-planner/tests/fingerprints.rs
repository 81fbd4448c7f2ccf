//! Plans stay the same, byte for byte, when the planners are rearranged.
//!
//! Each planner solves seeded random problems, and a fingerprint of all its answers is compared
//! with a recorded one. A change that is meant to alter plans alters fingerprints: record the new
//! ones, which the failing test prints. A change that is not meant to alter plans must leave them
//! alone.
//!
//! `FINGERPRINT_CASES` sets the number of problems of each kind. With any number but the default,
//! the fingerprints are printed and not compared, so that two versions can be compared on many
//! problems.

use std::collections::BTreeSet;
use std::fmt::Debug;

use mem_model::{
    Bytes, Hierarchy, Interval, LevelId, LevelProblem, LevelStep, Port, Problem, Size, TensorId,
};
use mem_planner::{
    Advice, CostModel, LevelStrategy, OffloadPolicy, PlanOptions, Repeatable, Repetition, Strategy,
    least_makespan, overlap, plan, plan_levels_with, plan_offload, plan_sizes, plan_swaps,
    repeated, widest_step,
};
use mem_testkit::{
    Rng, add_demands, cut_rectangle, engine, level, number, random_level_problem, random_problem,
    random_small_level_problem, tensor, used,
};

/// Number of problems of each kind that the recorded fingerprints cover.
const CASES: u64 = 12;

/// FNV-1a, 64 bits: stable across versions of the standard library.
struct Fingerprint(u64);

impl Fingerprint {
    fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    fn add(&mut self, answer: &impl Debug) {
        for byte in format!("{answer:?}\n").bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
}

/// Compares fingerprints with the recorded ones, or prints them if other problems were solved.
fn compare(found: &[(String, u64)], recorded: &[u64]) {
    let text: Vec<String> = found
        .iter()
        .map(|(name, print)| {
            let [a, b, c, d] = [48, 32, 16, 0].map(|shift| print >> shift & 0xFFFF);
            format!("            0x{a:04x}_{b:04x}_{c:04x}_{d:04x}, // {name}")
        })
        .collect();
    let text = text.join("\n");
    if number("FINGERPRINT_CASES", CASES) != CASES {
        println!("{text}");
        return;
    }
    let prints: Vec<u64> = found.iter().map(|(_, print)| *print).collect();
    assert_eq!(prints, recorded, "plans have changed; found\n{text}");
}

fn seeds() -> std::ops::Range<u64> {
    0..number("FINGERPRINT_CASES", CASES)
}

/// A problem of one of four kinds: lifetimes only, all constraints, tightly packed, and with a
/// capacity that may not suffice.
fn problem(seed: u64) -> Problem {
    let mut rng = Rng::new(seed);
    let mut problem = match seed % 4 {
        0 | 1 => random_problem(&mut rng, 60, 30),
        2 => cut_rectangle(&mut rng, 30, 40, 1000),
        _ => random_problem(&mut rng, 30, 12),
    };
    if seed % 4 == 1 {
        add_demands(&mut rng, &mut problem, 2000);
    }
    if seed % 4 == 3 {
        let bound = mem_planner::lower_bound(&problem).unwrap_or_default();
        problem.capacity = Some(Bytes::new(bound.get() + rng.below(8) as u64));
    }
    problem
}

#[test]
fn plans_of_one_level_are_as_recorded() {
    let options = PlanOptions::default().with_effort(100_000).with_threads(2);
    let mut found = Vec::new();
    for strategy in Strategy::ALL {
        let mut print = Fingerprint::new();
        for seed in seeds() {
            print.add(&plan(
                &problem(seed),
                strategy,
                &options.clone().with_seed(seed),
            ));
        }
        found.push((strategy.name().to_owned(), print.0));
    }
    let mut print = Fingerprint::new();
    for seed in seeds() {
        let mut rng = Rng::new(seed);
        let mut problem = random_problem(&mut rng, 20, 12);
        let times = |n: u64| Size::unknown(0).times(&Size::constant(n));
        let sizes: Vec<Size> = problem
            .items
            .iter()
            .map(|item| match rng.chance(60) {
                true => times(item.size.get()).expect("a small size"),
                false => Size::constant(item.size.get()),
            })
            .collect();
        problem.capacity = None;
        let planned = plan_sizes(&problem, &sizes, Strategy::Auto, &options);
        print.add(&planned.map(|own| (own.relative, own.example.1, own.worst_ratio)));
    }
    found.push(("sizes".to_owned(), print.0));
    compare(
        &found,
        &[
            0xfad0_964e_1184_997d, // auto
            0x4bb1_5a87_50db_0bd8, // exact
            0xeb32_4d9a_d657_36c7, // first-fit
            0x79d7_2243_1b9e_4d62, // genetic
            0xbec2_8f44_01d4_92fc, // greedy-by-conflict
            0x22c9_2efd_abfc_bf8a, // greedy-by-size
            0x3fe3_287c_0206_b58a, // lifetime-queue
            0xeb56_e9f6_bed9_d138, // tightest-first
            0x30b4_6a26_9e50_7659, // sizes
        ],
    );
}

#[test]
fn plans_over_levels_are_as_recorded() {
    let problem = |seed: u64| {
        let mut rng = Rng::new(seed);
        match seed % 3 {
            0 => random_small_level_problem(&mut rng),
            1 => random_level_problem(&mut rng, 8),
            _ => random_level_problem(&mut rng, 30),
        }
    };
    let strategies = LevelStrategy::ALL
        .into_iter()
        .chain([LevelStrategy::LocalSearch { segment: 2 }]);
    let mut found = Vec::new();
    for strategy in strategies {
        let mut print = Fingerprint::new();
        for seed in seeds() {
            // The exact search visits millions of states of the larger problems.
            if strategy == LevelStrategy::Exact && seed % 3 != 0 {
                continue;
            }
            let problem = problem(seed);
            for model in CostModel::ALL {
                let answer = plan_levels_with(&problem, strategy, model);
                print.add(&answer);
                if let Ok(answer) = answer {
                    print.add(&overlap(&problem, &answer.plan));
                }
            }
        }
        found.push((format!("{strategy:?}"), print.0));
    }
    compare(
        &found,
        &[
            0x1f77_b58d_f3d5_11ed, // Auto
            0x017d_f5f7_5b6f_dbf5, // Exact
            0xc3e0_928b_bbfc_6731, // Policy(Initial)
            0xd157_f7ce_462d_ac45, // Policy(LeastRecentlyUsed)
            0x2385_f478_cef6_8c2b, // Policy(FarthestNextUse)
            0xbd06_ad55_ad19_f46b, // Global
            0xd821_ce7d_49ef_a111, // LocalSearch { segment: 1 }
            0x0b52_c6a9_5d78_84ed, // LocalSearch { segment: 2 }
        ],
    );
}

/// Random steps that each write a tensor from earlier ones; a tensor may be written twice, and may
/// be frozen for some steps. Results may take over the bytes of their first operand.
fn program(rng: &mut Rng, n: usize) -> (LevelProblem, Vec<Repeatable>) {
    let sizes: Vec<u64> = (0..n).map(|_| 8 * rng.between(1, 3) as u64).collect();
    let (steps, repeatable) = steps(rng, &sizes);
    let mut tensors: Vec<_> = sizes
        .iter()
        .enumerate()
        .map(|(index, size)| tensor(format!("t{index}"), *size, 1))
        .collect();
    if rng.chance(30) {
        let start = rng.between(1, n);
        tensors[rng.below(n)].frozen = vec![Interval::new(start, start + 2)];
    }
    let problem = LevelProblem {
        hierarchy: device_and_host(rng),
        tensors,
        steps,
        blocks: Vec::new(),
    };
    // Keeps takeovers only where the operand is dead.
    let mut problem = repeated(&problem, &repeatable, &[]);
    // A budget between the need of the widest step and the peak.
    problem.hierarchy.levels[0].capacity = Some(Bytes::new(1 << 40));
    if let Some((widest, peak)) = mem_planner::widths(&problem) {
        let budget = widest + peak.saturating_sub(widest) * rng.below(90) as u64 / 100;
        problem.hierarchy.levels[0].capacity = Some(Bytes::new(budget));
    }
    (problem, repeatable)
}

/// A forward pass with one step per tensor, and a backward pass of as many steps.
fn steps(rng: &mut Rng, sizes: &[u64]) -> (Vec<LevelStep>, Vec<Repeatable>) {
    let n = sizes.len();
    let (mut steps, mut repeatable) = (Vec::new(), Vec::new());
    for step in 0..2 * n {
        let written = if step < n { step } else { rng.below(n) };
        let reads: BTreeSet<usize> = (0..rng.below(3))
            .map(|_| match step < n {
                true => rng.below(step.clamp(1, n)),
                // Backward passes read what forward passes wrote, in reverse order.
                false => (2 * n - 1 - step).saturating_sub(rng.below(2)),
            })
            .collect();
        let mut reads: Vec<usize> = reads.into_iter().filter(|own| *own != written).collect();
        reads.retain(|own| *own < step);
        let in_place = match reads.first() {
            Some(first) if sizes[*first] == sizes[written] => vec![(0, reads.len())],
            _ => Vec::new(),
        };
        let mut result = used(written, sizes[written], true);
        result.takes_over = in_place.first().map(|_| 0);
        let uses = reads.iter().map(|own| used(*own, sizes[*own], false));
        steps.push(LevelStep {
            cycles: rng.below(20) as u64,
            repeats: 1,
            uses: uses.chain([result]).collect(),
            ..LevelStep::default()
        });
        repeatable.push(Repeatable {
            is_pure: rng.chance(80),
            until: rng.chance(20).then(|| rng.between(step, 2 * n)),
            in_place,
        });
    }
    (steps, repeatable)
}

/// A device and a host, with one engine per direction or one for both.
fn device_and_host(rng: &mut Rng) -> Hierarchy {
    let (device, host) = (LevelId::new(0), LevelId::new(1));
    let port = |bandwidth: f64| Port {
        latency: 1,
        bandwidth,
    };
    let engines = match rng.chance(70) {
        true => vec![engine("in", (host, device)), engine("out", (device, host))],
        false => {
            let mut both = engine("both", (host, device));
            both.links.push((device, host));
            vec![both]
        }
    };
    Hierarchy {
        levels: vec![
            level("device", None, 1, port(1000.0)),
            level("host", None, 1, port([0.5, 1.0, 4.0][rng.below(3)])),
        ],
        engines,
        ..Hierarchy::default()
    }
}

/// The parts of an answer that are recorded in addition to the plan.
#[derive(Debug)]
#[expect(dead_code, reason = "the fingerprint is that of the debug output")]
struct Offload {
    repetitions: Vec<Repetition>,
    makespan: u64,
    ideal: u64,
    least: u64,
}

/// Types as they were when the fingerprints were recorded: a fingerprint is one of their debug text.
mod recorded {
    use mem_model::TensorUse;

    /// A step that sends no messages.
    #[derive(Debug)]
    #[expect(dead_code, reason = "printed for the fingerprint")]
    pub(super) struct LevelStep<'a> {
        pub name: &'a str,
        pub cycles: u64,
        pub repeats: u64,
        pub uses: &'a [TensorUse],
    }
}

#[test]
fn plans_within_a_budget_are_as_recorded() {
    let mut found = Vec::new();
    for policy in OffloadPolicy::ALL {
        let mut print = Fingerprint::new();
        for seed in seeds() {
            let mut rng = Rng::new(seed);
            // The last program has more than a hundred steps, which are planned less often.
            let n = if seed == 11 { 55 } else { rng.between(4, 24) };
            let (problem, repeatable) = program(&mut rng, n);
            let mut advice = Advice::default();
            if rng.chance(30) {
                advice.stay.insert(TensorId::new(rng.below(n)));
                advice.leave.insert(TensorId::new(rng.below(n)));
                advice.keep.insert(TensorId::new(rng.below(n)));
                advice
                    .leads
                    .insert((TensorId::new(rng.below(n)), rng.below(2 * n)), 5);
            }
            print.add(&widest_step(&problem, &advice));
            print.add(&least_makespan(&problem, &repeatable, 10_000));
            let answer = plan_offload(&problem, &repeatable, policy, &advice);
            let repetitions = answer.as_ref().map(|own| own.repetitions.clone());
            let repetitions = repetitions.unwrap_or_default();
            print.add(&answer.map(|own| Offload {
                repetitions: own.repetitions,
                makespan: own.makespan,
                ideal: own.ideal,
                least: own.least,
            }));
            let extended = repeated(&problem, &repeatable, &repetitions);
            // Without messages, steps are what they were when the fingerprints were recorded.
            let steps = extended.steps.iter().map(|own| recorded::LevelStep {
                name: &own.name,
                cycles: own.cycles,
                repeats: own.repeats,
                uses: &own.uses,
            });
            print.add(&steps.collect::<Vec<_>>());
            let swaps = plan_swaps(&extended, policy, &advice);
            print.add(&swaps);
        }
        found.push((policy.name().to_owned(), print.0));
    }
    compare(
        &found,
        &[
            0x91ea_98fc_0f77_5b1c, // auto
            0xaf6b_c63b_6629_4a90, // swap
            0xc331_3f0b_0401_587b, // recompute
            0x0775_a268_9a49_51f0, // checkpoints
            0x6c93_4290_d955_0a79, // farthest-next-use
        ],
    );
}
