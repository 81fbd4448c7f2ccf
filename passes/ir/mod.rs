//! A thin facade over MLIR's C API and the project's own shim: handles, diagnostics, interface
//! queries, construction of operations. Nothing outside this module calls C.
//!
//! Handles are plain copies of pointers. A handle is valid from the start of a pass until its
//! operation is erased or the pass ends, whichever comes first. No handle outlives one run of a
//! pass, and erasing is the last thing a pass does.

/// Calls the C API.
macro_rules! c {
    ($call:expr) => {
        // SAFETY: handles are valid while the pass that obtained them runs (see the module
        // documentation), and the C API only reads the arrays it is passed.
        unsafe { $call }
    };
}

mod affine;
pub(crate) mod bufferization;
mod build;
pub(crate) mod compare;
mod diagnostics;
pub mod dialect;
pub(crate) mod example;
pub(crate) mod ffi;
mod handles;
pub(crate) mod hierarchies;
mod hierarchy;
mod interfaces;
pub(crate) mod iteration;
pub(crate) mod kernels;
pub(crate) mod mpi;
mod option_places;
mod order;
mod remarks;
pub(crate) mod rewrite;
pub(crate) mod spaces;
pub(crate) mod structured;
pub(crate) mod tensors;
mod types;
pub(crate) mod while_loops;

pub use affine::{Affine, AffineMap, AffineOperator, indexing_maps};
pub(crate) use affine::{Linear, indexing_map_attributes};
pub(crate) use build::any_value;
pub use build::{Builder, SEGMENTS, constant_index};
pub(crate) use build::{binary, counted_loop, slice, subview};
pub use diagnostics::{Diagnostic, Failed};
pub(crate) use diagnostics::{PassResult, Silence};
pub use handles::{Attribute, Block, Context, Location, Op, Region, Type, Value, string_ref, text};
pub use hierarchy::{HIERARCHY, hierarchy, hierarchy_of};
pub use interfaces::view_source;
pub(crate) use interfaces::{
    Effect, EffectKind, Facts, Forwarded, RegionEdge, VIEWS_OF_ELEMENTS, all_symbol_uses,
    branch_edges, describe, inline_call, is_elementwise, is_equivalent, is_private_symbol, is_pure,
    is_structured, is_valid, iterations, n_inits, n_inputs, region_edges, symbol_uses, upper_bound,
};
pub use option_places::{OptionPlace, remember_options};
pub(crate) use option_places::{Running, option_location};
pub(crate) use order::chain;
pub(crate) use remarks::{Category, Remark, are_remarks_enabled};
pub use types::{
    MemrefLayout, USUAL_INDEX_BITS, arena_type, buffer_size, buffer_type, byte_memref,
    element_type, index_bits, is_buffer, memref_layout, storage_bytes,
};
pub(crate) use types::{
    dense_memref, element_size, identity_memref, is_arena, is_condition, is_index, is_storage,
    is_tensor, is_token, strided_memref, with_data_layout,
};
