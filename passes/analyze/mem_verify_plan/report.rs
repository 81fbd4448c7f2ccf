//! Diagnostics for the violations that the checkers of programs find.

use mem_check::{CheckError, Violation};
use mem_model::{Aliasing, BufferId, StepId};

use super::Verifier;
use super::levels::Contents;
use crate::ir::dialect::ViewOp;
use crate::ir::{Diagnostic, Location, Op};

impl Verifier<'_> {
    /// Reports errors in the contents of arenas, at the operations responsible.
    pub(super) fn report(&mut self, error: &CheckError) {
        for violation in &error.violations {
            self.n_errors += 1;
            self.diagnostic(violation).emit();
        }
    }

    fn diagnostic(&self, violation: &Violation) -> Diagnostic {
        let at = |step: StepId| self.extraction.step_ops[step.index()].location();
        let name = |buffer: BufferId| &self.extraction.program.buffers[buffer.index()].name;
        match *violation {
            Violation::Clobbered {
                reader,
                buffer,
                clobberer,
                written,
                ..
            } => {
                let text = match buffer == written {
                    true => format!(
                        "reads '{}', over which a later instance of it may have been written",
                        name(buffer)
                    ),
                    false => format!(
                        "reads '{}', over which '{}' may have been written",
                        name(buffer),
                        name(written)
                    ),
                };
                Diagnostic::error(at(reader), text).note(at(clobberer), "by this operation")
            }
            Violation::Concurrent {
                first,
                second,
                buffer,
                other,
            } => {
                let text = format!(
                    "accesses '{}', which shares bytes with '{}', on a core that does not wait for the other access",
                    name(other),
                    name(buffer)
                );
                let error = Diagnostic::error(at(second), text);
                error.note(at(first), "this one may run at the same time")
            }
            _ => self.slot_diagnostic(violation),
        }
    }

    /// The diagnostic for violations by buffers with several slots, and for all others.
    fn slot_diagnostic(&self, violation: &Violation) -> Diagnostic {
        let name = |buffer: BufferId| &self.extraction.program.buffers[buffer.index()].name;
        match *violation {
            Violation::TooFewSlots {
                step,
                buffer,
                n_names,
                n_slots,
            } => {
                let text = format!(
                    "'{}' has {n_slots} slots, too few to keep away from {n_names} instances",
                    name(buffer)
                );
                let op = self.extraction.step_ops[step.index()];
                Diagnostic::error(op.location(), text)
            }
            Violation::Slots(buffer) => {
                let text = format!("the slots of '{}' overlap", name(buffer));
                let at = self.extraction.buffer_ops[buffer.index()].unwrap_or(self.function);
                Diagnostic::error(at.location(), text)
            }
            ref other => Diagnostic::error(self.function.location(), other.to_string()),
        }
    }

    /// Reports an error in the contents of the places of tensors, at the operations responsible.
    pub(super) fn report_contents(&mut self, contents: &Contents, violation: &Violation) {
        self.n_errors += 1;
        let reporter = Reporter {
            contents,
            function: self.function,
        };
        let diagnostic = reporter.stale(violation);
        let diagnostic = diagnostic.or_else(|| reporter.shared(violation));
        let diagnostic = diagnostic.or_else(|| reporter.transfer(violation));
        let diagnostic = diagnostic.or_else(|| reporter.recomputed(violation));
        let other = || Diagnostic::error(self.function.location(), violation.to_string());
        diagnostic.unwrap_or_else(other).emit();
    }
}

/// Turns violations into diagnostics. Each method is for some kinds of violations, and returns
/// `None` for others.
struct Reporter<'a> {
    contents: &'a Contents,
    function: Op,
}

