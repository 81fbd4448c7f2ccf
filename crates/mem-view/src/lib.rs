//! Plans as text and pictures: tables, diagrams and pages for people, JSON and traces for scripts.

#![forbid(unsafe_code)]

mod conflicts;
mod file;
mod json;
mod levels;
mod printable;
mod summary;
mod table;

pub use conflicts::plan_conflicts;
pub use file::replace_file;
pub use json::plan_json;
pub use levels::{
    Decision, Explanation, Held, LevelView, Occupancy, Tightest, Tradeoff, TradeoffPoint, Way,
    decisions, explain, levels_json, levels_page, levels_svg, levels_trace, tightest,
};
pub use printable::{printable, printable_lines};
pub use summary::plan_summary;
pub use table::plan_table;

use mem_model::{
    BufferId, Bytes, Interval, IntervalSet, Part, Placement, Plan, Point, Program, Role, Storage,
};

/// One function with its plan for one level. A function that has places in several levels is several of
/// these, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct FunctionPlan<'a> {
    /// The function.
    pub program: &'a Program,
    /// By buffer: when which of its bytes are occupied.
    pub parts: &'a [Vec<Part>],
    /// Pairs of buffers, the smaller first, that conflict though no point has both live.
    pub unordered: &'a [(BufferId, BufferId)],
    /// Name of the level that the plan is for.
    pub level: &'a str,
    /// Bytes there are in that level; `None`: unbounded.
    pub capacity: Option<Bytes>,
    /// The addresses.
    pub plan: &'a Plan,
    /// What numbers that only the run time knows were taken for; `None`: there are none.
    pub unknown: Option<u64>,
}

impl<'a> FunctionPlan<'a> {
    /// Whether this and `other` are one function in two levels.
    fn is_other_level_of(&self, other: &Self) -> bool {
        std::ptr::eq(self.program, other.program) && self.level != other.level
    }

    /// Whether `functions` have this function in other levels, too.
    fn is_one_of_several(&self, functions: &[Self]) -> bool {
        functions.iter().any(|other| self.is_other_level_of(other))
    }

    /// By buffer: where it lives, by slot; empty if it is not the plan's.
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

    /// Whether a buffer has its place in another level.
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

    /// First and last step, both included, of each stretch in which some byte of a buffer lives.
    fn lifetime_of(&self, buffer: BufferId) -> Vec<(usize, usize)> {
        stretches(&Part::union_of(self.parts_of(buffer)))
    }
}

/// First and last step, both included, of each interval. Those that follow each other without a step
/// between are one.
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
