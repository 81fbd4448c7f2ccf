//! Optimization remarks on a plan: what sets its peak, and which results could have taken over the
//! bytes of an operand.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_flow::Lifetimes;
use mem_model::{BufferId, Bytes, Item, Plan, PointerId, Problem, StepId};
use mem_planner::pressure;

use super::ranks::remark_ranks;
use crate::extract::{Extraction, location_of, not_in_place, remark_missed_reuses};
use crate::ir::{Category, Op, Remark, are_remarks_enabled};

/// Emits the remarks of the categories that the remark engine accepts.
pub(super) fn remark_plan(
    function: Op,
    (extraction, lifetimes): (&Extraction, &Lifetimes),
    problem: &Problem,
    plan: &Plan,
) {
    if problem.items.is_empty() {
        return;
    }
    let context = function.context();
    if are_remarks_enabled(context, Category::Peak) {
        remark_peak(extraction, problem, plan);
        remark_ranks(function, extraction, problem);
    }
    remark_missed_reuses(extraction, lifetimes);
    if are_remarks_enabled(context, Category::NotInPlace) {
        remark_unused_reuses(extraction, lifetimes, plan);
    }
}

/// Remarks on the step at which the most bytes are live, and on each buffer that is live there, largest
/// first.
fn remark_peak(extraction: &Extraction, problem: &Problem, plan: &Plan) {
    let Some((point, bytes)) = pressure(problem).and_then(|own| Some((own.point?, own.bytes)))
    else {
        return;
    };
    let step = point.step();
    let function = &extraction.program.name;
    let location = extraction.step_ops[step.index()].location();
    let text = format!(
        "the peak is {} bytes; of all steps, this one has the most live bytes, {bytes}",
        plan.peak
    );
    Remark::new((Category::Peak, "FullestStep"), location, function)
        .text(text)
        .with("Peak", plan.peak)
        .with("LowerBound", plan.lower_bound)
        .with("LiveBytes", bytes)
        .with("Step", step.index())
        .emit();
    let live_bytes = |item: &Item| {
        let parts = item.parts.iter().filter(|part| part.live.contains(point));
        parts.fold(Bytes::ZERO, |sum, part| {
            sum.checked_add(part.size()).unwrap_or(sum)
        })
    };
    let mut live: Vec<(BufferId, Bytes)> = Vec::new();
    for item in &problem.items {
        live.push((item.buffer, live_bytes(item)));
    }
    live.retain(|(_, bytes)| *bytes > Bytes::ZERO);
    live.sort_by_key(|(buffer, bytes)| (std::cmp::Reverse(*bytes), *buffer));
    for (buffer, bytes) in live {
        let name = &extraction.program.buffers[buffer.index()].name;
        let location = location_of(extraction, buffer);
        Remark::new((Category::Peak, "LiveAtPeak"), location, function)
            .with("Buffer", name)
            .with("Bytes", bytes)
            .with("Step", step.index())
            .emit();
    }
}

/// Remarks on results that may take over the bytes of an operand, but have the address of none.
fn remark_unused_reuses(extraction: &Extraction, lifetimes: &Lifetimes, plan: &Plan) {
    let placements = plan.placements.iter().map(|own| (own.buffer, own.offset));
    let offsets: HashMap<BufferId, Bytes> = placements.collect();
    let is_shared = |(operand, result): &(BufferId, BufferId)| {
        let offset = |buffer| offsets.get(buffer);
        offset(operand) == offset(result)
    };
    // A result takes over one operand only.
    let shared = lifetimes.reuses.iter().filter(|own| is_shared(own));
    let taking: HashSet<BufferId> = shared.map(|(_, result)| *result).collect();
    let steps = steps_in_place(extraction);
    let apart = lifetimes.reuses.iter();
    for pair in apart.filter(|(_, result)| !taking.contains(result)) {
        if let Some(step) = steps.get(pair) {
            not_in_place("NotChosen", extraction, *step, *pair)
                .with("Reason", "the plan has another address for the result")
                .emit();
        }
    }
}

/// The first step that works in place on each pair of buffers.
fn steps_in_place(extraction: &Extraction) -> HashMap<(BufferId, BufferId), StepId> {
    let program = &extraction.program;
    let buffer = |pointer: PointerId| program.pointers[pointer.index()].kind.buffer();
    let mut steps = HashMap::default();
    for (index, step) in program.steps.iter().enumerate() {
        for (operand, result) in &step.in_place {
            if let Some(pair) = buffer(*operand).zip(buffer(*result)) {
                steps.entry(pair).or_insert(StepId::new(index));
            }
        }
    }
    steps
}
