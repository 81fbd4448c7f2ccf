//! Dumps problems over several levels, in the text form that the stand-alone planner replays.

use std::io::Write as _;
use std::path::Path;

use mem_model::{FunctionLevels, print_level_problems};

use crate::ir::{Diagnostic, Op, PassResult};

/// Writes problems to a file, or to standard output if the file is `-`.
pub(in crate::plan) fn dump(module: Op, problems: &[FunctionLevels], file: &str) -> PassResult {
    let text = print_level_problems(problems);
    let written = match file {
        "-" => std::io::stdout().write_all(text.as_bytes()),
        file => mem_view::replace_file(Path::new(file), &text),
    };
    written.or_else(|error| {
        let text = format!("cannot write {file}: {error}");
        Diagnostic::error(module.location(), text).fail()
    })
}
