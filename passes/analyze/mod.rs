//! Passes that analyze a program or check a plan, and change nothing.

pub(crate) mod mem_annotate_dependence;
pub(crate) mod mem_check_reads;
pub(crate) mod mem_record_accesses;
pub(crate) mod mem_snapshot;
pub(crate) mod mem_validate;
pub(crate) mod mem_verify_plan;
pub(crate) mod validation;
