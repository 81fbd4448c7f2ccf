//! The search for the groups that take the least time in a hierarchy of memories.
//!
//! The time is estimated: each operation accesses its operands in the level where they are, and a
//! group keeps what it accesses in fast levels as far as there is room, what saves most first. Its
//! windows need no copies from or to the slowest level; other buffers are copied once per group.
//! Outside of groups, private buffers stay in a fast level as far as there is room. With streams, engines
//! copy rows of other buffers beside computation, those that shorten the longer of both.

mod stages;

use std::collections::HashMap;

use mem_model::{
    BufferId, Bytes, Hierarchy, Level, LevelId, TileAccess, TileOperand, TileOperation,
};

use stages::Streaming;

use super::footprint::{Footprint, Keep};
use super::group::{Group, Role};
use super::profile::Profile;
use super::schedule::{Schedule, TileSize};
use super::search::{Rules, Tiling, cheapest_path, known, visit_groups};
use super::streams::Source;
use crate::observe;

/// The groups that save time in a hierarchy.
pub(super) struct TimeSearch<'a> {
    profile: &'a Profile<'a>,
    rules: Rules,
    /// Whether engines connect the fastest and the slowest level, and may copy rows tile by tile.
    may_stream: bool,
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
    /// What it takes to copy the rows tile by tile, if that is possible.
    stream: Option<Streaming>,
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

/// The accesses of an operation of a group to an operand.
struct Use {
    access: TileAccess,
    /// Bytes of the whole operand.
    bytes: u64,
    /// Largest number of tiles that access the operand.
    most_tiles: u64,
    /// If each tile accesses some rows only: the number of all rows, and of those that neighboring
    /// tiles share.
    rows: Option<(u64, u64)>,
}

impl Use {
    /// Adds the accesses of all tiles.
    fn add_to(&self, traffic: &mut Traffic, tiles: u64) {
        let tiles = tiles.min(self.most_tiles);
        let bytes = match self.rows {
            None => self.bytes.saturating_mul(tiles),
            Some((all, shared)) => {
                let rows = all + (tiles - 1) * shared;
                (self.bytes as f64 / all as f64 * rows as f64) as u64
            }
        };
        traffic.add(self.access, tiles, bytes);
    }
}

/// What a group accesses, however large its tiles are.
#[derive(Default)]
struct GroupAccesses {
    /// Accesses to windows.
    windows: Vec<Use>,
    /// Buffers that are accessed as a whole, with the accesses.
    buffers: Vec<(Traffic, Vec<Use>)>,
    /// Those of them whose rows can be copied tile by tile.
    sources: Vec<(usize, Source)>,
    /// Bytes of each fast level that other buffers leave.
    room: Vec<u64>,
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
    pub(super) fn new(
        profile: &'a Profile<'a>,
        hierarchy: &'a Hierarchy,
        rules: Rules,
        may_stream: bool,
    ) -> Option<Self> {
        let (slowest, fast) = hierarchy.levels.split_last()?;
        if fast.is_empty() {
            return None;
        }
        let (first, last) = (LevelId::FASTEST, LevelId::new(fast.len()));
        let connects = |link: (LevelId, LevelId)| {
            let mut engines = hierarchy.engines.iter();
            engines.any(|own| own.links.contains(&link))
        };
        let has_engines = connects((first, last)) && connects((last, first));
        let n = profile.program.operations.len();
        let mut search = Self {
            profile,
            rules,
            may_stream: may_stream && has_engines,
            fast,
            slowest,
            residence: vec![None; profile.program.buffers.len()],
            occupied: vec![vec![0; n]; fast.len()],
        };
        search.find_residence();
        Some(search)
    }

