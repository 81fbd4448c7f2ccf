//! Explains why a budget is too small, and names one that is not.
//!
//! The width of the widest step is a lower bound on every feasible budget, so it is tried first. If
//! no plan is found for it (tensors that stay across wide steps can fragment the free bytes),
//! larger budgets are tried. The first one with a plan is named, without the claim that no budget
//! in between has one.

use mem_flow::LevelExtract;
use mem_model::{Bytes, LevelId, LevelProblem};
use mem_planner::{
    Advice, LevelNoFit, LevelPlanError, OffloadPolicy, Repeatable, WidestStep, plan_offload,
    plan_repeated, plan_swaps, widest_step,
};

use super::Candidate;
use crate::extract::levels::{Device, ExtractedLevels, repeatable};
use crate::extract::{Extraction, functions_bottom_up};
use crate::ir::{Diagnostic, Location, Op};
use crate::plan::levels::repeating::writable;
use crate::plan::levels::report;

/// Maximum number of tensors that the memory map of a step lists.
const MOST: usize = 16;

/// Number of budgets above the widest step to try. The first is larger by 1/64, and each excess is
/// twice the previous one.
const LARGER: u32 = 8;

/// A request to plan the functions of a module within a budget.
pub(super) struct Request<'a> {
    pub module: Op,
    pub problems: &'a [Candidate],
    pub device: &'a Device,
    /// The requested budget in bytes; `None`: all of the device.
    pub budget: Option<Bytes>,
    /// Capacity of the device in bytes.
    pub capacity: Option<Bytes>,
}

/// The error for a function that has no plan.
pub(super) fn too_small(
    request: &Request<'_>,
    (ExtractedLevels { extraction, .. }, extract): &Candidate,
    error: LevelNoFit,
) -> Diagnostic {
    let problem = &extract.problem;
    let advice = request.device.advice(extraction, problem);
    let Some(widest) = widest_step(problem, &advice) else {
        let error = LevelPlanError::NoFit(error);
        return report::no_fit(
            request.module,
            &extraction.step_ops,
            problem,
            &error,
            request.budget,
        );
    };
    if let Some(call) = call_of(request.module, &extraction.program.name) {
        return in_callee(extraction, extract, &widest, call);
    }
    // If a callee does not fit, no budget helps.
    for (ExtractedLevels { extraction, .. }, extract) in request.problems {
        let advice = request.device.advice(extraction, &extract.problem);
        let widest = widest_step(&extract.problem, &advice);
        if let Some(widest) = widest.filter(|widest| widest.bytes > widest.capacity)
            && let Some(call) = call_of(request.module, &extraction.program.name)
        {
            return in_callee(extraction, extract, &widest, call);
        }
    }
    let of = match request.budget {
        Some(budget) => format!("no plan within a budget of {budget} bytes"),
        None => format!(
            "no plan within the {} bytes of {}",
            widest.capacity,
            name(problem)
        ),
    };
    let is_proven = widest.bytes > widest.capacity;
    let needs = format!("the widest step needs {}", widest.bytes);
    let (step, why) = match is_proven {
        true => (widest.step, needs),
        false => {
            let tensor = &problem.tensors[error.tensor.index()].name;
            let pieces = format!("'{tensor}' finds {} too few here", error.missing);
            let why = format!("{needs}, but the free bytes are in pieces: {pieces}");
            (error.step, why)
        }
    };
    let location = extraction.step_ops[step].location();
    let advised = advised(request, problem);
    let mut diagnostic = Diagnostic::error(location, format!("{of}: {why}; {advised}"));
    if is_proven {
        diagnostic = memory_map(diagnostic, location, extraction, extract, &widest);
    }
    diagnostic
}

/// The name of the device, quoted.
fn name(problem: &LevelProblem) -> String {
    format!(
        "'{}'",
        problem.hierarchy.levels[LevelId::DEVICE.index()].name
    )
}

