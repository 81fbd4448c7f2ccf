//! Compares dependences with executions. Random programs run byte by byte along random paths; what
//! each use sees, and what code outside sees at the end, must be among the answers of the analysis.
//!
//! `ORACLE_CASES=1000000 cargo test --release -p mem-flow --test dependence_oracle` runs more
//! cases; `ORACLE_SEED` sets the first seed, for example to replay a failure.

#[path = "support/oracle.rs"]
mod oracle;

use std::collections::{BTreeMap, BTreeSet};

use mem_flow::dependence::{AccessId, Options, Source, analyze_dependence};
use mem_model::{BufferId, StepId, print_programs};
use mem_testkit::{
    Features, Observer, Origin, Rng, Run, all_paths, number, observe, random_dependence_program,
};
use oracle::{check, check_tape, source_of};

#[test]
fn nothing_that_an_execution_sees_is_missing() {
    let first = number("ORACLE_SEED", 0);
    for seed in first..first + number("ORACLE_CASES", 3000) {
        let mut rng = Rng::new(seed);
        let features = Features::random(&mut rng);
        let program = random_dependence_program(&mut rng, 3 + seed as usize % 25, features);
        check(
            &format!("seed {seed}"),
            &program,
            &mut rng,
            Options::default(),
        );
    }
}

#[test]
fn nothing_is_missing_when_budgets_are_hit() {
    let first = number("ORACLE_SEED", 0);
    for seed in first..first + number("ORACLE_CASES", 3000) / 10 {
        let mut rng = Rng::new(seed);
        let program = random_dependence_program(&mut rng, 3 + seed as usize % 25, Features::ALL);
        let options = Options {
            max_search: 1 + seed as usize % 4,
        };
        check(&format!("seed {seed}"), &program, &mut rng, options);
    }
}

/// Runs the fuzz target's check on random tapes, without coverage feedback.
#[test]
fn nothing_is_missing_in_programs_from_tapes() {
    let first = number("ORACLE_SEED", 0);
    for seed in first..first + number("ORACLE_CASES", 3000) / 3 {
        let mut rng = Rng::new(seed);
        let tape: Vec<u8> = (0..rng.below(400)).map(|_| rng.bits() as u8).collect();
        check_tape(&tape);
    }
}

#[test]
fn the_uses_of_some_definitions_are_those_of_the_chains() {
    let first = number("ORACLE_SEED", 0);
    for seed in first..first + number("ORACLE_CASES", 3000) / 10 {
        let mut rng = Rng::new(seed);
        let features = Features::random(&mut rng);
        let program = random_dependence_program(&mut rng, 3 + seed as usize % 25, features);
        let dependence = analyze_dependence(&program, Options::default());
        let is_wanted = |step: StepId| step.index() as u64 % 3 != seed % 3;
        let of_chains = dependence.chains().uses.into_iter();
        let expected: Vec<_> = of_chains
            .filter(|(definition, _)| is_wanted(definition.step))
            .flat_map(|(definition, uses)| uses.into_iter().map(move |own| (definition, own)))
            .collect();
        assert_eq!(dependence.uses_of(is_wanted), expected, "seed {seed}");
    }
}

/// Collects the sources that each use sees.
#[derive(Default)]
struct Seen(BTreeMap<AccessId, BTreeSet<(BufferId, Source, u64)>>);

impl Observer for Seen {
    fn read(&mut self, step: StepId, index: u32, buffer: BufferId, byte: u64, from: (Origin, u64)) {
        let uses = self.0.entry(AccessId { step, index }).or_default();
        uses.insert((buffer, source_of(from.0), byte));
    }

    fn observe(&mut self, _: BufferId, _: u64, _: Origin) {}
}

#[test]
fn straight_lines_and_joins_get_exactly_the_contents_of_their_paths() {
    let first = number("ORACLE_SEED", 0);
    let mut n_compared = 0;
    for seed in first..first + number("ORACLE_CASES", 3000) {
        let mut rng = Rng::new(seed);
        let size = 3 + seed as usize % 15;
        let program = random_dependence_program(&mut rng, size, Features::EXACT);
        let Some(paths) = all_paths(&program, 200) else {
            continue;
        };
        let mut seen = Seen::default();
        for path in &paths {
            let run = Run {
                path: Some(path),
                n_steps: usize::MAX,
            };
            observe(&program, &run, &mut rng, &mut seen);
        }
        let dependence = analyze_dependence(&program, Options::default());
        for (id, seen) in seen.0 {
            let mut found = BTreeSet::new();
            for reaching in dependence.reaching(id) {
                for bytes in reaching.bytes.iter() {
                    let bytes = bytes.start.get()..bytes.end.get();
                    found.extend(bytes.map(|byte| (reaching.buffer, reaching.source, byte)));
                }
            }
            if found != seen {
                let text = print_programs(std::slice::from_ref(&program));
                panic!("seed {seed}, {id:?}: found {found:?}, seen {seen:?}\n{text}");
            }
            n_compared += 1;
        }
        assert_eq!(dependence.limits(), []);
    }
    assert!(n_compared > 0);
}
