//! The parts of this library that `mem-run` and the reference interpreter, in the package
//! `mem-tools`, are written against: they read and rewrite programs as passes do. The list below is
//! the whole interface between the two packages, besides the functions for embedders. It changes
//! with the passes; other crates should not use it.
//!
//! A handle of an operation, value, block, region, type or attribute is a copy of a pointer. It is
//! valid until its operation is erased or its module is dropped.

pub use crate::extract::levels::{chosen, device_budget, device_problems, step_ops};
pub use crate::extract::{Extraction, Place, descriptor_bounds, extract_placed};
pub use crate::framework::{Mention, TextError, located_error, mention_places};
pub use crate::host::BUILT_FOR as LLVM_VERSION;
pub use crate::ir::dialect::{is_transfer, rotation};
pub use crate::ir::hierarchies::chosen_hierarchy;
pub use crate::ir::mpi::{MPI_OPS, MpiOp, OperandEffect, Request};
pub use crate::ir::tensors::root_of;
pub use crate::ir::{
    Affine, AffineMap, AffineOperator, Attribute, Block, Builder, Context, Diagnostic, Failed,
    HIERARCHY, Location, MemrefLayout, Op, OptionPlace, Region, SEGMENTS, Type, USUAL_INDEX_BITS,
    Value, arena_type, buffer_size, buffer_type, byte_memref, constant_index, element_type,
    hierarchy, hierarchy_of, index_bits, indexing_maps, is_buffer, memref_layout, remember_options,
    storage_bytes, string_ref, text, view_source,
};
pub use crate::pipelines::{before_addresses, lower_to_llvm};
pub use crate::plan::mem_offload::ACCESS_TABLE;
pub use crate::table::{Described, DescribedOption, check_pipeline_text, described};
