//! First pass: numbers storage (arguments, allocations) and the values that can denote different
//! storage on different paths. Only regions that run as steps of the program take part; allocations
//! in concurrent or opaque regions are left unchanged.

use std::sync::Arc;

use melior::ir::ValueLike as _;
use mem_model::{Aliasing, Buffer, Bytes, Pointer, PointerKind, Role, Size, Storage};

use super::bounds::BoundedSize;
use super::globals::argument_aliasing;
use super::{Entry, Extractor, Misfit, Place, Refusal, Roots, UNKNOWN_BYTES};
use crate::ir::dialect::{ArenaOp, BufferOp, SliceOp, ViewOp, role_of};
use crate::ir::example::Example;
use crate::ir::mpi::starts_request;
use crate::ir::tensors::{ARGUMENT_NAME, own_name, rotating_name};
use crate::ir::{Attribute, Facts, Op, Region, Type, Value, buffer_size, is_storage};

/// Maximum alignment in the model: that of options.
pub(crate) const MAX_ALIGNMENT: u64 = crate::framework::MAX_ALIGNMENT;

impl Extractor<'_> {
    pub(super) fn scan(&mut self) {
        let arguments: Vec<Value> = self
            .body_entry()
            .map(|b| b.arguments().collect())
            .unwrap_or_default();
        let attributes = self
            .function
            .attribute("arg_attrs")
            .and_then(|a| a.elements());
        let attributes = attributes.unwrap_or_default();
        // Reserved before any argument is named: what an attribute states is written in the IR and
        // stays there, so no location or default of another argument may take it.
        let stated = attributes.iter().filter_map(|own| stated_name(*own));
        self.names.extend(stated.map(Into::into));
        for (index, argument) in arguments.into_iter().enumerate() {
            let attributes = attributes.get(index).copied();
            let pointer =
                is_storage(argument.ty()).then(|| self.scan_argument(index, argument, attributes));
            self.arguments.push(pointer);
        }
        if let Some(region) = self.function.regions().next() {
            self.scan_region(region, true);
        }
    }

    /// Adds the buffer of an argument: storage owned by the caller.
    fn scan_argument(
        &mut self,
        index: usize,
        argument: Value,
        attributes: Option<Attribute>,
    ) -> mem_model::PointerId {
        let role = attributes.and_then(argument_role);
        let size = self.layout(argument.ty()).and_then(|l| l.span());
        let asserted = matches!(
            self.roots,
            Roots::Everything {
                noalias_arguments: true
            } | Roots::Tensors {
                noalias_arguments: true
            }
        );
        let aliasing = argument_aliasing(attributes, asserted);
        let stated = attributes.and_then(stated_name);
        if let Some(name) = &stated {
            self.names.remove(name.as_str());
        }
        let default = || {
            let location = argument.location();
            let name = location.name().map(str::to_owned);
            own_name(&name.unwrap_or_else(|| format!("arg{index}")))
        };
        let buffer = Buffer {
            name: stated.unwrap_or_else(default).into(),
            size: Bytes::new(size.and_then(|n| u64::try_from(n).ok()).unwrap_or(0)),
            alignment: Bytes::new(1),
            role: role.unwrap_or(Role::Input),
            storage: Storage::External,
            aliasing,
            location: self.location_text(argument.location()),
        };
        let (_, pointer) = self.add_buffer(buffer, None, Some(argument));
        // With a size of 0, no access would lie within the argument. The size is unknown instead.
        if size.is_none() {
            self.pointers[pointer.index()].size = None;
        }
        // The first element need not be at the pointer, but nothing here depends on that.
        pointer
    }

    fn scan_region(&mut self, region: Region, is_body: bool) {
        for (index, block) in region.blocks().enumerate() {
            // The arguments of the entry block are those of the function, which `scan` has
            // numbered.
            if !(is_body && index == 0) {
                for argument in block.arguments() {
                    // Predecessors pass different storage, so the argument is a merge.
                    self.scan_merge(argument);
                }
            }
            for op in block.ops() {
                self.scan_op(op);
            }
        }
    }

    fn scan_op(&mut self, op: Op) {
        match op.name() {
            "memref.alloc" | "memref.alloca" if self.roots == Roots::Allocations => {
                match self.allocation(op) {
                    Ok((buffer, size)) => self.add_sized(buffer, size, op),
                    Err(misfit) => self.add_misfit(op, misfit),
                }
            }
            "memref.alloc" | "memref.alloca" if self.roots.has_all_storage() => {
                self.scan_allocation(op);
            }
            "memref.get_global" if self.roots.has_all_storage() => self.scan_global(op),
            ArenaOp::NAME if self.roots.is_everything() => self.scan_arena(op),
            // The arena is the buffer, and `view_place` computes where a view lies in it.
            ViewOp::NAME | SliceOp::NAME if self.roots.is_everything() => {}
            // A slot is one of the places of a rotating buffer, not a buffer of its own.
            ViewOp::NAME if self.is_placed() && is_slot(op) => {}
            BufferOp::NAME if self.is_placed() => self.scan_allocation(op),
            "mem.rotate" if self.is_placed() => self.scan_rotation(op),
            BufferOp::NAME | ViewOp::NAME | SliceOp::NAME => self.scan_storage(op),
            "arith.select" | "mem.rotate" => self.scan_results(op),
            _ => {
                let facts = self.callees.kernels.describe(op);
                let is_call = facts.is_call();
                let runs_in_order = !is_call && self.runs_in_order(op, &facts);
                self.requests.exist |= starts_request(op);
                // Queries to MLIR's interfaces are expensive, so the lowering reuses these facts.
                self.facts.push_back((op, facts));
                if is_call {
                    // The step of the call binds its results, so they are merges.
                    self.scan_results(op);
                } else if runs_in_order {
                    self.scan_results(op);
                    for region in op.regions() {
                        self.scan_region(region, false);
                    }
                }
            }
        }
    }

    /// Numbers the dialect's own storage.
    fn scan_storage(&mut self, op: Op) {
        if let Some(buffer) = BufferOp::of(op) {
            self.scan_buffer(op, buffer);
        } else if let Some(view) = ViewOp::of(op) {
            self.scan_view(op, view);
        } else if let Some(slice) = SliceOp::of(op) {
            self.scan_slice(op, slice);
        }
    }

    /// The size that a type states for its storage, in bytes.
    fn stated_bytes(&mut self, ty: Type) -> Option<u64> {
        let span = self.layout(ty).and_then(|layout| layout.span());
        u64::try_from(span.or_else(|| buffer_size(ty))?).ok()
    }

    /// Adds a buffer of any size for an allocation or an unplaced `mem.buffer`.
    fn scan_allocation(&mut self, op: Op) {
        let size = self.stated_bytes(op.result().ty());
        self.scan_own(op, size);
    }

    /// Adds a buffer for an arena; its views are places in that buffer.
    fn scan_arena(&mut self, op: Op) {
        let size = ArenaOp::of(op).and_then(ArenaOp::size);
        self.scan_own(op, size);
    }

    /// Adds a buffer for storage that an operation defines; `size` is `None` if unknown.
    fn scan_own(&mut self, op: Op, size: Option<u64>) {
        let buffer = Buffer {
            name: self.buffer_name(op, None),
            size: Bytes::new(size.unwrap_or(0)),
            alignment: Bytes::new(1),
            role: Role::Intermediate,
            storage: Storage::Planned,
            // `finish` raises this to `Reachable` if the address escapes.
            aliasing: Aliasing::Private,
            location: self.location_text(op.location()),
        };
        let (_, pointer) = self.add_buffer(buffer, Some(op), Some(op.result()));
        if size.is_none() {
            self.pointers[pointer.index()].size = None;
        }
    }

    /// Whether the operations nested in `op` are steps of the program. They run either in sequence,
    /// or concurrently with the operations up to one that waits for `op`.
    pub(super) fn runs_in_order(&mut self, op: Op, facts: &Facts) -> bool {
        // Without a wait in its block, the body of an `async.execute` may run at any later time, so
        // its operations are no steps.
        let is_waited_for = op.name() == "async.execute" && self.waits_of(op, facts).is_some();
        is_waited_for || is_sequential(op, facts)
    }

    /// The size of a buffer in the model and, if known only at run time, its symbolic size. `bytes`
    /// is the operand that gives a size which the type does not state.
    fn bytes_of(&mut self, ty: Type, bytes: Option<Value>) -> (u64, Option<Size>) {
        let stated = self.stated_bytes(ty);
        // A view of static size has no size operand: its last operand is the arena.
        let Some(bytes) = bytes.filter(|_| stated.is_none()) else {
            return (stated.unwrap_or(0), None);
        };
        let size = self.unknowns.size(bytes);
        let number = match self.roots.example() {
            Some(unknown) => {
                let function = self.function;
                let example = self
                    .example
                    .get_or_insert_with(|| Example::new(function, unknown));
                example.bytes(bytes).map_or(0, Bytes::get)
            }
            None => self.stand_in(&size),
        };
        (number, Some(size))
    }

    fn is_placed(&self) -> bool {
        self.roots.example().is_some()
    }

    /// Adds a buffer that has several places.
    fn scan_rotation(&mut self, op: Op) {
        // The planner gives all slots of a buffer the same size and alignment, so the first one
        // describes them.
        let slot = op.operand(0).owner().and_then(ViewOp::of);
        let name = slot.and_then(ViewOp::name);
        let name = name.map(|name| rotating_name(&name).to_owned());
        let bytes = op
            .operand(0)
            .owner()
            .and_then(|view| view.operands().last());
        let (size, unknown) = self.bytes_of(op.result().ty(), bytes);
        let buffer = Buffer {
            name: self.buffer_name(op, name),
            size: Bytes::new(size),
            alignment: Bytes::new(slot.and_then(ViewOp::alignment).unwrap_or(1)),
            role: Role::Intermediate,
            storage: Storage::Planned,
            aliasing: Default::default(),
            location: self.location_text(op.location()),
        };
        self.add_sized(buffer, unknown, op);
    }

    /// How the model represents the storage at `offset` of an arena.
    fn placed(&self, op: Op, offset: Option<u64>) -> Storage {
        match self.is_placed() {
            true => Storage::Planned,
            false => placed(op, offset.unwrap_or(0)),
        }
    }

    fn scan_results(&mut self, op: Op) {
        for result in op.results() {
            self.scan_merge(result);
        }
    }

    /// Adds a merge: a pointer that edges or steps bind.
    fn scan_merge(&mut self, value: Value) {
        if !is_storage(value.ty()) {
            return;
        }
        let size = self.stated_bytes(value.ty()).map(Bytes::new);
        let name = self.unique_name(format!("merge{}", self.pointers.len()).into());
        let kind = PointerKind::Merge;
        let pointer = self.add_pointer(Pointer { name, kind, size }, Some(value));
        // Views of a merge are placed relative to the merge, whichever storage it denotes.
        self.places.insert(value, Place::new(pointer, Some(0)));
    }

    /// The buffer that an allocation would become, and its symbolic size if known only at run time;
    /// an error if it cannot become a buffer.
    fn allocation(&mut self, op: Op) -> Result<(Buffer, Option<Size>), Misfit> {
        let ty = op.result().ty();
        let layout = self.layout(ty).ok_or(Misfit::Type)?;
        if !layout.identity {
            return Err(Misfit::Layout);
        }
        if !layout.default_space {
            return Err(Misfit::MemorySpace);
        }
        let dynamic: Vec<Value> = op.operands().collect();
        // A dynamic size with a constant upper bound is planned as if it always reached the bound.
        let (size, unknown) = if let Some((least, most)) = self.bounds.bytes(&layout, &dynamic) {
            if least < most {
                self.bounded_sizes.push(BoundedSize { op, least, most });
            }
            (most, None)
        } else if dynamic.is_empty() {
            return Err(Misfit::Size);
        } else {
            let size = self.unknowns.of_memref(&layout, &dynamic);
            let size = size.ok_or(Misfit::Size)?;
            // The arena is created once, before the first buffer is needed, and its size depends on
            // the size of this one.
            if !self.is_known_at_entry(&dynamic) {
                return Err(Misfit::SizedLate);
            }
            (self.stand_in(&size), Some(size))
        };
        let stated = op
            .attribute("alignment")
            .and_then(|a| a.integer())
            .unwrap_or(1);
        // Accesses rely on aligned elements. An element size need not be a power of two, but an
        // alignment does.
        let alignment = u64::try_from(stated.max(layout.element))
            .unwrap_or(1)
            .next_power_of_two();
        if alignment > MAX_ALIGNMENT {
            return Err(Misfit::Alignment(alignment));
        }
        let buffer = Buffer {
            name: self.own_name(op, None),
            size: Bytes::new(size),
            alignment: Bytes::new(alignment),
            role: Role::Intermediate,
            storage: Storage::Planned,
            aliasing: Default::default(),
            location: self.location_text(op.location()),
        };
        Ok((buffer, unknown))
    }

    /// Records an allocation that no buffer of the model represents.
    fn add_misfit(&mut self, op: Op, misfit: Misfit) {
        let reason = misfit.into();
        let blame = None;
        self.misfits.push((op, Refusal { reason, blame }));
    }

    /// Adds a buffer that an operation defines, with its symbolic size if it has one.
    fn add_sized(&mut self, buffer: Buffer, size: Option<Size>, op: Op) {
        let (id, _) = self.add_buffer(buffer, Some(op), Some(op.result()));
        if let Some(size) = size {
            self.sizes.insert(id, size);
        }
    }

    /// The size that represents a run-time size in the model: large, and equal for equal sizes.
    fn stand_in(&mut self, size: &Size) -> u64 {
        // Linear, but functions have few distinct sizes.
        let known = self.distinct_sizes.iter().position(|other| other == size);
        let index = known.unwrap_or_else(|| {
            self.distinct_sizes.push(size.clone());
            self.distinct_sizes.len() - 1
        });
        // Distinct, so that sizes which may differ at run time do not look equal in the model.
        UNKNOWN_BYTES + index as u64
    }

    /// Whether values are available where the arena is created.
    fn is_known_at_entry(&mut self, values: &[Value]) -> bool {
        let needs_arena = |op: Op| match op.name() {
            // Only with these roots does an allocation become a buffer of the arena.
            "memref.alloc" | "memref.alloca" => self.roots == Roots::Allocations,
            BufferOp::NAME => true,
            "func.call" => {
                // A callee with a workspace has its arena inside that of this function.
                let callee = op.attribute("callee");
                let callee = callee.as_ref().and_then(crate::ir::Attribute::symbol);
                callee.is_some_and(|name| self.callees.workspaces.contains_key(name))
            }
            _ => false,
        };
        let entry = &mut self.entry;
        let entry = entry.get_or_insert_with(|| Entry::new(self.function, &needs_arena));
        values.iter().all(|value| entry.knows(*value))
    }

    /// The name stated by an attribute or a location, or a numbered one.
    fn buffer_name(&self, op: Op, stated: Option<String>) -> Arc<str> {
        let name = stated.or_else(|| op.location().name().map(str::to_owned));
        let name = name.unwrap_or_else(|| {
            // Arguments do not count, so adding one does not rename the buffers.
            format!(
                "buf{}",
                self.buffers.len() - self.arguments.iter().flatten().count()
            )
        });
        name.into()
    }

    /// The name of a buffer to be planned.
    fn own_name(&self, op: Op, stated: Option<String>) -> Arc<str> {
        own_name(&self.buffer_name(op, stated)).into()
    }

    fn scan_buffer(&mut self, op: Op, stated: BufferOp) {
        let value = op.result();
        let bytes = stated.dynamic_size().map(|bytes| Value(bytes.to_raw()));
        // Dependence analysis compares run-time bounds symbolically (`run_time_size`), so it needs
        // no number that stands in for the size.
        if bytes.is_some() && self.roots.is_everything() {
            return self.scan_own(op, None);
        }
        if bytes.is_some_and(|bytes| !self.is_known_at_entry(&[bytes])) {
            return self.add_misfit(op, Misfit::SizedLate);
        }
        let (size, unknown) = self.bytes_of(value.ty(), bytes);
        let alignment = stated
            .alignment()
            .unwrap_or(1)
            .max(self.element_alignment(value));
        let buffer = Buffer {
            name: self.own_name(op, stated.name()),
            size: Bytes::new(size),
            alignment: Bytes::new(alignment),
            role: stated.role().unwrap_or(Role::Intermediate),
            storage: Storage::Planned,
            aliasing: Default::default(),
            location: self.location_text(op.location()),
        };
        self.add_sized(buffer, unknown, op);
    }

    /// The alignment that accesses through the descriptors of a buffer rely on: that of their
    /// largest element type.
    fn element_alignment(&mut self, buffer: Value) -> u64 {
        // Views of descriptors add theirs when their places are computed
        // (`note_element_alignment`).
        let is_descriptor = |op: &Op| op.name() == "mem.descriptor";
        let users = buffer.users().into_iter().filter(is_descriptor);
        let sizes = users.filter_map(|op| self.layout(op.result().ty()).map(|l| l.element));
        let largest = sizes.max().and_then(|n| u64::try_from(n).ok()).unwrap_or(1);
        largest.next_power_of_two().min(MAX_ALIGNMENT)
    }

    /// Adds the buffer of a view of an arena: storage that was placed before.
    fn scan_view(&mut self, op: Op, view: ViewOp) {
        let value = op.result();
        let (size, unknown) = self.bytes_of(value.ty(), op.operands().last());
        let buffer = Buffer {
            name: self.buffer_name(op, view.name()),
            size: Bytes::new(size),
            alignment: Bytes::new(view.alignment().unwrap_or(1)),
            role: view.role().unwrap_or(Role::Intermediate),
            storage: self.placed(op, view.offset()),
            aliasing: Default::default(),
            location: self.location_text(op.location()),
        };
        self.add_sized(buffer, unknown, op);
    }

    /// Adds the buffer of an arena slice: the workspace of the call it is passed to.
    fn scan_slice(&mut self, op: Op, slice: SliceOp) {
        let buffer = Buffer {
            name: self.buffer_name(op, None),
            size: Bytes::new(slice.size()),
            alignment: Bytes::new(1),
            role: Role::Intermediate,
            storage: self.placed(op, slice.offset()),
            aliasing: Default::default(),
            location: self.location_text(op.location()),
        };
        self.add_buffer(buffer, Some(op), Some(op.result()));
    }
}

