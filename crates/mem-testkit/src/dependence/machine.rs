//! An interpreter that executes a program byte by byte along a path. For each byte that a use
//! reads, it tells an observer which access wrote the byte last.
//!
//! Everything that the model leaves open is random: which of the bytes that it may touch an access
//! does touch, the values of symbols, when an asynchronous access takes place, and which of the
//! buffers that may share bytes do share them.

use mem_model::{
    Access, Binding, BlockId, Bound, BufferId, Bytes, Interval, PointerId, PointerKind, Program,
    StepId, Storage, TokenId,
};

use super::is_use;
use crate::Rng;

/// The write that a byte comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// None: the content is undefined.
    Undefined,
    /// A write before the function was entered.
    Entry,
    /// The access at this position of this step.
    Definition(StepId, u32),
}

/// Receives the events of an execution.
pub trait Observer {
    /// The use at position `index` of `step` reads `byte` of `buffer`, counted from the buffer's
    /// start. `from` is the origin of the byte and the number of the write, counted over the whole
    /// execution.
    fn read(&mut self, step: StepId, index: u32, buffer: BufferId, byte: u64, from: (Origin, u64));
    /// The function has returned, and code outside may read `byte` of `buffer`.
    fn observe(&mut self, buffer: BufferId, byte: u64, from: Origin);
    /// Called before `step` does anything. `content` returns, for each byte that a pointer reaches,
    /// its origin and the number of the write, which is equal for all undefined bytes. It returns
    /// `None` for an unbound pointer.
    fn before(&mut self, step: StepId, content: &dyn Fn(PointerId) -> Option<Vec<(Origin, u64)>>) {
        let _ = (step, content);
    }
}

/// Parameters of one execution.
#[derive(Clone, Debug)]
pub struct Run<'p> {
    /// The blocks of the path; `None`: a random path.
    pub path: Option<&'p [BlockId]>,
    /// Approximate number of steps to execute.
    pub n_steps: usize,
}

/// Executes `program` once and reports to `observer`.
pub fn observe(program: &Program, run: &Run<'_>, rng: &mut Rng, observer: &mut dyn Observer) {
    let mut machine = Machine::new(program, rng);
    let mut block = 0;
    let mut n_done = 0;
    let mut n_blocks = 0;
    loop {
        machine.enter(block, rng);
        let steps = program.blocks[block].steps;
        for step in steps.start.index()..steps.end.index() {
            machine.step(StepId::new(step), rng, observer);
        }
        n_done += steps.end.index() - steps.start.index() + 1;
        n_blocks += 1;
        let successors = &program.blocks[block].successors;
        if successors.is_empty() {
            machine.finish(observer);
            return;
        }
        let edge = match run.path {
            None => rng.pick(&(0..successors.len()).collect::<Vec<_>>()),
            Some(path) => path.get(n_blocks).and_then(|next| {
                let fits = |edge: &mem_model::Edge| edge.target == *next;
                successors.iter().position(fits)
            }),
        };
        let Some(edge) = edge.filter(|_| n_done <= run.n_steps) else {
            return;
        };
        machine.bind(&successors[edge].bindings, rng);
        block = successors[edge].target.index();
    }
}

/// The value of a name: bytes `[base, base + len)` of an instance.
#[derive(Clone, Copy)]
struct View {
    instance: usize,
    base: usize,
    len: usize,
}

/// An instance of a buffer: bytes of an object that other instances may share.
struct Instance {
    buffer: BufferId,
    object: usize,
    shift: usize,
    len: usize,
}

#[derive(Clone, Copy)]
struct Byte {
    origin: Origin,
    stamp: u64,
}

impl Byte {
    /// Identity of the write it comes from, equal for all undefined bytes.
    fn identity(self) -> (Origin, u64) {
        match self.origin {
            Origin::Undefined => (Origin::Undefined, 0),
            origin => (origin, self.stamp),
        }
    }
}

/// A byte that an asynchronous access still has to touch.
struct Pending {
    token: TokenId,
    /// The issue of the token that it belongs to.
    issue: u64,
    step: StepId,
    index: u32,
    is_read: bool,
    instance: usize,
    byte: usize,
}

struct Machine<'a> {
    program: &'a Program,
    objects: Vec<Vec<Byte>>,
    instances: Vec<Instance>,
    newest: Vec<usize>,
    merges: Vec<Option<View>>,
    symbols: Vec<i64>,
    pending: Vec<Pending>,
    /// Indexed by token: its last issue.
    issues: Vec<u64>,
    n_issues: u64,
    n_writes: u64,
}

