//! Plans over several levels, and within a budget, as the page draws them.

use mem_cost::{Decision, Occupancy, Way, simulate};
use mem_model::{Bytes, LevelId, LevelPlan, TensorUse};

use super::data::{
    Buffer, Decided, Function, LevelOf, Move, Picture, Texts, TiledRow, frames, tiled_row,
};
use super::one_level::writers;
use super::reasons::reasons;
use super::roles::kind_in;
use super::training::training;
use crate::LevelView;
use crate::levels::{decision_text, grouped, home_bytes};
use crate::tiled::{TiledOperation, tiled_operations};

pub(super) fn function<'a>(view: &LevelView<'a>, texts: &mut Texts<'a>) -> Function<'a> {
    let program = view.program;
    let steps = view.problem.steps.iter().enumerate().map(|(index, step)| {
        // With repetitions, the steps of the problem are not those of the program.
        let of_program = view.steps.get(index).map_or(index, |own| own.step);
        let location = program.steps.get(of_program);
        let location = location.map_or("", |own| own.location.as_ref());
        let of = |bytes: fn(&TensorUse) -> Bytes| {
            let own = step.uses.iter().filter(|own| bytes(own) > Bytes::ZERO);
            own.map(|own| own.tensor.index()).collect()
        };
        let (reads, writes) = (of(|own| own.reads), of(|own| own.writes));
        (texts.add(&step.name), texts.add(location), reads, writes)
    });
    let steps = steps.collect();
    let groups = (0..view.problem.steps.len()).map(|index| {
        let of_program = view.steps.get(index).map_or(index, |own| own.step);
        view.groups.get(of_program).copied().flatten()
    });
    let groups: Vec<Option<i64>> = groups.collect();
    let repeated = view.steps.iter().enumerate();
    let repeated = repeated.filter(|(_, own)| own.is_again());
    let before = view.before.map(|plan| {
        let title = match exceeds(view, plan) {
            true => "with more room: every tensor stays where it is first used",
            false => "initial plan",
        };
        picture(view, plan, title)
    });
    let title = format!("plan ({})", view.strategy);
    Function {
        name: view.name,
        steps,
        repeated: repeated.map(|(index, _)| index).collect(),
        buffers: buffers(view, texts),
        groups: frames(groups.into_iter()),
        tiled: tiled(view),
        plans: before
            .into_iter()
            .chain([picture(view, view.plan, &title)])
            .collect(),
        reasons: reasons(view),
        decisions: decisions(view),
    }
}

/// Whether a plan needs more of the fastest level than there is.
fn exceeds(view: &LevelView<'_>, plan: &LevelPlan) -> bool {
    let fastest = LevelId::new(0);
    let capacity = view.problem.hierarchy.levels.first();
    let capacity = capacity.and_then(|level| level.capacity);
    let peak = plan.peak(view.problem, fastest).unwrap_or_default();
    let needed = peak.checked_add(home_bytes(view.problem, fastest));
    capacity.is_some_and(|capacity| needed.is_none_or(|needed| needed > capacity))
}

/// The operations of groups. With repetitions, several steps of the problem are one of the program.
fn tiled(view: &LevelView<'_>) -> Vec<TiledRow> {
    let mut of_problem: Vec<Vec<usize>> = vec![Vec::new(); view.program.steps.len()];
    for step in 0..view.problem.steps.len() {
        let of_program = view.steps.get(step).map_or(step, |own| own.step);
        if let Some(own) = of_problem.get_mut(of_program) {
            own.push(step);
        }
    }
    let all = tiled_operations(view.program, view.groups, view.untiled);
    let row = |own: &TiledOperation| {
        let steps = own.steps.iter().flat_map(|step| of_problem[*step].iter());
        let mut steps: Vec<usize> = steps.copied().collect();
        steps.sort_unstable();
        tiled_row(own, steps)
    };
    all.iter().map(row).collect()
}

