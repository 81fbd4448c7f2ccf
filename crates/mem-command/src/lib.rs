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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Generated {
    /// A completion script.
    Completions(Shell),
    /// A manual page in roff, of the command or of one of its subcommands.
    Man(Option<String>),
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
            return Ok(Some(Self::Man(text(1).map(str::to_owned))));
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
    /// If the page cannot be formatted, or there is no subcommand of the requested name.
    pub fn text(self, mut command: Command) -> io::Result<Vec<u8>> {
        let mut out = Vec::new();
        match self {
            Self::Completions(shell) => {
                let name = command.get_name().to_owned();
                clap_complete::generate(shell, &mut command, &name, &mut out);
                if shell == Shell::Zsh && command.has_subcommands() {
                    out = files_beside_commands(&String::from_utf8_lossy(&out), &name).into_bytes();
                }
            }
            Self::Man(None) => Man::new(command).render(&mut out)?,
            Self::Man(Some(name)) => {
                // Gives the subcommand the name by which the page of the command refers to it, such as `mem-plan-diff`.
                command.build();
                let found = command.find_subcommand(&name).cloned().ok_or_else(|| {
                    let text = format!("there is no subcommand '{name}' to describe");
                    io::Error::new(ErrorKind::InvalidInput, text)
                })?;
                Man::new(found).render(&mut out)?;
            }
        }
        Ok(out)
    }
}

/// Makes a script for zsh complete subcommands where a file may be as well: the script takes the first word
/// for the file, and never completes the options of a subcommand. Instead, the first word is a
/// subcommand or a file.
fn files_beside_commands(script: &str, name: &str) -> String {
    let commands = format!("\":: :_{name}_commands\" \\");
    let describe = format!("    _describe -t commands '{name} commands' commands \"$@\"");
    let head = script
        .split(&commands)
        .next()
        .unwrap_or_default()
        .lines()
        .count();
    // Of the command itself: those of subcommands come later.
    let is_file = |(at, line): &(usize, &str)| *at < head && line.starts_with("'::");
    let lines = script.lines().enumerate().filter(|line| !is_file(line));
    let lines = lines.map(|(_, line)| match line == describe {
        true => format!("{line}\n    _files\n"),
        false => format!("{}\n", line.replace("$line[2]", "$line[1]")),
    });
    lines.collect()
}

/// The options of a command and its subcommands whose help lacks an example, or that take a value and
/// whose help does not state the default. For the tests of the commands.
#[must_use]
pub fn undocumented(command: &Command) -> Vec<String> {
    let options = command.get_arguments().filter(|own| !own.is_positional());
    // Options without a help are hidden, for other programs.
    let options = options.filter(|own| !own.is_hide_set());
    let lacking = options.filter_map(|own| {
        let name = own.get_long()?;
        let help = own.get_long_help().or_else(|| own.get_help());
        let help = help.map(ToString::to_string).unwrap_or_default();
        let is_flag = !own.get_action().takes_values();
        let has_default =
            is_flag || !own.get_default_values().is_empty() || help.contains("default");
        let has_example = help.contains(&format!("xample: --{name}"));
        let is_complete = has_default && has_example;
        (!is_complete).then(|| format!("{} --{name}: {help}", command.get_name()))
    });
    let inner = command.get_subcommands().flat_map(undocumented);
    lacking.chain(inner).collect()
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
        Err(error) if error.kind() == ErrorKind::InvalidInput => {
            eprintln!("error: {error}");
            Some(2)
        }
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
        assert_eq!(requested(&["--man"]), Ok(Some(Generated::Man(None))));
        let bash = Ok(Some(Generated::Completions(Shell::Bash)));
        assert_eq!(requested(&["--completions", "bash"]), bash);
        assert_eq!(requested(&["--completions=bash"]), bash);
        assert_eq!(requested(&["--completions"]), Err(NoShell));
        assert_eq!(requested(&["--completions", "tcsh"]), Err(NoShell));
    }

    #[test]
    fn the_first_word_is_a_file_or_a_subcommand_in_zsh() {
        let file = || {
            Arg::new("file")
                .help("A table")
                .value_hint(clap::ValueHint::FilePath)
        };
        let diff = Command::new("diff")
            .arg(file())
            .arg(Arg::new("all").long("all"));
        let command = Command::new("plan").arg(file()).subcommand(diff);
        let script = Generated::Completions(Shell::Zsh)
            .text(command)
            .expect("text");
        let script = String::from_utf8(script).expect("UTF-8");
        let (head, tail) = script
            .split_once("\":: :_plan_commands\"")
            .expect("commands");
        assert!(!head.contains("A table"), "{script}");
        assert!(tail.contains("'::file -- A table:_files'"), "{script}");
        assert!(tail.contains("case $line[1] in"), "{script}");
        assert!(
            tail.contains("'plan commands' commands \"$@\"\n    _files\n"),
            "{script}"
        );
    }

    #[test]
    fn every_option_needs_a_default_and_an_example() {
        let option = |name: &'static str, help: &'static str| Arg::new(name).long(name).help(help);
        let command = Command::new("plan")
            .arg(option("a", "None by default. Example: --a 1"))
            .arg(option("b", "Bytes. Example: --b 1").default_value("0"))
            .arg(option("c", "Bytes. Example: --c 1"))
            .arg(option("d", "Bytes, 0 by default"))
            .arg(option("e", "Quiet. Example: --e").action(clap::ArgAction::SetTrue))
            .subcommand(Command::new("diff").arg(option("f", "Bytes")));
        let lacking = undocumented(&command);
        let lacking: Vec<&str> = lacking
            .iter()
            .filter_map(|own| own.split(':').next())
            .collect();
        assert_eq!(lacking, ["plan --c", "plan --d", "diff --f"]);
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
        let page = |name: Option<&str>, command: Command| {
            let request = Generated::Man(name.map(str::to_owned));
            let text = request.text(command);
            text.map(|own| String::from_utf8(own).expect("UTF-8"))
        };
        let with_diff = || {
            let option = Arg::new("limit").long("limit").help("Bytes");
            command().subcommand(Command::new("diff").arg(option))
        };
        let own = page(Some("diff"), with_diff()).expect("a page");
        assert!(own.contains(".TH plan-diff 1"), "{own}");
        assert!(own.contains("limit"), "{own}");
        page(Some("dif"), with_diff()).expect_err("no such subcommand");
        let page = page(None, command()).expect("a page");
        assert!(page.contains(".TH plan 1"), "{page}");
        assert!(page.contains("capacity"), "{page}");
    }
}
