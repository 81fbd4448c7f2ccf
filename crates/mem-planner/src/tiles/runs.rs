//! Tiles that are repeated: a sequence of tiles becomes the body of a loop.

use mem_model::{Range, Tile, TileRun, WindowRange};

use super::tuning;

/// The runs of a sequence of tiles, in which `parts` tiles are repeated, or a few. Takes time
/// O(tiles · ranges · log parts).
///
/// `is_fixed` tells whether the operations of two alike tiles access the same rows of their windows.
pub(super) fn runs(
    tiles: &[Tile],
    parts: usize,
    is_fixed: impl Fn(&Tile, &Tile) -> bool,
) -> Vec<TileRun> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < tiles.len() {
        let halves = std::iter::successors(Some(parts), |own| (*own > 1).then_some(own / 2));
        // Where the operations before have fewer rows than the anchor, not all tiles execute them.
        let periods = (1..=tuning::MAX_PERIOD).chain(halves);
        let repeated = periods.map(|period| (period, repetitions(&tiles[at..], period, &is_fixed)));
        // The shortest sequence makes the smallest loop.
        let best = repeated.filter(|(_, n)| *n > 1);
        let best = best.max_by_key(|(period, n)| (period * n, std::cmp::Reverse(*period)));
        let (period, repetitions) = best.unwrap_or((1, 1));
        let mut own = tiles[at..at + period].to_vec();
        if repetitions > 1 {
            let next = &tiles[at + period..];
            own.iter_mut()
                .zip(next)
                .for_each(|(own, next)| advance(own, next));
        }
        runs.push(TileRun {
            repetitions: repetitions as i64,
            tiles: own,
        });
        at += period * repetitions;
    }
    runs
}

/// How often the first `period` tiles are executed, with ranges that advance evenly.
fn repetitions(tiles: &[Tile], period: usize, is_fixed: &impl Fn(&Tile, &Tile) -> bool) -> usize {
    let is_repeated = |at: &usize| {
        let (own, next) = (&tiles[at - period], &tiles[*at]);
        let first = (at % period, at % period + period);
        is_alike(own, next) && is_fixed(own, next) && {
            let advances = |at: usize| ranges(&tiles[at]).zip(ranges(&tiles[at + period]));
            let own = advances(first.0).map(|(own, next)| next.start - own.start);
            let last = advances(at - period).map(|(own, next)| next.start - own.start);
            own.eq(last)
        }
    };
    let repeated = (period..tiles.len()).take_while(is_repeated);
    1 + repeated.count() / period
}

fn ranges(tile: &Tile) -> impl Iterator<Item = Range> {
    let windows = tile.windows.iter().map(|own| own.rows);
    let rows = windows.chain(tile.streams.iter().copied());
    tile.steps.iter().copied().chain(rows)
}

/// Whether two tiles differ only in where their ranges start.
fn is_alike(own: &Tile, next: &Tile) -> bool {
    let is_same_window = |(own, next): (&WindowRange, &WindowRange)| {
        (own.loaded, own.saved, own.saved_from) == (next.loaded, next.saved, next.saved_from)
    };
    ranges(own)
        .zip(ranges(next))
        .all(|(own, next)| own.size == next.size)
        && own.windows.iter().zip(&next.windows).all(is_same_window)
}

/// Records where the ranges of a tile start in the next repetition.
fn advance(own: &mut Tile, next: &Tile) {
    for (own, next) in own.steps.iter_mut().zip(&next.steps) {
        own.advance = next.start - own.start;
    }
    for (own, next) in own.windows.iter_mut().zip(&next.windows) {
        own.rows.advance = next.rows.start - own.rows.start;
    }
    for (own, next) in own.streams.iter_mut().zip(&next.streams) {
        own.advance = next.start - own.start;
    }
}

/// Runs of the same tiles in which every tile has the same neighbors in all repetitions, and its number is even
/// in all of them or in none: the first and the last repetition are no part of a loop, and a loop has an
/// even number of tiles. Linear in the tiles of all runs.
pub(super) fn pipelined(runs: &[TileRun]) -> Vec<TileRun> {
    let mut result = Vec::new();
    for run in runs {
        let alone = |index: i64| TileRun {
            repetitions: 1,
            tiles: run.tiles.iter().map(|own| shifted(own, index, 0)).collect(),
        };
        // Repetitions in the body of the loop.
        let unrolled = 1 + run.tiles.len() as i64 % 2;
        let repetitions = (run.repetitions - 2).max(0) / unrolled;
        let in_loop = if repetitions > 1 { repetitions } else { 0 };
        result.push(alone(0));
        if in_loop > 0 {
            let copies = (1..=unrolled).flat_map(|index| {
                run.tiles
                    .iter()
                    .map(move |own| shifted(own, index, unrolled))
            });
            result.push(TileRun {
                repetitions: in_loop,
                tiles: copies.collect(),
            });
        }
        result.extend((1 + in_loop * unrolled..run.repetitions).map(alone));
    }
    result
}

