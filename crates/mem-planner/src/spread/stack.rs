//! Which items of a plan are above which, and how far each can move.
//!
//! A *body* is a set of items that keep their distances: aliases, results in the place of their
//! operands, and items that surround each other, as one in the hole of another does. A body is
//! *above* another one if bytes of both are live at a common point, or the problem lists them as a
//! conflict, and its bytes are above. Bodies move without meeting if each stays above those that it
//! is above now.
//!
//! The relation is found by a sweep over time. The live bytes form a stack of rectangles; only
//! neighbours in the stack are recorded, since the others follow from them. Let the rectangles of
//! two bodies be live at one point, and consider those between them. From one to the next, either
//! the body is the same, and their order is fixed, or the pair is recorded. So each begins no
//! lower than the previous one ends or begins, and the highest not below the end of the lowest.
//! Where rectangles of one body share bytes, all of them are recorded with the next one above.

use std::collections::BTreeSet;

use mem_model::{Bytes, Item, Problem};

use crate::components::strong_components;

/// Items that move together.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// The items, in ascending order.
    pub items: Vec<usize>,
    /// Divides every distance by which it moves.
    pub alignment: i64,
    /// Lowest offset of an item.
    bottom: i64,
    /// Highest end of an item.
    top: i64,
    /// It cannot move.
    is_fixed: bool,
}

/// One body is above another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Above {
    lower: usize,
    upper: usize,
    /// Distance by which the two can approach each other.
    gap: i64,
}

/// The bodies of a plan. A body comes after those that it is above.
#[derive(Clone, Debug)]
pub(super) struct Stack {
    pub bodies: Vec<Body>,
    /// Per item: its body.
    pub body_of: Vec<usize>,
    /// Per item: its offset.
    pub offsets: Vec<i64>,
    /// In ascending order, each pair once.
    pairs: Vec<Above>,
    /// Per body: positions in `pairs` of those in which it is the upper one.
    below: Vec<Vec<usize>>,
}

impl Stack {
    /// Finds the bodies of a plan. `None` if items share bytes without permission.
    pub(super) fn new(problem: &Problem, offsets: Vec<i64>) -> Option<Self> {
        let joined = joined_items(problem, &offsets);
        let mut pairs = pairs_of(problem, &offsets, &joined)?;
        // Bodies that are above each other surround each other: they can only move together.
        let arcs: Vec<(usize, usize)> = pairs.iter().map(|p| (p.lower, p.upper)).collect();
        let order = strong_components(offsets.len(), &arcs);
        let mut bodies: Vec<Body> = Vec::new();
        let mut body_of = vec![0; offsets.len()];
        // Components without members of `joined` are items that are represented by others.
        let mut members: Vec<Vec<usize>> = vec![Vec::new(); offsets.len()];
        for (item, joined) in joined.iter().enumerate() {
            members[*joined].push(item);
        }
        for component in order {
            let mut items: Vec<usize> = component
                .iter()
                .flat_map(|joined| &members[*joined])
                .copied()
                .collect();
            if items.is_empty() {
                continue;
            }
            items.sort_unstable();
            for item in &items {
                body_of[*item] = bodies.len();
            }
            bodies.push(Body::new(problem, items, &offsets));
        }
        for pair in &mut pairs {
            pair.lower = body_of[pair.lower];
            pair.upper = body_of[pair.upper];
        }
        pairs.retain(|pair| pair.lower != pair.upper);
        // The smallest gap of each pair comes first.
        pairs.sort_unstable();
        pairs.dedup_by_key(|pair| (pair.lower, pair.upper));
        let mut below = vec![Vec::new(); bodies.len()];
        for (index, pair) in pairs.iter().enumerate() {
            below[pair.upper].push(index);
        }
        Some(Self {
            bodies,
            body_of,
            offsets,
            pairs,
            below,
        })
    }

