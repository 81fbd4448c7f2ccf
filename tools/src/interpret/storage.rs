//! Storage: allocations, views, copies, transfers, and the kernels of the `mem` dialect.

use std::collections::BTreeMap;
use std::rc::Rc;

use mem_opt::dialect::{ArenaOp, KernelOp, SliceOp, ViewOp};
use mem_opt::internals::{
    Affine, Attribute, MemrefLayout, Op, Type, Value, buffer_size, descriptor_bounds,
    memref_layout, rotation,
};

use super::data::{Data, Memref, within};
use super::memory::{Bytes, symbol};
use super::{Fault, Machine, State, Transfer};

impl Machine {
    pub(super) fn memref(&self, value: Value) -> Result<Rc<Memref>, Fault> {
        match self.get(value)? {
            Data::Memref(memref) => Ok(memref),
            _ => Err(Fault::Garbage),
        }
    }

    fn storage_of(&self, value: Value) -> Result<(Bytes, i64), Fault> {
        match self.get(value)? {
            Data::Storage(bytes, size) => Ok((bytes, size)),
            _ => Err(Fault::Garbage),
        }
    }

    /// Executes an operation on storage. Returns whether `op` is one.
    pub(super) fn storage(&mut self, op: Op) -> Result<bool, Fault> {
        match op.name() {
            "memref.alloc" | "memref.alloca" => self.allocate(op)?,
            "memref.dealloc" => {
                let memref = self.memref(op.operand(0))?;
                self.memory.free(memref.base)?;
            }
            "memref.get_global" => self.global(op)?,
            "memref.load" => self.load(op)?,
            "memref.store" => self.store(op)?,
            "memref.copy" => {
                let (source, target) = (self.get(op.operand(0))?, self.get(op.operand(1))?);
                self.copy(&source, &target)?;
            }
            "memref.dim" => {
                let memref = self.memref(op.operand(0))?;
                let dimension = self.integers(op, 1)?[0];
                let size = memref.sizes.get(dimension as usize).copied();
                self.set(op.result(), Data::Integer(size.ok_or(Fault::Garbage)?));
            }
            "memref.extract_aligned_pointer_as_index" => {
                let address = self.memref(op.operand(0))?.base.address();
                self.set(op.result(), Data::Integer(address));
            }
            "mem.buffer" | "mem.arena" => self.allocate_bytes(op)?,
            "mem.view" | "mem.slice" => self.place(op)?,
            "mem.rotate" => self.rotate(op)?,
            "mem.kernel" => self.kernel(op)?,
            "mem.load" | "mem.store" | "mem.swap" | "mem.move" => self.transfer(op)?,
            "mem.wait" => self.wait(op)?,
            _ => return self.view(op),
        }
        Ok(true)
    }

    fn load(&mut self, op: Op) -> Result<(), Fault> {
        let memref = self.memref(op.operand(0))?;
        let at = memref.at(&self.integers(op, 1)?)?;
        let value = self.memory.read(at, memref.element)?;
        let number = self.memory.integer(value);
        let data = number.map_or(Data::Symbol(value), Data::Integer);
        self.set(op.result(), data);
        Ok(())
    }

    fn store(&mut self, op: Op) -> Result<(), Fault> {
        let (value, memref) = (self.get(op.operand(0))?, self.memref(op.operand(1))?);
        let at = memref.at(&self.integers(op, 2)?)?;
        let value = self.symbol_of(&value);
        self.memory.write(at, memref.element, value)
    }

    /// A memref of type `ty` with aligned pointer `base`; `sizes` yields its dynamic dimensions.
    fn typed(
        &self,
        ty: Type,
        base: Bytes,
        sizes: &mut impl Iterator<Item = i64>,
    ) -> Result<Memref, Fault> {
        let layout = memref_layout(ty).ok_or_else(|| Fault::Unsupported(ty.to_string()))?;
        let sizes: Option<Vec<i64>> = layout
            .shape
            .iter()
            .map(|d| d.or_else(|| sizes.next()))
            .collect();
        let sizes = sizes.ok_or(Fault::Garbage)?;
        let strides = strides(&layout, &sizes);
        Ok(Memref {
            base,
            offset: layout.offset.unwrap_or(0),
            strides: strides.ok_or_else(|| Fault::Unsupported(ty.to_string()))?,
            sizes,
            element: layout.element,
        })
    }

