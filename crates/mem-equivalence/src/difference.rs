//! What two programs differ in.

use crate::program::Location;

/// What two programs differ in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What is observed, in the original and in the other program.
    pub observed: [Location; 2],
    /// What it is that is observed.
    pub what: Observed,
    /// Where what differs was computed, if it was.
    pub made: [Option<Location>; 2],
    /// The bytes that differ, from the start of what was computed or stored; `None`: all of it.
    pub bytes: Option<(i64, i64)>,
}

/// What outsiders see of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Observed {
    /// Which way control goes.
    Control,
    /// A value that decides it, or that is returned: which operand.
    Operand(usize),
    /// Memory when the function returns.
    Memory,
}
