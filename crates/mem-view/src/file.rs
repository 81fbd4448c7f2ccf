//! Files appear whole or not at all.

use std::io;
use std::path::{Path, PathBuf};

/// Writes `text` to the file at `path`: under a temporary name first, so that whoever reads the file
/// sees either what was there before or all of the new text.
///
/// # Errors
/// Whatever writing or renaming reports; nothing is left behind then.
pub fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    // In the same directory, because a rename cannot cross file systems.
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(name);
    let result = std::fs::write(&temporary, text).and_then(|()| std::fs::rename(&temporary, path));
    if result.is_err() {
        // What matters is the first error.
        let _ = std::fs::remove_file(&temporary);
    }
    result
}
