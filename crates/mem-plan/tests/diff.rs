//! `mem-plan diff`: what is reported as changed, what is not, and the exit status.

#[path = "../../mem-view/tests/support/schema.rs"]
mod schema;

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Status, standard output and standard error of a command in a directory.
fn run(directory: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    let command = command.args(arguments).current_dir(directory);
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

/// Returns a directory with these files.
fn files(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("diff-{name}"));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a directory");
    for (file, text) in files {
        std::fs::write(path.join(file), text).expect("a file");
    }
    path
}

/// A buffer of a plan for one level as JSON: name, size, offset, first and last step.
fn buffer(name: &str, size: u64, offset: u64, live: [u64; 2]) -> String {
    format!(
        r#"{{"function": "main", "name": "{name}", "role": "intermediate", "storage": "planned",
        "size": {size}, "alignment": 4, "location": "", "placements": [{{"level": "arena",
        "offset": {offset}, "slot": 0, "live": [[{}, {}]]}}]}}"#,
        live[0], live[1]
    )
}

/// A plan for one level as JSON.
fn plan(peak: u64, buffers: &[String]) -> String {
    let buffers = buffers.join(",");
    let text = format!(
        r#"{{"version": 1, "tool": "mem-opt", "functions": [{{"name": "main", "strategy": "s",
        "level": "arena", "peak": {peak}, "lower_bound": {peak}, "proven_bound": {peak},
        "steps": []}}], "levels": [{{"name": "arena", "capacity": null, "peak": {peak},
        "lower_bound": {peak}}}], "buffers": [{buffers}], "transfers": [], "cost": 0.0}}"#
    );
    schema::document("plan", &text);
    text
}

#[test]
fn reports_peaks_and_buffers_that_differ() {
    let before = plan(
        300,
        &[
            buffer("kept", 100, 0, [0, 3]),
            buffer("grown", 100, 100, [0, 3]),
            buffer("gone", 50, 200, [0, 3]),
            buffer("moved", 50, 250, [0, 3]),
        ],
    );
    let after = plan(
        330,
        &[
            buffer("kept", 100, 0, [5, 8]),
            buffer("grown", 120, 100, [0, 3]),
            buffer("moved", 50, 280, [0, 5]),
            buffer("new", 30, 220, [0, 3]),
        ],
    );
    let folder = files("reports", &[("a.json", &before), ("b.json", &after)]);
    let (status, text, errors) = run(&folder, &["diff", "a.json", "b.json"]);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let wanted = "\
peak   before  after  change
arena     300    330  +30 (+10.00 %)
lower bound in arena 300 -> 330
buffers: 3 in both, 1 appeared, 1 disappeared, 1 grew, 1 moved, 1 live longer
appeared
  @main 'new': 30 bytes, arena[220]
disappeared
  @main 'gone': 50 bytes, arena[200]
grew
  @main 'grown': 100 -> 120 bytes
moved
  @main 'moved': 50 bytes, arena[250] -> arena[280], 4 -> 6 steps
";
    assert_eq!(text, wanted);
}

#[test]
fn a_peak_that_grows_by_more_than_the_limit_is_status_1() {
    let (before, after) = (plan(1000, &[]), plan(1010, &[]));
    let folder = files("limit", &[("a.json", &before), ("b.json", &after)]);
    let status = |limit: &str, first: &str, second: &str| {
        run(
            &folder,
            &["diff", first, second, "--fail-if-peak-grows", limit],
        )
    };
    assert_eq!(status("1%", "a.json", "b.json").0, Some(0));
    assert_eq!(status("10", "a.json", "b.json").0, Some(0));
    assert_eq!(status("1KiB", "a.json", "b.json").0, Some(0));
    assert_eq!(status("0%", "b.json", "a.json").0, Some(0));
    let (code, text, errors) = status("0.9%", "a.json", "b.json");
    assert_eq!(code, Some(1));
    assert!(text.starts_with("peak "), "the comparison is printed first");
    assert_eq!(
        errors,
        "error: the peak in 'arena' grew by 10 bytes, from 1000 to 1010; the limit is 0.9 %\n"
    );
    assert_eq!(status("9", "a.json", "b.json").0, Some(1));
    let (code, _, errors) = status("1M", "a.json", "b.json");
    assert_eq!(code, Some(2), "nonsense");
    assert!(errors.contains("--fail-if-peak-grows"), "{errors}");
    assert!(errors.contains("did you mean 'MiB' or 'MB'?"), "{errors}");
}

#[test]
fn namesakes_are_paired_by_what_they_have_in_common() {
    let [a, b] = [buffer("x", 100, 0, [0, 1]), buffer("x", 200, 100, [0, 1])];
    let before = plan(300, &[a.clone(), b.clone()]);
    // A third one of the name comes first, and the second one moves.
    let after = plan(
        600,
        &[
            buffer("x", 300, 300, [2, 3]),
            a,
            buffer("x", 200, 120, [0, 1]),
        ],
    );
    let folder = files("names", &[("a.json", &before), ("b.json", &after)]);
    let (_, text, _) = run(&folder, &["diff", "a.json", "b.json"]);
    let wanted = "\
buffers: 2 in both, 1 appeared, 1 moved
appeared
  @main 'x': 300 bytes, arena[300]
moved
  @main 'x': 200 bytes, arena[100] -> arena[120]
";
    assert!(text.ends_with(wanted), "{text}");
}

