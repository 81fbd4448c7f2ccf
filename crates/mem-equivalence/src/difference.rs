//! Observable differences between two programs.

use crate::program::Location;

/// An observable difference between two programs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Location of the observation, in the original and in the planned program.
    pub observed: [Location; 2],
    /// The kind of observation that differs.
    pub what: Observed,
    /// Locations of the steps that computed the differing values, in the original and in the
    /// planned program, if known.
    pub made: [Option<Location>; 2],
    /// Bytes `[start, end)` that differ, relative to the start of the planned program's value;
    /// `None`: the whole value.
    pub bytes: Option<(i64, i64)>,
}

/// Externally observable behavior of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// The path that control takes.
    Control,
    /// An operand of a terminator, by index: a value that decides the path or is returned. Indices
    /// after the last operand stand for the final contents of arguments without aliases.
    Operand(usize),
    /// Externally reachable memory at return.
    Memory,
    /// The operands of a call or another step with arbitrary effects, or memory when it is
    /// executed.
    Event,
    /// The exchanges with other programs and the frees of storage from outside on the way to a return, and their
    /// order.
    Exchanged,
    /// An earlier exchange is waited for before this one, unlike in the original. If another
    /// program takes part in this one first, both wait forever.
    Awaited,
}
