//! An order of execution with repetitions, and what changes of it would cost.
//!
//! A value occupies its bytes from each step that defines it to its last use before it is defined
//! again. An order therefore determines the bytes in use at each of its positions; there is nothing
//! else to decide. A change is first tried, which takes as long as the positions whose bytes it
//! changes are many, and then made, which moves the positions after it as well.

use std::cmp::Reverse;

use mem_model::Repetition;

use super::values::Values;

/// A step in an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Element {
    pub step: u32,
    /// The step is repeated; otherwise this is its first execution.
    pub is_again: bool,
    /// First step of a group that is repeated.
    pub is_head: bool,
}

/// What an order costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    pub cycles: i64,
    /// Granules in excess of the capacity, summed over the positions.
    pub over: i64,
    /// Number of repeated steps.
    pub steps: i64,
}

/// An element with its place in the order.
#[derive(Clone, Copy, Debug)]
struct Node {
    element: Element,
    /// The first step of the program that is executed here or later.
    anchor: u32,
    position: u32,
    /// Index in `heads`, of a head.
    head: u32,
}

/// A use or a definition of a value by a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Event {
    node: u32,
    is_definition: bool,
}

/// An order, with the bytes in use at each position.
pub(super) struct Order<'a> {
    pub values: &'a Values<'a>,
    capacity: i32,
    nodes: Vec<Node>,
    /// Nodes that are not in the order.
    free: Vec<u32>,
    /// Per position: its node.
    at: Vec<u32>,
    /// Per position: granules in use, minus the capacity.
    over: Vec<i32>,
    /// The heads of repeated groups, in no order.
    heads: Vec<u32>,
    /// Per value: its uses and definitions, in the order of their positions.
    events: Vec<Vec<Event>>,
    cost: Cost,
    trial: Trial,
}

/// The change that was tried last.
#[derive(Default)]
struct Trial {
    /// Ranges of positions up to the changed one, with the granules added there.
    ranges: Vec<(u32, i32)>,
    /// Per step of an inserted chain: granules in use, minus the capacity.
    inner: Vec<i32>,
    change: Cost,
    /// Per value: the number of the trial that last met it, and the last step of the chain that
    /// uses it.
    met: Vec<(u32, u32)>,
    number: u32,
}

impl<'a> Order<'a> {
    pub(super) fn new(values: &'a Values<'a>, capacity: i32, elements: &[Element]) -> Self {
        let mut own = Self {
            values,
            capacity,
            nodes: Vec::new(),
            free: Vec::new(),
            at: (0..elements.len() as u32).collect(),
            over: vec![0; elements.len()],
            heads: Vec::new(),
            events: vec![Vec::new(); values.sizes.len()],
            cost: Cost::default(),
            trial: Trial {
                met: vec![(0, 0); values.sizes.len()],
                ..Trial::default()
            },
        };
        let mut anchor = 0;
        for (position, element) in elements.iter().enumerate().rev() {
            if !element.is_again {
                anchor = element.step;
            }
            own.nodes.push(Node {
                element: *element,
                anchor,
                position: position as u32,
                head: 0,
            });
        }
        own.nodes.reverse();
        for position in 0..elements.len() as u32 {
            own.enlist(position);
        }
        own.measure();
        own
    }

    /// The elements of the program without repetitions.
    pub(super) fn without_repetitions(n_steps: usize) -> Vec<Element> {
        let first = |step: usize| Element {
            step: step as u32,
            is_again: false,
            is_head: false,
        };
        (0..n_steps).map(first).collect()
    }

    pub(super) fn elements(&self) -> Vec<Element> {
        let nodes = self.at.iter().map(|node| &self.nodes[*node as usize]);
        nodes.map(|own| own.element).collect()
    }

    /// The repetitions, in execution order.
    pub(super) fn repetitions(&self) -> Vec<Repetition> {
        let nodes = self.at.iter().map(|node| &self.nodes[*node as usize]);
        let again = nodes.filter(|own| own.element.is_again);
        let again = again.map(|own| Repetition {
            before: own.anchor as usize,
            step: own.element.step as usize,
        });
        again.collect()
    }

    pub(super) fn len(&self) -> usize {
        self.at.len()
    }

    pub(super) fn cost(&self) -> Cost {
        self.cost
    }

    /// Most granules in use at any position.
    pub(super) fn peak(&self) -> i32 {
        self.over.iter().copied().max().unwrap_or(0) + self.capacity
    }

    /// Granules in use at a position, minus the capacity.
    pub(super) fn over(&self, position: usize) -> i32 {
        self.over[position]
    }

    pub(super) fn element(&self, position: usize) -> Element {
        self.nodes[self.at[position] as usize].element
    }

