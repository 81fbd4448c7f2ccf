//! Translates the IR into the programs that are compared: functions become graphs of basic blocks,
//! and structured control flow is flattened.

use std::sync::Arc;

use rustc_hash::{FxHashMap as HashMap, FxHashSet as HashSet};

use mem_equivalence::program::{
    Block as ModelBlock, BlockId, Count, Edge, End, Fingerprint, Function, Layout,
    Location as LocationId, Module, Rule, Step, StepKind, ValueId, ValueType,
};

use crate::ir::kernels::Kernels;
use crate::ir::mpi::receive_from_any;
use crate::ir::{
    Attribute, Block, Facts, Forwarded, Location, Op, Region, RegionEdge, Type, Value,
    all_symbol_uses, branch_edges, buffer_size, describe, element_size, is_arena, is_buffer,
    is_private_symbol, is_storage, memref_layout, region_edges,
};

/// A location of a module that a snapshot may outlive. Only a pass that runs on that module, in its
/// context, accesses it; the context owns all locations.
#[derive(Clone, Copy)]
pub(crate) struct Kept(pub(super) Location);

// SAFETY: locations are immutable, and MLIR allows all threads of the context to read them.
unsafe impl Send for Kept {}

/// Numbers for whatever can only be compared for equality, common to both programs; and source
/// locations.
#[derive(Default)]
pub(crate) struct Names {
    pub numbers: HashMap<String, u32>,
    /// Indexed by the address of a type, which its context owns: the number of its text.
    pub types: HashMap<usize, u32>,
    pub locations: Vec<Kept>,
}

/// The translation of a module.
pub(crate) struct Snapshot {
    pub module: Module,
    pub names: Names,
}

/// Translates a module. Linear in its operations.
pub(crate) fn translate(module: Op, names: Names) -> Snapshot {
    let mut translator = Translator {
        names,
        functions: Vec::new(),
        globals: HashMap::default(),
        signatures: HashMap::default(),
        value_types: HashMap::default(),
        referenced: referenced(module),
        waits_stay: receive_from_any(module).is_some(),
        kernels: Kernels::new(module),
        kernel_code: HashMap::default(),
    };
    translator.module(module, "");
    Snapshot {
        module: Module {
            functions: translator.functions,
        },
        names: translator.names,
    }
}

/// The symbols in a module that anything but a call refers to, without those in nested modules. `None`
/// if any symbol may be among them. A module without private functions is not searched.
fn referenced(module: Op) -> Option<HashSet<String>> {
    let mut functions = module.direct_ops().filter(|op| op.name() == "func.func");
    if !functions.any(is_private_symbol) {
        return None;
    }
    let is_call = |user: Op, symbol: &str| {
        let callee = user.attribute("callee");
        let is_callee = |own: Attribute| own.symbol() == Some(symbol);
        user.name() == "func.call" && callee.is_some_and(is_callee)
    };
    let others = all_symbol_uses(module)?.into_iter();
    let others = others.filter(|(user, symbol)| !is_call(*user, symbol));
    Some(others.map(|(_, symbol)| symbol).collect())
}

pub(super) struct Translator {
    pub names: Names,
    functions: Vec<Function>,
    /// Indexed by path of a global: its fingerprint, whether it is constant, and its value if so.
    globals: HashMap<String, (String, bool, Option<Attribute>)>,
    /// Indexed by path of a function: its type if it is only declared.
    signatures: HashMap<String, Option<Type>>,
    /// Indexed by the address of a type.
    value_types: HashMap<usize, ValueType>,
    /// See [`referenced`].
    referenced: Option<HashSet<String>>,
    /// Whether there is a [`receive_from_any`].
    waits_stay: bool,
    /// The kernels of the module itself.
    kernels: Kernels,
    /// Indexed by kernel that has been launched: its code.
    pub kernel_code: HashMap<Op, Fingerprint>,
}