impl<'a> Machine<'a> {
    fn new(program: &'a Program, rng: &mut Rng) -> Self {
        let mut machine = Self {
            program,
            objects: Vec::new(),
            instances: Vec::new(),
            newest: vec![0; program.buffers.len()],
            merges: vec![None; program.pointers.len()],
            symbols: program.symbols.iter().map(|_| symbol_value(rng)).collect(),
            pending: Vec::new(),
            issues: vec![0; program.tokens.len()],
            n_issues: 0,
            n_writes: 0,
        };
        for (index, buffer) in program.buffers.iter().enumerate() {
            let origin = match buffer.storage {
                Storage::Planned => Origin::Undefined,
                Storage::External | Storage::Placed { .. } => Origin::Entry,
            };
            machine.new_instance(BufferId::new(index), origin);
        }
        machine.share_bytes(rng);
        machine
    }

    fn new_instance(&mut self, buffer: BufferId, origin: Origin) {
        let len = self.program.buffers[buffer.index()].size.get() as usize;
        self.newest[buffer.index()] = self.instances.len();
        self.n_writes += 1;
        let stamp = self.n_writes;
        self.instances.push(Instance {
            buffer,
            object: self.objects.len(),
            shift: 0,
            len,
        });
        self.objects.push(vec![Byte { origin, stamp }; len]);
    }

    /// Makes some of the buffers that may overlap share bytes.
    fn share_bytes(&mut self, rng: &mut Rng) {
        let program = self.program;
        for a in 0..program.buffers.len() {
            for b in 0..a {
                let [first, second] = [b, a].map(|i| program.buffers[i].aliasing);
                // A buffer that shares bytes already is not moved again.
                let is_free = self.instances[a].object == a;
                let others = self.instances.iter().enumerate();
                let sharers =
                    others.filter(|(i, x)| *i != b && x.object == self.instances[b].object);
                let all_may = sharers
                    .map(|(i, _)| program.buffers[i].aliasing)
                    .all(|other| other.may_overlap(second));
                let used = self.instances.iter().filter(|x| x.object == a).count();
                if !is_free || used > 1 || !first.may_overlap(second) || !all_may || !rng.chance(50)
                {
                    continue;
                }
                let object = self.instances[b].object;
                let shift = rng.below(self.objects[object].len() + 1);
                let len = self.instances[a].len;
                let fill = Byte {
                    origin: Origin::Entry,
                    stamp: 0,
                };
                let new_len = self.objects[object].len().max(shift + len);
                self.objects[object].resize(new_len, fill);
                let instance = &mut self.instances[a];
                (instance.object, instance.shift) = (object, shift);
            }
        }
    }

    fn enter(&mut self, block: usize, rng: &mut Rng) {
        for (index, symbol) in self.program.symbols.iter().enumerate() {
            if symbol.blocks.iter().any(|b| b.index() == block) {
                self.symbols[index] = symbol_value(rng);
            }
        }
    }

    fn view(&self, name: PointerId) -> Option<View> {
        match self.program.pointers[name.index()].kind {
            PointerKind::Merge => self.merges[name.index()],
            PointerKind::Buffer(buffer) => {
                let instance = self.newest[buffer.index()];
                let len = self.instances[instance].len;
                Some(View {
                    instance,
                    base: 0,
                    len,
                })
            }
        }
    }

    fn bind(&mut self, bindings: &[Binding], rng: &mut Rng) {
        let mut bound = Vec::new();
        for binding in bindings {
            let source = rng.pick(&binding.sources);
            let view = source.and_then(|source| self.view(source));
            let size = self.program.pointers[binding.target.index()].size;
            // A merge that reaches less than its source is a view at any offset inside it.
            let narrowed = view.map(|view| {
                let len = size.map_or(view.len, |size| view.len.min(size.get() as usize));
                let base = view.base + rng.between(0, view.len - len);
                View { base, len, ..view }
            });
            bound.push((binding.target, narrowed));
        }
        for (target, view) in bound {
            self.merges[target.index()] = view;
        }
    }

    fn step(&mut self, id: StepId, rng: &mut Rng, observer: &mut dyn Observer) {
        let step = &self.program.steps[id.index()];
        self.progress(rng, observer);
        for &token in &step.waits {
            let issue = self.issues[token.index()];
            self.settle(rng, observer, |p, _| p.token == token && p.issue == issue);
        }
        observer.before(id, &|pointer| {
            let view = self.view(pointer)?;
            let bytes = view.base..view.base + view.len;
            let content = bytes.map(|b| self.byte(view.instance, b));
            Some(content.map(Byte::identity).collect())
        });
        for &buffer in &step.allocates {
            self.new_instance(buffer, Origin::Undefined);
        }
        self.bind(&step.bindings, rng);
        self.issue(id);
        for is_read in [true, false] {
            self.progress(rng, observer);
            for (index, access) in (0..).zip(&step.accesses) {
                if is_use(access) == is_read {
                    self.access(id, index, access, rng, observer);
                }
            }
        }
    }

    fn issue(&mut self, id: StepId) {
        self.n_issues += 1;
        for access in &self.program.steps[id.index()].accesses {
            if let Some(token) = access.token() {
                self.issues[token.index()] = self.n_issues;
            }
        }
    }

