//! Errors as the user sees them, and their exit status.

use std::process::ExitCode;

use mem_check::CheckError;
use mem_flow::{FlowError, Unplannable};
use mem_model::{Program, TextError};
use mem_planner::{Misplaced, NoFit, Occupant, PlanError};

use crate::csv_error::CsvError;
use crate::csv_table::Table;
use crate::diff::{PeakChange, PeakLimit, PlanDiff, PlanFileError};
use crate::levels::LevelFailure;

/// Why there is no output.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Failure {
    /// The input cannot be read.
    #[error("{0}: error: {1}")]
    Read(String, std::io::Error),
    /// The input is MLIR.
    #[error(
        "{0}: error: mem-plan does not read MLIR, but tables of buffers (.csv), programs that \
         mem-plan{{dump=FILE}} wrote, problems over several levels, and operation graphs (.fx); first run \
         mem-opt {0} -o /dev/null --pass-pipeline='builtin.module(convert-memref-to-mem,\
         mem-plan{{dump=program.mem}})'"
    )]
    Mlir(String),
    /// The input is not a program.
    #[error("{0}:{line}:{column}: error: {kind}", line = .1.line, column = .1.column, kind = .1.kind)]
    Text(String, TextError),
    /// An operation graph is empty.
    #[error("{0}:1:1: error: expected at least one operation ('s') after the tensors ('t')")]
    NoOperations(String),
    /// The input is not a table of buffers.
    #[error("{0}:{1}: error: {2}")]
    Csv(String, u64, CsvError),
    /// An option that applies to tables only was given with another file.
    #[error("{0}: error: {1} applies to tables (.csv) only")]
    NotATable(String, &'static str),
    /// An option that applies to problems over several levels only was given with another file.
    #[error("{0}: error: {1} applies to problems over several levels only")]
    NotLevels(String, &'static str),
    /// An option that does not apply to problems over several levels was given with one.
    #[error("{0}: error: {1} does not apply to problems over several levels")]
    OfOneLevel(String, &'static str),
    /// An option that applies to operation graphs only was given with another file.
    #[error("{0}: error: {1} applies to operation graphs (.fx) only")]
    NotAGraph(String, &'static str),
    /// An option that does not apply to operation graphs was given with one.
    #[error("{0}: error: {1} does not apply to operation graphs")]
    OfOtherFiles(String, &'static str),
    /// The value of an option is not valid for this kind of file.
    #[error("error: invalid value for {0}: {1}")]
    Option(&'static str, String),
    /// A plan was given without its problem.
    #[error("{0}: error: a plan is checked against its problem: mem-plan PROBLEM --check {0}")]
    PlanAlone(String),
    /// A file of plans has none for a problem.
    #[error("{0}: error: there is no plan for @{1}")]
    NoPlan(String, String),
    /// A problem over several levels has no plan, or a given plan of it is rejected.
    #[error("error: @{0}: {1}")]
    Levels(String, LevelFailure),
    /// What a file says is no plan of the problem.
    #[error("error: @{0}: the plan to continue from is none: {1}")]
    KnownPlan(String, LevelFailure),
    /// The planner produced an invalid plan over several levels.
    #[error("internal error: @{0}: the plan fails its check: {1}")]
    InternalLevels(String, LevelFailure),
    /// The program cannot be analyzed.
    #[error("error: {0}")]
    Flow(#[from] FlowError),
    /// The problem is invalid: sizes, alignments or fixed offsets.
    #[error("error: @{0}: {1}")]
    Plan(String, PlanError),
    /// No fixed number of addresses is known to suffice for a buffer.
    #[error("error: @{0}: buffer '{1}' cannot be planned: {2}")]
    Unplannable(String, String, mem_flow::UnplannableReason),
    /// The buffers do not fit the capacity; the text has the memory map.
    #[error("error: @{0}: {1}")]
    NoFit(String, String),
    /// The planner produced an invalid plan.
    #[error("internal error: @{0}: the plan fails its check: {1}")]
    Internal(String, CheckError),
    /// A file is not a plan that can be compared or continued.
    #[error("{0}: error: {1}")]
    PlanFile(String, PlanFileError),
    /// Peaks grew by more than a limit; a line for each.
    #[error("{0}")]
    Grown(String),
    /// The output cannot be written.
    #[error("{0}: error: {1}")]
    Write(String, std::io::Error),
}

impl Failure {
    /// A buffer of a program that cannot be planned.
    #[must_use]
    pub fn unplannable(program: &Program, what: &Unplannable) -> Self {
        let buffer = program.buffers[what.buffer.index()].name.clone();
        Self::Unplannable(
            program.name.clone(),
            buffer.to_string(),
            what.reason.clone(),
        )
    }

    /// Reports the missing bytes, where they are needed, and the buffers that hold the others.
    #[must_use]
    pub fn no_fit(program: &Program, no_fit: &NoFit) -> Self {
        let step = no_fit.point.step();
        let name = program
            .steps
            .get(step.index())
            .map_or("", |step| step.name.as_ref());
        let verdict = match no_fit.is_proven {
            true => "no placement exists",
            false => "no placement found",
        };
        let mut text = format!(
            "{verdict} within {} bytes: {} are needed at step {} ({name}), {} are missing",
            no_fit.capacity,
            no_fit.needed,
            step.index(),
            no_fit.missing,
        );
        for occupant in &no_fit.live {
            let buffer = &program.buffers[occupant.buffer.index()];
            text += &format!("\n  note: '{}' holds {} bytes", buffer.name, occupant.size);
            if !buffer.location.is_empty() {
                text += &format!(" ({})", buffer.location);
            }
        }
        Self::NoFit(program.name.clone(), text)
    }

    /// Like [`Self::no_fit`], for the buffers of a table.
    #[must_use]
    pub fn no_fit_in_table(table: &Table, no_fit: &NoFit) -> Self {
        let NoFit {
            capacity,
            needed,
            missing,
            ..
        } = no_fit;
        let step = table.step(no_fit.point);
        let mut text = match (no_fit.is_proven, no_fit.is_live_sum) {
            (true, true) => format!(
                "no placement exists within {capacity} bytes: {needed} are needed at step {step}, \
                 {missing} are missing; live at step {step}:"
            ),
            (true, false) => format!(
                "no placement exists within {capacity} bytes: at least {needed} are needed, {missing} are \
                 missing; that is proven of these {}:",
                no_fit.live.len()
            ),
            (false, _) => format!(
                "no placement found within {capacity} bytes; the best takes {needed}, {missing} are \
                 missing; live where it is highest, at step {step}:"
            ),
        };
        for occupant in &no_fit.live {
            let name = table.name(occupant.buffer);
            text += &format!("\n  note: {name} holds {} bytes", occupant.size);
        }
        Self::NoFit("table".to_owned(), text)
    }

    /// Reports an invalid problem by the names and lines of the table.
    #[must_use]
    pub fn in_table(table: &Table, error: PlanError) -> Self {
        let shown = |occupant: &Occupant| {
            let Occupant {
                buffer,
                size,
                offset,
                ..
            } = occupant;
            let line = table.line(*buffer);
            let line = line.map_or(String::new(), |line| format!(", line {line}"));
            format!("'{}' ({size} bytes at {offset}{line})", table.name(*buffer))
        };
        let line_of = |buffer| table.line(buffer).unwrap_or_default();
        let (line, error) = match &error {
            PlanError::Clash(pair) => {
                let [first, second] = [shown(&pair[0]), shown(&pair[1])];
                (line_of(pair[1].buffer), CsvError::Clash(first, second))
            }
            PlanError::Misplaced(occupant, why) => {
                let why = match why {
                    Misplaced::Alias(other, at) => {
                        format!(
                            "it is an alias of '{}', which has to be at {at}",
                            table.name(*other)
                        )
                    }
                    other => other.to_string(),
                };
                let error = CsvError::Misplaced(shown(occupant), why);
                (line_of(occupant.buffer), error)
            }
            _ => return Self::Plan("table".to_owned(), error),
        };
        Self::Csv(table.file.clone(), line, error)
    }

    /// Reports the peaks that grew by more than `limit`; `None` if there are none.
    #[must_use]
    pub fn grown(diff: &PlanDiff, limit: PeakLimit) -> Option<Self> {
        let line = |own: &PeakChange| {
            let (before, after) = (own.peak.before.unwrap_or(0), own.peak.after.unwrap_or(0));
            let function = own.function.as_ref();
            let function = function.map_or(String::new(), |name| format!(" of @{name}"));
            format!(
                "error: the peak{function} in '{}' grew by {} bytes, from {before} to {after}; the \
                 limit is {limit}",
                own.level,
                after.saturating_sub(before)
            )
        };
        let lines: Vec<String> = diff.regressions(limit).into_iter().map(line).collect();
        (!lines.is_empty()).then(|| Self::Grown(lines.join("\n")))
    }

    /// Returns 1 if the buffers do not fit, a given plan is rejected or a peak grew by too much, 2
    /// for bad input and everything else.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        match self {
            Self::NoFit(..) | Self::Grown(..) => ExitCode::from(1),
            Self::Levels(_, failure) if failure.is_negative_answer() => ExitCode::from(1),
            _ => ExitCode::from(2),
        }
    }
}