    /// The first step of the program that is executed at a position or later.
    pub(super) fn anchor(&self, position: usize) -> usize {
        self.nodes[self.at[position] as usize].anchor as usize
    }

    /// Number of repeated groups.
    pub(super) fn n_heads(&self) -> usize {
        self.heads.len()
    }

    /// Position of a repeated group, by a number below [`Self::n_heads`].
    pub(super) fn head(&self, number: usize) -> usize {
        self.nodes[self.heads[number] as usize].position as usize
    }

    /// The group whose head is at a position.
    pub(super) fn group(&self, head: usize) -> u32 {
        self.values.group_of_step[self.element(head).step as usize].unwrap_or_default()
    }

    /// First position of the repeated group at a position, or the position itself.
    pub(super) fn start_of(&self, mut position: usize) -> usize {
        while self.element(position).is_again && !self.element(position).is_head {
            position -= 1;
        }
        position
    }

    /// Adds the events of the node at a position, and the node to the heads.
    fn enlist(&mut self, position: u32) {
        let node = self.at[position as usize];
        let own = &mut self.nodes[node as usize];
        own.position = position;
        if own.element.is_head {
            own.head = self.heads.len() as u32;
            self.heads.push(node);
        }
        let step = own.element.step as usize;
        let uses = self.values.uses.of(step).iter().map(|own| (*own, false));
        let all = uses.chain(self.values.defines.of(step).iter().map(|own| (*own, true)));
        for (value, is_definition) in all {
            let events = &mut self.events[value as usize];
            let is_before = |own: &Event| self.nodes[own.node as usize].position < position;
            let event = Event {
                node,
                is_definition,
            };
            events.insert(events.partition_point(is_before), event);
        }
    }

    /// Removes the events of a node, and the node from the heads.
    fn delist(&mut self, node: u32) {
        let Node { element, head, .. } = self.nodes[node as usize];
        if element.is_head {
            self.heads.swap_remove(head as usize);
            if let Some(other) = self.heads.get(head as usize) {
                self.nodes[*other as usize].head = head;
            }
        }
        let step = element.step as usize;
        let all = self.values.uses.of(step).iter();
        for value in all.chain(self.values.defines.of(step)) {
            self.events[*value as usize].retain(|own| own.node != node);
        }
        self.free.push(node);
    }

    /// Derives the bytes in use and the cost from the elements. Linear in the accesses.
    fn measure(&mut self) {
        let values = self.values;
        let mut is_live = vec![false; values.sizes.len()];
        self.cost = Cost::default();
        let mut live = -self.capacity;
        for position in (0..self.len()).rev() {
            let element = self.element(position);
            let step = element.step as usize;
            self.cost.cycles += values.cycles[step].cast_signed();
            self.cost.steps += i64::from(element.is_again);
            for value in values.uses.of(step) {
                if !std::mem::replace(&mut is_live[*value as usize], true) {
                    live += values.sizes[*value as usize];
                }
            }
            let mut over = live;
            for value in values.defines.of(step) {
                let size = values.sizes[*value as usize];
                match std::mem::replace(&mut is_live[*value as usize], false) {
                    true => live -= size,
                    // Its bytes are needed even if no step uses it.
                    false => over += size,
                }
            }
            self.over[position] = over;
            self.cost.over += i64::from(over.max(0));
        }
    }

    /// Last position before `position` at which a value is used or defined, and whether the value is
    /// used at or after `position` before it is defined again.
    pub(super) fn around(&self, value: u32, position: usize) -> (Option<usize>, bool) {
        let events = &self.events[value as usize];
        let position_of = |own: &Event| self.nodes[own.node as usize].position as usize;
        let next = events.partition_point(|own| position_of(own) < position);
        let last = next.checked_sub(1).map(|at| position_of(&events[at]));
        let is_live = last.is_some() && events.get(next).is_some_and(|own| !own.is_definition);
        (last, is_live)
    }

    /// Change of the cost if the group at `head` is not repeated.
    pub(super) fn try_removal(&mut self, head: usize) -> Cost {
        let values = self.values;
        let group = &values.groups[self.group(head) as usize];
        let end = head + group.steps.len();
        let mut trial = std::mem::take(&mut self.trial);
        trial.ranges.clear();
        for value in &group.defines {
            // Later uses now take what was defined before.
            if let (_, true) = self.around(*value, end)
                && let (Some(last), _) = self.around(*value, head)
            {
                let size = values.sizes[*value as usize];
                trial.ranges.push((last as u32 + 1, size));
            }
        }
        for value in &group.uses {
            // Not needed afterwards, and now not even up to here.
            if let (_, false) = self.around(*value, end)
                && let (Some(last), _) = self.around(*value, head)
            {
                let size = values.sizes[*value as usize];
                trial.ranges.push((last as u32 + 1, -size));
            }
        }
        let own = &self.over[head..end];
        let own: i64 = own.iter().map(|over| i64::from((*over).max(0))).sum();
        trial.change = Cost {
            cycles: -group.cycles.cast_signed(),
            over: self.change_before(&mut trial.ranges, head) - own,
            steps: -(group.steps.len() as i64),
        };
        self.trial = trial;
        self.trial.change
    }

