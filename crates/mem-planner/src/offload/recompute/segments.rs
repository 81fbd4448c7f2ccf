//! Segments of the part of a program before the turn, to be recomputed as a whole (T. Chen et al.,
//! "Training Deep Nets with Sublinear Memory Cost", 2016).
//!
//! A *cut* is a step of this part. The values that later steps of the part need from before a cut
//! are checkpoints: they are kept. Good cuts are articulation points of the graph of values, where
//! only one value crosses, and other steps where few bytes cross. Dynamic programming over the cuts
//! chooses the segments, of any lengths, and whether the values of each are kept or recomputed.

use super::super::tuning;
use super::values::Values;

/// Segments between cuts.
#[derive(Clone, Debug)]
pub(super) struct Segments {
    /// Steps before which the segments begin; the first is 0.
    cuts: Vec<usize>,
    /// Per segment: its values are kept.
    is_kept: Vec<bool>,
    /// Per segment: its groups.
    members: Vec<Vec<u32>>,
}

impl Segments {
    fn new(values: &Values, turn: usize, cuts: Vec<usize>, is_kept: Vec<bool>) -> Self {
        let mut own = Self {
            members: vec![Vec::new(); cuts.len()],
            cuts,
            is_kept,
        };
        for (number, group) in values.groups.iter().enumerate() {
            if (group.last() as usize) < turn {
                let segment = own.of_step(group.last() as usize);
                own.members[segment].push(number as u32);
            }
        }
        own
    }

    fn of_step(&self, step: usize) -> usize {
        self.cuts.partition_point(|cut| *cut <= step) - 1
    }

    /// The segment of a group.
    pub(super) fn of_group(&self, values: &Values, group: u32) -> usize {
        self.of_step(values.groups[group as usize].last() as usize)
    }

    pub(super) fn members(&self, segment: usize) -> &[u32] {
        &self.members[segment]
    }

    /// Every `stride`-th cut only, with all segments recomputed.
    pub(super) fn every(&self, values: &Values, turn: usize, stride: usize) -> Self {
        let cuts: Vec<usize> = self.cuts.iter().copied().step_by(stride).collect();
        let is_kept = vec![false; cuts.len()];
        Self::new(values, turn, cuts, is_kept)
    }

    /// Per value: it is neither a checkpoint nor in a segment that is kept.
    pub(super) fn dropped(&self, values: &Values, turn: usize) -> Vec<bool> {
        let mut is_dropped: Vec<bool> = values.group_of.iter().map(Option::is_some).collect();
        for step in 0..turn {
            let segment = self.of_step(step);
            for value in values.uses.of(step) {
                let group = values.group_of[*value as usize];
                let crosses = |group| self.of_group(values, group) != segment;
                is_dropped[*value as usize] &= !group.is_some_and(crosses);
            }
            for value in values.defines.of(step) {
                is_dropped[*value as usize] &= !self.is_kept[segment];
            }
        }
        is_dropped
    }
}

/// What the cuts of a program cost.
pub(super) struct Cuts<'a> {
    values: &'a Values<'a>,
    turn: usize,
    /// Candidates, ascending; the first is 0, the last the turn.
    candidates: Vec<usize>,
    /// Per candidate: granules of the values that cross it within the part before the turn.
    crossing: Vec<i64>,
    /// Per candidate: granules of the values before it that are needed after the turn.
    needed: Vec<i64>,
    /// Per candidate: cycles of the groups before it that compute such values.
    cycles: Vec<u64>,
}

/// A way to reach a cut.
#[derive(Clone, Copy)]
struct Label {
    /// Granules kept before the cut.
    kept: i64,
    cycles: u64,
    /// The cut before it, by number, and the label there.
    from: (usize, usize),
    is_kept: bool,
}

impl<'a> Cuts<'a> {
    /// O(accesses + steps log steps).
    pub(super) fn new(values: &'a Values<'a>, turn: usize) -> Self {
        let n_values = values.sizes.len();
        let mut last_before = vec![None; n_values];
        let mut is_after = vec![false; n_values];
        for step in 0..values.cycles.len() {
            for value in values.uses.of(step) {
                match step < turn {
                    true => last_before[*value as usize] = Some(step),
                    false => is_after[*value as usize] = true,
                }
            }
        }
        // Per step of the part: changes of the bytes that cross, and what is needed later.
        let mut change = vec![0_i64; turn + 1];
        let mut needed = vec![0_i64; turn + 1];
        let mut cycles = vec![0_u64; turn + 1];
        for step in 0..turn {
            for value in values.defines.of(step) {
                let size = i64::from(values.sizes[*value as usize]);
                if let Some(last) = last_before[*value as usize] {
                    change[step + 1] += size;
                    change[last + 1] -= size;
                }
                if is_after[*value as usize] {
                    needed[step + 1] += size;
                    cycles[step + 1] += values.cycles[step];
                }
            }
        }
        for step in 0..turn {
            change[step + 1] += change[step];
            needed[step + 1] += needed[step];
            cycles[step + 1] += cycles[step];
        }
        let candidates = candidates(&change, turn);
        let at = |list: &[i64]| candidates.iter().map(|cut| list[*cut]).collect();
        Self {
            values,
            turn,
            crossing: at(&change),
            needed: at(&needed),
            cycles: candidates.iter().map(|cut| cycles[*cut]).collect(),
            candidates,
        }
    }