impl Translator {
    /// Translates a module. `path`: the path of the enclosing modules.
    fn module(&mut self, module: Op, path: &str) {
        let named = |op: Op| Some((format!("{path}@{}", op.symbol()?), op));
        for (name, op) in module.direct_ops().filter_map(named) {
            match op.name() {
                "func.func" => {
                    let has_body = op.regions().any(|region| region.first_block().is_some());
                    let ty = op
                        .attribute("function_type")
                        .and_then(Attribute::type_value);
                    self.signatures.insert(name, ty.filter(|_| !has_body));
                }
                "memref.global" => {
                    let mut text = super::fingerprint::elements(op);
                    let value = op.attribute("initial_value");
                    text.extend(value.map(|own| format!(" {:p}", own.0.ptr)));
                    let is_constant = op.attribute("constant").is_some();
                    let initial = op.attribute("initial_value").filter(|_| is_constant);
                    self.globals.insert(name, (text, is_constant, initial));
                }
                _ => {}
            }
        }
        for (name, op) in module.direct_ops().filter_map(named) {
            match op.name() {
                "func.func" => {
                    let function = self.function(op, name, path);
                    self.functions.push(function);
                }
                "builtin.module" => self.module(op, &name),
                _ => {}
            }
        }
    }

    fn function(&mut self, op: Op, name: String, path: &str) -> Function {
        let visibility = op.attribute("sym_visibility");
        let visibility = visibility.as_ref().and_then(Attribute::string);
        // References into a nested module name the module first.
        let others = self.referenced.as_ref().filter(|_| path.is_empty());
        let is_referenced =
            others.is_none_or(|all| op.symbol().is_none_or(|own| all.contains(&own)));
        let entries = op
            .attribute("arg_attrs")
            .and_then(|own| own.elements())
            .unwrap_or_default();
        let says = |own: &Attribute| {
            ["mem.noalias", "llvm.noalias", "bufferize.result"]
                .iter()
                .any(|name| own.entry(name).is_some())
        };
        let mut body = Body {
            translator: self,
            path: path.to_owned(),
            numbers: HashMap::default(),
            types: Vec::new(),
            blocks: Vec::new(),
            labels: HashMap::default(),
            after: HashMap::default(),
            pending: Vec::new(),
            region_edges: HashMap::default(),
            counted: HashMap::default(),
        };
        if let Some(region) = op.regions().next() {
            body.region(region);
        }
        body.connect();
        let (mut types, mut blocks) = (body.types, body.blocks);
        // The translation of the original is kept until the last pass.
        types.shrink_to_fit();
        for block in &mut blocks {
            block.steps.shrink_to_fit();
        }
        let location = self.location(op.location());
        Function {
            name,
            is_public: visibility != Some("private"),
            is_referenced,
            location,
            types,
            blocks,
            is_noalias: entries.iter().map(says).collect(),
        }
    }

    /// Returns what is known about values of a type, after asking MLIR once for each type.
    fn value_type(&mut self, ty: Type) -> ValueType {
        let known = self.value_types.entry(ty.0.ptr as usize);
        known.or_insert_with(|| value_type(ty)).clone()
    }

    fn location(&mut self, location: Location) -> LocationId {
        let locations = &mut self.names.locations;
        let is_last = locations
            .last()
            .is_some_and(|last| last.0.0.ptr == location.0.ptr);
        if !is_last {
            locations.push(Kept(location));
        }
        LocationId(u32::try_from(locations.len() - 1).unwrap_or(u32::MAX))
    }
}

/// An edge whose target may not have a number yet.
struct PendingEdge {
    from: usize,
    to: Target,
    values: Vec<(Option<ValueId>, ValueId)>,
}

/// The target of an edge.
#[derive(Clone, Copy)]
enum Target {
    Start(Block),
    After(Op),
}

/// A function that is being translated.
pub(super) struct Body<'t> {
    pub translator: &'t mut Translator,
    path: String,
    numbers: HashMap<Value, ValueId>,
    types: Vec<ValueType>,
    blocks: Vec<ModelBlock>,
    labels: HashMap<Block, usize>,
    /// Indexed by structured operation: the block after it.
    after: HashMap<Op, usize>,
    pending: Vec<PendingEdge>,
    /// Indexed by terminator of a region: the edges that leave it.
    region_edges: HashMap<Op, Vec<(Target, Forwarded)>>,
    /// Indexed by terminator of the body of a counted loop: the loop.
    counted: HashMap<Op, Op>,
}

