//! Random programs that two ranks run at the same time: planned with random options, with messages
//! beside computation or not, and interpreted before and after. Everything that both ranks write and
//! return has to stay the same, whatever the library chooses. A program that ends without buffers of
//! the library still does; one that does not end was one before.
//!
//! `EXCHANGES_CASES` and `EXCHANGES_SEED` set the number of programs and the first seed;
//! `EXCHANGES_PRINT=1` prints the programs.

use melior::Context;
use melior::ir::Module;
#[path = "common/mlir.rs"]
mod mlir;

use mem_testkit::{MlirShape, Rng, number, random_exchanges};
use mem_tools::interpret::{Fault, Outcome, Sends, interpret_ranks};
use mlir::{context, copy_of, for_each_seed, run, said, same_outcome, warned, why};

const SENDS: [Sends; 2] = [Sends::Synchronous, Sends::Buffered];

/// The outcome of a program on two ranks, if it is the same whatever is left open. `None`: a deadlock.
fn outcome(module: &Module, sends: Sends, seed: u64) -> Result<Option<Vec<Outcome>>, String> {
    let execute = |settings| match interpret_ranks(module, "main", (2, sends), settings) {
        Err(Fault::Deadlock) => Ok(None),
        outcomes => outcomes.map(Some),
    };
    same_outcome(seed, execute).map_err(|fault| format!("{sends:?}: {}", why(fault)))
}

/// Random options for planning, and whether a plan is guaranteed to exist.
fn options(rng: &mut Rng, shape: MlirShape) -> (String, bool) {
    let strategies = ["auto", "first-fit", "greedy-by-size", "tightest-first"];
    let strategy = rng.pick(&strategies).unwrap_or("auto");
    let overlap = rng
        .pick(&["off", "keep", "keep", "any", "any"])
        .unwrap_or("any");
    let order = rng.pick(&["keep", "auto"]).unwrap_or("keep");
    let (optimize, noalias) = (rng.chance(70), rng.chance(50) && !shape.aliasing);
    let common =
        format!("optimize={optimize} noalias-arguments={noalias} overlap={overlap} order={order}");
    match rng.below(4) {
        0 => {
            let budget = rng.between(64, 800);
            (
                format!("hierarchy=gpu budget={budget} spaces=none {common}"),
                false,
            )
        }
        1 => (format!("hierarchy=npu spaces=none {common}"), true),
        _ => (format!("strategy={strategy} {common}"), true),
    }
}

/// What was found out about all programs.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    planned: u64,
    validated: u64,
    /// Programs that wait forever unless the library keeps copies.
    deadlocks: u64,
    /// Of those, the ones that do not any more.
    dissolved: u64,
    /// Programs with more requests than before.
    overlapped: u64,
}

impl Counts {
    fn add(&mut self, other: Self) {
        self.planned += other.planned;
        self.validated += other.validated;
        self.deadlocks += other.deadlocks;
        self.dissolved += other.dissolved;
        self.overlapped += other.overlapped;
    }
}

fn n_requests(module: &Module) -> usize {
    let text = module.as_operation().to_string();
    text.matches("mpi.isend").count() + text.matches("mpi.irecv").count()
}

