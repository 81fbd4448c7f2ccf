//! `mem-print-tradeoff`: prints how the makespan of a function grows as the device budget shrinks.

use std::fmt::Display;

use mem_cost::{ideal_cycles, simulate};
use mem_model::{Bytes, LevelId, LevelProblem};
use mem_planner::{Advice, OffloadPolicy, Repeatable, plan_offload, widths};
use mem_view::{Tradeoff, TradeoffPoint};

use crate::extract::levels::{chosen, device_budget, device_problems, repeatable};
use crate::framework::options::MemPrintTradeoffOptions as Options;
use crate::framework::{Failed, PassResult, PassRun, write_output};
use crate::ir::hierarchies::chosen_hierarchy;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let error = |option: &str, why: &dyn Display| {
        Failed::at_option(module, option, &format!("mem-print-tradeoff: {why}"))
    };
    let attribute = chosen_hierarchy(module, &options.hierarchy)?;
    let hierarchy = crate::ir::hierarchy(attribute);
    // Only checks that the hierarchy is a device and its host; any budget will do.
    device_budget(&hierarchy, 1).map_err(|why| error("hierarchy", &why))?;
    let parsed = options.policy.parse();
    let policy: OffloadPolicy = parsed.map_err(|why| error("policy", &why))?;
    let n_points = usize::try_from(options.points).ok().filter(|n| *n >= 2);
    let Some(n_points) = n_points else {
        let text = format!("a curve has two points or more, not {}", options.points);
        return Err(error("points", &text));
    };
    let problems = device_problems(module, attribute, options.noalias_arguments)?;
    let chosen = chosen(&problems, &options.function);
    let (extraction, extract) = chosen.map_err(|why| error("function", &why))?;
    let repeatable = repeatable(extraction, extract);
    let Some(curve) = tradeoff(&extract.problem, &repeatable, policy, n_points) else {
        return Err(error(
            "hierarchy",
            &"an operation accepts tensors elsewhere than on the device",
        ));
    };
    let curve = Tradeoff {
        name: extraction.program.name.clone(),
        ..curve
    };
    let text = match options.output.as_str() {
        path if path.ends_with(".svg") => curve.svg(),
        path if path.ends_with(".json") => curve.json(),
        _ => curve.text(),
    };
    write_output(module, "mem-print-tradeoff", &options.output, &text)
}

/// Plans for equidistant budgets, from the widest step to the peak without a limit.
fn tradeoff(
    problem: &LevelProblem,
    repeatable: &[Repeatable],
    policy: OffloadPolicy,
    n_points: usize,
) -> Option<Tradeoff> {
    let (widest, peak) = widths(problem)?;
    let ideal = ideal_cycles(problem);
    // Storage that exists before the function runs takes device memory in addition to the budget.
    let capacity = problem.hierarchy.levels[LevelId::DEVICE.index()]
        .capacity?
        .get();
    let taken = capacity - problem.capacities().ok()?[LevelId::DEVICE.index()]?.get();
    let budgets = (0..n_points).map(|point| {
        let part = (peak - widest) as f64 * point as f64 / (n_points - 1) as f64;
        widest + part as u64
    });
    let points = budgets.map(|budget| {
        let mut problem = problem.clone();
        problem.hierarchy.levels[LevelId::DEVICE.index()].capacity =
            Some(Bytes::new(budget.saturating_add(taken)));
        let planned = plan_offload(&problem, repeatable, policy, &Advice::default());
        let planned = planned.and_then(|decided| {
            let plan = decided.plan?.plan;
            Ok(TradeoffPoint {
                budget: Bytes::new(budget),
                least: decided.least,
                makespan: Some(simulate(&decided.problem, &plan).makespan),
                copied: plan.moved(&decided.problem),
                n_repeated: decided.repetitions.len(),
            })
        });
        planned.unwrap_or(TradeoffPoint {
            budget: Bytes::new(budget),
            least: ideal,
            makespan: None,
            copied: Bytes::ZERO,
            n_repeated: 0,
        })
    });
    Some(Tradeoff {
        name: String::new(),
        ideal,
        peak: Bytes::new(peak),
        widest: Bytes::new(widest),
        points: points.collect(),
    })
}
