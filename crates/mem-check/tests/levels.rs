//! `check_levels` against execution: random programs with tensors at several sites, transfers,
//! swaps and recomputations are executed side by side with their originals. The checker must reject
//! every program that is seen to read something else. Without control flow and asynchronous
//! transfers, it must reject no other.
//!
//! `CHECK_CASES` and `CHECK_SEED` set the number of cases and the first seed.

#[path = "support/machine.rs"]
mod machine;

use machine::diverges;
use mem_check::{Levels, Residence, TransferKind, Violation, check_levels};
use mem_model::{
    Access, AccessKind, Aliasing, Block, BlockId, Buffer, BufferId, Bytes, Detail, Edge, Interval,
    Literal, Pointer, PointerId, PointerKind, Program, Region, RegionId, RegionKind, Role, Step,
    StepId, Storage, Symbol, SymbolId, TokenId, print_programs,
};
use mem_testkit::{Rng, number};

/// Size in bytes of each of the two memories with sites of tensors.
const MEMORY: usize = 10;

/// The memory of the tensor that is visible to callers.
const OUTSIDE: u32 = 2;

/// The features and size of a random program.
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
        name: name.into(),
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
        location: Default::default(),
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
            // A tensor needs two sites: the checker does not follow tensors with a single one.
            for place in 0..self.rng.between(2, 3) {
                let is_outside = tensor == 0 && place == 0;
                // A site may hold only some bytes of its tensor.
                let start = match is_outside || self.rng.chance(70) {
                    true => 0,
                    false => self.rng.below(size),
                };
                let name = format!("t{tensor}p{place}");
                let pointer = Pointer {
                    name: name.clone().into(),
                    kind: PointerKind::Buffer(BufferId::new(self.program.buffers.len())),
                    size: Some(bytes(size - start)),
                };
                self.program.pointers.push(pointer);
                self.program
                    .buffers
                    .push(buffer(name, size - start, is_outside));
                let memory = match is_outside {
                    true => OUTSIDE,
                    false if place < 2 => place as u32,
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

    /// An access to some bytes of a buffer, possibly conditional.
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
            // A step must not write a tensor twice, nor an address: which value remains would be
            // ambiguous.
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
        self.add_in_place(&mut step);
        step
    }

    /// Declares for some operands that each byte is read before the same byte of a result is
    /// written.
    fn add_in_place(&mut self, step: &mut Step) {
        let of_kind = |kind: AccessKind| {
            let own = step.accesses.iter().filter(move |a| a.kind == kind);
            own.map(|access| access.pointer).collect::<Vec<_>>()
        };
        let (reads, writes) = (of_kind(AccessKind::Use), of_kind(AccessKind::Define));
        // With several accesses through one pointer, the declaration would be ambiguous.
        let once = |names: &[PointerId], name: &PointerId| {
            names.iter().filter(|other| *other == name).count() == 1
        };
        for read in reads.iter().filter(|read| once(&reads, read)) {
            for write in writes.iter().filter(|write| once(&writes, write)) {
                if self.rng.chance(40) {
                    step.in_place.push((*read, *write));
                }
            }
        }
    }

    /// A copy of the same bytes between two sites of one tensor.
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

    /// Repeats an earlier step, at other sites of its tensors.
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
        let mut renamed: Vec<(AccessKind, PointerId, PointerId)> = Vec::new();
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
            renamed.push((access.kind, access.pointer, PointerId::new(place)));
            *access = Access::exact(access.kind, PointerId::new(place), range);
        }
        let rename = |kind: AccessKind, name: PointerId| {
            let own = renamed
                .iter()
                .find(|(k, from, _)| (*k, *from) == (kind, name));
            own.map_or(name, |(.., to)| *to)
        };
        let pairs = step.in_place.iter().map(|(read, write)| {
            let read = rename(AccessKind::Use, *read);
            (read, rename(AccessKind::Define, *write))
        });
        step.in_place = pairs.collect();
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
        // An entry, a loop around a branch, and an exit.
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
            has_flow: !seed.is_multiple_of(3),
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
            repeats: !seed.is_multiple_of(2),
        };
        let (program, levels) = generate(&mut rng, shape);
        let checked = check_levels(&program, &levels);
        let diverged = diverges(&program, &levels, seed);
        // A repetition of a step that has not run is rejected even if its result is never read.
        let is_about_repeating = |violation: &Violation| {
            let of_repetition =
                |step| levels.recomputed.contains_key(step) || levels.births.is_empty();
            match violation {
                Violation::Recomputed { .. } => true,
                Violation::Torn { step, .. } | Violation::OperandOverwritten { step, .. } => {
                    levels.recomputed.contains_key(step)
                }
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
