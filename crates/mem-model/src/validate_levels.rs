//! Well-formedness of problems over several levels. Planners and checkers rely on these invariants;
//! a problem from a file is validated once, on entry.
//!
//! Checked: the hierarchy has a level; level names are unique; alignments are powers of two; speeds
//! are finite and not negative; ids are in range; a step uses a tensor at most once, and no use
//! takes over its own bytes; frozen intervals are not empty, and ascend without overlap; intervals
//! end at the end of the program at the latest; there is a block for each step and for the end, or
//! none at all; a step waits no longer than it takes; a message is started once, before it is waited
//! for; links between ranks have unique names, and only a duplex one has directions. With a budget: device and host are the only two levels, the device is the faster
//! one, every step has its conditions for repetition, and none that sends messages is repeated.
//!
//! Not checked: that the tensors fit, that a tensor is written before it is read, and that tensor
//! names are unique (tensors that are local to blocks share the name of their buffer).

use std::collections::HashSet;

use crate::{
    Carrier, Interval, Lanes, LevelId, LevelProblem, LinkUse, OffloadInput, Port, TensorId,
    TensorUse,
};

/// The entity that an error refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LevelSubject {
    /// The problem as a whole.
    Problem,
    /// A level, by index.
    Level(usize),
    /// A copy engine, by index.
    Engine(usize),
    /// An accepted operand, by index.
    Operand(usize),
    /// A link between ranks, by index.
    Link(usize),
    /// A tensor.
    Tensor(TensorId),
    /// A step, by index.
    Step(usize),
    /// The roles of the levels of a budget problem.
    Roles,
}

impl std::fmt::Display for LevelSubject {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Problem => write!(f, "the problem"),
            Self::Level(index) => write!(f, "level l{index}"),
            Self::Engine(index) => write!(f, "engine {index}"),
            Self::Operand(index) => write!(f, "operand {index}"),
            Self::Link(index) => write!(f, "link {index} between ranks"),
            Self::Tensor(tensor) => write!(f, "tensor {tensor}"),
            Self::Step(index) => write!(f, "step s{index}"),
            Self::Roles => write!(f, "the device and its host"),
        }
    }
}

/// Why a problem over several levels is not well-formed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelProblemError {
    /// Tensors reside in levels.
    #[error("the hierarchy has no levels")]
    NoLevels,
    /// Names identify levels.
    #[error("{0} has the name of another")]
    DuplicateName(LevelSubject),
    /// Alignments are powers of two.
    #[error("the alignment of {0} is not a power of two")]
    Alignment(LevelSubject),
    /// Bytes or operations per cycle; zero means unspecified.
    #[error("{0} has a speed that is negative or not finite")]
    Speed(LevelSubject),
    /// Ids index vectors; this one is out of range.
    #[error("{0} refers to {1}, which does not exist")]
    Unknown(LevelSubject, &'static str),
    /// An empty list would accept the operand nowhere.
    #[error("{0} is accepted in no level")]
    AcceptedNowhere(LevelSubject),
    /// The accesses of a step to a tensor are one use.
    #[error("{0} uses a tensor twice")]
    UsedTwice(LevelSubject),
    /// Frozen intervals are searched by bisection.
    #[error("the frozen intervals of {0} are empty, or not in ascending order")]
    Frozen(LevelSubject),
    /// The interval ends before it starts, or after the end of the program.
    #[error("the interval of {0} is reversed, or ends after the program")]
    Interval(LevelSubject),
    /// Waiting is a part of a step's time.
    #[error("{0} waits longer than it takes")]
    Waits(LevelSubject),
    /// Messages are told apart by their ids.
    #[error("{0} starts a message that has been started")]
    StartedTwice(LevelSubject),
    /// Other ranks observe messages.
    #[error("{0} uses the link between ranks, and may not be repeated")]
    Repeated(LevelSubject),
    /// Either all steps and the end of the program have a block, or none has.
    #[error("{n_blocks} blocks are given for {n_steps} steps and the end")]
    Blocks {
        /// Number of entries.
        n_blocks: usize,
        /// Number of steps.
        n_steps: usize,
    },
    /// Tensors move between two levels only, and steps find their operands in the faster one.
    #[error("a budget takes two levels: the device, which is the faster one, and its host")]
    Roles,
    /// Every step has its conditions for repetition.
    #[error("{n_conditions} conditions for repetition are given for {n_steps} steps")]
    Repeatable {
        /// Number of entries.
        n_conditions: usize,
        /// Number of steps.
        n_steps: usize,
    },
}

