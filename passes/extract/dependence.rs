//! Dependence analysis of a module's functions, for passes. Callees are extracted before their
//! callers, which see summaries of them.

use std::cell::Cell;
use std::ops::Deref;

use mem_flow::dependence::{AccessId, Dependence, Limit, Options, States, analyze_dependence};
use mem_model::{Access, AccessKind, BufferId};

use crate::extract::{
    Callees, Extraction, Function, Locations, Roots, extract, functions_bottom_up,
    reads_before_it_writes,
};
use crate::framework::PassRun;
use crate::ir::{Diagnostic, Op, Value};

/// A function with everything known about its accesses before data-flow analysis.
pub(crate) struct Extracted {
    pub function: Function,
    pub extraction: Extraction,
    /// What the last analysis has found: passes that change nothing share it.
    states: Cell<Option<States>>,
}

/// The dependences of a function, which the next analysis of it starts with.
pub(crate) struct Analyzed<'e> {
    dependence: Option<Dependence<'e>>,
    states: &'e Cell<Option<States>>,
}

impl<'e> Deref for Analyzed<'e> {
    type Target = Dependence<'e>;

    fn deref(&self) -> &Self::Target {
        self.dependence.as_ref().expect("only `drop` takes it")
    }
}

impl Drop for Analyzed<'_> {
    fn drop(&mut self) {
        self.states
            .set(self.dependence.take().map(Dependence::into_states));
    }
}

/// The functions of a module, for passes that analyze and change them. Functions are extracted
/// lazily, invalidated by changes, and handed from pass to pass while they stay valid.
pub(crate) struct Subject<'r> {
    run: &'r PassRun,
    noalias: bool,
    functions: Option<Vec<Extracted>>,
    is_unchanged: bool,
}

/// The state that one pass leaves to the next.
struct Kept {
    noalias: bool,
    functions: Vec<Extracted>,
}

impl<'r> Subject<'r> {
    /// `noalias` asserts that no two arguments of a function share a byte.
    pub(crate) fn new(run: &'r PassRun, noalias: bool) -> Self {
        let kept = run
            .take_kept::<Option<Kept>>()
            .flatten()
            // Under another assumption about arguments, the accesses have other dependences.
            .filter(|kept| kept.noalias == noalias);
        Self {
            run,
            noalias,
            functions: kept.map(|kept| kept.functions),
            is_unchanged: true,
        }
    }

    /// The functions in their current state.
    pub(crate) fn functions(&mut self) -> &[Extracted] {
        let module = self.run.operation();
        self.functions
            .get_or_insert_with(|| extract_functions(module, self.noalias))
    }

    /// Invalidates the extracted functions: they may reference erased operations.
    pub(crate) fn changed(&mut self) {
        self.functions = None;
        self.is_unchanged = false;
    }

    /// Leaves the extracted functions to the next pass.
    pub(crate) fn finish(self) {
        let (noalias, functions) = (self.noalias, self.functions);
        // Functions that were extracted after the last change are current, even if the pass has
        // changed the IR.
        if functions.is_some() || self.is_unchanged {
            let kept = functions.map(|functions| Kept { noalias, functions });
            self.run.keep(kept, self.is_unchanged);
        }
    }
}

/// Extracts every function of `module`, in module order. `noalias` asserts that no two arguments of
/// a function share a byte.
pub(crate) fn extract_functions(module: Op, noalias: bool) -> Vec<Extracted> {
    let functions = functions_bottom_up(module);
    let mut callees = Callees::new(module, &functions);
    let roots = Roots::Everything {
        noalias_arguments: noalias,
    };
    let mut extracted = Vec::new();
    for function in functions {
        let extraction = extract(function.op, roots, Locations::Skip, &callees);
        // These roots model all storage, so a summary can rely on the absence of an access.
        callees.learn(&function, &extraction, true);
        extracted.push(Extracted {
            function,
            extraction,
            states: Cell::default(),
        });
    }
    // Bottom-up order serves the summaries only; users expect the order of the module.
    extracted.sort_by_key(|e| e.function.position);
    extracted
}

