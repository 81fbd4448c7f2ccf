//! The text form of problems over several levels, and of their plans: one entity per line, and
//! lossless. A file holds any number of functions, each with one problem or plan.
//!
//! # Problems
//!
//! ```text
//! mem-levels 1
//! problem "main"
//! compute 1024
//! preloaded
//! level "sram" capacity 4096 align 64 read latency 2 bandwidth 64 write latency 2 bandwidth 64
//! level "dram" align 64 read latency 100 bandwidth 8 write latency 100 bandwidth 8
//! engine "in" link "dram" "sram"
//! operand "linalg.matmul" 1 in "sram"
//! tensor t0 "x" size 1024 align 64 home "dram" preloaded
//! tensor t1 "y" size 1024 align 64 frozen 1..2 within 0..2
//! tensor t2 "z" size 1024 align 64 home "dram" result
//! step s0 "linalg.exp" cycles 16 repeats 4
//!   use t0 reads 1024
//!   use t1 writes 1024 all in "sram" takes-over t0
//! step s1 "linalg.matmul" cycles 64
//!   use t1 reads 1024
//!   use t2 reads 1024 writes 1024
//! end
//! ```
//!
//! * Sizes, capacities, alignments and amounts are in bytes, latencies and `cycles` in cycles,
//!   bandwidths in bytes per cycle, and `compute` in operations per cycle. A speed of 0, and a
//!   missing `compute`, mean "unspecified". A level without `capacity` is unbounded.
//! * Levels are listed from the fastest to the slowest and referred to by name. `read` and `write`
//!   are the ports of a level, `link` the directions of an engine, from source to destination.
//! * `home` is the level of storage that exists before the first step; `result`: the home is up to
//!   date after the last; `preloaded`: the first load is free. `frozen` lists steps before which
//!   the tensor must not be transferred, `within` the block to which it is local; intervals are
//!   half-open.
//! * A step executes `repeats` times, by default once; `cycles` is the time of one execution. A use
//!   without `in` accepts the tensor in every level; `all` states that the step leaves none of the
//!   previous contents; `takes-over` names a tensor of the same step that dies there and whose
//!   bytes may be reused.
//! * Of the cycles of a step, it waits for messages of other ranks in those that `waits` states: as
//!   long as the serial model assumes. `starts m0 link 74` starts a message that occupies the link for
//!   74 cycles, `awaits m0` waits for it, `awaits all` for all that have been started, and
//!   `blocks link 74` occupies the link and waits. `copies m0` starts a copy of the tensor that the step reads
//!   to the one that it writes, which an engine makes if one works between their levels; steps wait for it
//!   as for a message. These clauses follow `cycles` and `repeats`. Lines
//!   such as `rank-link "network" latency 10 bandwidth 25 duplex` after the hierarchy name links; then
//!   `on "network"` states that of a message, and `out` or `in` its direction if only one of a duplex
//!   link is occupied.
//! * Either all steps and `end` have the clause `block N`, or none has. A transfer completes in the
//!   block in which it is issued. `block alone` denotes a block that contains no other gap.
//!
//! A problem that is to be planned within a budget states the roles of its levels and the policy,
//! after the hierarchy:
//!
//! ```text
//! offload device "hbm" host "ram" policy auto
//! step s0 "linalg.exp" cycles 16 pure until s7
//!   use t0 reads 1024
//!   use t1 writes 1024 all
//!   in-place t0 t1
//! stay t0 t4
//! leave t2
//! keep t3
//! lead t4 before s9 cycles -12
//! end
//! ```
//!
//! A step that is `pure` may be repeated, but not after the step `until`. `in-place` names an operand
//! and a result that may take over its bytes. Tensors that `stay` are pinned to the device, those
//! that `leave` are on the host between uses, and those to `keep` are not recomputed. A `lead` brings
//! the copy of a tensor forward that a step waits for.
//!
//! # Plans
//!
//! ```text
//! mem-level-plans 1
//! plan "main" strategy "global" lower-bound 900 cost 1000
//! repeat s0 before s4
//! placement p0 t0 "x" in "dram" home steps 0..3
//! placement p1 t0 "x" in "sram" at 128 steps 0..1
//! step s0 "linalg.exp" uses p1 p2
//! transfer p0 to p1 before s0
//! transfer p2 to p3 before s2 until end moves
//! end
//! ```
//!
//! Steps with repetitions are numbered in execution order. Names are those of the problem, and the
//! parser checks them. A transfer without `until` is synchronous; one that `moves` invalidates its
//! source. The lower bound (0: unknown) and the cost are in cycles; the plan claims both.

mod plan;
mod print;
mod problem;

pub use plan::{parse_level_plans, print_level_plans};
pub use print::print_level_problems;
pub use problem::parse_level_problems;

use crate::{LevelPlan, LevelProblem, LevelProblemError, OffloadInput, Repetition};

/// Name of the format of problems, in the first line of a file.
pub(super) const PROBLEMS: &str = "mem-levels";

/// Name of the format of plans, in the first line of a file.
pub(super) const PLANS: &str = "mem-level-plans";

/// Version of both formats.
const VERSION: u64 = 1;

/// The problem of one function.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionLevels {
    /// Name of the function.
    pub function: String,
    /// The problem.
    pub problem: LevelProblem,
    /// Input of planning within a budget; `None` if the problem has no budget.
    pub offload: Option<OffloadInput>,
}

impl FunctionLevels {
    /// Checks that the problem and the input of planning within a budget are well-formed.
    ///
    /// # Errors
    /// The first violation found.
    pub fn validate(&self) -> Result<(), LevelProblemError> {
        self.problem.validate()?;
        match &self.offload {
            Some(offload) => offload.validate(&self.problem),
            None => Ok(()),
        }
    }
}

/// The plan of one function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FunctionLevelPlan {
    /// Name of the function.
    pub function: String,
    /// Name of the strategy that found the plan.
    pub strategy: String,
    /// Claimed lower bound in cycles; 0 if unknown. With a budget, the bound is on the makespan,
    /// otherwise on the serial cost.
    pub lower_bound: u64,
    /// Repeated steps, in execution order. The steps of `plan` include them.
    pub repetitions: Vec<Repetition>,
    /// The plan.
    pub plan: LevelPlan,
}

/// Returns the step of the program that each step of a program with repetitions executes.
/// Repetitions are in ascending order of the steps that they precede.
fn executed(n_steps: usize, repetitions: &[Repetition]) -> Vec<usize> {
    let mut next = repetitions.iter().peekable();
    let mut executed = Vec::with_capacity(n_steps + repetitions.len());
    for step in 0..n_steps {
        while let Some(again) = next.next_if(|next| next.before <= step) {
            executed.push(again.step);
        }
        executed.push(step);
    }
    executed
}