    /// Per body: how far it can move up, if no item may end above `highest` and the bodies above move
    /// up as far as they can. Not negative if all items end below `highest` now.
    pub(super) fn ceilings(&self, highest: i64) -> Vec<i64> {
        let own = |body: &Body| match body.is_fixed {
            true => 0,
            false => highest - body.top,
        };
        let mut ceilings: Vec<i64> = self.bodies.iter().map(own).collect();
        // In descending order of the lower body: what is above it is known.
        for pair in self.pairs.iter().rev() {
            let body = &self.bodies[pair.upper];
            let upper = ceilings[pair.upper].div_euclid(body.alignment) * body.alignment;
            ceilings[pair.lower] = ceilings[pair.lower].min(upper + pair.gap);
        }
        for (ceiling, body) in ceilings.iter_mut().zip(&self.bodies) {
            *ceiling = ceiling.div_euclid(body.alignment) * body.alignment;
        }
        ceilings
    }

    /// The distance by which a body must at least move, if the bodies below have moved by `moves`.
    /// Negative if there is room below.
    pub(super) fn floor(&self, body: usize, moves: &[i64]) -> i64 {
        let Body {
            alignment,
            bottom,
            is_fixed,
            ..
        } = self.bodies[body];
        if is_fixed {
            return 0;
        }
        let pairs = self.below[body].iter().map(|pair| &self.pairs[*pair]);
        let floors = pairs.map(|pair| moves[pair.lower] - pair.gap);
        let floor = floors.fold(-bottom, i64::max);
        -(-floor).div_euclid(alignment) * alignment
    }

    /// Moves the items of a body. The gaps are not valid until [`Self::settle`].
    pub(super) fn shift(&mut self, body: usize, distance: i64) {
        for item in &self.bodies[body].items {
            self.offsets[*item] += distance;
        }
    }

    /// Brings bodies and gaps up to date, after each body was shifted by its entry in `moves`.
    pub(super) fn settle(&mut self, moves: &[i64]) {
        for (body, distance) in self.bodies.iter_mut().zip(moves) {
            body.bottom += distance;
            body.top += distance;
        }
        for pair in &mut self.pairs {
            pair.gap += moves[pair.upper] - moves[pair.lower];
        }
    }
}

impl Body {
    fn new(problem: &Problem, items: Vec<usize>, offsets: &[i64]) -> Self {
        let own = || {
            items
                .iter()
                .map(|item| (&problem.items[*item], offsets[*item]))
        };
        Self {
            alignment: own()
                .map(|(item, _)| item.alignment.get() as i64)
                .fold(1, i64::max),
            bottom: own().map(|(_, offset)| offset).min().unwrap_or(0),
            top: own()
                .map(|(item, offset)| end_of(item, offset))
                .fold(0, i64::max),
            is_fixed: own().any(|(item, _)| item.fixed.is_some()),
            items,
        }
    }
}

fn end_of(item: &Item, offset: i64) -> i64 {
    offset + item.size.get() as i64
}

/// Per item: the item that represents those that are joined with it, because they are aliases or
/// because one takes the place of the other.
fn joined_items(problem: &Problem, offsets: &[i64]) -> Vec<usize> {
    let mut parents: Vec<usize> = (0..offsets.len()).collect();
    let root = |parents: &mut Vec<usize>, mut item: usize| {
        while parents[item] != item {
            parents[item] = parents[parents[item]];
            item = parents[item];
        }
        item
    };
    let in_place = problem
        .reuses
        .iter()
        .map(|reuse| (reuse.operand, reuse.result));
    let in_place = in_place.filter(|(operand, result)| offsets[*operand] == offsets[*result]);
    let aliases = problem.aliases.iter().flat_map(|group| group.windows(2));
    for (a, b) in aliases.map(|pair| (pair[0], pair[1])).chain(in_place) {
        let (a, b) = (root(&mut parents, a), root(&mut parents, b));
        parents[a.max(b)] = a.min(b);
    }
    (0..offsets.len())
        .map(|item| root(&mut parents, item))
        .collect()
}

