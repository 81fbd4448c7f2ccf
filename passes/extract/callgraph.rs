//! The call graph: the order in which functions are planned, and which functions can use an arena
//! of their caller.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};

use super::calls::callee_of;
use super::escape::is_private;
use super::scan::is_sequential;
use crate::ir::{Op, describe, symbol_uses};

/// A function of a module, with its properties in the call graph.
pub(crate) struct Function {
    /// The `func.func`.
    pub op: Op,
    /// Its symbol.
    pub name: String,
    /// Index among the functions of the module that have a body.
    pub position: usize,
    /// The function can reach itself through calls.
    pub recursive: bool,
    /// Some operation references the function.
    pub used: bool,
    /// Every reference to the function is a direct call that executes at most once at a time, so
    /// callers can provide its arena. There is at least one such call, the function is private, and
    /// it is not recursive.
    pub local: bool,
    /// Callers can provide the function's arena: inside the module it is only referenced by direct
    /// calls that execute at most once at a time, and it is not recursive. Code outside the module
    /// may call it as well.
    pub nestable: bool,
    /// Code outside the module cannot call it.
    pub private: bool,
}

/// All functions with a body, callees before callers. Linear in the number of functions and symbol
/// uses.
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
    let (called, shared) = add_references(module, &nodes, &mut graph);
    let mut functions = Vec::new();
    // The components come in reverse topological order, i.e. callees first.
    for component in kosaraju_scc(&graph) {
        let first = component[0];
        // A component of one function is a cycle only if the function refers to itself.
        let recursive = component.len() > 1 || graph.contains_edge(first, first);
        for node in component {
            let position = graph[node];
            let (name, op) = bodies[position].clone();
            // Several activations of a recursive function are live at once, and one workspace holds
            // one of them.
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

/// Adds an edge to the graph for each reference from one function to another. Returns the functions
/// with direct calls that execute at most once at a time, and those with any other reference.
fn add_references(
    module: Op,
    nodes: &HashMap<&str, NodeIndex>,
    graph: &mut DiGraph<usize, ()>,
) -> (HashSet<String>, HashSet<String>) {
    let (mut called, mut shared) = (HashSet::default(), HashSet::default());
    for (user, symbol) in symbol_uses(module) {
        // Globals and declarations have no arena.
        let Some(target) = nodes.get(symbol.as_str()) else {
            continue;
        };
        let caller = caller_of(user).and_then(|op| op.symbol());
        let caller = caller.and_then(|name| nodes.get(name.as_str()).copied());
        // Every reference counts as a call: it is unsound to miss a recursion, but only
        // conservative to see one where there is none.
        if let Some(caller) = caller {
            graph.add_edge(caller, *target, ());
        }
        // Any other reference, such as a `func.constant`, allows calls from anywhere.
        let is_call = callee_of(user).as_deref() == Some(symbol.as_str());
        // With at most one activation at a time, the same piece of the caller's arena serves all
        // calls.
        if is_call && caller.is_some() && runs_once_at_a_time(user) {
            called.insert(symbol);
        } else {
            shared.insert(symbol);
        }
    }
    (called, shared)
}

fn is_defined(function: Op) -> bool {
    function
        .regions()
        .any(|region| region.first_block().is_some())
}

/// The innermost `func.func` that contains `op`.
fn caller_of(op: Op) -> Option<Op> {
    std::iter::successors(op.parent(), |op| op.parent()).find(|op| op.name() == "func.func")
}

/// Whether only structured control flow lies between an operation and its function, so that it
/// never runs concurrently with itself.
fn runs_once_at_a_time(op: Op) -> bool {
    std::iter::successors(op.parent(), |op| op.parent())
        .take_while(|op| op.name() != "func.func")
        .all(|op| is_sequential(op, &describe(op)))
}