    fn access(
        &mut self,
        step: StepId,
        index: u32,
        access: &Access,
        rng: &mut Rng,
        observer: &mut dyn Observer,
    ) {
        let holds = |l: &mem_model::Literal| (self.symbols[l.symbol.index()] % 2 == 1) == l.holds;
        let Some(view) = self.view(access.pointer) else {
            return;
        };
        if !access.predicate().iter().all(holds) {
            return;
        }
        let touched = self.touched(access, view, rng);
        match access.token() {
            Some(token) => {
                let issue = self.issues[token.index()];
                let is_read = is_use(access);
                let pend = |byte| Pending {
                    token,
                    issue,
                    step,
                    index,
                    is_read,
                    instance: view.instance,
                    byte,
                };
                self.pending.extend(touched.into_iter().map(pend));
            }
            None if is_use(access) => {
                for byte in touched {
                    self.read(step, index, view.instance, byte, observer);
                }
            }
            None => {
                self.n_writes += 1;
                for byte in touched {
                    self.write(step, index, view.instance, byte);
                }
            }
        }
    }

    /// The bytes of the instance that one execution of `access` touches: all that it must touch,
    /// and some of those that it may touch.
    fn touched(&self, access: &Access, view: View, rng: &mut Rng) -> Vec<usize> {
        let within = |range: Interval<Bytes>, byte: usize| range.contains(Bytes::new(byte as u64));
        let bound = |bound: Bound| {
            bound.offset
                + bound
                    .symbol
                    .map_or(0, |symbol| self.symbols[symbol.index()])
        };
        let symbolic = access.symbolic();
        let in_symbolic = |byte: usize| {
            symbolic.is_none_or(|range| {
                bound(range.start) <= byte as i64 && (byte as i64) < bound(range.end)
            })
        };
        // Touches all of them in half of the cases: partial accesses hide errors as often as they
        // expose them.
        let eager = rng.chance(50);
        let mut touched = Vec::new();
        for byte in 0..view.len {
            let in_rows = access
                .rows()
                .is_none_or(|rows| rows.bytes.contains(Bytes::new(byte as u64)));
            let may = access.may.is_none_or(|may| within(may, byte));
            if !may || !in_rows || !in_symbolic(byte) {
                continue;
            }
            let must = access.must.is_some_and(|must| within(must, byte))
                || access.rows().is_some_and(|rows| rows.all)
                || symbolic.is_some_and(|range| range.all);
            if must || eager || rng.chance(50) {
                touched.push(view.base + byte);
            }
        }
        touched
    }

    fn byte(&self, instance: usize, byte: usize) -> Byte {
        let instance = &self.instances[instance];
        self.objects[instance.object][instance.shift + byte]
    }

    fn read(
        &self,
        step: StepId,
        index: u32,
        instance: usize,
        byte: usize,
        observer: &mut dyn Observer,
    ) {
        let Byte { origin, stamp } = self.byte(instance, byte);
        let buffer = self.instances[instance].buffer;
        observer.read(step, index, buffer, byte as u64, (origin, stamp));
    }

    fn write(&mut self, step: StepId, index: u32, instance: usize, byte: usize) {
        let instance = &self.instances[instance];
        self.objects[instance.object][instance.shift + byte] = Byte {
            origin: Origin::Definition(step, index),
            stamp: self.n_writes,
        };
    }

    /// Performs some of the pending asynchronous accesses.
    fn progress(&mut self, rng: &mut Rng, observer: &mut dyn Observer) {
        if !self.pending.is_empty() {
            self.settle(rng, observer, |_, rng| rng.chance(20));
        }
    }

    fn settle(
        &mut self,
        rng: &mut Rng,
        observer: &mut dyn Observer,
        mut is_due: impl FnMut(&Pending, &mut Rng) -> bool,
    ) {
        let pending = std::mem::take(&mut self.pending);
        for pending in pending {
            if !is_due(&pending, rng) {
                self.pending.push(pending);
            } else if pending.is_read {
                let Pending {
                    step,
                    index,
                    instance,
                    byte,
                    ..
                } = pending;
                self.read(step, index, instance, byte, observer);
            } else {
                self.n_writes += 1;
                self.write(pending.step, pending.index, pending.instance, pending.byte);
            }
        }
    }

    fn finish(&self, observer: &mut dyn Observer) {
        for (index, buffer) in self.program.buffers.iter().enumerate() {
            if buffer.aliasing.is_visible_outside() {
                let instance = self.newest[index];
                for byte in 0..self.instances[instance].len {
                    let origin = self.byte(instance, byte).origin;
                    observer.observe(BufferId::new(index), byte as u64, origin);
                }
            }
        }
    }
}

/// A small value, so that bounds are often inside buffers of a few bytes.
fn symbol_value(rng: &mut Rng) -> i64 {
    rng.below(5) as i64
}
