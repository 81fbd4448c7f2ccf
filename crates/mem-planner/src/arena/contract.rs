//! Contracts aliases and in-place reuse: items that share an offset become a single item.
//!
//! Aliases are always joined. A result is joined with the operand whose bytes it may reuse if no
//! two members of the joined group collide; the largest pairs come first, because they save most. A
//! joined item has the parts of all its members, so contraction only loses the freedom to choose
//! different offsets. The planner therefore tries with and without reuse.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};

use mem_model::{Bytes, Interval, IntervalSet, Item, Part, Penalty, Point, Problem, Reuse};

use super::{Misplaced, Occupant, PlanError, tuning};

/// A problem without aliases and reuses.
pub(crate) struct Contracted<'p> {
    pub problem: Cow<'p, Problem>,
    pub alignments: Cow<'p, [Bytes]>,
    /// Per original item: its contracted item. `None` if nothing was contracted.
    bodies: Option<Vec<usize>>,
    /// Number of results that reuse an operand's bytes.
    pub n_reuses: usize,
}

impl<'p> Contracted<'p> {
    /// Joins aliases. Joins operands with results if `with_reuse` is set, or if both are fixed at
    /// the same address.
    pub(super) fn new(
        problem: &'p Problem,
        alignments: &'p [Bytes],
        with_reuse: bool,
    ) -> Result<Self, PlanError> {
        if problem.aliases.is_empty() && problem.reuses.is_empty() {
            return Ok(Self {
                problem: Cow::Borrowed(problem),
                alignments: Cow::Borrowed(alignments),
                bodies: None,
                n_reuses: 0,
            });
        }
        let mut groups = Groups::new(problem)?;
        let n_reuses = groups.join_reuses(with_reuse);
        Ok(groups.into_contracted(alignments, n_reuses))
    }

    /// Maps offsets of the original items to offsets of contracted items. `None` if joined items are at
    /// different offsets.
    pub(super) fn contract(&self, offsets: &[Bytes]) -> Option<Vec<Bytes>> {
        let Some(bodies) = &self.bodies else {
            return Some(offsets.to_vec());
        };
        let mut contracted: Vec<Option<Bytes>> = vec![None; self.problem.items.len()];
        for (body, offset) in bodies.iter().zip(offsets) {
            if *contracted[*body].get_or_insert(*offset) != *offset {
                return None;
            }
        }
        contracted.into_iter().collect()
    }

    /// Maps offsets of contracted items to offsets of the original items.
    pub(super) fn expand(&self, offsets: Vec<Bytes>) -> Vec<Bytes> {
        match &self.bodies {
            Some(bodies) => bodies.iter().map(|body| offsets[*body]).collect(),
            None => offsets,
        }
    }
}

struct Groups<'p> {
    problem: &'p Problem,
    /// Per item: from the first point at which it is live to the last.
    hulls: Vec<Option<Interval<Point>>>,
    /// Per item: its group.
    group: Vec<usize>,
    /// Groups that were merged into another group have no members.
    groups: Vec<Group>,
}

/// Items at one offset.
#[derive(Default)]
struct Group {
    members: Vec<usize>,
    /// Members that are ever live, by start of their live range.
    by_start: BTreeSet<(Point, usize)>,
    /// From the first point at which a member is live to the last.
    hull: Option<Interval<Point>>,
    /// Length of the longest live range of a member, in points, gaps included.
    longest: u64,
    /// A member with a fixed offset, and that offset.
    fixed: Option<(usize, Bytes)>,
}

impl Group {
    fn of(item: usize, hull: Option<Interval<Point>>, fixed: Option<Bytes>) -> Self {
        Self {
            members: vec![item],
            by_start: hull.iter().map(|hull| (hull.start, item)).collect(),
            hull,
            longest: hull.map_or(0, |hull| hull.end.index() - hull.start.index()),
            fixed: fixed.map(|offset| (item, offset)),
        }
    }

    fn add(&mut self, other: Self) {
        self.members.extend(other.members);
        self.by_start.extend(other.by_start);
        self.hull = match (self.hull, other.hull) {
            (Some(a), Some(b)) => Some(Interval::new(a.start.min(b.start), a.end.max(b.end))),
            (a, b) => a.or(b),
        };
        self.longest = self.longest.max(other.longest);
        self.fixed = self.fixed.or(other.fixed);
    }
}

impl<'p> Groups<'p> {
    fn new(problem: &'p Problem) -> Result<Self, PlanError> {
        let n = problem.items.len();
        let hulls: Vec<_> = problem.items.iter().map(Item::hull).collect();
        let alone = |item: usize| Group::of(item, hulls[item], problem.items[item].fixed);
        let mut groups = Self {
            problem,
            group: (0..n).collect(),
            groups: (0..n).map(alone).collect(),
            hulls,
        };
        // Aliases come before reuses: they are not optional.
        for aliases in &problem.aliases {
            // Neighbours in the list suffice, since joins are transitive.
            for pair in aliases.windows(2) {
                let (a, b) = (groups.group[pair[0]], groups.group[pair[1]]);
                if a == b {
                    continue;
                }
                if let (Some((first, at)), Some((second, other))) =
                    (groups.fixed(a), groups.fixed(b))
                    && at != other
                {
                    let item = Occupant::of(&problem.items[second], other);
                    let why = Misplaced::Alias(problem.items[first].buffer, at);
                    return Err(PlanError::Misplaced(Box::new(item), why));
                }
                groups.join(a, b);
            }
        }
        Ok(groups)
    }

