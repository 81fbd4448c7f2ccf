//! Persistent interval maps from bytes to numbers: treaps over the starts of segments.
//!
//! Every map covers `[0, 2^64)`; a segment extends from its start to the start of the next one. An
//! assignment to an interval makes a new version that shares all but O(log n) nodes with the old
//! one, for n segments. Priorities are a hash of the start, so the shape depends on the content
//! alone (Seidel and Aragon, "Randomized search trees", 1996). An assignment that replaces d
//! segments takes expected O(log n + d) time; the d segments are never copied.

use mem_model::Interval;

/// A version of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Root(u32);

const NONE: u32 = u32::MAX;

impl Root {
    /// A map without segments, as a placeholder.
    pub(super) const NOTHING: Self = Self(NONE);
}

#[derive(Clone, Copy)]
struct Node {
    start: u64,
    value: u32,
    left: u32,
    right: u32,
}

/// All versions of all maps.
#[derive(Default)]
pub(super) struct Maps {
    nodes: Vec<Node>,
    /// Nodes from this index on belong to the assignment in progress. No version shares them yet,
    /// so they may be modified in place.
    fresh: u32,
}

impl Maps {
    /// A map of one segment.
    pub(super) fn constant(&mut self, value: u32) -> Root {
        Root(self.node(0, value, NONE, NONE))
    }

    /// The version in which all of `range` has `value`, and all other bytes have their value in
    /// `root`; `root` itself if `range` is a segment with that value.
    pub(super) fn assign(&mut self, root: Root, range: Interval<u64>, value: u32) -> Root {
        if range.is_empty() {
            return root;
        }
        self.fresh = self.nodes.len() as u32;
        // The shape does not change: copies only the path to the segment.
        if self.is_segment(root, range) {
            return match self.get(root, range.start) == value {
                true => root,
                false => Root(self.replace(root.0, range.start, value)),
            };
        }
        // The rest of the segment in which `range` ends keeps its value.
        let beyond = (range.end < u64::MAX).then(|| self.get(root, range.end));
        let (before, rest) = self.split(root.0, range.start);
        let (_, mut after) = self.split(rest, range.end);
        if let Some(value) = beyond
            && self.first_start(after) != Some(range.end)
        {
            let boundary = self.node(range.end, value, NONE, NONE);
            after = self.merge(boundary, after);
        }
        let assigned = self.node(range.start, value, NONE, NONE);
        let low = self.merge(before, assigned);
        Root(self.merge(low, after))
    }

    /// The value at `byte`.
    pub(super) fn get(&self, root: Root, byte: u64) -> u32 {
        let (mut at, mut value) = (root.0, 0);
        while at != NONE {
            let node = self.nodes[at as usize];
            if node.start <= byte {
                value = node.value;
                at = node.right;
            } else {
                at = node.left;
            }
        }
        value
    }

    /// Calls `visit` for each segment that meets `range`, in order, clipped to `range`.
    pub(super) fn for_each(
        &self,
        root: Root,
        range: Interval<u64>,
        mut visit: impl FnMut(Interval<u64>, u32),
    ) {
        if range.is_empty() {
            return;
        }
        let mut open = None;
        // Nodes whose left subtree is done.
        let mut stack: Vec<u32> = Vec::new();
        let mut at = root.0;
        loop {
            while at != NONE {
                let node = &self.nodes[at as usize];
                if node.start <= range.start {
                    // The whole left subtree lies before the range.
                    open = Some((range.start, node.value));
                    at = node.right;
                } else {
                    stack.push(at);
                    at = node.left;
                }
            }
            let Some(next) = stack.pop() else { break };
            let node = self.nodes[next as usize];
            if node.start >= range.end {
                break;
            }
            if let Some((start, value)) = open.replace((node.start, node.value)) {
                visit(Interval::new(start, node.start), value);
            }
            at = node.right;
        }
        if let Some((start, value)) = open {
            visit(Interval::new(start, range.end), value);
        }
    }

    /// Whether `range` is exactly one segment.
    fn is_segment(&self, root: Root, range: Interval<u64>) -> bool {
        let (mut at, mut found, mut next) = (root.0, false, u64::MAX);
        while at != NONE {
            let node = &self.nodes[at as usize];
            if node.start <= range.start {
                found |= node.start == range.start;
                at = node.right;
            } else {
                next = node.start;
                at = node.left;
            }
        }
        found && next == range.end
    }

