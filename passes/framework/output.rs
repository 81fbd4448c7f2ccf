//! Output of passes: to a file or to a standard stream.

use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

use crate::ir::{Diagnostic, Op, PassResult};

/// Writes text to standard error (`output` is empty), to standard output (`-`), or to a file that
/// is replaced as a whole. A reader that closes the stream early is no error.
pub(crate) fn write_text(output: &str, text: &str) -> io::Result<()> {
    let result = match output {
        "" => io::stderr().write_all(text.as_bytes()),
        "-" => io::stdout().write_all(text.as_bytes()),
        path => mem_view::replace_file(Path::new(path), text),
    };
    match result {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// As [`write_text`], with a diagnostic that names `pass`.
pub(crate) fn write_output(module: Op, pass: &str, output: &str, text: &str) -> PassResult {
    write_text(output, text).or_else(|error| {
        let text = format!("{pass}: cannot write '{output}': {error}");
        Diagnostic::option_error(module, "output", Some(output), text).fail()
    })
}
