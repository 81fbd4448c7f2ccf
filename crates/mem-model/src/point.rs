//! Program points, two per step. A step reads its operands at its *early* point and writes its
//! results at its *late* point, as in the numbering that register allocators use. An operand that
//! dies at a step overlaps a result defined there exactly if the operand is live up to the late
//! point. That is the case unless the operation works in place.

use crate::{Interval, StepId};

/// The early or the late point of a step, ordered by layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(u64);

impl Point {
    /// The point at which `step` reads.
    #[must_use]
    pub const fn early(step: StepId) -> Self {
        Self(2 * step.index() as u64)
    }

    /// The point at which `step` writes.
    #[must_use]
    pub const fn late(step: StepId) -> Self {
        Self(2 * step.index() as u64 + 1)
    }

    /// Returns the step that the point belongs to.
    #[must_use]
    pub fn step(self) -> StepId {
        StepId::new((self.0 / 2) as usize)
    }

    /// Whether the point is the late point of its step.
    #[must_use]
    pub const fn is_late(self) -> bool {
        self.0 % 2 == 1
    }

    /// Returns the next point: the exclusive end of an interval that includes this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }

    /// Returns the position among all points, counted from 0.
    #[must_use]
    pub const fn index(self) -> u64 {
        self.0
    }
}

impl Interval<Point> {
    /// The interval from the early point of `first` to the late point of `last`, both included.
    #[must_use]
    pub const fn of_steps(first: StepId, last: StepId) -> Self {
        Self {
            start: Point::early(first),
            end: Point::late(last).next(),
        }
    }

    /// Returns the first and the last step with a point in the interval; `None` if it is empty.
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
