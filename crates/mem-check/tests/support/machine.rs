//! Executes a program with tensors at several sites, side by side with its original.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use mem_check::{Levels, TransferKind};
use mem_model::{Access, AccessKind, Block, Bytes, Interval, PointerId, Program, Step, StepId};
use mem_testkit::Rng;

use super::{MEMORY, OUTSIDE};

/// A byte: its tensor, its index in the tensor, its memory, and its address in the memory.
type Byte = (usize, usize, usize, usize);

/// The order in which steps write.
#[derive(Clone, Copy)]
struct Order {
    /// Writes the bytes of each result in descending order.
    is_backwards: bool,
    /// Writes the results in reverse order.
    is_last_first: bool,
}

/// The tensors of the original program and the memories of the planned one, byte by byte; 0 is
/// undefined.
struct Machine<'a> {
    program: &'a Program,
    levels: &'a Levels,
    rng: Rng,
    tensors: Vec<Vec<u64>>,
    memories: [Vec<u64>; 3],
    /// Transfers in flight, each with whether the bytes have been copied already.
    flying: BTreeMap<StepId, bool>,
    next: u64,
    /// Indexed by back edge (first block, last block): number of times that control has taken it.
    rounds: BTreeMap<(usize, usize), u64>,
    has_diverged: bool,
    order: Order,
}

