//! The search for the groups that take the least time in a hierarchy of memories.
//!
//! The time is estimated: each operation accesses its operands in the level where they are, and a
//! group keeps what it accesses in fast levels as far as there is room, what saves most first. Its
//! windows need no copies from or to the slowest level; other buffers are copied once per group.
//! Outside of groups, private buffers stay in a fast level as far as there is room.

use std::collections::BTreeMap;

use mem_model::{BufferId, Bytes, Hierarchy, Level, TileAccess, TileOperand};

use super::group::{Group, Role};
use super::profile::Profile;
use super::schedule::Footprint;
use super::search::{Tiling, cheapest_path, visit_groups};

/// The groups that save time in a hierarchy.
pub(super) struct TimeSearch<'a> {
    profile: &'a Profile<'a>,
    /// All levels but the slowest, which holds what has no room elsewhere.
    fast: &'a [Level],
    slowest: &'a Level,
    /// The level in which each private buffer stays outside of groups; `None`: the slowest.
    residence: Vec<Option<usize>>,
    /// Bytes of each fast level that these buffers occupy during each operation.
    occupied: Vec<Vec<u64>>,
}

/// The accesses of some operations to a buffer, or to all windows of a group.
#[derive(Clone, Debug, Default)]
struct Traffic {
    /// Bytes that have to be in one level.
    size: u64,
    reads: Accesses,
    writes: Accesses,
    /// Whether the contents have to be copied from and to the place outside the group.
    is_loaded: bool,
    is_stored: bool,
    /// The fast level in which the buffer stays outside the group.
    outside: Option<usize>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Accesses {
    count: u64,
    bytes: u64,
}

impl Accesses {
    fn add(&mut self, count: u64, bytes: u64) {
        self.count = self.count.saturating_add(count);
        self.bytes = self.bytes.saturating_add(bytes);
    }

    /// Cycles in one level.
    fn cycles(self, port: mem_model::Port) -> u64 {
        let streaming = mem_model::Port { latency: 0, ..port }.cycles(Bytes::new(self.bytes));
        streaming.saturating_add(self.count.saturating_mul(port.latency))
    }
}

impl Traffic {
    fn add(&mut self, access: TileAccess, count: u64, bytes: u64) {
        if access != TileAccess::Write {
            self.reads.add(count, bytes);
        }
        if access != TileAccess::Read {
            self.writes.add(count, bytes);
        }
    }

    /// Cycles of the accesses in a level.
    fn cycles(&self, level: &Level) -> u64 {
        let reads = self.reads.cycles(level.read);
        reads.saturating_add(self.writes.cycles(level.write))
    }
}

impl<'a> TimeSearch<'a> {
    /// `None` if the hierarchy has only one level. Takes time O(buffers · operations).
    pub(super) fn new(profile: &'a Profile<'a>, hierarchy: &'a Hierarchy) -> Option<Self> {
        let (slowest, fast) = hierarchy.levels.split_last()?;
        if fast.is_empty() {
            return None;
        }
        let n = profile.program.operations.len();
        let mut search = Self {
            profile,
            fast,
            slowest,
            residence: vec![None; profile.program.buffers.len()],
            occupied: vec![vec![0; n]; fast.len()],
        };
        search.find_residence();
        Some(search)
    }

    /// The groups that together take the least time.
    pub(super) fn cheapest(&self) -> Vec<Tiling> {
        let profile = self.profile;
        let n = profile.program.operations.len();
        let as_is: Vec<u64> = (0..n).map(|at| self.cycles_of(at)).collect();
        let groups = |end: usize| {
            let mut found = Vec::new();
            if profile.is_end(end) {
                visit_groups(profile, end, |group, dimension| {
                    let best = self.fastest(group, dimension, profile.is_small());
                    found.extend(best);
                    best.is_some() || profile.is_small()
                });
            }
            found
        };
        let tilings = cheapest_path(n, |at| Some(as_is[at]), groups).unwrap_or_default();
        let refined = |own: Tiling| {
            let best = self.fastest(&own.grown(profile), own.dimension, true);
            best.map_or(own, |(best, _)| best)
        };
        tilings.into_iter().map(refined).collect()
    }

