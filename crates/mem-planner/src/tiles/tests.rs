//! Small programs: what is divided, and whether the searches find the best groups.

mod limits;
mod streams;

use mem_model::{
    Along, BufferId, Bytes, Hierarchy, IterationDimension, Level, Port, RowMap, TileAccess,
    TileBuffer, TileOperand, TileOperation, TileProgram, TileRun,
};
use mem_testkit::Rng;

use super::candidates::Candidates;
use super::footprint::Keep;
use super::peak::PeakSearch;
use super::profile::Profile;
use super::schedule::TileSize;
use super::search::{Rules, Tiling, cheapest_path, known};
use super::time::TimeSearch;
use super::{Overlap, TileOptions, TilePlan, TileTarget, plan_tiles};

/// A program under construction. Buffers have two dimensions: rows, and bytes.
#[derive(Default)]
struct Builder {
    program: TileProgram,
}

impl Builder {
    fn buffer(&mut self, rows: i64, row: i64, is_private: bool) -> BufferId {
        let id = BufferId::new(self.program.buffers.len());
        self.program.buffers.push(TileBuffer {
            name: format!("b{}", id.index()),
            shape: vec![rows, row],
            element: Bytes::new(1),
            is_private,
            is_distinct: is_private,
        });
        id
    }

    fn operand(&self, buffer: BufferId, access: TileAccess, along: Along) -> TileOperand {
        TileOperand {
            buffer,
            access,
            bytes: self.program.buffers[buffer.index()].bytes(),
            covers_rows: true,
            along: vec![along],
        }
    }

    /// Adds an operation that reads windows of `size` rows, `stride` rows apart, of its sources, and
    /// all of the weights. Returns its result, whose rows have `row` bytes.
    fn operation(
        &mut self,
        sources: &[BufferId],
        weights: Option<BufferId>,
        (size, stride): (i64, i64),
        row: i64,
    ) -> BufferId {
        let rows = self.program.buffers[sources[0].index()].shape[0];
        let extent = (rows - size) / stride + 1;
        let result = self.buffer(extent, row, true);
        let map = |scale, last| {
            Along::Rows(RowMap {
                dimension: 0,
                scale,
                first: 0,
                last,
            })
        };
        let sources = sources.iter();
        let sources = sources.map(|own| self.operand(*own, TileAccess::Read, map(stride, size)));
        let mut operands: Vec<TileOperand> = sources.collect();
        let weights = weights.into_iter();
        operands.extend(weights.map(|own| self.operand(own, TileAccess::Read, Along::Independent)));
        operands.push(self.operand(result, TileAccess::Write, map(1, 1)));
        self.program.operations.push(TileOperation {
            name: "operation".to_owned(),
            dimensions: vec![IterationDimension {
                extent,
                is_parallel: true,
            }],
            operands,
            is_copy: false,
            can_be_delayed: true,
        });
        result
    }

    /// Adds an operation that adds all rows of a buffer to another one.
    fn sum(&mut self, source: BufferId, result: BufferId) {
        let extent = self.program.buffers[source.index()].shape[0];
        let rows = Along::Rows(RowMap {
            dimension: 0,
            scale: 1,
            first: 0,
            last: 1,
        });
        self.program.operations.push(TileOperation {
            name: "sum".to_owned(),
            dimensions: vec![IterationDimension {
                extent,
                is_parallel: false,
            }],
            operands: vec![
                self.operand(source, TileAccess::Read, rows),
                self.operand(result, TileAccess::Update, Along::Independent),
            ],
            is_copy: false,
            can_be_delayed: true,
        });
    }

    /// Adds an operation that can only be executed as a whole and reads a buffer.
    fn end(mut self, last: BufferId) -> TileProgram {
        let operand = TileOperand {
            along: Vec::new(),
            ..self.operand(last, TileAccess::Read, Along::Unknown)
        };
        self.program.operations.push(TileOperation {
            name: "end".to_owned(),
            dimensions: Vec::new(),
            operands: vec![operand],
            is_copy: false,
            can_be_delayed: true,
        });
        self.program
    }
}

/// Three operations on 64 rows of 100 bytes, each with weights of `weights` bytes.
fn chain(weights: i64) -> TileProgram {
    let mut builder = Builder::default();
    let mut last = builder.buffer(64, 100, false);
    for _ in 0..3 {
        let own = builder.buffer(1, weights, false);
        last = builder.operation(&[last], Some(own), (1, 1), 100);
    }
    builder.end(last)
}

