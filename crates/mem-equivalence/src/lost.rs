//! Why an evaluation ends early.

use crate::Outcome;
use crate::evaluate::Evaluator;
use crate::program::Location;

/// Location of a construct that cannot be followed, and the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lost {
    pub location: Option<Location>,
    pub why: &'static str,
    /// If the program is wrong whatever the other one does, because its behavior is not defined: why.
    pub undefined: Option<Cause>,
}

/// A step because of which another one must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its location.
    pub location: Option<Location>,
    /// What it does, as a clause.
    pub what: &'static str,
}

impl Lost {
    /// The outcome, if the behavior of the program is not defined.
    pub(crate) fn undefined(self) -> Option<Outcome> {
        self.undefined.map(|cause| Outcome::Undefined {
            location: self.location,
            why: self.why,
            cause,
        })
    }
}

impl Evaluator<'_> {
    /// Fails because the current step cannot be followed.
    pub(crate) fn lost<T>(&self, why: &'static str) -> Result<T, Lost> {
        let location = self.graph.here;
        Err(Lost {
            location,
            why,
            undefined: None,
        })
    }
}
