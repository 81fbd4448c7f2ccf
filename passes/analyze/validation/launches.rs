//! Translates launches of kernels of the `gpu` dialect, and waits for them.
//!
//! A launch is one step: a function of the kernel's code, of its scalar operands, and of the elements that
//! it reads. How its threads are interleaved is up to the device, in both programs alike. Launches that
//! return a token proceed by themselves until a wait for it.

use mem_equivalence::program::{Completed, Fingerprint, Operand, StepKind, Ticket, ValueId};

use super::fingerprint::Inside;
use super::steps::scalar;
use super::translate::{Body, Translator};
use crate::ir::kernels::{LAUNCH, Touched, touched_by};
use crate::ir::{Facts, Op, SEGMENTS, Value, describe, is_storage};

impl Body<'_> {
    /// All facts about an operation, including those that the kernel of a launch tells.
    pub(super) fn describe(&self, op: Op) -> Facts {
        let kernels = self.kernels();
        kernels.map_or_else(|| describe(op), |own| own.describe(op))
    }

    /// The fingerprint of a launch that includes the code of its kernel; for other operations, `own`.
    pub(super) fn with_kernel(&mut self, op: Op, own: Fingerprint) -> Fingerprint {
        let kernel = self.kernels().and_then(|all| all.launched(op));
        let Some(kernel) = kernel.map(|own| own.op) else {
            return own;
        };
        let Translator {
            names, kernel_code, ..
        } = &mut *self.translator;
        let code = kernel_code.entry(kernel);
        let code = *code.or_insert_with(|| names.fingerprint(kernel, &mut Inside::default()));
        self.names()
            .number(format!("launch {} of {}", own.0, code.0))
    }

    /// Translates a launch, or a wait for launches.
    pub(super) fn device(&mut self, op: Op, facts: Option<Facts>, block: usize) {
        let tokens = op.operands().take(n_tokens(op));
        let tokens: Vec<Value> = tokens.filter(|own| self.is_followed(*own)).collect();
        let after = tokens.into_iter().map(|token| Completed {
            ticket: self.value(token),
            is_only_use: token.each_user().nth(1).is_none(),
        });
        let after: Box<[Completed]> = after.collect();
        let token = op.results().next().map(|own| self.value(own));
        let launched = match op.name() {
            "gpu.wait" => {
                let fingerprint = self.names().number(op.name().to_owned());
                // Other tokens stand for operations with arbitrary effects, as the wait then does.
                let waits = !after.is_empty() && after.len() == n_tokens(op);
                let is_whole = token.is_some() || waits;
                is_whole.then(|| (fingerprint, Vec::new()))
            }
            _ => self.launch(op),
        };
        if token.is_none() {
            for completed in &after {
                let ticket = Ticket::Value(completed.ticket);
                self.push(
                    block,
                    op,
                    StepKind::Await {
                        ticket,
                        count: None,
                    },
                );
            }
        }
        let Some((fingerprint, operands)) = launched else {
            return self.any(op, facts, block);
        };
        let operands = operands.into();
        let kind = match token {
            Some(ticket) => StepKind::Launch {
                fingerprint,
                operands,
                after,
                ticket,
            },
            None => StepKind::Compute {
                fingerprint,
                operands,
                results: Box::default(),
            },
        };
        self.push(block, op, kind);
    }

    /// Whether a token stands for a launch that is followed, as far as its definition tells.
    fn is_followed(&self, token: Value) -> bool {
        token.owner().is_none_or(|op| match op.name() {
            LAUNCH => !self.describe(op).has_unknown_effects(),
            name => matches!(name, "gpu.launch" | "gpu.wait"),
        })
    }

    /// What a launch computes, and its operands without tokens. `None` if its accesses are not known.
    fn launch(&mut self, op: Op) -> Option<(Fingerprint, Vec<Operand>)> {
        let facts = self.describe(op);
        if facts.has_unknown_effects() {
            return None;
        }
        let mut inside = Inside::default();
        let fingerprint = self.names().fingerprint(op, &mut inside);
        let touched = captured_by(op, &inside.captured)?;
        let fingerprint = self.with_kernel(op, fingerprint);
        let given: Vec<Value> = op.operands().skip(n_tokens(op)).collect();
        let mut operands = self.operands(op, &facts, &given, &inside);
        for (value, touched) in inside.captured.into_iter().zip(touched) {
            let value: ValueId = self.value(value);
            operands.push(Operand {
                reads: touched.reads,
                writes: touched.writes,
                ..scalar(value)
            });
        }
        Some((fingerprint, operands))
    }
}

/// The number of tokens, which are the first operands, of a launch or a wait.
fn n_tokens(op: Op) -> usize {
    let segments = op.attribute(SEGMENTS).and_then(|own| own.small_integers());
    match segments.and_then(|own| own.first().copied()) {
        Some(n) => usize::try_from(n).unwrap_or(0),
        None => op.operands().count(),
    }
}

/// What a launch does with the values that its body uses, indexed like them.
fn captured_by(op: Op, captured: &[Value]) -> Option<Vec<Touched>> {
    let entry = op.regions().next().and_then(|own| own.first_block());
    let arguments = entry.into_iter().flat_map(|own| own.arguments());
    let own: Vec<Value> = arguments.filter(|v| is_storage(v.ty())).collect();
    touched_by(op, captured, &own)
}