    fn allocate(&mut self, op: Op) -> Result<(), Fault> {
        let mut sizes = self.integers(op, 0)?.into_iter();
        let nowhere = Bytes {
            allocation: 0,
            start: 0,
        };
        let mut memref = self.typed(op.result().ty(), nowhere, &mut sizes)?;
        let last = memref
            .sizes
            .iter()
            .zip(&memref.strides)
            .map(|(n, s)| (n - 1).max(0) * s);
        let elements = match memref.sizes.contains(&0) {
            true => 0,
            false => memref.offset + last.sum::<i64>() + 1,
        };
        memref.base = self.memory.allocate(elements * memref.element)?;
        self.set(op.result(), Data::Memref(Rc::new(memref)));
        Ok(())
    }

    /// Executes an allocation of a buffer or an arena.
    fn allocate_bytes(&mut self, op: Op) -> Result<(), Fault> {
        let stated = ArenaOp::of(op).and_then(ArenaOp::size).map(|n| n as i64);
        let size = match stated.or_else(|| buffer_size(op.result().ty())) {
            Some(size) => size,
            None => self.integers(op, 0)?[0],
        };
        let bytes = self.memory.allocate(size)?;
        self.set(op.result(), Data::Storage(bytes, size));
        Ok(())
    }

    fn global(&mut self, op: Op) -> Result<(), Fault> {
        let name = op.attribute("name");
        let name = name.as_ref().and_then(Attribute::symbol);
        let name = name.ok_or(Fault::Garbage)?;
        let ty = op.result().ty();
        let nowhere = Bytes {
            allocation: 0,
            start: 0,
        };
        let mut memref = self.typed(ty, nowhere, &mut std::iter::empty())?;
        memref.base = match self.globals.get(name) {
            Some((bytes, _)) => *bytes,
            None => self.new_global(name, &mut memref)?,
        };
        self.set(op.result(), Data::Memref(Rc::new(memref)));
        Ok(())
    }

    /// Creates a global on first use. It holds its initial value or, without one, symbols for the
    /// contents left by earlier code.
    fn new_global(&mut self, name: &str, memref: &mut Memref) -> Result<Bytes, Fault> {
        let initial = self.initial_values.get(name).copied().flatten();
        let size = memref.sizes.iter().product::<i64>() * memref.element;
        let bytes = self.memory.allocate(size)?;
        memref.base = bytes;
        for (number, indices) in memref.indices().iter().enumerate() {
            let value = match initial.and_then(|values| values.element(indices)) {
                Some(element) => self.constant(element),
                None => symbol(("global", name, number)),
            };
            self.memory
                .write(memref.at(indices)?, memref.element, value)?;
        }
        self.globals.insert(name.to_owned(), (bytes, size));
        Ok(bytes)
    }

    /// The bytes of each mutable global, by name: the state that later calls observe.
    pub(super) fn globals_at_exit(
        &mut self,
        module: Op,
    ) -> Result<BTreeMap<String, Vec<u64>>, Fault> {
        let nowhere = Bytes {
            allocation: 0,
            start: 0,
        };
        let mut found = BTreeMap::new();
        let globals = module.direct_ops();
        for op in globals.filter(|op| op.name() == "memref.global") {
            let ty = op.attribute("type").and_then(|a| a.type_value());
            let (Some(name), Some(ty)) = (op.symbol(), ty) else {
                return Err(Fault::Garbage);
            };
            if op.attribute("constant").is_some() {
                continue;
            }
            if !self.globals.contains_key(&name) {
                let mut memref = self.typed(ty, nowhere, &mut std::iter::empty())?;
                self.new_global(&name, &mut memref)?;
            }
            if let Some((bytes, size)) = self.globals.get(&name).copied() {
                found.insert(name, self.memory.copy_of(bytes, size)?);
            }
        }
        Ok(found)
    }

    /// Executes a view or a slice of an arena.
    fn place(&mut self, op: Op) -> Result<(), Fault> {
        let (arena, available) = self.storage_of(op.operand(0))?;
        let mut numbers = self.integers(op, 1)?.into_iter();
        let stated = op.attribute("offset").and_then(|a| a.integer());
        let offset = stated.or_else(|| numbers.next()).ok_or(Fault::Garbage)?;
        let ty = op.result().ty();
        let data = match (SliceOp::of(op), ViewOp::of(op)) {
            (Some(slice), _) => Data::Storage(arena.at(offset), slice.size() as i64),
            (None, Some(_)) if memref_layout(ty).is_some() => {
                let layout = memref_layout(ty).ok_or(Fault::Garbage)?;
                let before = layout.offset.unwrap_or(0) * layout.element;
                let memref = self.typed(ty, arena.at(offset - before), &mut numbers)?;
                within(offset, memref.span(), available)?;
                Data::Memref(Rc::new(memref))
            }
            _ => {
                let size = buffer_size(ty).or_else(|| numbers.next());
                Data::Storage(arena.at(offset), size.ok_or(Fault::Garbage)?)
            }
        };
        let size = match &data {
            Data::Storage(_, size) => *size,
            _ => 0,
        };
        within(offset, size, available)?;
        self.set(op.result(), data);
        Ok(())
    }