/// A fast memory, and one that is ten times slower.
fn two_levels(capacity: u64) -> Hierarchy {
    let level = |name: &str, capacity, bandwidth| {
        let port = Port {
            latency: 1,
            bandwidth,
        };
        Level {
            name: name.to_owned(),
            capacity,
            alignment: Bytes::new(1),
            read: port,
            write: port,
        }
    };
    Hierarchy {
        levels: vec![
            level("fast", Some(Bytes::new(capacity)), 10.0),
            level("slow", None, 1.0),
        ],
        ..Hierarchy::default()
    }
}

/// Options that allow no extra work.
fn keeping(target: TileTarget<'_>) -> TileOptions<'_> {
    TileOptions {
        target,
        overlap: Overlap::Keep,
        extra_work: 0,
    }
}

const fn time_in(hierarchy: &Hierarchy) -> TileTarget<'_> {
    TileTarget::Time {
        hierarchy,
        margin: 0,
        streams: false,
    }
}

fn in_time(program: &TileProgram, capacity: u64) -> TilePlan {
    plan_tiles(program, &keeping(time_in(&two_levels(capacity))))
}

/// A training step of one layer: the rows of an output with 1,000 bytes each, the loss of each row, the sum
/// of losses, which is stored in an argument, the gradients of the rows, and that of the weights, which
/// sums up all rows.
fn training(is_result_distinct: bool) -> TileProgram {
    let mut builder = Builder::default();
    let input = builder.buffer(64, 10, false);
    let output = builder.operation(&[input], None, (1, 1), 1000);
    let losses = builder.operation(&[output], None, (1, 1), 4);
    let (loss, result) = (builder.buffer(1, 4, true), builder.buffer(1, 4, false));
    builder.program.buffers[result.index()].is_distinct = is_result_distinct;
    builder.sum(losses, loss);
    let whole = |buffer: BufferId, access: TileAccess| TileOperand {
        along: Vec::new(),
        ..builder.operand(buffer, access, Along::Unknown)
    };
    let operands = vec![
        whole(loss, TileAccess::Read),
        whole(result, TileAccess::Write),
    ];
    builder.program.operations.push(TileOperation {
        name: "store".to_owned(),
        operands,
        can_be_delayed: true,
        ..TileOperation::default()
    });
    let gradients = builder.operation(&[output, input], None, (1, 1), 1000);
    let weights = builder.buffer(1, 500, true);
    builder.sum(gradients, weights);
    builder.end(weights)
}

#[test]
fn sums_are_whole_and_what_interrupts_follows() {
    let plan = plan_tiles(&training(true), &keeping(TileTarget::Peak));
    assert_eq!(plan.groups.len(), 1, "{plan:?}");
    let group = &plan.groups[0];
    let tiled = group.tiled.iter().map(|own| own.operation.index());
    // That the sum of losses can follow the losses is known only when these are tiled.
    assert_eq!(tiled.collect::<Vec<_>>(), [0, 1, 2, 4, 5]);
    let sunk = group.sunk.iter().map(|own| own.index());
    assert_eq!(sunk.collect::<Vec<_>>(), [3]);
    // A row of the output, which its gradient takes over, its loss, and the sums of losses and gradients.
    assert_eq!(group.peak.get(), 1000 + 4 + 4 + 500);
}

/// The store may overwrite the input, which later operations of the group read.
#[test]
fn what_may_overwrite_operands_stays() {
    let plan = plan_tiles(&training(false), &keeping(TileTarget::Peak));
    let crosses = |group: &mem_model::TileGroup| {
        group.operations.0.index() < 3 && group.operations.1.index() > 4
    };
    assert!(!plan.groups.iter().any(crosses), "{plan:?}");
}

const fn within(budget: u64, streams: bool) -> TileTarget<'static> {
    TileTarget::Budget {
        budget: Bytes::new(budget),
        streams,
    }
}

