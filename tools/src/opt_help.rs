//! `mem-opt --help` and `--version`: the pipelines and passes of this project, and the options that
//! most calls use. Everything else that mlir-opt has is in `--help-all`.

use std::ffi::CString;
use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};

use clap::{Arg, ArgAction, Command, ValueHint};
use mem_opt::internals::{Described, LLVM_VERSION, described};

/// The options that most calls use, with a sentence and an example.
const COMMON: [(&str, &str, &str); 10] = [
    (
        "--pass-pipeline=<PIPELINE>",
        "passes and pipelines to run, with their options; default: none",
        "--pass-pipeline='builtin.module(mem-default-pipeline{alignment=64})'",
    ),
    (
        "-o <FILE>",
        "output file; default: standard output",
        "-o planned.mlir",
    ),
    (
        "--mlir-print-ir-after-all",
        "print the program after each pass, on standard error; default: off",
        "--mlir-print-ir-after-all",
    ),
    (
        "--mlir-timing",
        "print how long each pass takes, on standard error; default: off",
        "--mlir-timing",
    ),
    (
        "--mlir-pass-statistics",
        "print the statistics of each pass, on standard error; default: off",
        "--mlir-pass-statistics",
    ),
    (
        "--split-input-file",
        "process the parts of the input between lines '// -----' on their own; default: off",
        "--split-input-file",
    ),
    (
        "--verify-diagnostics",
        "check that diagnostics are those that comments of the input expect; default: off",
        "--verify-diagnostics",
    ),
    (
        "--emit-bytecode",
        "write MLIR's bytecode instead of text; default: off",
        "--emit-bytecode",
    ),
    (
        "--load-dialect-plugin=<FILE>",
        "load other dialects; default: none",
        "--load-dialect-plugin=libother.so",
    ),
    (
        "--load-pass-plugin=<FILE>",
        "load other passes; default: none",
        "--load-pass-plugin=libother.so",
    ),
];

/// The options that only ask about the command.
const ASKING: [(&str, &str, &str); 3] = [
    (
        "--help=<NAME>",
        "options of a pass or pipeline, with defaults and examples",
        "--help=mem-plan",
    ),
    (
        "--help-all",
        "everything, with the passes and options of upstream",
        "--help-all",
    ),
    (
        "--version",
        "versions of mem-opt and MLIR, and the commit",
        "--version",
    ),
];

const EXIT_STATUS: &str = "\
Exit status: 0 on success, 1 if the input, an option or a pass failed, with a diagnostic on standard error.";

/// A call that only asks about the command.
pub(crate) enum Request {
    /// `--help`.
    Help,
    /// `--help=NAME`: the options of a pass or pipeline.
    HelpOn(String),
    /// `--version`.
    Version,
}

impl Request {
    /// The request that the arguments make, if any. Replaces `--help-all` by LLVM's own option.
    pub(crate) fn of(arguments: &mut [CString]) -> Option<Self> {
        for argument in arguments.iter_mut().skip(1) {
            let text = argument.to_string_lossy().into_owned();
            match text.as_str() {
                // What follows is not an option.
                "--" => return None,
                "--help" | "-help" | "-h" => return Some(Self::Help),
                "--version" | "-version" => return Some(Self::Version),
                "--help-all" | "-help-all" => *argument = c"--help".to_owned(),
                other => {
                    if let Some(name) = other.strip_prefix("--help=") {
                        return Some(Self::HelpOn(name.to_owned()));
                    }
                }
            }
        }
        None
    }

    /// Prints the answer. Returns the exit status.
    pub(crate) fn answer(&self) -> i32 {
        let text = match self {
            Self::Help => help(),
            Self::Version => version(),
            Self::HelpOn(name) => match help_on(name) {
                Ok(text) => text,
                Err(error) => {
                    eprintln!("mem-opt: error: {error}");
                    return 1;
                }
            },
        };
        print("mem-opt", &text)
    }
}

/// Prints the text that a command was asked for. Returns the exit status.
pub(crate) fn print(command: &str, text: &str) -> i32 {
    match std::io::stdout().write_all(text.as_bytes()) {
        // The reader has seen enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => 0,
        Err(error) => {
            eprintln!("{command}: error: standard output: {error}");
            1
        }
        Ok(()) => 0,
    }
}

/// The command as completions and the manual page see it: the options that most calls use, and a flag
/// for each pipeline and pass.
pub(crate) fn command() -> Command {
    let flag = |name: &str, about: &str| {
        // Clap keeps names for as long as the process runs, which only prints a file.
        let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
        Arg::new(name).long(name).help(about.to_owned())
    };
    let common = COMMON.iter().flat_map(|(option, about, example)| {
        let names = option.split(", ");
        names.filter_map(move |name| {
            let help = format!("{about}; example: {example}");
            let (name, value) = match name.split_once(['=', ' ']) {
                Some((name, value)) => (name, Some(value.trim_matches(['<', '>']))),
                None => (name, None),
            };
            let own = match name.strip_prefix("--") {
                Some(name) => flag(name, &help),
                None => Arg::new("output").short(name.chars().nth(1)?).help(help),
            };
            Some(match value {
                Some("FILE") => own.value_name("FILE").value_hint(ValueHint::FilePath),
                Some(value) => own.value_name(value),
                None => own.action(ArgAction::SetTrue),
            })
        })
    });
    let (pipelines, passes) = described();
    let passes = pipelines.into_iter().chain(passes).map(|own| {
        let help = format!("{}; default: not run; example: --{}", own.summary, own.name);
        let flag = flag(&own.name, &help).value_name("OPTIONS");
        flag.num_args(0..=1).require_equals(true)
    });
    let file = Arg::new("file")
        .value_name("FILE")
        .value_hint(ValueHint::FilePath);
    Command::new("mem-opt")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Plans the memory of tensor programs: mlir-opt with passes that plan memory")
        .after_help(format!("{EXIT_STATUS}\n\n{}", mem_command::GENERATED_HELP))
        .disable_help_flag(true)
        .arg(file.help("MLIR, as text or bytecode; standard input without a file"))
        .args(common)
        .args(passes)
        .arg(
            flag("help", "Print help, or the options of a pass or pipeline; default: of all; example: --help=mem-plan")
                .value_name("NAME")
                .num_args(0..=1)
                .require_equals(true),
        )
        .arg(
            flag("help-all", "Print the help with everything of upstream; example: --help-all")
                .action(ArgAction::SetTrue),
        )
}

