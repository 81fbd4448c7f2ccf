//! `mem-bufferize`: converts functions on tensors to functions on memrefs, with upstream's passes.
//!
//! Upstream's bufferization and its conversions of results work on whole modules. Functions without
//! tensors must not change, so this pass runs the parts that concern one function on the functions
//! with tensors only, and hides the others from the parts that concern the module:
//!
//! 1. Branches between blocks become structured control flow, `scf`. Upstream's analysis of branches
//!    misses conflicts: it does not see a write in another block than that of the argument that is
//!    read, nor that a branch passes one tensor twice. Programs would overwrite what they still need.
//! 2. Operations that upstream cannot bufferize, although an equivalent in `linalg` exists, are
//!    replaced: element-wise `arith` and `math`, and `tensor.pad`. Values that an `scf.while` carries
//!    in memory that is not the loop's are copied.
//! 3. One-shot bufferization of each module with such functions. It does not change operations
//!    without tensors.
//! 4. Results that are arguments are dropped, others become arguments.

use rustc_hash::FxHashSet as HashSet;

use crate::framework::options::MemBufferizeOptions as Options;
use crate::framework::{Failed, PassResult, PassRun};
use crate::ir::bufferization::{
    ValueKind, drop_equivalent_results, first_with, is_bufferizable, lower_pads,
    results_to_arguments,
};
use crate::ir::while_loops::separate_carried;
use crate::ir::{
    Attribute, Builder, Diagnostic, Op, Type, Value, any_value, is_private_symbol, is_storage,
    is_tensor, memref_layout, symbol_uses,
};

/// From branches between blocks to `scf`. Canonicalization removes blocks that are not reachable, which
/// the conversion does not take, and afterwards the values that it passes through loops for nothing.
const STRUCTURE: &str = "canonicalize,lift-cf-to-scf,canonicalize,cse";

/// Element-wise operations on tensors of `arith` and `math` have an equivalent in `linalg`, which
/// can be bufferized.
const ELEMENTWISE: &str = "convert-elementwise-to-linalg";

/// No empty tensor shares its buffer with another one, so each has a lifetime of its own.
const EMPTY: &str = "empty-tensor-to-alloc-tensor";

/// Without `allow-return-allocs-from-loops`, a loop that yields a fresh buffer every round is an
/// error.
const BUFFERIZE: &str = "one-shot-bufferize{bufferize-function-boundaries=true \
     allow-return-allocs-from-loops=true \
     function-boundary-type-conversion=identity-layout-map}";

/// Removes copies of buffers that are not changed, and everything that is not used.
const CLEAN_UP: &str = "canonicalize,cse";

/// Upstream claims to bufferize this operation. If the stored value needs a copy, because it is also
/// returned for example, the copy is never filled, and the global gets uninitialized bytes.
const MISCOMPILED: &str = "ml_program.global_store";

const VISIBILITY: &str = "sym_visibility";

/// A function with tensors.
#[derive(Clone, Copy)]
struct Function {
    op: Op,
    /// Whether arguments or results are tensors. The signatures of others do not change.
    converts_signature: bool,
}

pub(crate) fn run(run: &PassRun, options: &Options) -> PassResult {
    let module = run.operation();
    let functions = functions_on_tensors(module);
    let Some(first) = functions.first() else {
        run.changed_nothing();
        return Ok(());
    };
    if options.announce {
        let text = "the program is on tensors; mem-from-linalg-pipeline bufferizes it first";
        Diagnostic::remark(first.op.location(), text).emit();
    }
    let bodies: Vec<Op> = functions
        .iter()
        .map(|f| f.op)
        .filter(|f| has_body(*f))
        .collect();
    let on_bodies = |passes| bodies.iter().try_for_each(|f| run.run_passes(*f, passes));
    bodies.iter().try_for_each(|f| structure(run, *f))?;
    on_bodies(ELEMENTWISE)?;
    bodies.iter().try_for_each(|f| lower_pads(*f))?;
    bodies.iter().try_for_each(|f| check_operations(*f))?;
    bodies.iter().for_each(|f| separate_carried(*f));
    on_bodies(EMPTY)?;
    if options.keep_arguments {
        bodies.iter().for_each(|f| keep_arguments(*f));
    }
    let scopes = scopes(&functions);
    scopes
        .iter()
        .try_for_each(|scope| run.run_passes(*scope, BUFFERIZE))?;
    on_bodies(CLEAN_UP)?;
    let n_dropped = convert_results(module, &scopes, &functions)?;
    on_bodies(CLEAN_UP)?;
    run.set_statistic(Options::NUM_FUNCTIONS, functions.len() as u64);
    run.set_statistic(Options::NUM_DROPPED, n_dropped);
    match first_with(module, ValueKind::Tensor) {
        Some(op) => Diagnostic::error(
            op.location(),
            format!("mem-bufferize: '{}' still has tensors", op.name()),
        )
        .fail(),
        None => Ok(()),
    }
}

fn has_body(function: Op) -> bool {
    function.regions().any(|r| r.first_block().is_some())
}

