//! Views of plans: tables, diagrams and pages for people, JSON and traces for tools. `mem-cost`
//! computes what a view shows of a plan over several levels.

#![forbid(unsafe_code)]

mod conflicts;
mod file;
mod json;
mod labels;
mod levels;
mod page;
mod plan_csv;
mod plan_svg;
mod plan_trace;
mod printable;
mod summary;
mod table;
mod tiled;
mod trace_events;

pub use conflicts::plan_conflicts;
pub use file::replace_file;
pub use json::plan_json;
pub use levels::{
    LevelView, Tradeoff, TradeoffPoint, decision_text, explanation_text, levels_json, levels_svg,
    levels_trace, tightest_text,
};
pub use page::{levels_page, plan_page};
pub use plan_csv::plan_csv;
pub use plan_svg::plan_svg;
pub use plan_trace::plan_trace;
pub use printable::{printable, printable_lines};
pub use summary::plan_summary;
pub use table::plan_table;
pub use tiled::Untiled;
pub use trace_events::{TraceEvents, Track, trace_time};

use mem_model::{
    BufferId, Bytes, Interval, IntervalSet, Part, Placement, Plan, Point, Program, Role, Storage,
};

/// One function with its plan for one level. A function with placements in several levels has
/// several consecutive entries.
#[derive(Clone, Copy, Debug)]
pub struct FunctionPlan<'a> {
    /// The function.
    pub program: &'a Program,
    /// Per buffer: which of its bytes are live when.
    pub parts: &'a [Vec<Part>],
    /// Pairs of buffers, the smaller first, that conflict although no point has both live.
    pub unordered: &'a [(BufferId, BufferId)],
    /// Name of the plan's level.
    pub level: &'a str,
    /// Capacity of the level in bytes; `None` if unbounded.
    pub capacity: Option<Bytes>,
    /// The addresses.
    pub plan: &'a Plan,
    /// Value assumed for sizes known only at run time; `None` if there are none.
    pub unknown: Option<u64>,
    /// Per buffer: its shape and element type in the source. Empty if unknown.
    pub types: &'a [String],
    /// Per step: the number of the group that it runs tile by tile with. Empty if there are no groups.
    pub groups: &'a [Option<i64>],
    /// Per step: what its operation accessed before it ran tile by tile. Empty if no step does.
    pub untiled: &'a [Option<Untiled>],
    /// Copies between levels, in layout order; the same in all entries of a function.
    pub transfers: &'a [PrintedTransfer],
}

/// A step that copies data from one level to another, or within one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedTransfer {
    /// The step that starts the copy.
    pub step: usize,
    /// The step that waits for the copy; the same if the copy is synchronous, and the number of steps if
    /// none waits.
    pub until: usize,
    /// What is read.
    pub from: TransferEnd,
    /// What is written.
    pub to: TransferEnd,
    /// Bytes that are copied.
    pub bytes: Bytes,
    /// Whether the source stays valid.
    pub keeps_source: bool,
    /// Cycles that the copy takes; `None` if the module does not state the speed of its levels.
    pub cycles: Option<u64>,
}

/// One end of a copy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransferEnd {
    /// The buffer.
    pub buffer: BufferId,
    /// Name of its level; `None` if unknown.
    pub level: Option<String>,
    /// Its offset in the arena of the level; `None` if it is not in an arena.
    pub offset: Option<Bytes>,
}

impl<'a> FunctionPlan<'a> {
    /// Returns whether this and `other` are the same function in two levels.
    fn is_other_level_of(&self, other: &Self) -> bool {
        std::ptr::eq(self.program, other.program) && self.level != other.level
    }

    /// Returns whether `functions` also have this function in another level.
    fn is_one_of_several(&self, functions: &[Self]) -> bool {
        functions.iter().any(|other| self.is_other_level_of(other))
    }

    /// Per buffer: its placements by slot; empty if the plan does not place the buffer.
    fn placements(&self) -> Vec<Vec<&'a Placement>> {
        let mut by_buffer = vec![Vec::new(); self.program.buffers.len()];
        for placement in &self.plan.placements {
            by_buffer[placement.buffer.index()].push(placement);
        }
        for placements in &mut by_buffer {
            placements.sort_by_key(|placement| placement.slot);
        }
        by_buffer
    }

    /// Returns whether a buffer is placed in another level.
    fn is_elsewhere(&self, buffer: BufferId) -> bool {
        let own = &self.program.buffers[buffer.index()];
        let is_placed = matches!(own.storage, Storage::Placed { .. });
        let mut placements = self.plan.placements.iter();
        is_placed && !placements.any(|placement| placement.buffer == buffer)
    }

    /// The parts of a buffer that have lifetimes of their own.
    fn parts_of(&self, buffer: BufferId) -> &'a [Part] {
        self.parts.get(buffer.index()).map_or(&[], Vec::as_slice)
    }

    /// First and last step, both included, of each maximal run of steps in which some byte of a
    /// buffer is live.
    fn lifetime_of(&self, buffer: BufferId) -> Vec<(usize, usize)> {
        stretches(&Part::union_of(self.parts_of(buffer)))
    }
}

/// First and last step, both included, of each interval. Adjacent intervals are merged.
fn stretches(live: &IntervalSet<Point>) -> Vec<(usize, usize)> {
    let mut stretches: Vec<(usize, usize)> = Vec::new();
    for (first, last) in live.iter().filter_map(Interval::<Point>::steps) {
        match stretches.last_mut() {
            Some(stretch) if first.index() <= stretch.1 + 1 => stretch.1 = last.index(),
            _ => stretches.push((first.index(), last.index())),
        }
    }
    stretches
}

fn role_name(role: Role) -> &'static str {
    match role {
        Role::Input => "input",
        Role::Output => "output",
        Role::Constant => "constant",
        Role::Intermediate => "intermediate",
    }
}

fn storage_name(storage: &Storage) -> &'static str {
    match storage {
        Storage::Planned => "planned",
        Storage::External => "external",
        Storage::Placed { .. } => "placed",
    }
}

#[cfg(test)]
mod tests;
