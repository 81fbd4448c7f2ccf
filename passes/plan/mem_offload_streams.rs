//! `mem-offload-streams`: buffers that a program copies from and to in parts are on the host as a whole.
//!
//! Within a budget, what an operation accesses is on the device. Tiles that stream access copies of rows
//! instead (`mem-tile`), and the buffer that these come from, or go to, need not be there. It becomes two: one
//! on the host, which the copies access, and one on the device for all other accesses, if there are any. The
//! whole content is copied where one of them is accessed while the other one has been written last. The pipelines
//! compare the program with the one before.

use mem_model::LevelId;

use super::tiled::functions_of;
use crate::extract::levels::device_budget;
use crate::framework::options::MemOffloadStreamsOptions as Options;
use crate::framework::{PassResult, PassRun, kind_of_error};
use crate::ir::hierarchies::chosen_hierarchy;
use crate::ir::rewrite::{STORAGE, ancestor_beside, erase_unused, is_plain_copy, root_of_views};
use crate::ir::spaces::{LevelSpaces, SpaceForm, in_space, space_of};
use crate::ir::{
    Attribute, Builder, Diagnostic, Op, Type, Value, hierarchy, is_structured, n_inputs,
    storage_bytes, view_source,
};

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let stated = chosen_hierarchy(module, &options.hierarchy)?;
    if let Err(why) = device_budget(&hierarchy(stated), 1) {
        let (name, text) = (&*options.hierarchy, format!("mem-offload-streams: {why}"));
        return Diagnostic::option_error(module, "hierarchy", Some(name), text).fail();
    }
    let spaces = LevelSpaces::new(stated);
    let forms = spaces.in_form(module.context(), SpaceForm::Name, None);
    let Some(host) = forms[LevelId::HOST.index()] else {
        return Ok(());
    };
    let error = kind_of_error(module, "mem-offload-streams", &KINDS, &options.break_copies)?;
    let (mut n_moved, mut n_bytes) = (0, 0_u64);
    for function in functions_of(module) {
        let mut allocations = Vec::new();
        function.walk(&mut |op| {
            if op.name() == "memref.alloc" && space_of(op.result().ty()) == Some(None) {
                allocations.push(op);
            }
        });
        // One after the other: copies from one buffer to another may be replaced.
        let before = n_moved;
        for own in allocations.into_iter().filter_map(Streamed::of) {
            n_moved += 1;
            n_bytes = n_bytes.saturating_add(storage_bytes(own.buffer.ty()).unwrap_or(0));
            own.move_to(host, error);
        }
        if n_moved > before {
            erase_unused(function);
        }
    }
    if n_moved == 0 {
        run.changed_nothing();
    }
    run.set_statistic(Options::NUM_MOVED, n_moved);
    run.set_statistic(Options::NUM_BYTES, n_bytes);
    Ok(())
}

/// An error to introduce, which a validation has to find.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Break {
    /// The whole content is not copied to the host.
    LostStore,
    /// It is not copied back.
    LostLoad,
}

/// All kinds, by name.
const KINDS: [(&str, Break); 2] = [
    ("lost-store", Break::LostStore),
    ("lost-load", Break::LostLoad),
];

/// What an operation does with a buffer, or the operations inside it.
#[derive(Clone, Copy, Default)]
struct Accesses {
    /// Copies of the program itself, from the buffer and to it.
    loads: bool,
    stores: bool,
    /// All others.
    reads: bool,
    writes: bool,
}

impl Accesses {
    const fn are_copies(self) -> bool {
        self.loads || self.stores
    }

    const fn are_others(self) -> bool {
        self.reads || self.writes
    }
}

/// An operation that accesses a buffer, in the block of the allocation.
struct Event {
    op: Op,
    accesses: Accesses,
    /// Whether it only copies from the buffer, which it can do from the host as well.
    is_copy: bool,
}