    fn fixed(&self, group: usize) -> Option<(usize, Bytes)> {
        self.groups[group].fixed
    }

    fn join(&mut self, a: usize, b: usize) {
        let n_members = |group: usize| self.groups[group].members.len();
        // Small to large: each item changes its group O(log n) times.
        let (into, from) = match n_members(a) >= n_members(b) {
            true => (a, b),
            false => (b, a),
        };
        let joined = std::mem::take(&mut self.groups[from]);
        for item in &joined.members {
            self.group[*item] = into;
        }
        self.groups[into].add(joined);
    }

    /// Returns the members of a group whose live range, gaps included, overlaps the hull of another
    /// group. O(log n), plus the members that start within the hull or at most `longest` points
    /// before it.
    fn during(&self, group: usize, other: usize) -> Vec<usize> {
        let Some(all) = self.groups[other].hull else {
            return Vec::new();
        };
        let Group {
            by_start, longest, ..
        } = &self.groups[group];
        // A member that starts before the hull may reach into it, but none is longer than `longest`.
        let is_late_enough =
            |start: Point| start.index().saturating_add(*longest) >= all.start.index();
        let before = by_start.range(..(all.start, 0)).rev();
        let before = before.take_while(|(start, _)| is_late_enough(*start));
        let within = by_start.range((all.start, 0)..(all.end, 0));
        let found = before.chain(within).map(|(_, item)| *item);
        let is_within = |item: &usize| self.hulls[*item].is_some_and(|own| own.overlaps(all));
        let mut found: Vec<usize> = found.filter(is_within).collect();
        found.sort_unstable();
        found
    }

    /// Joins operands with results wherever possible, or, unless `all` is set, only where both are
    /// fixed at the same address. Returns the number of joins.
    fn join_reuses(&mut self, all: bool) -> usize {
        let reuses = &self.problem.reuses;
        let conflicts = self.problem.conflicts.iter();
        let rules = Rules {
            items: &self.problem.items,
            allowed: reuses.iter().map(|r| pair(r.operand, r.result)).collect(),
            explicit: conflicts.map(|&(a, b)| pair(a, b)).collect(),
        };
        let is_needed = |r: &Reuse| {
            let [a, b] = [r.operand, r.result].map(|item| self.problem.items[item].fixed);
            a.is_some() && a == b
        };
        let gain = |r: &Reuse| {
            let size = |item: usize| self.problem.items[item].size;
            size(r.operand).min(size(r.result))
        };
        let mut order: Vec<Reuse> = reuses.clone();
        order.retain(|reuse| all || is_needed(reuse));
        // Joins exclude others: those without which fixed items would clash come first, then those
        // that save the most bytes.
        order.sort_by_key(|reuse| (!is_needed(reuse), Reverse(gain(reuse)), *reuse));
        let mut n_joined = 0;
        for reuse in order {
            let (a, b) = (self.group[reuse.operand], self.group[reuse.result]);
            if self.can_join(a, b, &rules) {
                self.join(a, b);
                n_joined += 1;
            }
        }
        n_joined
    }

    /// Whether two groups can share one offset.
    fn can_join(&self, a: usize, b: usize, rules: &Rules<'_>) -> bool {
        let same_place = match (self.fixed(a), self.fixed(b)) {
            (Some((_, a)), Some((_, b))) => a == b,
            _ => true,
        };
        if a == b || !same_place {
            return false;
        }
        // Without explicit conflicts, only members live within the hull of the other group can
        // collide.
        let (ours, theirs) = match rules.explicit.is_empty() {
            true => (self.during(a, b), self.during(b, a)),
            false => (
                self.groups[a].members.clone(),
                self.groups[b].members.clone(),
            ),
        };
        let mut pairs = ours
            .iter()
            .flat_map(|x| theirs.iter().map(move |y| (*x, *y)));
        // Too many pairs: not to join is always valid.
        ours.len() * theirs.len() <= tuning::MAX_MEMBER_PAIRS
            && pairs.all(|(x, y)| rules.can_share(x, y))
    }

