//! `mem-split-buffers`: gives unrelated contents of a buffer buffers of their own.
//!
//! The accesses to a buffer fall into classes: a use is in the same class as every definition that
//! may reach it, and accesses of one operation through one operand are in the same class. Bytes
//! written by one class are never read by another, so each class can have a buffer of its own, with
//! the bytes that it touches. Two classes stay together if separate buffers could take more memory:
//! if their bytes overlap, and their lifetimes may overlap, too.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeMap;

use mem_flow::dependence::{AccessId, Dependence, Source};
use mem_model::{AccessKind, PointerId};
use petgraph::unionfind::UnionFind;

use crate::extract::dependence::{Extracted, Subject};
use crate::framework::options::MemSplitBuffersOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::rewrite::{erase_unused, takes_any_layout};
use crate::ir::{Builder, Op, Value, buffer_size, buffer_type, memref_layout};
use crate::optimize::strided::Strided;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let (mut n_split, mut n_new, mut n_bytes) = (0, 0, 0);
    let mut subject = Subject::new(run, options.noalias_arguments);
    let mut changed = false;
    for function in subject.functions() {
        let found = find(function);
        if found.is_empty() {
            continue;
        }
        changed = true;
        for split in found {
            match split.classes.len() {
                1 => n_bytes += split.saved_bytes(),
                n => {
                    n_split += 1;
                    n_new += n as u64 - 1;
                }
            }
            split.apply();
        }
        erase_unused(function.function.op);
    }
    if changed {
        subject.changed();
    }
    subject.finish();
    run.set_statistic(Options::NUM_SPLIT, n_split);
    run.set_statistic(Options::NUM_NEW, n_new);
    run.set_statistic(Options::NUM_BYTES, n_bytes);
    Ok(())
}

/// A buffer, and the unrelated classes of its accesses.
struct Split {
    buffer: Op,
    classes: Vec<Class>,
}

/// Accesses connected by def-use chains.
struct Class {
    /// Pairs of a descriptor and an operation that accesses the buffer through it.
    uses: Vec<(Op, Op)>,
    /// Byte interval `[start, end)` that covers everything they touch.
    start: i64,
    end: i64,
    /// The first and the last step, if all accesses are in the block of the allocation.
    steps: Option<(usize, usize)>,
}

/// One access to a buffer.
struct Member {
    id: AccessId,
    is_definition: bool,
    descriptor: Op,
    op: Op,
}

/// The buffers that are worth splitting or shrinking.
fn find(function: &Extracted) -> Vec<Split> {
    let members = members_by_buffer(function);
    if members.is_empty() {
        return Vec::new();
    }
    let dependence = function.analyze();
    let split = |(index, members): (usize, Vec<Member>)| {
        let buffer = function.extraction.buffer_ops[index]?;
        let classes = classes(buffer, &members, &dependence)?;
        let size = buffer_size(buffer.result().ty())?;
        let is_better = classes.len() > 1 || classes[0].end - classes[0].start < size;
        is_better.then_some(Split { buffer, classes })
    };
    let found = members.into_iter().filter_map(split).collect();
    function.report_limits(&dependence.limits());
    found
}

/// The accesses to each buffer all of whose uses are known accesses.
fn members_by_buffer(function: &Extracted) -> BTreeMap<usize, Vec<Member>> {
    let program = &function.extraction.program;
    let buffer_of = |pointer: PointerId| {
        let buffer = program.pointers[pointer.index()].kind.buffer();
        buffer.map(|own| own.index())
    };
    let bound = program.bound_buffers();
    let mut members: BTreeMap<usize, Vec<Member>> = BTreeMap::new();
    let mut unknown: HashSet<usize> = HashSet::default();
    for (id, access) in function.accesses() {
        let Some(buffer) = buffer_of(access.pointer) else {
            continue;
        };
        let descriptor = function.value(id).and_then(|value| value.owner());
        match descriptor.filter(|op| Strided::is_descriptor(*op) && access.token().is_none()) {
            Some(descriptor) => members.entry(buffer).or_default().push(Member {
                id,
                is_definition: access.kind == AccessKind::Define,
                descriptor,
                op: function.op(id),
            }),
            None => {
                unknown.insert(buffer);
            }
        }
    }
    members.retain(|buffer, members| {
        let op = function.extraction.buffer_ops[*buffer];
        let is_buffer = op.is_some_and(|op| op.name() == "mem.buffer" && is_complete(op, members));
        let is_free = !unknown.contains(buffer) && !bound.contains(*buffer);
        is_free && is_buffer && !is_whole(op, members)
    });
    members
}

