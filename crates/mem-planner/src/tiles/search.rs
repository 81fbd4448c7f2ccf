//! What the searches for groups have in common: the groups that end at a position, and the shortest
//! path over positions where groups can start and end.

use mem_model::{BufferId, Bytes, StepId, TileGroup};

use super::footprint::Keep;
use super::group::{Group, Role};
use super::profile::Profile;
use super::runs::pipelined;
use super::schedule::{Schedule, TileSize};
use super::takeovers::Evaluated;
use super::{Overlap, TileOptions, tuning};

/// The operations `[first, end)`, executed in tiles along a dimension of the last one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tiling {
    pub(super) first: usize,
    pub(super) end: usize,
    pub(super) dimension: usize,
    pub(super) size: TileSize,
    pub(super) keep: Keep,
}

impl Tiling {
    /// The group of these operations, which must exist.
    pub(super) fn grown<'a>(&self, profile: &Profile<'a>) -> Group<'a> {
        let last = (self.end - 1, self.dimension);
        Group::reaching(profile.program, last, self.first).expect("the group has been visited")
    }

    /// The buffers whose rows have to be copied tile by tile to stay within a capacity, and their bytes.
    pub(super) fn streams(&self, profile: &Profile<'_>, capacity: Bytes) -> (Vec<BufferId>, u64) {
        let evaluated = Evaluated::new(profile, &self.grown(profile));
        let (tiles, windows) = evaluated.schedule.windows(self.size, self.keep);
        let footprint = evaluated.schedule.footprint_of(&windows, tiles, self.keep);
        evaluated.streams(self.size, footprint.peak, capacity)
    }

    /// The group with its tiles. Takes time proportional to tiles times operations.
    /// `streamed`: the buffers whose rows are copied tile by tile, as far as that turns out to be possible.
    /// `may_take`: whether results may take the place of operands.
    pub(super) fn group(
        &self,
        profile: &Profile<'_>,
        streamed: &[BufferId],
        may_take: bool,
    ) -> TileGroup {
        let group = self.grown(profile);
        let schedule = profile.schedule(&group);
        let mut sources = schedule.sources(&group);
        sources.retain(|own| streamed.contains(&own.buffer));
        let (runs, windows, streams, footprint) = schedule.tiles(self.size, self.keep, sources);
        // What is streamed within a budget does not count as a whole.
        let staged = match profile.may_stream {
            true => streams.iter().map(|own| profile.saved_by(own)).sum(),
            false => 0,
        };
        let (takeovers, saved) = match may_take && self.keep != Keep::Recompute {
            true => {
                let pairs = schedule.pairs(profile, &group);
                schedule.takeovers(pairs, &schedule.tiles_of(self.size))
            }
            false => (Vec::new(), 0),
        };
        let in_role = |wanted: Role| {
            let own = group.roles().filter(|(_, role)| *role == wanted);
            own.map(|(at, _)| StepId::new(at)).collect()
        };
        let group = TileGroup {
            operations: (StepId::new(self.first), StepId::new(self.end)),
            hoisted: in_role(Role::Hoisted),
            sunk: in_role(Role::Sunk),
            tiled: schedule.tiled(),
            peak: Bytes::new(profile.phases(&group).peak(saved + staged, footprint.peak)),
            windows,
            streams,
            takeovers,
            runs,
        };
        if group.streams.is_empty() {
            return group;
        }
        // The tiles outside of loops, all of which are written, become more.
        let runs = pipelined(&group.runs);
        let n_tiles: usize = runs.iter().map(|run| run.tiles.len()).sum();
        match (n_tiles * group.tiled.len()) as i64 <= tuning::MAX_CODE {
            true => TileGroup { runs, ..group },
            false => TileGroup {
                peak: Bytes::new(group.peak.get() + staged),
                ..group.without_streams()
            },
        }
    }
}

/// What tiles may do with rows that several of them need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rules {
    overlap: Overlap,
    /// Iterations in addition, in percent.
    extra_work: u32,
}

