//! `mem-reorder`: chooses when the operations of a block run, so that fewer bytes are live at once.
//!
//! Extract, plan, materialize, check: each block is extracted as a problem of ordering, `plan_order`
//! proposes orders, and the operations are moved. Then the order is read back from the IR. The check
//! compares all operations that have changed places, and does not know the dependences that the
//! planner was given.
//!
//! A proposal stays if what is to be low is lower: the arena, the time of a plan over several levels, or
//! the makespan within a budget. Therefore the program is planned in its own order and in each proposed
//! one, of which there are four at most, function by function. Proposals that hardly change the live bytes
//! are not planned.

mod check;
mod choose;
mod emit;
mod sabotage;

use mem_check::check_order;
use mem_model::{Bytes, StepId};
use mem_planner::{OrderAim, OrderOptions, OrderPlan, plan_order};

use crate::extract::dependence::{Extracted, Subject};
use crate::extract::order::{OrderBlock, OrderFunction};
use crate::framework::options::MemReorderOptions as Options;
use crate::framework::{Failed, PassResult, PassRun, remark_nothing_to_break};
use crate::ir::{Block, Diagnostic, Op};
use crate::plan::objective::{Comparison, Measure, Objective};

use check::check_written;
use choose::choose;
use emit::emit;
use sabotage::Sabotage;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    if is_kept(module, options)? {
        run.changed_nothing();
        return Ok(());
    }
    let threshold = threshold(module, options)?;
    let objective = objective(module, options)?;
    let sabotage = Sabotage::named(module, &options.break_order)?;
    let mut subject = Subject::new(run, options.noalias_arguments);
    let aims = aims(&objective, threshold);
    let functions = subject.functions().iter();
    let functions: Result<Vec<Proposed>, Failed> = functions
        .map(|function| propose(function, &aims, sabotage))
        .collect();
    let mut functions = functions?;
    choose(module, &objective, &aims, &mut functions)?;
    let statistics = Statistics::new(&functions);
    // They hand their dependences back to the subject.
    drop(functions);
    if statistics.blocks > 0 {
        subject.changed();
    }
    subject.finish();
    if sabotage.is_some() {
        remark_nothing_to_break(module, "mem-reorder", &options.break_order);
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

impl Statistics {
    fn new(functions: &[Proposed<'_>]) -> Self {
        let mut all = Self::default();
        for function in functions {
            for block in &function.blocks {
                let least = &block.plans[0];
                let written = function.written.map(|aim| &block.plans[aim]);
                let written = written.filter(|plan| plan.is_changed());
                all.steps += block.extracted.ops.len() as u64;
                all.blocks += u64::from(written.is_some());
                all.before = all.before.max(least.own_peak);
                let after = written.map_or(least.own_peak, |plan| plan.peak);
                all.after = all.after.max(after);
                all.bound = all.bound.max(least.lower_bound);
            }
        }
        all
    }
}

fn objective(module: Op, options: &Options) -> Result<Objective, Failed> {
    let comparison = Comparison {
        pass: "mem-reorder",
        strategy: &options.strategy,
        alignment: options.alignment,
        hierarchy: &options.hierarchy,
        capacity: options.capacity,
        budget: options.budget,
        spaces: &options.spaces,
        noalias_arguments: options.noalias_arguments,
        measure: Measure::Cost,
    };
    Objective::new(module, &comparison)
}

/// What orders are proposed for. The first one is the lowest peak.
fn aims(objective: &Objective, threshold: u32) -> Vec<OrderOptions> {
    let copied = objective.capacity().map(|above| {
        [
            OrderAim::Excess(above),
            OrderAim::EarlyEnds,
            OrderAim::Evictions(above),
        ]
    });
    let aims = std::iter::once(OrderAim::Peak).chain(copied.into_iter().flatten());
    aims.map(|aim| OrderOptions { threshold, aim }).collect()
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

/// A function with the orders that are proposed for its blocks.
struct Proposed<'f> {
    function: OrderFunction<'f>,
    name: &'f str,
    blocks: Vec<ProposedBlock>,
    /// The aim whose orders have been written.
    written: Option<usize>,
}

/// A block with its proposed orders, one for each aim.
struct ProposedBlock {
    block: Block,
    extracted: OrderBlock,
    original: Vec<Op>,
    plans: Vec<OrderPlan>,
}

/// Proposes orders for the blocks of a function; blocks inside operations come first. Nothing is written
/// unless a broken order is wanted.
fn propose<'f>(
    extracted: &'f Extracted,
    aims: &[OrderOptions],
    sabotage: Option<Sabotage>,
) -> Result<Proposed<'f>, Failed> {
    let mut function = OrderFunction::new(extracted);
    let mut blocks = Vec::new();
    for block in function.blocks() {
        let extracted = function.extract(block);
        let Some(extracted) = extracted.filter(|own| !own.problem.buffers.is_empty()) else {
            continue;
        };
        let plans = aims.iter().map(|aim| plan_order(&extracted.problem, aim));
        let Ok(plans) = plans.collect::<Result<Vec<OrderPlan>, _>>() else {
            // More bytes than any memory has; planning reports them.
            continue;
        };
        function.record(&extracted, &plans[0].order);
        let own = ProposedBlock {
            block,
            original: block.ops().collect(),
            extracted,
            plans,
        };
        let broken = sabotage.and_then(|kind| kind.of(&own.extracted, &own.plans[0]));
        if let Some(broken) = broken {
            own.write(&function, &broken)?;
            return refuse(&own.extracted, "the check accepts a broken order", None);
        }
        blocks.push(own);
    }
    Ok(Proposed {
        function,
        name: &extracted.function.name,
        blocks,
        written: None,
    })
}

