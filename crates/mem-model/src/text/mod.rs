//! The text form of programs: readable, diffable, one entity per line, and lossless: parsing
//! printed text yields an equal program. A file starts with the version of the format and holds any
//! number of programs, one per function.
//!
//! ```text
//! mem-program 1
//! # Comments and blank lines may be anywhere.
//! program "main"
//! buffer b0 "x" size 128 align 64 input external loc "a.mlir:3:5"
//! buffer b1 "t" size 128 align 64 intermediate planned
//! buffer b2 "u" size 64 align 64 constant placed "sram" 2048
//! pointer p0 "x" buffer b0 size 128
//! pointer p1 "t" buffer b1 size 128
//! pointer p2 "either" merge
//! region r0 function
//! region r1 loop in r0
//! block bb0 in r0
//!   step s0 "memref.alloc"
//!     allocates b1
//!   step s1 "linalg.copy" cycles 900 core 1 loc "a.mlir:4:5"
//!     use p0 may 0..128 must 0..128
//!     define p1 may 0..128 must 0..128
//!   edge bb1
//!     bind p2 = p0 p1
//! block bb1 in r1
//!   step s2 "read"
//!     use p2
//! end
//! ```
//!
//! Optional clauses follow the mandatory ones and are omitted if empty:
//!
//! ```text
//! buffer b3 "arg0" size 0 align 4 output external alias argument    # or reachable, unknown
//! symbol y0 "n" in bb1             # after the pointers: values that bounds and predicates
//! symbol y1 "p" in bb0 bb1         #   depend on, with the blocks that compute them
//! token t0 "copy"                  # after the symbols
//!     in-place p0 p1               # in a step: p1 may take over the bytes of p0
//!     waits t0                     # in a step, before its accesses
//!     use p0 may 0..128 rows all 0..16 64..80     # only these bytes; all: every one of them
//!     define p0 between all 16 y0+4 if y1 !y2     # bytes between two bounds; if all conditions hold
//!     use p1 may 0..64 must 0..64 async t0
//! ```
//!
//! Indentation is not significant. Ids are dense and in order; they are spelled out for the reader
//! and checked by the parser. An access without `may` may touch any byte that its pointer reaches;
//! an access without `must` is not known to touch any. Strings are quoted, with the escapes `\"`,
//! `\\`, `\n`, `\r`, `\t` and `\u{hex}`.
//!
//! The module `levels` defines the text forms of problems over several levels and of their plans,
//! and the module `operations` that of operation graphs; they share the lexer and the errors.

mod levels;
mod lexer;
mod lines;
mod operations;
mod parse;
mod print;

pub use levels::{
    FunctionLevelPlan, FunctionLevels, parse_level_plans, parse_level_problems, print_level_plans,
    print_level_problems,
};
pub use operations::parse_operation_graph;
pub use parse::parse_programs;
pub use print::print_programs;

use crate::{LevelProblemError, ProgramError, TensorId};

/// Name of the format, in the first line of a file.
const FORMAT: &str = "mem-program";

/// Format version, in the first line of a file.
const VERSION: u64 = 1;

/// The text forms, by the first word of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TextFormat {
    /// Programs: `mem-program`.
    Programs,
    /// Problems over several levels: `mem-levels`.
    LevelProblems,
    /// Plans over several levels: `mem-level-plans`.
    LevelPlans,
}

impl TextFormat {
    /// Returns the format that the header of `text` states.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let without_comment = |line: &str| -> usize { line.find('#').unwrap_or(line.len()) };
        let mut words = text
            .lines()
            .flat_map(|line| line[..without_comment(line)].split_whitespace());
        match words.next()? {
            FORMAT => Some(Self::Programs),
            levels::PROBLEMS => Some(Self::LevelProblems),
            levels::PLANS => Some(Self::LevelPlans),
            _ => None,
        }
    }
}

/// Why a text is not a valid program, problem or plan, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {kind}")]
pub struct TextError {
    /// Line number, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The kind of error.
    pub kind: TextErrorKind,
}

/// The kinds of errors in a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextErrorKind {
    /// The file does not state its format.
    #[error("expected the header '{format} {version}'")]
    Header {
        /// Name of the format.
        format: &'static str,
        /// Supported version.
        version: u64,
    },
    /// The file has an unsupported version.
    #[error("unknown version {found}; this is version {version}")]
    Version {
        /// Version of the file.
        found: u64,
        /// Supported version.
        version: u64,
    },
    /// Another token was expected.
    #[error("expected {wanted}, found {found}")]
    Unexpected {
        /// The expected token.
        wanted: &'static str,
        /// The actual token.
        found: String,
    },
    /// Sizes and offsets have 64 bits.
    #[error("{0} is not a number below 2^64")]
    Number(String),
    /// Ids are consecutive, so that a reader can find them.
    #[error("expected id {wanted}, found {found}")]
    Id {
        /// The next id in order.
        wanted: String,
        /// The actual id.
        found: String,
    },
    /// A string must end on the line on which it starts.
    #[error("this string does not end on its line")]
    OpenString,
    /// Only the documented escapes are valid.
    #[error("unknown escape in a string")]
    Escape,
    /// The file is truncated.
    #[error("the file ends before 'end'")]
    Truncated,
    /// References are to entities that precede them.
    #[error("there is no {0}")]
    Unknown(String),
    /// Plans refer to problems by the name of their function.
    #[error("there is another function '{0}'")]
    Duplicate(String),
    /// A plan repeats names of its problem, so that a plan of another problem is detected.
    #[error("{entity} has another name in the problem: '{wanted}'")]
    Name {
        /// Id of the entity.
        entity: String,
        /// Its name in the problem.
        wanted: String,
    },
    /// Repetitions are listed in execution order, and repeat steps that were executed before.
    #[error("this repetition is out of order, or repeats a step that has not been executed")]
    Repetition,
    /// An operation graph has no inputs.
    #[error("{0} is read before an operation writes it")]
    Unwritten(TensorId),
    /// The text is well-formed, but the program is not.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The text is well-formed, but the problem is not.
    #[error(transparent)]
    Levels(#[from] LevelProblemError),
}