/// Beside an operation that accesses three tensors of 6,400 bytes, one of which is taken over, two others are
/// live.
#[test]
fn budgets_count_what_operations_access() {
    let mut builder = Builder::default();
    let input = builder.buffer(64, 100, false);
    let kept = [(); 2].map(|()| builder.operation(&[input], None, (1, 1), 100));
    let first = builder.operation(&[input], None, (1, 1), 100);
    let second = builder.operation(&[first], None, (1, 1), 100);
    let third = builder.operation(&[first, second], None, (1, 1), 100);
    let last = [third, kept[0], kept[1]].map(|own| builder.operation(&[own], None, (64, 1), 100));
    let last = builder.operation(&last, None, (1, 1), 100);
    let program = builder.end(last);
    let plan = |target| plan_tiles(&program, &keeping(target));
    let budget = |bytes| plan(within(bytes, false));
    assert_eq!(plan(TileTarget::Peak).untiled_peak.get(), 25_600);
    let enough = budget(15_000);
    assert_eq!(
        (enough.groups.len(), enough.untiled_peak.get()),
        (0, 12_800)
    );
    // With room for copies, which 7,000 bytes would not leave.
    let tight = budget(8_000);
    assert_eq!(tight.groups.len(), 1, "{tight:?}");
    assert!(tight.peak.get() <= 7_000, "{tight:?}");
}

#[test]
fn what_does_not_fit_is_divided() {
    let plan = in_time(&chain(10), 1000);
    assert_eq!(plan.groups.len(), 1);
    let group = &plan.groups[0];
    assert_eq!(
        (group.operations.0.index(), group.operations.1.index()),
        (0, 3)
    );
    let sizes = group.windows.iter().map(|window| window.rows * 100);
    assert!(sizes.max().is_some_and(|most| most <= 1000), "{group:?}");
    // As few tiles as the memory permits: two windows of four rows, or one that is taken over.
    assert!(group.n_tiles() <= 16, "{group:?}");
}

#[test]
fn what_fits_is_not_divided() {
    assert!(in_time(&chain(10), 100_000).groups.is_empty());
}

#[test]
fn weights_without_room_are_not_read_in_every_tile() {
    assert!(in_time(&chain(50_000), 1000).groups.is_empty());
    // Beside the windows, there is room for these.
    assert_eq!(in_time(&chain(1000), 4000).groups.len(), 1);
}

#[test]
fn one_level_needs_no_time() {
    let mut hierarchy = two_levels(1000);
    hierarchy.levels.truncate(1);
    let plan = plan_tiles(&chain(10), &keeping(time_in(&hierarchy)));
    assert!(plan.groups.is_empty());
}

/// A random network of up to six operations, with branches, windows and strides.
fn random_program(rng: &mut Rng) -> TileProgram {
    random_network(rng, (2, 6), (12, 24))
}

/// A random network with ranges of operations and rows.
fn random_network(rng: &mut Rng, n: (usize, usize), rows: (usize, usize)) -> TileProgram {
    let mut builder = Builder::default();
    let rows = rng.between(rows.0, rows.1) as i64;
    let row = rng.between(1, 20) as i64;
    let mut last = builder.buffer(rows, row, false);
    let mut skipped = None;
    for _ in 0..rng.between(n.0, n.1) {
        let shape = [(1, 1), (1, 1), (3, 1), (2, 2)][rng.below(4)];
        let rows = builder.program.buffers[last.index()].shape[0];
        let shape = if rows < 8 { (1, 1) } else { shape };
        let n_bytes = rng.between(1, 60) as i64;
        let weights = (rng.chance(50)).then(|| builder.buffer(1, n_bytes, false));
        let same_rows = |own: &BufferId| builder.program.buffers[own.index()].shape[0] == rows;
        let other = skipped.filter(same_rows).filter(|_| rng.chance(50));
        let sources: Vec<BufferId> = [Some(last), other].into_iter().flatten().collect();
        let row = rng.between(1, 40) as i64;
        let result = builder.operation(&sources, weights, shape, row);
        if rng.chance(33) {
            skipped = Some(last);
        }
        last = result;
    }
    builder.end(last)
}

/// A residual block: `wide` rows between a tensor and a result to which it is added; `again` tells whether the
/// tensor is read once more at the end.
fn residual(again: bool) -> TileProgram {
    let mut builder = Builder::default();
    let input = builder.buffer(64, 100, false);
    let first = builder.operation(&[input], None, (1, 1), 100);
    let wide = builder.operation(&[first], None, (1, 1), 400);
    let narrow = builder.operation(&[wide], None, (1, 1), 100);
    let result = builder.operation(&[narrow, first], None, (1, 1), 100);
    let mut program = builder.end(result);
    if again {
        let end = program.operations.len() - 1;
        let mut operand = program.operations[end].operands[0].clone();
        operand.buffer = first;
        program.operations[end].operands.push(operand);
    }
    program
}

