//! Files appear whole or not at all.

use std::io::{self, Write as _};
use std::path::Path;

/// Writes a file under a temporary name beside its final one, then renames it.
///
/// # Errors
/// Whatever creating, writing or renaming reports; nothing is left behind then.
pub(crate) fn write_atomically(path: &Path, contents: &str) -> io::Result<()> {
    let folder = path
        .parent()
        .filter(|p| !p.as_os_str().is_empty())
        .unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    file.write_all(contents.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}
