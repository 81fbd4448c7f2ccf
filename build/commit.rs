//! The git commit that is built, for `--version`.

use std::path::Path;
use std::process::Command;

/// Sets the environment variable `MEM_OPT_COMMIT` of the crate to the commit of the repository at
/// `root`, if git and the repository are there: not in a source archive, and not if the sources are
/// part of another repository. Nothing else depends on git.
pub(crate) fn set_commit(root: &Path) {
    let git = |arguments: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(root)
            .args(arguments)
            .output()
            .ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.trim().to_owned())
    };
    let top =
        git(&["rev-parse", "--show-toplevel"]).and_then(|own| Path::new(&own).canonicalize().ok());
    if top.is_none() || top != root.canonicalize().ok() {
        return;
    }
    let Some(commit) = git(&["rev-parse", "--short=12", "HEAD"]) else {
        return;
    };
    println!("cargo:rustc-env=MEM_OPT_COMMIT={commit}");
    // HEAD names a branch, whose file changes with each commit.
    let branch = git(&["symbolic-ref", "--quiet", "HEAD"]);
    for name in std::iter::once("HEAD").chain(branch.as_deref()) {
        if let Some(path) = git(&["rev-parse", "--git-path", name]) {
            let path = root.join(path);
            // A branch may be in the file of packed references only.
            if path.exists() {
                println!("cargo:rerun-if-changed={}", path.display());
            }
        }
    }
}
