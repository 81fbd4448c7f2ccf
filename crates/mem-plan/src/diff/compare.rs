//! The comparison: pairs the functions, levels and buffers of two plans, and states what differs.
//!
//! # Pairs of buffers
//!
//! Buffers are paired by function and name. Names need not be unique: those of tables and of
//! problems are whatever their author wrote. Of several buffers with one name, those that agree in
//! size, location and places are paired first, then those that agree in less, and the rest in
//! their order. An unchanged buffer is therefore never reported as changed because a namesake was
//! added in front of it.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};

use super::limit::PeakLimit;
use super::read::{PlanFile, SizedBuffer};

/// A number before and after; `None` where the plan does not state it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    /// The number in the first plan.
    pub before: Option<u64>,
    /// The number in the second plan.
    pub after: Option<u64>,
}

impl Changed {
    /// Returns whether the numbers differ.
    #[must_use]
    pub fn is_change(self) -> bool {
        self.before != self.after
    }
}

/// The peak of a function in a level, or the largest peak of all functions in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PeakChange {
    /// The function; `None`: the largest of all functions.
    pub function: Option<String>,
    /// The level.
    pub level: String,
    /// Bytes of the arena.
    pub peak: Changed,
    /// Lower bound on the peak.
    pub lower_bound: Changed,
}

impl PeakChange {
    /// Returns whether the peak grows within `limit`. A function that is in one plan only has no
    /// growth of its own; it counts in the peak of its level.
    #[must_use]
    pub fn is_within(&self, limit: PeakLimit) -> bool {
        match (self.peak.before, self.peak.after) {
            (Some(before), Some(after)) => limit.allows(before, after),
            (None, Some(after)) if self.function.is_none() => limit.allows(0, after),
            _ => true,
        }
    }
}

/// How a buffer differs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// It is in the second plan only.
    Appeared,
    /// It is in the first plan only.
    Disappeared,
    /// It has more bytes.
    Grew,
    /// It has fewer bytes.
    Shrank,
    /// It has other addresses, or is in other levels.
    Moved,
    /// It is live during more steps.
    LivesLonger,
    /// It is live during fewer steps.
    LivesShorter,
}

impl Change {
    /// All changes, in the order of reports.
    pub const ALL: [Self; 7] = [
        Self::Appeared,
        Self::Disappeared,
        Self::Grew,
        Self::Shrank,
        Self::Moved,
        Self::LivesLonger,
        Self::LivesShorter,
    ];

    /// Returns the name of the change in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Appeared => "appeared",
            Self::Disappeared => "disappeared",
            Self::Grew => "grew",
            Self::Shrank => "shrank",
            Self::Moved => "moved",
            Self::LivesLonger => "lives-longer",
            Self::LivesShorter => "lives-shorter",
        }
    }
}

/// A buffer that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BufferChange {
    /// The buffer in the first plan.
    pub before: Option<SizedBuffer>,
    /// The buffer in the second plan.
    pub after: Option<SizedBuffer>,
    /// How it differs, at least one change, ascending.
    pub changes: Vec<Change>,
}

impl BufferChange {
    /// Returns the buffer in either plan, the second one preferred.
    #[must_use]
    pub fn buffer(&self) -> &SizedBuffer {
        let either = self.after.as_ref().or(self.before.as_ref());
        either.expect("a change is that of a buffer in one of the plans")
    }

    /// Bytes by which the change matters, for the order of reports.
    pub(super) fn weight(&self) -> u64 {
        let size = |own: &Option<SizedBuffer>| own.as_ref().map_or(0, |own| own.size);
        match self.changes.first() {
            Some(Change::Grew | Change::Shrank) => size(&self.before).abs_diff(size(&self.after)),
            _ => self.buffer().size,
        }
    }
}

/// What differs between two plans.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanDiff {
    /// The peak of every level: the largest of all functions.
    pub levels: Vec<PeakChange>,
    /// The peak of every function in every level.
    pub functions: Vec<PeakChange>,
    /// The makespan of every function in cycles, if a plan states one.
    pub makespans: Vec<(String, Changed)>,
    /// Cycles of all accesses and copies, if a plan states them.
    pub cost: Changed,
    /// Number of transfers, if a plan states them.
    pub transfers: Changed,
    /// Buffers that are in both plans.
    pub n_paired: usize,
    /// Buffers that differ: in the order of the second plan, then those that disappeared.
    pub buffers: Vec<BufferChange>,
}

