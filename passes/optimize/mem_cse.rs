//! `mem-cse`: removes loads and computations that repeat an earlier one.
//!
//! Each candidate is compared with earlier operations that dominate it and have the same name,
//! attributes and operands. The candidate is redundant if nothing that it reads has changed in
//! between, and if its target still holds what the earlier operation wrote. If the earlier
//! operation wrote to another buffer, which is read later anyway, a copy replaces the candidate,
//! and readers of the copy read the original where they can.

use rustc_hash::{FxBuildHasher, FxHashMap as HashMap, FxHashSet as HashSet};
use std::hash::BuildHasher as _;

use mem_flow::dependence::{AccessId, Dependence, Source};
use mem_model::{Access, AccessKind, StepId};

use super::forward::{forward_copies, replace_loads};
use crate::extract::dependence::{Extracted, Subject};
use crate::framework::options::MemCseOptions as Options;
use crate::framework::{PassResult, PassRun};
use crate::ir::rewrite::{erase_unused, is_visible};
use crate::ir::{Builder, MemrefLayout, Op, Value, is_equivalent, is_structured, memref_layout};

/// Maximum number of earlier operations that each operation is compared with.
const MAX_CANDIDATES: usize = 32;

/// Maximum number of rounds. Each round follows chains of repeated computations by one more
/// computation.
const MAX_ROUNDS: usize = 8;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let mut subject = Subject::new(run, options.noalias_arguments);
    let (mut n_loads, mut n_computations) = (0, 0);
    for _ in 0..MAX_ROUNDS {
        // Early exit: most programs have no two operations with equal operands.
        if !has_candidates(module) {
            break;
        }
        let (mut n_found, mut n_copied) = (0, 0);
        for function in subject.functions() {
            let found = find(function);
            let n_erased = found.repeated.len() + found.elsewhere.len();
            if n_erased + found.loads.len() == 0 {
                continue;
            }
            n_found += 1;
            n_copied += found.elsewhere.len();
            n_loads += replace_loads(found.loads);
            n_computations += n_erased as u64;
            found.repeated.into_iter().for_each(Op::erase);
            for (op, result) in found.elsewhere {
                let operands = [result, target(op)];
                let copy = Builder::new("memref.copy", op.location()).operands(operands);
                copy.before(op);
                op.erase();
            }
            erase_unused(function.function.op);
        }
        if n_found > 0 {
            subject.changed();
        }
        // Readers of a copy now read the original, and may thereby have become candidates.
        if n_copied == 0 || forward_copies(&mut subject) == 0 {
            break;
        }
    }
    subject.finish();
    run.set_statistic(Options::NUM_LOADS, n_loads);
    run.set_statistic(Options::NUM_COMPUTATIONS, n_computations);
    Ok(())
}

/// Whether any two operations could be merged, judged by hashes of names and operands.
fn has_candidates(module: Op) -> bool {
    let mut seen: HashSet<u64> = HashSet::default();
    let mut found = false;
    module.walk(&mut |op| {
        found = found || is_candidate(op) && !seen.insert(FxBuildHasher.hash_one(Key::new(op)));
    });
    found
}

#[derive(Default)]
struct Found {
    /// Redundant loads, each with the value that replaces it.
    loads: Vec<(Op, Value)>,
    /// Computations whose target already holds the result.
    repeated: Vec<Op>,
    /// Computations whose result is already in another buffer, each with that buffer.
    elsewhere: Vec<(Op, Value)>,
}

/// The properties that operations must share to be compared.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    /// The identity of the name.
    name: usize,
    operands: Vec<Value>,
}

impl Key {
    fn new(op: Op) -> Self {
        let mut operands: Vec<Value> = op.operands().collect();
        // The target is not part of the key: the same value may be computed into another buffer.
        if has_free_target(op) {
            operands.pop();
        }
        Self {
            name: op.name_id(),
            operands,
        }
    }
}

fn is_candidate(op: Op) -> bool {
    op.name() == "memref.load" || is_computation(op)
}

/// Whether the only effect of an operation is to compute some of its operands from others.
fn is_computation(op: Op) -> bool {
    op.results().next().is_none()
        && (op.name() == "memref.copy" || op.name() == "mem.kernel" || is_structured(op))
}

/// Whether an operation computes its last operand from the others, and a copy of the result would
/// be cheaper.
fn has_free_target(op: Op) -> bool {
    !matches!(
        op.name(),
        "memref.load" | "memref.copy" | "mem.kernel" | "linalg.fill" | "linalg.copy"
    )
}

/// The operand that a computation with a free target writes.
fn target(op: Op) -> Value {
    op.operands().last().expect("a computation has operands")
}

fn find(function: &Extracted) -> Found {
    let dependence = function.analyze();
    let mut earlier: HashMap<Key, Vec<StepId>> = HashMap::default();
    let last_reads = last_reads(function);
    let mut found = Found::default();
    let steps = &function.extraction.program.steps;
    for (index, step) in steps.iter().enumerate() {
        let (id, op) = (StepId::new(index), function.extraction.step_ops[index]);
        if step.accesses.is_empty() || !is_candidate(op) {
            continue;
        }
        let before = earlier.entry(Key::new(op)).or_default();
        let mut is_found = false;
        for first in before.iter().rev().take(MAX_CANDIDATES) {
            let pair = Pair {
                function,
                dependence: &dependence,
                last_reads: &last_reads,
                first: *first,
                second: id,
            };
            is_found = pair.replace(&mut found);
            if is_found {
                break;
            }
        }
        // A redundant operation is not recorded, so that later ones are compared with the one that
        // stays.
        if !is_found {
            before.push(id);
        }
    }
    function.report_limits(&dependence.limits());
    found
}

