//! Compares lifetimes with executions. Random programs are packed as tightly as their lifetimes
//! allow, in random order, and executed along random paths. Every read of defined bytes must see
//! the value that it would see if each instance had memory of its own.
//!
//! `ORACLE_CASES=200000 cargo test --release -p mem-flow --test oracle` runs more cases;
//! `ORACLE_SEED` sets the first seed, for example to replay a failure.

use mem_flow::{analyze_lifetimes, problem};
use mem_model::print_programs;
use mem_testkit::{Rng, execute, number, pack_tightly, random_program};

#[test]
fn programs_read_the_same_as_in_unbounded_memory() {
    let first = number("ORACLE_SEED", 0);
    let (mut n_rotating, mut n_shared, mut n_parts) = (0, 0, 0);
    for seed in first..first + number("ORACLE_CASES", 2000) {
        let mut rng = Rng::new(seed);
        let size = 4 + seed as usize % 30;
        let program = random_program(&mut rng, size);
        let lifetimes = analyze_lifetimes(&program).expect("generated programs are valid");
        n_rotating += usize::from(!lifetimes.rotations.is_empty());
        let problem = problem(&program, &lifetimes);
        n_parts += usize::from(problem.items.iter().any(|item| !item.is_whole()));
        let plan = pack_tightly(&problem, &mut rng);
        let sum: u64 = problem.items.iter().map(|item| item.size.get()).sum();
        n_shared += usize::from(plan.peak.get() < sum);
        for path in 0..4 {
            if let Err(wrong) = execute(&program, &lifetimes.rotations, &plan, &mut rng, 100) {
                let text = print_programs(std::slice::from_ref(&program));
                panic!("seed {seed}, path {path}: {wrong:?}\n{text}\n{plan:?}\n{lifetimes:?}");
            }
        }
    }
    assert!(
        n_shared > 0 && n_rotating > 0 && n_parts > 0,
        "the generator makes nothing of interest"
    );
    println!(
        "{n_rotating} programs rotate, {n_shared} share memory, {n_parts} by parts of buffers"
    );
}
