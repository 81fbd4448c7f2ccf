//! `mem-inline`: replaces calls by the bodies of their callees.
//!
//! Callers are processed before callees. Inlining a body exposes the calls in it, which are
//! processed next. Each operation of the result is therefore created once, and every body that is
//! copied is an original one. The growth caused by a call, including all calls nested in the
//! callee, is known in advance: a call that would exceed the remaining budget stays, and its callee
//! is processed as a caller of its own.
//!
//! Upstream's `inline` queries all symbol uses and assumes that the query succeeds, and it takes
//! quadratic time on chains of calls. This pass shares only the mechanism with it, which consults
//! the dialects.

use rustc_hash::FxHashMap as HashMap;
use std::collections::BTreeSet;

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use crate::extract::{callee_of, is_private};
use crate::framework::options::MemInlineOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::{Diagnostic, Op, all_symbol_uses, inline_call};

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let Ok(budget) = u64::try_from(options.max_operations) else {
        let text = "mem-inline: max-operations must not be negative";
        return Err(Failed::at(module, text));
    };
    let mut inliner = Inliner::new(module, budget);
    inliner.inline();
    let n_erased = inliner.erase_unused();
    run.set_statistic(Options::NUM_INLINED, inliner.n_inlined);
    run.set_statistic(Options::NUM_KEPT, inliner.n_kept);
    run.set_statistic(Options::NUM_ERASED, n_erased);
    Ok(())
}

/// A function with a body, before anything is inlined.
struct Function {
    op: Op,
    calls: Vec<Op>,
    /// It can reach itself through calls.
    is_recursive: bool,
    /// Number of operations that replace a call, with all nested calls inlined. Saturates at
    /// `u64::MAX`.
    size: u64,
    /// Something other than a direct call refers to it, or may do so.
    is_shared: bool,
    /// A call of it has been inlined.
    is_inlined: bool,
    /// A call of it stays.
    is_kept: bool,
}

impl Function {
    /// Whether the function is still needed, once all functions that precede it in processing order
    /// are done.
    fn stays(&self) -> bool {
        self.is_shared || self.is_kept || !self.is_inlined || !is_private(self.op)
    }
}

struct Inliner {
    functions: Vec<Function>,
    numbers: HashMap<String, usize>,
    /// Callees before callers.
    order: Vec<usize>,
    /// Number of operations that may still be added.
    budget: u64,
    n_inlined: u64,
    n_kept: u64,
}

impl Inliner {
    fn new(module: Op, budget: u64) -> Self {
        let is_defined = |op: &Op| {
            let mut regions = op.regions();
            op.name() == "func.func" && regions.any(|region| region.first_block().is_some())
        };
        let named = module.direct_ops().filter(is_defined);
        let named: Vec<(String, Op)> = named.filter_map(|op| Some((op.symbol()?, op))).collect();
        let numbers = named.iter().enumerate();
        let numbers = numbers.map(|(number, (name, _))| (name.clone(), number));
        let mut inliner = Self {
            numbers: numbers.collect(),
            functions: Vec::with_capacity(named.len()),
            order: Vec::new(),
            budget,
            n_inlined: 0,
            n_kept: 0,
        };
        for (_, op) in named {
            let (mut calls, mut size) = (Vec::new(), 0_u64);
            op.walk(&mut |inner| {
                // The return is dropped when a body replaces a call.
                size += u64::from(inner.name() != "func.return");
                if inliner.callee(inner).is_some() {
                    calls.push(inner);
                }
            });
            inliner.functions.push(Function {
                op,
                calls,
                is_recursive: false,
                size,
                is_shared: false,
                is_inlined: false,
                is_kept: false,
            });
        }
        inliner.find_shared(module);
        inliner.order_and_measure();
        inliner
    }

    /// The function of this module that an operation calls.
    fn callee(&self, call: Op) -> Option<usize> {
        self.numbers.get(&callee_of(call)?).copied()
    }

