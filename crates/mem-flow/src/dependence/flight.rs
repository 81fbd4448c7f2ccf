//! Asynchronous accesses: which tokens may not have completed yet, where.
//!
//! A token is in flight from the step that issues it to one that waits for it. If a step issues it
//! again while it may be in flight, a wait says nothing of the first one: the token then stays in
//! flight for good. O(blocks x tokens / 64) a pass; programs without tokens cost nothing.

use mem_model::{BitSet, BlockId, Program, TokenId};

use crate::graph::Graph;

/// Tokens in flight.
#[derive(Default)]
pub(super) struct Flight {
    /// By block: the tokens in flight at its start; empty without tokens.
    at_entry: Vec<BitSet>,
    /// Tokens of which no wait can be sure.
    unsure: BitSet,
    /// By token: the numbers of its accesses.
    accesses: Vec<Vec<u32>>,
}

impl Flight {
    /// `first_access`: by step, the number of its first access.
    pub fn new(program: &Program, graph: &Graph, first_access: &[u32]) -> Self {
        let n_tokens = program.tokens.len();
        let mut flight = Self {
            at_entry: Vec::new(),
            unsure: BitSet::new(n_tokens),
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
        while flight.solve(program, graph) {}
        flight
    }

    /// The numbers of a token's accesses.
    pub fn accesses(&self, token: usize) -> &[u32] {
        &self.accesses[token]
    }

    /// The tokens in flight at the start of `block`.
    pub fn at_entry(&self, block: BlockId) -> BitSet {
        self.at_entry
            .get(block.index())
            .cloned()
            .unwrap_or_else(|| BitSet::new(0))
    }

    /// `token` is waited for; true if it has completed for sure.
    pub fn complete(&self, in_flight: &mut BitSet, token: TokenId) -> bool {
        !self.unsure.contains(token.index()) && in_flight.remove(token.index())
    }

    /// The tokens in flight before `step` of `block` does anything.
    pub fn before(&self, program: &Program, block: BlockId, step: usize) -> BitSet {
        let mut now = self.at_entry(block);
        if !self.accesses.is_empty() {
            let first = program.blocks[block.index()].steps.start.index();
            for step in &program.steps[first..step] {
                self.through(step, &mut now);
            }
        }
        now
    }

    /// Takes the tokens in flight from before a step to after it.
    fn through(&self, step: &mem_model::Step, now: &mut BitSet) {
        for &token in &step.waits {
            self.complete(now, token);
        }
        for token in step.accesses.iter().filter_map(|a| a.token()) {
            now.insert(token.index());
        }
    }

    /// Runs to the fixpoint; true if a token became unsure, so that it has to run again.
    fn solve(&mut self, program: &Program, graph: &Graph) -> bool {
        let n_tokens = program.tokens.len();
        self.at_entry = vec![BitSet::new(n_tokens); program.blocks.len()];
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
                        if !now.insert(token.index()) && !self.unsure.contains(token.index()) {
                            again.push(token.index());
                        }
                    }
                }
                for edge in &program.blocks[block.index()].successors {
                    changed |= self.at_entry[edge.target.index()].union_with(&now);
                }
            }
        }
        for &token in &again {
            self.unsure.insert(token);
        }
        !again.is_empty()
    }
}