impl PlanDiff {
    /// Returns the peaks that grow by more than `limit`, those of levels first. A function is left
    /// out if it is the only one of the level, whose peak is then the same.
    #[must_use]
    pub fn regressions(&self, limit: PeakLimit) -> Vec<&PeakChange> {
        let all = self.levels.iter().chain(self.functions_of_several());
        all.filter(|own| !own.is_within(limit)).collect()
    }

    /// The functions that are not the only one with a peak in their level.
    pub(super) fn functions_of_several(&self) -> impl Iterator<Item = &PeakChange> {
        let mut n_functions: HashMap<&str, usize> = HashMap::new();
        for own in &self.functions {
            *n_functions.entry(own.level.as_str()).or_default() += 1;
        }
        let functions = self.functions.iter();
        functions.filter(move |own| n_functions.get(own.level.as_str()) > Some(&1))
    }

    /// Returns the number of buffers with a change.
    #[must_use]
    pub fn count(&self, change: Change) -> usize {
        let has = |own: &&BufferChange| own.changes.contains(&change);
        self.buffers.iter().filter(has).count()
    }
}

/// Compares two plans. O(n log n) in functions and levels, linear in buffers.
#[must_use]
pub fn compare_plans(before: &PlanFile, after: &PlanFile) -> PlanDiff {
    let pairs = pair_buffers(&before.buffers, &after.buffers);
    let buffers = pairs.iter().filter_map(|(before, after)| {
        let changes = changes(*before, *after);
        (!changes.is_empty()).then(|| BufferChange {
            before: before.cloned(),
            after: after.cloned(),
            changes,
        })
    });
    // The cost of a plan with a makespan includes accesses; without one, it is that of the copies only.
    let is_scheduled = |plan: &PlanFile| !plan.makespans.is_empty();
    let are_alike = is_scheduled(before) == is_scheduled(after);
    let cost = |plan: &PlanFile| plan.cost.filter(|_| are_alike);
    PlanDiff {
        levels: level_peaks(before, after),
        functions: function_peaks(before, after),
        makespans: makespans(before, after),
        cost: Changed {
            before: cost(before),
            after: cost(after),
        },
        transfers: Changed {
            before: before.n_transfers,
            after: after.n_transfers,
        },
        n_paired: pairs
            .iter()
            .filter(|(before, after)| before.is_some() && after.is_some())
            .count(),
        buffers: buffers.collect(),
    }
}

/// Items in the order of the first plan, then those that are in the second plan only.
fn in_order<'a, K: Ord + Clone + 'a>(
    before: impl Iterator<Item = K>,
    after: impl Iterator<Item = K>,
) -> Vec<K> {
    let mut seen = BTreeSet::new();
    before
        .chain(after)
        .filter(|key| seen.insert(key.clone()))
        .collect()
}

fn function_peaks(before: &PlanFile, after: &PlanFile) -> Vec<PeakChange> {
    let keys = |plan: &PlanFile| -> Vec<(String, String)> {
        let all = plan.peaks.iter();
        all.map(|own| (own.function.clone(), own.level.clone()))
            .collect()
    };
    let keys = in_order(keys(before).into_iter(), keys(after).into_iter());
    let by_key = |plan: &PlanFile| -> HashMap<(String, String), (u64, Option<u64>)> {
        let all = plan.peaks.iter();
        all.map(|own| {
            (
                (own.function.clone(), own.level.clone()),
                (own.peak, own.lower_bound),
            )
        })
        .collect()
    };
    let (before, after) = (by_key(before), by_key(after));
    let of = |(function, level): (String, String)| {
        let key = (function.clone(), level.clone());
        let (before, after) = (before.get(&key), after.get(&key));
        PeakChange {
            peak: Changed {
                before: before.map(|own| own.0),
                after: after.map(|own| own.0),
            },
            lower_bound: Changed {
                before: before.and_then(|own| own.1),
                after: after.and_then(|own| own.1),
            },
            function: Some(function),
            level,
        }
    };
    keys.into_iter().map(of).collect()
}

fn level_peaks(before: &PlanFile, after: &PlanFile) -> Vec<PeakChange> {
    let names = |plan: &PlanFile| -> Vec<String> {
        plan.peaks.iter().map(|own| own.level.clone()).collect()
    };
    let names = in_order(names(before).into_iter(), names(after).into_iter());
    let of = |level: String| {
        let largest = |plan: &PlanFile| {
            let own = plan.peaks.iter().filter(|own| own.level == level);
            own.clone()
                .map(|own| own.peak)
                .max()
                .map(|peak| (peak, own.filter_map(|own| own.lower_bound).max()))
        };
        let (before, after) = (largest(before), largest(after));
        PeakChange {
            function: None,
            peak: Changed {
                before: before.map(|own| own.0),
                after: after.map(|own| own.0),
            },
            lower_bound: Changed {
                before: before.and_then(|own| own.1),
                after: after.and_then(|own| own.1),
            },
            level,
        }
    };
    names.into_iter().map(of).collect()
}

