//! Changes of an order: what they would cost, and making them.

use std::cmp::Reverse;

use super::{Cost, Element, Excess, Met, Meter, Node, Order, Trial, elements_of};

impl Order<'_> {
    /// Change of the cost if the group at `head` is not repeated.
    pub(in super::super) fn try_removal(&mut self, head: usize) -> Cost {
        self.try_removal_unless(head, |_| false)
    }

    /// The first position that changes if the group at `head` is repeated before the position `to` instead, by the
    /// numbers before the change; 0 if it is not known. Nothing changes before both of them if no other step between
    /// them uses or defines a value of the group.
    pub(in super::super) fn first_changed(&self, head: usize, to: usize) -> usize {
        let group = &self.values.groups[self.group(head) as usize];
        let between = match to < head {
            true => [to, head],
            false => [head + group.steps.len(), to],
        };
        let is_apart = |value: &u32| {
            let [first, end] = between.map(|position| self.around(*value, position).0);
            first == end
        };
        let mut values = group.uses.iter().chain(&group.defines);
        if values.all(is_apart) {
            to.min(head)
        } else {
            0
        }
    }

    /// As [`Self::try_removal`], before the group is inserted again. Changes before the position `from`, by
    /// [`Self::first_changed`], are left out: the insertion takes them back.
    pub(in super::super) fn try_removal_from(&mut self, head: usize, from: usize) -> Cost {
        self.try_removal_of(head, from, |_| false)
    }

    /// The same. Calls `stop` with costs that are at most that of the change, and returns one of them if
    /// it returns true; the change must not be made then.
    pub(in super::super) fn try_removal_unless(
        &mut self,
        head: usize,
        stop: impl FnMut(Cost) -> bool,
    ) -> Cost {
        self.try_removal_of(head, 0, stop)
    }

    fn try_removal_of(
        &mut self,
        head: usize,
        from: usize,
        mut stop: impl FnMut(Cost) -> bool,
    ) -> Cost {
        let values = self.values;
        let group = &values.groups[self.group(head) as usize];
        let end = head + group.steps.len();
        let mut trial = std::mem::take(&mut self.trial);
        trial.ranges.clear();
        trial.deaths.clear();
        for value in &group.defines {
            // Later uses now take what was defined before.
            if let (_, true) = self.around(*value, end)
                && let (Some(last), _) = self.around(*value, head)
            {
                let size = values.sizes[*value as usize];
                trial.ranges.push((last as u32 + 1, size));
                trial.deaths.push((last as u32, *value, false));
            }
        }
        for value in &group.uses {
            // Not needed afterwards, and now not even up to here.
            if let (_, false) = self.around(*value, end)
                && let (Some(last), _) = self.around(*value, head)
            {
                let size = values.sizes[*value as usize];
                trial.ranges.push((last as u32 + 1, -size));
                trial.deaths.push((last as u32, *value, true));
            }
        }
        trial.cut(from);
        self.share(&mut trial);
        let least = Cost {
            cycles: -group.cycles.cast_signed(),
            over: 0,
            steps: -(group.steps.len() as i64),
        };
        let stop = |over: i64| stop(Cost { over, ..least });
        trial.change = Cost {
            over: self.change_of(&mut trial.ranges, head, &[], end, stop),
            ..least
        };
        self.trial = trial;
        self.trial.change
    }

    /// Adds what results take over where other operands than before die.
    fn share(&self, trial: &mut Trial) {
        trial.deaths.sort_unstable();
        let mut deaths = &trial.deaths[..];
        while let Some((position, ..)) = deaths.first().copied() {
            let n_here = deaths.partition_point(|own| own.0 == position);
            let (here, others) = deaths.split_at(n_here);
            deaths = others;
            let element = self.element(position as usize);
            if self.values.takeovers(element.step as usize).is_empty() {
                continue;
            }
            let died = |value: u32| self.dies(value, position as usize);
            let dies = |value: u32| {
                let changed = here.iter().find(|own| own.1 == value);
                changed.map_or_else(|| died(value), |own| own.2)
            };
            let change = self.shared(element, died) - self.shared(element, dies);
            if change != 0 {
                trial.ranges.push((position, change));
                trial.ranges.push((position + 1, -change));
            }
        }
    }

    /// Makes the removal that was tried last.
    pub(in super::super) fn remove(&mut self, head: usize) {
        self.remove_until(head, usize::MAX);
    }

    /// The same, but only the summaries of positions up to `until` are known afterwards: the group is inserted
    /// again there or before.
    pub(in super::super) fn remove_until(&mut self, head: usize, until: usize) {
        let n_steps = self.values.groups[self.group(head) as usize].steps.len();
        self.add_before(head);
        for position in head..head + n_steps {
            self.delist(self.at[position]);
        }
        self.at.drain(head..head + n_steps);
        self.over.drain(head..head + n_steps);
        let until = self.len().min(until.saturating_add(1));
        self.blocks.forget(self.over.len(), head, until);
        self.positions.removed(&self.at, head, n_steps);
    }

    /// Change of the cost if groups are repeated before a position. They are sorted by their last
    /// steps, and each is allowed there.
    pub(in super::super) fn try_insertion(&mut self, position: usize, chain: &[u32]) -> Cost {
        self.try_insertion_from(position, chain, 0)
    }

    /// The same, after [`Self::try_removal_from`] with the same `from`.
    pub(in super::super) fn try_insertion_from(
        &mut self,
        position: usize,
        chain: &[u32],
        from: usize,
    ) -> Cost {
        let values = self.values;
        let mut trial = std::mem::take(&mut self.trial);
        trial.ranges.clear();
        trial.deaths.clear();
        trial.inner.clear();
        trial.number += 1;
        trial.change = Cost::default();
        // In use between the steps around the position.
        let next = self.element(position);
        let mut live = self.over[position] + self.shared(next, |value| self.dies(value, position));
        for value in values.defines.of(next.step as usize) {
            live -= values.sizes[*value as usize];
        }
        let mut n_steps = 0;
        let groups = || chain.iter().map(|group| &values.groups[*group as usize]);
        for group in groups() {
            trial.change.cycles += group.cycles.cast_signed();
            for value in &group.defines {
                let (last, is_live) = self.around(*value, position);
                trial.met[*value as usize] = Met {
                    number: trial.number,
                    last: 0,
                    is_live,
                };
                if let (Some(last), true) = (last, is_live) {
                    let size = values.sizes[*value as usize];
                    live -= size;
                    trial.ranges.push((last as u32 + 1, -size));
                    trial.deaths.push((last as u32, *value, true));
                }
            }
        }
        for step in groups().flat_map(|group| &group.steps) {
            n_steps += 1;
            for value in values.uses.of(*step as usize) {
                let met = &mut trial.met[*value as usize];
                if met.number == trial.number {
                    met.last = n_steps;
                    continue;
                }
                let (last, is_live) = self.around(*value, position);
                *met = Met {
                    number: trial.number,
                    last: n_steps,
                    is_live,
                };
                if let (Some(last), false) = (last, is_live) {
                    let size = values.sizes[*value as usize];
                    live += size;
                    trial.ranges.push((last as u32 + 1, size));
                    trial.deaths.push((last as u32, *value, false));
                }
            }
        }
        for (number, step) in groups().flat_map(|group| &group.steps).enumerate() {
            let defines = values.defines.of(*step as usize);
            live += defines
                .iter()
                .map(|own| values.sizes[*own as usize])
                .sum::<i32>();
            let is_last = |value: u32| {
                let met = trial.met[value as usize];
                (met.last as usize == number + 1 || met.last == 0) && !met.is_live
            };
            let again = Element {
                step: *step,
                is_again: true,
                is_head: false,
            };
            let over = live - self.shared(again, is_last);
            trial.inner.push(over);
            for value in values.uses.of(*step as usize).iter().chain(defines) {
                if is_last(*value) {
                    live -= values.sizes[*value as usize];
                }
            }
        }
        trial.cut(from);
        self.share(&mut trial);
        let (inner, ranges) = (&trial.inner, &mut trial.ranges);
        trial.change.over = self.change_of(ranges, position, inner, position, |_| false);
        trial.change.steps = i64::from(n_steps);
        self.trial = trial;
        self.trial.change
    }

    /// Makes the insertion that was tried last.
    pub(in super::super) fn insert(&mut self, position: usize, chain: &[u32]) {
        self.insert_until(position, chain, usize::MAX);
    }

    /// The same, if the positions after `until`, by the new numbers, are those from before the removal of
    /// the same group.
    pub(in super::super) fn insert_until(&mut self, position: usize, chain: &[u32], until: usize) {
        self.add_before(position);
        let anchor = self.nodes[self.at[position] as usize].anchor;
        let inner = std::mem::take(&mut self.trial.inner);
        self.over.splice(position..position, inner.iter().copied());
        self.trial.inner = inner;
        let until = self.over.len().min(until.saturating_add(1));
        self.blocks.forget(self.over.len(), position, until);
        let mut new = Vec::new();
        for group in chain {
            for element in elements_of(self.values, *group) {
                let node = Node {
                    element,
                    anchor,
                    head: 0,
                };
                new.push(match self.free.pop() {
                    Some(free) => {
                        self.nodes[free as usize] = node;
                        free
                    }
                    None => {
                        self.nodes.push(node);
                        self.positions.push();
                        self.nodes.len() as u32 - 1
                    }
                });
            }
        }
        let end = position + new.len();
        self.at.splice(position..position, new);
        self.positions.inserted(&self.at, position, end - position);
        for position in position..end {
            self.enlist(position as u32);
        }
    }

    /// Removes repetitions, the longest first, as long as the order fits without them. The order fits.
    pub(in super::super) fn prune(&mut self) {
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
            let start = (*start as usize).min(end);
            for over in &mut self.over[start..end] {
                *over += size;
            }
            self.blocks.add(start, end, *size);
        }
    }

    /// Change of the excess if granules are added from the start of each range up to `end`, and the
    /// positions from there to `next` are replaced by `inner`. Calls `stop` with lower bounds on the
    /// change, and returns one of them if it returns true.
    fn change_of(
        &self,
        ranges: &mut [(u32, i32)],
        end: usize,
        inner: &[i32],
        next: usize,
        mut stop: impl FnMut(i64) -> bool,
    ) -> i64 {
        ranges.sort_unstable();
        let (excess, over) = (self.room.excess, &self.over);
        let before = |position: usize| position.checked_sub(1).map(|own| over[own]);
        // Where granules are added, neither an excess nor an increase of it gets less, except by what
        // was added up to a position and is not any more after it.
        let (mut added, mut is_bounded, mut slack) = (0_i32, true, 0);
        let inside = ranges.partition_point(|own| (own.0 as usize) < end);
        for here in ranges[..inside].chunk_by(|one, other| one.0 == other.0) {
            let known = added;
            added += here.iter().map(|own| own.1).sum::<i32>();
            is_bounded &= added >= 0;
            if added < known {
                slack += i64::from(known);
            }
        }
        let mut after = Meter::new(excess, before(end).map(|own| own + added));
        after.add(inner);
        after.add(&over[next..=next]);
        let mut known = Meter::new(excess, before(end));
        known.add(&over[end..=next]);
        let mut change = after.sum - known.sum;
        let mut stop = |change: i64| is_bounded && stop(change - slack);
        let mut pieces = ranges.iter().peekable();
        // What is added at the position before.
        let (mut last, mut added) = (0, 0);
        while let Some((start, size)) = pieces.next() {
            added += size;
            let start = *start as usize;
            let until = pieces.peek().map_or(end, |next| next.0 as usize).min(end);
            if start >= until {
                continue;
            }
            if let Excess::Copied { .. } = excess {
                let rise = |added: i32, last: i32| {
                    let mut meter = Meter::new(excess, before(start).map(|own| own + last));
                    meter.add(&[over[start] + added]);
                    meter.sum
                };
                change += rise(added, last) - rise(0, 0);
            }
            let mut is_over = false;
            change += self
                .blocks
                .change(excess, over, (start, until), added, |own| {
                    is_over = stop(change + own);
                    is_over
                });
            if is_over {
                return change - slack;
            }
            last = added;
        }
        change
    }
}