impl LevelProblemError {
    /// Returns the entity that the error refers to.
    #[must_use]
    pub const fn subject(&self) -> LevelSubject {
        match *self {
            Self::NoLevels | Self::Blocks { .. } | Self::Repeatable { .. } => LevelSubject::Problem,
            Self::Roles => LevelSubject::Roles,
            Self::DuplicateName(subject)
            | Self::Alignment(subject)
            | Self::Speed(subject)
            | Self::Unknown(subject, _)
            | Self::AcceptedNowhere(subject)
            | Self::UsedTwice(subject)
            | Self::Frozen(subject)
            | Self::Waits(subject)
            | Self::StartedTwice(subject)
            | Self::Repeated(subject)
            | Self::Interval(subject) => subject,
        }
    }
}

fn is_speed(speed: f64) -> bool {
    speed.is_finite() && speed >= 0.0
}

impl LevelProblem {
    /// Checks that the problem is well-formed; see the module documentation. Linear.
    ///
    /// # Errors
    /// The first violation found.
    pub fn validate(&self) -> Result<(), LevelProblemError> {
        self.validate_hierarchy()?;
        self.validate_links()?;
        self.validate_tensors()?;
        self.validate_steps()?;
        let (n_blocks, n_steps) = (self.blocks.len(), self.steps.len());
        match n_blocks == 0 || n_blocks == n_steps + 1 {
            true => Ok(()),
            false => Err(LevelProblemError::Blocks { n_blocks, n_steps }),
        }
    }

    fn has_levels(&self, mut levels: impl Iterator<Item = LevelId>) -> bool {
        levels.all(|level| level.index() < self.hierarchy.levels.len())
    }

    fn validate_hierarchy(&self) -> Result<(), LevelProblemError> {
        use LevelProblemError as Error;
        let hierarchy = &self.hierarchy;
        if hierarchy.levels.is_empty() {
            return Err(Error::NoLevels);
        }
        if !is_speed(hierarchy.compute) {
            return Err(Error::Speed(LevelSubject::Problem));
        }
        let mut names = HashSet::new();
        for (index, level) in hierarchy.levels.iter().enumerate() {
            let subject = LevelSubject::Level(index);
            if !names.insert(&level.name) {
                return Err(Error::DuplicateName(subject));
            }
            if !level.alignment.is_power_of_two() {
                return Err(Error::Alignment(subject));
            }
            let ports: [Port; 2] = [level.read, level.write];
            if ports.iter().any(|port| !is_speed(port.bandwidth)) {
                return Err(Error::Speed(subject));
            }
        }
        for (index, engine) in hierarchy.engines.iter().enumerate() {
            let ends = engine.links.iter().flat_map(|(from, to)| [*from, *to]);
            if !self.has_levels(ends) {
                return Err(Error::Unknown(LevelSubject::Engine(index), "a level"));
            }
        }
        for (index, operand) in hierarchy.operands.iter().enumerate() {
            let subject = LevelSubject::Operand(index);
            if operand.levels.is_empty() {
                return Err(Error::AcceptedNowhere(subject));
            }
            if !self.has_levels(operand.levels.iter().copied()) {
                return Err(Error::Unknown(subject, "a level"));
            }
        }
        Ok(())
    }

    fn validate_links(&self) -> Result<(), LevelProblemError> {
        use LevelProblemError as Error;
        let mut names = HashSet::new();
        for (index, link) in self.hierarchy.links.iter().enumerate() {
            let subject = LevelSubject::Link(index);
            if !names.insert(&link.name) {
                return Err(Error::DuplicateName(subject));
            }
            if !is_speed(link.port.bandwidth) {
                return Err(Error::Speed(subject));
            }
        }
        Ok(())
    }

    /// Whether a message may travel on a link. A machine that states none has one of one engine.
    fn has_carrier(&self, carrier: Carrier) -> bool {
        match self.hierarchy.links.get(carrier.link.index()) {
            Some(link) => link.is_duplex || carrier.lanes == Lanes::Both,
            None => self.hierarchy.links.is_empty() && carrier == Carrier::default(),
        }
    }

