//! Snapshots of what `mem-plan` prints: help, summaries and plans of the examples. A change of any
//! of them has to be deliberate.
//!
//! `INSTA_UPDATE=always cargo nextest run --release -p mem-plan --test snapshots` rewrites the
//! snapshots. Review the difference like any other.

use std::process::{Command, Stdio};

/// Standard output and standard error of the command, run in the folder of the crate.
fn said(arguments: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    let command = command.current_dir(env!("CARGO_MANIFEST_DIR"));
    let done = command.args(arguments).stdin(Stdio::null()).output();
    let done = done.expect("the command runs");
    let [output, complaint] = [done.stdout, done.stderr].map(|bytes| {
        let text = String::from_utf8(bytes).expect("the command writes UTF-8");
        let lines: Vec<&str> = text.lines().map(str::trim_end).collect();
        lines.join("\n")
    });
    let status = done.status.code();
    let status = status.map_or("none".to_owned(), |code| code.to_string());
    format!("exit status {status}\n--- output\n{output}\n--- errors\n{complaint}\n")
}

#[test]
fn help() {
    insta::assert_snapshot!("help", said(&["--help"]));
}

/// `-` is standard output, and no file of that name.
#[test]
fn plans_of_the_examples() {
    insta::assert_snapshot!("one-level", said(&["examples/lstm.mem", "-o", "-"]));
    insta::assert_snapshot!("two-levels", said(&["examples/two.levels"]));
    insta::assert_snapshot!(
        "two-levels-plans",
        said(&["examples/two.levels", "-o", "-"])
    );
}