/// Advice for the user: which budget to ask for instead. If operations run tile by tile, `mem-tile` has
/// found these tiles to need the least memory, and uses them with the budget that is named.
fn advised(request: &Request<'_>, problem: &LevelProblem) -> String {
    let least = least(request);
    let of_device = |budget: &u64| fits_device(request, *budget);
    let larger = (0..LARGER).map(|power| least.saturating_add((least / 64).max(1) << power));
    let mut budgets = std::iter::once(least).chain(larger).take_while(of_device);
    let are_tiled = planned(request).any(|(own, _)| !own.extraction.groups().is_empty());
    match budgets.find(|budget| all_run(request, *budget)) {
        // A program can be divided in many ways, and not all of them have been tried.
        Some(budget) if budget == least && are_tiled => {
            format!("in tiles, budget={budget} is the smallest found that runs")
        }
        Some(budget) if budget == least => format!("budget={budget} is the smallest that runs"),
        Some(budget) => format!("budget={budget} runs"),
        None if !fits_device(request, least) => {
            let capacity = request.capacity.unwrap_or_default();
            format!(
                "{} has {capacity}, of which arguments, results and constants have {}: no budget is enough",
                name(problem),
                at_home(problem),
            )
        }
        None => "larger budgets may run".to_owned(),
    }
}

/// Width of the widest step of all functions in bytes, not counting functions that others call.
fn least(request: &Request<'_>) -> u64 {
    let widths = planned(request).filter_map(|(ExtractedLevels { extraction, .. }, extract)| {
        let advice = request.device.advice(extraction, &extract.problem);
        Some(widest_step(&extract.problem, &advice)?.bytes)
    });
    widths.max().unwrap_or(0)
}

/// The functions that a budget is for: those that no other function calls.
fn planned<'a>(request: &'a Request<'_>) -> impl Iterator<Item = &'a Candidate> {
    let own = request.problems.iter();
    own.filter(|(own, _)| call_of(request.module, &own.function.name).is_none())
}

/// Whether the device has room for a budget in addition to arguments, results and constants.
fn fits_device(request: &Request<'_>, budget: u64) -> bool {
    let Some(capacity) = request.capacity else {
        return true;
    };
    let mut own = planned(request).map(|(_, extract)| at_home(&extract.problem).get());
    own.all(|home| home.saturating_add(budget) <= capacity.get())
}

/// Bytes of the device that arguments, results and constants take.
fn at_home(problem: &LevelProblem) -> Bytes {
    let own = problem.tensors.iter().filter(|own| own.within.is_none());
    let at_home = own.filter(|own| own.home == Some(LevelId::DEVICE));
    Bytes::new(
        at_home
            .map(|own| own.size.get())
            .fold(0, u64::saturating_add),
    )
}

/// Whether all functions have a plan within a budget.
fn all_run(request: &Request<'_>, budget: u64) -> bool {
    planned(request).all(|(ExtractedLevels { extraction, .. }, extract)| {
        let mut problem = extract.problem.clone();
        let capacity = at_home(&problem).get().saturating_add(budget);
        problem.hierarchy.levels[LevelId::DEVICE.index()].capacity = Some(Bytes::new(capacity));
        let advice = request.device.advice(extraction, &problem);
        let repeatable = repeatable(extraction, extract);
        runs(
            &problem,
            extraction,
            &repeatable,
            request.device.policy,
            &advice,
        )
    })
}