    /// The groups that together take the least time, if each takes `margin` percent more than estimated;
    /// of those that have been found, if searches are stopped.
    pub(super) fn cheapest(&self, margin: u32) -> Vec<Tiling> {
        let with_margin = |cycles: u64| {
            let cycles = u128::from(cycles) * (100 + u128::from(margin)) / 100;
            u64::try_from(cycles).unwrap_or(u64::MAX)
        };
        let profile = self.profile;
        let n = profile.program.operations.len();
        let as_is: Vec<u64> = (0..n).map(|at| self.cycles_of(at)).collect();
        let groups = |end: usize| {
            let mut found = Vec::new();
            observe::report_cycles(None, None, Some(end as f64 / n as f64));
            // After a stop, the remaining operations are executed as they are.
            if profile.is_end(end) && !observe::is_stopped() {
                visit_groups(profile, end, |group, dimension, _| {
                    let best = self.fastest(group, dimension, profile.is_small(), false);
                    found.extend(best.map(|(tiling, cycles)| (tiling, with_margin(cycles))));
                    best.is_some() || profile.is_small()
                });
            }
            found.into_iter().map(known)
        };
        let path = cheapest_path(n, |at| Some(as_is[at]), groups, Some);
        let (tilings, _) = path.unwrap_or_default();
        let refined = |own: Tiling| {
            if observe::is_stopped() {
                return own;
            }
            let best = self.fastest(&own.grown(profile), own.dimension, true, self.may_stream);
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

    /// Whether an operation is a copy that can be avoided by computing its source in its target: the
    /// source is computed, not copied, in the same group, and not accessed afterwards.
    fn is_avoidable(&self, at: usize, group: Option<&Group<'_>>) -> bool {
        let operation = &self.profile.program.operations[at];
        let [source, target] = &operation.operands[..] else {
            return false;
        };
        let range = |operand: &TileOperand| self.profile.ranges[operand.buffer.index()];
        let first = group.map_or(0, Group::first);
        let is_within =
            range(source).is_some_and(|own| first <= own.0 && own.0 < at && own.1 == at);
        if !operation.is_copy || !is_within || range(target).is_none() {
            return false;
        }
        let writes = |other: &TileOperation| other.writes().any(|own| own.buffer == source.buffer);
        let start = range(source).map_or(at, |own| own.0);
        let before = &self.profile.program.operations[start..at];
        !before.iter().any(|other| other.is_copy && writes(other))
    }

    /// Cycles of the accesses of an operation that is executed as it is.
    pub(super) fn cycles_of(&self, at: usize) -> u64 {
        if self.is_avoidable(at, None) {
            return 0;
        }
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
    fn fastest(
        &self,
        group: &Group<'_>,
        dimension: usize,
        finely: bool,
        streams: bool,
    ) -> Option<(Tiling, u64)> {
        let profile = self.profile;
        let schedule = profile.schedule(group);
        let accesses = self.accesses(group, &schedule, streams);
        let cycles = |size: TileSize| {
            let is_tile = size.iterations < schedule.extent();
            let ways: &[Keep] = match self.rules.must_recompute() {
                true => &[Keep::Recompute],
                false => &[Keep::InPlace, Keep::Apart],
            };
            let (tiles, windows) = is_tile.then(|| schedule.windows(size, ways[0]))?;
            let buffers = self.by_gain(&accesses, &schedule, (tiles, size));
            let own = ways.iter().filter_map(|keep| {
                let footprint = schedule.footprint_of(&windows, tiles, *keep);
                let (cycles, _) = self.cycles_of_group(&accesses, footprint, &buffers)?;
                let is_allowed = self.rules.allow(&schedule, size, *keep);
                is_allowed.then_some((cycles, size, *keep))
            });
            own.min_by_key(|(cycles, ..)| *cycles)
        };
        let mut best = cycles(TileSize::of(1));
        if finely || best.is_none() {
            let parts = schedule.parts(profile.is_small()).filter_map(cycles);
            let all = parts.chain(best);
            best = all.min_by_key(|(cycles, ..)| *cycles);
        }
        let mut best = best?;
        // Sizes grow by an eighth, or double: the cycles have several minima, but differ little in
        // between.
        let mut size = 2;
        while let Some(own) = cycles(TileSize::of(size)) {
            if own.0 < best.0 {
                best = own;
            }
            size += if finely { 1.max(size / 8) } else { size };
        }
        let (cycles, size, keep) = best;
        let tiling = Tiling {
            first: group.first(),
            end: group.end(),
            dimension,
            size,
            keep,
        };
        Some((tiling, cycles))
    }

    /// Cycles of a group with given tiles, and the buffers whose rows are copied tile by tile; `None` if its
    /// windows have no room in any fast level.
    pub(super) fn cycles_of_tiling(&self, tiling: &Tiling) -> Option<(u64, Vec<BufferId>)> {
        let group = tiling.grown(self.profile);
        let schedule = self.profile.schedule(&group);
        let (tiles, windows) = schedule.windows(tiling.size, tiling.keep);
        let footprint = schedule.footprint_of(&windows, tiles, tiling.keep);
        let accesses = self.accesses(&group, &schedule, self.may_stream);
        let buffers = self.by_gain(&accesses, &schedule, (tiles, tiling.size));
        self.cycles_of_group(&accesses, footprint, &buffers)
    }

    /// The buffers whose rows are copied tile by tile in a group with given tiles.
    pub(super) fn streams(&self, tiling: &Tiling) -> Vec<BufferId> {
        if !self.may_stream {
            return Vec::new();
        }
        let found = self.cycles_of_tiling(tiling);
        found.map_or_else(Vec::new, |(_, streams)| streams)
    }

    /// What a group accesses, however large its tiles are. Linear in the operations of the group.
    fn accesses(&self, group: &Group<'_>, schedule: &Schedule<'_>, streams: bool) -> GroupAccesses {
        let profile = self.profile;
        let range = (group.first(), group.end());
        let mut found = GroupAccesses::default();
        let mut known: HashMap<BufferId, usize> = HashMap::new();
        for (at, role) in group.roles() {
            if self.is_avoidable(at, Some(group)) {
                continue;
            }
            for operand in &profile.program.operations[at].operands {
                let own = self.use_of(at, operand, role);
                if profile.is_window(operand.buffer, group) {
                    found.windows.push(own);
                    continue;
                }
                let index = *known.entry(operand.buffer).or_insert_with(|| {
                    found.buffers.push((self.whole(operand, range), Vec::new()));
                    found.buffers.len() - 1
                });
                found.buffers[index].1.push(own);
            }
        }
        if streams {
            let sources = schedule.sources(group).into_iter();
            // What stays in a fast level needs no copies.
            let whole = sources.filter_map(|own| {
                let index = *known.get(&own.buffer)?;
                found.buffers[index]
                    .0
                    .outside
                    .is_none()
                    .then_some((index, own))
            });
            found.sources = whole.collect();
        }
        let residents = |level: usize| {
            let occupied = self.occupied[level][range.0..range.1].iter().copied();
            let buffers = found.buffers.iter().map(|(own, _)| own);
            let own = buffers.filter(|own| own.outside == Some(level));
            // What the group accesses competes for room again.
            occupied
                .max()
                .unwrap_or(0)
                .saturating_sub(own.map(|own| own.size).sum())
        };
        let room = |level: usize| capacity(&self.fast[level]).saturating_sub(residents(level));
        found.room = (0..self.fast.len()).map(room).collect();
        found
    }

    /// The buffers that a group accesses as a whole with a number of tiles, those that gain most by
    /// being in a fast level first. Takes time O(operands + buffers log buffers).
    fn by_gain(
        &self,
        accesses: &GroupAccesses,
        schedule: &Schedule<'_>,
        (tiles, size): (i64, TileSize),
    ) -> Vec<Traffic> {
        let tiles = tiles.unsigned_abs();
        let gain = |own: &Traffic| {
            let cycles = |level: Option<usize>| self.cycles_at(own, level) as f64;
            (cycles(None) - cycles(Some(0))) / own.size.max(1) as f64
        };
        let traffic = |(index, (whole, uses)): (usize, &(Traffic, Vec<Use>))| {
            let mut traffic = whole.clone();
            uses.iter().for_each(|own| own.add_to(&mut traffic, tiles));
            let mut sources = accesses.sources.iter();
            let source = sources.find(|own| own.0 == index);
            traffic.stream =
                source.and_then(|(_, own)| self.streaming(own, schedule, (tiles, size)));
            (gain(&traffic), traffic)
        };
        let buffers = accesses.buffers.iter().enumerate();
        let mut sorted: Vec<(f64, Traffic)> = buffers.map(traffic).collect();
        sorted.sort_by(|a, b| b.0.total_cmp(&a.0));
        sorted.into_iter().map(|(_, own)| own).collect()
    }

    /// Cycles of a group, given its buffers by gain, and the buffers whose rows are copied tile by tile;
    /// `None` if its windows have no room in any fast level. Engines are taken to copy one buffer after the
    /// other.
    fn cycles_of_group(
        &self,
        accesses: &GroupAccesses,
        footprint: Footprint,
        buffers: &[Traffic],
    ) -> Option<(u64, Vec<BufferId>)> {
        let tiles = footprint.tiles.unsigned_abs();
        let mut windows = Traffic::default();
        let copied = footprint.copied.saturating_mul(tiles);
        windows.add(TileAccess::Update, footprint.copies * tiles, copied);
        for own in &accesses.windows {
            own.add_to(&mut windows, tiles);
        }
        let level = accesses
            .room
            .iter()
            .position(|own| footprint.peak <= *own)?;
        let mut room = accesses.room.clone();
        room[level] -= footprint.peak;
        let cycles = windows.cycles(&self.fast[level]);
        // Stages compete for room with what stays in a fast level during the whole group.
        let plan = |stages_first| self.cycles_in_room(cycles, buffers, room.clone(), stages_first);
        let has_streams = buffers.iter().any(|own| own.stream.is_some());
        let stages_first = has_streams.then(|| plan(true));
        let plans = std::iter::once(plan(false)).chain(stages_first);
        plans.min_by_key(|(cycles, _)| *cycles)
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

    /// The accesses of an operation of a group to an operand.
    fn use_of(&self, at: usize, operand: &TileOperand, role: Role) -> Use {
        let whole = Use {
            access: operand.access,
            bytes: operand.bytes.get(),
            most_tiles: 1,
            rows: None,
        };
        let Role::Tiled(dimension) = role else {
            return whole;
        };
        let extent = self.profile.program.operations[at].dimensions[dimension].extent;
        let rows = operand.part_along(dimension).map(|map| {
            let (start, end) = map.rows(0, extent);
            let all = (end - start).unsigned_abs().max(1);
            let shared = (map.last - map.first - map.scale).max(0).unsigned_abs();
            (all, shared)
        });
        Use {
            most_tiles: extent.unsigned_abs(),
            rows,
            ..whole
        }
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
