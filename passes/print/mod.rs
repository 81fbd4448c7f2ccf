//! Passes that print plans, dependences and trade-offs.

pub(crate) mod mem_print_dependence;
pub(crate) mod mem_print_plan;
pub(crate) mod mem_print_tradeoff;
mod transfers;