fn makespans(before: &PlanFile, after: &PlanFile) -> Vec<(String, Changed)> {
    let names = |plan: &PlanFile| -> Vec<String> {
        plan.makespans
            .iter()
            .map(|(name, _)| name.clone())
            .collect()
    };
    let names = in_order(names(before).into_iter(), names(after).into_iter());
    let by_name =
        |plan: &PlanFile| -> HashMap<String, u64> { plan.makespans.iter().cloned().collect() };
    let (before, after) = (by_name(before), by_name(after));
    let of = |name: String| {
        let changed = Changed {
            before: before.get(&name).copied(),
            after: after.get(&name).copied(),
        };
        (name, changed)
    };
    names.into_iter().map(of).collect()
}

/// A buffer in both plans, or in one.
type Pair<'a> = (Option<&'a SizedBuffer>, Option<&'a SizedBuffer>);

/// Pairs buffers by function and name, namesakes by what they have in common.
fn pair_buffers<'a>(before: &'a [SizedBuffer], after: &'a [SizedBuffer]) -> Vec<Pair<'a>> {
    let mut partner: Vec<Option<usize>> = vec![None; after.len()];
    let mut is_taken = vec![false; before.len()];
    // From the most that namesakes can have in common to the least.
    let keys: [fn(&SizedBuffer) -> SizedBuffer; 4] = [
        SizedBuffer::clone,
        |own| SizedBuffer {
            places: Vec::new(),
            n_steps: None,
            ..own.clone()
        },
        |own| SizedBuffer {
            places: Vec::new(),
            n_steps: None,
            location: String::new(),
            ..own.clone()
        },
        |own| SizedBuffer {
            size: 0,
            places: Vec::new(),
            n_steps: None,
            location: String::new(),
            ..own.clone()
        },
    ];
    for key in keys {
        let mut waiting: HashMap<SizedBuffer, VecDeque<usize>> = HashMap::new();
        for (index, own) in before.iter().enumerate().filter(|(i, _)| !is_taken[*i]) {
            waiting.entry(key(own)).or_default().push_back(index);
        }
        for (index, own) in after.iter().enumerate() {
            if partner[index].is_some() {
                continue;
            }
            let found = waiting.get_mut(&key(own)).and_then(VecDeque::pop_front);
            if let Some(found) = found {
                is_taken[found] = true;
                partner[index] = Some(found);
            }
        }
    }
    let paired = after
        .iter()
        .zip(&partner)
        .map(|(own, partner)| (partner.map(|index| &before[index]), Some(own)));
    let gone = before.iter().zip(&is_taken).filter(|(_, taken)| !**taken);
    paired
        .chain(gone.map(|(own, _)| (Some(own), None)))
        .collect()
}

fn changes(before: Option<&SizedBuffer>, after: Option<&SizedBuffer>) -> Vec<Change> {
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (None, _) => return vec![Change::Appeared],
        (_, None) => return vec![Change::Disappeared],
    };
    let longer = before.n_steps.zip(after.n_steps);
    let all = [
        (after.size > before.size, Change::Grew),
        (after.size < before.size, Change::Shrank),
        (after.places != before.places, Change::Moved),
        (longer.is_some_and(|(b, a)| a > b), Change::LivesLonger),
        (longer.is_some_and(|(b, a)| a < b), Change::LivesShorter),
    ];
    let all = all.into_iter().filter(|(is_so, _)| *is_so);
    all.map(|(_, change)| change).collect()
}

/// The buffers that differ, by their first change, those that matter most first.
pub(super) fn grouped(diff: &PlanDiff) -> BTreeMap<Change, Vec<&BufferChange>> {
    let mut groups: BTreeMap<Change, Vec<&BufferChange>> = BTreeMap::new();
    for own in &diff.buffers {
        if let Some(first) = own.changes.first() {
            groups.entry(*first).or_default().push(own);
        }
    }
    for group in groups.values_mut() {
        group.sort_by_key(|own| std::cmp::Reverse(own.weight()));
    }
    groups
}