fn buffers<'a>(view: &LevelView<'a>, texts: &mut Texts<'a>) -> Vec<Buffer<'a>> {
    let lifetimes = view.problem.lifetimes();
    let writers = writers(view.program);
    let training = training(view.program);
    let mut by_step = vec![None; view.program.steps.len()];
    for step in 0..view.problem.steps.len() {
        let of_program = view.steps.get(step).map_or(step, |own| own.step);
        if let Some(known) = by_step.get_mut(of_program) {
            known.get_or_insert(step);
        }
    }
    let tensors = view.problem.tensors.iter().zip(view.buffers).enumerate();
    let buffer = |(index, (tensor, &id)): (usize, (&'a mem_model::Tensor, _))| {
        let id: mem_model::BufferId = id;
        let own = &view.program.buffers[id.index()];
        let n_steps = lifetimes[index].map_or(0, |live| live.end - live.start);
        Buffer {
            name: &tensor.name,
            size: tensor.size.get(),
            role: kind_in(&training, id.index(), own, n_steps),
            ty: texts.add(view.types.get(id.index()).map_or("", String::as_str)),
            by: writers[id.index()].and_then(|step| by_step.get(step).copied().flatten()),
            at: texts.add(&own.location),
        }
    };
    tensors.map(buffer).collect()
}

fn picture(view: &LevelView<'_>, plan: &LevelPlan, title: &str) -> Picture {
    let schedule = simulate(view.problem, plan);
    let n_steps = view.problem.steps.len();
    let placed = plan.placements.iter().filter_map(|own| {
        let low = own.offset?.get();
        let size = view.problem.tensors[own.tensor.index()].size.get();
        let steps = [own.steps.start, own.steps.end].map(|step| 2 * step as u64);
        let [start, end] = steps;
        let high = low.saturating_add(size);
        Some((own.tensor.index(), own.level.index(), start, end, low, high))
    });
    let places = placed.collect();
    let levels = view.problem.hierarchy.levels.iter().enumerate();
    let levels = levels.map(|(index, level)| {
        let id = LevelId::new(index);
        let occupancy = Occupancy::new(view.problem, plan, id);
        LevelOf {
            name: level.name.clone(),
            capacity: level.capacity.map(Bytes::get),
            peak: plan.peak(view.problem, id).unwrap_or_default().get(),
            bound: occupancy.largest_lower_bound().get(),
            home: home_bytes(view.problem, id).get(),
            live: changes(&occupancy.held, n_steps),
        }
    });
    let mut facts = vec![
        format!(
            "{} cycles with overlapped copies",
            grouped(schedule.makespan)
        ),
        format!("{} cycles serially", grouped(plan.cost)),
        format!(
            "{} copies of {}",
            grouped(plan.transfers.len() as u64),
            plan.moved(view.problem).human()
        ),
    ];
    if view.lower_bound > 0 {
        facts.push(format!(
            "lower bound {} cycles serially",
            grouped(view.lower_bound)
        ));
    }
    Picture {
        title: title.to_owned(),
        facts,
        levels: levels.collect(),
        places,
        transfers: transfers(view, plan),
    }
}

/// Values at the points where they change: steps have two points each.
fn changes(held: &[Bytes], n_steps: usize) -> Vec<(u64, u64)> {
    let mut changes: Vec<(u64, u64)> = Vec::new();
    let values = held.iter().map(|bytes| bytes.get()).chain([0]);
    for (step, bytes) in values.take(n_steps + 1).enumerate() {
        if changes.last().is_none_or(|last| last.1 != bytes) {
            changes.push((2 * step as u64, bytes));
        }
    }
    changes
}

fn transfers(view: &LevelView<'_>, plan: &LevelPlan) -> Vec<Move> {
    let schedule = simulate(view.problem, plan);
    let all = plan.transfers.iter().zip(schedule.transfers);
    let transfers = all.map(|(own, when)| {
        let ends = [own.from, own.to].map(|id| &plan.placements[id.index()]);
        let engines = &view.problem.hierarchy.engines;
        Move {
            buffer: ends[0].tensor.index(),
            target: ends[1].tensor.index(),
            levels: ends.map(|end| end.level.index()),
            offsets: ends.map(|end| end.offset.map(Bytes::get)),
            before: own.before,
            until: own.until,
            cycles: Some([when.span.start, when.span.end]),
            engine: when.engine.map(|engine| engines[engine].name.clone()),
        }
    });
    transfers.collect()
}

fn decisions(view: &LevelView<'_>) -> Vec<Decided> {
    let hierarchy = &view.problem.hierarchy;
    let has_link = hierarchy.connects(LevelId::DEVICE, LevelId::HOST);
    let decided = |own: &Decision| Decided {
        buffer: own.tensor.index(),
        way: match own.way {
            Way::Swap { .. } => "swap",
            Way::Recompute { .. } => "recompute",
        },
        after: own.after,
        before: own.before,
        overhead: own.overhead(),
        out: has_link.then_some(own.swap[0]),
        back: has_link.then_some(own.swap[1]),
        again: own.again,
        text: decision_text(own, view.problem),
    };
    view.decisions.iter().map(decided).collect()
}