    /// Marks functions that anything but a direct call refers to. If an unregistered operation may
    /// hide references, all functions are marked.
    fn find_shared(&mut self, module: Op) {
        let Some(uses) = all_symbol_uses(module) else {
            let functions = self.functions.iter_mut();
            return functions.for_each(|function| function.is_shared = true);
        };
        for (user, symbol) in uses {
            if callee_of(user).as_deref() != Some(symbol.as_str())
                && let Some(number) = self.numbers.get(&symbol)
            {
                self.functions[*number].is_shared = true;
            }
        }
    }

    /// Finds recursive functions, and computes a bottom-up order and the sizes after inlining.
    fn order_and_measure(&mut self) {
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<NodeIndex> = self.functions.iter().map(|_| graph.add_node(())).collect();
        for (caller, function) in self.functions.iter().enumerate() {
            let callees: BTreeSet<usize> = function
                .calls
                .iter()
                .filter_map(|c| self.callee(*c))
                .collect();
            for callee in callees {
                graph.add_edge(nodes[caller], nodes[callee], ());
            }
        }
        for component in kosaraju_scc(&graph) {
            let first = component[0];
            let is_recursive = component.len() > 1 || graph.contains_edge(first, first);
            let numbers = component.into_iter().map(NodeIndex::index);
            let numbers: Vec<usize> = numbers.collect();
            for number in &numbers {
                self.functions[*number].is_recursive = is_recursive;
            }
            for number in numbers {
                let calls = self.functions[number].calls.iter();
                let callees = calls.filter_map(|call| self.callee(*call));
                let added = callees.filter(|callee| !self.functions[*callee].is_recursive);
                // The call itself disappears.
                let added = added.map(|callee| self.functions[callee].size.saturating_sub(1));
                let size = added.fold(self.functions[number].size, u64::saturating_add);
                self.functions[number].size = size;
                self.order.push(number);
            }
        }
    }

    /// Inlines into every function that will remain.
    fn inline(&mut self) {
        for number in std::mem::take(&mut self.order).into_iter().rev() {
            if self.functions[number].stays() {
                self.inline_into(number);
            }
        }
    }

    fn inline_into(&mut self, caller: usize) {
        // A stack of calls. The flag tells whether the budget was already charged for the call as
        // part of an enclosing one.
        let calls = self.functions[caller].calls.iter().rev();
        let mut calls: Vec<(Op, bool)> = calls.map(|call| (*call, false)).collect();
        while let Some((call, is_paid)) = calls.pop() {
            let Some(callee) = self.callee(call) else {
                continue;
            };
            match self.inline_call(call, callee, is_paid) {
                Some(inner) => {
                    let inner = inner.into_iter().rev();
                    calls.extend(inner.map(|call| (call, true)));
                    self.functions[callee].is_inlined = true;
                    self.n_inlined += 1;
                }
                None => {
                    self.functions[callee].is_kept = true;
                    self.n_kept += 1;
                }
            }
        }
    }

    /// Inlines one call, if possible. Returns the calls in the inlined body.
    fn inline_call(&mut self, call: Op, callee: usize, is_paid: bool) -> Option<Vec<Op>> {
        let callee = &self.functions[callee];
        if callee.is_recursive {
            return None;
        }
        if !is_paid && callee.size > self.budget {
            // One remark per function, at its first call that stays.
            if !callee.is_kept {
                let name = callee.op.symbol().unwrap_or_default();
                let text = format!(
                    "the call of '@{name}' is not inlined: that would add {} operations, and {} of \
                     'max-operations' are left",
                    callee.size, self.budget
                );
                Diagnostic::remark(call.location(), text).emit();
            }
            return None;
        }
        let inner = inline_call(call, callee.op)?;
        if !is_paid {
            self.budget -= callee.size;
        }
        Some(inner)
    }

    /// Erases private functions whose calls have all been inlined. Returns their number.
    fn erase_unused(&self) -> u64 {
        let unused = self.functions.iter().filter(|function| !function.stays());
        unused.map(|function| function.op.erase()).count() as u64
    }
}