impl Body<'_> {
    pub(super) fn names(&mut self) -> &mut Names {
        &mut self.translator.names
    }

    /// Whether waits for messages keep their order with all messages.
    pub(super) fn waits_stay(&self) -> bool {
        self.translator.waits_stay
    }

    /// The kernels that can be launched here. Names in a nested module may mean others.
    pub(super) fn kernels(&self) -> Option<&Kernels> {
        self.path.is_empty().then_some(&self.translator.kernels)
    }

    pub(super) fn value(&mut self, value: Value) -> ValueId {
        let next = ValueId(u32::try_from(self.types.len()).unwrap_or(u32::MAX));
        let number = *self.numbers.entry(value).or_insert(next);
        if number == next {
            let ty = self.translator.value_type(value.ty());
            self.types.push(ty);
        }
        number
    }

    /// A scalar that no operation defines.
    pub(super) fn made_up(&mut self) -> ValueId {
        let number = ValueId(u32::try_from(self.types.len()).unwrap_or(u32::MAX));
        self.types.push(ValueType::Scalar {
            bytes: None,
            is_index: false,
        });
        number
    }

    pub(super) fn values(&mut self, values: impl IntoIterator<Item = Value>) -> Box<[ValueId]> {
        values.into_iter().map(|value| self.value(value)).collect()
    }

    /// The path of a symbol that is used here: in the nearest enclosing module that defines it.
    pub(super) fn resolve(&self, name: &str, has: impl Fn(&str) -> bool) -> String {
        let mut path = self.path.as_str();
        loop {
            let full = format!("{path}@{name}");
            if path.is_empty() || has(&full) {
                return full;
            }
            path = path.rfind('@').map_or("", |end| &path[..end]);
        }
    }

    pub(super) fn function_path(&self, name: &str) -> String {
        self.resolve(name, |full| self.translator.signatures.contains_key(full))
    }

    /// The type of a function that is only declared.
    pub(super) fn declaration(&self, path: &str) -> Option<Type> {
        self.translator.signatures.get(path).copied().flatten()
    }

    /// The fingerprint of a global, whether it is constant, and its value if so.
    pub(super) fn global(&self, name: &str) -> (String, bool, Option<Attribute>) {
        let path = self.resolve(name, |full| self.translator.globals.contains_key(full));
        let known = self
            .translator
            .globals
            .get(&path)
            .cloned()
            .unwrap_or_default();
        (format!("global {path}{}", known.0), known.1, known.2)
    }

    pub(super) fn push(&mut self, block: usize, op: Op, kind: StepKind) {
        let location = self.translator.location(op.location());
        self.blocks[block].steps.push(Step { location, kind });
    }

    fn open(&mut self, location: LocationId) -> usize {
        let fingerprint = self.names().number(String::new());
        self.blocks.push(ModelBlock {
            arguments: Box::default(),
            steps: Vec::new(),
            end: End {
                location,
                fingerprint,
                rule: Rule::Unknown,
                operands: Box::default(),
                edges: Vec::new(),
            },
        });
        self.blocks.len() - 1
    }

    fn region(&mut self, region: Region) {
        // Blocks may be in any order, so all are numbered before any is translated.
        let blocks: Vec<Block> = region.blocks().collect();
        for block in &blocks {
            let location = block
                .first_op()
                .map(|op| self.translator.location(op.location()));
            let number = self.open(location.unwrap_or(LocationId(0)));
            self.blocks[number].arguments = self.values(block.arguments());
            self.labels.insert(*block, number);
        }
        for block in blocks {
            let mut current = self.labels[&block];
            for op in block.ops() {
                current = self.operation(op, current);
            }
        }
    }

    /// Translates an operation. Returns the block of the next one.
    fn operation(&mut self, op: Op, block: usize) -> usize {
        let has_regions = op.regions().next().is_some();
        let mut known = None;
        if has_regions || op.successors().next().is_some() || is_end(op) {
            let facts = describe(op);
            if facts.is_terminator() || op.successors().next().is_some() {
                self.terminator(op, &facts, block);
                return block;
            }
            if facts.is_region_branch() && !facts.is_structured() {
                return self.structured(op, block);
            }
            known = Some(facts);
        }
        self.step(op, known, block);
        block
    }

    fn structured(&mut self, op: Op, block: usize) -> usize {
        let edges = region_edges(op);
        let starts: Vec<Option<Block>> = op.regions().map(|region| region.first_block()).collect();
        let mut forwarded: Vec<Value> = Vec::new();
        let mut targets = Vec::new();
        for RegionEdge {
            terminator,
            region,
            values,
        } in edges
        {
            let to = match region.map(|index| starts.get(index).copied().flatten()) {
                None => Target::After(op),
                Some(Some(start)) => Target::Start(start),
                Some(None) => continue,
            };
            match terminator {
                None => {
                    targets.push(to);
                    add_most(&mut forwarded, &values);
                    let values = self.pairs(&values);
                    self.pending.push(PendingEdge {
                        from: block,
                        to,
                        values,
                    });
                }
                Some(end) => {
                    if is_counted(op) {
                        self.counted.insert(end, op);
                    }
                    self.region_edges.entry(end).or_default().push((to, values));
                }
            }
        }
        self.end(op, block, &forwarded);
        self.blocks[block].end.rule = match op.name() {
            "scf.if" => condition(&targets),
            _ if is_counted(op) => self.count(op, &targets, true),
            _ => Rule::Unknown,
        };
        for region in op.regions() {
            self.region(region);
        }
        let location = self.translator.location(op.location());
        let next = self.open(location);
        self.after.insert(op, next);
        next
    }

    fn pairs(&mut self, values: &[(Option<Value>, Value)]) -> Vec<(Option<ValueId>, ValueId)> {
        let pair = |(from, to): &(Option<Value>, Value)| {
            let from = from.map(|from| self.value(from));
            (from, self.value(*to))
        };
        values.iter().map(pair).collect()
    }

    /// The rule of a decision of a counted loop. `targets`: those of its edges.
    fn count(&mut self, op: Op, targets: &[Target], is_first: bool) -> Rule {
        let body = targets.iter().position(is_region);
        let first = op.regions().next().and_then(|own| own.first_block());
        let index = first.and_then(|own| own.arguments().next());
        let (Some(body), Some(index), 2) = (body, index, targets.len()) else {
            return Rule::Unknown;
        };
        let [lower, upper, step] = [0, 1, 2].map(|index| self.value(op.operand(index)));
        Rule::Count(Count {
            lower,
            upper,
            step,
            index: self.value(index),
            body,
            is_first,
        })
    }

    /// Sets the end of a block. `forwarded`: the operands that it passes on, as often as it passes
    /// them on. The others decide where control goes.
    fn end(&mut self, op: Op, block: usize, forwarded: &[Value]) {
        let mut forwarded = forwarded.to_vec();
        // The operands that decide precede those that are passed on.
        let mut operands: Vec<Value> = op.operands().collect();
        for at in (0..operands.len()).rev() {
            if let Some(own) = forwarded.iter().position(|own| *own == operands[at]) {
                forwarded.swap_remove(own);
                operands.remove(at);
            }
        }
        let operands = self.values(operands);
        let text = op
            .attributes()
            .into_iter()
            .map(|(name, own)| format!(" {name}={:p}", own.0.ptr));
        let text = format!("end {}{}", op.name(), text.collect::<String>());
        let fingerprint = self.names().number(text);
        let location = self.translator.location(op.location());
        let end = &mut self.blocks[block].end;
        (end.location, end.fingerprint, end.operands) = (location, fingerprint, operands);
    }

    fn terminator(&mut self, op: Op, facts: &Facts, block: usize) {
        let edges = match self.region_edges.remove(&op) {
            Some(edges) => edges,
            None if facts.is_branch() => {
                let edges = branch_edges(op).into_iter();
                edges
                    .map(|(to, values)| (Target::Start(to), values))
                    .collect()
            }
            None => {
                let unknown = |to: Block| to.arguments().map(|argument| (None, argument)).collect();
                op.successors()
                    .map(|to| (Target::Start(to), unknown(to)))
                    .collect()
            }
        };
        let mut forwarded = Vec::new();
        for (_, values) in &edges {
            match facts.is_branch() {
                true => forwarded.extend(values.iter().filter_map(|(from, _)| *from)),
                false => add_most(&mut forwarded, values),
            }
        }
        self.end(op, block, &forwarded);
        let targets: Vec<Target> = edges.iter().map(|(to, _)| *to).collect();
        let loop_op = self.counted.remove(&op);
        self.blocks[block].end.rule = match (op.name(), loop_op) {
            (_, Some(own)) => self.count(own, &targets, false),
            ("cf.cond_br", _) => Rule::Condition { yes: 0 },
            ("scf.condition", _) => condition(&targets),
            _ => Rule::Unknown,
        };
        for (to, values) in edges {
            let values = self.pairs(&values);
            self.pending.push(PendingEdge {
                from: block,
                to,
                values,
            });
        }
    }

    /// Resolves the targets of pending edges.
    fn connect(&mut self) {
        for PendingEdge { from, to, values } in std::mem::take(&mut self.pending) {
            let target = match to {
                Target::Start(block) => self.labels.get(&block),
                Target::After(op) => self.after.get(&op),
            };
            if let Some(target) = target {
                let to = BlockId(u32::try_from(*target).unwrap_or(u32::MAX));
                self.blocks[from].end.edges.push(Edge { to, values });
            }
        }
    }
}

