//! Who calls whom: the order in which functions are planned, and whose arena a function uses.

use std::collections::{HashMap, HashSet};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::calls::callee_of;
use super::escape::is_private;
use super::scan::is_sequential;
use crate::mlir::{Op, describe, symbol_uses};

/// A function of a module, and what its position in the call graph means for it.
pub(crate) struct Function {
    pub op: Op,
    pub name: String,
    /// Its position among the module's functions.
    pub position: usize,
    /// It can reach itself through calls.
    pub recursive: bool,
    /// Something mentions it.
    pub used: bool,
    /// All that ever mentions it are direct calls, each of which runs once at a time, so that its
    /// callers can provide its arena. There is at least one, and no recursion.
    pub local: bool,
    /// Whoever calls it can provide its arena: no code mentions it but by direct calls, each of which runs
    /// once at a time, and it is not recursive. Code outside of the module may call it, too.
    pub nestable: bool,
    /// Code outside of the module cannot call it.
    pub private: bool,
}

/// All functions with a body, callees before callers. Linear in functions and uses of symbols.
pub(crate) fn functions_bottom_up(module: Op) -> Vec<Function> {
    let bodies: Vec<(String, Op)> = module
        .direct_ops()
        .filter(|op| op.name() == "func.func" && is_defined(*op))
        .filter_map(|op| Some((op.symbol()?, op)))
        .collect();
    let mut graph = DiGraph::<usize, ()>::new();
    let nodes: HashMap<&str, _> = bodies
        .iter()
        .enumerate()
        .map(|(index, (name, _))| (name.as_str(), graph.add_node(index)))
        .collect();
    let (mut called, mut shared) = (HashSet::new(), HashSet::new());
    for (user, symbol) in symbol_uses(module) {
        let Some(target) = nodes.get(symbol.as_str()) else {
            continue;
        };
        let caller = caller_of(user).and_then(|op| op.symbol());
        let caller = caller.and_then(|name| nodes.get(name.as_str()).copied());
        if let Some(caller) = caller {
            graph.add_edge(caller, *target, ());
        }
        let is_call = callee_of(user).as_deref() == Some(symbol.as_str());
        if is_call && caller.is_some() && runs_once_at_a_time(user) {
            called.insert(symbol);
        } else {
            shared.insert(symbol);
        }
    }
    let mut functions = Vec::new();
    for component in kosaraju_scc(&graph) {
        let first = component[0];
        let recursive = component.len() > 1 || graph.contains_edge(first, first);
        for node in component {
            let position = graph[node];
            let (name, op) = bodies[position].clone();
            let nestable = !shared.contains(&name) && !recursive;
            let local = nestable && called.contains(&name) && is_private(op);
            let used = called.contains(&name) || shared.contains(&name);
            functions.push(Function {
                used,
                op,
                name,
                position,
                recursive,
                local,
                nestable,
                private: is_private(op),
            });
        }
    }
    functions
}

fn is_defined(function: Op) -> bool {
    function
        .regions()
        .any(|region| region.first_block().is_some())
}

/// The function around an operation, if that is all there is between it and the module.
fn caller_of(op: Op) -> Option<Op> {
    std::iter::successors(op.parent(), |op| op.parent()).find(|op| op.name() == "func.func")
}

/// Whether everything between an operation and its function is structured control flow.
fn runs_once_at_a_time(op: Op) -> bool {
    std::iter::successors(op.parent(), |op| op.parent())
        .take_while(|op| op.name() != "func.func")
        .all(|op| is_sequential(op, &describe(op)))
}
