//! `mem-remove-copies`: computes values in the place to which they would be copied.
//!
//! The source and the target of a copy become one if they are never needed at the same time. Let
//! `first` be the first operation in the copy's block in which the source is accessed. The copy can
//! be removed if nothing else accesses the target's bytes between `first` and the copy, and if
//! nothing changes the bytes of either between the copy and the last access to the source. Then
//! each byte of the target that was read before `first` is read as before, and from `first` on the
//! target holds what the source held.
//!
//! A fill of the whole target in between, as in padding, moves before `first` if nothing that it
//! overwrites is accessed earlier.
//!
//! Where the target itself is copied on, as in chains of concatenations, the source takes its place in
//! the last target at once, under the same conditions for each copy on the way.

mod candidate;
mod profile;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_flow::dependence::{AccessId, Dependence};
use mem_model::{Aliasing, BufferId};

use crate::extract::dependence::{Extracted, Subject};
use crate::framework::options::MemRemoveCopiesOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::rewrite::{erase_unused, is_plain_copy};
use crate::ir::{Op, Value};
use crate::optimize::strided::Strided;
use crate::optimize::written::written_bytes;
use candidate::{Candidate, Order};
use profile::{Known, Profile};

/// Maximum number of rounds. Copies to different bytes of one target are removed in one round, and
/// so are chains of them; where the target may denote several buffers, or fills have to move, it
/// takes part in one merge per round, and a target with more sources than rounds leaves the rest to
/// the next run of the pass.
const MAX_ROUNDS: usize = 64;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let mut subject = Subject::new(run, options.noalias_arguments);
    let mut counts = Counts::default();
    let mut finished: HashSet<Op> = HashSet::default();
    let mut known: HashMap<Op, Known> = HashMap::default();
    for _ in 0..MAX_ROUNDS {
        let (mut has_more, before) = (false, counts.copies);
        for function in subject.functions() {
            let op = function.function.op;
            if finished.contains(&op) {
                continue;
            }
            let (is_promising, plan) = merge(function, known.get(&op), &mut counts);
            known.extend(plan.map(|plan| (op, plan)));
            if is_promising {
                has_more = true;
            } else {
                finished.insert(op);
            }
        }
        if counts.copies > before {
            subject.changed();
        }
        if !has_more {
            break;
        }
    }
    subject.finish();
    run.set_statistic(Options::NUM_COPIES, counts.copies);
    run.set_statistic(Options::NUM_BYTES, counts.bytes);
    run.set_statistic(Options::NUM_KEPT, counts.kept);
    Ok(())
}

#[derive(Default)]
struct Counts {
    copies: u64,
    bytes: u64,
    kept: u64,
}

/// Runs one round on one function; `known` is the plan of the previous round. Returns whether another
/// round may find more (a removed copy no longer stands between the two ends of another), and the
/// plan for it.
fn merge(
    function: &Extracted,
    known: Option<&Known>,
    counts: &mut Counts,
) -> (bool, Option<Known>) {
    let mut steps = function.extraction.step_ops.iter();
    if !steps.any(|op| is_plain_copy(*op)) {
        return (false, None);
    }
    let dependence = function.analyze();
    let order = Order::new(function);
    let candidates: Vec<Candidate> = order
        .copies()
        .filter_map(|(step, op)| Candidate::new(function, &dependence, &order, step, op))
        .collect();
    // Lifetimes take longer than candidates, which most functions do not have in the end.
    let profile = (!candidates.is_empty()).then(|| Profile::new(&function.extraction, known));
    let Some(mut profile) = profile.flatten() else {
        return (false, None);
    };
    let (chosen, n_kept) = choose(function, &dependence, &order, candidates, &mut profile);
    for candidate in &chosen {
        counts.copies += 1;
        let step = candidate.copied().step;
        let accesses = &function.extraction.program.steps[step.index()].accesses;
        counts.bytes += written_bytes(candidate.copy(), accesses);
    }
    let has_more = !chosen.is_empty() && chosen.len() < order.copies().count();
    if !has_more {
        counts.kept += n_kept;
    }
    drop((dependence, order));
    if !chosen.is_empty() {
        chosen.iter().for_each(Candidate::apply);
        // Only now, because a copy may be the first access to the source of another one.
        chosen.iter().for_each(|candidate| candidate.copy().erase());
        erase_unused(function.function.op);
    }
    (has_more, profile.known(&function.extraction))
}

/// Chooses candidates that do not interact. Each is planned on top of those accepted before it.
/// Returns the chosen ones, in order, and the number of those that would increase memory use.
fn choose(
    function: &Extracted,
    dependence: &Dependence<'_>,
    order: &Order,
    mut candidates: Vec<Candidate>,
    profile: &mut Profile,
) -> (Vec<Candidate>, u64) {
    let mut taken = Taken::default();
    let mut n_kept = 0;
    // The largest copies come first, because a smaller one may block them, and because what is part
    // of another buffer can then go straight to where that is copied.
    candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.bytes()));
    for candidate in candidates {
        let Some(candidate) = taken.admit(function, dependence, order, candidate) else {
            continue;
        };
        if profile.accept_planned(&candidate.change()) {
            taken.add(function, candidate);
        } else {
            n_kept += 1;
        }
    }
    let mut chosen = taken.chosen;
    chosen.sort_unstable_by_key(|candidate| candidate.copied().step);
    (chosen, n_kept)
}

