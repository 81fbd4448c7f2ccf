//! What the commands share: completion scripts for shells and manual pages, which are generated from
//! the declarations of their options, and how they show searches and take interrupts. `COMMAND --completions SHELL` and
//! `COMMAND --man` print the files; `make install` puts them where shells and `man` look.

#![forbid(unsafe_code)]

mod interrupt;
mod searches;

pub use interrupt::on_interrupt;
pub use searches::{INTERRUPTED, report_interrupt, watch};

use std::ffi::OsString;
use std::io::{self, ErrorKind, Write as _};

use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

/// The end of a command's help: how to get what this crate generates.
pub const GENERATED_HELP: &str = "\
--completions bash|zsh|fish prints a completion script, --man the manual page.";

/// A file that a command generates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generated {
    /// A completion script.
    Completions(Shell),
    /// A manual page in roff.
    Man,
}

/// A request that names no shell, or an unknown one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("--completions needs the name of a shell: bash, zsh or fish")]
pub struct NoShell;

impl Generated {
    /// The request that the arguments behind the name of the command make, if any. It has to be the
    /// first of them: a command with other arguments has something else to do.
    ///
    /// # Errors
    /// If completions are requested without the name of a shell.
    pub fn requested(arguments: &[OsString]) -> Result<Option<Self>, NoShell> {
        let text = |index: usize| arguments.get(index).and_then(|own| own.to_str());
        let Some(first) = text(0) else {
            return Ok(None);
        };
        if first == "--man" {
            return Ok(Some(Self::Man));
        }
        let shell = match first.strip_prefix("--completions") {
            Some("") => text(1),
            Some(rest) if rest.starts_with('=') => Some(&rest[1..]),
            _ => return Ok(None),
        };
        let shell = match shell {
            Some("bash") => Shell::Bash,
            Some("zsh") => Shell::Zsh,
            Some("fish") => Shell::Fish,
            _ => return Err(NoShell),
        };
        Ok(Some(Self::Completions(shell)))
    }

    /// Returns the file for a command.
    ///
    /// # Errors
    /// If the page cannot be formatted.
    pub fn text(self, mut command: Command) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        match self {
            Self::Completions(shell) => {
                let name = command.get_name().to_owned();
                clap_complete::generate(shell, &mut command, name, &mut out);
            }
            Self::Man => Man::new(command).render(&mut out)?,
        }
        Ok(out)
    }
}

/// Prints what the arguments request. Returns the exit status; `None` if they request nothing.
#[must_use]
pub fn answer(arguments: &[OsString], command: impl FnOnce() -> Command) -> Option<u8> {
    let generated = match Generated::requested(arguments) {
        Ok(None) => return None,
        Ok(Some(generated)) => generated,
        Err(error) => {
            eprintln!("error: {error}");
            return Some(2);
        }
    };
    let printed = generated
        .text(command())
        .and_then(|text| io::stdout().write_all(&text));
    match printed {
        // The reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Some(0),
        Err(error) => {
            eprintln!("error: standard output: {error}");
            Some(1)
        }
        Ok(()) => Some(0),
    }
}

#[cfg(test)]
mod tests {
    use clap::Arg;

    use super::*;

    fn requested(arguments: &[&str]) -> Result<Option<Generated>, NoShell> {
        let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
        Generated::requested(&arguments)
    }

    #[test]
    fn only_the_first_argument_is_a_request() {
        assert_eq!(requested(&[]), Ok(None));
        assert_eq!(requested(&["x.csv", "--man"]), Ok(None));
        assert_eq!(requested(&["--manual"]), Ok(None));
        assert_eq!(requested(&["--completionsbash"]), Ok(None));
        assert_eq!(requested(&["--man"]), Ok(Some(Generated::Man)));
        let bash = Ok(Some(Generated::Completions(Shell::Bash)));
        assert_eq!(requested(&["--completions", "bash"]), bash);
        assert_eq!(requested(&["--completions=bash"]), bash);
        assert_eq!(requested(&["--completions"]), Err(NoShell));
        assert_eq!(requested(&["--completions", "tcsh"]), Err(NoShell));
    }

    #[test]
    fn files_name_the_command_and_its_options() {
        let command = || {
            let option = Arg::new("capacity").long("capacity").help("Bytes");
            Command::new("plan").version("1.2").arg(option)
        };
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let text = Generated::Completions(shell).text(command()).expect("text");
            let text = String::from_utf8(text).expect("UTF-8");
            assert!(text.contains("plan") && text.contains("capacity"), "{text}");
        }
        let page = Generated::Man.text(command()).expect("a page");
        let page = String::from_utf8(page).expect("UTF-8");
        assert!(page.contains(".TH plan 1"), "{page}");
        assert!(page.contains("capacity"), "{page}");
    }
}
