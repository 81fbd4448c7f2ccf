//! Plans for one level, as the page draws them.

use std::collections::HashMap;

use mem_model::{AccessKind, BufferId, Bytes, PointerKind, Program, Role};

use super::coverage::live_bytes;
use super::data::{Buffer, Function, LevelOf, Move, Picture, PlaceOf, Texts, frames, tiled_row};
use super::roles::kind_in;
use super::training::training;
use crate::tiled::tiled_operations;
use crate::{FunctionPlan, TransferEnd};

/// The picture of a function. `own`: its entries, one for each level; never empty.
pub(super) fn function<'a>(own: &[&FunctionPlan<'a>], texts: &mut Texts<'a>) -> Function<'a> {
    let first = own[0];
    let program = first.program;
    let steps = program.steps.iter();
    let steps = steps.map(|step| {
        let [reads, writes] =
            [AccessKind::Use, AccessKind::Define].map(|kind| accessed(program, step, kind));
        (
            texts.add(&step.name),
            texts.add(&step.location),
            reads,
            writes,
        )
    });
    Function {
        name: &program.name,
        steps: steps.collect(),
        repeated: Vec::new(),
        buffers: buffers(first, texts),
        groups: frames(first.groups.iter().copied()),
        tiled: tiled_operations(program, first.groups, first.untiled)
            .iter()
            .map(|own| tiled_row(own, own.steps.clone()))
            .collect(),
        plans: vec![apart(own), planned(own)],
        reasons: Vec::new(),
        decisions: Vec::new(),
    }
}

/// The buffers that a step accesses, each once. Where the program decides which of several buffers it is, none
/// of them counts.
fn accessed(program: &Program, step: &mem_model::Step, kind: AccessKind) -> Vec<usize> {
    let own = step.accesses.iter().filter(|own| own.kind == kind);
    let buffers = own.filter_map(|own| program.pointers[own.pointer.index()].kind.buffer());
    let mut buffers: Vec<usize> = buffers.map(BufferId::index).collect();
    buffers.sort_unstable();
    buffers.dedup();
    buffers
}

/// The operation that initializes what another one computes.
const FILL: &str = "linalg.fill";

/// Per buffer: the first step that writes it through its own pointer. The initial value of a sum is not
/// what people look for: the step that computes the sum is.
pub(super) fn writers(program: &Program) -> Vec<Option<usize>> {
    let mut writers = vec![None; program.buffers.len()];
    for (index, step) in program.steps.iter().enumerate() {
        for access in &step.accesses {
            let pointer = &program.pointers[access.pointer.index()];
            if let (AccessKind::Define, PointerKind::Buffer(buffer)) = (access.kind, pointer.kind) {
                let writer = writers[buffer.index()].get_or_insert(index);
                if *program.steps[*writer].name == *FILL && *step.name != *FILL {
                    *writer = index;
                }
            }
        }
    }
    writers
}

fn buffers<'a>(function: &FunctionPlan<'a>, texts: &mut Texts<'a>) -> Vec<Buffer<'a>> {
    let writers = writers(function.program);
    let training = training(function.program);
    let all = function.program.buffers.iter().enumerate();
    let outside = all.clone().filter_map(|own| {
        let is_outside = matches!(own.1.role, Role::Input | Role::Output | Role::Constant);
        is_outside.then_some((own.1.name.as_ref(), own))
    });
    let outside: HashMap<&str, (usize, &mem_model::Buffer)> = outside.collect();
    let buffer = |(index, own): (usize, &'a mem_model::Buffer)| {
        let live = function.lifetime_of(BufferId::new(index));
        let n_steps = live.iter().map(|(first, last)| last - first + 1).sum();
        let original = original((index, own), &outside);
        Buffer {
            name: &own.name,
            size: own.size.get(),
            role: kind_in(&training, original.0, original.1, n_steps),
            ty: texts.add(function.types.get(index).map_or("", String::as_str)),
            by: writers[index],
            at: texts.add(&own.location),
        }
    };
    all.map(buffer).collect()
}