    /// Gives private buffers a fast level for as long as they live, those that save the most cycles
    /// per byte and operation first.
    fn find_residence(&mut self) {
        let program = self.profile.program;
        let mut traffic = vec![Traffic::default(); program.buffers.len()];
        for operand in program.operations.iter().flat_map(|own| &own.operands) {
            traffic[operand.buffer.index()].add(operand.access, 1, operand.bytes.get());
        }
        let mut wanted = Vec::new();
        for (index, range) in self.profile.ranges.iter().enumerate() {
            if let Some((first, last)) = *range {
                let size = program.buffers[index].bytes().get();
                let own = &traffic[index];
                let saved = own
                    .cycles(self.slowest)
                    .saturating_sub(own.cycles(&self.fast[0]));
                let room = size.saturating_mul((last - first + 1) as u64).max(1);
                wanted.push((saved as f64 / room as f64, index, size, first..last + 1));
            }
        }
        wanted.sort_by(|a, b| b.0.total_cmp(&a.0));
        for (_, index, size, range) in wanted {
            let has_room = |level: &usize| {
                let occupied = &self.occupied[*level][range.clone()];
                occupied
                    .iter()
                    .all(|own| own + size <= capacity(&self.fast[*level]))
            };
            let level = (0..self.fast.len()).find(has_room);
            self.residence[index] = level;
            if let Some(level) = level {
                self.occupied[level][range]
                    .iter_mut()
                    .for_each(|own| *own += size);
            }
        }
    }

    fn level(&self, residence: Option<usize>) -> &'a Level {
        residence.map_or(self.slowest, |level| &self.fast[level])
    }

    /// Cycles of the accesses of an operation that is executed as it is.
    pub(super) fn cycles_of(&self, at: usize) -> u64 {
        let cycles = |operand: &TileOperand| {
            let mut traffic = Traffic::default();
            traffic.add(operand.access, 1, operand.bytes.get());
            traffic.cycles(self.level(self.residence[operand.buffer.index()]))
        };
        let operands = self.profile.program.operations[at].operands.iter();
        operands.map(cycles).fold(0, u64::saturating_add)
    }

    /// The group with the tiles that take the least time, and its cycles. `finely`: of more sizes.
    /// `None` if not even the smallest tiles have room in a fast level.
    fn fastest(&self, group: &Group<'_>, dimension: usize, finely: bool) -> Option<(Tiling, u64)> {
        let profile = self.profile;
        let schedule = profile.schedule(group);
        let cycles = |size: i64| {
            let is_tile = size < schedule.extent();
            let footprint = is_tile.then(|| schedule.footprint(size))?;
            self.cycles_of_group(group, footprint)
        };
        let mut best = (1, cycles(1)?);
        // Sizes grow by an eighth, or double: the cycles have several minima, but differ little in
        // between.
        let mut size = 2;
        while let Some(own) = cycles(size) {
            if own < best.1 {
                best = (size, own);
            }
            size += if finely { 1.max(size / 8) } else { size };
        }
        let tiling = Tiling {
            first: group.first(),
            end: group.end(),
            dimension,
            size: best.0,
        };
        Some((tiling, best.1))
    }

    /// Cycles of a group with given tiles; `None` if its windows have no room in any fast level.
    #[cfg(test)]
    pub(super) fn cycles_of_tiling(&self, tiling: &Tiling) -> Option<u64> {
        let group = tiling.grown(self.profile);
        let footprint = self.profile.schedule(&group).footprint(tiling.size);
        self.cycles_of_group(&group, footprint)
    }

