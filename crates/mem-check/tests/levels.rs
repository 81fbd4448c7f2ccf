//! The checker of places against execution: random programs with tensors in several places, transfers, swaps and
//! repeated computations are executed next to what they stand for. Whatever is seen to read something else has to be
//! refused; without control flow and asynchronous transfers, nothing else may be.
//!
//! `CHECK_CASES` and `CHECK_SEED` set how many cases are tried, and from where.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use mem_check::{Levels, Residence, TransferKind, Violation, check_levels};
use mem_model::{
    Access, AccessKind, Aliasing, Block, BlockId, Buffer, BufferId, Bytes, Detail, Edge, Interval,
    Literal, Pointer, PointerId, PointerKind, Program, Region, RegionId, RegionKind, Role, Step,
    StepId, Storage, Symbol, SymbolId, TokenId, print_programs,
};
use mem_testkit::{Rng, number};

/// Bytes of each of the two memories in which tensors have places.
const MEMORY: usize = 10;

/// The memory in which the tensor is that callers see.
const OUTSIDE: u32 = 2;

/// How much may be in a program.
#[derive(Clone, Copy)]
struct Shape {
    n_steps: usize,
    has_flow: bool,
    is_async: bool,
    repeats: bool,
}

fn bytes(n: usize) -> Bytes {
    Bytes::new(n as u64)
}

fn buffer(name: String, size: usize, is_outside: bool) -> Buffer {
    Buffer {
        name,
        size: bytes(size),
        alignment: bytes(1),
        role: Role::Intermediate,
        storage: match is_outside {
            true => Storage::External,
            false => Storage::Planned,
        },
        aliasing: match is_outside {
            true => Aliasing::Reachable,
            false => Aliasing::Private,
        },
        location: String::new(),
    }
}

struct Generator<'r> {
    rng: &'r mut Rng,
    shape: Shape,
    program: Program,
    levels: Levels,
    sizes: Vec<usize>,
    open: Vec<StepId>,
}

