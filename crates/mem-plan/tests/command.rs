//! The command as a script sees it: output, messages, exit status, files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/lstm.mem")
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    command
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("the command runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// A directory of its own for one test, empty.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory");
    path
}

#[test]
fn prints_a_table() {
    let file = example();
    let output = run(&[file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let wanted = "\
@lstm: 4 buffers in arena, lifetime-queue
  peak 7168 (7.0 KiB), lower bound 7168, gap 0 %, sum of sizes 7168
  outside of arena: 5120 bytes
  buffer   role          size    offset  slot  live  location
  initial  intermediate  1024         0        0..4  lstm.mlir:5:10
  state    intermediate  1024      1024     0  1..4  lstm.mlir:9:12
  state    intermediate  1024      2048     1  1..4  lstm.mlir:9:12
  gates    intermediate  4096      3072        2..3  lstm.mlir:8:12
  input    input         4096  external        0..3
  result   output        1024  external        4
";
    assert_eq!(text(&output.stdout), wanted);
}

#[test]
fn writes_json_to_a_file_and_leaves_nothing_else() {
    let directory = directory("json");
    let out = directory.join("plan.json");
    let output = run(&[
        "--json",
        "-o",
        out.to_str().expect("a path"),
        example().to_str().expect("a path"),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(output.stdout.is_empty());
    let json = std::fs::read_to_string(&out).expect("the file");
    assert!(json.contains("\"peak\": 7168"), "{json}");
    assert_eq!(std::fs::read_dir(&directory).expect("readable").count(), 1);
}

#[test]
fn too_little_capacity_is_status_1_and_says_who_is_to_blame() {
    let output = run(&["--capacity", "7000", example().to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(
        message.starts_with(
            "error: @lstm: no placement exists within 7000 bytes: 7168 are needed at step 2 \
             (linalg.matmul), 168 are missing\n"
        ),
        "{message}"
    );
    assert!(
        message.contains("note: 'gates' holds 4096 bytes (lstm.mlir:8:12)"),
        "{message}"
    );
    assert_eq!(
        run(&["--capacity", "7168", example().to_str().expect("a path")])
            .status
            .code(),
        Some(0)
    );
}

#[test]
fn bad_input_is_status_2_with_file_line_and_column() {
    let bad = directory("bad").join("bad.mem");
    std::fs::write(&bad, "mem-program 1\nprogram main\n").expect("writable");
    let output = run(&[bad.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2));
    let message = text(&output.stderr);
    let wanted = "bad.mem:2:9: error: expected the program's name, found 'main'\n";
    assert!(message.ends_with(wanted), "{message}");
}

#[test]
fn bad_usage_is_status_2() {
    let example = example();
    let example = example.to_str().expect("a path");
    for arguments in [
        &[][..],
        &["no-such-file.mem"],
        &["--capacity", "-1", example],
        &["-o", "no-such-directory/out", example],
    ] {
        assert_eq!(run(arguments).status.code(), Some(2), "{arguments:?}");
    }
    let output = run(&["--strategy", "best", example]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr)
            .contains("unknown strategy 'best'; known: auto, greedy-by-size, lifetime-queue")
    );
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_mem-plan"))
        .arg(example())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
}
