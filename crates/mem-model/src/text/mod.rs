//! The text form of programs: readable, diffable, one thing a line, and exact: printing and
//! parsing again gives an equal program. A file starts with its version and holds any number of
//! programs, one a function.
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
//! What is rare comes behind what is usual, and is left out where there is none of it:
//!
//! ```text
//! buffer b3 "arg0" size 0 align 4 output external alias argument    # or reachable, unknown
//! symbol y0 "n" in bb1             # after the pointers: values that bounds and conditions
//! symbol y1 "p" in bb0 bb1         #   depend on, with the blocks that compute them
//! token t0 "copy"                  # after the symbols
//!     in-place p0 p1               # in a step: p1 may start where p0 does, and take over its bytes
//!     waits t0                     # in a step, before its accesses
//!     use p0 may 0..128 rows all 0..16 64..80     # only these bytes; all: all of them
//!     define p0 between all 16 y0+4 if y1 !y2     # bytes between two bounds; if all conditions hold
//!     use p1 may 0..64 must 0..64 async t0
//! ```
//!
//! Indentation means nothing. Ids are dense and in order; they are written for the reader and
//! checked. An access without `may` may touch anything its pointer reaches, one without `must`
//! nothing for sure. Strings are quoted; `\"`, `\\`, `\n`, `\r`, `\t` and `\u{hex}` are escapes.

mod lexer;
mod parse;
mod print;

pub use parse::parse_programs;
pub use print::print_programs;

use crate::ProgramError;

/// The version in the first line of a file.
const VERSION: u64 = 1;

/// Why a text is not a program, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{line}:{column}: {kind}")]
pub struct TextError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What is wrong.
    pub kind: TextErrorKind,
}

/// What can be wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextErrorKind {
    /// The reader would have to guess the format.
    #[error("expected the header 'mem-program {VERSION}'")]
    Header,
    /// Written by something newer, or by nothing.
    #[error("unknown version {0}; this is version {VERSION}")]
    Version(u64),
    /// Something else belongs here.
    #[error("expected {wanted}, found {found}")]
    Unexpected {
        /// What belongs here.
        wanted: &'static str,
        /// What is here instead.
        found: String,
    },
    /// Sizes and offsets have 64 bits.
    #[error("{0} is not a number below 2^64")]
    Number(String),
    /// Ids are counted in order, so that a reader can find them.
    #[error("expected id {wanted}, found {found}")]
    Id {
        /// The next id.
        wanted: String,
        /// The one that is here.
        found: String,
    },
    /// A string must end on its line.
    #[error("this string does not end on its line")]
    OpenString,
    /// Only the documented escapes exist.
    #[error("unknown escape in a string")]
    Escape,
    /// The file was cut off.
    #[error("the file ends inside a program")]
    Truncated,
    /// It can be read, but it is no program.
    #[error(transparent)]
    Program(#[from] ProgramError),
}