    /// Copies the path to the segment that starts at `start`, with another value for it.
    fn replace(&mut self, at: u32, start: u64, value: u32) -> u32 {
        let mut node = self.nodes[at as usize];
        match start.cmp(&node.start) {
            std::cmp::Ordering::Equal => node.value = value,
            std::cmp::Ordering::Less => node.left = self.replace(node.left, start, value),
            std::cmp::Ordering::Greater => node.right = self.replace(node.right, start, value),
        }
        self.node(node.start, node.value, node.left, node.right)
    }

    /// Splits into the segments that start before `key`, and the others.
    fn split(&mut self, at: u32, key: u64) -> (u32, u32) {
        if at == NONE {
            return (NONE, NONE);
        }
        let node = self.nodes[at as usize];
        if node.start < key {
            let (low, high) = self.split(node.right, key);
            (self.with(at, node.left, low), high)
        } else {
            let (low, high) = self.split(node.left, key);
            (low, self.with(at, high, node.right))
        }
    }

    /// Joins two trees, all segments of the first before all of the second.
    fn merge(&mut self, low: u32, high: u32) -> u32 {
        if low == NONE {
            return high;
        }
        if high == NONE {
            return low;
        }
        let (a, b) = (self.nodes[low as usize], self.nodes[high as usize]);
        // The higher priority becomes the root, so that the starts alone determine the shape.
        if priority(a.start) > priority(b.start) {
            let right = self.merge(a.right, high);
            self.with(low, a.left, right)
        } else {
            let left = self.merge(low, b.left);
            self.with(high, left, b.right)
        }
    }

    /// Node `at` with other children. Reuses the node if they are the same or no version shares it
    /// yet.
    fn with(&mut self, at: u32, left: u32, right: u32) -> u32 {
        let node = self.nodes[at as usize];
        if node.left == left && node.right == right {
            return at;
        }
        if at >= self.fresh {
            let node = &mut self.nodes[at as usize];
            (node.left, node.right) = (left, right);
            return at;
        }
        self.node(node.start, node.value, left, right)
    }

    fn first_start(&self, mut at: u32) -> Option<u64> {
        let mut start = None;
        while at != NONE {
            start = Some(self.nodes[at as usize].start);
            at = self.nodes[at as usize].left;
        }
        start
    }

    fn node(&mut self, start: u64, value: u32, left: u32, right: u32) -> u32 {
        let index = u32::try_from(self.nodes.len()).expect("fewer than 2^32 map nodes");
        self.nodes.push(Node {
            start,
            value,
            left,
            right,
        });
        index
    }
}

/// Hashes a start (the finalizer of SplitMix64).
fn priority(start: u64) -> u64 {
    let mut x = start.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    //! Compares with plain arrays. Keeps every version and compares it again at the end, because
    //! sharing could let an assignment modify an older version.

    use super::*;

    const SIZE: u64 = 24;

    fn content(maps: &Maps, root: Root) -> Vec<u32> {
        let mut bytes = Vec::new();
        maps.for_each(root, Interval::new(0, SIZE), |range, value| {
            assert_eq!(range.start as usize, bytes.len(), "no gap, no overlap");
            bytes.resize(range.end as usize, value);
        });
        bytes
    }

    #[test]
    fn every_version_keeps_its_assignments() {
        let mut maps = Maps::default();
        let mut versions = vec![(maps.constant(0), vec![0; SIZE as usize])];
        let mut state = 1;
        let mut random = |bound: u64| {
            state = priority(state);
            state % bound
        };
        for value in 1..2000 {
            let (root, mut bytes) = versions[random(versions.len() as u64) as usize].clone();
            let (a, b) = (random(SIZE + 1), random(SIZE + 1));
            let range = Interval::new(a.min(b), a.max(b));
            let next = maps.assign(root, range, value);
            bytes[range.start as usize..range.end as usize].fill(value);
            versions.push((next, bytes));
        }
        for (root, bytes) in versions {
            assert_eq!(content(&maps, root), bytes);
            for (byte, value) in bytes.iter().enumerate() {
                assert_eq!(maps.get(root, byte as u64), *value);
                let mut seen = Vec::new();
                let one = Interval::new(byte as u64, byte as u64 + 1);
                maps.for_each(root, one, |range, value| seen.push((range, value)));
                assert_eq!(seen, [(one, *value)]);
            }
        }
    }

    #[test]
    fn the_last_byte_there_is_can_be_assigned() {
        let mut maps = Maps::default();
        let root = maps.constant(0);
        let next = maps.assign(root, Interval::new(8, u64::MAX), 1);
        assert_eq!(maps.get(next, u64::MAX - 1), 1);
        assert_eq!(maps.get(next, 7), 0);
        assert_eq!(maps.get(root, 8), 0);
    }
}
