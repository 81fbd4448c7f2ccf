//! Time and memory of the dependence analysis per access, for programs of several shapes and a
//! thousand to a million accesses.
//!
//! `cargo bench -p mem-flow --bench dependence [-- SHAPE]`. Times are those of a single run:
//! building the states, computing liveness, and asking for the sole source of each use. Memory is
//! the peak allocation beyond the program itself.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use mem_flow::dependence::{AccessId, Options, analyze_dependence};
use mem_model::{
    Access, AccessKind, Block, BlockId, Bound, Buffer, BufferId, Bytes, Edge, Interval, Pointer,
    PointerId, PointerKind, Program, Region, RegionId, RegionKind, Role, Step, StepId, Storage,
    Symbol, SymbolId, SymbolicRange,
};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call is forwarded to the system allocator; the counters do not affect memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let now = NOW.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(now, Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `alloc`, which is that of `System`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller upholds the contract of `dealloc`, which is that of `System`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Builds a program block by block.
struct Builder {
    program: Program,
}

impl Builder {
    fn new(n_buffers: usize, size: u64) -> Self {
        let mut program = Program {
            name: "bench".to_owned(),
            ..Program::default()
        };
        program.regions.push(Region {
            kind: RegionKind::Function,
            parent: None,
        });
        for index in 0..n_buffers {
            program.buffers.push(Buffer {
                name: format!("b{index}").into(),
                size: Bytes::new(size),
                alignment: Bytes::new(1),
                role: Role::Intermediate,
                storage: Storage::Planned,
                aliasing: Default::default(),
                location: Default::default(),
            });
            program.pointers.push(Pointer {
                name: format!("p{index}").into(),
                kind: PointerKind::Buffer(BufferId::new(index)),
                size: Some(Bytes::new(size)),
            });
        }
        let mut builder = Self { program };
        builder.block();
        builder
    }

    fn block(&mut self) -> usize {
        let here = StepId::new(self.program.steps.len());
        self.program.blocks.push(Block {
            region: RegionId::new(0),
            steps: Interval::new(here, here),
            successors: Vec::new(),
        });
        self.program.blocks.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize) {
        self.program.blocks[from].successors.push(Edge {
            target: BlockId::new(to),
            bindings: Vec::new(),
        });
    }

    fn step(&mut self, accesses: Vec<Access>) {
        self.program.steps.push(Step {
            accesses,
            ..Step::default()
        });
        let end = StepId::new(self.program.steps.len());
        if let Some(block) = self.program.blocks.last_mut() {
            block.steps.end = end;
        }
    }
}

fn access(kind: AccessKind, buffer: usize, start: u64, end: u64) -> Access {
    let range = Interval::new(Bytes::new(start), Bytes::new(end));
    Access::exact(kind, PointerId::new(buffer), range)
}

fn read(buffer: usize, start: u64, end: u64) -> Access {
    access(AccessKind::Use, buffer, start, end)
}

fn write(buffer: usize, start: u64, end: u64) -> Access {
    access(AccessKind::Define, buffer, start, end)
}

/// Two accesses per step; a hundred accesses per buffer.
fn straight_line(n_accesses: usize) -> Program {
    let n_buffers = n_accesses / 100 + 1;
    let mut builder = Builder::new(n_buffers, 64);
    for step in 0..n_accesses / 2 {
        let (from, to) = (step * 7 % n_buffers, step * 13 % n_buffers);
        builder.step(vec![read(from, 0, 64), write(to, 0, 64)]);
    }
    builder.program
}

/// Each step reads everything that the previous step wrote.
fn chain(n_accesses: usize) -> Program {
    let n_buffers = n_accesses / 2 + 1;
    let mut builder = Builder::new(n_buffers, 64);
    for step in 0..n_accesses / 2 {
        builder.step(vec![read(step, 0, 64), write(step + 1, 0, 64)]);
    }
    builder.program
}

/// Consecutive branches; both arms write, and the join reads.
fn diamonds(n_accesses: usize) -> Program {
    let n_buffers = n_accesses / 100 + 1;
    let mut builder = Builder::new(n_buffers, 64);
    let mut head = 0;
    for diamond in 0..n_accesses / 4 {
        let buffer = diamond % n_buffers;
        let left = builder.block();
        builder.step(vec![write(buffer, 0, 32)]);
        let right = builder.block();
        builder.step(vec![write(buffer, 0, 64)]);
        let join = builder.block();
        builder.step(vec![read(buffer, 0, 64), write(buffer, 60, 64)]);
        for (from, to) in [(head, left), (head, right), (left, join), (right, join)] {
            builder.edge(from, to);
        }
        head = join;
    }
    builder.program
}

/// A sequence of loop nests of depth ten.
fn nested_loops(n_accesses: usize) -> Program {
    const DEPTH: usize = 10;
    let n_buffers = n_accesses / 100 + 1;
    let mut builder = Builder::new(n_buffers, 64);
    let mut last = 0;
    for nest in 0..n_accesses / (4 * DEPTH) {
        let buffer = |depth| (nest * DEPTH + depth) % n_buffers;
        let mut heads = Vec::new();
        for depth in 0..DEPTH {
            let head = builder.block();
            builder.step(vec![
                read(buffer(depth), 0, 64),
                write(buffer(depth), 0, 32),
            ]);
            builder.edge(last, head);
            heads.push(head);
            last = head;
        }
        for (depth, head) in heads.into_iter().enumerate().rev() {
            let latch = builder.block();
            builder.step(vec![
                read(buffer(depth), 0, 64),
                write(buffer(depth), 32, 64),
            ]);
            builder.edge(last, latch);
            builder.edge(latch, head);
            last = latch;
        }
    }
    builder.program
}

/// One buffer; reads and writes of four bytes at 50,000 offsets, in scattered order.
fn many_offsets(n_accesses: usize) -> Program {
    const N_OFFSETS: u64 = 50_000;
    let mut builder = Builder::new(1, 4 * N_OFFSETS);
    for step in 0..n_accesses as u64 / 2 {
        let written = step * 7919 % N_OFFSETS * 4;
        let wanted = step * 104_729 % N_OFFSETS * 4;
        builder.step(vec![
            read(0, wanted, wanted + 4),
            write(0, written, written + 4),
        ]);
    }
    builder.program
}

/// Elements with unknown indices, each written, overwritten and read before the next.
fn unknown_indices(n_accesses: usize) -> Program {
    let n_buffers = n_accesses / 100 + 1;
    let mut builder = Builder::new(n_buffers, 64);
    for step in 0..n_accesses / 3 {
        builder.program.symbols.push(Symbol {
            name: String::new(),
            blocks: vec![BlockId::new(0)],
        });
        let symbol = Some(SymbolId::new(step));
        let element = |kind| {
            let pointer = PointerId::new(step % n_buffers);
            let mut access = Access::anywhere(kind, pointer);
            let bound = |offset| Bound { symbol, offset };
            access.detail_mut().symbolic = Some(SymbolicRange {
                start: bound(0),
                end: bound(4),
                all: true,
            });
            access
        };
        builder.step(vec![element(AccessKind::Define)]);
        builder.step(vec![element(AccessKind::Define)]);
        builder.step(vec![element(AccessKind::Use)]);
    }
    builder.program
}

fn measure(shape: &str, program: &Program) {
    let n_accesses: usize = program.steps.iter().map(|step| step.accesses.len()).sum();
    let before = NOW.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    let start = Instant::now();
    let dependence = analyze_dependence(program, Options::default());
    let built = start.elapsed();
    let live = dependence.live_writes();
    let flooded = start.elapsed();
    let (mut n_sole, mut n_dead) = (0, 0);
    for (index, step) in program.steps.iter().enumerate() {
        for (position, access) in (0..).zip(&step.accesses) {
            let id = AccessId {
                step: StepId::new(index),
                index: position,
            };
            match access.kind {
                AccessKind::Use => n_sole += usize::from(dependence.sole_source(id).is_some()),
                AccessKind::Define => n_dead += usize::from(live.is_dead(id)),
            }
        }
    }
    let total = start.elapsed();
    let bytes = MOST.load(Ordering::Relaxed) - before;
    println!(
        "{shape:<16} {n_accesses:>8} {:>7.0} ms {:>7.0} ms {:>7.0} ms {:>6.0} ns {:>6} B   {n_dead} dead, {n_sole} sole",
        built.as_secs_f64() * 1e3,
        (flooded - built).as_secs_f64() * 1e3,
        (total - flooded).as_secs_f64() * 1e3,
        total.as_secs_f64() * 1e9 / n_accesses as f64,
        bytes / n_accesses,
    );
}

/// Generates a program of approximately the given number of accesses.
type Shape = fn(usize) -> Program;

fn main() {
    let wanted = std::env::args()
        .skip(1)
        .find(|argument| !argument.starts_with('-'));
    let shapes: [(&str, Shape); 6] = [
        ("straight line", straight_line),
        ("chain", chain),
        ("diamonds", diamonds),
        ("nested loops", nested_loops),
        ("50,000 offsets", many_offsets),
        ("unknown indices", unknown_indices),
    ];
    println!("shape            accesses     states  liveness  sources  per access");
    for (name, make) in shapes {
        if wanted
            .as_ref()
            .is_some_and(|wanted| !name.contains(wanted.as_str()))
        {
            continue;
        }
        for n_accesses in [1_000, 10_000, 100_000, 1_000_000] {
            measure(name, &make(n_accesses));
        }
    }
}
