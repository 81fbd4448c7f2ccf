//! Aliased memory: globals, views of one buffer at different offsets, and arguments that are equal
//! or overlap.

use std::fmt::Write as _;

use super::operands::View;
use super::{Buffer, Generator, SIZES, Scope};

/// Number of elements of a helper's arguments.
const HELPER: usize = 8;

/// Number of elements of a buffer that is viewed at different offsets.
const SHARED: usize = 24;

/// A global of `f32`.
#[derive(Clone)]
pub(super) struct Global {
    name: String,
    size: usize,
    is_constant: bool,
}

/// How the two memref arguments of a helper may overlap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Overlap {
    /// They share no byte.
    Never,
    /// They are equal, or share no byte.
    Equal,
    /// They may be views of one buffer at different offsets.
    Partly,
}

/// A function that others call.
#[derive(Clone, Copy)]
pub(super) struct Helper {
    overlap: Overlap,
    /// Whether the offsets of its arguments are known only at run time.
    has_offsets: bool,
    /// Whether its body has several blocks.
    has_blocks: bool,
}

impl Helper {
    fn argument(self, name: &str) -> View {
        match self.has_offsets {
            true => View::anywhere(name.to_owned(), HELPER),
            false => View::dense(name.to_owned(), &[HELPER]),
        }
    }

    fn ty(self) -> String {
        self.argument("").ty()
    }
}

