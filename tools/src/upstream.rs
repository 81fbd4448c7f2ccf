//! Registration of upstream's dialects and passes.

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