/// Whether a function has a plan: the one that is cheapest to find if the policy can fall back to
/// it, otherwise that of the policy.
fn runs(
    problem: &LevelProblem,
    extraction: &Extraction,
    repeatable: &[Repeatable],
    policy: OffloadPolicy,
    advice: &Advice,
) -> bool {
    let falls_back = match policy {
        OffloadPolicy::Auto | OffloadPolicy::Swap | OffloadPolicy::FarthestNextUse => true,
        OffloadPolicy::Recompute | OffloadPolicy::Checkpoints => false,
    };
    let cheapest = OffloadPolicy::FarthestNextUse;
    if falls_back && !advice.has_pins() && plan_swaps(problem, cheapest, advice).is_ok() {
        return true;
    }
    let Ok(decided) = plan_offload(problem, repeatable, policy, advice) else {
        return false;
    };
    let repetitions = writable(extraction, &decided.repetitions);
    if repetitions == decided.repetitions {
        return decided.plan.is_ok();
    }
    let (_, plan) = plan_repeated(problem, repeatable, policy, advice, &repetitions);
    plan.is_ok()
}

/// Adds notes on which tensor holds how many bytes at the widest step.
fn memory_map(
    diagnostic: Diagnostic,
    location: Location,
    extraction: &Extraction,
    extract: &LevelExtract,
    widest: &WidestStep,
) -> Diagnostic {
    let (mut diagnostic, problem) = (diagnostic, &extract.problem);
    let mut tensors = widest.tensors.clone();
    tensors.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    for (tensor, bytes) in tensors.iter().take(MOST) {
        let name = &problem.tensors[tensor.index()].name;
        let over = widest
            .taken_over
            .iter()
            .find(|(_, result, _)| result == tensor);
        let text = match over {
            Some((operand, _, shared)) => format!(
                "'{name}' holds {bytes} bytes, {shared} of them in place of '{}'",
                problem.tensors[operand.index()].name
            ),
            None => format!("'{name}' holds {bytes} bytes"),
        };
        let op = extraction.buffer_ops[extract.origins[tensor.index()].buffer.index()];
        diagnostic = diagnostic.note(op.map_or(location, |op| op.location()), text);
    }
    if let Some(rest) = tensors.get(MOST..).filter(|rest| !rest.is_empty()) {
        let bytes: u64 = rest.iter().map(|(_, bytes)| bytes).sum();
        let text = format!("and {} more hold {bytes} bytes", rest.len());
        diagnostic = diagnostic.note(location, text);
    }
    let beside = at_home(problem);
    let mut text = match widest.bytes - widest.capacity {
        1 => "1 byte is missing".to_owned(),
        missing => format!("{missing} bytes are missing"),
    };
    if beside > Bytes::ZERO {
        text += &format!("; arguments, results and constants have {beside} beside the budget");
    }
    diagnostic.note(location, text)
}

/// A call, inside of the module, of the function with this name.
fn call_of(module: Op, name: &str) -> Option<Op> {
    let functions = functions_bottom_up(module);
    let own = functions.iter().find(|own| own.name == name && own.used)?;
    let mut uses = crate::ir::symbol_uses(module).into_iter();
    let (user, _) = uses.find(|(_, symbol)| *symbol == own.name)?;
    Some(user)
}

/// The error for a function that others call: its callers' tensors are on the device as well, and a
/// budget is for one function.
fn in_callee(
    extraction: &Extraction,
    extract: &LevelExtract,
    widest: &WidestStep,
    call: Op,
) -> Diagnostic {
    let (problem, function) = (&extract.problem, &extraction.program.name);
    let text = format!(
        "@{function} is called and not inlined, and needs {} bytes of {} for its own tensors here: the budget \
         is its callers'; inline it",
        widest.bytes,
        name(problem)
    );
    let location = extraction.step_ops[widest.step].location();
    let mut diagnostic = Diagnostic::error(location, text);
    for (tensor, bytes) in widest.tensors.iter().take(MOST) {
        let op = extraction.buffer_ops[extract.origins[tensor.index()].buffer.index()];
        let text = format!(
            "'{}' holds {bytes} bytes",
            problem.tensors[tensor.index()].name
        );
        diagnostic = diagnostic.note(op.map_or(location, |op| op.location()), text);
    }
    diagnostic.note(call.location(), "called here")
}