/// The result is written over the tensor that is added, unless that is needed.
#[test]
fn results_take_the_place_of_operands() {
    for (again, n_takeovers, whole) in [(false, 1, 6400), (true, 0, 12800)] {
        let program = residual(again);
        let plan = plan_tiles(&program, &keeping(TileTarget::Peak));
        let takeovers = plan.groups.iter().flat_map(|own| &own.takeovers);
        assert_eq!(takeovers.count(), n_takeovers);
        // One row of the others, or two.
        let peak = plan.peak.get();
        assert!((whole..whole + 1300).contains(&peak), "{peak}");
    }
}

/// Rows of neighbors are read after the first of them is overwritten.
#[test]
fn rows_that_are_read_later_are_not_taken() {
    let mut program = residual(false);
    let map = |first, last| {
        vec![Along::Rows(RowMap {
            dimension: 0,
            scale: 1,
            first,
            last,
        })]
    };
    // The last operation reads a row and the one before it.
    program.operations[3].operands[1].along = map(-1, 1);
    let plan = plan_tiles(&program, &keeping(TileTarget::Peak));
    assert!(plan.groups.iter().all(|own| own.takeovers.is_empty()));
    // Rows behind are read in time.
    program.operations[3].operands[1].along = map(0, 1);
    program.operations[1].operands[0].along = map(0, 2);
    program.operations[1].dimensions[0].extent = 63;
    let plan = plan_tiles(&program, &keeping(TileTarget::Peak));
    assert!(plan.groups.iter().any(|own| !own.takeovers.is_empty()));
}

/// All groups of a program with all sizes of tiles.
fn all_tilings(profile: &Profile<'_>) -> Vec<Tiling> {
    let mut found = Vec::new();
    for end in 1..=profile.program.operations.len() {
        let Ok(mut group) = super::group::Group::new(profile.program, end - 1, 0) else {
            continue;
        };
        loop {
            let extent = profile.schedule(&group).extent();
            let schedule = profile.schedule(&group);
            let sizes = schedule.parts(true).chain((1..extent).map(TileSize::of));
            let sizes = sizes.flat_map(|size| [(size, Keep::Apart), (size, Keep::InPlace)]);
            found.extend(sizes.map(|(size, keep)| Tiling {
                first: group.first(),
                end,
                dimension: 0,
                size,
                keep,
            }));
            if group.grow().is_err() {
                break;
            }
        }
    }
    found
}

#[test]
fn peaks_are_the_least() {
    for seed in 0..1000 {
        let program = random_program(&mut Rng::new(seed));
        let profile = Profile::new(&program);
        let tilings = all_tilings(&profile);
        let peak = |tiling: &Tiling| tiling.group(&profile, &[], true).peak.get();
        let mut least = vec![0_u64];
        for end in 1..=program.operations.len() {
            let untiled = least[end - 1].max(profile.live[end - 1]);
            let own = tilings.iter().filter(|tiling| tiling.end == end);
            let own = own.map(|tiling| least[tiling.first].max(peak(tiling)));
            least.push(own.fold(untiled, u64::min));
        }
        let least = least[program.operations.len()];
        let found = plan_tiles(&program, &keeping(TileTarget::Peak)).peak.get();
        assert!(
            found * 20 <= least * 21,
            "seed {seed}: {found} instead of {least}\n{program:?}"
        );
    }
}

/// In large programs, smaller groups bound the memory of larger ones, which are not evaluated then.
#[test]
fn bounds_rule_out_no_better_groups() {
    for seed in 0..20 {
        let program = random_network(&mut Rng::new(seed), (80, 100), (200, 300));
        let profile = Profile::new(&program);
        assert!(!profile.is_small());
        let rules = Rules::new(&keeping(TileTarget::Peak));
        let all = Candidates::new(&profile, rules).without_bounds();
        let [bounded, all] = [
            PeakSearch::new(&profile, rules),
            PeakSearch::of(&profile, rules, all),
        ];
        for capacity in [0, profile.peak().get() / 2] {
            let [bounded, all] = [&bounded, &all].map(|own| own.within(Bytes::new(capacity)));
            assert_eq!(bounded, all, "seed {seed}");
            assert!(bounded.is_some_and(|own| !own.is_empty()), "seed {seed}");
        }
    }
}