fn functions_on_tensors(module: Op) -> Vec<Function> {
    let mut functions = Vec::new();
    module.walk(&mut |op| {
        if op.name() != "func.func" || first_with(op, ValueKind::Tensor).is_none() {
            return;
        }
        let signature = op.attribute("function_type").and_then(|a| a.type_value());
        let mut types = signature
            .into_iter()
            .flat_map(|ty| ty.inputs().into_iter().chain(ty.outputs()));
        functions.push(Function {
            op,
            converts_signature: types.any(is_tensor),
        });
    });
    functions
}

/// Replaces branches between blocks by structured control flow.
fn structure(run: &PassRun, function: Op) -> PassResult {
    let branches = |op: Op| op.regions().any(|r| r.blocks().nth(1).is_some());
    let mut has_branches = branches(function);
    function.walk(&mut |op| has_branches |= branches(op));
    if !has_branches {
        return Ok(());
    }
    run.run_passes(function, STRUCTURE)?;
    replace_poison(function);
    Ok(())
}

/// Replaces the values that structured control flow needs for paths on which nothing reads them.
/// Bufferization and the interpreter of `mem-run` do not know `ub.poison`; any value is right.
fn replace_poison(function: Op) {
    let mut poison = Vec::new();
    function.walk(&mut |op| {
        if op.name() == "ub.poison" {
            poison.push(op);
        }
    });
    for op in poison {
        if let Some(value) = any_value(op, op.result().ty()) {
            op.result().replace_with(value);
            op.erase();
        }
    }
}

/// What lowers the operations of a dialect to those that can be bufferized.
fn lowering_of(dialect: &str) -> Option<&'static str> {
    match dialect {
        "tosa" => Some("mlir-opt --tosa-to-linalg-pipeline lowers this dialect"),
        "stablehlo" => Some("stablehlo-legalize-to-linalg lowers this dialect"),
        "tm_tensor" => Some("tm-tensor-to-loops of torch-mlir-opt lowers this dialect"),
        "torch" | "torch_c" => {
            Some("torch-mlir lowers this dialect with output_type=\"linalg-on-tensors\"")
        }
        _ => None,
    }
}

/// Refuses operations on tensors that upstream would refuse as well, without a hint at what to do,
/// or convert to something else.
fn check_operations(function: Op) -> PassResult {
    let mut refused = None;
    function.walk(&mut |op| {
        let mut types = op.operands().chain(op.results()).map(Value::ty);
        let is_right = is_bufferizable(op) && op.name() != MISCOMPILED;
        if refused.is_none() && types.any(is_tensor) && !is_right {
            refused = Some(op);
        }
    });
    let Some(op) = refused else { return Ok(()) };
    let name = op.name();
    let text = format!(
        "'{name}' on tensors cannot be bufferized; lower it to linalg, tensor, scf and arith first"
    );
    let mut error = Diagnostic::error(op.location(), text);
    let dialect = name.split('.').next().unwrap_or_default();
    if let Some(hint) = lowering_of(dialect) {
        error = error.note(op.location(), hint);
    }
    error.fail()
}

/// Forbids bufferization to write to the arguments of a function.
fn keep_arguments(function: Op) {
    const WRITABLE: &str = "bufferization.writable";
    let context = function.context();
    let no = Attribute::parse(context, "false");
    let signature = function
        .attribute("function_type")
        .and_then(|a| a.type_value());
    let inputs = signature.map(|ty| ty.inputs()).unwrap_or_default();
    let own = function.attribute("arg_attrs").and_then(|a| a.elements());
    let mut attributes = own.unwrap_or_default();
    attributes.resize(inputs.len(), Attribute::dictionary(context, &[]));
    for (attributes, ty) in attributes.iter_mut().zip(inputs) {
        if is_tensor(ty) {
            *attributes = Attribute::with_entry(context, Some(*attributes), WRITABLE, no);
        }
    }
    function.set_attribute("arg_attrs", Attribute::array(context, &attributes));
}

