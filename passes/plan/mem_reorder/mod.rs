//! `mem-reorder`: chooses when the operations of a block run, so that fewer bytes are live at once.
//!
//! Extract, plan, materialize, check: each block is extracted as a problem of ordering, `plan_order`
//! chooses an order, and the operations are moved. Then the order is read back from the IR. The check
//! compares all operations that have changed places, and does not know the dependences that the
//! planner was given. Blocks inside operations come before the blocks of these operations.

mod check;
mod emit;
mod sabotage;

use mem_check::check_order;
use mem_model::{Bytes, StepId};
use mem_planner::{OrderOptions, OrderPlan, plan_order};

use crate::extract::dependence::{Extracted, Subject};
use crate::extract::order::{OrderBlock, OrderFunction};
use crate::framework::options::MemReorderOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::{Block, Diagnostic, Op};

use check::check_written;
use emit::emit;
use sabotage::Sabotage;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    if is_kept(module, options)? {
        run.changed_nothing();
        return Ok(());
    }
    let planning = OrderOptions {
        threshold: threshold(module, options)?,
    };
    let sabotage = Sabotage::named(module, &options.break_order)?;
    let mut subject = Subject::new(run, options.noalias_arguments);
    let mut statistics = Statistics::default();
    for function in subject.functions() {
        order_function(function, &planning, sabotage, &mut statistics)?;
    }
    if statistics.blocks > 0 {
        subject.changed();
    }
    subject.finish();
    if sabotage.is_some() {
        let text = format!(
            "mem-reorder: there is nothing to break: {}",
            options.break_order
        );
        Diagnostic::remark(module.location(), text).emit();
    }
    run.set_statistic(Options::NUM_STEPS, statistics.steps);
    run.set_statistic(Options::NUM_BLOCKS, statistics.blocks);
    run.set_statistic(Options::BEFORE, statistics.before.get());
    run.set_statistic(Options::AFTER, statistics.after.get());
    run.set_statistic(Options::BOUND, statistics.bound.get());
    Ok(())
}

#[derive(Default)]
struct Statistics {
    steps: u64,
    blocks: u64,
    /// Largest peaks of a block, and the largest lower bound.
    before: Bytes,
    after: Bytes,
    bound: Bytes,
}

/// Whether the order of the program is wanted.
fn is_kept(module: Op, options: &Options) -> Result<bool, Failed> {
    match options.order.as_str() {
        "auto" => Ok(false),
        "keep" => Ok(true),
        other => {
            let text = format!(
                "mem-reorder: unknown value '{other}' for option 'order': expected auto or keep"
            );
            Diagnostic::error(module.location(), text).fail()
        }
    }
}

/// The validated threshold, in thousandths.
fn threshold(module: Op, options: &Options) -> Result<u32, Failed> {
    let percent = u32::try_from(options.threshold).ok();
    match percent.filter(|percent| *percent <= 100) {
        Some(percent) => Ok(percent * 10),
        None => {
            let text = format!(
                "mem-reorder: option 'threshold' is a percentage from 0 to 100, not {}",
                options.threshold
            );
            Diagnostic::error(module.location(), text).fail()
        }
    }
}

fn order_function(
    extracted: &Extracted,
    planning: &OrderOptions,
    sabotage: Option<Sabotage>,
    statistics: &mut Statistics,
) -> PassResult {
    let mut function = OrderFunction::new(extracted);
    for block in function.blocks() {
        let Some(extracted) = function.extract(block) else {
            continue;
        };
        if extracted.problem.buffers.is_empty() {
            continue;
        }
        let Ok(plan) = plan_order(&extracted.problem, planning) else {
            // More bytes than any memory has; planning reports them.
            continue;
        };
        statistics.steps += extracted.ops.len() as u64;
        statistics.before = statistics.before.max(plan.own_peak);
        statistics.after = statistics.after.max(plan.peak);
        statistics.bound = statistics.bound.max(plan.lower_bound);
        let broken = sabotage.and_then(|own| own.of(&extracted, &plan));
        let written = broken.as_ref().unwrap_or(&plan);
        if written.is_changed() || broken.is_some() {
            write(&function, block, &extracted, written)?;
            statistics.blocks += 1;
        }
        if broken.is_some() {
            return refuse(&extracted, "the check accepts a broken order", None);
        }
        function.record(&extracted, &plan.order);
    }
    Ok(())
}

/// Moves the operations, and checks where they are.
fn write(
    function: &OrderFunction<'_>,
    block: Block,
    extracted: &OrderBlock,
    plan: &OrderPlan,
) -> PassResult {
    let original: Vec<Op> = block.ops().collect();
    emit(&original, extracted, &plan.order);
    if let Err(error) = check_written(function, block, &original) {
        return refuse(extracted, &error.to_string(), error.ops());
    }
    let checked = check_order(&extracted.problem, &plan.order, plan.peak);
    checked.or_else(|error| refuse(extracted, &error.to_string(), None))
}

/// An internal error: the order is not valid. `ops`: the operations that `why` refers to.
fn refuse(block: &OrderBlock, why: &str, ops: Option<[Op; 2]>) -> PassResult {
    let first = block.ops[StepId::new(0).index()];
    let text = format!("internal error in mem-reorder: {why}; please report it with this input");
    let at = ops.map_or(first, |[later, _]| later);
    let mut error = Diagnostic::error(at.location(), text);
    if let Some([_, earlier]) = ops {
        let text = "this is the other operation";
        error = error.note(earlier.location(), text);
    }
    error.fail()
}