/// The argument or constant that a buffer is a copy of: copies in other levels have its name and a
/// number. The buffer itself, if it is no copy. Both with their numbers.
fn original<'a>(
    own: (usize, &'a mem_model::Buffer),
    outside: &HashMap<&str, (usize, &'a mem_model::Buffer)>,
) -> (usize, &'a mem_model::Buffer) {
    let copied = own.1.name.rsplit_once('.').filter(|(_, number)| {
        own.1.role == Role::Intermediate && number.bytes().all(|digit| digit.is_ascii_digit())
    });
    let original = copied.and_then(|(name, _)| outside.get(name));
    original.copied().unwrap_or(own)
}

/// The plan itself.
fn planned(own: &[&FunctionPlan<'_>]) -> Picture {
    let mut places = Vec::new();
    let mut levels = Vec::new();
    for (index, function) in own.iter().enumerate() {
        let first = places.len();
        for placement in &function.plan.placements {
            add_places(
                function,
                placement.buffer,
                index,
                placement.offset,
                &mut places,
            );
        }
        levels.push(level(function, function.plan.peak, &places[first..]));
    }
    let facts = own.iter().map(|function| {
        let (peak, bound) = (function.plan.peak, function.plan.lower_bound);
        // With several levels, other choices of what is in each have other peaks.
        let verdict = match function.plan.is_optimal() && own.len() == 1 {
            true => "; no plan has a lower peak",
            false => "",
        };
        let (peak, bound) = (peak.human(), bound.human());
        format!(
            "'{}': peak {peak}, lower bound {bound}{verdict}",
            function.level
        )
    });
    Picture {
        title: format!("plan ({})", own[0].plan.strategy),
        facts: facts.collect(),
        levels,
        places,
        transfers: transfers(own),
    }
}

/// Copies between levels that have a diagram. There is no schedule: they begin at cycle 0.
fn transfers(own: &[&FunctionPlan<'_>]) -> Vec<Move> {
    let level = |end: &TransferEnd| {
        let name = end.level.as_deref()?;
        own.iter().position(|function| function.level == name)
    };
    let shown = own[0].transfers.iter().filter_map(|copy| {
        Some(Move {
            buffer: copy.from.buffer.index(),
            target: copy.to.buffer.index(),
            levels: [level(&copy.from)?, level(&copy.to)?],
            offsets: [&copy.from, &copy.to].map(|end| end.offset.map(Bytes::get)),
            before: copy.step,
            until: copy.until.max(copy.step + 1),
            cycles: copy.cycles.map(|cycles| [0, cycles]),
            engine: None,
        })
    });
    shown.collect()
}

/// For comparison: every buffer at addresses of its own, in the order of first use.
fn apart(own: &[&FunctionPlan<'_>]) -> Picture {
    let (mut places, mut levels, mut facts) = (Vec::new(), Vec::new(), Vec::new());
    for (index, function) in own.iter().enumerate() {
        let first_place = places.len();
        let placements = function.plan.placements.iter();
        let mut order: Vec<(usize, BufferId, u32)> = placements
            .map(|own| {
                let live = function.lifetime_of(own.buffer);
                let first = live.first().map_or(usize::MAX, |live| live.0);
                (first, own.buffer, own.slot)
            })
            .collect();
        order.sort_unstable();
        let mut end = 0_u64;
        for (_, buffer, _) in order {
            add_places(function, buffer, index, Bytes::new(end), &mut places);
            let size = function.program.buffers[buffer.index()].size;
            end = end.saturating_add(size.get());
        }
        levels.push(level(function, Bytes::new(end), &places[first_place..]));
        let sum = Bytes::new(end).human();
        facts.push(format!("'{}': {sum} in total", function.level));
    }
    Picture {
        title: "without a plan: one allocation for each buffer".to_owned(),
        facts,
        levels,
        places,
        transfers: Vec::new(),
    }
}

/// Adds a rectangle for each interval of each part of a buffer.
fn add_places(
    function: &FunctionPlan<'_>,
    buffer: BufferId,
    level: usize,
    offset: Bytes,
    places: &mut Vec<PlaceOf>,
) {
    for part in function.parts_of(buffer) {
        let [low, high] = [part.bytes.start, part.bytes.end]
            .map(|bytes| offset.get().saturating_add(bytes.get()));
        for live in part.live.iter().filter(|_| low < high) {
            let (start, end) = (live.start.index(), live.end.index());
            places.push((buffer.index(), level, start, end, low, high));
        }
    }
}

fn level(function: &FunctionPlan<'_>, peak: Bytes, places: &[PlaceOf]) -> LevelOf {
    LevelOf {
        name: function.level.to_owned(),
        capacity: function.capacity.map(Bytes::get),
        peak: peak.get(),
        bound: function.plan.lower_bound.get(),
        home: 0,
        live: live_bytes(places),
    }
}

/// Live bytes of a plan as (point, bytes) at each point where their number changes.
pub(crate) fn live_of(function: &FunctionPlan<'_>) -> Vec<(u64, u64)> {
    live_bytes(&places_of(function))
}

/// Where the buffers of a plan are when.
pub(crate) fn places_of(function: &FunctionPlan<'_>) -> Vec<PlaceOf> {
    let mut places = Vec::new();
    for own in &function.plan.placements {
        add_places(function, own.buffer, 0, own.offset, &mut places);
    }
    places
}