#[test]
fn tables_are_compared_as_csv_and_as_json() {
    let table = "id,lower,upper,size,offset\na,0,2,64,0\nb,1,3,32,64\n";
    let other = "id,lower,upper,size,offset\na,0,2,64,32\nb,1,3,32,0\n";
    let folder = files("tables", &[("a.csv", table), ("b.csv", other)]);
    let (status, _, errors) = run(&folder, &["a.csv", "--json", "-o", "a.json"]);
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let (_, text, _) = run(&folder, &["diff", "a.json", "b.csv"]);
    assert!(text.contains("arena      96     96\n"), "{text}");
    assert!(
        text.contains("  @table 'b': 32 bytes, arena[64] -> arena[0]\n"),
        "{text}"
    );
    let (_, text, _) = run(&folder, &["diff", "a.json", "a.csv"]);
    assert!(
        text.ends_with("buffers: 2 in both, none differs\n"),
        "{text}"
    );
}

#[test]
fn plans_over_several_levels_are_compared_with_their_problem() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/two.levels");
    let problem = std::fs::read_to_string(example).expect("the example");
    let folder = files("levels", &[("two.levels", &problem)]);
    let plan = |strategy: &str, file: &str| {
        let arguments = ["two.levels", "--strategy", strategy, "-o", file];
        let (status, _, errors) = run(&folder, &arguments);
        assert_eq!(status, Some(0), "{errors}");
    };
    plan("initial", "initial.plans");
    plan("exact", "exact.plans");
    let compared = [
        "diff",
        "initial.plans",
        "exact.plans",
        "--problem",
        "two.levels",
    ];
    let (status, text, errors) = run(&folder, &compared);
    assert_eq!(status, Some(0), "{errors}");
    assert!(text.contains("makespan of @"), "{text}");
    assert!(text.contains("moved\n"), "{text}");
    let (status, _, errors) = run(&folder, &["diff", "initial.plans", "exact.plans"]);
    assert_eq!(status, Some(2));
    assert_eq!(
        errors,
        "initial.plans: error: plans over several levels are compared together with their problems: \
         --problem FILE\n"
    );
}

#[test]
fn json_conforms_to_its_schema() {
    let before = plan(
        300,
        &[buffer("x", 300, 0, [0, 3]), buffer("y", 1, 0, [0, 0])],
    );
    let after = plan(400, &[buffer("x", 400, 0, [0, 3])]);
    let folder = files("json", &[("a.json", &before), ("b.json", &after)]);
    let arguments = [
        "diff",
        "a.json",
        "b.json",
        "--json",
        "--fail-if-peak-grows",
        "1%",
    ];
    let (status, text, _) = run(&folder, &arguments);
    assert_eq!(status, Some(1));
    let json = schema::document("diff", &text);
    assert_eq!(json["levels"][0]["peak"]["after"], 400);
    assert_eq!(json["buffers"][0]["changes"][0], "grew");
    assert_eq!(json["buffers"][1]["after"], serde_json::Value::Null);
    assert_eq!(json["regressions"][0]["level"], "arena");
    assert_eq!(json["regressions"].as_array().map(Vec::len), Some(1));
    let (_, text, _) = run(&folder, &["diff", "a.json", "b.json", "--json"]);
    let json = schema::document("diff", &text);
    assert_eq!(json["regressions"], serde_json::Value::Null);
}

#[test]
fn other_files_are_errors_that_say_what_is_expected() {
    let newer = plan(1, &[]).replace(r#""version": 1"#, r#""version": 2"#);
    let folder = files(
        "errors",
        &[
            ("a.json", &plan(1, &[])),
            ("newer.json", &newer),
            ("broken.json", "{"),
            ("trace.json", r#"{"traceEvents": []}"#),
            ("x.mlir", "func.func @f() { return }"),
            ("free.csv", "id,lower,upper,size\na,0,2,64\n"),
        ],
    );
    let error = |file: &str| {
        let (status, text, errors) = run(&folder, &["diff", "a.json", file]);
        assert_eq!((status, text.as_str()), (Some(2), ""), "{errors}");
        errors
    };
    assert_eq!(
        error("newer.json"),
        "newer.json: error: plans of version 2 cannot be read; expected version 1\n"
    );
    assert_eq!(
        error("trace.json"),
        "trace.json: error: not a plan, but a trace\n"
    );
    assert!(error("broken.json").starts_with("broken.json: error: not a plan: EOF"));
    assert!(error("x.mlir").contains("expected JSON (mem-print-plan{format=json}"));
    assert!(error("free.csv").contains("the table has no plan"));
    assert!(error("absent.json").contains("absent.json: error: No such file"));
}
