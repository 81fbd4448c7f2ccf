//! Addresses of all levels over time: which residence occupies which bytes during which steps.

use std::cell::Cell;

use mem_model::{Bytes, Interval, LevelProblem, TensorId};

use super::tuning::{self, BUCKET};

/// A stay of a tensor at one address of a level, for some steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Residence {
    pub tensor: TensorId,
    pub level: usize,
    pub offset: u64,
    pub steps: Interval<usize>,
}

/// Addresses of all levels over time.
pub(super) struct SpaceTime {
    pub capacities: Vec<u64>,
    alignments: Vec<u64>,
    sizes: Vec<u64>,
    tensor_alignments: Vec<u64>,
    pub residences: Vec<Option<Residence>>,
    free_numbers: Vec<usize>,
    /// Indexed by level and bucket of steps: the residences there.
    pub buckets: Vec<Vec<Vec<usize>>>,
    /// Number of residences examined so far, which measures the effort.
    pub n_looks: Cell<u64>,
}

impl SpaceTime {
    pub(super) fn new(problem: &LevelProblem) -> Option<Self> {
        let capacities = problem.capacities().ok()?;
        let most = crate::MAX_BYTES.get();
        let n_buckets = problem.steps.len() / BUCKET + 1;
        Some(Self {
            capacities: capacities
                .iter()
                .map(|c| c.map_or(most, Bytes::get))
                .collect(),
            alignments: problem
                .hierarchy
                .levels
                .iter()
                .map(|l| l.alignment.get().max(1))
                .collect(),
            sizes: problem.tensors.iter().map(|t| t.size.get()).collect(),
            tensor_alignments: problem
                .tensors
                .iter()
                .map(|t| t.alignment.get().max(1))
                .collect(),
            residences: Vec::new(),
            free_numbers: Vec::new(),
            buckets: vec![vec![Vec::new(); n_buckets]; capacities.len()],
            n_looks: Cell::new(0),
        })
    }

    pub(super) fn buckets_of(steps: Interval<usize>) -> std::ops::RangeInclusive<usize> {
        // An empty interval counts as its first step: each residence is in at least one bucket.
        steps.start / BUCKET..=steps.end.max(steps.start + 1).saturating_sub(1) / BUCKET
    }

    pub(super) fn insert(&mut self, residence: Residence) -> usize {
        // The improvement removes and inserts residences all the time, so numbers are reused.
        let number = self.free_numbers.pop().unwrap_or_else(|| {
            self.residences.push(None);
            self.residences.len() - 1
        });
        self.residences[number] = Some(residence);
        for bucket in Self::buckets_of(residence.steps) {
            if let Some(bucket) = self.buckets[residence.level].get_mut(bucket) {
                bucket.push(number);
            }
        }
        number
    }

    pub(super) fn remove(&mut self, number: usize) {
        let Some(residence) = self.residences[number].take() else {
            return;
        };
        for bucket in Self::buckets_of(residence.steps) {
            if let Some(bucket) = self.buckets[residence.level].get_mut(bucket) {
                bucket.retain(|other| *other != number);
            }
        }
        self.free_numbers.push(number);
    }

    /// Busy ranges of a level during some steps, in ascending order, without the residence
    /// `except`.
    fn busy(&self, level: usize, steps: Interval<usize>, except: Option<usize>) -> Vec<(u64, u64)> {
        let mut busy: Vec<(u64, u64)> = Vec::new();
        for bucket in Self::buckets_of(steps) {
            let there = self.buckets[level].get(bucket);
            let n_looks =
                self.n_looks.get() + tuning::LOOKS_PER_BUCKET + there.map_or(0, Vec::len) as u64;
            self.n_looks.set(n_looks);
            for number in there.into_iter().flatten() {
                let Some(other) = &self.residences[*number] else {
                    continue;
                };
                let size = self.sizes[other.tensor.index()];
                // A residence is listed in all buckets that it spans, and counts in the first of
                // them.
                let is_first = bucket == other.steps.start.max(steps.start) / BUCKET;
                if size > 0 && is_first && other.steps.overlaps(steps) && Some(*number) != except {
                    busy.push((other.offset, other.offset + size));
                }
            }
        }
        // Residences that a result takes over overlap; the caller sweeps upwards and ignores that.
        busy.sort_unstable();
        busy
    }

    /// A free address for a tensor during some steps, in the smallest gap that is large enough.
    pub(super) fn find(
        &self,
        tensor: TensorId,
        level: usize,
        steps: Interval<usize>,
    ) -> Option<u64> {
        let (size, capacity) = (self.sizes[tensor.index()], self.capacities[level]);
        if size > capacity {
            return None;
        }
        let alignment = self.alignments[level].max(self.tensor_alignments[tensor.index()]);
        let busy = self.busy(level, steps, None);
        let mut best: Option<(u64, u64)> = None;
        let mut end = 0_u64;
        // A sentinel ends the gap at the top of the level.
        let tail = Some((capacity, capacity));
        for (start, until) in busy.into_iter().chain(tail) {
            if let Some(offset) = end.checked_next_multiple_of(alignment)
                && start > end
                && offset.checked_add(size).is_some_and(|top| top <= start)
            {
                let gap = start - end;
                if best.is_none_or(|(known, _)| gap < known) {
                    best = Some((gap, offset));
                }
            }
            end = end.max(until);
        }
        // Without bytes, there is room even in a full level.
        if size == 0 {
            return Some(0);
        }
        best.map(|(_, offset)| offset)
    }

    /// Whether a tensor can take over the address of a residence that ends with the first of the
    /// steps: no other residence may occupy the bytes.
    pub(super) fn can_take_over(
        &self,
        tensor: TensorId,
        steps: Interval<usize>,
        number: usize,
    ) -> bool {
        let Some(theirs) = self.residences[number] else {
            return false;
        };
        let size = self.sizes[tensor.index()];
        let alignment = self.alignments[theirs.level].max(self.tensor_alignments[tensor.index()]);
        let (start, end) = (theirs.offset, theirs.offset + size);
        // The rest of a larger operand is still read at this step, and must not be free yet.
        let is_good = self.sizes[theirs.tensor.index()] == size
            && theirs.steps.end == steps.start + 1
            && theirs.offset.is_multiple_of(alignment);
        let busy = || self.busy(theirs.level, steps, Some(number));
        is_good && busy().iter().all(|(from, to)| *to <= start || end <= *from)
    }
}
