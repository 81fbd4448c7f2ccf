//! Which values of a module denote the same storage, as far as their types are concerned.
//!
//! Two relations connect values. Values of one *class* have the same memory space: a view and its
//! source, the slots of a rotation. A *flow* hands a value on to one of another class, where a cast
//! can be inserted: an operand of a branch or of a `select`, an argument of a call.

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};
use std::collections::BTreeMap;

use petgraph::unionfind::UnionFind;

use crate::extract::callee_of;
use crate::ir::dialect::{ArenaOp, rotation};
use crate::ir::kernels::LAUNCH;
use crate::ir::spaces::space_of;
use crate::ir::{
    Attribute, Op, Value, all_symbol_uses, branch_edges, describe, is_arena, is_private_symbol,
    region_edges,
};

/// A value, or a result of a function that can be changed.
pub(super) type Node = usize;

/// What determines the memory space of a class, beside the type of a value.
pub(super) enum Origin {
    /// An arena in the level with this name, if it is stated.
    Arena(Option<String>),
    /// Storage that was not planned, in the memory space of its type.
    Stored,
    /// A type that planning does not change. Without a memory space, it does not say where the
    /// storage is.
    Stated,
}

/// A value that an operation hands on.
pub(super) struct Flow {
    pub from: Node,
    pub to: Node,
    /// The operation that has the value as an operand, and the value.
    pub user: Op,
    pub value: Value,
}

/// A function of the module.
pub(super) struct Function {
    pub op: Op,
    pub arguments: Vec<Value>,
    /// Per result that holds storage: its node.
    pub results: Vec<Option<Node>>,
    /// All callers are known, so its signature can change.
    pub is_local: bool,
}

/// The values of a module that hold storage.
#[derive(Default)]
pub(super) struct Graph {
    nodes: HashMap<Value, Node>,
    /// Indexed by node; `None` for a result of a function.
    pub values: Vec<Option<Value>>,
    /// Pairs of nodes of one class.
    same: Vec<(Node, Node)>,
    /// Classes whose memory space a value determines: a node of the class, the value, and how.
    pub origins: Vec<(Node, Value, Origin)>,
    pub flows: Vec<Flow>,
    pub functions: BTreeMap<String, Function>,
}

impl Graph {
    /// The graph of the functions of a module. O(operations).
    pub(super) fn new(module: Op) -> Self {
        let mut graph = Self::default();
        let shared = shared_functions(module);
        for op in module.direct_ops().filter(|op| op.name() == "func.func") {
            graph.add_function(op, &shared);
        }
        for op in module.direct_ops().filter(|op| op.name() == "func.func") {
            op.walk(&mut |inner| graph.add_op(inner, op));
        }
        graph.unite_targets();
        graph
    }

    /// Puts the values that one operand flows to in one class, because one cast has to do for them.
    fn unite_targets(&mut self) {
        let stated: HashSet<Node> = self.origins.iter().map(|(node, ..)| *node).collect();
        let mut first: HashMap<(Op, Value), Node> = HashMap::default();
        for flow in self.flows.iter().filter(|flow| !stated.contains(&flow.to)) {
            let first = *first.entry((flow.user, flow.value)).or_insert(flow.to);
            self.same.push((first, flow.to));
        }
    }

    /// Indexed by node: a representative of its class.
    pub(super) fn classes(&self) -> Vec<Node> {
        let mut classes = UnionFind::new(self.values.len());
        for (a, b) in &self.same {
            classes.union(*a, *b);
        }
        classes.into_labeling()
    }

    /// A node without a value.
    fn new_node(&mut self) -> Node {
        self.values.push(None);
        self.values.len() - 1
    }

    fn node(&mut self, value: Value) -> Node {
        let next = self.values.len();
        let node = *self.nodes.entry(value).or_insert(next);
        if node == next {
            self.values.push(Some(value));
        }
        node
    }

    /// Records that planning does not change the type of a value.
    fn state(&mut self, value: Value) {
        self.start(value, Origin::Stated);
    }

    fn start(&mut self, value: Value, origin: Origin) {
        if space_of(value.ty()).is_some() {
            let node = self.node(value);
            self.origins.push((node, value, origin));
        }
    }

    fn unite(&mut self, a: Value, b: Value) {
        if space_of(a.ty()).is_some() && space_of(b.ty()).is_some() {
            let pair = (self.node(a), self.node(b));
            self.same.push(pair);
        }
    }

    fn flow(&mut self, value: Value, to: Node, user: Op) {
        if space_of(value.ty()).is_some() {
            let from = self.node(value);
            self.flows.push(Flow {
                from,
                to,
                user,
                value,
            });
        }
    }

    /// Adds the values that an edge binds. An operation that makes up a value has chosen its type.
    fn forward(&mut self, user: Op, values: Vec<(Option<Value>, Value)>) {
        for (from, to) in values {
            match from {
                Some(from) if space_of(to.ty()).is_some() => {
                    let to = self.node(to);
                    self.flow(from, to, user);
                }
                Some(_) => {}
                None => self.state(to),
            }
        }
    }