/// Tests one program.
fn check(context: &Context, seed: u64) -> Result<Counts, String> {
    let mut rng = Rng::new(seed);
    let shape = MlirShape {
        n_statements: 2 + seed as usize % 24,
        own_operations: seed.is_multiple_of(3),
        aliasing: seed.is_multiple_of(2),
    };
    let text = random_exchanges(&mut rng, shape);
    if number("EXCHANGES_PRINT", 0) > 0 {
        println!("// seed {seed}\n{text}// END");
    }
    let (options, has_plan) = options(&mut rng, shape);
    let failure = |report: String| format!("seed {seed}: {options}: {report}\n{text}");
    let original = Module::parse(context, &text);
    let mut original = original.ok_or_else(|| failure(format!("not valid: {}", said())))?;
    // Branches and loops between blocks: requests are waited for in other blocks than they start in.
    let has_blocks = rng.chance(25);
    if has_blocks {
        run(context, &mut original, "convert-scf-to-cf").map_err(failure)?;
    }
    let mut wanted = Vec::new();
    for sends in SENDS {
        wanted.push(outcome(&original, sends, seed).map_err(failure)?);
    }
    let mut counts = Counts::default();
    counts.deadlocks += u64::from(wanted[0].is_none());
    let mut planned = copy_of(&original);
    warned();
    let pipeline = format!("mem-default-pipeline{{{options}}}");
    if let Err(error) = run(context, &mut planned, &pipeline) {
        let is_refused =
            !has_plan && !error.contains("internal") && !error.contains("mem-validate");
        return match is_refused {
            true => Ok(counts),
            false => Err(failure(error)),
        };
    }
    counts.planned += 1;
    counts.validated += u64::from(warned().is_empty());
    counts.overlapped += u64::from(n_requests(&planned) > n_requests(&original));
    for passes in ["", "convert-mem-to-memref"] {
        if !passes.is_empty() {
            run(context, &mut planned, passes).map_err(failure)?;
        }
        for (sends, wanted) in SENDS.into_iter().zip(&wanted) {
            let now = || planned.as_operation().to_string();
            let found = outcome(&planned, sends, seed);
            let found = found.map_err(|fault| failure(format!("{passes}: {fault}\n{}", now())))?;
            if wanted.is_none() {
                counts.dissolved += u64::from(found.is_some() && passes.is_empty());
            } else if found != *wanted {
                let what = if found.is_none() {
                    "a deadlock"
                } else {
                    "another outcome"
                };
                return Err(failure(format!("{sends:?}: {passes}: {what}\n{}", now())));
            }
        }
    }
    Ok(counts)
}

#[test]
fn planned_ranks_keep_their_behavior() {
    let (first, n_cases) = (number("EXCHANGES_SEED", 0), number("EXCHANGES_CASES", 200));
    let (mut counts, mut failures) = (Counts::default(), Vec::new());
    for found in for_each_seed(first..first + n_cases, check) {
        match found {
            Ok(own) => counts.add(own),
            Err(failure) => failures.push(failure),
        }
    }
    println!("{n_cases} programs: {counts:?}");
    for failure in failures.iter().take(5) {
        println!("// FAILED: {failure}\n");
    }
    let n_failures = failures.len();
    assert!(failures.is_empty(), "{n_failures} of {n_cases} programs");
    if n_cases >= 100 {
        assert!(counts.planned * 2 > n_cases);
        assert!(counts.validated * 10 > counts.planned * 9);
        assert!(counts.overlapped * 10 > counts.planned);
        assert!(counts.deadlocks > 0);
    }
}

/// The outcome of a program on two ranks, or what is wrong with it.
fn interpreted(body: &str, sends: Sends) -> Result<Option<Vec<Outcome>>, String> {
    interpreted_with(body, sends, 7)
}

fn interpreted_with(body: &str, sends: Sends, seed: u64) -> Result<Option<Vec<Outcome>>, String> {
    let text = format!(
        "func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {{ \
         %world = mpi.comm_world : !mpi.comm %tag = arith.constant 0 : i32 \
         %one = arith.constant 1 : i32 %rank = mpi.comm_rank(%world) : i32 \
         %peer = arith.subi %one, %rank : i32 %v = arith.constant 1.0 : f32 \
         %first = arith.cmpi eq, %rank, %tag : i32 {body} return }}"
    );
    let context = context();
    let module = Module::parse(&context, &text).unwrap_or_else(|| panic!("{}", said()));
    outcome(&module, sends, seed)
}

const SEND: &str = "mpi.send(%x, %tag, %peer, %world) : memref<8xf32>, i32, i32 ";
const RECEIVE: &str = "mpi.recv(%y, %tag, %peer, %world) : memref<8xf32>, i32, i32 ";
const START_SEND: &str =
    "%s = mpi.isend(%x, %tag, %peer, %world) : memref<8xf32>, i32, i32 -> !mpi.request ";