    fn into_contracted(self, alignments: &[Bytes], n_reuses: usize) -> Contracted<'p> {
        let problem = self.problem;
        let mut body_of_group = vec![0; self.groups.len()];
        let mut items: Vec<Item> = Vec::new();
        let mut joined_alignments = Vec::new();
        for (group, Group { members, .. }) in self.groups.iter().enumerate() {
            // Its members are part of another group.
            if members.is_empty() {
                continue;
            }
            body_of_group[group] = items.len();
            // One offset must suit all members, and alignments are powers of two.
            joined_alignments.extend(members.iter().map(|item| alignments[*item]).max());
            items.push(match members[..] {
                [only] => problem.items[only].clone(),
                _ => joined(members.iter().map(|item| &problem.items[*item])),
            });
        }
        let groups = self.group.iter();
        let bodies: Vec<usize> = groups.map(|group| body_of_group[*group]).collect();
        Contracted {
            problem: Cow::Owned(Problem {
                items,
                capacity: problem.capacity,
                reserved: problem.reserved.clone(),
                conflicts: conflicts_of(problem, &bodies),
                aliases: Vec::new(),
                reuses: Vec::new(),
                penalties: penalties_of(problem, &bodies),
            }),
            alignments: Cow::Owned(joined_alignments),
            bodies: Some(bodies),
            n_reuses,
        }
    }
}

/// Conflicts of the contracted items. Those within one item are gone: its members were allowed to
/// share bytes.
fn conflicts_of(problem: &Problem, bodies: &[usize]) -> Vec<(usize, usize)> {
    let conflicts: BTreeSet<(usize, usize)> = (problem.conflicts.iter())
        .map(|&(a, b)| pair(bodies[a], bodies[b]))
        .filter(|(a, b)| a != b)
        .collect();
    conflicts.into_iter().collect()
}

/// Penalties of the contracted items: each pair once, with the sum of its members' penalties.
fn penalties_of(problem: &Problem, bodies: &[usize]) -> Vec<Penalty> {
    let mut penalties: BTreeMap<(usize, usize), u64> = BTreeMap::new();
    for penalty in &problem.penalties {
        let (first, second) = pair(bodies[penalty.first], bodies[penalty.second]);
        // Joined items share their bytes in any case.
        if first != second {
            let cost = penalties.entry((first, second)).or_default();
            *cost = cost.saturating_add(penalty.cost);
        }
    }
    let penalty = |((first, second), cost)| Penalty {
        first,
        second,
        cost,
    };
    penalties.into_iter().map(penalty).collect()
}

/// A pair of items with the smaller index first.
fn pair(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// Which items may be at one offset.
struct Rules<'p> {
    items: &'p [Item],
    /// Operands and results.
    allowed: HashSet<(usize, usize)>,
    /// Explicit conflicts.
    explicit: HashSet<(usize, usize)>,
}

impl Rules<'_> {
    /// Whether two members of a group are an operand and its result, or do not collide.
    fn can_share(&self, x: usize, y: usize) -> bool {
        let key = pair(x, y);
        let is_explicit = !self.explicit.is_empty() && self.explicit.contains(&key);
        let conflict = is_explicit || collide(&self.items[x], &self.items[y]);
        !conflict || self.allowed.contains(&key)
    }
}

/// Returns whether two items at the same offset collide.
fn collide(a: &Item, b: &Item) -> bool {
    let meets = |x: &Part, y: &Part| x.bytes.overlaps(y.bytes) && x.live.overlaps(&y.live);
    a.parts.iter().any(|x| b.parts.iter().any(|y| meets(x, y)))
}

/// Merges items at the same offset into a single item.
fn joined<'i>(members: impl Iterator<Item = &'i Item> + Clone) -> Item {
    let parts = || members.clone().flat_map(|item| &item.parts);
    let bounds: BTreeSet<Bytes> = parts().flat_map(|p| [p.bytes.start, p.bytes.end]).collect();
    let bounds: Vec<Bytes> = bounds.into_iter().collect();
    let mut pieces: Vec<Part> = Vec::new();
    // Between two neighbouring bounds, every part covers all bytes or none.
    for pair in bounds.windows(2) {
        let bytes = Interval::new(pair[0], pair[1]);
        let around = parts().filter(|part| part.bytes.covers(bytes));
        let live: IntervalSet<Point> = around.flat_map(|part| part.live.iter()).collect();
        // Pieces with equal lifetimes are one part: fewer parts make every conflict test cheaper.
        match pieces.last_mut() {
            Some(last) if last.live == live && last.bytes.end == bytes.start => {
                last.bytes.end = bytes.end;
            }
            _ => pieces.push(Part { bytes, live }),
        }
    }
    let size = members
        .clone()
        .map(|item| item.size)
        .max()
        .unwrap_or_default();
    // An item has at least one part, even if it has no bytes.
    if pieces.is_empty() {
        pieces.push(Part::whole(size, IntervalSet::new()));
    }
    let alignment = members.clone().map(|item| item.alignment).max();
    let first = members.clone().next().map(|item| (item.buffer, item.slot));
    let (buffer, slot) = first.unwrap_or((mem_model::BufferId::new(0), 0));
    Item {
        slot,
        fixed: members.clone().find_map(|item| item.fixed),
        ..Item::new(buffer, size, alignment.unwrap_or(Bytes::new(1)), pieces)
    }
}
