//! Test settings from environment variables.

use std::path::PathBuf;

/// The number in an environment variable; `otherwise` if it is unset or not a number.
#[must_use]
pub fn number(variable: &str, otherwise: u64) -> u64 {
    let text = std::env::var(variable).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The folder of published instances that the environment variable `MEM_INSTANCES` names. They are
/// not part of the repository; `instances/README.md` lists their sources. If the variable is unset,
/// returns `None` and reports on standard error that `test` was skipped.
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
