//! Random programs for dependence analysis, and an oracle that tracks the last write of each byte.

mod machine;
mod paths;

pub use machine::{Observer, Origin, Run, observe};
pub use paths::all_paths;

use mem_model::{
    Access, AccessKind, Aliasing, BlockId, Bound, Bytes, Interval, IntervalSet, Literal,
    PointerKind, Program, Rows, Storage, Symbol, SymbolId, SymbolicRange, TokenId,
};

use crate::{Rng, random_program};

/// Features that a random program may have beyond exact accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Merges, loops, arbitrary edges.
    pub flow: bool,
    /// Accesses that may or may not touch bytes: lists of rows, two-sided bounds.
    pub inexact: bool,
    /// Bounds and predicates that depend on values of the program.
    pub symbols: bool,
    /// Asynchronous accesses.
    pub tokens: bool,
    /// Buffers that may share bytes.
    pub aliasing: bool,
}

impl Features {
    /// All features.
    pub const ALL: Self = Self {
        flow: true,
        inexact: true,
        symbols: true,
        tokens: true,
        aliasing: true,
    };
    /// Straight lines and joins of exact accesses, for which the analysis must be exact.
    pub const EXACT: Self = Self {
        flow: false,
        inexact: false,
        symbols: false,
        tokens: false,
        aliasing: false,
    };

    /// A random subset.
    #[must_use]
    pub fn random(rng: &mut Rng) -> Self {
        Self {
            flow: rng.chance(80),
            inexact: rng.chance(60),
            symbols: rng.chance(60),
            tokens: rng.chance(30),
            aliasing: rng.chance(30),
        }
    }
}

/// Generates a valid program of about `size` steps and control structures.
#[must_use]
pub fn random_dependence_program(rng: &mut Rng, size: usize, features: Features) -> Program {
    let mut program = random_program(rng, size);
    if features.symbols {
        add_symbols(rng, &mut program);
    }
    if features.aliasing {
        for buffer in &mut program.buffers {
            if buffer.storage == Storage::External {
                let kinds = [Aliasing::Reachable, Aliasing::Argument, Aliasing::Unknown];
                buffer.aliasing = rng.pick(&kinds).unwrap_or_default();
            }
        }
    }
    if !features.flow {
        keep_forward_edges(&mut program);
    }
    for step in 0..program.steps.len() {
        for index in 0..program.steps[step].accesses.len() {
            let old = program.steps[step].accesses[index].clone();
            let size = match program.pointers[old.pointer.index()].size {
                Some(size) => size.get() as usize,
                None => 4,
            };
            program.steps[step].accesses[index] = decorate(rng, &program, old, size, features);
        }
    }
    if features.tokens && !program.steps.is_empty() {
        add_tokens(rng, &mut program);
    }
    program
}

/// Adds symbols for bounds and predicates to depend on, with arbitrary homes.
fn add_symbols(rng: &mut Rng, program: &mut Program) {
    for number in 0..rng.between(1, 4) {
        // Prefers early blocks, as these dominate more blocks.
        let n_blocks = rng.between(1, program.blocks.len());
        let n_homes = rng.below(3);
        program.symbols.push(Symbol {
            name: format!("n{number}"),
            blocks: (0..n_homes)
                .map(|_| BlockId::new(rng.below(n_blocks)))
                .collect(),
        });
    }
}

/// Removes back edges and accesses through merges, so that only straight lines and joins remain.
fn keep_forward_edges(program: &mut Program) {
    for (index, block) in program.blocks.iter_mut().enumerate() {
        block.successors.retain(|edge| edge.target.index() > index);
    }
    for pointer in &mut program.pointers {
        if let PointerKind::Buffer(buffer) = pointer.kind {
            pointer.size = Some(program.buffers[buffer.index()].size);
        }
    }
    for step in &mut program.steps {
        step.accesses
            .retain(|access| program.pointers[access.pointer.index()].kind != PointerKind::Merge);
    }
}

fn range(start: usize, end: usize) -> Interval<Bytes> {
    Interval::new(Bytes::new(start as u64), Bytes::new(end as u64))
}

/// Varies the access `old` within `features`.
fn decorate(
    rng: &mut Rng,
    program: &Program,
    old: Access,
    size: usize,
    features: Features,
) -> Access {
    let mut access = old;
    if !features.inexact {
        let (a, b) = (rng.between(0, size), rng.between(0, size));
        let exact = match rng.chance(50) {
            true => range(0, size),
            false => range(a.min(b), a.max(b)),
        };
        access = Access::exact(access.kind, access.pointer, exact);
    } else if rng.chance(20) {
        let mut bounds = [(); 4].map(|()| rng.between(0, size));
        bounds.sort_unstable();
        access.may = Some(range(bounds[0], bounds[3]));
        access.must = Some(range(bounds[1], bounds[2]));
    } else if rng.chance(20) {
        let bytes = (0..size).filter(|_| rng.chance(50));
        let bytes: IntervalSet<Bytes> = bytes.map(|byte| range(byte, byte + 1)).collect();
        access.may = Some(bytes.hull().unwrap_or(range(0, 0)));
        access.must = None;
        let all = rng.chance(50);
        access.detail_mut().rows = Some(Rows { bytes, all });
    }
    if features.symbols {
        add_details(rng, program, &mut access, size);
    }
    access
}

fn add_details(rng: &mut Rng, program: &Program, access: &mut Access, size: usize) {
    let symbol = |rng: &mut Rng| SymbolId::new(rng.below(program.symbols.len()));
    if rng.chance(25) {
        let start_symbol = symbol(rng);
        let bound = |symbol, offset| Bound { symbol, offset };
        let (a, b) = (rng.between(0, 2) as i64, rng.between(1, 2) as i64);
        let (start, end) = match rng.below(3) {
            0 => (bound(None, 0), bound(Some(start_symbol), a)),
            1 => (bound(Some(start_symbol), a), bound(None, size as i64)),
            _ => (
                bound(Some(start_symbol), a),
                bound(Some(start_symbol), a + b),
            ),
        };
        access.may = rng.chance(50).then_some(range(0, size));
        access.must = None;
        let all = rng.chance(70);
        let detail = access.detail_mut();
        detail.rows = None;
        detail.symbolic = Some(SymbolicRange { start, end, all });
    }
    if rng.chance(30) {
        for _ in 0..rng.between(1, 2) {
            let literal = Literal {
                symbol: symbol(rng),
                holds: rng.chance(50),
            };
            access.detail_mut().predicate.push(literal);
        }
    }
}

/// Makes some steps asynchronous, and makes later steps wait for them.
fn add_tokens(rng: &mut Rng, program: &mut Program) {
    let n_steps = program.steps.len();
    for number in 0..rng.between(1, 3) {
        let token = TokenId::new(number);
        program.tokens.push(format!("t{number}"));
        let issuer = rng.below(n_steps);
        for access in &mut program.steps[issuer].accesses {
            access.detail_mut().token = Some(token);
        }
        for _ in 0..rng.between(0, 2) {
            let waiter = rng.between(issuer, (issuer + 6).min(n_steps - 1));
            program.steps[waiter].waits.push(token);
        }
    }
}

/// Whether an access reads.
pub(crate) fn is_use(access: &Access) -> bool {
    access.kind == AccessKind::Use
}