/// Whether a buffer holds a single value: every access covers all of it, and each definition but
/// the first belongs to an operation that also reads the buffer.
fn is_whole(buffer: Option<Op>, members: &[Member]) -> bool {
    let size = buffer.and_then(|op| buffer_size(op.result().ty()));
    let covers = |member: &Member| {
        let place = Strided::of_descriptor(member.descriptor);
        place.is_some_and(|place| place.start == 0 && place.span() == size)
    };
    let mut uses: HashSet<Op> = HashSet::default();
    uses.extend(members.iter().filter(|m| !m.is_definition).map(|m| m.op));
    let mut definitions = members.iter().filter(|m| m.is_definition);
    let is_first = definitions.next().is_some_and(covers);
    is_first && definitions.all(|m| uses.contains(&m.op)) && members.iter().all(covers)
}

/// Whether a buffer is used only by the operations of `members`.
fn is_complete(buffer: Op, members: &[Member]) -> bool {
    let known: HashSet<(Op, Op)> = members.iter().map(|m| (m.descriptor, m.op)).collect();
    let mut descriptors = buffer.result().users().into_iter();
    descriptors.all(|descriptor| {
        let mut users = descriptor.result().users().into_iter();
        Strided::is_descriptor(descriptor)
            && users.all(|user| takes_any_layout(user) && known.contains(&(descriptor, user)))
    })
}

/// The classes of a buffer's accesses, ordered by their first steps.
fn classes(buffer: Op, members: &[Member], dependence: &Dependence<'_>) -> Option<Vec<Class>> {
    let number: HashMap<AccessId, usize> =
        members.iter().enumerate().map(|(n, m)| (m.id, n)).collect();
    let mut sets = UnionFind::new(members.len());
    let mut operands: HashMap<(Op, Op), usize> = HashMap::default();
    for (index, member) in members.iter().enumerate() {
        let same = operands
            .entry((member.descriptor, member.op))
            .or_insert(index);
        sets.union(index, *same);
        if member.is_definition {
            continue;
        }
        for reaching in dependence.reaching(member.id) {
            let definition = match reaching.source {
                Source::Definition(definition) => number.get(&definition),
                _ => None,
            };
            if let Some(definition) = definition {
                sets.union(index, *definition);
            }
        }
    }
    let mut by_set: BTreeMap<usize, Vec<&Member>> = BTreeMap::new();
    for (index, member) in members.iter().enumerate() {
        by_set.entry(sets.find(index)).or_default().push(member);
    }
    let classes: Option<Vec<Class>> = by_set
        .into_values()
        .map(|members| Class::new(buffer, &members))
        .collect();
    let mut classes = together(classes?);
    classes.sort_by_key(|class| (class.steps, class.start));
    Some(classes)
}

/// Joins classes whose bytes overlap, unless their lifetimes are known to be disjoint.
fn together(classes: Vec<Class>) -> Vec<Class> {
    let mut kept: Vec<Class> = Vec::new();
    for mut class in classes {
        while let Some(position) = kept.iter().position(|other| class.interferes(other)) {
            class.join(kept.swap_remove(position));
        }
        kept.push(class);
    }
    kept
}