/// A buffer whose parts the program copies, and which nothing else denotes.
struct Streamed {
    buffer: Value,
    /// In program order.
    events: Vec<Event>,
    /// The ends of copies that are views of the buffer: the operation, and which operand.
    ends: Vec<(Op, usize)>,
    /// The operation after which no copy is in flight.
    last: Op,
}

/// A copy of the whole buffer.
enum Copy {
    ToHost {
        /// The last operation that has written the buffer on the device.
        after: Op,
        /// The only operation that may run beside the copy: it reads the buffer anyway.
        beside: Option<Op>,
    },
    ToDevice {
        before: Op,
    },
}

impl Streamed {
    /// `None` if the program copies no part of the buffer, if it is not known what accesses it, or if
    /// it is accessed in other ways while it is copied.
    fn of(allocation: Op) -> Option<Self> {
        let buffer = allocation.result();
        let mut values = vec![buffer];
        let mut found: Vec<(Op, Accesses)> = Vec::new();
        let (mut ends, mut waits) = (Vec::new(), Vec::new());
        while let Some(value) = values.pop() {
            for user in value.users() {
                if view_source(user) == Some(value) {
                    values.extend(user.results());
                    continue;
                }
                if user.name() == "memref.dealloc" {
                    continue;
                }
                let around = ancestor_beside(user, allocation)?;
                let operands = user.operands().enumerate();
                for (index, _) in operands.filter(|(_, own)| *own == value) {
                    let accesses = accesses(user, index)?;
                    if accesses.are_copies() {
                        ends.push((user, index));
                        let tokens = user.results().flat_map(Value::users);
                        let tokens = tokens.map(|wait| ancestor_beside(wait, allocation));
                        waits.extend(tokens.collect::<Option<Vec<Op>>>()?);
                    }
                    found.push((around, accesses));
                }
            }
        }
        if ends.is_empty() {
            return None;
        }
        let (mut events, mut last) = (Vec::new(), None);
        for op in std::iter::successors(allocation.next(), |op| op.next()) {
            let own = found.iter().filter(|(around, _)| *around == op);
            let all = own.fold(None, |all: Option<Accesses>, (_, own)| {
                let all = all.unwrap_or_default();
                Some(Accesses {
                    loads: all.loads || own.loads,
                    stores: all.stores || own.stores,
                    reads: all.reads || own.reads,
                    writes: all.writes || own.writes,
                })
            });
            if all.is_some() || waits.contains(&op) {
                last = Some(op);
            }
            let is_copy = is_plain_copy(op) && root_of_views(op.operand(0)) == buffer;
            events.extend(all.map(|accesses| Event {
                op,
                accesses,
                is_copy: is_copy && !accesses.writes,
            }));
        }
        let is_mixed = |own: &Event| own.accesses.are_copies() && own.accesses.are_others();
        if events.iter().any(is_mixed) {
            return None;
        }
        Some(Self {
            buffer,
            events,
            ends,
            last: last?,
        })
    }

    /// The copies that the accesses need, and the operations that copy from the host themselves.
    fn copies(&self) -> (Vec<Copy>, Vec<Op>) {
        let (mut copies, mut loads) = (Vec::new(), Vec::new());
        // Where the content is, and the last operation that has written it on the device.
        let (mut is_on_device, mut is_on_host) = (false, false);
        let mut written: Option<Op> = None;
        for Event {
            op,
            accesses,
            is_copy,
        } in &self.events
        {
            if *is_copy && is_on_host && !is_on_device {
                loads.push(*op);
                continue;
            }
            if accesses.are_others() {
                if is_on_host && !is_on_device {
                    copies.push(Copy::ToDevice { before: *op });
                }
                is_on_device = true;
                if accesses.writes {
                    (is_on_host, written) = (false, Some(*op));
                }
                continue;
            }
            if is_on_device && !is_on_host {
                // Read before anything has been written: undefined, wherever it is.
                copies.extend(written.map(|after| Copy::ToHost {
                    after,
                    beside: self.reader_after(after),
                }));
            }
            is_on_host = true;
            is_on_device &= !accesses.stores;
        }
        (copies, loads)
    }