impl Machine<'_> {
    fn fresh(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// Returns the bytes of a range of an access.
    fn bytes_of(&self, access: &Access, range: Interval<Bytes>) -> Vec<Byte> {
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

    fn touched(&mut self, access: &Access) -> Vec<Byte> {
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
        let kind = self.levels.transfers[&id];
        if from == to && kind == TransferKind::Copy {
            return;
        }
        // The order in which the engine copies bytes is unspecified.
        let is_hit = |byte: &Byte| {
            to.iter()
                .any(|other| (other.2, other.3) == (byte.2, byte.3))
        };
        self.has_diverged |= from.iter().any(is_hit);
        let mut values: Vec<u64> = Vec::new();
        for (tensor, byte, memory, at) in &from {
            // A stale value might by chance be what a later read expects, so replace it.
            let value = match self.memories[*memory][*at] {
                found if found == self.tensors[*tensor][*byte] => found,
                _ => self.fresh(),
            };
            values.push(value);
        }
        for ((_, _, memory, at), value) in to.into_iter().zip(values) {
            self.memories[memory][at] = value;
        }
        if kind == TransferKind::Swap {
            for (_, _, memory, at) in from {
                self.memories[memory][at] = self.fresh();
            }
        }
    }

    fn value(&self, step: StepId, operands: &[u64], index: usize) -> u64 {
        let mut hasher = DefaultHasher::new();
        // Scalars may change with each iteration of the enclosing loops.
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
        // Never 0, which means undefined.
        hasher.finish() | 1
    }

    fn step(&mut self, id: StepId) {
        let step = &self.program.steps[id.index()];
        self.wait(step);
        for tensor in self.levels.births.get(&id).into_iter().flatten() {
            self.tensors[*tensor as usize].fill(0);
        }
        if self.levels.transfers.contains_key(&id) {
            return self.start(id);
        }
        let original = self.levels.recomputed.get(&id).copied();
        let reads = self.reads(step, original.is_some());
        let operands: Vec<u64> = reads.iter().map(|(.., value)| *value).collect();
        let unique = self.fresh();
        let writes = self.writes(step);
        let mut is_spoilt = false;
        for done in 0..writes.len() {
            let (_, (tensor, byte, memory, at), number) = writes[done];
            let repeated = self.levels.recomputed.values().any(|o| *o == id);
            let value = match original {
                Some(_) if is_spoilt => self.fresh(),
                Some(original) => self.value(original, &operands, number),
                None if repeated => self.value(id, &operands, number),
                None => unique.wrapping_mul(1 << 20) + number as u64,
            };
            self.memories[memory][at] = value;
            if original.is_none() {
                self.tensors[tensor][byte] = value;
            }
            is_spoilt |= self.reads_again(step, &reads, &writes[..=done], original.is_some());
        }
    }

    /// Completes the transfers that a step waits for.
    fn wait(&mut self, step: &Step) {
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
    }

    /// Starts a transfer. An asynchronous one happens now or when a step waits for it.
    fn start(&mut self, id: StepId) {
        let is_async = self.program.steps[id.index()].accesses[0].token().is_some();
        let at_once = !is_async || self.rng.chance(50);
        if at_once {
            self.happen(id);
        }
        if is_async {
            // Two instances of one transfer are in flight and write the same bytes.
            self.has_diverged |= self.flying.insert(id, at_once).is_some();
        }
    }

    /// The bytes that a step reads, with the values that it finds.
    fn reads(&mut self, step: &Step, is_again: bool) -> Vec<(PointerId, Byte, u64)> {
        let mut reads: Vec<(PointerId, Byte, u64)> = Vec::new();
        for access in step.accesses.iter().filter(|a| a.kind == AccessKind::Use) {
            for byte in self.touched(access) {
                let (wanted, found) = (self.tensors[byte.0][byte.1], self.memories[byte.2][byte.3]);
                let is_wrong = wanted != 0 && wanted != found;
                // A recomputation is judged by its result.
                self.has_diverged |= is_wrong && !is_again;
                let value = if wanted == 0 { 0 } else { found };
                reads.push((access.pointer, byte, value));
            }
        }
        reads
    }

    /// The bytes that a step writes, numbered, in the order in which it writes them.
    fn writes(&mut self, step: &Step) -> Vec<(PointerId, Byte, usize)> {
        let mut writes: Vec<Vec<(PointerId, Byte, usize)>> = Vec::new();
        let defines = step.accesses.iter();
        let defines = defines.filter(|a| a.kind == AccessKind::Define);
        for (index, access) in defines.enumerate() {
            let bytes = self.touched(access).into_iter();
            let numbered = bytes.map(|byte| (access.pointer, byte, index * 100 + byte.1));
            let mut of_access: Vec<(PointerId, Byte, usize)> = numbered.collect();
            if self.order.is_backwards {
                of_access.reverse();
            }
            writes.push(of_access);
        }
        if self.order.is_last_first {
            writes.reverse();
        }
        writes.concat()
    }

    /// Reads the operands of a step again in the middle of its writes, except for bytes that the
    /// step declares to have read before it wrote the corresponding byte. Returns whether a value
    /// differs from that which the original step would find.
    fn reads_again(
        &mut self,
        step: &Step,
        reads: &[(PointerId, Byte, u64)],
        written: &[(PointerId, Byte, usize)],
        is_repetition: bool,
    ) -> bool {
        let first = |pointer: PointerId, kind: AccessKind| {
            let mut accesses = step.accesses.iter();
            let access = accesses.find(|a| a.pointer == pointer && a.kind == kind);
            access
                .and_then(|a| a.may)
                .map_or(0, |range| range.start.get() as usize)
        };
        let mut is_spoilt = false;
        for (pointer, (tensor, byte, memory, at), value) in reads {
            let start = |pointer: PointerId| self.levels.residences[pointer.index()][0].start;
            let index = |pointer: PointerId, kind, byte: usize| {
                byte - start(pointer).get() as usize - first(pointer, kind)
            };
            let is_over = written.iter().any(|(result, (_, other, ..), _)| {
                step.in_place.contains(&(*pointer, *result))
                    && index(*pointer, AccessKind::Use, *byte)
                        == index(*result, AccessKind::Define, *other)
            });
            let (wanted, found) = (self.tensors[*tensor][*byte], self.memories[*memory][*at]);
            if is_over || *value == 0 {
                continue;
            }
            let is_own = written
                .iter()
                .any(|(_, own, _)| (own.0, own.1) == (*tensor, *byte));
            is_spoilt |= match is_repetition {
                // The original finds what it has just written if it overwrites its operand.
                true if is_own => (*memory, *at) != self.place_written(written, *tensor, *byte),
                true => found != *value,
                false => wanted != found,
            };
        }
        self.has_diverged |= is_spoilt && !is_repetition;
        is_spoilt
    }

    /// Returns the memory and address at which a step has written a byte of a tensor.
    fn place_written(
        &self,
        written: &[(PointerId, Byte, usize)],
        tensor: usize,
        byte: usize,
    ) -> (usize, usize) {
        let own = written
            .iter()
            .find(|(_, own, _)| (own.0, own.1) == (tensor, byte));
        own.map_or((0, 0), |(_, own, _)| (own.2, own.3))
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

/// Whether an execution reads something other than the original program does.
pub(crate) fn diverges(program: &Program, levels: &Levels, seed: u64) -> bool {
    let both = [false, true];
    let orders = both.iter().flat_map(|is_backwards| {
        both.iter().map(|is_last_first| Order {
            is_backwards: *is_backwards,
            is_last_first: *is_last_first,
        })
    });
    orders
        .into_iter()
        .any(|order| diverges_in(program, levels, seed, order))
}

fn diverges_in(program: &Program, levels: &Levels, seed: u64, order: Order) -> bool {
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
        order,
    };
    // Contents written by the caller.
    for byte in 0..machine.tensors[0].len() {
        let value = machine.fresh();
        machine.tensors[0][byte] = value;
        machine.memories[OUTSIDE as usize][byte] = value;
    }
    machine.run();
    machine.has_diverged
}
