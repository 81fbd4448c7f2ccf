//! Input and output: from a file or standard input, to a file that is replaced atomically, or to a
//! pipe whose reader may leave early.

use std::io::{ErrorKind, Write};
use std::path::Path;

use mem_view::{LevelView, levels_json, levels_page, levels_svg, printable_lines, replace_file};

use mem_plan::Failure;

/// What to print of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A table or a summary.
    Text,
    Json,
    /// A page for a browser.
    Html,
    /// A picture.
    Svg,
}

impl Form {
    /// Draws plans over several levels; `None`: a summary is wanted, which is not a drawing. A picture
    /// shows the function with the most steps, as reports of passes do.
    pub(crate) fn draw(self, views: &[LevelView<'_>]) -> Option<String> {
        match self {
            Self::Text => None,
            Self::Json => Some(levels_json(views)),
            Self::Html => Some(levels_page(views)),
            Self::Svg => {
                let largest = views.iter().rev().max_by_key(|own| own.problem.steps.len());
                Some(largest.map_or_else(String::new, levels_svg))
            }
        }
    }
}

/// Reads the file at `path`, or standard input.
pub(crate) fn read(path: &Path) -> Result<String, Failure> {
    let text = match is_standard(path) {
        true => std::io::read_to_string(std::io::stdin()),
        false => std::fs::read_to_string(path),
    };
    text.map_err(|error| Failure::Read(path.display().to_string(), error))
}

/// Whether a path stands for standard input or output: `-`, as for `mem-opt`.
pub(crate) fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes `text` to the file at `path`, or to standard output.
pub(crate) fn write(path: Option<&Path>, text: &str) -> Result<(), Failure> {
    match path.filter(|path| !is_standard(path)) {
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