    /// The next operation that accesses memory, if it reads the buffer and nothing else.
    fn reader_after(&self, op: Op) -> Option<Op> {
        let is_definition = |op: &Op| view_source(*op).is_some() || STORAGE.contains(&op.name());
        let mut after = std::iter::successors(op.next(), |op| op.next());
        let next = after.find(|op| !is_definition(op))?;
        let own = self.events.iter().find(|own| own.op == next)?;
        (own.accesses.reads && !own.accesses.writes).then_some(next)
    }

    /// Writes the buffer on the host, and the copies.
    fn move_to(self, host: Attribute, error: Option<Break>) {
        let Some(allocation) = self.buffer.owner() else {
            return;
        };
        let to_host = |value: Value| value.set_type(in_space(value.ty(), Some(host)));
        let own = allocation.copied_before(allocation, |value| value).result();
        to_host(own);
        let (copies, loads) = self.copies();
        for copy in copies {
            match copy {
                Copy::ToHost { .. } if error == Some(Break::LostStore) => {}
                Copy::ToDevice { .. } if error == Some(Break::LostLoad) => {}
                Copy::ToDevice { before } => {
                    let load = Builder::new("mem.load", before.location());
                    load.operands([own, self.buffer]).before(before);
                }
                Copy::ToHost { after, beside } => {
                    let Some(next) = after.next() else { continue };
                    let store = Builder::new("mem.store", after.location());
                    let store = store.operands([self.buffer, own]);
                    let end = beside.and_then(Op::next);
                    let Some(end) = end else {
                        store.before(next);
                        continue;
                    };
                    let token = Type::parse(after.context(), "!mem.token");
                    let token = store.result(token).before(next).result();
                    let wait = Builder::new("mem.wait", after.location());
                    wait.operands([token]).before(end);
                }
            }
        }
        let shown = |op: Op, index: usize| {
            let mut views = Vec::new();
            let mut value = op.operand(index);
            while value != self.buffer
                && let Some(view) = value.owner()
                && let Some(source) = view_source(view)
            {
                views.push(view);
                value = source;
            }
            views.into_iter().rev().fold(own, |shown, view| {
                let source = view_source(view);
                let copy = view.copied_before(op, |value| match Some(value) == source {
                    true => shown,
                    false => value,
                });
                to_host(copy.result());
                copy.result()
            })
        };
        for (op, index) in &self.ends {
            let mut operands: Vec<Value> = op.operands().collect();
            operands[*index] = shown(*op, *index);
            op.set_operands(&operands);
        }
        if let Some(end) = self.last.next() {
            let free = Builder::new("memref.dealloc", allocation.location());
            free.operands([own]).before(end);
        }
        for op in loads {
            let load = Builder::new("mem.load", op.location());
            let ends = [shown(op, 0), op.operand(1)];
            load.operands(ends).before(op);
            op.erase();
        }
    }
}

/// What an operation does with an operand; `None` if that is not known.
fn accesses(op: Op, index: usize) -> Option<Accesses> {
    let none = Accesses::default();
    let reads = Accesses {
        reads: true,
        ..none
    };
    let writes = Accesses {
        writes: true,
        ..none
    };
    let has_token = op.results().next().is_some();
    match (op.name(), index) {
        ("mem.load", 0) => Some(Accesses {
            loads: true,
            ..none
        }),
        ("mem.store", 1) => Some(Accesses {
            stores: true,
            ..none
        }),
        ("memref.load", 0) => Some(reads),
        ("memref.store", 1) => Some(writes),
        // The other ends, on the device, if the copy is complete when the next operation starts.
        ("mem.load", 1) if !has_token => Some(writes),
        ("mem.store", 0) if !has_token => Some(reads),
        _ if is_plain_copy(op) => Some(if index == 0 { reads } else { writes }),
        // A result may be read as well; its other elements stay as they are.
        _ if is_structured(op) => Some(match index < n_inputs(op)? {
            true => reads,
            false => writes,
        }),
        _ => None,
    }
}
