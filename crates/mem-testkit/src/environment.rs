//! How much a test looks at, and at which files.

use std::path::PathBuf;

/// The number in an environment variable; `otherwise` if there is none.
#[must_use]
pub fn number(variable: &str, otherwise: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The folder with instances that others have published, as the environment variable `MEM_INSTANCES` names it: they are
/// not part of the repository, and `instances/README.md` says where they are. Without it `None`, and a line on standard
/// error says that `test` was skipped.
#[must_use]
pub fn published_instances(test: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("MEM_INSTANCES").filter(|folder| !folder.is_empty());
    if folder.is_none() {
        eprintln!(
            "{test}: skipped, for MEM_INSTANCES does not name a folder (instances/README.md)"
        );
    }
    folder.map(PathBuf::from)
}