/// The symbol tables that contain the functions, in order.
fn scopes(functions: &[Function]) -> Vec<Op> {
    let mut scopes: Vec<Op> = Vec::new();
    for scope in functions.iter().filter_map(|f| f.op.parent()) {
        if scope.name() == "builtin.module" && !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    scopes
}

/// Drops the results that are arguments, and turns the others into arguments. Returns the number of
/// dropped results.
fn convert_results(module: Op, scopes: &[Op], functions: &[Function]) -> Result<u64, Failed> {
    let called: HashSet<String> = symbol_uses(module)
        .into_iter()
        .map(|(_, name)| name)
        .collect();
    let mut n_dropped = 0;
    for scope in scopes.iter().copied() {
        let own: Vec<Op> = functions
            .iter()
            .filter(|f| f.converts_signature && f.op.parent() == Some(scope))
            .map(|f| f.op)
            .filter(|f| has_body(*f))
            .collect();
        n_dropped += drop_results(scope, &own)?;
        // Callers allocate what they pass for a result, so they have to know its size.
        let is_called = |f: &Op| f.symbol().is_some_and(|name| called.contains(&name));
        let converted: Vec<Op> = own
            .into_iter()
            .filter(|f| !is_called(f) || has_static_results(*f))
            .collect();
        converted.iter().for_each(|f| separate_results(*f));
        results_to_arguments(scope, &converted)?;
    }
    Ok(n_dropped)
}

/// The operations that leave a function.
fn returns_of(function: Op) -> Vec<Op> {
    let blocks = function.regions().flat_map(|r| r.blocks());
    let terminators = blocks.filter_map(|block| block.terminator());
    terminators
        .filter(|op| op.name() == "func.return")
        .collect()
}

/// Gives results that are the same allocation one each. Upstream replaces the allocation of a result by
/// an argument, and would go on with the erased allocation at the next result.
fn separate_results(function: Op) {
    let is_static = |ty: Type| {
        let shape = memref_layout(ty).and_then(|layout| layout.static_shape());
        is_storage(ty) && shape.is_some()
    };
    for op in returns_of(function) {
        let mut own: Vec<Value> = Vec::new();
        for value in op.operands() {
            let again = own.contains(&value) && is_static(value.ty());
            own.push(if again { copy_of(op, value) } else { value });
        }
        op.set_operands(&own);
    }
}

/// A copy of a memref of static shape, before `other`.
fn copy_of(other: Op, value: Value) -> Value {
    let location = other.location();
    let copy = Builder::new("memref.alloc", location)
        .result(value.ty())
        .segments(other.context(), &[0, 0])
        .before(other)
        .result();
    Builder::new("memref.copy", location)
        .operands([value, copy])
        .before(other);
    copy
}

fn results_of(function: Op) -> Vec<Type> {
    let signature = function
        .attribute("function_type")
        .and_then(|a| a.type_value());
    signature.map(|ty| ty.outputs()).unwrap_or_default()
}

fn has_static_results(function: Op) -> bool {
    results_of(function)
        .into_iter()
        .filter(|ty| is_storage(*ty))
        .all(|ty| {
            let layout = memref_layout(ty);
            layout.is_some_and(|layout| layout.static_shape().is_some())
        })
}

/// The visibilities of functions before `hide_others`.
struct Visibilities(Vec<(Op, Option<Attribute>)>);

impl Visibilities {
    fn restore(self) {
        for (function, visibility) in self.0 {
            match visibility {
                Some(visibility) => function.set_attribute(VISIBILITY, visibility),
                None => function.remove_attribute(VISIBILITY),
            }
        }
    }
}

/// Makes `functions` private and all others public: upstream drops results of private functions
/// only.
fn hide_others(scope: Op, functions: &[Op]) -> Visibilities {
    let private = Attribute::string_attribute(scope.context(), "private");
    let mut before = Vec::new();
    let children = scope.direct_ops();
    for function in children.filter(|op| op.name() == "func.func" && has_body(*op)) {
        before.push((function, function.attribute(VISIBILITY)));
        match functions.contains(&function) {
            true => function.set_attribute(VISIBILITY, private),
            false => function.remove_attribute(VISIBILITY),
        }
    }
    Visibilities(before)
}

/// The number of the entry argument that a returned value is.
fn returned_argument(function: Op, value: Value) -> Option<usize> {
    let mut value = value;
    while let Some(cast) = value.owner().filter(|op| op.name() == "memref.cast") {
        value = cast.operand(0);
    }
    let entry = function.regions().next()?.first_block()?;
    entry.arguments().position(|argument| argument == value)
}

/// The results that are always the same argument, with the number of that argument.
fn returned_arguments(function: Op) -> Vec<(usize, usize)> {
    let returns = returns_of(function);
    let types = results_of(function).into_iter().enumerate();
    let storage = types.filter(|(_, ty)| is_storage(*ty));
    let argument_of = |i: usize| {
        let mut arguments = returns
            .iter()
            .map(|op| returned_argument(function, op.operand(i)));
        let first = arguments.next().flatten()?;
        arguments.all(|other| other == Some(first)).then_some(first)
    };
    storage
        .filter_map(|(i, _)| Some((i, argument_of(i)?)))
        .collect()
}

/// Drops the results that are arguments. Emits a remark for each of a public function, because its
/// callers have to look for the result in the argument. Returns the number of dropped results.
fn drop_results(scope: Op, functions: &[Op]) -> Result<u64, Failed> {
    let counted = |f: &Op| (*f, results_of(*f).len(), returned_arguments(*f));
    let before: Vec<_> = functions.iter().map(counted).collect();
    let hidden = hide_others(scope, functions);
    let dropped = drop_equivalent_results(scope);
    hidden.restore();
    dropped?;
    let mut n_dropped = 0;
    for (function, n_before, returned) in before {
        let n = n_before - results_of(function).len();
        n_dropped += n as u64;
        // Upstream decides which results it drops. If these are others, nothing is claimed.
        if is_private_symbol(function) || n != returned.len() {
            continue;
        }
        let name = function.symbol().unwrap_or_default();
        for (result, argument) in returned {
            let text = format!("result {result} of '{name}' is dropped: it is argument {argument}");
            Diagnostic::remark(function.location(), text).emit();
        }
    }
    Ok(n_dropped)
}