/// Minutes, if all groups were evaluated.
#[test]
fn large_programs_are_planned() {
    let program = random_network(&mut Rng::new(0), (3000, 3000), (200, 300));
    let plan = plan_tiles(&program, &keeping(TileTarget::Peak));
    assert!(plan.peak < plan.untiled_peak);
}

#[test]
fn times_are_near_the_least() {
    for seed in 0..1000 {
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng);
        let profile = Profile::new(&program);
        let hierarchy = two_levels(rng.between(50, 800) as u64);
        let rules = Rules::new(&keeping(TileTarget::Peak));
        let search = TimeSearch::new(&profile, &hierarchy, rules, false).expect("two levels");
        let tilings = all_tilings(&profile);
        let untiled = |at: usize| Some(search.cycles_of(at));
        let groups = |end: usize| {
            let own = tilings.iter().filter(|tiling| tiling.end == end);
            let own = own.filter_map(|tiling| Some((*tiling, search.cycles_of_tiling(tiling)?.0)));
            own.map(known).collect::<Vec<_>>()
        };
        let n = program.operations.len();
        let (best, _) = cheapest_path(n, untiled, groups, Some).expect("a path");
        let cycles = |tilings: &[Tiling]| {
            let is_tiled = |at: &usize| tilings.iter().any(|own| (own.first..own.end).contains(at));
            let untiled = (0..n).filter(|at| !is_tiled(at));
            let untiled: u64 = untiled.map(|at| search.cycles_of(at)).sum();
            let tiled = tilings
                .iter()
                .filter_map(|own| Some(search.cycles_of_tiling(own)?.0));
            untiled + tiled.sum::<u64>()
        };
        let (found, least) = (cycles(&search.cheapest(0)), cycles(&best));
        assert!(
            found * 20 <= least * 21,
            "seed {seed}: {found} instead of {least}\n{program:?}"
        );
    }
}

/// The additional iterations of a plan, in percent of all.
fn extra_work(program: &TileProgram, plan: &TilePlan) -> f64 {
    let work = program.operations.iter().map(|own| own.iterations());
    let mut repeated = 0;
    for group in &plan.groups {
        for (at, own) in group.tiled.iter().enumerate() {
            let operation = &program.operations[own.operation.index()];
            let extent = operation.dimensions[own.dimension].extent;
            let tiles = |run: &TileRun| {
                let sizes = run.tiles.iter().map(|tile| tile.steps[at].size);
                sizes.sum::<i64>() * run.repetitions
            };
            let executed: i64 = group.runs.iter().map(tiles).sum();
            // Rows that nothing needs are not computed.
            repeated += (executed - extent).max(0) * (operation.iterations() / extent);
        }
    }
    100.0 * repeated as f64 / work.sum::<i64>() as f64
}

#[test]
fn extra_work_is_bounded() {
    let mut n_repeating = 0;
    for seed in 0..500 {
        let mut rng = Rng::new(seed);
        let program = random_program(&mut rng);
        let percent = [0, 10, 50, 400][rng.below(4)];
        let options = |overlap| TileOptions {
            target: TileTarget::Peak,
            overlap,
            extra_work: percent,
        };
        let plan = |overlap| plan_tiles(&program, &options(overlap));
        let [keep, recompute, auto] = [Overlap::Keep, Overlap::Recompute, Overlap::Auto].map(plan);
        assert_eq!(extra_work(&program, &keep), 0.0, "seed {seed}");
        for plan in [&recompute, &auto] {
            assert!(
                extra_work(&program, plan) <= f64::from(percent),
                "seed {seed}"
            );
        }
        assert!(auto.peak <= keep.peak.min(recompute.peak), "seed {seed}");
        let windows = recompute.groups.iter().flat_map(|group| &group.windows);
        assert!(
            windows.clone().all(|window| window.kept == 0),
            "seed {seed}: {windows:?}"
        );
        n_repeating += i32::from(extra_work(&program, &recompute) > 0.0);
    }
    assert!(n_repeating > 20, "{n_repeating}");
}