/// Whether a view is used by rotations only.
fn is_slot(view: Op) -> bool {
    let users = view.result().users();
    !users.is_empty() && users.iter().all(|user| user.name() == "mem.rotate")
}

/// The storage at `offset` of the arena that is the first operand of `op`.
fn placed(op: Op, offset: u64) -> Storage {
    let arena = op.operand(0).owner().and_then(ArenaOp::of);
    Storage::Placed {
        level: arena.map_or_else(|| "arena".to_owned(), ArenaOp::level),
        offset: Bytes::new(offset),
    }
}

/// Whether the regions of an operation are ordinary control flow, executed one step after the
/// other.
pub(super) fn is_sequential(op: Op, facts: &Facts) -> bool {
    // `async.execute` implements `RegionBranchOpInterface`, although its body runs concurrently.
    let asynchronous = |v: Value| v.ty().to_string().starts_with("!async");
    // Operations of these dialects may implement the interface as well, although several threads
    // may execute their regions.
    let directive = ["acc.", "omp."].iter().any(|p| op.name().starts_with(p));
    facts.is_region_branch()
        && !facts.is_parallel()
        && !directive
        && !op.results().any(asynchronous)
}

/// The name stated by an argument's attributes.
fn stated_name(dictionary: Attribute) -> Option<String> {
    let name = dictionary.entry(ARGUMENT_NAME)?;
    name.string().map(str::to_owned)
}

/// The role stated by an argument's attributes.
fn argument_role(dictionary: Attribute) -> Option<Role> {
    if dictionary.entry("bufferize.result").is_some() {
        return Some(Role::Output);
    }
    dictionary.entry("mem.role").map(role_of)
}