impl Generator<'_> {
    fn storage(&mut self) {
        for tensor in 0..self.rng.between(1, 4) {
            let size = self.rng.between(1, 4);
            self.sizes.push(size);
            for place in 0..self.rng.between(1, 3) {
                let is_outside = tensor == 0 && place == 0;
                // A place may be of some bytes of the tensor only.
                let start = match is_outside || self.rng.chance(70) {
                    true => 0,
                    false => self.rng.below(size),
                };
                let name = format!("t{tensor}p{place}");
                let pointer = Pointer {
                    name: name.clone(),
                    kind: PointerKind::Buffer(BufferId::new(self.program.buffers.len())),
                    size: Some(bytes(size - start)),
                };
                self.program.pointers.push(pointer);
                self.program
                    .buffers
                    .push(buffer(name, size - start, is_outside));
                let memory = match is_outside {
                    true => OUTSIDE,
                    false => self.rng.below(2) as u32,
                };
                let address = self.rng.below(MEMORY - size);
                self.levels.residences.push(vec![Residence {
                    tensor: tensor as u32,
                    start: bytes(start),
                    memory,
                    address: bytes(if is_outside { 0 } else { address }),
                }]);
            }
        }
    }

    /// Some bytes of a buffer, perhaps conditional.
    fn access(&mut self, kind: AccessKind) -> Access {
        let index = self.rng.below(self.program.buffers.len());
        let size = self.program.buffers[index].size.get() as usize;
        let start = self.rng.below(size);
        let end = self.rng.between(start + 1, size);
        let range = match self.rng.chance(50) {
            true => Interval::new(bytes(0), bytes(size)),
            false => Interval::new(bytes(start), bytes(end)),
        };
        let mut access = Access::exact(kind, PointerId::new(index), range);
        if self.shape.has_flow && self.rng.chance(15) {
            access.must = None;
        }
        if self.shape.has_flow && self.rng.chance(10) {
            let symbol = SymbolId::new(0);
            let holds = true;
            access.detail_mut().predicate = vec![Literal { symbol, holds }];
        }
        access
    }

    fn compute(&mut self) -> Step {
        let mut step = Step::default();
        for _ in 0..self.rng.below(3) {
            step.accesses.push(self.access(AccessKind::Use));
        }
        for _ in 0..self.rng.between(0, 2) {
            let access = self.access(AccessKind::Define);
            // A tensor has one value, and so has an address.
            let place = |access: &Access| self.levels.residences[access.pointer.index()][0];
            let own = place(&access);
            let is_in_the_way = |other: &Access| {
                let place = place(other);
                let distance = place.address.get().abs_diff(own.address.get());
                let is_near = place.memory == own.memory && distance < MEMORY as u64 / 2;
                other.kind == AccessKind::Define && (place.tensor == own.tensor || is_near)
            };
            if !step.accesses.iter().any(is_in_the_way) {
                step.accesses.push(access);
            }
        }
        step
    }

    /// The same bytes in two places of one tensor.
    fn transfer(&mut self) -> Option<Step> {
        let source = self.rng.below(self.levels.residences.len());
        let from = self.levels.residences[source][0];
        let others: Vec<usize> = (0..self.levels.residences.len())
            .filter(|other| {
                *other != source && self.levels.residences[*other][0].tensor == from.tensor
            })
            .collect();
        let target = self.rng.pick(&others)?;
        let to = self.levels.residences[target][0];
        let first = from.start.max(to.start).get() as usize;
        let last = self.sizes[from.tensor as usize];
        let start = self.rng.between(first, last - 1);
        let end = self.rng.between(start + 1, last);
        let within = |residence: Residence| {
            let first = residence.start.get() as usize;
            Interval::new(bytes(start - first), bytes(end - first))
        };
        // The dialect's transfers never overlap themselves.
        let at = |residence: Residence| {
            residence.address.get() as usize + start - residence.start.get() as usize
        };
        if from.memory == to.memory && at(from).abs_diff(at(to)) < end - start {
            return None;
        }
        let mut step = Step::default();
        let kinds = [
            (AccessKind::Use, source, within(from)),
            (AccessKind::Define, target, within(to)),
        ];
        for (kind, buffer, range) in kinds {
            step.accesses
                .push(Access::exact(kind, PointerId::new(buffer), range));
        }
        let kind = match self.rng.chance(25) {
            true => TransferKind::Swap,
            false => TransferKind::Copy,
        };
        if kind == TransferKind::Swap {
            let also = Access::exact(AccessKind::Define, PointerId::new(source), within(from));
            step.accesses.push(also);
        }
        let id = StepId::new(self.program.steps.len());
        if self.shape.is_async && self.rng.chance(60) {
            let token = TokenId::new(self.program.tokens.len());
            self.program.tokens.push(token.to_string());
            for access in &mut step.accesses {
                access.detail = Some(Box::new(Detail {
                    token: Some(token),
                    ..Detail::default()
                }));
            }
            self.open.push(id);
        }
        self.levels.transfers.insert(id, kind);
        Some(step)
    }

    /// A step that was there before, on other places of its tensors.
    fn repeat(&mut self) -> Option<Step> {
        let is_exact = |step: &Step| {
            let exact = |a: &Access| a.must == a.may && a.detail.is_none();
            step.accesses.iter().all(exact) && step.accesses.len() > 1
        };
        let candidates: Vec<StepId> = (0..self.program.steps.len())
            .map(StepId::new)
            .filter(|id| {
                !self.levels.transfers.contains_key(id) && !self.levels.recomputed.contains_key(id)
            })
            .filter(|id| is_exact(&self.program.steps[id.index()]))
            .collect();
        let original = self.rng.pick(&candidates)?;
        let mut step = self.program.steps[original.index()].clone();
        for access in &mut step.accesses {
            let (range, own) = (
                access.may?,
                self.levels.residences[access.pointer.index()][0],
            );
            let start = range.start.get() + own.start.get();
            let others: Vec<usize> = (0..self.levels.residences.len())
                .filter(|other| {
                    let place = self.levels.residences[*other][0];
                    place.tensor == own.tensor && place.start.get() <= start
                })
                .collect();
            let place = self.rng.pick(&others)?;
            let start = start - self.levels.residences[place][0].start.get();
            let size = range.end.get() - range.start.get();
            let range = Interval::new(Bytes::new(start), Bytes::new(start + size));
            *access = Access::exact(access.kind, PointerId::new(place), range);
        }
        let id = StepId::new(self.program.steps.len());
        self.levels.recomputed.insert(id, original);
        Some(step)
    }

    fn step(&mut self) {
        let id = StepId::new(self.program.steps.len());
        let step = match self.rng.below(10) {
            0..4 => Some(self.compute()),
            4..7 => self.transfer(),
            7 if self.shape.repeats => self.repeat(),
            8 if !self.open.is_empty() => {
                let which = self.rng.below(self.open.len());
                let transfer = self.open.swap_remove(which);
                let token = self.program.steps[transfer.index()].accesses[0].token();
                Some(Step {
                    waits: token.into_iter().collect(),
                    ..Step::default()
                })
            }
            9 => {
                let tensor = self.rng.below(self.sizes.len()) as u32;
                if tensor > 0 {
                    self.levels.births.insert(id, vec![tensor]);
                }
                Some(Step::default())
            }
            _ => None,
        };
        self.program.steps.push(step.unwrap_or_default());
    }

    fn block(&mut self, successors: &[usize]) {
        let first = StepId::new(self.program.steps.len());
        for _ in 0..self.rng.between(1, self.shape.n_steps) {
            self.step();
        }
        let edge = |target: &usize| Edge {
            target: BlockId::new(*target),
            bindings: Vec::new(),
        };
        self.program.blocks.push(Block {
            region: RegionId::new(0),
            steps: Interval::new(first, StepId::new(self.program.steps.len())),
            successors: successors.iter().map(edge).collect(),
        });
    }
}