impl Extracted {
    /// Analyzes the dependences of the function.
    pub(crate) fn analyze(&self) -> Analyzed<'_> {
        let program = &self.extraction.program;
        let dependence = match self.states.take() {
            Some(states) => Dependence::resume(program, states),
            None => analyze_dependence(program, Options::default()),
        };
        Analyzed {
            dependence: Some(dependence),
            states: &self.states,
        }
    }

    /// The operation that performs an access.
    pub(crate) fn op(&self, access: AccessId) -> Op {
        self.extraction.step_ops[access.step.index()]
    }

    /// The value that an access goes through.
    pub(crate) fn value(&self, access: AccessId) -> Option<Value> {
        self.extraction.access_values.get(access)
    }

    /// Whether a step reads the operand of one of its accesses before it overwrites any of it.
    /// Where an operand overlaps a result in part, an iteration can read an element that an earlier
    /// iteration has written, so reading the same contents from other storage computes something
    /// else.
    pub(crate) fn reads_before_it_writes(
        &self,
        dependence: &Dependence<'_>,
        access: AccessId,
    ) -> bool {
        let operand = self.value(access);
        self.reads_in_order(dependence, access, access, operand, operand)
    }

    /// Whether the step of the access `user`, reading the bytes of the access `read` through
    /// `storage` in place of `operand`, reads them before it overwrites any of them: each of its
    /// writes shares no byte with them, or writes exactly the elements of `storage`, each after
    /// reading the same element.
    pub(crate) fn reads_in_order(
        &self,
        dependence: &Dependence<'_>,
        user: AccessId,
        read: AccessId,
        operand: Option<Value>,
        storage: Option<Value>,
    ) -> bool {
        let step = user.step;
        let accesses = &self.extraction.program.steps[step.index()].accesses;
        (0..).zip(accesses).all(|(index, own)| {
            let written = AccessId { step, index };
            // Through the same value, equal indices denote the same element; through another view
            // of the same bytes they need not.
            let in_order = || {
                let pair = operand.zip(storage);
                pair.is_some_and(|(operand, storage)| {
                    self.value(written) == Some(storage)
                        && reads_before_it_writes(self.op(user), operand, storage)
                })
            };
            own.kind != AccessKind::Define || !dependence.may_overlap(read, written) || in_order()
        })
    }

    /// All accesses with their ids, in order.
    pub(crate) fn accesses(&self) -> impl Iterator<Item = (AccessId, &Access)> {
        let steps = self.extraction.program.steps.iter().enumerate();
        steps.flat_map(|(step, of_step)| {
            let step = mem_model::StepId::new(step);
            let numbered = (0..).zip(&of_step.accesses);
            numbered.map(move |(index, access)| (AccessId { step, index }, access))
        })
    }

    /// The name of a buffer in diagnostics.
    pub(crate) fn buffer_name(&self, buffer: BufferId) -> &str {
        &self.extraction.program.buffers[buffer.index()].name
    }

    /// Emits a remark wherever a budget made the result less precise, so that no precision is lost
    /// silently.
    pub(crate) fn report_limits(&self, limits: &[Limit]) {
        for limit in limits {
            let (access, text) = match limit {
                Limit::Search(access) => (
                    access,
                    "the search for what this reads hit its budget; \
                     it is taken to depend on everything that may have written there",
                ),
                Limit::Liveness(access) => (
                    access,
                    "the search for who reads this hit its budget; it is taken to be read",
                ),
            };
            Diagnostic::remark(self.op(*access).location(), text).emit();
        }
    }

    /// Emits a remark with the number of accesses to views whose rows are not tracked individually.
    pub(crate) fn report_views(&self) {
        let n_views = self.extraction.n_long_row_lists;
        if n_views > 0 {
            let location = self.function.op.location();
            let text = format!(
                "{n_views} accesses are to strided views with more than 64 rows; \
                 the bytes between the rows are taken to be touched, perhaps"
            );
            Diagnostic::remark(location, text).emit();
        }
    }
}