    fn validate_tensors(&self) -> Result<(), LevelProblemError> {
        use LevelProblemError as Error;
        let n_steps = self.steps.len();
        for (index, tensor) in self.tensors.iter().enumerate() {
            let subject = LevelSubject::Tensor(TensorId::new(index));
            if !tensor.alignment.is_power_of_two() {
                return Err(Error::Alignment(subject));
            }
            if !self.has_levels(tensor.home.into_iter()) {
                return Err(Error::Unknown(subject, "a level"));
            }
            let mut before = 0;
            for own in &tensor.frozen {
                if own.is_empty() || own.start < before {
                    return Err(Error::Frozen(subject));
                }
                before = own.end;
            }
            let is_inside = |own: &Interval<usize>| own.start <= own.end && own.end <= n_steps;
            if !tensor.frozen.iter().chain(&tensor.within).all(is_inside) {
                return Err(Error::Interval(subject));
            }
        }
        Ok(())
    }

    fn validate_steps(&self) -> Result<(), LevelProblemError> {
        use LevelProblemError as Error;
        // Per tensor: one more than the last step that uses it.
        let mut last = vec![0; self.tensors.len()];
        let mut started = HashSet::new();
        for (index, step) in self.steps.iter().enumerate() {
            let subject = LevelSubject::Step(index);
            if step.waits > step.cycles {
                return Err(Error::Waits(subject));
            }
            if !step.link.carrier().is_none_or(|own| self.has_carrier(own)) {
                return Err(Error::Unknown(
                    subject,
                    "a link between ranks, or a direction of it",
                ));
            }
            match step.link {
                LinkUse::Starts { message, .. } | LinkUse::Copies(message)
                    if !started.insert(message) =>
                {
                    return Err(Error::StartedTwice(subject));
                }
                LinkUse::Awaits(Some(message)) if !started.contains(&message) => {
                    return Err(Error::Unknown(subject, "a message"));
                }
                _ => {}
            }
            for (position, used) in step.uses.iter().enumerate() {
                let Some(last) = last.get_mut(used.tensor.index()) else {
                    return Err(Error::Unknown(subject, "a tensor"));
                };
                if std::mem::replace(last, index + 1) == index + 1 {
                    return Err(Error::UsedTwice(subject));
                }
                if !self.has_levels(used.accepted.iter().copied()) {
                    return Err(Error::Unknown(subject, "a level"));
                }
                let is_other = |other: usize| other != position && other < step.uses.len();
                if !used.takes_over.is_none_or(is_other) {
                    return Err(Error::Unknown(subject, "another use"));
                }
            }
        }
        Ok(())
    }
}

impl OffloadInput {
    /// Checks that the input is well-formed and belongs to `problem`, which is; see the module
    /// documentation. Linear.
    ///
    /// # Errors
    /// The first violation found.
    pub fn validate(&self, problem: &LevelProblem) -> Result<(), LevelProblemError> {
        use LevelProblemError as Error;
        let roles = [self.device, self.host];
        if roles != [LevelId::DEVICE, LevelId::HOST]
            || problem.hierarchy.levels.len() != roles.len()
        {
            return Err(Error::Roles);
        }
        let (n_conditions, n_steps) = (self.repeatable.len(), problem.steps.len());
        if n_conditions != n_steps {
            return Err(Error::Repeatable {
                n_conditions,
                n_steps,
            });
        }
        for (index, own) in self.repeatable.iter().enumerate() {
            let subject = LevelSubject::Step(index);
            let uses: &[TensorUse] = &problem.steps[index].uses;
            let is_pair = |&(a, b): &(usize, usize)| a != b && a < uses.len() && b < uses.len();
            if !own.in_place.iter().all(is_pair) {
                return Err(Error::Unknown(subject, "a use"));
            }
            if own.is_pure && problem.steps[index].link != LinkUse::None {
                return Err(Error::Repeated(subject));
            }
            if own.until.is_some_and(|until| until > n_steps) {
                return Err(Error::Unknown(subject, "a step"));
            }
        }
        let advice = &self.advice;
        let pinned = [&advice.stay, &advice.leave, &advice.keep];
        let leads = advice.leads.keys();
        let mut tensors = pinned.into_iter().flatten().copied();
        let known = problem.tensors.len();
        let is_known = tensors.all(|tensor| tensor.index() < known)
            && leads.clone().all(|(tensor, _)| tensor.index() < known);
        if !is_known {
            return Err(Error::Unknown(LevelSubject::Problem, "a tensor"));
        }
        match leads.clone().all(|(_, step)| *step <= n_steps) {
            true => Ok(()),
            false => Err(Error::Unknown(LevelSubject::Problem, "a step")),
        }
    }
}
