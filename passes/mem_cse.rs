//! `mem-cse`: reads and computations whose operands have not changed since an earlier one.
//!
//! Candidates with equal operations, attributes and operands are compared with those before them
//! that dominate them: what each reads must be unchanged between the two, and what it writes must
//! still be what the earlier one wrote. If that is in another buffer, which is read later anyway, it
//! is copied instead, and readers of the copy read the original where they can.

use std::collections::{HashMap, HashSet};

use mem_flow::dependence::{AccessId, Dependence, Source};
use mem_model::{Access, AccessKind, StepId};

use crate::dependence::{Extracted, Subject};
use crate::mem_forward_stores::{forward_copies, replace_loads};
use crate::mlir::{Builder, MemrefLayout, Op, Value, describe, is_equivalent, memref_layout};
use crate::registry::generated::MemCseOptions as Options;
use crate::registry::{PassResult, PassRun};
use crate::rewrite::{erase_unused, is_visible};

/// Most earlier operations that one is compared with.
const MAX_CANDIDATES: usize = 32;

/// Times the whole is repeated: each round finds what the result of a computation was computed
/// from, as far as that took place twice.
const MAX_ROUNDS: usize = 8;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let mut subject = Subject::new(run, options.noalias_arguments);
    let (mut n_loads, mut n_computations) = (0, 0);
    for _ in 0..MAX_ROUNDS {
        // Most programs have no two operations with equal operands.
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
        // Who reads the copy can read what it was copied from, and may then be a candidate.
        if n_copied == 0 || forward_copies(&mut subject) == 0 {
            break;
        }
    }
    subject.finish();
    run.set_statistic(Options::NUM_LOADS, n_loads);
    run.set_statistic(Options::NUM_COMPUTATIONS, n_computations);
    Ok(())
}

/// Whether any two operations could be one, by name and operands.
fn has_candidates(module: Op) -> bool {
    let mut seen: HashSet<Key> = HashSet::new();
    let mut found = false;
    module.walk(&mut |op| found |= is_candidate(op) && !seen.insert(Key::new(op)));
    found
}

#[derive(Default)]
struct Found {
    /// Loads, and the values they have.
    loads: Vec<(Op, Value)>,
    /// Computations of what is there already.
    repeated: Vec<Op>,
    /// Computations of what is elsewhere already, and where.
    elsewhere: Vec<(Op, Value)>,
}

/// What candidates have in common.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    name: String,
    operands: Vec<Value>,
}

impl Key {
    fn new(op: Op) -> Self {
        let mut operands: Vec<Value> = op.operands().collect();
        // The same may be computed into another buffer.
        if has_free_target(op) {
            operands.pop();
        }
        Self {
            name: op.name().to_owned(),
            operands,
        }
    }
}

fn is_candidate(op: Op) -> bool {
    op.name() == "memref.load" || is_computation(op)
}

/// Whether an operation does nothing but compute some of its operands from others.
fn is_computation(op: Op) -> bool {
    op.results().next().is_none()
        && (op.name() == "memref.copy" || op.name() == "mem.kernel" || describe(op).is_structured())
}

/// Whether an operation computes something into its last operand that is worth a copy.
fn has_free_target(op: Op) -> bool {
    !matches!(
        op.name(),
        "memref.load" | "memref.copy" | "mem.kernel" | "linalg.fill" | "linalg.copy"
    )
}

/// The operand that a computation writes, if it has a free target.
fn target(op: Op) -> Value {
    op.operands().last().expect("a computation has operands")
}

fn find(function: &Extracted) -> Found {
    let dependence = function.analyze();
    let mut earlier: HashMap<Key, Vec<StepId>> = HashMap::new();
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
        // Whoever does the same is compared with the one that stays.
        if !is_found {
            before.push(id);
        }
    }
    function.report_limits(&dependence.limits());
    found
}

/// Two operations of which the second may do again what the first has done.
struct Pair<'a> {
    function: &'a Extracted,
    dependence: &'a Dependence<'a>,
    last_reads: &'a HashMap<Value, StepId>,
    first: StepId,
    second: StepId,
}

/// The last step of the text that reads through a value.
fn last_reads(function: &Extracted) -> HashMap<Value, StepId> {
    let reads = function
        .accesses()
        .filter(|(_, access)| access.kind == AccessKind::Use);
    reads
        .filter_map(|(id, _)| Some((function.value(id)?, id.step)))
        .collect()
}

impl Pair<'_> {
    /// Whether the second can go; notes how.
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

    /// The accesses of the second step, each with the corresponding one of the first.
    fn accesses(&self) -> impl Iterator<Item = (&Access, AccessId, AccessId)> {
        let accesses = &self.function.extraction.program.steps[self.second.index()].accesses;
        (0..).zip(accesses).map(|(index, access)| {
            let [first, second] = [self.first, self.second].map(|step| AccessId { step, index });
            (access, first, second)
        })
    }

    /// Whether what the second reads is what the first has read, but for what is `exempt`.
    fn reads_same(&self, exempt: impl Fn(AccessId) -> bool) -> bool {
        self.accesses().all(|(access, _, second)| {
            access.kind != AccessKind::Use
                || exempt(second)
                || self
                    .dependence
                    .is_unchanged(second, self.first, self.second)
        })
    }

    /// Whether what the second would write is there, written by the first.
    fn is_repeated(&self) -> bool {
        let writes_same = self.accesses().all(|(access, first, second)| {
            access.kind != AccessKind::Define
                || (access.is_unconditional()
                    && self.dependence.sole_source_before(second)
                        == Some(Source::Definition(first)))
        });
        writes_same && self.reads_same(|_| false)
    }

    /// Whether what the second computes into `target` is what the first has computed into
    /// `result`, where it is still, and will be read later.
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
            // Else reading it once more takes memory for longer.
            && self.last_reads.get(&result).is_some_and(|last| *last > self.second)
    }

    /// Whether the second reads what the first has read; what was in their targets, if they read
    /// that, was filled with the same.
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
