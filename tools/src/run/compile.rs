//! Compilation from a file to machine code in memory.

use std::ffi::c_void;
use std::path::Path;

use melior::Context;
use melior::ir::Module;
use melior::ir::operation::Operation;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use mem_opt::internals::{Attribute, Op, USUAL_INDEX_BITS, index_bits, lower_to_llvm, string_ref};
use mem_runtime::c_abi;
use mlir_sys::mlirModuleCreateParseFromFile;

use super::engine::Engine;
use super::signature::find_function;
use super::{Options, RunError, copy, heap, poison, ranks};

/// Parses a file, and bufferizes what is on tensors. Errors have been emitted as diagnostics.
pub(super) fn parse<'c>(context: &'c Context, file: &Path) -> Result<Module<'c>, RunError> {
    let mut module = read(context, file)?;
    run_passes(context, &mut module, "mem-from-linalg-pipeline")?;
    Ok(module)
}

/// Parses a file. Errors have been emitted as diagnostics.
pub(super) fn read<'c>(context: &'c Context, file: &Path) -> Result<Module<'c>, RunError> {
    let invalid = || RunError::Invalid {
        file: file.to_owned(),
    };
    let name = file.to_str().ok_or_else(invalid)?;
    // SAFETY: the context is alive; the module is null or owned exclusively.
    let module = unsafe {
        let raw = mlirModuleCreateParseFromFile(context.to_raw(), string_ref(name));
        Module::from_option_raw(raw)
    };
    let module = module.ok_or_else(invalid)?;
    let bits = index_bits(Op::from(&module));
    if bits != USUAL_INDEX_BITS {
        let file = file.to_owned();
        return Err(RunError::IndexWidth { file, bits });
    }
    Ok(module)
}

/// Clones a module.
pub(super) fn duplicate<'c>(module: &Module<'c>) -> Result<Module<'c>, RunError> {
    let copy = Operation::clone(&module.as_operation());
    Module::from_operation(copy).ok_or(RunError::Engine)
}

/// The planning pipeline with the given options.
pub(super) fn planning(options: &str) -> String {
    format!("mem-default-pipeline{{{options}}}")
}

/// Runs passes on a module. Errors have been emitted as diagnostics.
pub(super) fn run_passes(
    context: &Context,
    module: &mut Module,
    passes: &str,
) -> Result<(), RunError> {
    let manager = PassManager::new(context);
    let pipeline = format!("builtin.module({passes})");
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).map_err(|error| {
        RunError::Pipeline {
            pipeline: pipeline.clone(),
            error: error.to_string(),
        }
    })?;
    manager.run(module).map_err(|_| RunError::Passes)
}

/// The lowering of memref, linalg and arenas to the LLVM dialect. Allocations become calls of
/// functions that the heap provides, with their exact alignment. Only the entry gets a C interface.
fn lowering() -> String {
    let adapt = |pass: String| match pass.as_str() {
        "func.func(llvm-request-c-wrappers)" => None,
        "finalize-memref-to-llvm" => Some(format!(
            "{pass}{{use-aligned-alloc=true use-generic-functions=true}}"
        )),
        _ => Some(pass),
    };
    let to_memref = [
        "convert-mem-to-memref{transfers=runtime}",
        "mem-erase-spaces",
    ];
    let mut passes = to_memref.map(str::to_owned).to_vec();
    passes.extend(lower_to_llvm().into_iter().filter_map(adapt));
    passes.join(",")
}

/// Requests the wrapper `_mlir_ciface_NAME`, which takes memrefs by address.
fn request_interface(module: &Module, entry: &str) -> Result<(), RunError> {
    let function = find_function(Op::from(module), entry)?;
    let unit = Attribute::parse(function.context(), "unit");
    function.set_attribute("llvm.emit_c_interface", unit);
    Ok(())
}

/// Makes the C interface of `entry` the only externally visible function, and inlines `entry` into
/// it. A memref takes seven or more parameters in a call, and a network has a thousand memrefs;
/// compiling such a call takes LLVM minutes.
fn hide_functions(module: &Module, entry: &str) {
    let interface = interface_name(entry);
    Op::from(module).walk(&mut |op| {
        let defined = op.regions().any(|r| r.first_block().is_some());
        let name = op.symbol().unwrap_or_default();
        if op.name() != "llvm.func" || !defined || name == interface {
            return;
        }
        let attribute = |text| Attribute::parse(op.context(), text);
        op.set_attribute("linkage", attribute("#llvm.linkage<internal>"));
        if name == entry {
            op.set_attribute("always_inline", attribute("unit"));
        }
    });
}

/// The symbol of the C interface of a function in compiled code.
pub(super) fn interface_name(entry: &str) -> String {
    format!("_mlir_ciface_{entry}")
}

/// Compiles a module so that `entry` can be called. The module is lowered in place.
pub(super) fn compile(
    context: &Context,
    module: &mut Module,
    options: &Options,
) -> Result<Engine, RunError> {
    let entry = &options.function;
    request_interface(module, entry)?;
    run_passes(context, module, &lowering())?;
    hide_functions(module, entry);
    let engine = Engine::new(module, options.optimize).ok_or(RunError::Engine)?;
    register_symbols(&engine);
    Ok(engine)
}

/// Registers the functions that compiled code calls.
fn register_symbols(engine: &Engine) {
    let malloc = heap::malloc as *const c_void;
    let aligned_alloc = heap::aligned_alloc as *const c_void;
    let free = heap::free as *const c_void;
    for (name, function) in [
        ("malloc", malloc),
        ("aligned_alloc", aligned_alloc),
        ("free", free),
        ("_mlir_memref_to_llvm_alloc", malloc),
        ("_mlir_memref_to_llvm_aligned_alloc", aligned_alloc),
        ("_mlir_memref_to_llvm_free", free),
        ("memrefCopy", copy::memref_copy as *const c_void),
        (poison::NAME, poison::address()),
        (
            "mem_runtime_begin",
            c_abi::mem_runtime_begin as *const c_void,
        ),
        ("mem_runtime_wait", c_abi::mem_runtime_wait as *const c_void),
        (
            "mem_runtime_passive",
            c_abi::mem_runtime_passive as *const c_void,
        ),
        (
            "mem_runtime_step_begin",
            c_abi::mem_runtime_step_begin as *const c_void,
        ),
        (
            "mem_runtime_address",
            c_abi::mem_runtime_address as *const c_void,
        ),
        (
            "mem_runtime_step_end",
            c_abi::mem_runtime_step_end as *const c_void,
        ),
    ] {
        // SAFETY: the functions have the C signatures with which lowered code calls them.
        unsafe { engine.register_symbol(name, function) };
    }
    for (name, function) in ranks::link_symbols() {
        // SAFETY: as above.
        unsafe { engine.register_symbol(name, function) };
    }
}
