//! What the page shows, as the data embedded in it. `page.js` documents how it draws each part.
//! One format serves plans for one level, for several levels, and within a budget.

use std::collections::HashMap;

use serde::Serialize;

use crate::tiled::TiledOperation;

/// All functions of a page.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    /// Texts that occur often, such as names of operations and locations; others refer to them by
    /// index. The first is empty.
    pub texts: Vec<&'a str>,
    /// The functions.
    pub functions: Vec<Function<'a>>,
}

/// One function and its plans.
#[derive(Serialize)]
pub(super) struct Function<'a> {
    pub name: &'a str,
    pub steps: Vec<Step>,
    /// Steps that repeat an earlier one, in ascending order.
    pub repeated: Vec<usize>,
    pub buffers: Vec<Buffer<'a>>,
    /// Groups of steps that run tile by tile.
    pub groups: Vec<Frame>,
    /// The operations that run tile by tile.
    pub tiled: Vec<TiledRow>,
    /// The plan, preceded by the one that it is compared with, if there is one.
    pub plans: Vec<Picture>,
    pub reasons: Vec<Group>,
    pub decisions: Vec<Decided>,
}

/// A step: its name and its location, indices of texts; the buffers that it reads, and those that it writes.
pub(super) type Step = (usize, usize, Vec<usize>, Vec<usize>);

/// A group of steps that run tile by tile, which the diagrams frame: its number, its first step, its
/// last one, and the number of its steps.
pub(super) type Frame = (i64, usize, usize, usize);

/// An operation of a group: the number of the group, the steps that execute it, the bytes that its original
/// accessed, those that were live during that, and those that it accesses now.
pub(super) type TiledRow = (i64, Vec<usize>, u64, u64, u64);

/// The row of an operation. `steps`: the steps of the page that execute it.
pub(super) fn tiled_row(own: &TiledOperation, steps: Vec<usize>) -> TiledRow {
    let untiled = (own.untiled.accessed.get(), own.untiled.live.get());
    (own.group, steps, untiled.0, untiled.1, own.accessed.get())
}

/// The groups of steps, given that of each step, in the order in which they run.
pub(super) fn frames(groups: impl Iterator<Item = Option<i64>>) -> Vec<Frame> {
    let mut frames: Vec<Frame> = Vec::new();
    let mut known: HashMap<i64, usize> = HashMap::new();
    for (step, group) in groups.enumerate() {
        let Some(group) = group else { continue };
        let at = *known.entry(group).or_insert(frames.len());
        match frames.get_mut(at) {
            Some(frame) => (frame.2, frame.3) = (step, frame.3 + 1),
            None => frames.push((group, step, step, 1)),
        }
    }
    frames
}

/// A buffer, or a tensor of a problem over several levels.
#[derive(Serialize)]
pub(super) struct Buffer<'a> {
    pub name: &'a str,
    /// Size in bytes.
    pub size: u64,
    pub role: Kind,
    /// Type in the source; empty if unknown. Index of a text.
    pub ty: usize,
    /// First step that writes the buffer, `None` if no step does.
    pub by: Option<usize>,
    /// Source location, index of a text.
    pub at: usize,
}

/// Role of a buffer, as the page colours it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Weight,
    Input,
    Output,
    Activation,
    Gradient,
    Workspace,
    Tile,
}

/// One plan.
#[derive(Serialize)]
pub(super) struct Picture {
    pub title: String,
    /// Figures that hold for the whole plan, as sentences without a full stop.
    pub facts: Vec<String>,
    pub levels: Vec<LevelOf>,
    pub places: Vec<PlaceOf>,
    pub transfers: Vec<Move>,
}

/// One level of a plan.
#[derive(Serialize)]
pub(super) struct LevelOf {
    pub name: String,
    /// Capacity in bytes, `None` if unbounded.
    pub capacity: Option<u64>,
    /// End of the highest address in use.
    pub peak: u64,
    /// Lower bound on the peak.
    pub bound: u64,
    /// Bytes of arguments and constants outside of the arena.
    pub home: u64,
    /// Live bytes as (point, bytes) at each point where their number changes.
    pub live: Vec<(u64, u64)>,
}

/// Bytes `[low, high)` of a level that a buffer occupies during the points `[start, end)`, where
/// step `s` has the points `2 s` and `2 s + 1`: (buffer, level, start, end, low, high).
pub(super) type PlaceOf = (usize, usize, u64, u64, u64, u64);

/// A copy: (place it reads, place it writes, step before which it is issued, step that waits for
/// it, start and end in cycles, name of the engine). A place is -1 - level for a tensor's home.
#[derive(Serialize)]
pub(super) struct Move {
    pub buffer: usize,
    /// The buffer that is written, which may have a name of its own.
    pub target: usize,
    /// Levels of the source and of the target.
    pub levels: [usize; 2],
    /// Offsets in these levels, `None` for a home.
    pub offsets: [Option<u64>; 2],
    pub before: usize,
    pub until: usize,
    pub cycles: Option<[u64; 2]>,
    pub engine: Option<String>,
}

/// Reasons of one kind.
#[derive(Serialize)]
pub(super) struct Group {
    pub title: String,
    pub cycles: u64,
    pub kinds: Vec<Cases>,
}

/// Tensors to which the same reason applies.
#[derive(Serialize)]
pub(super) struct Cases {
    pub title: String,
    pub cycles: u64,
    /// (buffer, cycles over all steps, number of steps, step with the highest cost, sentence), in
    /// descending order of cycles.
    pub tensors: Vec<(usize, u64, usize, usize, String)>,
    /// Number of further tensors.
    pub more: usize,
}

/// A swap or a recomputation of a tensor, and what it costs.
#[derive(Serialize)]
pub(super) struct Decided {
    pub buffer: usize,
    pub way: &'static str,
    pub after: usize,
    pub before: usize,
    /// Cycles that the program takes longer because of it.
    pub overhead: u64,
    /// Cycles to copy it to the host and back; `None` if there is no link.
    pub out: Option<u64>,
    pub back: Option<u64>,
    pub again: Option<u64>,
    pub text: String,
}

/// Numbers texts in the order of first use.
pub(super) struct Texts<'a> {
    known: HashMap<&'a str, usize>,
    pub(super) all: Vec<&'a str>,
}

impl<'a> Texts<'a> {
    pub(super) fn new() -> Self {
        Self {
            known: HashMap::from([("", 0)]),
            all: vec![""],
        }
    }

    pub(super) fn add(&mut self, text: &'a str) -> usize {
        *self.known.entry(text).or_insert_with(|| {
            self.all.push(text);
            self.all.len() - 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::frames;

    #[test]
    fn a_frame_spans_all_steps_of_a_group() {
        let groups = [None, Some(7), Some(7), None, Some(7), Some(2)];
        let found = frames(groups.into_iter());
        assert_eq!(found, [(7, 1, 4, 3), (2, 5, 5, 1)]);
    }
}
