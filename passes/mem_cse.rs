//! `mem-cse`: reads and computations whose operands have not changed since an earlier one.
//!
//! Candidates with equal operations, attributes and operands are compared with those before them
//! that dominate them: what each reads must be unchanged between the two, and what it writes must
//! still be what the earlier one wrote.

use std::collections::{HashMap, HashSet};

use mem_flow::dependence::{AccessId, Dependence, Source};
use mem_model::{AccessKind, StepId};

use crate::dependence::{Extracted, extract_functions};
use crate::mem_forward_stores::replace_loads;
use crate::mlir::{Op, Value, describe, is_equivalent};
use crate::registry::generated::MemCseOptions as Options;
use crate::registry::{PassResult, PassRun};
use crate::rewrite::{erase_unused, is_visible};

/// Most earlier operations that one is compared with.
const MAX_CANDIDATES: usize = 32;

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let (mut n_loads, mut n_computations) = (0, 0);
    // Most programs have no two operations with equal operands.
    if !has_candidates(run.operation()) {
        return Ok(());
    }
    for function in extract_functions(run.operation(), options.noalias_arguments) {
        let found = find(&function);
        n_loads += replace_loads(found.loads);
        n_computations += found.computations.len() as u64;
        found.computations.into_iter().for_each(Op::erase);
        erase_unused(function.function.op);
    }
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

struct Found {
    /// Loads, and the values they have.
    loads: Vec<(Op, Value)>,
    computations: Vec<Op>,
}

/// What candidates have in common.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    name: String,
    operands: Vec<Value>,
}

impl Key {
    fn new(op: Op) -> Self {
        Self {
            name: op.name().to_owned(),
            operands: op.operands().collect(),
        }
    }
}

fn is_candidate(op: Op) -> bool {
    op.name() == "memref.load" || is_computation(op)
}

fn find(function: &Extracted) -> Found {
    let dependence = function.analyze();
    let mut earlier: HashMap<Key, Vec<StepId>> = HashMap::new();
    let mut found = Found {
        loads: Vec::new(),
        computations: Vec::new(),
    };
    let steps = &function.extraction.program.steps;
    for (index, step) in steps.iter().enumerate() {
        let (id, op) = (StepId::new(index), function.extraction.step_ops[index]);
        let is_load = op.name() == "memref.load";
        if step.accesses.is_empty() || !is_candidate(op) {
            continue;
        }
        let before = earlier.entry(Key::new(op)).or_default();
        let mut candidates = before.iter().rev().take(MAX_CANDIDATES);
        let same = candidates.find(|first| {
            let other = function.extraction.step_ops[first.index()];
            is_equivalent(other, op) && is_repeated(function, &dependence, **first, id)
        });
        match same.map(|first| function.extraction.step_ops[first.index()]) {
            Some(other) if is_load && is_visible(other.result(), op) => {
                found.loads.push((op, other.result()));
            }
            Some(_) if !is_load => found.computations.push(op),
            _ => {}
        }
        before.push(id);
    }
    function.report_limits(&dependence.limits());
    found
}

/// Whether an operation does nothing but compute some of its operands from others.
fn is_computation(op: Op) -> bool {
    op.results().next().is_none()
        && (op.name() == "memref.copy" || op.name() == "mem.kernel" || describe(op).is_structured())
}

/// Whether step `second` does again what step `first` has done.
fn is_repeated(
    function: &Extracted,
    dependence: &Dependence<'_>,
    first: StepId,
    second: StepId,
) -> bool {
    let accesses = &function.extraction.program.steps[second.index()].accesses;
    let mut numbered = (0..).zip(accesses);
    numbered.all(|(index, access)| {
        let id = AccessId {
            step: second,
            index,
        };
        let written = Source::Definition(AccessId { step: first, index });
        match access.kind {
            AccessKind::Use => dependence.is_unchanged(id, first, second),
            AccessKind::Define => {
                access.is_unconditional() && dependence.sole_source_before(id) == Some(written)
            }
        }
    })
}