    /// Selects the first slot that no avoided memref points into.
    fn rotate(&mut self, op: Op) -> Result<(), Fault> {
        let (slots, avoided) = rotation(op);
        let mut pointers = Vec::new();
        for value in avoided {
            pointers.push(self.memref(value)?.base);
        }
        for slot in slots {
            let (bytes, size) = self.storage_of(slot)?;
            let is_in = |pointer: &Bytes| {
                let distance = pointer.start - bytes.start;
                pointer.allocation == bytes.allocation && (0..size.max(1)).contains(&distance)
            };
            if !pointers.iter().any(is_in) {
                self.set(op.result(), Data::Storage(bytes, size));
                return Ok(());
            }
        }
        Err(Fault::Garbage)
    }

    /// Executes a view of a memref or a buffer. Returns whether `op` is one.
    fn view(&mut self, op: Op) -> Result<bool, Fault> {
        let memref = match op.name() {
            "mem.descriptor" => self.descriptor(op)?,
            "memref.view" => {
                let source = self.memref(op.operand(0))?;
                let numbers = self.integers(op, 1)?;
                let mut sizes = numbers.iter().skip(1).copied();
                let view = self.typed(op.result().ty(), source.base.at(numbers[0]), &mut sizes)?;
                within(numbers[0], view.span(), source.span())?;
                view
            }
            "memref.subview" => self.subview(op)?,
            "memref.reinterpret_cast" => self.reinterpret_cast(op)?,
            "memref.transpose" => self.transposed(op)?,
            "memref.cast" | "memref.memory_space_cast" | "memref.assume_alignment" => {
                (*self.memref(op.operand(0))?).clone()
            }
            "memref.expand_shape" | "memref.collapse_shape" => {
                let source = self.memref(op.operand(0))?;
                let mut view =
                    self.typed(op.result().ty(), source.base, &mut std::iter::empty())?;
                view.offset = source.offset;
                view
            }
            _ => return Ok(false),
        };
        self.set(op.result(), Data::Memref(Rc::new(memref)));
        Ok(true)
    }

    fn descriptor(&mut self, op: Op) -> Result<Memref, Fault> {
        let (bytes, _) = self.storage_of(op.operand(0))?;
        let mut numbers = self.integers(op, 1)?.into_iter();
        let [offset, size] = descriptor_bounds(op).map(|b| b.or_else(|| numbers.next()));
        let layout = memref_layout(op.result().ty()).ok_or(Fault::Garbage)?;
        let known = layout.known_bytes().unwrap_or(1).max(1);
        let before = layout.offset.unwrap_or(0) * layout.element;
        let base = bytes.at(offset.ok_or(Fault::Garbage)? - before);
        let mut sizes = std::iter::once(size.ok_or(Fault::Garbage)? / known);
        self.typed(op.result().ty(), base, &mut sizes)
    }

    fn subview(&mut self, op: Op) -> Result<Memref, Fault> {
        let source = self.memref(op.operand(0))?;
        let [offsets, sizes, steps] = self.mixed(op)?;
        source.check_part(&offsets, &sizes, &steps)?;
        let layout = memref_layout(op.result().ty()).ok_or(Fault::Garbage)?;
        let product = |(a, b): (&i64, &i64)| a * b;
        let shift: i64 = offsets.iter().zip(&source.strides).map(product).sum();
        let strides = steps.iter().zip(&source.strides).map(product);
        let mut all = sizes.into_iter().zip(strides);
        let mut kept = Vec::new();
        for (size, stride) in layout.shape.iter().zip(&layout.strides) {
            let is_own = |own: &(i64, i64)| {
                size.is_none_or(|size| size == own.0) && stride.is_none_or(|stride| stride == own.1)
            };
            let mut dropped = all.by_ref().skip_while(|own| own.0 == 1 && !is_own(own));
            kept.extend(dropped.next().filter(is_own));
        }
        if kept.len() != layout.shape.len() || all.any(|(size, _)| size != 1) {
            return Err(Fault::Unsupported("a subview of another rank".to_owned()));
        }
        let (sizes, strides) = kept.into_iter().unzip();
        Ok(Memref {
            base: source.base,
            offset: source.offset + shift,
            strides,
            sizes,
            element: source.element,
        })
    }

