//! Executes a program with tensors in several places next to the one that it stands for.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use mem_check::{Levels, TransferKind};
use mem_model::{Access, AccessKind, Block, Bytes, Interval, Program, StepId};
use mem_testkit::Rng;

use super::{MEMORY, OUTSIDE};

/// The original program's tensors and the planned one's memories, byte by byte; 0 is undefined.
struct Machine<'a> {
    program: &'a Program,
    levels: &'a Levels,
    rng: Rng,
    tensors: Vec<Vec<u64>>,
    memories: [Vec<u64>; 3],
    /// Transfers under way: step, and whether it has happened already.
    flying: BTreeMap<StepId, bool>,
    next: u64,
    /// How often control has gone back to a block before.
    rounds: BTreeMap<(usize, usize), u64>,
    has_diverged: bool,
}

impl Machine<'_> {
    fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// (tensor, its byte, memory, address) of each byte of a range.
    fn bytes_of(
        &self,
        access: &Access,
        range: Interval<Bytes>,
    ) -> Vec<(usize, usize, usize, usize)> {
        let residence = self.levels.residences[access.pointer.index()][0];
        let (start, address) = (
            residence.start.get() as usize,
            residence.address.get() as usize,
        );
        let each = (range.start.get() as usize)..(range.end.get() as usize);
        each.map(|byte| {
            let (tensor, memory) = (residence.tensor as usize, residence.memory as usize);
            (tensor, start + byte, memory, address + byte)
        })
        .collect()
    }

    fn touched(&mut self, access: &Access) -> Vec<(usize, usize, usize, usize)> {
        let all = self.bytes_of(access, access.may.expect("ranges are known"));
        match access.must == access.may && access.predicate().is_empty() {
            true => all,
            false => all.into_iter().filter(|_| self.rng.chance(50)).collect(),
        }
    }

    fn happen(&mut self, id: StepId) {
        let step = &self.program.steps[id.index()];
        let range = |access: &Access| access.may.expect("ranges are known");
        let (source, target) = (&step.accesses[0], &step.accesses[1]);
        let from = self.bytes_of(source, range(source));
        let to = self.bytes_of(target, range(target));
        let mut values: Vec<u64> = Vec::new();
        for (tensor, byte, memory, at) in &from {
            // Anything else might happen to be what somebody else needs.
            let value = match self.memories[*memory][*at] {
                found if found == self.tensors[*tensor][*byte] => found,
                _ => self.fresh(),
            };
            values.push(value);
        }
        for ((_, _, memory, at), value) in to.into_iter().zip(values) {
            self.memories[memory][at] = value;
        }
        if self.levels.transfers[&id] == TransferKind::Swap {
            for (_, _, memory, at) in from {
                self.memories[memory][at] = self.fresh();
            }
        }
    }

    fn value(&self, step: StepId, operands: &[u64], index: usize) -> u64 {
        let mut hasher = DefaultHasher::new();
        // Scalars are those of this round of the loops around.
        let around = self.rounds.iter().filter(|((first, last), _)| {
            let steps =
                |block: usize, end: fn(&Block) -> StepId| end(&self.program.blocks[block]).index();
            let (first, last) = (
                steps(*first, |b| b.steps.start),
                steps(*last, |b| b.steps.end),
            );
            (first..last).contains(&step.index())
        });
        let around: Vec<_> = around.collect();
        (step.index(), operands, index, around).hash(&mut hasher);
        hasher.finish() | 1
    }

    fn step(&mut self, id: StepId) {
        let step = &self.program.steps[id.index()];
        for token in &step.waits {
            let is_of = |transfer: &StepId| {
                self.program.steps[transfer.index()].accesses[0].token() == Some(*token)
            };
            let flying = self.flying.iter().find(|(transfer, _)| is_of(transfer));
            if let Some((transfer, has_happened)) = flying.map(|(t, h)| (*t, *h)) {
                if !has_happened {
                    self.happen(transfer);
                }
                self.flying.remove(&transfer);
            }
        }
        for tensor in self.levels.births.get(&id).into_iter().flatten() {
            self.tensors[*tensor as usize].fill(0);
        }
        if self.levels.transfers.contains_key(&id) {
            let is_async = step.accesses[0].token().is_some();
            let at_once = !is_async || self.rng.chance(50);
            if at_once {
                self.happen(id);
            }
            if is_async {
                // Two at a time write the same bytes.
                self.has_diverged |= self.flying.insert(id, at_once).is_some();
            }
            return;
        }
        let original = self.levels.recomputed.get(&id).copied();
        let mut operands = Vec::new();
        for access in step.accesses.iter().filter(|a| a.kind == AccessKind::Use) {
            for (tensor, byte, memory, at) in self.touched(access) {
                let (wanted, found) = (self.tensors[tensor][byte], self.memories[memory][at]);
                let is_wrong = wanted != 0 && wanted != found;
                // What is computed again is judged by what comes of it.
                self.has_diverged |= is_wrong && original.is_none();
                operands.push(if wanted == 0 { 0 } else { found });
            }
        }
        let unique = self.fresh();
        let mut written: Vec<(usize, usize, u64)> = Vec::new();
        for (index, access) in step
            .accesses
            .iter()
            .filter(|a| a.kind == AccessKind::Define)
            .enumerate()
        {
            for (tensor, byte, memory, at) in self.touched(access) {
                let number = index * 100 + byte;
                let repeated = self.levels.recomputed.values().any(|o| *o == id);
                let value = match original {
                    Some(original) => self.value(original, &operands, number),
                    None if repeated => self.value(id, &operands, number),
                    None => unique.wrapping_mul(1 << 20) + number as u64,
                };
                self.memories[memory][at] = value;
                if original.is_none() {
                    written.push((tensor, byte, value));
                }
            }
        }
        for (tensor, byte, value) in written {
            self.tensors[tensor][byte] = value;
        }
    }

    fn run(&mut self) {
        let mut block = 0;
        for _ in 0..12 {
            let now = &self.program.blocks[block];
            for index in now.steps.start.index()..now.steps.end.index() {
                self.step(StepId::new(index));
            }
            let ways = now.successors.len();
            if ways == 0 {
                self.has_diverged |= !self.flying.is_empty();
                let seen = self.tensors[0].iter().zip(&self.memories[OUTSIDE as usize]);
                self.has_diverged |= seen
                    .into_iter()
                    .any(|(wanted, found)| wanted != found && *wanted != 0);
                return;
            }
            let target = now.successors[self.rng.below(ways)].target.index();
            if target <= block {
                *self.rounds.entry((target, block)).or_default() += 1;
            }
            block = target;
        }
    }
}