/// Bytes of an item while they are live.
struct Rectangle {
    /// The item that represents those joined with it.
    joined: usize,
    bottom: i64,
    top: i64,
}

/// The pairs of joined items of which one is above the other. `None` if some share bytes.
fn pairs_of(problem: &Problem, offsets: &[i64], joined: &[usize]) -> Option<Vec<Above>> {
    let mut sweep = Sweep::default();
    // Points at which rectangles end, and after that those at which others start.
    let mut events: Vec<(u64, bool, usize)> = Vec::new();
    for (index, item) in problem.items.iter().enumerate() {
        for part in item.parts.iter().filter(|part| part.size() > Bytes::ZERO) {
            for interval in part.live.iter() {
                events.push((interval.end.index(), false, sweep.rectangles.len()));
                events.push((interval.start.index(), true, sweep.rectangles.len()));
                sweep.rectangles.push(Rectangle {
                    joined: joined[index],
                    bottom: offsets[index] + part.bytes.start.get() as i64,
                    top: offsets[index] + part.bytes.end.get() as i64,
                });
            }
        }
    }
    events.sort_unstable();
    for (_, is_start, rectangle) in events {
        match is_start {
            true => sweep.insert(rectangle),
            false => sweep.remove(rectangle),
        }
    }
    let is_idle = |item: usize| {
        problem.items[item].size == Bytes::ZERO || problem.items[item].hull().is_none()
    };
    for &(a, b) in &problem.conflicts {
        if joined[a] != joined[b] && !is_idle(a) && !is_idle(b) {
            let (lower, upper) = if offsets[a] <= offsets[b] {
                (a, b)
            } else {
                (b, a)
            };
            sweep.pairs.push(Above {
                lower: joined[lower],
                upper: joined[upper],
                gap: offsets[upper] - end_of(&problem.items[lower], offsets[lower]),
            });
        }
    }
    let are_apart = sweep.pairs.iter().all(|pair| pair.gap >= 0);
    are_apart.then_some(sweep.pairs)
}

/// The rectangles that are live at one point, from the bottom to the top.
#[derive(Default)]
struct Sweep {
    rectangles: Vec<Rectangle>,
    /// Bottoms and numbers of rectangles.
    live: BTreeSet<(i64, usize)>,
    pairs: Vec<Above>,
}

impl Sweep {
    fn key(&self, rectangle: usize) -> (i64, usize) {
        (self.rectangles[rectangle].bottom, rectangle)
    }

    fn insert(&mut self, rectangle: usize) {
        let key = self.key(rectangle);
        self.live.insert(key);
        // What is below it; and, if it now is below others of its own, the next one above those.
        self.record_boundary(key);
        let joined = self.rectangles[rectangle].joined;
        let is_other = |(_, above): &&(i64, usize)| self.rectangles[*above].joined != joined;
        let above = self.live.range((key.0, key.1 + 1)..).find(is_other);
        if let Some(&above) = above {
            self.record_boundary(above);
        }
    }

    fn remove(&mut self, rectangle: usize) {
        let key = self.key(rectangle);
        self.live.remove(&key);
        if let Some(&above) = self.live.range(key..).next() {
            self.record_boundary(above);
        }
    }

    /// Records that a rectangle is above those of the next body below it, if that is another one.
    fn record_boundary(&mut self, key: (i64, usize)) {
        let upper = &self.rectangles[key.1];
        let mut below = self.live.range(..key).rev();
        let Some(&(_, next)) = below.next() else {
            return;
        };
        let lower = self.rectangles[next].joined;
        if lower == upper.joined {
            return;
        }
        let same = below.map(|(_, number)| &self.rectangles[*number]);
        let same = same.take_while(|own| own.joined == lower);
        let top = same
            .map(|own| own.top)
            .fold(self.rectangles[next].top, i64::max);
        self.pairs.push(Above {
            lower,
            upper: upper.joined,
            gap: upper.bottom - top,
        });
    }
}