    /// Makes the removal that was tried last.
    pub(super) fn remove(&mut self, head: usize) {
        let n_steps = self.values.groups[self.group(head) as usize].steps.len();
        self.add_before(head);
        for position in head..head + n_steps {
            self.delist(self.at[position]);
        }
        self.at.drain(head..head + n_steps);
        self.over.drain(head..head + n_steps);
        self.renumber(head);
    }

    /// Change of the cost if groups are repeated before a position. They are sorted by their last
    /// steps, and each is allowed there.
    pub(super) fn try_insertion(&mut self, position: usize, chain: &[u32]) -> Cost {
        let values = self.values;
        let mut trial = std::mem::take(&mut self.trial);
        trial.ranges.clear();
        trial.inner.clear();
        trial.number += 1;
        trial.change = Cost::default();
        // In use between the steps around the position.
        let mut live = self.over[position];
        for value in values.defines.of(self.element(position).step as usize) {
            live -= values.sizes[*value as usize];
        }
        let mut n_steps = 0;
        let groups = || chain.iter().map(|group| &values.groups[*group as usize]);
        for group in groups() {
            trial.change.cycles += group.cycles.cast_signed();
            for value in &group.defines {
                trial.met[*value as usize] = (trial.number, 0);
                if let (Some(last), true) = self.around(*value, position) {
                    let size = values.sizes[*value as usize];
                    live -= size;
                    trial.ranges.push((last as u32 + 1, -size));
                }
            }
        }
        for step in groups().flat_map(|group| &group.steps) {
            n_steps += 1;
            for value in values.uses.of(*step as usize) {
                let is_new = trial.met[*value as usize].0 != trial.number;
                trial.met[*value as usize] = (trial.number, n_steps);
                if is_new && let (Some(last), false) = self.around(*value, position) {
                    let size = values.sizes[*value as usize];
                    live += size;
                    trial.ranges.push((last as u32 + 1, size));
                }
            }
        }
        for (number, step) in groups().flat_map(|group| &group.steps).enumerate() {
            let defines = values.defines.of(*step as usize);
            live += defines
                .iter()
                .map(|own| values.sizes[*own as usize])
                .sum::<i32>();
            trial.inner.push(live);
            trial.change.over += i64::from(live.max(0));
            for value in values.uses.of(*step as usize).iter().chain(defines) {
                let last = trial.met[*value as usize].1 as usize;
                if (last == number + 1 || last == 0) && !self.around(*value, position).1 {
                    live -= values.sizes[*value as usize];
                }
            }
        }
        trial.change.over += self.change_before(&mut trial.ranges, position);
        trial.change.steps = i64::from(n_steps);
        self.trial = trial;
        self.trial.change
    }

    /// Makes the insertion that was tried last.
    pub(super) fn insert(&mut self, position: usize, chain: &[u32]) {
        self.add_before(position);
        let anchor = self.nodes[self.at[position] as usize].anchor;
        let inner = std::mem::take(&mut self.trial.inner);
        self.over.splice(position..position, inner.iter().copied());
        self.trial.inner = inner;
        let mut new = Vec::new();
        for group in chain {
            for element in elements_of(self.values, *group) {
                let node = Node {
                    element,
                    anchor,
                    position: 0,
                    head: 0,
                };
                new.push(match self.free.pop() {
                    Some(free) => {
                        self.nodes[free as usize] = node;
                        free
                    }
                    None => {
                        self.nodes.push(node);
                        self.nodes.len() as u32 - 1
                    }
                });
            }
        }
        let end = position + new.len();
        self.at.splice(position..position, new);
        self.renumber(end);
        for position in position..end {
            self.enlist(position as u32);
        }
    }

    /// Removes repetitions, the longest first, as long as the order fits without them. The order fits.
    pub(super) fn prune(&mut self) {
        let mut groups: Vec<u32> = (0..self.n_heads())
            .map(|number| self.group(self.head(number)))
            .collect();
        let groups_of = self.values;
        groups.sort_unstable_by_key(|own| (Reverse(groups_of.groups[*own as usize].cycles), *own));
        groups.dedup();
        for group in groups {
            // Backward, so that the positions of the others stay.
            let mut heads: Vec<usize> = (0..self.n_heads()).map(|own| self.head(own)).collect();
            heads.retain(|head| self.group(*head) == group);
            heads.sort_unstable_by_key(|head| Reverse(*head));
            for head in heads {
                if self.try_removal(head).over == 0 {
                    self.remove(head);
                }
            }
        }
    }