/// Whether an execution reads something else than the original program.
pub fn diverges(program: &Program, levels: &Levels, seed: u64) -> bool {
    let size = |tensor: usize| {
        let of_tensor = levels.residences.iter().zip(&program.buffers);
        let of_tensor = of_tensor.filter(|(place, _)| place[0].tensor as usize == tensor);
        let end = of_tensor.map(|(place, buffer)| place[0].start.get() + buffer.size.get());
        end.max().unwrap_or(0) as usize
    };
    let n_tensors = levels.residences.iter().map(|p| p[0].tensor).max();
    let n_tensors = n_tensors.map_or(0, |n| n as usize + 1);
    let mut machine = Machine {
        program,
        levels,
        rng: Rng::new(seed),
        tensors: (0..n_tensors).map(|tensor| vec![0; size(tensor)]).collect(),
        memories: [vec![7; MEMORY], vec![9; MEMORY], vec![0; MEMORY]],
        flying: BTreeMap::new(),
        next: 1 << 40,
        rounds: BTreeMap::new(),
        has_diverged: false,
    };
    // What the caller has written.
    for byte in 0..machine.tensors[0].len() {
        let value = machine.fresh();
        machine.tensors[0][byte] = value;
        machine.memories[OUTSIDE as usize][byte] = value;
    }
    machine.run();
    machine.has_diverged
}