/// Two operations, the second of which may repeat the first.
struct Pair<'a> {
    function: &'a Extracted,
    dependence: &'a Dependence<'a>,
    last_reads: &'a HashMap<Value, StepId>,
    first: StepId,
    second: StepId,
}

/// For each value, the last step in textual order that reads through it.
fn last_reads(function: &Extracted) -> HashMap<Value, StepId> {
    let reads = function
        .accesses()
        .filter(|(_, access)| access.kind == AccessKind::Use);
    reads
        .filter_map(|(id, _)| Some((function.value(id)?, id.step)))
        .collect()
}

impl Pair<'_> {
    /// Whether the second operation is redundant. Records in `found` how to replace it.
    fn replace(&self, found: &mut Found) -> bool {
        let [first, second] = [self.first, self.second].map(|s| self.op(s));
        let same_operands = first.operands().eq(second.operands());
        if second.name() == "memref.load" {
            let is_same = is_equivalent(first, second, None)
                && self.reads_same(|_| false)
                && is_visible(first.result(), second);
            if is_same {
                found.loads.push((second, first.result()));
            }
            return is_same;
        }
        if same_operands {
            let is_same = is_equivalent(first, second, None) && self.is_repeated();
            if is_same {
                found.repeated.push(second);
            }
            return is_same;
        }
        let is_same = is_equivalent(first, second, Some(second.operands().count() - 1))
            && self.is_elsewhere(target(first), target(second));
        if is_same {
            found.elsewhere.push((second, target(first)));
        }
        is_same
    }

    fn op(&self, step: StepId) -> Op {
        self.function.extraction.step_ops[step.index()]
    }

    /// The accesses of the second step, each with its ids in the first and in the second step.
    fn accesses(&self) -> impl Iterator<Item = (&Access, AccessId, AccessId)> {
        let accesses = &self.function.extraction.program.steps[self.second.index()].accesses;
        (0..).zip(accesses).map(|(index, access)| {
            let [first, second] = [self.first, self.second].map(|step| AccessId { step, index });
            (access, first, second)
        })
    }

    /// Whether the second step reads the same contents as the first, except through `exempt`
    /// accesses.
    fn reads_same(&self, exempt: impl Fn(AccessId) -> bool) -> bool {
        self.accesses().all(|(access, _, second)| {
            access.kind != AccessKind::Use
                || exempt(second)
                || self
                    .dependence
                    .is_unchanged(second, self.first, self.second)
        })
    }

    /// Whether the target of the second operation still holds what the first has written there.
    fn is_repeated(&self) -> bool {
        let writes_same = self.accesses().all(|(access, first, second)| {
            access.kind != AccessKind::Define
                || (access.is_unconditional()
                    && self.dependence.sole_source_before(second)
                        == Some(Source::Definition(first)))
        });
        writes_same && self.reads_same(|_| false)
    }

    /// Whether the second operation would compute into `target` what the first has computed into
    /// `result`, and `result` still holds it and is read later.
    fn is_elsewhere(&self, result: Value, target: Value) -> bool {
        let steps = &self.function.extraction.program.steps;
        let [n_first, n_second] =
            [self.first, self.second].map(|s| steps[s.index()].accesses.len());
        let defines = || {
            self.accesses()
                .filter(|(a, ..)| a.kind == AccessKind::Define)
        };
        let layout = memref_layout(result.ty()).filter(MemrefLayout::dense);
        let size = layout.and_then(|layout| u64::try_from(layout.span()?).ok());
        // Neither reads what it writes, but for what it began with.
        let is_undisturbed = |id: AccessId, target: Value| {
            let is_target = self.function.value(id) == Some(target);
            is_target || self.function.reads_before_it_writes(self.dependence, id)
        };
        let mut reads = self.accesses().filter(|(a, ..)| a.kind == AccessKind::Use);
        let are_undisturbed = reads.all(|(_, first, second)| {
            is_undisturbed(first, result) && is_undisturbed(second, target)
        });
        let writes_target = |(access, first, second): (&Access, AccessId, AccessId)| {
            let written = access.certain();
            written.is_some()
                && written.map(|w| w.end.get() - w.start.get()) == size
                && self.function.value(first) == Some(result)
                && self.function.value(second) == Some(target)
                && !self.dependence.may_overlap(first, second)
                && self
                    .dependence
                    .is_unchanged_but_for(first, self.first, self.second, &[first])
        };
        n_first == n_second
            && are_undisturbed
            && result.ty() == target.ty()
            && is_visible(result, self.op(self.second))
            && defines().count() == 1
            && defines().all(writes_target)
            && self.starts_same(result, target)
            // Otherwise the additional read would extend the lifetime of `result`.
            && self.last_reads.get(&result).is_some_and(|last| *last > self.second)
    }

    /// Whether both operations read the same contents. Targets that are read themselves must have
    /// been filled with the same value.
    fn starts_same(&self, result: Value, target: Value) -> bool {
        let is_target = |id: AccessId| self.function.value(id) == Some(target);
        let fill = |id: AccessId, value: Value| {
            let Some(Source::Definition(from)) = self.dependence.sole_source(id) else {
                return None;
            };
            let op = self.function.op(from);
            let fills = op.name() == "linalg.fill" && op.operand(1) == value;
            fills.then(|| op.operand(0))
        };
        let mut uses = self.accesses().filter(|(a, ..)| a.kind == AccessKind::Use);
        uses.all(|(_, first, second)| {
            let is_own = self.function.value(first) == Some(result);
            is_own == is_target(second)
                && (!is_own || {
                    let fills = [fill(first, result), fill(second, target)];
                    fills[0].is_some() && fills[0] == fills[1]
                })
        }) && self.reads_same(is_target)
    }
}