/// A tile in a later repetition of its run, and in every `each`-th one after that.
fn shifted(tile: &Tile, index: i64, each: i64) -> Tile {
    let shift = |own: &mut Range| {
        own.start += index * own.advance;
        own.advance *= each;
    };
    let mut tile = tile.clone();
    tile.steps.iter_mut().for_each(shift);
    tile.windows.iter_mut().for_each(|own| shift(&mut own.rows));
    tile.streams.iter_mut().for_each(shift);
    tile
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tile of one operation and no window.
    fn tile(start: i64, size: i64) -> Tile {
        let step = Range {
            start,
            size,
            advance: 0,
        };
        Tile {
            steps: vec![step],
            windows: Vec::new(),
            streams: Vec::new(),
        }
    }

    /// Repetitions, number of tiles, and advance of the first tile.
    fn shapes(tiles: &[(i64, i64)], period: usize) -> Vec<(i64, usize, i64)> {
        let tiles: Vec<Tile> = tiles.iter().map(|own| tile(own.0, own.1)).collect();
        let runs = runs(&tiles, period, |_, _| true);
        let mut executed = Vec::new();
        for run in &runs {
            for index in 0..run.repetitions {
                let ranges = run.tiles.iter().map(|own| own.steps[0].at(index));
                executed.extend(ranges);
            }
        }
        let expected = tiles.iter().map(|own| own.steps[0].at(0));
        assert_eq!(executed, expected.collect::<Vec<_>>());
        let shape = |run: &TileRun| {
            (
                run.repetitions,
                run.tiles.len(),
                run.tiles[0].steps[0].advance,
            )
        };
        runs.iter().map(shape).collect()
    }

    #[test]
    fn equal_tiles_become_one() {
        let tiles = [(0, 1), (1, 2), (3, 2), (5, 2), (7, 1)];
        assert_eq!(shapes(&tiles, 1), [(1, 1, 0), (3, 1, 2), (1, 1, 0)]);
    }

    /// Every tile of a loop is executed at even numbers only, or at odd ones only, between tiles that are as
    /// far from it in all repetitions.
    #[test]
    fn neighbors_in_loops_are_the_same() {
        for (period, repetitions) in [(1, 1), (1, 3), (1, 7), (1, 20), (2, 9), (3, 8), (3, 2)] {
            let tiles: Vec<Tile> = (0..period * repetitions)
                .map(|at| tile(10 * (at / period) + at % period, 1))
                .collect();
            let plain = runs(&tiles, 1, |_, _| true);
            let runs = pipelined(&plain);
            let mut executed = Vec::new();
            for (number, run) in runs.iter().enumerate() {
                assert!(run.repetitions == 1 || run.tiles.len() % 2 == 0);
                for index in 0..run.repetitions {
                    let own = run.tiles.iter().enumerate();
                    executed.extend(own.map(|(at, own)| ((number, at), own.steps[0].at(index))));
                }
            }
            let ranges: Vec<(i64, i64)> = executed.iter().map(|own| own.1).collect();
            let expected = tiles.iter().map(|own| own.steps[0].at(0));
            assert_eq!(ranges, expected.collect::<Vec<_>>());
            let mut known = std::collections::HashMap::new();
            for at in 1..executed.len().saturating_sub(1) {
                let (place, (start, _)) = executed[at];
                let distances = (start - ranges[at - 1].0, ranges[at + 1].0 - start, at % 2);
                assert_eq!(*known.entry(place).or_insert(distances), distances);
            }
            let n_written: usize = runs.iter().map(|run| run.tiles.len()).sum();
            assert!(n_written <= 7 * tiles.len() / repetitions as usize);
        }
    }

    #[test]
    fn sequences_are_repeated() {
        let tiles = [(0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 0)];
        assert_eq!(shapes(&tiles, 2), [(3, 2, 1), (1, 1, 0)]);
        assert_eq!(shapes(&tiles, 4), [(3, 2, 1), (1, 1, 0)]);
        assert_eq!(shapes(&tiles[..2], 2), [(1, 1, 0), (1, 1, 0)]);
    }

    #[test]
    fn uneven_advances_are_not_repeated() {
        let tiles = [(0, 1), (1, 1), (3, 1), (4, 1), (6, 1)];
        assert_eq!(shapes(&tiles[..3], 1), [(2, 1, 1), (1, 1, 0)]);
        assert_eq!(shapes(&tiles, 1), [(2, 2, 3), (1, 1, 0)]);
    }

    #[test]
    fn other_rows_of_windows_are_not_repeated() {
        let tiles: Vec<Tile> = (0..4).map(|start| tile(start, 1)).collect();
        let is_fixed = |_: &Tile, next: &Tile| next.steps[0].start != 2;
        let repetitions = runs(&tiles, 1, is_fixed)
            .iter()
            .map(|run| run.repetitions)
            .collect::<Vec<_>>();
        assert_eq!(repetitions, [2, 2]);
    }
}