    /// Adds the ranges of the last trial to the bytes in use, and its change to the cost.
    fn add_before(&mut self, end: usize) {
        let trial = &self.trial;
        self.cost.cycles += trial.change.cycles;
        self.cost.over += trial.change.over;
        self.cost.steps += trial.change.steps;
        for (start, size) in &trial.ranges {
            for over in &mut self.over[*start as usize..end] {
                *over += size;
            }
        }
    }

    /// Sets the positions of all nodes from a position on.
    fn renumber(&mut self, from: usize) {
        for (position, node) in self.at.iter().enumerate().skip(from) {
            self.nodes[*node as usize].position = position as u32;
        }
    }

    /// Change of the excess if granules are added from the start of each range up to `end`.
    fn change_before(&self, ranges: &mut [(u32, i32)], end: usize) -> i64 {
        ranges.sort_unstable();
        let mut sum = 0;
        let mut added = 0;
        for (index, (start, size)) in ranges.iter().enumerate() {
            added += size;
            let next = ranges.get(index + 1).map_or(end, |next| next.0 as usize);
            let start = *start as usize;
            if added != 0 && start < next {
                sum += change_of(&self.over[start..next], added);
            }
        }
        sum
    }
}

/// A group as it is repeated.
pub(super) fn elements_of(values: &Values, group: u32) -> impl Iterator<Item = Element> {
    let steps = &values.groups[group as usize].steps;
    steps.iter().enumerate().map(|(index, step)| Element {
        step: *step,
        is_again: true,
        is_head: index == 0,
    })
}

/// Change of the sum of the positive numbers of a list if a number is added to all.
fn change_of(over: &[i32], added: i32) -> i64 {
    let change = |over: &i32| i64::from((over + added).max(0) - (*over).max(0));
    over.iter().map(change).sum()
}

#[cfg(test)]
mod tests {
    use mem_testkit::Rng;

    use super::super::super::profile::Profile;
    use super::super::super::sketch::tests::program;
    use super::*;

    /// Adds random repetitions and removes some. Calls `check` with each order.
    fn wander(seed: u64, mut check: impl FnMut(&Order)) -> usize {
        let mut rng = Rng::new(seed);
        let (problem, repeatable) = program(&mut rng);
        let Some(profile) = Profile::new(&problem) else {
            return 0;
        };
        let values = Values::new(&problem, &repeatable, &profile, &[]);
        let capacity = values.granules(profile.capacity);
        let plain = Order::without_repetitions(problem.steps.len());
        let mut order = Order::new(&values, capacity, &plain);
        let mut n_changes = 0;
        for _ in 0..60 {
            if order.n_heads() > 0 && rng.chance(40) {
                let head = order.head(rng.below(order.n_heads()));
                order.try_removal(head);
                order.remove(head);
                n_changes += 1;
            } else {
                let position = order.start_of(rng.below(order.len()));
                let mut chain: Vec<u32> = (0..values.groups.len() as u32)
                    .filter(|own| values.is_allowed(*own, order.anchor(position)))
                    .filter(|_| rng.chance(30))
                    .collect();
                chain.sort_by_key(|own| values.groups[*own as usize].last());
                order.try_insertion(position, &chain);
                order.insert(position, &chain);
                n_changes += chain.len();
            }
            check(&order);
        }
        n_changes
    }

    #[test]
    fn changes_cost_what_a_new_measurement_says() {
        let mut n_changes = 0;
        for seed in 0..300 {
            n_changes += wander(seed, |order| {
                let again = Order::new(order.values, order.capacity, &order.elements());
                assert_eq!(order.cost(), again.cost(), "seed {seed}");
                assert_eq!(order.over, again.over, "seed {seed}");
                assert_eq!(order.repetitions(), again.repetitions(), "seed {seed}");
                for value in 0..order.values.sizes.len() as u32 {
                    for position in 0..order.len() {
                        let found = order.around(value, position);
                        assert_eq!(found, again.around(value, position), "seed {seed}");
                    }
                }
            });
        }
        assert!(n_changes > 10_000, "{n_changes}");
    }

    #[test]
    fn pruned_orders_still_fit() {
        let mut n_removed = 0;
        for seed in 0..300 {
            wander(seed, |order| {
                if order.cost().over > 0 {
                    return;
                }
                let mut pruned = Order::new(order.values, order.capacity, &order.elements());
                pruned.prune();
                assert_eq!(pruned.cost().over, 0, "seed {seed}");
                assert!(pruned.cost().cycles <= order.cost().cycles, "seed {seed}");
                n_removed += order.n_heads() - pruned.n_heads();
            });
        }
        assert!(n_removed > 1000, "{n_removed}");
    }
}