const START_RECEIVE: &str =
    "%r = mpi.irecv(%y, %tag, %peer, %world) : memref<8xf32>, i32, i32 -> !mpi.request ";
const WAIT_SEND: &str = "mpi.wait(%s) : !mpi.request ";
const WAIT_RECEIVE: &str = "mpi.wait(%r) : !mpi.request ";

/// Ranks exchange what they have, whatever the order in which they do so.
#[test]
fn messages_arrive() {
    let bodies = [
        format!("scf.if %first {{ {SEND} {RECEIVE} }} else {{ {RECEIVE} {SEND} }} "),
        format!("{START_SEND} {RECEIVE} {WAIT_SEND}"),
        format!("{START_RECEIVE} {SEND} {WAIT_RECEIVE}"),
        format!("{START_SEND} {START_RECEIVE} {WAIT_RECEIVE} {WAIT_SEND}"),
        // Each rank waits in another order.
        format!(
            "{START_SEND} {START_RECEIVE} %a = arith.select %first, %s, %r : !mpi.request \
             %b = arith.select %first, %r, %s : !mpi.request \
             mpi.wait(%a) : !mpi.request mpi.wait(%b) : !mpi.request "
        ),
    ];
    for sends in SENDS {
        for body in &bodies {
            let outcomes = interpreted(body, sends).expect(body).expect(body);
            let [first, second] = &outcomes[..] else {
                panic!("{body}: not two ranks");
            };
            assert_ne!(first.arguments[0], second.arguments[0], "{body}");
            assert_eq!(first.arguments[1], second.arguments[0], "{body}");
            assert_eq!(second.arguments[1], first.arguments[0], "{body}");
        }
    }
}

/// Unless the library keeps copies, both ranks wait until the other one receives.
#[test]
fn ranks_that_send_first_wait_forever() {
    let body = format!("{SEND} {RECEIVE}");
    assert_eq!(interpreted(&body, Sends::Synchronous), Ok(None));
    assert!(
        interpreted(&body, Sends::Buffered)
            .expect("no fault")
            .is_some()
    );
    for sends in SENDS {
        let body = format!("{RECEIVE} {SEND}");
        assert_eq!(interpreted(&body, sends), Ok(None));
        // The message for which a rank waits is one that it has not sent.
        let body = format!("{START_RECEIVE} {WAIT_RECEIVE} {SEND}");
        assert_eq!(interpreted(&body, sends), Ok(None));
        let body = "scf.if %first { mpi.barrier(%world) } ";
        assert_eq!(interpreted(body, sends), Ok(None));
    }
}

/// What races with a message, is seen to depend on when it travels.
#[test]
fn races_are_seen() {
    let fill = |name: &str| format!("linalg.fill ins(%v : f32) outs({name} : memref<8xf32>) ");
    let copy = "memref.copy %y, %x : memref<8xf32> to memref<8xf32> ";
    let bodies = [
        format!("{START_SEND} {} {RECEIVE} {WAIT_SEND}", fill("%x")),
        format!("{START_RECEIVE} {SEND} {} {WAIT_RECEIVE}", fill("%y")),
        format!("{START_RECEIVE} {SEND} {copy} {WAIT_RECEIVE}"),
    ];
    for body in &bodies {
        // One of a few seeds has to tell the times apart.
        let mut seeds = 0..16;
        let seen = seeds.any(|seed| interpreted_with(body, Sends::Synchronous, seed).is_err());
        assert!(seen, "{body}");
    }
    let twice = format!("{START_SEND} {RECEIVE} {WAIT_SEND} {WAIT_SEND}");
    let never = format!("{START_SEND} {RECEIVE}");
    for (body, fault) in [(twice, "twice"), (never, "never waited for")] {
        let found = interpreted(&body, Sends::Buffered);
        assert!(found.is_err_and(|text| text.contains(fault)), "{body}");
    }
}