    /// The segments with the fewest repeated cycles of which each fits `capacity` granules together
    /// with the checkpoints before it; `None` if there are none. O(cuts² * labels).
    pub(super) fn within(&self, capacity: i64) -> Option<Segments> {
        let n_cuts = self.candidates.len();
        let mut labels: Vec<Vec<Label>> = vec![Vec::new(); n_cuts];
        labels[0].push(Label {
            kept: 0,
            cycles: 0,
            from: (0, 0),
            is_kept: true,
        });
        for end in 1..n_cuts {
            let mut found = Vec::new();
            for (start, known) in labels[..end].iter().enumerate() {
                let inner = self.needed[end] - self.needed[start];
                let repeated = self.cycles[end] - self.cycles[start];
                for (index, label) in known.iter().enumerate() {
                    let all = label.kept + inner;
                    if all > capacity {
                        continue;
                    }
                    let next = |kept, cycles, is_kept| Label {
                        kept,
                        cycles,
                        from: (start, index),
                        is_kept,
                    };
                    let cycles = label.cycles + repeated;
                    found.push(next(label.kept + self.crossing[end], cycles, false));
                    found.push(next(all, label.cycles, true));
                }
            }
            labels[end] = best(found);
        }
        let last = labels[n_cuts - 1].iter().enumerate();
        let (mut at, _) = last.min_by_key(|(_, label)| label.cycles)?;
        let mut cut = n_cuts - 1;
        let (mut cuts, mut is_kept) = (Vec::new(), Vec::new());
        while cut > 0 {
            let label = labels[cut][at];
            (cut, at) = label.from;
            cuts.push(self.candidates[cut]);
            is_kept.push(label.is_kept);
        }
        cuts.reverse();
        is_kept.reverse();
        Some(Segments::new(self.values, self.turn, cuts, is_kept))
    }

    /// `n` segments of about equal cycles, all recomputed.
    pub(super) fn equal(&self, n: usize) -> Segments {
        let all = self.cycles[self.candidates.len() - 1];
        let mut cuts = vec![0];
        for number in 1..n as u64 {
            let wanted = all / n as u64 * number;
            let next = self.cycles.partition_point(|cycles| *cycles < wanted);
            let cut = self.candidates[next.min(self.candidates.len() - 1)];
            if cut > cuts[cuts.len() - 1] && cut < self.turn {
                cuts.push(cut);
            }
        }
        let is_kept = vec![false; cuts.len()];
        Segments::new(self.values, self.turn, cuts, is_kept)
    }
}

/// Steps before which fewer bytes cross than around them, the fewest first, and both ends.
fn candidates(crossing: &[i64], turn: usize) -> Vec<usize> {
    let is_least = |cut: &usize| {
        crossing[*cut] <= crossing[cut - 1] && crossing[*cut] <= crossing[(cut + 1).min(turn)]
    };
    let mut cuts: Vec<usize> = (1..turn).filter(is_least).collect();
    cuts.sort_by_key(|cut| crossing[*cut]);
    cuts.truncate(tuning::CUTS);
    cuts.extend([0, turn]);
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// The labels that no other is better than, thinned out if they are many.
fn best(mut labels: Vec<Label>) -> Vec<Label> {
    labels.sort_by_key(|own| (own.kept, own.cycles));
    let mut best: Vec<Label> = Vec::new();
    for label in labels {
        if best.last().is_none_or(|last| label.cycles < last.cycles) {
            best.push(label);
        }
    }
    let stride = best.len().div_ceil(tuning::LABELS).max(1);
    let last = best.last().copied();
    let is_last = best.len().saturating_sub(1).is_multiple_of(stride);
    let mut thinned: Vec<Label> = best.into_iter().step_by(stride).collect();
    // The label with the fewest cycles stays.
    thinned.extend(last.filter(|_| !is_last));
    thinned
}