impl Rules {
    pub(super) fn new(options: &TileOptions<'_>) -> Self {
        Self {
            overlap: options.overlap,
            extra_work: options.extra_work,
        }
    }

    /// Whether rows may be kept.
    pub(super) fn may_keep(self) -> bool {
        self.overlap != Overlap::Recompute
    }

    /// Whether rows may be computed again.
    pub(super) fn may_recompute(self) -> bool {
        self.overlap != Overlap::Keep
    }

    /// Iterations that a program may execute in addition, in percent.
    pub(super) fn extra_work(self) -> u32 {
        self.extra_work
    }

    /// Whether rows must be computed again, as far as possible.
    pub(super) fn must_recompute(self) -> bool {
        self.overlap == Overlap::Recompute
    }

    /// Whether the tiles of a group execute no more iterations in addition than this part of the
    /// group's own. Takes time proportional to tiles times
    /// operations.
    pub(super) fn allow(self, schedule: &Schedule<'_>, size: TileSize, keep: Keep) -> bool {
        let repeated = u128::from(schedule.repeated(size, keep));
        repeated * 100 <= u128::from(schedule.work()) * u128::from(self.extra_work)
    }
}

/// Visits the groups that end at a position and can be executed tile by tile, from the smallest to
/// the largest for each dimension of the last operation, until `visit` returns false: with the
/// dimension, and the bytes of the group's whole buffers.
pub(super) fn visit_groups(
    profile: &Profile<'_>,
    end: usize,
    mut visit: impl FnMut(&Group<'_>, usize, u64) -> bool,
) {
    let dimensions = &profile.program.operations[end - 1].dimensions;
    for (dimension, _) in (0..).zip(dimensions).filter(|(_, own)| own.extent > 1) {
        let Ok(mut group) = Group::new(profile.program, end - 1, dimension) else {
            continue;
        };
        let mut whole = profile.after(end);
        loop {
            let first = group.first();
            whole += profile.added(first, end);
            whole -= profile.windows_from(&group, first);
            // After the tiles, the first operation need not be part of the group.
            let is_start = profile.is_start(first) && !group.starts_after();
            if is_start && !visit(&group, dimension, whole) {
                break;
            }
            if end - first >= tuning::MAX_OPERATIONS {
                break;
            }
            if let Err(refusal) = group.grow() {
                log::debug!(
                    target: "tiles",
                    "dimension {dimension} of operation {}: group of {} operations ends at {}: {refusal:?}",
                    end - 1, end - first, first.saturating_sub(1),
                );
                break;
            }
        }
    }
}

/// How the operations before a position are executed: at what cost, from which position on, and by
/// which group; `None`: the last operation is executed as it is.
#[derive(Clone, Copy)]
struct Choice {
    cost: u64,
    from: usize,
    tiling: Option<Tiling>,
}

/// A group that may be part of a path.
pub(super) struct Step<G> {
    pub(super) first: usize,
    /// A lower bound on the cost of the group.
    pub(super) bound: u64,
    pub(super) group: G,
}

/// The groups on the cheapest path from the start to the end of `n` operations. `untiled` is the cost
/// of an operation that is executed as it is, and `groups` yields the groups that end at a position.
/// `evaluate` yields the tiles and the cost of a group, `None` if there are none; it is called for the
/// groups that may be cheaper than those before. Also returns the cost of the path; `None` if there is
/// no path. Of equal costs, the first one wins, and none before any group.
pub(super) fn cheapest_path<G, Groups: IntoIterator<Item = Step<G>>>(
    n: usize,
    untiled: impl Fn(usize) -> Option<u64>,
    mut groups: impl FnMut(usize) -> Groups,
    evaluate: impl Fn(G) -> Option<(Tiling, u64)>,
) -> Option<(Vec<Tiling>, u64)> {
    let start = Choice {
        cost: 0,
        from: 0,
        tiling: None,
    };
    let mut best = vec![Some(start)];
    for end in 1..=n {
        let before = |from: usize| best[from].as_ref().map(|choice: &Choice| choice.cost);
        let own = before(end - 1).zip(untiled(end - 1));
        let mut choice = own.map(|(before, own)| Choice {
            cost: before.saturating_add(own),
            from: end - 1,
            tiling: None,
        });
        for step in groups(end) {
            let Some(before) = before(step.first) else {
                continue;
            };
            let most = choice.map(|own| own.cost);
            let is_cheaper = |own: u64| most.is_none_or(|most| before.saturating_add(own) < most);
            if !is_cheaper(step.bound) {
                continue;
            }
            let found = evaluate(step.group).filter(|(_, cost)| is_cheaper(*cost));
            choice = found.map_or(choice, |(tiling, cost)| {
                Some(Choice {
                    cost: before.saturating_add(cost),
                    from: step.first,
                    tiling: Some(tiling),
                })
            });
        }
        best.push(choice);
    }
    let cost = best[n]?.cost;
    let mut tilings = Vec::new();
    let mut end = n;
    while end > 0 {
        let choice = best[end]?;
        tilings.extend(choice.tiling);
        end = choice.from;
    }
    tilings.reverse();
    Some((tilings, cost))
}

/// A group whose tiles and cost are known.
pub(super) fn known((tiling, cost): (Tiling, u64)) -> Step<(Tiling, u64)> {
    Step {
        first: tiling.first,
        bound: cost,
        group: (tiling, cost),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn tiling(first: usize, end: usize) -> Tiling {
        Tiling {
            first,
            end,
            dimension: 0,
            size: TileSize::of(1),
            keep: Keep::Apart,
        }
    }

    #[test]
    fn cheapest_groups() {
        let groups = |end: usize| {
            let own = match end {
                3 => vec![(tiling(0, 3), 7), (tiling(1, 3), 4)],
                4 => vec![(tiling(0, 4), 6), (tiling(2, 4), 5)],
                _ => Vec::new(),
            };
            own.into_iter().map(known).collect::<Vec<_>>()
        };
        // 3 + 4 + 3 = 10, 7 + 3 = 10, 6, 3 + 3 + 5 = 11, 12 without groups.
        assert_eq!(
            cheapest_path(4, |_| Some(3), groups, Some),
            Some((vec![tiling(0, 4)], 6))
        );
        assert_eq!(
            cheapest_path(3, |_| Some(3), groups, Some),
            Some((vec![tiling(0, 3)], 7))
        );
        assert_eq!(
            cheapest_path(4, |_| Some(1), groups, Some),
            Some((Vec::new(), 4))
        );
        let last_only = |at: usize| (at == 3).then_some(3);
        assert_eq!(
            cheapest_path(4, last_only, groups, Some),
            Some((vec![tiling(0, 4)], 6))
        );
        assert_eq!(cheapest_path(2, last_only, groups, Some), None);
    }

    #[test]
    fn only_groups_that_may_be_cheaper_are_evaluated() {
        let groups = |end: usize| {
            let step = |first, bound| Step {
                first,
                bound,
                group: tiling(first, end),
            };
            match end {
                2 => vec![step(0, 1), step(1, 1)],
                3 => vec![step(0, 2), step(1, 1)],
                _ => Vec::new(),
            }
        };
        let evaluated = std::cell::RefCell::new(Vec::new());
        let evaluate = |own: Tiling| {
            evaluated.borrow_mut().push((own.first, own.end));
            (own.first == 0).then_some((own, 2))
        };
        let path = cheapest_path(3, |at| (at == 0).then_some(1), groups, evaluate);
        assert_eq!(path, Some((vec![tiling(0, 3)], 2)));
        // The second group that ends at 2 is not cheaper even by its bound.
        assert_eq!(*evaluated.borrow(), [(0, 2), (0, 3)]);
    }
}
