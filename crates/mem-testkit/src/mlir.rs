//! Random MLIR programs on buffers, as text.
//!
//! The programs contain what optimizations and planners reason about.
//!
//! * Lifetimes that are hard to find: buffers that loops rotate, replace or keep for two
//!   iterations, selects and branches that merge buffers, views that are written partially,
//!   asynchronous copies that overlap with other work, predicated kernels, calls, prime sizes, and
//!   sizes known only at run time.
//! * `linalg` operations that read in another order than they write: reversed, permuted, shifted
//!   and constant maps, broadcasts, reductions, matrix products, convolutions. Their operands
//!   overlap their results in every way: the same view, a shifted or transposed view of the same
//!   buffer, or a temporary that is copied from or to such a view.
//! * Aliased memory: views of one buffer at different offsets, arguments that are equal or overlap
//!   partially, globals that are both passed as arguments and accessed directly.
//! * Messages between two ranks, blocking or as requests, beside any other statements. Loops and
//!   branches carry requests.
//! * Blocks in any textual order.
//!
//! # Guarantees
//!
//! * Every byte is written before it is read on every path, so results do not depend on the content
//!   of fresh memory.
//! * No `memref.copy` has operands that overlap partially, which would be undefined. Two buffers in
//!   a scope are equal or disjoint unless one of them is marked ([`Buffer::partly`]); a view may
//!   overlap anything except a buffer that was just allocated. A `linalg` operation whose operands
//!   overlap has the semantics of its loops in row-major order.
//! * Constant globals are never written.
//! * Without [`MlirShape::aliasing`], no function is called with arguments that share bytes.

mod aliasing;
mod carried;
mod exchanges;
mod flow;
mod heads;
mod layers;
mod mutate;
mod operands;
mod statements;
mod structured;

use std::fmt::Write as _;

use crate::Rng;
use aliasing::{Global, Helper};
pub use layers::{random_layers, random_sparse_layers};
pub use mutate::mutated_mlir;
use operands::View;

/// Selects what a program may contain.
#[derive(Clone, Copy, Debug)]
pub struct MlirShape {
    /// Approximate number of statements.
    pub n_statements: usize,
    /// Kernels and transfers, which only this project can lower.
    pub own_operations: bool,
    /// Calls with arguments that are equal or overlap.
    pub aliasing: bool,
}

/// Generates a module with a function `main`. Equal choices of `rng` give equal modules.
#[must_use]
pub fn random_mlir(rng: &mut Rng, shape: MlirShape) -> String {
    program(rng, shape, false)
}

/// Generates a module as [`random_mlir`] does, which two ranks run at the same time and exchange data.
#[must_use]
pub fn random_exchanges(rng: &mut Rng, shape: MlirShape) -> String {
    program(rng, shape, true)
}

fn program(rng: &mut Rng, shape: MlirShape, communicates: bool) -> String {
    let mut generator = Generator {
        rng,
        shape,
        communicates,
        left: shape.n_statements,
        text: String::new(),
        next: 0,
        helpers: Vec::new(),
        globals: Vec::new(),
    };
    generator.globals();
    generator.helpers();
    generator.main();
    generator.text
}

/// A one-dimensional memref of `f32` that has been written completely.
#[derive(Clone)]
struct Buffer {
    name: String,
    size: usize,
    /// Whether it may overlap another buffer without being equal to it.
    partly: bool,
}

/// Names in scope.
#[derive(Clone, Default)]
struct Scope {
    buffers: Vec<Buffer>,
    indices: Vec<String>,
    flags: Vec<String>,
    /// Memrefs with other layouts, written completely; they may overlap anything.
    views: Vec<View>,
    /// Constant globals.
    constants: Vec<Buffer>,
    /// Whether some buffer of the function is `partly`; then results of control flow are, too.
    partly: bool,
    /// Whether an asynchronous transfer is in flight.
    in_flight: bool,
    /// Whether both ranks execute the block equally often, and may exchange data.
    is_uniform: bool,
    depth: usize,
}

const SIZES: [usize; 7] = [1, 3, 5, 8, 8, 13, 16];
const MAP: &str = "affine_map<(d0) -> (d0)>";

struct Generator<'r> {
    rng: &'r mut Rng,
    shape: MlirShape,
    /// Whether two ranks run the program.
    communicates: bool,
    left: usize,
    text: String,
    next: usize,
    helpers: Vec<Helper>,
    globals: Vec<Global>,
}

