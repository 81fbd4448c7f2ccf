//! Pages, pictures and JSON of the command, for every kind of file, and errors of writing them.

#[path = "../../mem-view/tests/support/schema.rs"]
mod schema;

use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    let command = command.args(arguments).stdin(Stdio::null());
    command.output().expect("the command runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the command writes UTF-8")
}

#[test]
fn programs_and_tables_have_a_page_and_a_picture() {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/lstm.mem");
    let page = run(&[program, "--html"]);
    assert!(text(&page.stdout).starts_with("<!DOCTYPE html>"));
    let picture = run(&[program, "--svg"]);
    assert!(text(&picture.stdout).ends_with("</svg>\n"));
    let table = std::env::temp_dir().join(format!("mem-plan-picture-{}.csv", std::process::id()));
    let rows = "id,lower,upper,size\none,0,3,64KiB\ntwo,2,5,1.5KiB\n";
    std::fs::write(&table, rows).expect("written");
    let file = table.to_str().expect("a path");
    let page = run(&[file, "--html"]);
    let page = text(&page.stdout);
    assert!(
        page.starts_with("<!DOCTYPE html>") && page.contains("\"one\""),
        "{page}"
    );
    let picture = run(&[file, "--svg"]);
    assert!(text(&picture.stdout).ends_with("</svg>\n"));
}

/// The data that a page shows.
fn shown(page: &str) -> Value {
    assert!(page.starts_with("<!DOCTYPE html>"), "{page}");
    let (_, data) = page
        .split_once("type=\"application/json\">")
        .expect("a page has data");
    let (data, _) = data.split_once("</script>").expect("the data end");
    serde_json::from_str(data).expect("the data are JSON")
}

/// Copies, repetitions and what they cost are on the page and in the JSON.
#[test]
fn problems_over_several_levels_have_a_page_a_picture_and_json() {
    let problems = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/two.levels");
    let page = shown(text(&run(&[problems, "--html"]).stdout));
    let [infer, train] = [0, 1].map(|index| &page["functions"][index]);
    assert_eq!(
        (&infer["name"], &train["name"]),
        (&"infer".into(), &"train".into())
    );
    assert_eq!(infer["buffers"][5]["role"], "output");
    assert_eq!(
        train["repeated"].as_array().map(Vec::len),
        Some(1),
        "{train}"
    );
    let ways: Vec<&Value> = train["decisions"]
        .as_array()
        .expect("decisions")
        .iter()
        .collect();
    let ways: Vec<&str> = ways.iter().filter_map(|own| own["way"].as_str()).collect();
    assert!(
        ways.contains(&"swap") && ways.contains(&"recompute"),
        "{ways:?}"
    );
    assert!(ways.len() >= 2 && !train["plans"].as_array().expect("plans").is_empty());
    let output = run(&[problems, "--svg"]);
    assert!(text(&output.stdout).starts_with("<?xml"));
    assert!(
        text(&output.stdout).contains("@train"),
        "it has the most steps"
    );
    let summary = text(&output.stderr);
    assert!(summary.starts_with("@infer: 6 tensors"), "{summary}");
    let output = run(&[problems, "--json"]);
    assert!(output.stderr.is_empty());
    let json = schema::document("levels", text(&output.stdout));
    assert_eq!(
        json["transfers"].as_array().map(Vec::len),
        Some(3),
        "{json}"
    );
    assert_eq!(json["functions"][1]["makespan"], 4189);
    // Plans from a file are drawn as well.
    let plans = std::env::temp_dir().join(format!("mem-plan-{}.plans", std::process::id()));
    let file = plans.to_str().expect("a path");
    assert!(run(&[problems, "-o", file]).status.success());
    let again = run(&[problems, "--check", file, "--json"]);
    assert_eq!(again.stdout, output.stdout);
    std::fs::remove_file(plans).expect("it was written");
}

#[test]
fn graphs_within_a_budget_have_a_page_and_a_picture() {
    let graph = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../instances/remat/gpt_4x128_b8.fx"
    );
    let options = [graph, "--budget", "30MiB", "--html"];
    let output = run(&options);
    let page = shown(text(&output.stdout));
    let own = &page["functions"][0];
    let decisions = own["decisions"].as_array().expect("decisions");
    assert!(!decisions.is_empty() && decisions.iter().all(|own| own["way"] == "recompute"));
    assert!(
        decisions
            .iter()
            .any(|own| own["overhead"].as_u64() > Some(0))
    );
    let n_repeated = own["repeated"].as_array().map_or(0, Vec::len);
    let summary = text(&output.stderr);
    assert!(
        summary.contains(&format!("repeated steps: {n_repeated}\n")),
        "{summary}"
    );
    let picture = run(&[graph, "--budget", "30MiB", "--svg"]);
    assert!(text(&picture.stdout).ends_with("</svg>\n"));
}

#[test]
fn empty_graphs_and_folders_that_are_not_there_are_errors() {
    let file = std::env::temp_dir().join(format!("mem-plan-empty-{}.fx", std::process::id()));
    std::fs::write(&file, "t 16\n").expect("written");
    let output = run(&[file.to_str().expect("a path")]);
    std::fs::remove_file(&file).expect("it was written");
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains(".fx:1:1: error: expected at least one operation"),
        "{said}"
    );
    let output = run(&[
        concat!(env!("CARGO_MANIFEST_DIR"), "/examples/lstm.mem"),
        "--html",
        "-o",
        "/no-such/page.html",
    ]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert_eq!(
        said,
        "/no-such/page.html: error: No such file or directory (os error 2)\n"
    );
}
