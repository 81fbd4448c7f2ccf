//! Dumps problems over several levels, in the text form that the stand-alone planner replays.

use mem_model::{FunctionLevels, print_level_problems};

use crate::framework::write_text;
use crate::ir::{Diagnostic, Op, PassResult};

/// Writes problems to a file, or to standard output if the file is `-`.
pub(in crate::plan) fn dump(module: Op, problems: &[FunctionLevels], file: &str) -> PassResult {
    write_text(file, &print_level_problems(problems)).or_else(|error| {
        let text = format!("cannot write {file}: {error}");
        Diagnostic::option_error(module, "dump", Some(file), text).fail()
    })
}