/// The versions of mem-opt and MLIR, and the commit if it is known.
pub(crate) fn version() -> String {
    let commit =
        option_env!("MEM_OPT_COMMIT").map_or(String::new(), |own| format!(" (commit {own})"));
    format!(
        "mem-opt {}{commit}\nMLIR and LLVM {LLVM_VERSION}\n",
        env!("CARGO_PKG_VERSION")
    )
}

fn help() -> String {
    let mut out = String::from(
        "Plans the memory of tensor programs: mlir-opt with the passes below.\n\n\
         Usage: mem-opt [OPTIONS] [FILE]\n\n\
         Reads MLIR from FILE or standard input, runs passes, and writes MLIR.\n\n\
         Example: mem-opt model.mlir --pass-pipeline='builtin.module(mem-default-pipeline)' -o planned.mlir\n",
    );
    let (pipelines, passes) = described();
    list(&mut out, "Pipelines", &pipelines);
    list(&mut out, "Passes", &passes);
    out.push_str("\nOptions:\n");
    let all = || COMMON.iter().chain(&ASKING);
    let width = all().map(|(option, ..)| option.len()).max().unwrap_or(0);
    for (option, about, example) in all() {
        // Writing to a string does not fail.
        let _ = writeln!(out, "  {option:<width$}  {about}; example: {example}");
    }
    let _ = writeln!(out, "\n{EXIT_STATUS}\n\n{}", mem_command::GENERATED_HELP);
    out
}

fn list(out: &mut String, title: &str, all: &[Described]) {
    let width = all.iter().map(|own| own.name.len()).max().unwrap_or(0);
    let _ = writeln!(out, "\n{title}:");
    for own in all {
        let _ = writeln!(out, "  {:<width$}  {}", own.name, own.summary);
    }
}

/// The options of a pass or pipeline.
fn help_on(name: &str) -> Result<String, String> {
    let (pipelines, passes) = described();
    let all = || pipelines.iter().chain(&passes);
    let Some(found) = all().find(|own| own.name == name) else {
        let near = mem_model::suggestion(name, all().map(|own| own.name.as_str()));
        return Err(format!(
            "no pass or pipeline of mem-opt is called '{name}'{near}"
        ));
    };
    let mut out = format!("{}: {}\n", found.name, found.summary);
    if found.options.is_empty() {
        out.push_str("\nIt has no options.\n");
        return Ok(out);
    }
    out.push_str("\nOptions:\n");
    for own in &found.options {
        let default = match own.default.as_str() {
            "" => "none",
            // Sizes that are not given.
            "-1" => "not given",
            other => other,
        };
        let _ = writeln!(
            out,
            "  {}\n      {}\n      default: {default}; example: {}{{{}={}}}",
            own.name, own.about, found.name, own.name, own.example
        );
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(arguments: &[&str]) -> (Option<Request>, Vec<String>) {
        let arguments = arguments
            .iter()
            .map(|own| CString::new(*own).expect("no NUL"));
        let mut arguments: Vec<CString> = arguments.collect();
        let request = Request::of(&mut arguments);
        let left = arguments
            .iter()
            .map(|own| own.to_string_lossy().into_owned());
        (request, left.collect())
    }

    #[test]
    fn only_calls_for_help_are_answered() {
        assert!(request(&["mem-opt", "x.mlir", "-o", "-"]).0.is_none());
        assert!(request(&["--help"]).0.is_none(), "the name of the command");
        assert!(request(&["mem-opt", "--", "--help"]).0.is_none());
        assert!(matches!(
            request(&["mem-opt", "a", "-h"]).0,
            Some(Request::Help)
        ));
        let (own, left) = request(&["mem-opt", "--help-all"]);
        assert!(own.is_none());
        assert_eq!(left[1], "--help");
    }

    #[test]
    fn every_option_has_a_default_and_an_example() {
        let (pipelines, passes) = described();
        for own in pipelines.iter().chain(&passes) {
            let text = help_on(&own.name).expect("it exists");
            for option in &own.options {
                assert!(!option.about.is_empty(), "{}: {}", own.name, option.name);
                assert!(!option.example.is_empty(), "{}: {}", own.name, option.name);
            }
            let n_defaults = text.matches("\n      default: ").count();
            assert_eq!(n_defaults, own.options.len(), "{text}");
        }
    }

    #[test]
    fn help_begins_with_pipelines_and_passes_and_is_short() {
        let text = help();
        assert!(
            text.find("mem-default-pipeline").expect("listed")
                < text.find("--mlir-timing").expect("listed")
        );
        assert!(text.lines().count() < 80, "{text}");
        assert!(
            help_on("mem-pln")
                .expect_err("unknown")
                .ends_with("did you mean 'mem-plan'?")
        );
    }
}
