//! Shared by tests of the repository: finding files and reading them.

#![allow(dead_code, reason = "each test uses a part")]

pub(crate) mod browser;

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.parent().expect("the package is in the repository")
}

/// The text of a file of the repository.
pub(crate) fn read(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All hand-written files of the repository, as paths relative to its root, sorted.
pub(crate) fn files() -> Vec<PathBuf> {
    let mut found = Vec::new();
    visit(root(), &mut found);
    found.sort();
    found
}

fn visit(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is readable") {
        let path = entry.expect("the folder is readable").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Built or generated, or megabytes of models.
        if matches!(
            &*name,
            "target" | ".git" | "models" | "__pycache__" | "Cargo.lock"
        ) && path != root().join("lit-tests/models")
        {
            continue;
        }
        if path.is_dir() {
            visit(&path, found);
        } else {
            found.push(
                path.strip_prefix(root())
                    .expect("below the root")
                    .to_owned(),
            );
        }
    }
}

/// Whether a path has one of these extensions.
pub(crate) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension()
        .is_some_and(|own| extensions.iter().any(|e| own == *e))
}
