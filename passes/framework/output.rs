//! Output of passes that print.

use std::io::{ErrorKind, Write as _};
use std::path::Path;

use crate::ir::{Diagnostic, Op, PassResult};

/// Writes text to standard error (`output` is empty), to standard output (`-`), or to a file that is
/// replaced as a whole. A reader that closes the stream early is no error. `pass` is named in the
/// diagnostic.
pub(crate) fn write_output(module: Op, pass: &str, output: &str, text: &str) -> PassResult {
    let result = match output {
        "" => std::io::stderr().write_all(text.as_bytes()),
        "-" => std::io::stdout().write_all(text.as_bytes()),
        path => mem_view::replace_file(Path::new(path), text),
    };
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            let text = format!("{pass}: cannot write '{output}': {error}");
            Diagnostic::error(module.location(), text).fail()
        }
        _ => Ok(()),
    }
}