    fn reinterpret_cast(&mut self, op: Op) -> Result<Memref, Fault> {
        let source = self.memref(op.operand(0))?;
        let [offsets, sizes, strides] = self.mixed(op)?;
        Ok(Memref {
            base: source.base,
            offset: offsets.first().copied().ok_or(Fault::Garbage)?,
            sizes,
            strides,
            element: source.element,
        })
    }

    fn transposed(&mut self, op: Op) -> Result<Memref, Fault> {
        let source = self.memref(op.operand(0))?;
        let map = op.attribute("permutation").and_then(|a| a.affine_map());
        let (mut sizes, mut strides) = (Vec::new(), Vec::new());
        for result in map.ok_or(Fault::Garbage)?.results {
            let Affine::Dimension(from) = result else {
                return Err(Fault::Garbage);
            };
            sizes.push(source.sizes[from]);
            strides.push(source.strides[from]);
        }
        Ok(Memref {
            base: source.base,
            offset: source.offset,
            sizes,
            strides,
            element: source.element,
        })
    }

    /// The offsets, sizes and strides of an operation, in this order. Each is an attribute, in which
    /// the smallest integer stands for the next operand.
    fn mixed(&mut self, op: Op) -> Result<[Vec<i64>; 3], Fault> {
        let mut numbers = self.integers(op, 1)?.into_iter();
        let mut fill = |name: &str| -> Result<Vec<i64>, Fault> {
            let stated = op.attribute(name).and_then(|a| a.integers());
            let stated = stated.unwrap_or_default().into_iter();
            let number = |n| match n {
                i64::MIN => numbers.next().ok_or(Fault::Garbage),
                n => Ok(n),
            };
            stated.map(number).collect()
        };
        Ok([
            fill("static_offsets")?,
            fill("static_sizes")?,
            fill("static_strides")?,
        ])
    }

    fn copy(&mut self, source: &Data, target: &Data) -> Result<(), Fault> {
        let (Data::Memref(source), Data::Memref(target)) = (source, target) else {
            return Err(Fault::Garbage);
        };
        if source.sizes != target.sizes {
            return Err(Fault::Shapes);
        }
        if self.overlap_partly(source, target)? {
            return Err(Fault::Overlap);
        }
        let element = source.element;
        let mut cells = Vec::new();
        for indices in source.indices() {
            cells.push(self.memory.copy_of(source.at(&indices)?, element)?);
        }
        for (indices, cells) in target.indices().iter().zip(cells) {
            self.memory.paste(target.at(indices)?, &cells)?;
        }
        Ok(())
    }

