//! The command as scripts see it: output, messages, exit status, files.

#[path = "../../mem-view/tests/support/schema.rs"]
mod schema;

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

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

/// Returns an empty directory for one test.
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
  outside of the arena: 5120 bytes
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
fn a_misspelled_subcommand_has_a_suggestion() {
    let near = "error: no file or subcommand is called 'dif'; did you mean 'diff'?\n";
    for arguments in [
        &["dif", "a", "b"][..],
        &["dif", "--json", "a", "b"],
        &["dif"],
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(text(&output.stderr), near);
    }
    let second = run(&["a.csv", "b.csv"]);
    assert_eq!(second.status.code(), Some(2));
    assert_eq!(
        text(&second.stderr),
        "error: unexpected argument 'b.csv': expected one file, or the subcommand 'diff' first\n"
    );
    // A file of such a name is a file.
    let directory = directory("misspelled");
    std::fs::write(directory.join("dif"), "no program").expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    let output = command.arg("dif").current_dir(&directory).output();
    let output = output.expect("the command runs");
    assert!(
        text(&output.stderr).starts_with("dif:1:1: error:"),
        "{}",
        text(&output.stderr)
    );
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
fn too_little_capacity_is_status_1_and_names_the_culprits() {
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
            .contains("unknown strategy 'best'; known: auto, exact, first-fit, genetic, greedy-by-conflict, greedy-by-size, lifetime-queue, tightest-first")
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

/// A log that a standard stream is redirected to is neither emptied nor replaced.
#[test]
fn standard_streams_keep_what_was_written_before() {
    let log = directory("streams").join("log");
    std::fs::write(&log, "before\n").expect("a file");
    let wanted = text(&run(&[example().to_str().expect("a path")]).stdout).to_owned();
    for stream in ["/dev/stdout", "/dev/stderr"] {
        let open = || {
            let file = std::fs::File::options().append(true).open(&log);
            file.expect("the log")
        };
        let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
        command.arg(example()).args(["-o", stream]);
        let status = command.stdout(open()).stderr(open()).status();
        assert!(status.expect("the command runs").success());
    }
    let written = std::fs::read_to_string(&log).expect("the log");
    assert_eq!(written, format!("before\n{wanted}{wanted}"));
}

/// Writes a table of buffers to a file of its own.
fn table(name: &str, text: &str) -> PathBuf {
    let file = directory(name).join("table.csv");
    std::fs::write(&file, text).expect("a file");
    file
}

#[test]
fn places_a_table() {
    let file = table(
        "places_a_table",
        "size,id,upper,lower\n4,a,3,0\n4,b,9,3\n4,c,9,0\n",
    );
    let output = run(&[file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let wanted = "size,id,upper,lower,offset\n4,a,3,0,0\n4,b,9,3,0\n4,c,9,0,4\n";
    assert_eq!(text(&output.stdout), wanted);
    assert!(text(&output.stderr).contains("peak 8, lower bound 8"));
}

#[test]
fn gaps_and_live_windows_of_a_table_are_used() {
    // While a is dead, b reuses its bytes; while only the first half of a is live, c reuses the
    // second.
    let rows = "id,lower,upper,size,alignment,gaps\n\
                a,0,10,8,4,2-4 5-7@0:4\n\
                b,2,4,8,1,\n\
                c,5,7,4,4,\n";
    let file = table("gaps_of_a_table", rows);
    let output = run(&["--json", file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["peak"], 8);
    assert_eq!(json["lower_bound"], 8);
    assert_eq!(json["proven_optimal"], true);
    assert_eq!(json["buffers"][2]["offset"], 4);
    assert!(json["strategy"].is_string() && json["seconds"].is_number());
}

#[test]
fn a_table_that_does_not_fit_is_status_1_and_names_the_culprits() {
    let file = table(
        "cannot_fit",
        "id,lower,upper,size\na,0,3,4\nb,2,9,4\nc,3,9,4\n",
    );
    let output = run(&["--capacity", "7", file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("no placement exists within 7 bytes"),
        "{said}"
    );
    assert!(said.contains("note: b holds 4 bytes"), "{said}");
    // The best plan is written all the same.
    assert!(text(&output.stdout).starts_with("id,lower,upper,size,offset\na,0,3,4,"));
}

#[test]
fn that_more_is_needed_than_is_live_at_once_is_proven() {
    let rows = "id,lower,upper,size,gaps\na,0,5,1,\nb,3,8,2,\nc,1,6,3,3-4\nd,1,4,1,\n";
    let file = table("proven", rows);
    let file = file.to_str().expect("a path");
    let output = run(&["--json", file]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let figures = ["lower_bound", "peak", "proven_bound"].map(|key| json[key].as_u64());
    assert_eq!(figures, [Some(6), Some(7), Some(7)]);
    assert_eq!(json["proven_optimal"], true);
    let output = run(&["--capacity", "6", file]);
    assert_eq!(output.status.code(), Some(1));
    let said = text(&output.stderr);
    assert!(
        said.contains("no placement exists within 6 bytes: at least 7 are needed"),
        "{said}"
    );
    // The proof needs all four; an unrelated fifth buffer is not to blame.
    let more = table("blame", &format!("{rows}other,0,2,1,\n"));
    let output = run(&["--capacity", "6", more.to_str().expect("a path")]);
    let said = text(&output.stderr);
    let blamed: Vec<&str> = said.lines().filter(|line| line.contains("note:")).collect();
    assert_eq!(blamed.len(), 4, "{said}");
    assert!(!said.contains("other"), "{said}");
}

#[test]
fn columns_that_name_other_buffers_are_understood() {
    let rows = "id,lower,upper,size,conflicts,alias,in_place\n\
                a,0,3,10,,,\nb,2,6,10,,,a\nc,7,9,4,b,,\nd,0,9,5,,x,\ne,3,5,5,,x,\n";
    let file = table("relations", rows);
    let output = run(&["--json", file.to_str().expect("a path")]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let offset = |index: usize| json["buffers"][index]["offset"].as_u64().expect("a number");
    assert_eq!(offset(0), offset(1), "in place");
    assert_eq!(offset(3), offset(4), "aliases");
    assert!(
        offset(2) >= offset(1) + 10 || offset(1) >= offset(2) + 4,
        "a conflict"
    );
    assert_eq!(json["peak"], 19);
    assert_eq!(json["lower_bound"], 15);
}

#[test]
fn offsets_in_a_table_are_fixed_and_a_plan_is_a_plan_again() {
    let file = table(
        "fixed",
        "id,lower,upper,size,offset\na,0,3,4,4\nb,2,9,4,\nc,2,4,2,\n",
    );
    let output = run(&[file.to_str().expect("a path")]);
    let planned = text(&output.stdout);
    assert_eq!(
        planned,
        "id,lower,upper,size,offset\na,0,3,4,4\nb,2,9,4,0\nc,2,4,2,8\n"
    );
    let again = table("fixed_again", planned);
    let output = run(&[again.to_str().expect("a path")]);
    assert_eq!(text(&output.stdout), planned);
    let output = run(&["--replan", "--json", again.to_str().expect("a path")]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["peak"], 10);
    let clash = table(
        "clash",
        "id,lower,upper,size,offset\na,0,3,4,4\nb,2,9,4,7\n",
    );
    let output = run(&[clash.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    let wanted =
        "table.csv:3: error: 'a' (4 bytes at 4, line 2) and 'b' (4 bytes at 7, line 3) are fixed";
    assert!(said.contains(wanted), "{said}");
}

#[test]
fn options_of_tables_are_refused_for_programs() {
    let file = example();
    for option in [
        &["--replan"][..],
        &["--reserve", "0:8"],
        &["--from", "other.csv"],
    ] {
        let mut arguments = option.to_vec();
        arguments.push(file.to_str().expect("a path"));
        let output = run(&arguments);
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        let message = text(&output.stderr);
        assert!(
            message.contains("applies to tables (.csv) only"),
            "{message}"
        );
        assert!(message.contains(option[0]), "{message}");
    }
}

#[test]
fn reserved_addresses_are_left_out() {
    let file = table("reserved", "id,lower,upper,size\na,0,3,4\nb,2,9,4\n");
    let file = file.to_str().expect("a path");
    let output = run(&["--reserve", "2:8", "--reserve", "0:1", file]);
    assert_eq!(
        text(&output.stdout),
        "id,lower,upper,size,offset\na,0,3,4,8\nb,2,9,4,12\n"
    );
    let output = run(&["--reserve", "8:2", file]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn threads_change_nothing_and_neither_does_the_clock() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/cut/150.csv");
    let file = file.to_str().expect("a path");
    for strategy in ["genetic", "auto"] {
        let plan = |threads| {
            let options = ["--strategy", strategy, "--effort", "3000000", "--seed", "7"];
            let output = run(&[&options[..], &["--threads", threads, file]].concat());
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            text(&output.stdout).to_owned()
        };
        assert_eq!(plan("1"), plan("2"), "{strategy}");
    }
}

/// A table, and what the error contains.
const BAD_TABLES: &[(&str, &str)] = &[
    ("id,lower,size\na,0,4\n", ":1: error: no column 'upper'"),
    (
        "id,lower,upper,size\na,0,x,4\n",
        ":2: error: 'x' in column 'upper'",
    ),
    (
        "id,lower,upper,size\na,0,1,4\nb,5,3,4\n",
        ":3: error: it ends at 3, before it begins at 5",
    ),
    (
        "id,lower,upper,size,alignment\na,0,1,4,3\n",
        ":2: error: alignment 3 is not a power of two",
    ),
    (
        "id,lower,upper,size,gaps\na,0,9,4,3-12\n",
        ":2: error: gap 3-12 is not inside",
    ),
    (
        "id,lower,upper,size,gaps\na,0,9,4,3:5\n",
        ":2: error: '3:5' is no gap",
    ),
    ("id,lower,upper,size\na,0,1\n", ":2: error:"),
    (
        "id,lower,upper,size\na,0,1,4\na,0,1,4\n",
        ":3: error: another buffer has the id 'a', too",
    ),
    (
        "id,lower,upper,size,conflicts\na,0,1,4,b\n",
        ":2: error: there is no buffer 'b'",
    ),
    (
        "id,lower,upper,size,in_place\na,0,1,4,a\n",
        ":2: error: 'a' is the buffer itself",
    ),
    (
        "id,lower,upper,size,penalties\na,0,1,4,\nb,0,1,4,a=3\n",
        ":3: error: 'a=3' is no penalty",
    ),
    (
        "id,lower,upper,size\na,0,1,99999999999999999999\n",
        ":2: error:",
    ),
    (
        "id,lower,size,upper,size\na,0,4,1,8\n",
        ":1: error: there are two columns 'size', number 3 and number 5",
    ),
    (
        "id,lower,upper,size\na,0,1,4\n\u{1b}[31mb,0,1,4\n",
        ":3: error: control character in column 'id'",
    ),
    (
        "id,lower,upper,size\r\na,0,1,4\r\nb,2,1,4\r\n",
        ":3: error: it ends at 1, before it begins at 2",
    ),
    (
        "\u{feff}id,lower,upper,size\n\n\na,0,1,4\n\nb,2,1,4\n",
        ":6: error: it ends at 1, before it begins at 2",
    ),
    (
        "id,lower,upper,size\r\na,0,1,4\r\nb,0,1\r\n",
        ":3: error: the row has 3 cells, and the header 4",
    ),
];

#[test]
fn malformed_tables_are_status_2_and_the_line_is_named() {
    for (index, &(rows, wanted)) in BAD_TABLES.iter().enumerate() {
        let file = table(&format!("bad_table_{index}"), rows);
        let output = run(&[file.to_str().expect("a path")]);
        assert_eq!(output.status.code(), Some(2), "{rows}");
        assert!(
            text(&output.stderr).contains(wanted),
            "{}",
            text(&output.stderr)
        );
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn sizes_that_add_up_to_too_much_are_an_error() {
    let half = u64::MAX / 4;
    let rows = format!("id,lower,upper,size\na,0,2,{half}\nb,0,2,{half}\nc,0,2,{half}\n");
    let file = table("too_much", &rows);
    let output = run(&[file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("more than 2^63-1 bytes"));
}

#[test]
fn empty_tables_and_buffers_that_never_live_are_planned() {
    let file = table("empty", "id,lower,upper,size\n");
    let output = run(&[file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let file = table("never", "id,lower,upper,size\na,3,3,8\nb,0,9,0\n");
    let output = run(&[file.to_str().expect("a path")]);
    assert_eq!(
        text(&output.stdout),
        "id,lower,upper,size,offset\na,3,3,8,0\nb,0,9,0,0\n"
    );
}

#[test]
fn compares_strategies_on_a_folder() {
    let folder = directory("compares");
    std::fs::write(
        folder.join("one.csv"),
        "id,lower,upper,size\na,0,3,4\nb,2,9,4\n",
    )
    .expect("a file");
    let output = run(&["--benchmark", folder.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    assert!(shown.contains("greedy-by-conflict"), "{shown}");
    assert!(
        shown
            .lines()
            .any(|line| line.starts_with("one ") && line.contains("1.0000*")),
        "{shown}"
    );
}

#[test]
fn compares_strategies_on_tables_with_offsets() {
    let folder = directory("compares_offsets");
    let rows = "id,lower,upper,size,offset\na,0,3,4,12\nb,2,9,4,\n";
    std::fs::write(folder.join("one.csv"), rows).expect("a file");
    let folder = folder.to_str().expect("a path");
    // The peak is 16 with the offset, and 8 without it.
    for (options, wanted) in [(&[][..], "2.0000"), (&["--replan"], "1.0000")] {
        let output = run(&[&["--benchmark", folder], options].concat());
        let shown = text(&output.stdout);
        let line = shown.lines().find(|line| line.starts_with("one "));
        assert!(line.is_some_and(|line| line.contains(wanted)), "{shown}");
    }
}

#[test]
fn json_is_a_document_of_its_schema() {
    let file = table(
        "schema",
        "id,lower,upper,size\n=a,0,3,4\nb,2,9,4\nc,3,3,8\n",
    );
    let output = run(&[file.to_str().expect("a path"), "--json", "--capacity", "64"]);
    let json = schema::document("table", text(&output.stdout));
    let figure = |key: &str| json[key].as_u64().expect("bytes");
    assert!(figure("lower_bound") <= figure("proven_bound"));
    assert!(figure("proven_bound") <= figure("peak") && figure("peak") <= figure("capacity"));
    let is_optimal = figure("proven_bound") == figure("peak");
    assert_eq!(json["proven_optimal"], is_optimal);
    let ends = json["buffers"].as_array().expect("rows").iter();
    let ends = ends.map(|row| row["offset"].as_u64().zip(row["size"].as_u64()));
    let ends = ends.map(|row| row.map(|(offset, size)| offset + size));
    assert_eq!(ends.max().flatten(), Some(figure("peak")));

    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/lstm.mem");
    let output = run(&[program, "--json"]);
    schema::document("plan", text(&output.stdout));
}

/// Spreadsheets evaluate cells that look like formulas. Ids that do are marked as text, and survive
/// a round trip.
#[test]
fn ids_that_look_like_formulas_are_written_as_text() {
    let rows = "id,lower,upper,size,conflicts,note\n=HYPERLINK(1),0,3,4,-b,@x\n-b,5,9,4,,-7\n-1,5,9,4,,+1.5\n";
    let written = "id,lower,upper,size,conflicts,note,offset\n'=HYPERLINK(1),0,3,4,'-b,'@x,0\n'-b,5,9,4,,-7,4\n-1,5,9,4,,+1.5,0\n";
    let file = table("formulas", rows);
    let output = run(&[file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), written);
    let again = table("formulas_again", written);
    let output = run(&[again.to_str().expect("a path")]);
    assert_eq!(text(&output.stdout), written);
    let output = run(&["--json", again.to_str().expect("a path")]);
    assert!(text(&output.stdout).contains(r#""id": "=HYPERLINK(1)""#));
}

#[test]
fn names_do_not_control_the_terminal() {
    let folder = directory("controls");
    let file = folder.join("no\u{1b}[31m.csv");
    let output = run(&[file.to_str().expect("a path")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(!output.stderr.contains(&0x1b), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("no\\u{1b}[31m.csv"));
}

#[test]
fn tables_of_any_length_are_not_generated() {
    let output = run(&["--generate", "99999999999999"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output.stderr).contains("10000000"),
        "{}",
        text(&output.stderr)
    );
    assert!(output.stdout.is_empty());
}