impl Reporter<'_> {
    fn at(&self, step: &StepId) -> Location {
        self.contents.extraction().step_ops[step.index()].location()
    }

    fn name(&self, buffer: &BufferId) -> String {
        let extraction = self.contents.extraction();
        let op = extraction.buffer_ops[buffer.index()];
        let stated = op.and_then(ViewOp::of).and_then(ViewOp::name);
        stated.unwrap_or_else(|| extraction.program.buffers[buffer.index()].name.to_string())
    }

    /// Storage that stands for callees and unknown pointers has no name.
    fn is_named(&self, buffer: &BufferId) -> bool {
        let buffers = &self.contents.extraction().program.buffers;
        let aliasing = buffers[buffer.index()].aliasing;
        aliasing != Aliasing::Unknown || self.contents.levels().globals.contains(buffer)
    }

    /// A place that is read, or left at the end, before it is up to date.
    fn stale(&self, violation: &Violation) -> Option<Diagnostic> {
        let since = "since this operation";
        Some(match violation {
            Violation::Stale {
                reader,
                buffer,
                since: step,
                bytes,
            } => {
                let text = format!(
                    "reads '{}', whose bytes [{}, {}) are not up to date here",
                    self.name(buffer),
                    bytes.start,
                    bytes.end
                );
                Diagnostic::error(self.at(reader), text).note(self.at(step), since)
            }
            Violation::StaleElsewhere {
                reader,
                through,
                buffer,
                since: step,
                bytes,
            } => {
                let reads = match self.is_named(through) {
                    true => format!("reads '{}', which may be", self.name(through)),
                    false => "may read".to_owned(),
                };
                let text = format!(
                    "{reads} '{}', whose bytes [{}, {}) are not up to date there",
                    self.name(buffer),
                    bytes.start,
                    bytes.end
                );
                Diagnostic::error(self.at(reader), text).note(self.at(step), since)
            }
            Violation::NotWrittenBack {
                buffer,
                since: step,
            } => {
                let text = format!(
                    "'{}' is not up to date when the function returns",
                    self.name(buffer)
                );
                let function = self.function.location();
                Diagnostic::error(function, text).note(self.at(step), since)
            }
            _ => return None,
        })
    }

    /// Operands of one step that share bytes, or no longer do.
    fn shared(&self, violation: &Violation) -> Option<Diagnostic> {
        let (step, text) = match violation {
            Violation::OperandOverwritten {
                step,
                operand,
                result,
            } => {
                let text = format!(
                    "may write '{}' over its own operand '{}' before it has read that",
                    self.name(result),
                    self.name(operand)
                );
                (step, text)
            }
            Violation::Torn {
                step,
                operand,
                result,
            } => {
                let text = format!(
                    "reads '{}' and writes '{}', which may be the same bytes in the original program and are apart here",
                    self.name(operand),
                    self.name(result)
                );
                (step, text)
            }
            _ => return None,
        };
        Some(Diagnostic::error(self.at(step), text))
    }

    fn transfer(&self, violation: &Violation) -> Option<Diagnostic> {
        Some(match violation {
            Violation::TransferOverlap { step, from, to } => {
                let text = format!(
                    "copies '{}' to '{}', which have common bytes",
                    self.name(from),
                    self.name(to)
                );
                Diagnostic::error(self.at(step), text)
            }
            Violation::InFlight {
                step,
                buffer,
                locked,
                transfer,
            } => {
                let (buffer, locked) = (self.name(buffer), self.name(locked));
                let text = match buffer == locked {
                    true => {
                        format!("touches '{buffer}' before the transfer of its bytes is waited for")
                    }
                    false => format!(
                        "touches '{buffer}', which shares bytes with '{locked}', before the transfer of those is waited for"
                    ),
                };
                Diagnostic::error(self.at(step), text).note(self.at(transfer), "which starts here")
            }
            Violation::NeverAwaited { step } => {
                let text = "is under way when the function returns, or begins anew, on some path";
                Diagnostic::error(self.at(step), text)
            }
            _ => return None,
        })
    }

    /// A repetition whose operands may differ from those of the original.
    fn recomputed(&self, violation: &Violation) -> Option<Diagnostic> {
        let Violation::Recomputed {
            step,
            original,
            lapse,
        } = violation
        else {
            return None;
        };
        let operand = lapse.and_then(|lapse| self.contents.place_of(lapse.tensor));
        let through = lapse.and_then(|lapse| lapse.through);
        let through = through.filter(|buffer| self.is_named(buffer));
        let mut text = match operand {
            Some(operand) => format!("operand '{}' may have changed", self.name(&operand)),
            None => "operands may have changed".to_owned(),
        };
        if let Some(through) = through {
            text += &format!(" through '{}'", self.name(&through));
        }
        let text = format!("recomputes what cannot be recomputed here: {text}");
        let error = Diagnostic::error(self.at(step), text);
        let error = error.note(self.at(original), "since this operation");
        Some(match lapse.filter(|lapse| lapse.by != *original) {
            Some(lapse) => error.note(self.at(&lapse.by), "by this operation"),
            None => error,
        })
    }
}
