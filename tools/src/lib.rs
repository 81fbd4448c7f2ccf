//! The command-line tools `mem-opt` and `mem-run`, and what their tests share with them:
//! `mem-run`'s comparison of compiled programs, and a reference interpreter.
//!
//! The tools are a package of their own, so that the plugin links neither an execution engine nor a
//! parser of command lines.

mod ffi;
pub mod interpret;
mod lsp;
mod opt;
mod opt_help;
mod random;
pub mod run;
mod upstream;

pub use opt::{lsp_server_main, opt_main, reduce_main};
pub use upstream::register_upstream;
