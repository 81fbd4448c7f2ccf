//! Statements without blocks of their own.

use super::{Buffer, Generator, SIZES, Scope};

impl Generator<'_> {
    pub(super) fn block(&mut self, scope: &mut Scope) {
        for _ in 0..self.rng.between(1, 4) {
            self.statement(scope);
        }
    }

    pub(super) fn statement(&mut self, scope: &mut Scope) {
        if self.left == 0 {
            return;
        }
        self.left -= 1;
        // Only such programs draw more numbers.
        if scope.is_uniform && self.rng.chance(30) {
            return self.exchange(scope);
        }
        let may_nest = scope.depth < 5;
        match self.rng.below(28) {
            0 | 1 => {
                let size = self.size();
                let buffer = self.new_buffer(scope, size);
                scope.buffers.push(buffer);
            }
            2 | 3 => {
                let target = self.any(scope);
                self.write(scope, &target, false);
            }
            4 => {
                let target = self.any(scope);
                let source = self.of_size(scope, target.size);
                self.elementwise(scope, &source.name, &target.name, target.size, true);
            }
            5 => self.partial(scope),
            6 => self.element(scope),
            7 => self.dynamic_view(scope),
            8 => self.reduction(scope),
            9 => self.reshape(scope),
            10 => self.run_time_size(scope),
            11 => self.temporary(scope),
            12 => self.small(scope),
            13 => self.choose(scope),
            14 => self.call(scope),
            15 if self.shape.own_operations => self.kernel(scope),
            16 if self.shape.own_operations => self.asynchronous(scope),
            17 | 18 if may_nest => self.counted_loop(scope),
            19 if may_nest => self.branch(scope),
            20 if may_nest => self.while_loop(scope),
            21 if may_nest => self.parallel_loop(scope),
            22..=26 => self.structured(scope),
            27 => self.another_global(scope),
            _ => {}
        }
    }

    pub(super) fn size(&mut self) -> usize {
        self.rng.pick(&SIZES).unwrap_or(8)
    }

    pub(super) fn index(&mut self, scope: &Scope, limit: usize) -> String {
        match self.rng.pick(&(0..scope.indices.len()).collect::<Vec<_>>()) {
            Some(which) if self.rng.chance(60) => {
                let limit = self.constant(scope, limit);
                self.value(
                    scope,
                    &format!("arith.remui {}, {limit} : index", scope.indices[which]),
                )
            }
            _ => {
                let number = self.rng.below(limit);
                self.constant(scope, number)
            }
        }
    }

    pub(super) fn flag(&mut self, scope: &mut Scope) -> String {
        match self.rng.below(3) {
            0 => {
                let flags = (0..scope.flags.len()).collect::<Vec<_>>();
                match self.rng.pick(&flags) {
                    Some(which) => scope.flags[which].clone(),
                    None => self.value(scope, "arith.constant true"),
                }
            }
            1 => {
                let (a, b) = (self.index(scope, 3), self.index(scope, 3));
                self.value(scope, &format!("arith.cmpi ult, {a}, {b} : index"))
            }
            _ => {
                let (a, b) = (self.loaded(scope), self.loaded(scope));
                self.value(scope, &format!("arith.cmpf olt, {a}, {b} : f32"))
            }
        }
    }

    pub(super) fn loaded(&mut self, scope: &Scope) -> String {
        let buffer = self.any(scope);
        let index = self.index(scope, buffer.size);
        let text = format!(
            "memref.load {}[{index}] : memref<{}xf32>",
            buffer.name, buffer.size
        );
        self.value(scope, &text)
    }

    /// A strided part of a buffer.
    pub(super) fn part(
        &mut self,
        scope: &Scope,
        buffer: &Buffer,
        count: usize,
    ) -> (String, String) {
        let stride = if 2 * count <= buffer.size && self.rng.chance(40) {
            2
        } else {
            1
        };
        let offset = self.rng.below(buffer.size - (count - 1) * stride);
        let ty = format!("memref<{count}xf32, strided<[{stride}], offset: {offset}>>");
        let text = format!(
            "memref.subview {}[{offset}] [{count}] [{stride}] : memref<{}xf32> to {ty}",
            buffer.name, buffer.size
        );
        (self.value(scope, &text), ty)
    }

    pub(super) fn partial(&mut self, scope: &mut Scope) {
        let (a, b) = (self.any(scope), self.any(scope));
        let count = self.rng.between(1, a.size.min(b.size));
        let (target, to) = self.part(scope, &b, count);
        if self.rng.chance(40) {
            let value = self.float(scope);
            return self.line(
                scope,
                &format!("linalg.fill ins({value} : f32) outs({target} : {to})"),
            );
        }
        let (source, from) = self.part(scope, &a, count);
        // Both parts may overlap in one buffer, so the copy goes through a temporary.
        let between = self.value(scope, &format!("memref.alloc() : memref<{count}xf32>"));
        let text = format!("memref.copy {source}, {between} : {from} to memref<{count}xf32>");
        self.line(scope, &text);
        if self.rng.chance(30) {
            self.block(scope);
        }
        let text =
            format!("linalg.copy ins({between} : memref<{count}xf32>) outs({target} : {to})");
        self.line(scope, &text);
    }

    pub(super) fn element(&mut self, scope: &mut Scope) {
        let value = self.loaded(scope);
        if self.rng.chance(30) {
            self.block(scope);
        }
        let target = self.any(scope);
        let index = self.index(scope, target.size);
        let text = format!(
            "memref.store {value}, {}[{index}] : memref<{}xf32>",
            target.name, target.size
        );
        self.line(scope, &text);
    }

    pub(super) fn dynamic_view(&mut self, scope: &mut Scope) {
        let target = self.any(scope);
        let count = self.rng.between(1, target.size);
        let offset = self.index(scope, target.size - count + 1);
        let ty = format!("memref<{count}xf32, strided<[1], offset: ?>>");
        let text = format!(
            "memref.subview {}[{offset}] [{count}] [1] : memref<{}xf32> to {ty}",
            target.name, target.size
        );
        let view = self.value(scope, &text);
        let value = self.float(scope);
        self.line(
            scope,
            &format!("linalg.fill ins({value} : f32) outs({view} : {ty})"),
        );
    }

    /// Each element of the target depends on all of the source.
    pub(super) fn reduction(&mut self, scope: &mut Scope) {
        let size = self.size();
        let source = self.any(scope);
        let target = self.new_buffer(scope, size);
        let (x, y, r) = (self.fresh(), self.fresh(), self.fresh());
        let text = format!(
            "linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], \
             iterator_types = [\"parallel\", \"reduction\"]}} ins({} : memref<{}xf32>) outs({} : memref<{size}xf32>) \
             {{ ^bb0({x}: f32, {y}: f32): {r} = arith.subf {y}, {x} : f32 linalg.yield {r} : f32 }}",
            source.name, source.size, target.name
        );
        self.line(scope, &text);
        scope.buffers.push(target);
    }

    pub(super) fn reshape(&mut self, scope: &mut Scope) {
        let (a, b) = (self.of_size(scope, 8), self.of_size(scope, 8));
        let square = |name: &str| {
            format!(
                "memref.expand_shape {name} [[0, 1]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>"
            )
        };
        let (from, to) = (square(&a.name), square(&b.name));
        let (from, to) = (self.value(scope, &from), self.value(scope, &to));
        if self.rng.chance(30) {
            self.statement(scope);
        }
        let map = "affine_map<(d0, d1) -> (d0, d1)>";
        let (x, y, r) = (self.fresh(), self.fresh(), self.fresh());
        let text = format!(
            "linalg.generic {{indexing_maps = [{map}, {map}], iterator_types = [\"parallel\", \"parallel\"]}} \
             ins({from} : memref<2x4xf32>) outs({to} : memref<2x4xf32>) {{ ^bb0({x}: f32, {y}: f32): \
             {r} = arith.subf {x}, {y} : f32 linalg.yield {r} : f32 }}"
        );
        self.line(scope, &text);
    }

    /// Buffers whose size, at least one element, is known only at run time.
    pub(super) fn run_time_size(&mut self, scope: &mut Scope) {
        let one = self.constant(scope, 1);
        let size = self.value(scope, &format!("arith.addi %n, {one} : index"));
        let ty = "memref<?xf32>";
        let buffer = self.value(scope, &format!("memref.alloc({size}) : {ty}"));
        let value = self.loaded(scope);
        self.line(
            scope,
            &format!("linalg.fill ins({value} : f32) outs({buffer} : {ty})"),
        );
        if self.rng.chance(50) {
            let (value, zero) = (self.loaded(scope), self.constant(scope, 0));
            self.line(
                scope,
                &format!("memref.store {value}, {buffer}[{zero}] : {ty}"),
            );
        }
        let other = self.value(scope, &format!("memref.alloc({size}) : {ty}"));
        self.line(
            scope,
            &format!("memref.copy {buffer}, {other} : {ty} to {ty}"),
        );
        self.block(scope);
        let (target, zero) = (self.any(scope), self.constant(scope, 0));
        let value = self.value(scope, &format!("memref.load {other}[{zero}] : {ty}"));
        let text = format!(
            "memref.store {value}, {}[{zero}] : memref<{}xf32>",
            target.name, target.size
        );
        self.line(scope, &text);
    }

    /// A buffer that is freed explicitly.
    pub(super) fn temporary(&mut self, scope: &mut Scope) {
        let size = self.size();
        let buffer = self.new_buffer(scope, size);
        self.block(scope);
        let target = self.of_size(scope, size);
        self.elementwise(scope, &buffer.name, &target.name, size, true);
        self.line(
            scope,
            &format!("memref.dealloc {} : memref<{size}xf32>", buffer.name),
        );
    }

    /// Buffers without dimensions, or without bytes.
    pub(super) fn small(&mut self, scope: &mut Scope) {
        let value = self.loaded(scope);
        let scalar = self.value(scope, "memref.alloc() : memref<f32>");
        self.line(
            scope,
            &format!("memref.store {value}, {scalar}[] : memref<f32>"),
        );
        let empty = self.value(scope, "memref.alloc() : memref<0xf32>");
        self.line(
            scope,
            &format!("linalg.fill ins({value} : f32) outs({empty} : memref<0xf32>)"),
        );
        self.block(scope);
        let target = self.any(scope);
        let index = self.index(scope, target.size);
        let value = self.value(scope, &format!("memref.load {scalar}[] : memref<f32>"));
        let text = format!(
            "memref.store {value}, {}[{index}] : memref<{}xf32>",
            target.name, target.size
        );
        self.line(scope, &text);
    }

    pub(super) fn choose(&mut self, scope: &mut Scope) {
        let size = self.size();
        let (a, b) = (self.of_size(scope, size), self.of_size(scope, size));
        let flag = self.flag(scope);
        let text = format!(
            "arith.select {flag}, {}, {} : memref<{size}xf32>",
            a.name, b.name
        );
        let name = self.value(scope, &text);
        scope.buffers.push(scope.merged(name, size));
    }

    /// A kernel with operands of all kinds. Nothing else aliases those that it writes.
    pub(super) fn kernel(&mut self, scope: &mut Scope) {
        let (size, used) = (self.size(), self.any(scope));
        let defined = self.allocate(scope, size);
        let perhaps = self.new_buffer(scope, 5);
        let room = self.allocate(scope, 13);
        self.write(scope, &defined, true);
        let predicate = match self.rng.chance(50) {
            true => format!(" if {}", self.flag(scope)),
            false => String::new(),
        };
        self.next += 1;
        let text = format!(
            "mem.kernel \"k{}\" uses({} : memref<{}xf32>) defines({} : memref<{size}xf32>) may_defines({} : memref<5xf32>) \
             workspace({} : memref<13xf32>){predicate}",
            self.next, used.name, used.size, defined.name, perhaps.name, room.name
        );
        self.line(scope, &text);
        scope.buffers.extend([defined, perhaps]);
    }

    /// An asynchronous load, store or swap, with other work in flight.
    pub(super) fn asynchronous(&mut self, scope: &mut Scope) {
        let size = self.size();
        let source = self.new_buffer(scope, size);
        let target = self.allocate(scope, size);
        let name = ["mem.load", "mem.store", "mem.swap"][self.rng.below(3)];
        let text = format!(
            "{name} async {} to {} : memref<{size}xf32> to memref<{size}xf32>",
            source.name, target.name
        );
        let token = self.value(scope, &text);
        let outside = std::mem::replace(&mut scope.in_flight, true);
        self.block(scope);
        scope.in_flight = outside;
        self.line(scope, &format!("mem.wait {token}"));
        scope.buffers.push(target);
        if name != "mem.swap" {
            scope.buffers.push(source);
        }
    }
}
