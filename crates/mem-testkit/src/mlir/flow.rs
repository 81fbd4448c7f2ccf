//! Structured and unstructured control flow, and functions.

use std::fmt::Write as _;

use super::{Buffer, Generator, Scope, names, types};

impl Scope {
    /// A buffer that control flow merges from several others.
    pub(super) fn merged(&self, name: String, size: usize) -> Buffer {
        let partly = self.partly;
        Buffer { name, size, partly }
    }
}

impl Generator<'_> {
    fn inner(&self, scope: &Scope) -> Scope {
        let mut inner = scope.clone();
        inner.depth += 1;
        inner
    }

    /// Up to three buffers that a loop carries or a branch yields.
    pub(super) fn carried(&mut self, scope: &mut Scope) -> Vec<Buffer> {
        let n = self.rng.below(4);
        let size = self.size();
        (0..n).map(|_| self.of_size(scope, size)).collect()
    }

    pub(super) fn next_round(&mut self, scope: &mut Scope, carried: &[Buffer]) -> Vec<Buffer> {
        let n = carried.len();
        if n == 0 {
            return Vec::new();
        }
        let mut next = carried.to_vec();
        match self.rng.below(4) {
            0 => next.rotate_left(self.rng.below(n)),
            1 => {
                next.rotate_right(1);
                next[0] = self.new_buffer(scope, carried[0].size);
            }
            2 => {
                let (a, b) = (self.rng.below(n), self.rng.below(n));
                next.swap(a, b);
            }
            _ => {
                next = (0..n)
                    .map(|_| self.of_size(scope, carried[0].size))
                    .collect()
            }
        }
        next
    }

    /// New names for the results of control flow.
    pub(super) fn named(&mut self, scope: &Scope, like: &[Buffer]) -> Vec<Buffer> {
        like.iter()
            .map(|b| scope.merged(self.fresh(), b.size))
            .collect()
    }

    pub(super) fn end(&mut self, scope: &Scope, name: &str, buffers: &[Buffer]) {
        if !buffers.is_empty() {
            self.line(
                scope,
                &format!("{name} {} : {}", names(buffers), types(buffers)),
            );
        }
    }

    pub(super) fn counted_loop(&mut self, scope: &mut Scope) {
        let starts = self.carried(scope);
        let (inside, results) = (self.named(scope, &starts), self.named(scope, &starts));
        let (zero, one) = (self.constant(scope, 0), self.constant(scope, 1));
        let n = self.rng.below(4);
        let end = match self.rng.chance(30) {
            true => "%n".to_owned(),
            false => self.constant(scope, n),
        };
        let i = self.fresh();
        let pairs: Vec<String> = inside
            .iter()
            .zip(&starts)
            .map(|(a, b)| format!("{} = {}", a.name, b.name))
            .collect();
        let (head, carries) = match starts.is_empty() {
            true => (String::new(), String::new()),
            false => (
                format!("{} = ", names(&results)),
                format!(" iter_args({}) -> ({})", pairs.join(", "), types(&starts)),
            ),
        };
        self.line(
            scope,
            &format!("{head}scf.for {i} = {zero} to {end} step {one}{carries} {{"),
        );
        let mut inner = self.inner(scope);
        inner.indices.push(i);
        inner.buffers.extend(inside.iter().cloned());
        self.block(&mut inner);
        let next = self.next_round(&mut inner, &inside);
        self.end(&inner, "scf.yield", &next);
        self.line(scope, "}");
        scope.buffers.extend(results);
    }

    pub(super) fn branch(&mut self, scope: &mut Scope) {
        let like = self.carried(scope);
        let results = self.named(scope, &like);
        let flag = self.flag(scope);
        let (head, types) = match like.is_empty() {
            true => (String::new(), String::new()),
            false => (
                format!("{} = ", names(&results)),
                format!(" -> ({})", types(&like)),
            ),
        };
        self.line(scope, &format!("{head}scf.if {flag}{types} {{"));
        for arm in 0..2 {
            if arm == 1 {
                self.line(scope, "} else {");
            }
            let mut inner = self.inner(scope);
            inner.is_uniform = false;
            self.block(&mut inner);
            let yielded: Vec<Buffer> = like
                .iter()
                .map(|b| self.of_size(&mut inner, b.size))
                .collect();
            self.end(&inner, "scf.yield", &yielded);
        }
        self.line(scope, "}");
        scope.buffers.extend(results);
    }

    pub(super) fn while_loop(&mut self, scope: &mut Scope) {
        let size = self.size();
        let start = self.of_size(scope, size);
        let (zero, one) = (self.constant(scope, 0), self.constant(scope, 1));
        let n = self.rng.below(4);
        let end = self.constant(scope, n);
        let ty = format!("index, memref<{size}xf32>");
        let (i, j, a, b) = (self.fresh(), self.fresh(), self.fresh(), self.fresh());
        let result = self.fresh();
        let text = format!(
            "{result}:2 = scf.while ({i} = {zero}, {a} = {}) : ({ty}) -> ({ty}) {{",
            start.name
        );
        self.line(scope, &text);
        let mut inner = self.inner(scope);
        inner.buffers.push(scope.merged(a.clone(), size));
        self.statement(&mut inner);
        let flag = self.value(&inner, &format!("arith.cmpi ult, {i}, {end} : index"));
        self.line(&inner, &format!("scf.condition({flag}) {i}, {a} : {ty}"));
        self.line(scope, "} do {");
        self.line(
            scope,
            &format!("^bb0({j}: index, {b}: memref<{size}xf32>):"),
        );
        let mut inner = self.inner(scope);
        inner.indices.push(j.clone());
        let own = scope.merged(b, size);
        inner.buffers.push(own.clone());
        self.block(&mut inner);
        let next = self.next_round(&mut inner, &[own]);
        let following = self.value(&inner, &format!("arith.addi {j}, {one} : index"));
        self.line(
            &inner,
            &format!("scf.yield {following}, {} : {ty}", next[0].name),
        );
        self.line(scope, "}");
        let name = format!("{result}#1");
        scope.buffers.push(scope.merged(name, size));
    }

    /// Each iteration writes an element of its own.
    pub(super) fn parallel_loop(&mut self, scope: &mut Scope) {
        let size = self.size();
        let target = self.new_buffer(scope, size);
        let source = self.any(scope);
        let (zero, one, end) = (
            self.constant(scope, 0),
            self.constant(scope, 1),
            self.constant(scope, size),
        );
        let limit = self.constant(scope, source.size);
        let (i, j, x) = (self.fresh(), self.fresh(), self.fresh());
        let text = format!(
            "scf.parallel ({i}) = ({zero}) to ({end}) step ({one}) {{ {j} = arith.remui {i}, {limit} : index \
             {x} = memref.load {}[{j}] : memref<{}xf32> memref.store {x}, {}[{i}] : memref<{size}xf32> scf.reduce }}",
            source.name, source.size, target.name
        );
        self.line(scope, &text);
        scope.buffers.push(target);
    }

    pub(super) fn main(&mut self) {
        let mut scope = self.main_header();
        let body = self.text.len();
        self.prologue(&mut scope);
        while self.left > 0 {
            match self.rng.below(12) {
                0 => self.diamond(&mut scope),
                1 => self.block_loop(&mut scope),
                _ => self.block(&mut scope),
            }
            self.left = self.left.saturating_sub(1);
        }
        // Folds an element of each buffer into `%z`, so that every buffer is observed.
        for buffer in scope.buffers.clone() {
            let (index, zero) = (self.index(&scope, buffer.size), self.constant(&scope, 0));
            let from = format!(
                "memref.load {}[{index}] : memref<{}xf32>",
                buffer.name, buffer.size
            );
            let (a, b) = (
                self.value(&scope, &from),
                "memref.load %z[%zero] : memref<5xf32>",
            );
            let b = self.value(&scope, &b.replace("%zero", &zero));
            let sum = self.value(&scope, &format!("arith.subf {a}, {b} : f32"));
            self.line(
                &scope,
                &format!("memref.store {sum}, %z[{zero}] : memref<5xf32>"),
            );
        }
        self.text.push_str("  return\n");
        self.shuffle_blocks(body);
        self.text.push_str("}\n");
    }

    /// Shuffles the blocks of the function whose body starts at `body`; the entry stays first.
    pub(super) fn shuffle_blocks(&mut self, body: usize) {
        let text = self.text.split_off(body);
        let mut blocks: Vec<String> = vec![String::new()];
        for line in text.lines() {
            if line.starts_with('^') {
                blocks.push(String::new());
            }
            if let Some(block) = blocks.last_mut() {
                block.push_str(line);
                block.push('\n');
            }
        }
        if self.rng.chance(60) {
            for last in (2..blocks.len()).rev() {
                blocks.swap(last, self.rng.between(1, last));
            }
        }
        self.text.extend(blocks);
    }

    /// A branch to two blocks that meet again.
    pub(super) fn diamond(&mut self, scope: &mut Scope) {
        let size = self.size();
        let flag = self.flag(scope);
        let (a, b, join) = (self.label(), self.label(), self.label());
        self.line(scope, &format!("cf.cond_br {flag}, {a}, {b}"));
        for label in [a, b] {
            let _ = writeln!(self.text, "{label}:");
            let mut inner = scope.clone();
            inner.is_uniform = false;
            self.block(&mut inner);
            let handed = self.of_size(&mut inner, size);
            self.line(
                scope,
                &format!("cf.br {join}({} : memref<{size}xf32>)", handed.name),
            );
        }
        let name = self.fresh();
        let _ = writeln!(self.text, "{join}({name}: memref<{size}xf32>):");
        scope.buffers.push(scope.merged(name, size));
    }

    pub(super) fn block_loop(&mut self, scope: &mut Scope) {
        let size = self.size();
        let start = self.of_size(scope, size);
        let (zero, one) = (self.constant(scope, 0), self.constant(scope, 1));
        let n = self.rng.below(4);
        let end = self.constant(scope, n);
        let (head, body, exit) = (self.label(), self.label(), self.label());
        let (i, name) = (self.fresh(), self.fresh());
        let enter = |index: &str, buffer: &str| {
            format!("cf.br {head}({index}, {buffer} : index, memref<{size}xf32>)")
        };
        self.line(scope, &enter(&zero, &start.name));
        let _ = writeln!(self.text, "{head}({i}: index, {name}: memref<{size}xf32>):");
        let own = scope.merged(name, size);
        scope.buffers.push(own.clone());
        let flag = self.value(scope, &format!("arith.cmpi ult, {i}, {end} : index"));
        self.line(scope, &format!("cf.cond_br {flag}, {body}, {exit}"));
        let _ = writeln!(self.text, "{body}:");
        let mut inner = scope.clone();
        inner.indices.push(i.clone());
        self.block(&mut inner);
        let next = self.next_round(&mut inner, &[own]);
        let following = self.value(scope, &format!("arith.addi {i}, {one} : index"));
        self.line(scope, &enter(&following, &next[0].name));
        let _ = writeln!(self.text, "{exit}:");
    }

    pub(super) fn label(&mut self) -> String {
        self.next += 1;
        format!("^b{}", self.next)
    }
}
