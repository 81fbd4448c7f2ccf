//! Rows that engines copy tile by tile.

use mem_model::{CopyEngine, Hierarchy, LevelId, TileGroup, TileProgram};
use mem_testkit::Rng;

use super::{chain, in_time, keeping, random_network, two_levels, within};
use crate::tiles::{TilePlan, TileTarget, plan_tiles};

/// The same memories, with an engine for both directions.
fn with_engine(capacity: u64) -> Hierarchy {
    let (fast, slow) = (LevelId::new(0), LevelId::new(1));
    let mut hierarchy = two_levels(capacity);
    hierarchy.engines.push(CopyEngine {
        name: "engine".to_owned(),
        links: vec![(fast, slow), (slow, fast)],
    });
    hierarchy
}

fn with_streams(program: &TileProgram, hierarchy: &Hierarchy) -> TilePlan {
    let target = TileTarget::Time {
        hierarchy,
        margin: 0,
        streams: true,
    };
    plan_tiles(program, &keeping(target))
}

#[test]
fn engines_copy_rows_beside_computation() {
    let program = chain(100);
    let plan = with_streams(&program, &with_engine(3000));
    let [group] = &plan.groups[..] else {
        panic!("{plan:?}");
    };
    let streamed: Vec<usize> = group.streams.iter().map(|own| own.buffer.index()).collect();
    // The input and the result are whole, the weights are read by every tile.
    assert!(
        !streamed.is_empty() && streamed.iter().all(|own| [0, 6].contains(own)),
        "{group:?}"
    );
    let bytes = group
        .streams
        .iter()
        .map(|own| 2 * own.rows * 100)
        .sum::<i64>();
    assert!(bytes <= 3000, "{bytes}");
    // Nothing can copy without an engine.
    let plan = with_streams(&program, &two_levels(3000));
    assert!(
        plan.groups.iter().all(|own| own.streams.is_empty()),
        "{plan:?}"
    );
    assert!(
        in_time(&program, 3000)
            .groups
            .iter()
            .all(|own| own.streams.is_empty())
    );
}

/// Checks that what the tiles of a group access of streams is in their stages, that results are written once,
/// and that no iteration is lost.
fn check(program: &TileProgram, group: &TileGroup, seed: u64) {
    let mut executed = vec![0; group.tiled.len()];
    let mut written = vec![0; group.streams.len()];
    let repetitions = group.runs.iter().flat_map(|run| {
        let is_even = run.tiles.len() % 2 == 0 || group.streams.is_empty();
        assert!(run.repetitions == 1 || is_even, "seed {seed}");
        (0..run.repetitions).flat_map(|own| run.tiles.iter().map(move |tile| (own, tile)))
    });
    for (index, tile) in repetitions {
        for (at, tiled) in group.tiled.iter().enumerate() {
            let (start, end) = tile.steps[at].at(index);
            executed[at] += end - start;
            let operation = &program.operations[tiled.operation.index()];
            for operand in operation.operands.iter().filter(|_| start < end) {
                let mut streams = group.streams.iter().zip(&tile.streams);
                let Some((stream, rows)) = streams.find(|own| own.0.buffer == operand.buffer)
                else {
                    continue;
                };
                let map = operand.rows_along(tiled.dimension).expect("rows");
                let (first, last) = map.rows(start, end);
                let held = rows.at(index);
                assert!(held.0 <= first && last <= held.1, "seed {seed}: {group:?}");
                assert!(held.1 - held.0 <= stream.rows, "seed {seed}");
            }
        }
        let results = group
            .streams
            .iter()
            .enumerate()
            .filter(|own| own.1.is_result);
        for (at, stream) in results {
            let rows = tile.streams[at].at(index);
            assert!(
                rows.0 == rows.1 || written[at] <= rows.0,
                "seed {seed}: {stream:?}"
            );
            written[at] = rows.1.max(written[at]);
        }
    }
    // Other operations may compute fewer rows, if nothing needs the last ones.
    let anchor = group.tiled[group.tiled.len() - 1];
    let operation = &program.operations[anchor.operation.index()];
    let extent = operation.dimensions[anchor.dimension].extent;
    assert_eq!(executed.last(), Some(&extent), "seed {seed}: {group:?}");
}

#[test]
fn stages_hold_what_tiles_access() {
    let mut n_streams = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let program = random_network(&mut rng, (2, 8), (30, 80));
        let hierarchy = with_engine(rng.between(500, 5000) as u64);
        for group in &with_streams(&program, &hierarchy).groups {
            check(&program, group, seed);
            n_streams += group.streams.len();
        }
    }
    assert!(n_streams > 50, "{n_streams}");
}

/// Within a budget, two stages count instead of a whole buffer, and no more is streamed than it takes to fit.
#[test]
fn budgets_stream_what_does_not_fit() {
    let mut n_streamed = 0;
    for seed in 0..200 {
        let mut rng = Rng::new(seed);
        let program = random_network(&mut rng, (2, 8), (30, 80));
        let plan = |budget: u64, streams: bool| {
            let plan = plan_tiles(&program, &keeping(within(budget, streams)));
            plan.groups
                .iter()
                .for_each(|group| check(&program, group, seed));
            plan
        };
        let n_streams = |plan: &TilePlan| plan.groups.iter().map(|own| own.streams.len()).sum();
        let (whole, least) = (plan(0, false), plan(0, true));
        let counts: [usize; 2] = [&whole, &least].map(n_streams);
        assert_eq!(counts[0], 0, "seed {seed}");
        assert!(least.peak <= whole.peak, "seed {seed}: {least:?}");
        if counts[1] > 0 {
            n_streamed += 1;
            assert!(least.peak < whole.peak, "seed {seed}: {least:?}");
        }
        // An eighth is left to copies.
        let most: usize = n_streams(&plan(whole.untiled_peak.get() * 8 / 7 + 8, true));
        assert_eq!(most, 0, "seed {seed}");
    }
    assert!(n_streamed > 20, "{n_streamed}");
}