fn generate(rng: &mut Rng, shape: Shape) -> (Program, Levels) {
    let mut generator = Generator {
        rng,
        shape,
        program: Program {
            name: "random".to_owned(),
            symbols: vec![Symbol {
                name: "p".to_owned(),
                blocks: Vec::new(),
            }],
            regions: vec![Region {
                kind: RegionKind::Function,
                parent: None,
            }],
            ..Program::default()
        },
        levels: Levels::default(),
        sizes: Vec::new(),
        open: Vec::new(),
    };
    generator.storage();
    if shape.has_flow {
        // A way in, a loop with a branch in it, and a way out.
        generator.block(&[1]);
        generator.block(&[2, 3]);
        generator.block(&[4]);
        generator.block(&[4]);
        generator.block(&[1, 5]);
        generator.block(&[]);
    } else {
        generator.block(&[]);
    }
    (generator.program, generator.levels)
}

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
            let (first, last) = (steps(*first, |b| b.steps.start), steps(*last, |b| b.steps.end));
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
fn diverges(program: &Program, levels: &Levels, seed: u64) -> bool {
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

fn seeds() -> std::ops::Range<u64> {
    let first = number("CHECK_SEED", 0);
    first..first + 20 * number("CHECK_CASES", 1000)
}

fn show(program: &Program, levels: &Levels) -> String {
    format!(
        "{}\n{levels:?}",
        print_programs(std::slice::from_ref(program))
    )
}

#[test]
fn whatever_reads_something_else_is_refused() {
    let (mut n_diverged, mut n_accepted) = (0, 0);
    for seed in seeds() {
        let mut rng = Rng::new(seed);
        let n_steps = 1 + seed as usize % 4;
        let shape = Shape {
            n_steps,
            has_flow: seed % 3 > 0,
            is_async: true,
            repeats: true,
        };
        let (program, levels) = generate(&mut rng, shape);
        let checked = check_levels(&program, &levels);
        let diverged = (0..8).any(|run| diverges(&program, &levels, seed * 8 + run));
        n_diverged += u64::from(diverged);
        n_accepted += u64::from(checked.is_ok());
        assert!(
            !(diverged && checked.is_ok()),
            "seed {seed}: not refused\n{}",
            show(&program, &levels)
        );
    }
    assert!(n_diverged > 0 && n_accepted > 0);
}

#[test]
fn on_one_path_nothing_else_is_refused() {
    for seed in seeds() {
        let mut rng = Rng::new(seed);
        let shape = Shape {
            n_steps: 2 + seed as usize % 8,
            has_flow: false,
            is_async: false,
            repeats: seed % 2 > 0,
        };
        let (program, levels) = generate(&mut rng, shape);
        let checked = check_levels(&program, &levels);
        let diverged = diverges(&program, &levels, seed);
        // A repetition of what was not computed is refused whether or not anybody looks at it.
        let is_about_repeating = |violation: &Violation| {
            let of_repetition =
                |step| levels.recomputed.contains_key(step) || levels.births.is_empty();
            match violation {
                Violation::Recomputed { .. } => true,
                Violation::Stale { reader, .. } => {
                    levels.recomputed.contains_key(reader) && of_repetition(reader)
                }
                _ => false,
            }
        };
        let refused = match &checked {
            Ok(()) => false,
            Err(error) => !error.violations.iter().all(is_about_repeating),
        };
        let about = show(&program, &levels);
        assert!(!refused || diverged, "seed {seed}: {checked:?}\n{about}");
        assert!(
            !diverged || checked.is_err(),
            "seed {seed}: not refused\n{about}"
        );
    }
}
