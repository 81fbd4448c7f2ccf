//! Orders from which the search starts: cheap values recomputed wherever that saves bytes, and
//! segments of the program recomputed as a whole.
//!
//! The *turn* is the step at which the program without repetitions needs the most bytes: in a
//! training step, the end of the forward part. Values that are needed before and after it are kept
//! or recomputed; everything else stays as it is, and is left to the search.

use super::order::{Element, elements_of};
use super::segments::Segments;
use super::values::Values;

/// What is not kept across the turn, and how it is recomputed.
pub(super) struct Start<'a> {
    pub values: &'a Values<'a>,
    pub turn: usize,
    /// Per value: it is not kept.
    pub is_dropped: Vec<bool>,
    /// Segments that are recomputed as a whole when one of their values is needed, if any.
    pub segments: Option<&'a Segments>,
    /// Per value: once recomputed for another segment than its own, it stays for its own uses.
    pub is_passing: Vec<bool>,
}

/// A program that is executed with repetitions.
struct Execution<'a> {
    start: &'a Start<'a>,
    /// Per value: the last step that uses it.
    last_use: Vec<usize>,
    /// Per value: it has been dropped.
    is_missing: Vec<bool>,
    elements: Vec<Element>,
    /// Groups to repeat before a step.
    chain: Vec<u32>,
}

impl<'a> Start<'a> {
    /// Drops the values whose groups take at most so many cycles.
    pub(super) fn cheap(values: &'a Values<'a>, turn: usize, most: u64) -> Self {
        let group =
            |own: &Option<u32>| own.is_some_and(|own| values.groups[own as usize].cycles <= most);
        Self {
            values,
            turn,
            is_dropped: values.group_of.iter().map(group).collect(),
            segments: None,
            is_passing: vec![true; values.sizes.len()],
        }
    }

    /// Executes the program. O(steps * segments + accesses of the repeated steps).
    pub(super) fn elements(&self) -> Vec<Element> {
        let values = self.values;
        let n_values = values.sizes.len();
        let mut own = Execution {
            start: self,
            last_use: vec![0; n_values],
            is_missing: vec![false; n_values],
            elements: Vec::new(),
            chain: Vec::new(),
        };
        let n_steps = values.cycles.len();
        for step in 0..n_steps {
            for value in values.uses.of(step) {
                own.last_use[*value as usize] = step;
            }
        }
        for step in 0..n_steps {
            if step == self.turn {
                own.drop_all();
            }
            own.recompute(step);
            own.elements.push(Element {
                step: step as u32,
                is_again: false,
                is_head: false,
            });
        }
        own.elements
    }
}

impl Execution<'_> {
    /// Drops what is not kept across the turn.
    fn drop_all(&mut self) {
        let Start {
            values,
            turn,
            is_dropped,
            ..
        } = self.start;
        for (value, is_dropped) in is_dropped.iter().enumerate() {
            let is_early = values.group_of[value]
                .is_some_and(|own| (values.groups[own as usize].last() as usize) < *turn);
            self.is_missing[value] = *is_dropped && is_early && self.last_use[value] >= *turn;
        }
    }

    /// Repeats what a step needs.
    fn recompute(&mut self, step: usize) {
        let values = self.start.values;
        self.chain.clear();
        // Segments of which values are needed.
        let mut wanted = Vec::new();
        for value in values.uses.of(step) {
            if !self.is_missing[*value as usize] {
                continue;
            }
            self.add(*value, step);
            if let Some((segments, group)) =
                self.start.segments.zip(values.group_of[*value as usize])
            {
                let segment = segments.of_group(values, group);
                wanted.push(segment);
                for other in segments.members(segment) {
                    let defines = &values.groups[*other as usize].defines;
                    let needed = defines.iter().find(|own| self.is_missing[**own as usize]);
                    if let Some(needed) = needed.filter(|own| self.last_use[**own as usize] >= step)
                    {
                        self.add(*needed, step);
                    }
                }
            }
        }
        self.close(step);
        let chain = std::mem::take(&mut self.chain);
        for group in &chain {
            self.elements.extend(elements_of(values, *group));
            let segments = self.start.segments;
            let segment = segments.map(|segments| segments.of_group(values, *group));
            let is_wanted = segment.is_none_or(|own| wanted.contains(&own));
            for value in &values.groups[*group as usize].defines {
                let stays = is_wanted || self.start.is_passing[*value as usize];
                self.is_missing[*value as usize] = !stays;
            }
        }
        self.chain = chain;
    }

    /// Adds the group of a value to the chain.
    fn add(&mut self, value: u32, step: usize) {
        let values = self.start.values;
        if let Some(group) = values.group_of[value as usize]
            && !self.chain.contains(&group)
            && values.is_allowed(group, step)
        {
            self.chain.push(group);
        }
    }

    /// Adds the groups of operands that are gone, and sorts the chain.
    fn close(&mut self, step: usize) {
        let values = self.start.values;
        let mut next = 0;
        while let Some(group) = self.chain.get(next) {
            next += 1;
            for used in &values.groups[*group as usize].uses {
                let index = *used as usize;
                let is_gone = self.is_missing[index] || self.last_use[index] < step;
                if is_gone && self.start.is_dropped[index] {
                    self.add(*used, step);
                }
            }
        }
        self.chain
            .sort_unstable_by_key(|own| values.groups[*own as usize].last());
    }
}
