//! Output: to a file that is replaced atomically, or to a pipe whose reader may leave early.

use std::io::{ErrorKind, Write};
use std::path::Path;

use mem_view::{printable_lines, replace_file};

use mem_plan::Failure;

/// Writes `text` to the file at `path`, or to standard output.
pub(crate) fn write(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    match path {
        Some(path) => {
            let failed = |error| Failure::Write(path.display().to_string(), error);
            replace_file(path, text).map_err(failed)
        }
        None => {
            let mut out = std::io::stdout().lock();
            match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
                // The reader closed the pipe; that is no error.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
                result => result.map_err(|e| Failure::Write("standard output".to_owned(), e)),
            }
        }
    }
}

/// Prints text to standard error, escaped for terminals.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", printable_lines(text));
}

/// Prints an error; a failure to print is ignored.
pub(crate) fn print_error(failure: &Failure) {
    note(&failure.to_string());
}