/// The merges accepted in a round.
#[derive(Default)]
struct Taken {
    chosen: Vec<Candidate>,
    /// Sources of merges that share their target, and their index in `chosen`.
    by_source: HashMap<BufferId, usize>,
    /// What the removed copies write, by the buffers that they may write to.
    by_target: HashMap<BufferId, Vec<AccessId>>,
    /// What the removed copies write that may share bytes with other buffers.
    aliased: Vec<AccessId>,
    /// Buffers that take part in no other merge.
    exclusive: HashSet<BufferId>,
    /// Targets of merges whose candidates share their target with others.
    shared: HashSet<BufferId>,
}

impl Taken {
    /// The merge after all accepted ones, if it is possible. A merge that shares its target makes
    /// other accesses touch the copied bytes of the target, and nothing else: what holds of the
    /// rest of the target, and of other buffers, still holds. Where the target has become part of
    /// another buffer, the source becomes part of that as well.
    fn admit(
        &self,
        function: &Extracted,
        dependence: &Dependence<'_>,
        order: &Order,
        candidate: Candidate,
    ) -> Option<Candidate> {
        let written = candidate.written().iter();
        let next = written
            .filter(|_| candidate.shares_target())
            .find_map(|buffer| self.by_source.get(buffer))
            .map(|index| &self.chosen[*index]);
        let is_free = |buffer: BufferId| {
            let may_share = candidate.shares_target() && buffer != candidate.source();
            may_share && next.is_some()
                || !self.exclusive.contains(&buffer)
                    && (may_share || !self.shared.contains(&buffer))
        };
        // Targets that differ may still share bytes, as arguments that alias.
        let meets =
            |other: &AccessId| may_overlap(function, dependence, candidate.copied(), *other);
        if !candidate.buffers().all(is_free) {
            return None;
        }
        let same = candidate.written().iter();
        let mut same = same
            .filter_map(|buffer| self.by_target.get(buffer))
            .flatten();
        let mut aliased = self
            .aliased
            .iter()
            .filter(|_| may_be_aliased(function, candidate.written()));
        if same.any(meets) || aliased.any(meets) {
            return None;
        }
        match next {
            Some(next) => candidate.followed_by(next, function, dependence, order),
            None => Some(candidate),
        }
    }

    fn add(&mut self, function: &Extracted, candidate: Candidate) {
        for buffer in candidate.written() {
            let written = self.by_target.entry(*buffer).or_default();
            written.push(candidate.copied());
        }
        let is_aliased = may_be_aliased(function, candidate.written());
        if is_aliased {
            self.aliased.push(candidate.copied());
        }
        for buffer in candidate.buffers() {
            let is_shared = candidate.shares_target() && buffer != candidate.source();
            let set = if is_shared {
                &mut self.shared
            } else {
                &mut self.exclusive
            };
            set.insert(buffer);
        }
        if candidate.shares_target() && !is_aliased {
            self.by_source.insert(candidate.source(), self.chosen.len());
        }
        self.chosen.push(candidate);
    }
}

/// Whether one of the buffers that a copy may write to may share bytes with others.
fn may_be_aliased(function: &Extracted, written: &[BufferId]) -> bool {
    let buffers = &function.extraction.program.buffers;
    let mut written = written.iter();
    written.any(|buffer| buffers[buffer.index()].aliasing != Aliasing::Private)
}

/// Whether an access may happen at any time until its token is awaited.
fn is_asynchronous(function: &Extracted, id: AccessId) -> bool {
    let step = &function.extraction.program.steps[id.step.index()];
    step.accesses[id.index as usize].token().is_some()
}

/// Whether two accesses of `function` may touch a common byte, telling views of one buffer apart.
fn may_overlap(
    function: &Extracted,
    dependence: &Dependence<'_>,
    a: AccessId,
    b: AccessId,
) -> bool {
    dependence.may_overlap(a, b) && !are_disjoint_views(function.value(a), function.value(b))
}

/// Whether two values are descriptors of the same buffer that share no byte.
fn are_disjoint_views(a: Option<Value>, b: Option<Value>) -> bool {
    let views = [a, b].map(|value| {
        let op = value?.owner().filter(|op| op.name() == "mem.descriptor")?;
        Some((op.operand(0), Strided::of_descriptor(op)?))
    });
    match views {
        [Some((buffer, a)), Some((other, b))] => buffer == other && a.is_disjoint(&b),
        _ => false,
    }
}

/// The `mem.buffer` that a descriptor refers to, if it is one.
fn described_buffer(descriptor: Op) -> Option<Op> {
    let buffer = (descriptor.name() == "mem.descriptor").then(|| descriptor.operand(0))?;
    buffer.owner().filter(|op| op.name() == "mem.buffer")
}

/// The size of the buffer that a value is a descriptor of, in bytes.
fn described_buffer_size(value: Value) -> Option<u64> {
    let buffer = described_buffer(value.owner()?)?;
    u64::try_from(crate::ir::buffer_size(buffer.result().ty())?).ok()
}