impl Proposed<'_> {
    /// Whether another order is proposed for an aim.
    fn is_changed(&self, aim: usize) -> bool {
        self.blocks
            .iter()
            .any(|block| block.plans[aim].is_changed())
    }

    /// Whether the same order is proposed for an aim before this one that is to be planned.
    fn is_known(&self, aim: usize, is_planned: impl Fn(usize) -> bool) -> bool {
        let is_same = |other: usize| {
            let mut blocks = self.blocks.iter();
            blocks.all(|block| block.plans[aim].order == block.plans[other].order)
        };
        (0..aim).any(|other| is_planned(other) && is_same(other))
    }

    /// Writes the orders that are proposed for an aim.
    fn write(&mut self, aim: usize) -> PassResult {
        for block in &self.blocks {
            if block.plans[aim].is_changed() {
                block.write(&self.function, &block.plans[aim])?;
            }
        }
        self.written = Some(aim);
        Ok(())
    }

    /// Moves all operations back to where they were.
    fn restore(&mut self) {
        let Some(aim) = self.written.take() else {
            return;
        };
        let changed = |block: &&ProposedBlock| block.plans[aim].is_changed();
        for block in self.blocks.iter().filter(changed) {
            if let Some((last, others)) = block.original.split_last() {
                others.iter().for_each(|op| op.move_before(*last));
            }
        }
    }
}

impl ProposedBlock {
    /// Moves the operations, and checks where they are.
    fn write(&self, function: &OrderFunction<'_>, plan: &OrderPlan) -> PassResult {
        let extracted = &self.extracted;
        emit(&self.original, extracted, &plan.order);
        if let Err(error) = check_written(function, self.block, &self.original) {
            return refuse(extracted, &error.to_string(), error.ops());
        }
        let checked = check_order(&extracted.problem, &plan.order, plan.peak);
        checked.or_else(|error| refuse(extracted, &error.to_string(), None))
    }
}

/// An internal error: the order is not valid. `ops`: the operations that `why` refers to.
fn refuse<T>(block: &OrderBlock, why: &str, ops: Option<[Op; 2]>) -> Result<T, Failed> {
    let first = block.ops[StepId::new(0).index()][0];
    let at = ops.map_or(first, |[later, _]| later);
    let mut error = Diagnostic::internal_error("mem-reorder", at, why);
    if let Some([_, earlier]) = ops {
        let text = "this is the other operation";
        error = error.note(earlier.location(), text);
    }
    error.fail()
}
