//! Points of a program: two a step. At its *early* point a step reads, at its *late* point it
//! writes, as register allocators number them. An operand that dies at a step and a result born
//! there overlap exactly if the operand is kept until the late point, which is what happens
//! unless the operation works in place.

use crate::{Interval, StepId};

/// An early or late point of a step; ordered by layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u64);

impl Point {
    /// Where `step` reads.
    #[must_use]
    pub const fn early(step: StepId) -> Self {
        Self(2 * step.index() as u64)
    }

    /// Where `step` writes.
    #[must_use]
    pub const fn late(step: StepId) -> Self {
        Self(2 * step.index() as u64 + 1)
    }

    /// The step it belongs to.
    #[must_use]
    pub fn step(self) -> StepId {
        StepId::new((self.0 / 2) as usize)
    }

    /// Whether this is the late point of its step.
    #[must_use]
    pub const fn is_late(self) -> bool {
        self.0 % 2 == 1
    }

    /// The point after: the exclusive end of an interval that includes this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Position among all points, from 0.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.0
    }
}

impl Interval<Point> {
    /// From the early point of `first` to the late point of `last`, both included.
    #[must_use]
    pub const fn of_steps(first: StepId, last: StepId) -> Self {
        Self {
            start: Point::early(first),
            end: Point::late(last).next(),
        }
    }

    /// The first and the last step with a point inside; `None` if empty.
    #[must_use]
    pub fn steps(self) -> Option<(StepId, StepId)> {
        let last = Point(self.end.0.checked_sub(1)?);
        (!self.is_empty()).then(|| (self.start.step(), last.step()))
    }
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let side = if self.is_late() { "late" } else { "early" };
        write!(f, "{side}({})", self.0 / 2)
    }
}