impl Generator<'_> {
    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn line(&mut self, scope: &Scope, text: &str) {
        let _ = writeln!(self.text, "{:width$}{text}", "", width = 2 * scope.depth);
    }

    fn value(&mut self, scope: &Scope, text: &str) -> String {
        let name = self.fresh();
        self.line(scope, &format!("{name} = {text}"));
        name
    }

    fn constant(&mut self, scope: &Scope, number: usize) -> String {
        self.value(scope, &format!("arith.constant {number} : index"))
    }

    fn float(&mut self, scope: &Scope) -> String {
        let number = self.rng.below(64);
        self.value(scope, &format!("arith.constant {number}.25 : f32"))
    }

    fn pick(&mut self, scope: &Scope, size: usize) -> Option<Buffer> {
        let fitting = scope.buffers.iter().filter(|b| b.size == size);
        let fitting: Vec<&Buffer> = fitting.collect();
        self.rng.pick(&fitting).cloned()
    }

    fn any(&mut self, scope: &Scope) -> Buffer {
        let index = self.rng.below(scope.buffers.len());
        scope.buffers[index].clone()
    }

    /// A written buffer of the given size.
    fn of_size(&mut self, scope: &mut Scope, size: usize) -> Buffer {
        match self.pick(scope, size) {
            Some(buffer) if self.rng.chance(70) => buffer,
            _ => self.new_buffer(scope, size),
        }
    }

    fn allocate(&mut self, scope: &Scope, size: usize) -> Buffer {
        let alignment = match self.rng.below(4) {
            0 => " {alignment = 64 : i64}",
            1 => " {alignment = 16 : i64}",
            _ => "",
        };
        let name = self.value(
            scope,
            &format!("memref.alloc(){alignment} : memref<{size}xf32>"),
        );
        let partly = false;
        Buffer { name, size, partly }
    }

    fn new_buffer(&mut self, scope: &mut Scope, size: usize) -> Buffer {
        let buffer = self.allocate(scope, size);
        if self.rng.chance(15) {
            self.statement(scope);
        }
        self.write(scope, &buffer, true);
        buffer
    }

    /// Writes all of `target`, whose old content may be undefined. `is_new`: no other name aliases
    /// it.
    fn write(&mut self, scope: &mut Scope, target: &Buffer, is_new: bool) {
        let (name, size) = (&target.name, target.size);
        let source = self.pick(scope, size);
        match (self.rng.below(6), source) {
            (0 | 1, Some(source)) => {
                self.elementwise(scope, &source.name.clone(), name, size, false)
            }
            (2, Some(source)) if !(source.partly && target.partly) => {
                let (from, ty) = (&source.name, format!("memref<{size}xf32>"));
                self.line(scope, &format!("memref.copy {from}, {name} : {ty} to {ty}"));
            }
            (3, Some(source)) if is_new => self.lookup(scope, &source, target),
            (4, _) if is_new && self.shape.own_operations => {
                let source = self.any(scope);
                let text = format!(
                    "mem.kernel \"k{}\" uses({} : memref<{}xf32>) defines({name} : memref<{size}xf32>)",
                    self.next, source.name, source.size
                );
                // Kernels of equal names have equal effects, so each kernel gets a name of its own.
                self.next += 1;
                self.line(scope, &text);
            }
            _ => {
                let value = self.float(scope);
                let text =
                    format!("linalg.fill ins({value} : f32) outs({name} : memref<{size}xf32>)");
                self.line(scope, &text);
            }
        }
    }

    fn elementwise(&mut self, scope: &Scope, a: &str, target: &str, size: usize, reads: bool) {
        let second = self
            .pick(scope, size)
            .map_or_else(|| a.to_owned(), |b| b.name);
        let ty = format!("memref<{size}xf32>");
        let (x, y, z, r) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let last = if reads { &z } else { &y };
        let text = format!(
            "linalg.generic {{indexing_maps = [{MAP}, {MAP}, {MAP}], iterator_types = [\"parallel\"]}} \
             ins({a}, {second} : {ty}, {ty}) outs({target} : {ty}) {{ ^bb0({x}: f32, {y}: f32, {z}: f32): \
             {r} = arith.subf {x}, {last} : f32 linalg.yield {r} : f32 }}"
        );
        self.line(scope, &text);
    }

    /// Writes `target` with the elements of `table` in reverse order, by a load inside the body.
    fn lookup(&mut self, scope: &Scope, table: &Buffer, target: &Buffer) {
        let (x, i, j, y) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let last = self.constant(scope, table.size - 1);
        let text = format!(
            "linalg.generic {{indexing_maps = [{MAP}], iterator_types = [\"parallel\"]}} outs({target} : \
             memref<{size}xf32>) {{ ^bb0({x}: f32): {i} = linalg.index 0 : index {j} = arith.subi {last}, {i} : index \
             {y} = memref.load {from}[{j}] : memref<{size}xf32> linalg.yield {y} : f32 }}",
            target = target.name,
            from = table.name,
            size = target.size,
        );
        self.line(scope, &text);
    }
}

fn names(buffers: &[Buffer]) -> String {
    buffers
        .iter()
        .map(|b| b.name.clone())
        .collect::<Vec<_>>()
        .join(", ")
}

fn types(buffers: &[Buffer]) -> String {
    let types = buffers.iter().map(|b| format!("memref<{}xf32>", b.size));
    types.collect::<Vec<_>>().join(", ")
}