    /// Cycles of a group; `None` if its windows have no room in any fast level.
    fn cycles_of_group(&self, group: &Group<'_>, footprint: Footprint) -> Option<u64> {
        let profile = self.profile;
        let range = (group.first(), group.end());
        let tiles = footprint.tiles.unsigned_abs();
        // Rows are kept by a copy, and restored by another one.
        let mut windows = Traffic {
            size: footprint.peak,
            ..Traffic::default()
        };
        let copied = footprint.kept.saturating_mul(2 * tiles);
        windows.add(TileAccess::Update, footprint.copies * 2 * tiles, copied);
        let mut buffers: BTreeMap<BufferId, Traffic> = BTreeMap::new();
        for (at, role) in group.roles() {
            for operand in &profile.program.operations[at].operands {
                let (count, bytes) = self.accessed(at, operand, role, tiles);
                if group.is_tiled(operand.buffer) && profile.is_within(operand.buffer, range) {
                    windows.add(operand.access, count, bytes);
                } else {
                    let traffic = buffers
                        .entry(operand.buffer)
                        .or_insert_with(|| self.whole(operand, range));
                    traffic.add(operand.access, count, bytes);
                }
            }
        }
        let residents = |level: usize| {
            let occupied = self.occupied[level][range.0..range.1].iter().copied();
            let own = buffers.values().filter(|own| own.outside == Some(level));
            // What the group accesses competes for room again.
            occupied
                .max()
                .unwrap_or(0)
                .saturating_sub(own.map(|own| own.size).sum())
        };
        let room = |level: usize| capacity(&self.fast[level]).saturating_sub(residents(level));
        let mut room: Vec<u64> = (0..self.fast.len()).map(room).collect();
        let level = room.iter().position(|own| windows.size <= *own)?;
        room[level] -= windows.size;
        let mut total = windows.cycles(&self.fast[level]);
        let mut wanted: Vec<&Traffic> = buffers.values().collect();
        let gain = |own: &Traffic| {
            let cycles = |level: Option<usize>| self.cycles_at(own, level) as f64;
            (cycles(None) - cycles(Some(0))) / own.size.max(1) as f64
        };
        wanted.sort_by(|a, b| gain(b).total_cmp(&gain(a)));
        for own in wanted {
            let fits = |level: &usize| {
                own.size <= room[*level]
                    && self.cycles_at(own, Some(*level)) < self.cycles_at(own, None)
            };
            let level = (0..room.len()).find(fits);
            if let Some(level) = level {
                room[level] -= own.size;
            }
            total = total.saturating_add(self.cycles_at(own, level));
        }
        Some(total)
    }

    /// A buffer that a group accesses as a whole, without its accesses.
    fn whole(&self, operand: &TileOperand, range: (usize, usize)) -> Traffic {
        let index = operand.buffer.index();
        let (starts, ends) = match self.profile.ranges[index] {
            Some((first, last)) => (first >= range.0, last < range.1),
            None => (false, false),
        };
        Traffic {
            size: self.profile.program.buffers[index].bytes().get(),
            is_loaded: !starts,
            is_stored: !ends,
            outside: self.residence[index],
            ..Traffic::default()
        }
    }

    /// Number and bytes of the accesses of an operation of a group to an operand.
    fn accessed(&self, at: usize, operand: &TileOperand, role: Role, tiles: u64) -> (u64, u64) {
        let bytes = operand.bytes.get();
        let Role::Tiled(dimension) = role else {
            return (1, bytes);
        };
        let extent = self.profile.program.operations[at].dimensions[dimension].extent;
        let tiles = tiles.min(extent.unsigned_abs());
        let Some(map) = operand.rows_along(dimension) else {
            return (tiles, bytes.saturating_mul(tiles));
        };
        // Neighboring tiles read some rows twice.
        let (start, end) = map.rows(0, extent);
        let all = (end - start).unsigned_abs().max(1);
        let shared = (map.last - map.first - map.scale).max(0).unsigned_abs();
        let rows = all + (tiles - 1) * shared;
        (tiles, (bytes as f64 / all as f64 * rows as f64) as u64)
    }

    /// Cycles of the accesses to a buffer that is in a level during a group, and of the copies that
    /// bring it there and back.
    fn cycles_at(&self, own: &Traffic, level: Option<usize>) -> u64 {
        let mut cycles = own.cycles(self.level(level));
        if level != own.outside {
            let size = Bytes::new(own.size);
            let (inside, outside) = (self.level(level), self.level(own.outside));
            if own.is_loaded {
                cycles += outside.read.cycles(size) + inside.write.cycles(size);
            }
            if own.is_stored && (own.writes.count > 0 || own.outside.is_some()) {
                cycles += inside.read.cycles(size) + outside.write.cycles(size);
            }
        }
        cycles
    }
}

fn capacity(level: &Level) -> u64 {
    level.capacity.map_or(u64::MAX, Bytes::get)
}