impl Class {
    fn new(buffer: Op, members: &[&Member]) -> Option<Self> {
        let mut bytes: Option<(i64, i64)> = None;
        let mut steps: Option<(usize, usize)> = None;
        let mut is_local = true;
        for member in members {
            let place = Strided::of_descriptor(member.descriptor)?;
            let end = place.start.checked_add(place.span()?)?;
            let (low, high) = bytes.unwrap_or((place.start, end));
            bytes = Some((low.min(place.start), high.max(end)));
            let step = member.id.step.index();
            let (first, last) = steps.unwrap_or((step, step));
            steps = Some((first.min(step), last.max(step)));
            is_local &= member.op.block() == buffer.block();
        }
        let (start, end) = bytes?;
        // Rounding the start down preserves the alignment of elements.
        let element = members
            .iter()
            .filter_map(|m| memref_layout(m.descriptor.result().ty()));
        let element = element.map(|layout| layout.element).max().unwrap_or(1);
        let alignment = buffer.attribute("alignment").and_then(|a| a.integer());
        let alignment = alignment.unwrap_or(1).max(element).max(1);
        Some(Self {
            uses: members.iter().map(|m| (m.descriptor, m.op)).collect(),
            start: start / alignment * alignment,
            end,
            steps: steps.filter(|_| is_local),
        })
    }

    /// Whether two buffers could take more memory than one.
    fn interferes(&self, other: &Self) -> bool {
        let share_bytes = self.start < other.end && other.start < self.end;
        let may_meet = match (self.steps, other.steps) {
            (Some((first, last)), Some((from, to))) => first <= to && from <= last,
            _ => true,
        };
        share_bytes && may_meet
    }

    fn join(&mut self, other: Self) {
        self.uses.extend(other.uses);
        self.start = self.start.min(other.start);
        self.end = self.end.max(other.end);
        let both = self.steps.zip(other.steps);
        self.steps = both.map(|(a, b)| (a.0.min(b.0), a.1.max(b.1)));
    }

    /// Creates the buffer of this class and redirects its accesses to it.
    fn materialize(&self, old: Op, suffix: Option<usize>) {
        let context = old.context();
        let name = old.attribute("name");
        let name = name.as_ref().and_then(crate::ir::Attribute::string);
        let name = name.map(|name| match suffix {
            Some(suffix) => format!("{name}.{suffix}"),
            None => name.to_owned(),
        });
        let mut new = Builder::new("mem.buffer", old.location())
            .result(buffer_type(context, Some(self.end - self.start)));
        if let Some(name) = name {
            new = new.string(context, "name", &name);
        }
        for attribute in ["alignment", "role"] {
            if let Some(value) = old.attribute(attribute) {
                new = new.attribute(attribute, value);
            }
        }
        let buffer = new.before(old).result();
        let mut described: HashMap<Op, Value> = HashMap::default();
        for (descriptor, op) in &self.uses {
            let Some(mut place) = Strided::of_descriptor(*descriptor) else {
                continue;
            };
            place.start -= self.start;
            let value = *described
                .entry(*descriptor)
                .or_insert_with(|| place.describe(*descriptor, buffer, *descriptor));
            let swap = |operand: Value| match operand == descriptor.result() {
                true => value,
                false => operand,
            };
            let operands: Vec<Value> = op.operands().map(swap).collect();
            op.set_operands(&operands);
        }
    }
}

impl Split {
    fn saved_bytes(&self) -> u64 {
        let size = buffer_size(self.buffer.result().ty()).unwrap_or(0);
        let left: i64 = self.classes.iter().map(|c| c.end - c.start).sum();
        u64::try_from(size - left).unwrap_or(0)
    }

    fn apply(self) {
        let is_one = self.classes.len() == 1;
        for (index, class) in self.classes.iter().enumerate() {
            class.materialize(self.buffer, (!is_one).then_some(index));
        }
    }
}