    fn add_function(&mut self, op: Op, shared: &Shared) {
        let Some(name) = op.symbol() else { return };
        let entry = op.regions().next().and_then(|region| region.first_block());
        let is_local = entry.is_some() && is_private_symbol(op) && !shared.has(&name);
        let arguments: Vec<Value> = entry.into_iter().flat_map(|b| b.arguments()).collect();
        let ty = op.attribute("function_type").and_then(|a| a.type_value());
        let outputs = ty.map(|ty| ty.outputs()).unwrap_or_default();
        let results = outputs.into_iter().map(|ty| {
            let has_storage = is_local && space_of(ty).is_some();
            has_storage.then(|| self.new_node())
        });
        let results: Vec<Option<Node>> = results.collect();
        let attributes = op.attribute("arg_attrs").and_then(|a| a.elements());
        let attributes = attributes.unwrap_or_default();
        for (index, argument) in arguments.iter().enumerate().filter(|_| !is_local) {
            let origin = match is_arena(argument.ty()) {
                true => Origin::Arena(attributes.get(index).and_then(stated_level)),
                false => Origin::Stored,
            };
            self.start(*argument, origin);
        }
        let function = Function {
            op,
            arguments,
            results,
            is_local,
        };
        self.functions.insert(name, function);
    }

    fn add_op(&mut self, op: Op, function: Op) {
        let facts = describe(op);
        match op.name() {
            ArenaOp::NAME => {
                let level = ArenaOp::of(op).map(ArenaOp::level);
                self.start(op.result(), Origin::Arena(level));
            }
            "memref.alloc" | "memref.alloca" | "memref.get_global" => {
                self.start(op.result(), Origin::Stored);
            }
            "mem.rotate" => {
                for slot in rotation(op).0 {
                    self.unite(slot, op.result());
                }
            }
            "memref.memory_space_cast" => self.state(op.result()),
            "arith.select" => {
                if space_of(op.result().ty()).is_some() {
                    let to = self.node(op.result());
                    for value in op.operands().skip(1) {
                        self.flow(value, to, op);
                    }
                }
            }
            "async.await" => {
                for result in op.results() {
                    self.unite(op.operand(0), result);
                }
            }
            "func.call" => self.add_call(op),
            LAUNCH => self.add_call_outside(op),
            "func.return" => self.add_return(op, function),
            _ if facts.is_region_branch() => self.add_region_branch(op),
            _ if facts.is_branch() => {
                for (_, values) in branch_edges(op) {
                    self.forward(op, values);
                }
            }
            "func.func" => {}
            _ => match facts.view_source {
                Some(source) => {
                    self.unite(source, op.result());
                    op.results().skip(1).for_each(|result| self.state(result));
                }
                None => self.state_unbound(op, &HashSet::default()),
            },
        }
    }

    fn add_region_branch(&mut self, op: Op) {
        let mut bound = HashSet::default();
        for edge in region_edges(op) {
            bound.extend(edge.values.iter().map(|(_, to)| *to));
            self.forward(edge.terminator.unwrap_or(op), edge.values);
        }
        self.state_unbound(op, &bound);
    }

    /// An operation has chosen the types of the results, and of the entry arguments of its regions,
    /// that no edge binds.
    fn state_unbound(&mut self, op: Op, bound: &HashSet<Value>) {
        let entries = op.regions().filter_map(|region| region.first_block());
        let arguments = entries.flat_map(|block| block.arguments());
        let values = op.results().chain(arguments);
        let unbound: Vec<Value> = values.filter(|value| !bound.contains(value)).collect();
        unbound.into_iter().for_each(|value| self.state(value));
    }

    /// Adds the arguments and results of a call. The operands of a call of code that is not in the
    /// module keep the types that they have.
    fn add_call(&mut self, op: Op) {
        let function = callee_of(op).and_then(|name| self.functions.get(&name));
        let Some(function) = function.filter(|f| f.is_local || !f.arguments.is_empty()) else {
            return self.add_call_outside(op);
        };
        let (arguments, results) = (function.arguments.clone(), function.results.clone());
        let pairs = op.operands().zip(arguments).map(|(a, b)| (Some(a), b));
        self.forward(op, pairs.collect());
        for (result, node) in op.results().zip(results) {
            match node {
                Some(node) => {
                    let own = self.node(result);
                    self.same.push((own, node));
                }
                None => self.state(result),
            }
        }
    }

    /// Adds a call of code whose types stay as they are.
    fn add_call_outside(&mut self, op: Op) {
        let operands: Vec<Value> = op.operands().collect();
        for operand in operands {
            self.flow_stated(operand, op);
        }
        op.results().for_each(|result| self.state(result));
    }

    fn add_return(&mut self, op: Op, function: Op) {
        let name = function.symbol().unwrap_or_default();
        let results = self.functions.get(&name);
        let results = results.map(|function| function.results.clone());
        let operands: Vec<Value> = op.operands().collect();
        for (index, operand) in operands.into_iter().enumerate() {
            let node = results.as_ref().and_then(|all| *all.get(index)?);
            match node {
                Some(node) => self.flow(operand, node, op),
                None => self.flow_stated(operand, op),
            }
        }
    }

    /// A use whose operand keeps the type that it has.
    fn flow_stated(&mut self, operand: Value, user: Op) {
        if space_of(operand.ty()).is_some() {
            let to = self.new_node();
            self.origins.push((to, operand, Origin::Stated));
            self.flow(operand, to, user);
        }
    }
}

/// The level of the arena that an argument with these attributes expects.
fn stated_level(attributes: &Attribute) -> Option<String> {
    let level = attributes.entry("mem.arena")?.entry("level")?;
    Some(level.string()?.to_owned())
}

/// Functions that are referred to by other operations than direct calls.
struct Shared(Option<HashSet<String>>);

impl Shared {
    fn has(&self, name: &str) -> bool {
        self.0.as_ref().is_none_or(|shared| shared.contains(name))
    }
}

fn shared_functions(module: Op) -> Shared {
    let uses = all_symbol_uses(module).map(|uses| {
        let others = uses
            .into_iter()
            .filter(|(user, _)| user.name() != "func.call");
        others.map(|(_, name)| name).collect()
    });
    Shared(uses)
}
