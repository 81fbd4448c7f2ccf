//! Contacts: which storage steps access together.
//!
//! Two pieces of storage are in contact if one step accesses both and writes at least one of them.
//! The weight of a contact is the number of pages of the smaller piece, times an assumed trip count
//! for each loop around the step, summed over the steps.

use mem_model::{
    AccessKind, BufferId, Contact, Partner, Problem, Program, RegionId, RegionKind, Step, Storage,
};

use crate::denoted::Denoted;

/// Size in bytes from which storage is in contact with other storage. In less than a page, few
/// accesses meet those of another piece.
const LEAST_SIZE: u64 = 4096;

/// Assumed trip count of a loop.
const TRIPS: u64 = 8;

/// Nesting depth of loops up to which trip counts multiply.
const MAX_DEPTH: u32 = 8;

/// Pieces of storage that a step may access and still have contacts. Among more, most pairs are close
/// in any plan: there are 4096 bytes in a page, and pieces should keep some lines apart.
const MAX_PIECES_OF_STEP: usize = 32;

/// Buffers that a merge may denote and still have contacts.
const MAX_DENOTED: usize = 8;

/// The contacts between items of `problem`, which must be the problem of `program`, and with buffers
/// that have addresses already. Each pair appears once, in ascending order.
///
/// O(a log a) for `a` accesses of steps with few of them, plus the bindings of merges times the
/// buffers that a merge may denote, which are limited.
#[must_use]
pub fn contacts(program: &Program, problem: &Problem) -> Vec<Contact> {
    let denoted = Denoted::new(program, MAX_DENOTED);
    let mut items: Vec<Vec<usize>> = vec![Vec::new(); program.buffers.len()];
    for (index, item) in problem.items.iter().enumerate() {
        if item.size.get() >= LEAST_SIZE {
            items[item.buffer.index()].push(index);
        }
    }
    let mut contacts = Vec::new();
    let (mut accessed, mut pieces) = (Vec::new(), Vec::new());
    for block in &program.blocks {
        let trips = TRIPS.saturating_pow(loop_depth(program, block.region));
        for step in block.steps.start.index()..block.steps.end.index() {
            buffers_of(&program.steps[step], &denoted, &mut accessed);
            pieces_of(program, &accessed, &items, &mut pieces);
            add_contacts(&pieces, trips, &mut contacts);
        }
    }
    contacts.sort_unstable();
    contacts.dedup_by(|next, kept| {
        let is_same = (next.item, next.other) == (kept.item, kept.other);
        if is_same {
            kept.weight = kept.weight.saturating_add(next.weight);
        }
        is_same
    });
    contacts
}

/// Number of loops around a region, at most [`MAX_DEPTH`].
fn loop_depth(program: &Program, region: RegionId) -> u32 {
    let parent = |region: &RegionId| program.regions[region.index()].parent;
    let around = std::iter::successors(Some(region), parent);
    let is_loop = |region: &RegionId| program.regions[region.index()].kind == RegionKind::Loop;
    around
        .filter(is_loop)
        .take(MAX_DEPTH as usize)
        .fold(0, |n, _| n + 1)
}

/// Lists the buffers that `step` may access, in ascending order, and whether it may write them.
fn buffers_of(step: &Step, denoted: &Denoted, accessed: &mut Vec<(BufferId, bool)>) {
    accessed.clear();
    for access in &step.accesses {
        let is_written = access.kind == AccessKind::Define;
        let buffers = denoted.of(access.pointer).iter();
        accessed.extend(buffers.map(|buffer| (*buffer, is_written)));
    }
    accessed.sort_unstable();
    accessed.dedup_by(|next, kept| {
        kept.1 |= next.0 == kept.0 && next.1;
        next.0 == kept.0
    });
}

/// Storage that a step accesses.
struct Piece {
    place: Partner,
    is_written: bool,
    /// Size in pages, rounded down.
    pages: u64,
}

/// Lists the storage of the `accessed` buffers, without what is too small; nothing if there is too
/// much.
fn pieces_of(
    program: &Program,
    accessed: &[(BufferId, bool)],
    items: &[Vec<usize>],
    pieces: &mut Vec<Piece>,
) {
    pieces.clear();
    for &(buffer, is_written) in accessed {
        let own = &program.buffers[buffer.index()];
        let pages = own.size.get() / LEAST_SIZE;
        let piece = |place| Piece {
            place,
            is_written,
            pages,
        };
        match own.storage {
            Storage::Planned => {
                let slots = items[buffer.index()].iter();
                pieces.extend(slots.map(|item| piece(Partner::Item(*item))));
            }
            Storage::External if pages > 0 => pieces.push(piece(Partner::Outside)),
            Storage::External | Storage::Placed { .. } => {}
        }
    }
    if pieces.len() > MAX_PIECES_OF_STEP {
        pieces.clear();
    }
}

fn add_contacts(pieces: &[Piece], trips: u64, contacts: &mut Vec<Contact>) {
    for (index, first) in pieces.iter().enumerate() {
        for second in &pieces[..index] {
            // Items come before what is outside of the arena.
            let (low, high) = (first.place.min(second.place), first.place.max(second.place));
            if let Partner::Item(item) = low
                && (first.is_written || second.is_written)
            {
                contacts.push(Contact {
                    item,
                    other: high,
                    weight: first.pages.min(second.pages).saturating_mul(trips),
                });
            }
        }
    }
}