impl Trial {
    /// Leaves out what changes before a position.
    fn cut(&mut self, from: usize) {
        let from = from as u32;
        for (start, _) in &mut self.ranges {
            *start = (*start).max(from);
        }
        self.deaths.retain(|(position, ..)| *position >= from);
    }
}

#[cfg(test)]
mod tests {
    use mem_testkit::Rng;

    use super::super::super::super::profile::Profile;
    use super::super::super::super::repeat::repeated;
    use super::super::super::super::sketch::tests::program;
    use super::super::super::values::Values;
    use super::super::{Excess, Room, repetitions};
    use super::*;

    /// Adds random repetitions and removes some. Calls `check` with each order.
    fn wander(seed: u64, mut check: impl FnMut(&Order)) -> usize {
        let mut rng = Rng::new(seed);
        let (problem, repeatable) = program(&mut rng);
        let Some(profile) = Profile::new(&problem) else {
            return 0;
        };
        let values = Values::new(&problem, &repeatable, &profile, &[]);
        let n_steps = problem.steps.len();
        let mut room = Room::new(values.granules(profile.capacity), n_steps);
        if seed % 2 == 1 {
            room.excess = Excess::Copied { price: 1.0 };
            for at in &mut room.at {
                *at += rng.below(8) as i32;
            }
        }
        let plain = Order::without_repetitions(n_steps);
        let mut order = Order::new(&values, &room, &plain);
        let mut n_changes = 0;
        for _ in 0..60 {
            if order.n_heads() > 0 && rng.chance(20) {
                n_changes += usize::from(shift(&mut order, &mut rng));
            } else if order.n_heads() > 0 && rng.chance(40) {
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

    /// Moves a group somewhere else, if it may be repeated there.
    fn shift(order: &mut Order, rng: &mut Rng) -> bool {
        let head = order.head(rng.below(order.n_heads()));
        let group = order.group(head);
        let n_steps = order.values.groups[group as usize].steps.len();
        let to = order.start_of(rng.below(order.len()));
        let is_other = to < head || to > head + n_steps;
        if !is_other || !order.values.is_allowed(group, order.anchor(to)) {
            return false;
        }
        let until = to.max(head + n_steps);
        let from = order.first_changed(head, to);
        let to = if to > head { to - n_steps } else { to };
        order.try_removal_from(head, from);
        order.remove_until(head, until - n_steps);
        order.try_insertion_from(to, &[group], from);
        order.insert_until(to, &[group], until);
        true
    }

    #[test]
    fn changes_cost_what_a_new_measurement_says() {
        let mut n_changes = 0;
        for seed in 0..300 {
            n_changes += wander(seed, |order| {
                let again = Order::new(order.values, order.room, &order.elements());
                assert_eq!(order.cost(), again.cost(), "seed {seed}");
                assert_eq!(order.over, again.over, "seed {seed}");
                for position in 0..order.len() {
                    assert_eq!(
                        order.anchor(position),
                        again.anchor(position),
                        "seed {seed}"
                    );
                }
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
    fn bounds_on_the_cost_of_a_removal_hold() {
        let mut n_bounds = 0;
        for seed in 0..300 {
            wander(seed, |order| {
                let mut again = Order::new(order.values, order.room, &order.elements());
                for number in 0..again.n_heads() {
                    let head = again.head(number);
                    let mut bounds = Vec::new();
                    let change = again.try_removal_unless(head, |least| {
                        bounds.push(least);
                        false
                    });
                    for least in bounds {
                        assert_eq!(least.cycles, change.cycles, "seed {seed}");
                        assert!(least.over <= change.over, "seed {seed}");
                        n_bounds += 1;
                    }
                }
            });
        }
        assert!(n_bounds > 1000, "{n_bounds}");
    }

    #[test]
    fn orders_use_at_least_the_bytes_of_the_extended_program() {
        let (mut n_positions, mut n_equal) = (0, 0);
        for seed in 0..300 {
            wander(seed, |order| {
                let (problem, repeatable) = program(&mut Rng::new(seed));
                let repetitions = repetitions(&order.elements());
                if repetitions.is_empty() {
                    return;
                }
                let extended = repeated(&problem, &repeatable, &repetitions);
                let profile = Profile::new(&extended).expect("the program has one");
                for (position, used) in profile.used.iter().enumerate() {
                    let own = order.over[position] + order.room.at[order.anchor(position)];
                    let own = own as u64 * order.values.granule;
                    assert!(own >= *used, "seed {seed}: {own} {used}");
                    n_equal += usize::from(own == *used);
                    n_positions += 1;
                }
            });
        }
        assert!(n_positions > 100_000, "{n_positions}");
        // The exceptions: operands of first executions that are recomputed for other reasons.
        assert!(
            n_equal > n_positions * 95 / 100,
            "{n_equal} of {n_positions}"
        );
    }

    #[test]
    fn pruned_orders_still_fit() {
        let mut n_removed = 0;
        for seed in 0..300 {
            wander(seed, |order| {
                if order.cost().over > 0 {
                    return;
                }
                let mut pruned = Order::new(order.values, order.room, &order.elements());
                pruned.prune();
                assert_eq!(pruned.cost().over, 0, "seed {seed}");
                assert!(pruned.cost().cycles <= order.cost().cycles, "seed {seed}");
                n_removed += order.n_heads() - pruned.n_heads();
            });
        }
        assert!(n_removed > 1000, "{n_removed}");
    }
}