/// Whether an operation is a loop over one index, with the bounds and the step as its first
/// operands. The iterations of a parallel loop may happen in any order, as far as the program has
/// no races, so also in that of the index.
fn is_counted(op: Op) -> bool {
    let body = op.regions().next().and_then(|own| own.first_block());
    let n_indices = |body: Block| body.arguments().count();
    match op.name() {
        "scf.for" => true,
        "scf.parallel" => body.map(n_indices) == Some(1),
        _ => false,
    }
}

fn is_region(target: &Target) -> bool {
    matches!(target, Target::Start(_))
}

/// The rule of a decision that enters the first of the regions among its targets if a condition
/// holds.
fn condition(targets: &[Target]) -> Rule {
    let yes = targets.iter().position(is_region);
    match yes.filter(|_| targets.len() == 2) {
        Some(yes) => Rule::Condition { yes },
        None => Rule::Unknown,
    }
}

/// Adds the values that an edge passes on. One operand may be passed on along several edges, so
/// each value is added as often as it is passed on along one edge at most.
fn add_most(forwarded: &mut Vec<Value>, values: &Forwarded) {
    let mut rest = forwarded.clone();
    for from in values.iter().filter_map(|(from, _)| *from) {
        match rest.iter().position(|own| *own == from) {
            Some(at) => {
                rest.swap_remove(at);
            }
            None => forwarded.push(from),
        }
    }
}

/// Whether an operation without regions and successors ends a block, and so has to be asked whether
/// it is a terminator.
fn is_end(op: Op) -> bool {
    op.next().is_none()
}

fn value_type(ty: Type) -> ValueType {
    if is_arena(ty) {
        return ValueType::Bytes(None);
    }
    if is_buffer(ty) {
        return ValueType::Bytes(buffer_size(ty));
    }
    if let Some(layout) = memref_layout(ty) {
        return ValueType::Elements(Arc::new(Layout {
            element: layout.element,
            offset: layout.offset,
            dims: layout.shape.into_iter().zip(layout.strides).collect(),
        }));
    }
    if is_storage(ty) {
        return ValueType::Unknown;
    }
    ValueType::Scalar {
        bytes: element_size(ty),
        is_index: ty == Type::index(ty.context()),
    }
}
