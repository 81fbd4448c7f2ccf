//! Plans for one level as JSON. The schema is in `SCHEMA.md` next to this crate's manifest. Its
//! version changes when a key is removed or changes its meaning, not when a key is added.

use mem_model::{BufferId, Bytes, Part, Placement, Program};
use serde::Serialize;

use crate::{FunctionPlan, TransferEnd, role_name, stretches};

/// Version of the schema.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    tool: &'static str,
    functions: Vec<Function<'a>>,
    levels: Vec<Level<'a>>,
    buffers: Vec<Buffer<'a>>,
    transfers: Vec<Transfer<'a>>,
    cost: Option<u64>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    strategy: &'a str,
    level: &'a str,
    peak: Bytes,
    lower_bound: Bytes,
    proven_bound: Bytes,
    /// Value assumed for sizes known only at run time, if the function has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<u64>,
    steps: Vec<&'a str>,
}

#[derive(Serialize)]
struct Level<'a> {
    name: &'a str,
    capacity: Option<Bytes>,
    peak: Bytes,
    lower_bound: Bytes,
}

#[derive(Serialize)]
struct Buffer<'a> {
    function: &'a str,
    name: &'a str,
    role: &'static str,
    storage: &'static str,
    size: Bytes,
    alignment: Bytes,
    location: &'a str,
    placements: Vec<Place<'a>>,
}

#[derive(Serialize)]
struct Place<'a> {
    level: &'a str,
    offset: Bytes,
    slot: u32,
    live: Vec<(usize, usize)>,
    /// Present only if parts of the buffer have different lifetimes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    parts: Vec<PartOf>,
}

#[derive(Clone, Serialize)]
struct PartOf {
    start: Bytes,
    end: Bytes,
    live: Vec<(usize, usize)>,
}

#[derive(Serialize)]
struct Transfer<'a> {
    function: &'a str,
    buffer: &'a str,
    from: End<'a>,
    to: End<'a>,
    bytes: Bytes,
    before: usize,
    until: usize,
    keeps_source: bool,
    cycles: Option<u64>,
}

#[derive(Serialize)]
struct End<'a> {
    level: Option<&'a str>,
    offset: Option<Bytes>,
}

/// Returns the plans as one JSON object, indented, with a final newline. Equal plans give equal
/// bytes.
#[must_use]
pub fn plan_json(functions: &[FunctionPlan<'_>]) -> String {
    let transfers: Vec<Transfer<'_>> = transfers(functions);
    let cycles = transfers.iter().map(|own| own.cycles);
    let document = Document {
        version: VERSION,
        tool: "mem-opt",
        functions: functions.iter().map(function).collect(),
        levels: levels(functions),
        buffers: buffers(functions),
        cost: cycles.sum(),
        transfers,
    };
    // Serialization only fails for maps whose keys are not strings; the document has none.
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// The copies of every function, once.
fn transfers<'a>(functions: &[FunctionPlan<'a>]) -> Vec<Transfer<'a>> {
    let mut transfers = Vec::new();
    for (index, function) in functions.iter().enumerate() {
        if function.is_one_of_several(&functions[..index]) {
            continue;
        }
        let end = |own: &'a TransferEnd| End {
            level: own.level.as_deref(),
            offset: own.offset,
        };
        transfers.extend(function.transfers.iter().map(|own| Transfer {
            function: &function.program.name,
            buffer: &function.program.buffers[own.to.buffer.index()].name,
            from: end(&own.from),
            to: end(&own.to),
            bytes: own.bytes,
            before: own.step,
            until: own.until,
            keeps_source: own.keeps_source,
            cycles: own.cycles,
        }));
    }
    transfers
}

fn function<'a>(function: &FunctionPlan<'a>) -> Function<'a> {
    let plan = function.plan;
    Function {
        name: &function.program.name,
        strategy: &plan.strategy,
        level: function.level,
        peak: plan.peak,
        lower_bound: plan.lower_bound,
        proven_bound: plan.proven_bound,
        unknown: function.unknown,
        steps: step_names(function.program),
    }
}

fn step_names(program: &Program) -> Vec<&str> {
    program
        .steps
        .iter()
        .map(|step| step.name.as_ref())
        .collect()
}

/// One entry per level name, in the order of first mention. Functions do not run at the same time,
/// so each figure is the maximum over the functions.
fn levels<'a>(functions: &[FunctionPlan<'a>]) -> Vec<Level<'a>> {
    let mut levels: Vec<Level<'a>> = Vec::new();
    for function in functions {
        let plan = function.plan;
        match levels.iter_mut().find(|level| level.name == function.level) {
            Some(level) => {
                level.peak = level.peak.max(plan.peak);
                level.lower_bound = level.lower_bound.max(plan.lower_bound);
            }
            None => levels.push(Level {
                name: function.level,
                capacity: function.capacity,
                peak: plan.peak,
                lower_bound: plan.lower_bound,
            }),
        }
    }
    levels
}

/// Every buffer of every function, once.
fn buffers<'a>(functions: &[FunctionPlan<'a>]) -> Vec<Buffer<'a>> {
    let mut buffers = Vec::new();
    for (index, function) in functions.iter().enumerate() {
        let before = &functions[..index];
        let is_first = !function.is_one_of_several(before);
        let all = function.program.buffers.iter().zip(function.placements());
        for (index, (buffer, placements)) in all.enumerate() {
            let id = BufferId::new(index);
            if function.is_elsewhere(id) || placements.is_empty() && !is_first {
                continue;
            }
            buffers.push(Buffer {
                function: &function.program.name,
                name: &buffer.name,
                role: role_name(buffer.role),
                storage: crate::storage_name(&buffer.storage),
                size: buffer.size,
                alignment: buffer.alignment,
                location: &buffer.location,
                placements: places(function, id, &placements),
            });
        }
    }
    buffers
}

fn parts(function: &FunctionPlan<'_>, buffer: BufferId) -> Vec<PartOf> {
    let size = function.program.buffers[buffer.index()].size;
    let part = |part: &Part| PartOf {
        start: part.bytes.start,
        end: part.bytes.end,
        live: stretches(&part.live),
    };
    match function.parts_of(buffer) {
        [only] if only.size() == size => Vec::new(),
        parts => parts.iter().map(part).collect(),
    }
}

fn places<'a>(
    function: &FunctionPlan<'a>,
    buffer: BufferId,
    placements: &[&'a Placement],
) -> Vec<Place<'a>> {
    let live = function.lifetime_of(buffer);
    let parts = parts(function, buffer);
    placements
        .iter()
        .map(|placement| Place {
            level: function.level,
            offset: placement.offset,
            slot: placement.slot,
            live: live.clone(),
            parts: parts.clone(),
        })
        .collect()
}