    /// Whether some element of `target` shares bytes with a different element of `source`. A copy
    /// between such memrefs is undefined.
    fn overlap_partly(&self, source: &Memref, target: &Memref) -> Result<bool, Fault> {
        if source.base.allocation != target.base.allocation {
            return Ok(false);
        }
        let starts = |memref: &Memref| -> Result<Vec<i64>, Fault> {
            let all = memref.indices();
            let start = |indices: &Vec<i64>| memref.at(indices).map(|bytes| bytes.start);
            all.iter().map(start).collect()
        };
        let (reads, writes) = (starts(source)?, starts(target)?);
        let element = source.element;
        for (number, from) in reads.iter().enumerate() {
            let clashes = |(other, to): (usize, &i64)| {
                let meets = *from < to + element && *to < from + element;
                meets && !(number == other && from == to)
            };
            if writes.iter().enumerate().any(clashes) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Starts a transfer. An asynchronous transfer copies either now or when it is waited for, at
    /// random.
    fn transfer(&mut self, op: Op) -> Result<(), Fault> {
        let transfer = Transfer {
            source: self.get(op.operand(0))?,
            target: self.get(op.operand(1))?,
            is_swap: matches!(op.name(), "mem.swap" | "mem.move"),
        };
        match op.results().next() {
            None => self.happen(&transfer),
            Some(token) => {
                let at_once = self.below(2) == 0;
                if at_once {
                    self.happen(&transfer)?;
                }
                self.set(token, Data::Token(self.transfers.len()));
                self.transfers.push((transfer, State::under_way(at_once)));
                Ok(())
            }
        }
    }

    /// Completes the transfers that an operation waits for.
    fn wait(&mut self, op: Op) -> Result<(), Fault> {
        for token in op.operands() {
            if let Data::Token(number) = self.get(token)? {
                self.finish(number)?;
            }
        }
        Ok(())
    }

    /// Completes one transfer, unless it has completed already.
    fn finish(&mut self, number: usize) -> Result<(), Fault> {
        let (transfer, state) = self.transfers.get_mut(number).ok_or(Fault::Garbage)?;
        let before = std::mem::replace(state, State::Over);
        let transfer = transfer.clone();
        match before {
            State::NotYet => self.happen(&transfer),
            State::Copied | State::Over => Ok(()),
        }
    }

    fn happen(&mut self, transfer: &Transfer) -> Result<(), Fault> {
        self.copy(&transfer.source, &transfer.target)?;
        if let (true, Data::Memref(source)) = (transfer.is_swap, &transfer.source) {
            for indices in source.indices() {
                let salt = self.random.next();
                self.memory
                    .spoil(source.at(&indices)?, source.element, salt)?;
            }
        }
        Ok(())
    }

    /// Executes a kernel. Its results depend on its name and the contents of its operands only;
    /// which elements a partial definition leaves unwritten is random but reproducible.
    fn kernel(&mut self, op: Op) -> Result<(), Fault> {
        let kernel = KernelOp::of(op).ok_or(Fault::Garbage)?;
        let values = |group: Vec<melior::ir::Value<'_, '_>>| -> Vec<Value> {
            group.into_iter().map(Value::from).collect()
        };
        let predicate = values(kernel.predicate().into_iter().collect());
        for value in predicate {
            if !self.truth(&self.get(value)?)? {
                return Ok(());
            }
        }
        let uses = values(kernel.uses());
        let (may_uses, workspaces) = (values(kernel.may_uses()), values(kernel.workspace()));
        let (defines, may_defines) = (values(kernel.defines()), values(kernel.may_defines()));
        for workspace in &workspaces {
            self.fill_with_garbage(*workspace)?;
        }
        let read = |machine: &mut Self, values: &[Value]| -> Result<Vec<u64>, Fault> {
            let mut cells = Vec::new();
            for value in values {
                let memref = machine.memref(*value)?;
                for indices in memref.indices() {
                    cells.extend(
                        machine
                            .memory
                            .copy_of(memref.at(&indices)?, memref.element)?,
                    );
                }
            }
            Ok(cells)
        };
        let in_place = kernel.in_place().unwrap_or_default();
        let kept: Vec<Value> = (0..)
            .zip(&uses)
            .filter(|(index, _)| !in_place.contains(index))
            .map(|(_, value)| *value)
            .chain(may_uses.iter().copied())
            .collect();
        let name = kernel.name();
        let first = read(self, &uses)?;
        let before = read(self, &kept)?;
        self.write_kernel(&name, &defines, &(&first, &before), false)?;
        self.write_kernel(&name, &may_defines, &(&first, &before), true)?;
        // Operands that are not reused in place may be read again while results are written.
        let after = read(self, &kept)?;
        if after != before {
            let seed = self.random.next();
            self.write_kernel(&name, &defines, &seed, false)?;
        }
        for workspace in &workspaces {
            self.fill_with_garbage(*workspace)?;
        }
        Ok(())
    }

    fn write_kernel(
        &mut self,
        name: &str,
        targets: &[Value],
        from: &impl std::hash::Hash,
        only_some: bool,
    ) -> Result<(), Fault> {
        for (index, target) in targets.iter().enumerate() {
            let memref = self.memref(*target)?;
            let value = symbol((name, index, only_some, from));
            for (number, indices) in memref.indices().iter().enumerate() {
                let value = symbol((value, number));
                if !only_some || value & 8 == 0 {
                    self.memory
                        .write(memref.at(indices)?, memref.element, value)?;
                }
            }
        }
        Ok(())
    }

    fn fill_with_garbage(&mut self, value: Value) -> Result<(), Fault> {
        let memref = self.memref(value)?;
        for indices in memref.indices() {
            let salt = self.random.next();
            self.memory
                .spoil(memref.at(&indices)?, memref.element, salt)?;
        }
        Ok(())
    }
}

/// The strides of a layout for these sizes, if they are static or the layout is the identity.
fn strides(layout: &MemrefLayout, sizes: &[i64]) -> Option<Vec<i64>> {
    if !layout.identity {
        return layout.strides.iter().copied().collect();
    }
    let mut strides = vec![1; sizes.len()];
    for index in (1..sizes.len()).rev() {
        strides[index - 1] = strides[index] * sizes[index];
    }
    Some(strides)
}
