//! Passes that convert between the dialect and the dialects around it.

pub(crate) mod convert_mem_to_memref;
pub(crate) mod convert_memref_to_mem;
pub(crate) mod mem_bufferize;
pub(crate) mod mem_erase_spaces;
pub(crate) mod mem_lower_dealloc;
pub(crate) mod mem_lower_expand_shape;
pub(crate) mod mem_lower_mpi;
pub(crate) mod mem_number_spaces;
pub(crate) mod mem_shard;
