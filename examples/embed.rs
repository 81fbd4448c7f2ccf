//! A compiler in Rust that plans the memory of a module with the `mem-opt` crate.
//!
//! `cargo run --release --example embed -- examples/chain.mlir` prints the planned module.

use std::error::Error;

use melior::Context;
use melior::dialect::DialectRegistry;
use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::{parse_pass_pipeline, register_all_dialects};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("usage: embed FILE.mlir [PIPELINE]")?;
    let pipeline = std::env::args()
        .nth(2)
        .unwrap_or_else(|| "builtin.module(mem-default-pipeline)".to_owned());

    // Once per process: register the passes and pipelines.
    mem_opt::register_passes();

    // Once per context: register the dialect alongside the compiler's own.
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    mem_opt::register_dialect(&registry);
    let context = Context::new();
    context.append_dialect_registry(&registry);
    context.load_all_available_dialects();

    let source = std::fs::read_to_string(&path)?;
    let mut module = Module::parse(&context, &source).ok_or("the module does not parse")?;
    let passes = PassManager::new(&context);
    parse_pass_pipeline(passes.as_operation_pass_manager(), &pipeline)?;
    passes.run(&mut module)?;
    println!("{}", module.as_operation());
    Ok(())
}