impl Generator<'_> {
    pub(super) fn globals(&mut self) {
        for which in 0..self.rng.below(4) {
            let is_constant = self.rng.chance(30);
            let size = match is_constant {
                true => self.rng.pick(&SIZES).unwrap_or(HELPER),
                false => HELPER,
            };
            let values: Vec<String> = (0..size).map(|i| format!("{which}.{i}")).collect();
            let (keyword, values) = match is_constant {
                true => ("constant ", format!("[{}]", values.join(", "))),
                false => ("", format!("{which}.5")),
            };
            let _ = writeln!(
                self.text,
                "memref.global \"private\" {keyword}@g{which} : memref<{size}xf32> = dense<{values}>"
            );
            let name = format!("@g{which}");
            self.globals.push(Global {
                name,
                size,
                is_constant,
            });
        }
    }

    fn get_global(&mut self, scope: &mut Scope, global: &Global) {
        let size = global.size;
        let name = self.value(
            scope,
            &format!("memref.get_global {} : memref<{size}xf32>", global.name),
        );
        let partly = scope.partly;
        let buffer = Buffer { name, size, partly };
        match global.is_constant {
            true => scope.constants.push(buffer),
            false => scope.buffers.push(buffer),
        }
    }

    /// Adds another name for a global, which may be in scope already.
    pub(super) fn another_global(&mut self, scope: &mut Scope) {
        if let Some(which) = self.rng.pick(&(0..self.globals.len()).collect::<Vec<_>>()) {
            let global = self.globals[which].clone();
            self.get_global(scope, &global);
        }
    }

    pub(super) fn helpers(&mut self) {
        for which in 0..self.rng.below(3) {
            self.helper(which);
        }
    }

    fn helper(&mut self, which: usize) {
        let overlap = match self.rng.below(3) {
            _ if !self.shape.aliasing => Overlap::Never,
            0 => Overlap::Never,
            1 => Overlap::Equal,
            _ => Overlap::Partly,
        };
        let has_offsets = overlap == Overlap::Partly && self.rng.chance(50);
        let helper = Helper {
            overlap,
            has_offsets,
            has_blocks: self.rng.chance(25),
        };
        let ty = helper.ty();
        let visibility = ["private ", ""][usize::from(self.rng.chance(30))];
        let attributes = ["", "attributes {no_inline} "][usize::from(self.rng.chance(50))];
        let _ = writeln!(
            self.text,
            "func.func {visibility}@helper{which}(%a: {ty}, %b: {ty}, %n: index) {attributes}{{"
        );
        let body = self.text.len();
        let left = std::mem::replace(&mut self.left, 5);
        let mut scope = Scope {
            indices: vec!["%n".to_owned()],
            depth: 3,
            partly: overlap == Overlap::Partly,
            ..Scope::default()
        };
        let [a, b] = ["%a", "%b"].map(|name| helper.argument(name));
        if has_offsets {
            scope.views = vec![a, b.clone()];
            let first = self.allocate(&scope, HELPER);
            let value = self.float(&scope);
            let (name, ty) = (&first.name, format!("memref<{HELPER}xf32>"));
            let fill = format!("linalg.fill ins({value} : f32) outs({name} : {ty})");
            self.line(&scope, &fill);
            scope.buffers.push(first);
        } else {
            let argument = |view: View| scope.merged(view.name, HELPER);
            scope.buffers = [a, b.clone()].map(argument).to_vec();
        }
        self.block(&mut scope);
        if helper.has_blocks {
            self.diamond(&mut scope);
        }
        self.structured_into(&mut scope, &b);
        self.text.push_str("  return\n");
        self.shuffle_blocks(body);
        self.text.push_str("}\n");
        self.left = left;
        self.helpers.push(helper);
    }

    /// Writes the header of `main`, which is the function to run. Returns the scope of its body.
    pub(super) fn main_header(&mut self) -> Scope {
        let partly = self.rng.chance(30);
        let shared = match partly && self.rng.chance(60) {
            true => format!("%shared: memref<{}xi8>, ", 4 * SHARED),
            false => String::new(),
        };
        let _ = writeln!(
            self.text,
            "func.func @main(%x: memref<8xf32>, %y: memref<8xf32>, %z: memref<5xf32>, {shared}%flag: i1, %n: index) {{"
        );
        let mut scope = Scope {
            indices: vec!["%n".to_owned()],
            flags: vec!["%flag".to_owned()],
            partly,
            depth: 1,
            is_uniform: self.communicates,
            ..Scope::default()
        };
        if self.communicates {
            self.ranks(&scope);
        }
        let arguments = [("%x", 8), ("%y", 8), ("%z", 5)];
        scope.buffers = arguments
            .map(|(name, size)| Buffer {
                name: name.to_owned(),
                size,
                partly: false,
            })
            .to_vec();
        if partly {
            let base = match shared.is_empty() {
                true => self.shared(&mut scope),
                false => "%shared".to_owned(),
            };
            for _ in 0..self.rng.between(2, 4) {
                let size = self.size();
                let view = self.shifted(&scope, &base, size);
                scope.buffers.push(view);
            }
        }
        scope
    }

    /// Allocates and fills bytes from which views can be taken.
    fn shared(&mut self, scope: &mut Scope) -> String {
        let ty = format!("memref<{}xi8>", 4 * SHARED);
        let base = self.value(
            scope,
            &format!("memref.alloc() {{alignment = 16 : i64}} : {ty}"),
        );
        let zero = self.constant(scope, 0);
        let to = format!("memref<{SHARED}xf32>");
        let all = self.value(
            scope,
            &format!("memref.view {base}[{zero}][] : {ty} to {to}"),
        );
        let value = self.float(scope);
        self.line(
            scope,
            &format!("linalg.fill ins({value} : f32) outs({all} : {to})"),
        );
        base
    }

    /// A view of shared bytes at a random offset.
    fn shifted(&mut self, scope: &Scope, base: &str, size: usize) -> Buffer {
        let most = (SHARED - size).min(6);
        let start = 4 * self.rng.between(0, most);
        let start = self.constant(scope, start);
        let text = format!(
            "memref.view {base}[{start}][] : memref<{}xi8> to memref<{size}xf32>",
            4 * SHARED
        );
        let name = self.value(scope, &text);
        let partly = true;
        Buffer { name, size, partly }
    }

    /// Gets names for some globals before anything else.
    pub(super) fn prologue(&mut self, scope: &mut Scope) {
        for global in self.globals.clone() {
            if self.rng.chance(60) {
                self.get_global(scope, &global);
            }
        }
    }

    pub(super) fn call(&mut self, scope: &mut Scope) {
        let Some(which) = self.rng.pick(&(0..self.helpers.len()).collect::<Vec<_>>()) else {
            return;
        };
        let helper = self.helpers[which];
        // If inlined, its blocks would separate a transfer from its wait. Planning needs both in
        // one block.
        if helper.has_blocks && scope.in_flight {
            return;
        }
        let ty = helper.ty();
        let call = |a: &str, b: &str| {
            format!("func.call @helper{which}({a}, {b}, %n) : ({ty}, {ty}, index) -> ()")
        };
        if helper.has_offsets {
            let root = self.root(scope, HELPER + 3, None, false);
            let (a, b) = (self.anywhere(scope, &root), self.anywhere(scope, &root));
            return self.line(scope, &call(&a, &b));
        }
        match helper.overlap {
            Overlap::Partly if self.rng.chance(70) => {
                let base = self.shared(scope);
                let [a, b] = [0; 2].map(|_| self.shifted(scope, &base, HELPER));
                self.line(scope, &call(&a.name, &b.name));
                let seen = self.new_buffer(scope, HELPER);
                self.elementwise(scope, &a.name, &seen.name, HELPER, true);
                scope.buffers.push(seen);
            }
            Overlap::Partly | Overlap::Equal => {
                let (a, b) = self.equal_or_disjoint(scope);
                self.line(scope, &call(&a.name, &b.name));
            }
            Overlap::Never => {
                let a = self.of_size(scope, HELPER);
                // The callee may write `b` before it reads `a`, so `b` must not alias `a`.
                let b = self.new_buffer(scope, HELPER);
                self.line(scope, &call(&a.name, &b.name));
                scope.buffers.push(b);
            }
        }
    }

    fn equal_or_disjoint(&mut self, scope: &mut Scope) -> (Buffer, Buffer) {
        let a = self.of_size(scope, HELPER);
        let b = match self.rng.chance(50) {
            true => a.clone(),
            false => self.of_size(scope, HELPER),
        };
        match a.partly && b.partly {
            true => (a.clone(), a),
            false => (a, b),
        }
    }
}
