//! Asynchronous accesses: the tokens that may still be in flight at each point.
//!
//! A token is in flight from the step that issues it to a step that waits for it. If a step issues
//! it again while it may be in flight, a wait does not guarantee that the first access has
//! completed, so the token stays in flight forever. O(blocks × tokens / 64) per pass; programs
//! without tokens cost nothing.

use fixedbitset::FixedBitSet;
use mem_model::{BlockId, Program, TokenId};

use crate::bits::{join, take};
use crate::graph::Graph;

/// Tokens in flight.
#[derive(Default)]
pub(super) struct Flight {
    /// Indexed by block: the tokens in flight at its start. Empty if the program has no tokens.
    at_entry: Vec<FixedBitSet>,
    /// Tokens that no wait is guaranteed to complete.
    unsure: FixedBitSet,
    /// Indexed by token: the numbers of its accesses.
    accesses: Vec<Vec<u32>>,
}

impl Flight {
    /// `first_access` is indexed by step: the number of its first access.
    pub(super) fn new(program: &Program, graph: &Graph, first_access: &[u32]) -> Self {
        let n_tokens = program.tokens.len();
        let mut flight = Self {
            at_entry: Vec::new(),
            unsure: FixedBitSet::with_capacity(n_tokens),
            accesses: vec![Vec::new(); n_tokens],
        };
        if n_tokens == 0 {
            return flight;
        }
        for (step, first) in program.steps.iter().zip(first_access) {
            for (index, access) in step.accesses.iter().enumerate() {
                if let Some(token) = access.token() {
                    flight.accesses[token.index()].push(first + index as u32);
                }
            }
        }
        // Terminates because each repetition adds an unsure token.
        while flight.solve(program, graph) {}
        flight
    }

    /// The numbers of a token's accesses.
    pub(super) fn accesses(&self, token: usize) -> &[u32] {
        &self.accesses[token]
    }

    /// The tokens in flight at the start of `block`.
    pub(super) fn at_entry(&self, block: BlockId) -> FixedBitSet {
        self.at_entry
            .get(block.index())
            .cloned()
            .unwrap_or_default()
    }

    /// Waits for `token`; true if it is guaranteed to have completed.
    pub(super) fn complete(&self, in_flight: &mut FixedBitSet, token: TokenId) -> bool {
        !self.unsure.contains(token.index()) && take(in_flight, token.index())
    }

    /// The tokens in flight before `step` of `block` does anything.
    pub(super) fn before(&self, program: &Program, block: BlockId, step: usize) -> FixedBitSet {
        let mut now = self.at_entry(block);
        if !self.accesses.is_empty() {
            let first = program.blocks[block.index()].steps.start.index();
            for step in &program.steps[first..step] {
                self.through(step, &mut now);
            }
        }
        now
    }

    /// Transfers the tokens in flight over a step.
    fn through(&self, step: &mem_model::Step, now: &mut FixedBitSet) {
        // A step waits before it issues anything.
        for &token in &step.waits {
            self.complete(now, token);
        }
        for token in step.accesses.iter().filter_map(|a| a.token()) {
            now.insert(token.index());
        }
    }

    /// Runs to the fixed point. Returns whether a token became unsure, in which case it must run
    /// again.
    fn solve(&mut self, program: &Program, graph: &Graph) -> bool {
        let n_tokens = program.tokens.len();
        self.at_entry = vec![FixedBitSet::with_capacity(n_tokens); program.blocks.len()];
        let mut changed = true;
        let mut again = Vec::new();
        while changed {
            changed = false;
            again.clear();
            for &block in graph.order() {
                let mut now = self.at_entry[block.index()].clone();
                let steps = program.blocks[block.index()].steps;
                for step in &program.steps[steps.start.index()..steps.end.index()] {
                    for &token in &step.waits {
                        self.complete(&mut now, token);
                    }
                    // One step may issue one token for several accesses.
                    let mut issued: Vec<_> =
                        step.accesses.iter().filter_map(|a| a.token()).collect();
                    issued.dedup();
                    for token in issued {
                        // It is issued again while its first access may be in flight.
                        if now.put(token.index()) && !self.unsure.contains(token.index()) {
                            again.push(token.index());
                        }
                    }
                }
                for edge in &program.blocks[block.index()].successors {
                    changed |= join(&mut self.at_entry[edge.target.index()], &now);
                }
            }
        }
        for &token in &again {
            self.unsure.insert(token);
        }
        !again.is_empty()
    }
}
