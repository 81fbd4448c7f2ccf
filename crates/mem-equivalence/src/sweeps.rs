//! The order of evaluation: a loop is swept until the state at its head reaches a fixed point, before anything
//! that follows it is evaluated ([`crate::nest`]). Were what follows evaluated in the meantime, its loops would
//! join what changes before them with what has been there in an earlier sweep.
//!
//! A sweep of a loop that changes nothing ends it. In the last sweep of the outermost loop, the states at all heads
//! are those of the sweep before, since what is along the edges into it is final, joins stay joins, and what else could
//! change is recorded as a change: values, inputs of joins, storages that a loop changes and whether it changes memory,
//! merges, transfers, and the edges that control takes. What each head has met along its back edges is therefore what is there.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::evaluate::{Evaluator, Merge, Position, Setting};
use crate::locals::Locals;
use crate::lost::Lost;
use crate::value::NodeId;

/// Maximum number of sweeps over a loop, each time that the loop around it is swept.
pub(crate) const MAX_SWEEPS: usize = 64;

/// The head of a loop.
#[derive(Default)]
pub(crate) struct Head {
    /// The contents of local storage at its start in the last sweep.
    pub locals: Locals,
    /// The storages that the loop may change.
    pub changed: BTreeSet<u32>,
    /// What can be observed from outside at its start in the last sweep: memory, and what was exchanged.
    pub outside: Option<[NodeId; 2]>,
    /// Which of the two the loop may change.
    pub changes: [bool; 2],
    /// By edge back to it: the merges there after the last sweep.
    merges: Vec<Rc<Vec<Merge>>>,
    /// Whether the states along the edges back to it are from before the loop around this one was swept again.
    pub is_stale: bool,
    /// How often more was assumed about merges along these edges than what was known there.
    pub n_assumed: usize,
}

/// A loop that is being evaluated.
struct Sweep {
    /// The position of its head in the nest.
    start: usize,
    /// The position after its last block.
    end: usize,
    n_sweeps: usize,
    /// Whether anything around it had changed before.
    had_changed: bool,
}

impl Evaluator<'_> {
    /// Evaluates the function to a fixed point. Returns the position after each label.
    pub(crate) fn settle(&mut self, setting: &Setting) -> Result<Vec<Position>, Lost> {
        let flat = self.flat;
        let nest = &flat.nest;
        let mut positions = vec![0; flat.blocks.len()];
        for (position, block) in nest.blocks.iter().enumerate() {
            positions[*block] = position;
        }
        // Loops around the next block, from the outermost one on.
        let mut around: Vec<Sweep> = Vec::new();
        let mut at = 0;
        loop {
            while let Some(sweep) = around.pop_if(|own| own.end == at) {
                let head = nest.blocks[sweep.start];
                self.note_changed(head);
                if self.has_changed && self.back_edges(head).next().is_some() {
                    if sweep.n_sweeps == MAX_SWEEPS {
                        return Err(Lost {
                            location: None,
                            why: "its loops do not settle",
                            undefined: None,
                        });
                    }
                    at = sweep.start;
                    around.push(self.sweep(Sweep {
                        n_sweeps: sweep.n_sweeps + 1,
                        ..sweep
                    }));
                    break;
                }
                self.has_changed |= sweep.had_changed;
                if around.is_empty() {
                    self.release(&nest.blocks[sweep.start..at], |to| positions[to] < at);
                }
            }
            let Some(block) = nest.blocks.get(at) else {
                break;
            };
            let is_open = around.last().is_some_and(|own| own.start == at);
            if let (Some(own), false) = (&nest.loops[*block], is_open) {
                if let Some(head) = &mut self.heads[*block] {
                    head.is_stale = true;
                }
                around.push(self.sweep(Sweep {
                    start: at,
                    end: own.end,
                    n_sweeps: 1,
                    had_changed: false,
                }));
            }
            self.block(*block, setting)?;
            at += 1;
            if around.is_empty() {
                let before = flat.predecessors[*block].iter();
                for (from, _) in before {
                    self.release(&[*from], |to| positions[to] < at);
                }
            }
        }
        // Only at the fixed point is it known which edges are taken.
        self.check_cover()?;
        let blocks = flat.order.iter();
        let labelled = blocks.filter(|block| flat.labels[**block].is_some());
        Ok(labelled
            .map(|block| self.position_past_label(*block))
            .collect())
    }

    /// Drops the states of blocks that are not evaluated again if no successor will be, either: there are as many
    /// as blocks. `is_past`: whether a block is not evaluated again.
    fn release(&mut self, blocks: &[usize], is_past: impl Fn(usize) -> bool) {
        for &block in blocks {
            let mut edges = self.flat.blocks[block].edges.iter();
            if edges.all(|edge| is_past(edge.to)) {
                self.ends[block] = None;
                self.heads[block] = None;
                if let Some(label) = &self.flat.labels[block] {
                    self.joined.remove(label);
                }
            }
        }
    }

    /// Begins to evaluate the blocks of a loop: from now on, `has_changed` is about them.
    fn sweep(&mut self, sweep: Sweep) -> Sweep {
        Sweep {
            had_changed: sweep.had_changed | std::mem::take(&mut self.has_changed),
            ..sweep
        }
    }

    /// The edges back to the head of a loop that control takes, as far as is known by now.
    fn back_edges(&self, head: usize) -> impl Iterator<Item = (usize, usize)> {
        let back = self.flat.nest.loops[head].iter().flat_map(|own| &own.back);
        back.copied()
            .filter(|(from, edge)| self.is_taken(*from, *edge))
    }

    /// After a sweep: records what the loop has changed since its head, and the merges that the head has to meet.
    fn note_changed(&mut self, head: usize) {
        let back: Vec<usize> = self.back_edges(head).map(|(from, _)| from).collect();
        let Some(own) = &mut self.heads[head] else {
            return;
        };
        let ends = back.iter().filter_map(|from| self.ends[*from].as_ref());
        let mut merges = Vec::new();
        for end in ends {
            own.locals.differing(&end.locals, &mut |storage| {
                self.has_changed |= own.changed.insert(storage);
            });
            let after = [end.memory, end.exchanged];
            for (index, before) in own.outside.into_iter().flatten().enumerate() {
                let is_new = before != after[index] && !own.changes[index];
                own.changes[index] |= is_new;
                self.has_changed |= is_new;
            }
            merges.push(Rc::clone(&end.merges));
        }
        self.has_changed |= own.merges != merges;
        (own.merges, own.is_stale) = (merges, false);
    }
}
