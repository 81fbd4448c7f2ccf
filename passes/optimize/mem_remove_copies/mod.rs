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

mod candidate;
mod profile;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_flow::dependence::{AccessId, Dependence};
use mem_model::{Aliasing, BufferId};

use crate::extract::dependence::{Extracted, Subject};
use crate::framework::options::MemRemoveCopiesOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::Op;
use crate::ir::rewrite::{erase_unused, is_plain_copy};
use crate::optimize::written::written_bytes;
use candidate::{Candidate, Order};
use profile::{Known, Profile};

/// Maximum number of rounds. The source of one merge is not the target of another in the same
/// round, so that the length of the chains of copies that are resolved doubles with each. Copies to
/// different bytes of one target are removed in one round; where the target may denote several
/// buffers, or fills have to move, it takes part in one merge per round, and a target with more
/// sources than rounds leaves the rest to the next run of the pass.
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
    let candidates = order.copies().filter_map(|(step, op)| {
        let candidate = Candidate::new(function, &dependence, &order, step, op)?;
        Some((step, op, candidate))
    });
    let mut candidates: Vec<_> = candidates.collect();
    // Lifetimes take longer than candidates, which most functions do not have in the end.
    let profile = (!candidates.is_empty()).then(|| Profile::new(&function.extraction, known));
    let Some(mut profile) = profile.flatten() else {
        return (false, None);
    };
    let all: Vec<&Candidate> = candidates.iter().map(|(.., candidate)| candidate).collect();
    let choice = choose(function, &dependence, &all, &mut profile);
    let n_copies = order.copies().count();
    let mut is_chosen = choice.chosen.into_iter();
    candidates.retain(|_| is_chosen.next().unwrap_or(false));
    for (step, op, _) in &candidates {
        counts.copies += 1;
        let accesses = &function.extraction.program.steps[step.index()].accesses;
        counts.bytes += written_bytes(*op, accesses);
    }
    let has_more = !candidates.is_empty() && candidates.len() < n_copies;
    if !has_more {
        counts.kept += choice.n_kept;
    }
    if !candidates.is_empty() {
        candidates.into_iter().for_each(|(.., c)| c.apply());
        erase_unused(function.function.op);
    }
    (has_more, profile.known(&function.extraction))
}

/// The candidates of a round that are merged.
#[derive(Default)]
struct Choice {
    chosen: Vec<bool>,
    /// Candidates that would increase memory use.
    n_kept: u64,
}

/// Chooses candidates that do not interact. Each is planned on top of those accepted before it.
fn choose(
    function: &Extracted,
    dependence: &Dependence<'_>,
    candidates: &[&Candidate],
    profile: &mut Profile,
) -> Choice {
    let mut choice = Choice {
        chosen: vec![false; candidates.len()],
        ..Choice::default()
    };
    let mut taken = Taken::default();
    // The largest copies come first, because a smaller one may block them.
    let mut order: Vec<usize> = (0..candidates.len()).collect();
    order.sort_by_key(|index| std::cmp::Reverse(candidates[*index].bytes()));
    for index in order {
        let candidate = candidates[index];
        let is_taken = !taken.admits(function, dependence, candidate);
        let is_chosen = !is_taken && profile.accept_planned(&candidate.change());
        choice.n_kept += u64::from(!is_taken && !is_chosen);
        choice.chosen[index] = is_chosen;
        if is_chosen {
            taken.add(function, candidate);
        }
    }
    choice
}

/// The merges accepted in a round.
#[derive(Default)]
struct Taken<'c> {
    /// Accepted merges by the buffers that their targets may denote.
    by_target: HashMap<BufferId, Vec<&'c Candidate>>,
    /// Accepted merges whose targets may share bytes with other buffers.
    aliased: Vec<&'c Candidate>,
    /// Buffers that take part in no other merge.
    exclusive: HashSet<BufferId>,
    /// Targets of merges whose candidates share their target with others.
    shared: HashSet<BufferId>,
}

impl<'c> Taken<'c> {
    /// Whether a merge is possible after all accepted ones. A merge that shares its target makes
    /// other accesses touch the copied bytes of the target, and nothing else: what holds of the
    /// rest of the target, and of other buffers, still holds.
    fn admits(
        &self,
        function: &Extracted,
        dependence: &Dependence<'_>,
        candidate: &Candidate,
    ) -> bool {
        let is_free = |buffer: BufferId| {
            let may_share = candidate.shares_target() && buffer != candidate.source();
            !self.exclusive.contains(&buffer) && (may_share || !self.shared.contains(&buffer))
        };
        // Targets that differ may still share bytes, as arguments that alias.
        let meets = |other: &&Candidate| {
            may_overlap(function, dependence, candidate.copied(), other.copied())
        };
        if !candidate.buffers().all(is_free) {
            return false;
        }
        let same = candidate.targets().iter();
        let mut same = same
            .filter_map(|buffer| self.by_target.get(buffer))
            .flatten();
        let mut aliased = self
            .aliased
            .iter()
            .filter(|_| may_be_aliased(function, candidate));
        !same.any(meets) && !aliased.any(meets)
    }

    fn add(&mut self, function: &Extracted, candidate: &'c Candidate) {
        for buffer in candidate.targets() {
            self.by_target.entry(*buffer).or_default().push(candidate);
        }
        if may_be_aliased(function, candidate) {
            self.aliased.push(candidate);
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
    }
}

/// Whether the target of a copy may share bytes with other buffers.
fn may_be_aliased(function: &Extracted, candidate: &Candidate) -> bool {
    let buffers = &function.extraction.program.buffers;
    let mut targets = candidate.targets().iter();
    targets.any(|target| buffers[target.index()].aliasing != Aliasing::Private)
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
    dependence.may_overlap(a, b)
        && !candidate::are_disjoint_views(function.value(a), function.value(b))
}

/// The `mem.buffer` that a descriptor refers to, if it is one.
fn described_buffer(descriptor: Op) -> Option<Op> {
    let buffer = (descriptor.name() == "mem.descriptor").then(|| descriptor.operand(0))?;
    buffer.owner().filter(|op| op.name() == "mem.buffer")
}

/// The size of the buffer that a value is a descriptor of, in bytes.
fn described_buffer_size(value: crate::ir::Value) -> Option<u64> {
    let buffer = described_buffer(value.owner()?)?;
    u64::try_from(crate::ir::buffer_size(buffer.result().ty())?).ok()
}
