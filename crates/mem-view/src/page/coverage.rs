//! Live bytes of a level over time, each byte once: a result that is written in place shares the bytes of
//! its operand during the step that computes it, and their sum would exceed the peak.
//!
//! A sweep over the points adds and removes intervals of bytes. A segment tree over all ends of intervals
//! holds the length of their union, as for the area of a union of rectangles (Bentley, 1977): each node
//! counts the intervals that cover it as a whole, and is covered by its halves otherwise.
//! O(n log n) for n places.

use super::data::PlaceOf;

/// Live bytes as (point, bytes), at each point where places begin or end.
pub(super) fn live_bytes(places: &[PlaceOf]) -> Vec<(u64, u64)> {
    let mut changes: Vec<(u64, bool, u64, u64)> = Vec::with_capacity(2 * places.len());
    for &(_, _, start, end, low, high) in places {
        changes.extend([(start, true, low, high), (end, false, low, high)]);
    }
    // Places that end go first. The order of others is irrelevant: only the result counts.
    changes.sort_unstable();
    let mut coverage = Coverage::new(places);
    let mut live: Vec<(u64, u64)> = Vec::new();
    for (point, begins, low, high) in changes {
        coverage.change(low, high, begins);
        let bytes = coverage.covered();
        match live.last_mut() {
            Some(last) if last.0 == point => last.1 = bytes,
            _ => live.push((point, bytes)),
        }
    }
    live
}

/// A multiset of intervals of bytes, and the length of their union.
struct Coverage {
    /// All ends, in order. The leaf `i` of the tree is the interval between the ends `i` and `i + 1`.
    ends: Vec<u64>,
    nodes: Vec<Node>,
}

/// A part of the bytes. The children of node `i` are the nodes `2 i + 1` and `2 i + 2`.
#[derive(Clone, Copy, Default)]
struct Node {
    /// Intervals that cover the node, but not its parent.
    n_whole: u32,
    /// Bytes of the node that are covered.
    covered: u64,
}

impl Coverage {
    fn new(places: &[PlaceOf]) -> Self {
        let ends = places
            .iter()
            .flat_map(|&(_, _, _, _, low, high)| [low, high]);
        let mut ends: Vec<u64> = ends.collect();
        ends.sort_unstable();
        ends.dedup();
        let nodes = vec![Node::default(); 4 * ends.len().max(1)];
        Self { ends, nodes }
    }

    fn covered(&self) -> u64 {
        self.nodes[0].covered
    }

    /// Adds or removes an interval, whose ends are known. An interval is removed after it was added, or
    /// before it is added: counts wrap around and back.
    fn change(&mut self, low: u64, high: u64, adds: bool) {
        let index = |end: u64| self.ends.partition_point(|own| *own < end);
        let wanted = (index(low), index(high));
        if wanted.0 < wanted.1 {
            self.change_below(0, (0, self.ends.len() - 1), wanted, adds);
        }
    }

    /// Changes the node that stands for the leaves `own`, half-open, by the leaves `wanted`.
    fn change_below(
        &mut self,
        node: usize,
        own: (usize, usize),
        wanted: (usize, usize),
        adds: bool,
    ) {
        if wanted.0 >= own.1 || wanted.1 <= own.0 {
            return;
        }
        if wanted.0 <= own.0 && own.1 <= wanted.1 {
            let n_whole = &mut self.nodes[node].n_whole;
            *n_whole = match adds {
                true => n_whole.wrapping_add(1),
                false => n_whole.wrapping_sub(1),
            };
        } else {
            let middle = usize::midpoint(own.0, own.1);
            self.change_below(2 * node + 1, (own.0, middle), wanted, adds);
            self.change_below(2 * node + 2, (middle, own.1), wanted, adds);
        }
        let is_leaf = own.1 - own.0 == 1;
        self.nodes[node].covered = match (self.nodes[node].n_whole, is_leaf) {
            (0, true) => 0,
            (0, false) => self.nodes[2 * node + 1].covered + self.nodes[2 * node + 2].covered,
            _ => self.ends[own.1] - self.ends[own.0],
        };
    }
}

#[cfg(test)]
mod tests {
    use mem_testkit::Rng;

    use super::*;

    /// Counts each byte at each point.
    fn counted(places: &[PlaceOf], point: u64) -> u64 {
        let is_live = |byte: u64| {
            places.iter().any(|&(_, _, start, end, low, high)| {
                (start..end).contains(&point) && (low..high).contains(&byte)
            })
        };
        (0..64).filter(|byte| is_live(*byte)).count() as u64
    }

    #[test]
    fn a_result_in_place_counts_once() {
        let live = live_bytes(&[(0, 0, 0, 4, 0, 8), (1, 0, 3, 8, 0, 8), (2, 0, 3, 4, 8, 10)]);
        assert_eq!(live, [(0, 8), (3, 10), (4, 8), (8, 0)]);
        assert_eq!(live_bytes(&[]), []);
    }

    #[test]
    fn live_bytes_are_those_that_some_place_covers() {
        for seed in 0..200 {
            let mut rng = Rng::new(seed);
            let places: Vec<PlaceOf> = (0..1 + rng.below(12))
                .map(|buffer| {
                    let mut number = |bound: usize| rng.below(bound) as u64;
                    let (start, low) = (number(12), number(60));
                    let (end, high) = (start + number(6), (low + 1 + number(20)).min(64));
                    (buffer, 0, start, end, low, high)
                })
                .collect();
            for (point, bytes) in live_bytes(&places) {
                assert_eq!(bytes, counted(&places, point), "seed {seed}, point {point}");
            }
        }
    }
}
