//! Atomic replacement of files.

use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes `text` to the file at `path` atomically: readers see either the old contents or all of
/// the new text. Anything but a regular file, such as a device or a pipe, is written in place and
/// keeps its type. For a symbolic link, the target is replaced, or created. `/dev/stdout` and
/// `/dev/stderr` are written as streams, never replaced: a file that one of them is redirected to is
/// open already, and may hold what other programs have written.
///
/// # Errors
/// If writing or renaming fails; no temporary file remains then.
pub fn replace_file(path: &Path, text: &str) -> io::Result<()> {
    match path.to_str() {
        Some("/dev/stdout") => return write_all(io::stdout().lock(), text),
        Some("/dev/stderr") => return write_all(io::stderr().lock(), text),
        _ => (),
    }
    let path = &match std::fs::metadata(path) {
        Ok(there) if !there.is_file() => return std::fs::write(path, text),
        Ok(_) => path.canonicalize()?,
        Err(error) if error.kind() == ErrorKind::NotFound => end_of_links(path),
        Err(error) => return Err(error),
    };
    // In the same directory, because a rename cannot cross file systems.
    let folder = path.parent().filter(|own| !own.as_os_str().is_empty());
    let mut new = temporary(folder.unwrap_or(Path::new(".")))?;
    new.write_all(text.as_bytes())?;
    new.persist(path)?;
    Ok(())
}

fn write_all(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Follows links to a file that does not exist, of which there are finitely many.
fn end_of_links(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    while let Ok(target) = path.read_link() {
        path.pop();
        path.push(target);
    }
    path
}

/// Creates a file under an unpredictable name, and never opens an existing file. The file gets the
/// permissions of any new file, subject to the umask.
fn temporary(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    // Errors would name the temporary file, which the user has never heard of.
    std::fs::metadata(folder)?;
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    let created = builder.prefix(".mem-").suffix(".tmp").tempfile_in(folder);
    created.map_err(|error| error.kind().into())
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read as _;

    use super::replace_file;

    /// A temporary folder, removed at the end of the test.
    struct Folder(std::path::PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder =
                std::env::temp_dir().join(format!("mem-view-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&folder).expect("a folder");
            Self(folder)
        }

        fn names(&self) -> Vec<String> {
            let entries = std::fs::read_dir(&self.0).expect("the folder");
            let names = entries.map(|entry| entry.expect("an entry").file_name());
            let mut names: Vec<String> = names
                .map(|name| name.to_string_lossy().into_owned())
                .collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = Folder::new("file");
        let file = folder.0.join("plan.json");
        for text in ["old", "new"] {
            replace_file(&file, text).expect("written");
            assert_eq!(std::fs::read_to_string(&file).expect("read"), text);
        }
        assert!(replace_file(&folder.0.join("no/plan.json"), "text").is_err());
        assert!(
            replace_file(&folder.0, "text").is_err(),
            "a folder is no file"
        );
        assert_eq!(folder.names(), ["plan.json"]);
    }

    #[test]
    fn a_file_has_the_permissions_of_any_new_file() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = Folder::new("mode");
        let (ours, plain) = (folder.0.join("ours"), folder.0.join("plain"));
        replace_file(&ours, "text").expect("written");
        std::fs::write(&plain, "text").expect("written");
        let [ours, plain] = [ours, plain].map(|file| {
            let known = std::fs::metadata(file).expect("the file");
            known.permissions().mode()
        });
        assert_eq!(ours, plain);
    }

    /// Anyone who may write to the folder can plant links under predictable names.
    #[test]
    fn a_planted_link_is_not_followed() {
        let folder = Folder::new("trap");
        let (file, victim) = (folder.0.join("plan"), folder.0.join("victim"));
        std::fs::write(&victim, "precious").expect("written");
        let trap = folder.0.join(format!("plan.{}.tmp", std::process::id()));
        std::os::unix::fs::symlink("victim", &trap).expect("a link");
        replace_file(&file, "new").expect("written");
        assert_eq!(std::fs::read_to_string(&victim).expect("read"), "precious");
        assert_eq!(std::fs::read_to_string(&file).expect("read"), "new");
    }

    #[test]
    fn a_link_stays_a_link() {
        let folder = Folder::new("link");
        let (file, link) = (folder.0.join("file"), folder.0.join("link"));
        std::fs::write(&file, "old").expect("written");
        std::os::unix::fs::symlink("file", &link).expect("a link");
        replace_file(&link, "new").expect("written");
        assert_eq!(std::fs::read_to_string(&file).expect("read"), "new");
        assert!(link.is_symlink());
        assert_eq!(folder.names(), ["file", "link"]);
    }

    #[test]
    fn a_link_to_a_file_that_is_not_there_stays_a_link() {
        let folder = Folder::new("dangling");
        let [first, second] = ["first", "second"].map(|name| folder.0.join(name));
        std::fs::create_dir(folder.0.join("sub")).expect("a folder");
        std::os::unix::fs::symlink("second", &first).expect("a link");
        std::os::unix::fs::symlink("sub/file", &second).expect("a link");
        replace_file(&first, "new").expect("written");
        let file = folder.0.join("sub/file");
        assert_eq!(std::fs::read_to_string(file).expect("read"), "new");
        assert!(first.is_symlink() && second.is_symlink());
        let cycle = folder.0.join("cycle");
        std::os::unix::fs::symlink("cycle", &cycle).expect("a link");
        assert!(replace_file(&cycle, "new").is_err());
        assert!(cycle.is_symlink());
    }

    #[test]
    fn a_pipe_stays_a_pipe() {
        let folder = Folder::new("pipe");
        let pipe = folder.0.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.expect("coreutils").success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || {
                let mut text = String::new();
                let file = std::fs::File::open(pipe);
                file.expect("opened")
                    .read_to_string(&mut text)
                    .expect("read");
                text
            }
        });
        replace_file(&pipe, "through").expect("written");
        assert_eq!(reader.join().expect("no panic"), "through");
        assert!(!pipe.is_file());
        assert_eq!(folder.names(), ["pipe"]);
    }
}
