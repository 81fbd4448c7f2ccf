//! `mem-overlap-requests`: lets messages between ranks travel while a rank computes.
//!
//! A blocking send or receive is a start and a wait. Both become operations of their own: the start
//! moves to where its operands are known, and the wait to where the bytes of the message are needed
//! for something else. Extract, plan, check, materialize: a block is a sequence of items
//! (`sequence.rs`), `plan.rs` moves starts and waits in it, `check.rs` looks at all pairs that have
//! changed places, and the operations are written in the end.
//!
//! # No deadlock is introduced
//!
//! Starts keep their order among each other and among all other operations that communicate, so what
//! matches before matches afterwards. A rank stops only at waits and at operations that block. A wait
//! that moves behind the start of another message lets that message begin earlier, and a rank that has
//! started more needs less from the others. `mem-validate` checks this for the whole program.
//!
//! Operations with a used status stay as they are: the status of a blocking operation is that of the
//! whole message. So do all messages of a module with a receive from any rank, because which message
//! such a receive gets depends on when the others are sent. A message whose request is carried to its wait
//! by something else, such as a loop or a call, stays where it is, and keeps its order with all other
//! messages: the validation does not tell such requests apart. The others move.

mod check;
mod emit;
mod plan;
mod sequence;

use crate::extract::dependence::extract_functions;
use crate::extract::order::OrderFunction;
use crate::framework::options::MemOverlapRequestsOptions as Options;
use crate::framework::{Failed, PassResult, PassRun, remark_nothing_to_break};
use crate::ir::mpi::{carrier_of_request, message_of, receive_from_any};
use crate::ir::{Diagnostic, Op};

use check::{Sabotage, check};
use emit::emit;
use plan::plan;
use sequence::Sequence;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let keeps_peak = keeps_peak(module, options)?;
    let sabotage = Sabotage::of(module, &options.break_overlap)?;
    let mut first = None;
    module.walk(&mut |op| {
        first = first.or_else(|| Some(op).filter(|op| message_of(*op).is_some()));
    });
    let Some(first) = first else {
        run.changed_nothing();
        return Ok(());
    };
    if let Some(receive) = receive_from_any(module) {
        let text = "mem-overlap-requests: messages stay as they are, because a receive takes those of any rank";
        let remark = Diagnostic::remark(first.location(), text);
        remark.note(receive.location(), "by this receive").emit();
        run.changed_nothing();
        return Ok(());
    }
    module.walk(&mut |op| remark_carried(op));
    let mut planned = Vec::new();
    for extracted in &extract_functions(module, options.noalias_arguments) {
        let mut function = OrderFunction::new(extracted);
        for block in function.blocks() {
            let Some(mut sequence) = Sequence::extract(&mut function, block, keeps_peak) else {
                continue;
            };
            plan(&function, &mut sequence);
            let is_broken = sabotage.is_some_and(|kind| kind.apply(&function, &mut sequence));
            if let Err(why) = check(&function, &sequence) {
                return refuse(sequence.first_op(), &why.to_string());
            }
            if is_broken {
                return refuse(sequence.first_op(), "the check accepts a broken order");
            }
            planned.push(sequence);
        }
    }
    if sabotage.is_some() {
        remark_nothing_to_break(module, "mem-overlap-requests", &options.break_overlap);
    }
    let (mut n_requests, mut n_moved) = (0, 0);
    for sequence in planned.iter().filter(|own| own.is_changed()) {
        n_moved += sequence.n_moved();
        n_requests += emit(sequence);
    }
    if n_moved == 0 {
        run.changed_nothing();
    }
    run.set_statistic(Options::NUM_REQUESTS, n_requests);
    run.set_statistic(Options::NUM_MOVED, n_moved);
    Ok(())
}

/// Says that a message stays as it is, because its request is carried to its wait.
fn remark_carried(start: Op) {
    let Some(by) = carrier_of_request(start) else {
        return;
    };
    let text = "mem-overlap-requests: this message stays as it is, because its request is carried to its wait";
    let remark = Diagnostic::remark(start.location(), text);
    let note = format!("by this '{}'", by.name());
    remark.note(by.location(), note).emit();
}

/// Whether the bytes that are live at once may not become more.
fn keeps_peak(module: Op, options: &Options) -> Result<bool, Failed> {
    match options.peak.as_str() {
        "keep" => Ok(true),
        "any" => Ok(false),
        other => {
            let text = format!(
                "mem-overlap-requests: unknown value '{other}' for option 'peak': expected keep or any"
            );
            Diagnostic::error(module.location(), text).fail()
        }
    }
}

/// An internal error: the sequence is not valid.
fn refuse(at: Op, why: &str) -> PassResult {
    Diagnostic::internal_error("mem-overlap-requests", at, why).fail()
}
