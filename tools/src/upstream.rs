//! Registration of upstream's dialects and passes.

use melior::Context;
use melior::dialect::DialectRegistry;

use crate::ffi::{memToolsRegisterUpstream, memToolsRegisterUpstreamPasses};

/// Adds every upstream dialect and extension to a registry, and registers every upstream pass.
pub fn register_upstream(registry: &DialectRegistry) {
    // SAFETY: the registry is alive. Passes are registered with a global registry, which tolerates
    // duplicates.
    unsafe {
        memToolsRegisterUpstream(registry.to_raw());
        memToolsRegisterUpstreamPasses();
    }
}

/// Creates a context with every dialect and pass of upstream and of this project.
pub(crate) fn context() -> Context {
    let registry = DialectRegistry::new();
    register_upstream(&registry);
    mem_opt::register_dialect(&registry);
    mem_opt::register_passes();
    Context::new_with_registry(&registry, true)
}
