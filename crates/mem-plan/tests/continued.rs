//! `mem-plan TABLE --from PLAN`: searches that continue from a plan.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    command.args(arguments).output().expect("the command runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn table(name: &str, text: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("a directory");
    let file = folder.join("table.csv");
    std::fs::write(&file, text).expect("a file");
    file
}

#[test]
fn every_strategy_continues_from_a_plan() {
    let file = table(
        "continued",
        "id,lower,upper,size\na,0,3,2\nb,0,1,4\nc,1,4,6\nd,3,5,4\n",
    );
    let file = file.to_str().expect("a path");
    // In another order, as tables are.
    let before = table(
        "continued-before",
        "id,offset,lower,upper,size\nd,6,3,5,4\nc,0,1,4,6\nb,0,0,1,4\na,6,0,3,2\n",
    );
    let before = before.to_str().expect("a path");
    let peak = |arguments: &[&str]| {
        let output = run(&[arguments, &["--json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        json["peak"].as_u64()
    };
    assert_eq!(peak(&["--strategy", "first-fit", file]), Some(12));
    for strategy in ["auto", "exact", "genetic", "first-fit", "lifetime-queue"] {
        let arguments = ["--strategy", strategy, "--from", before, file];
        assert_eq!(peak(&arguments), Some(10), "{strategy}");
    }
    // 'c' has grown, and 'e' is new.
    let grown = table(
        "continued-grown",
        "id,lower,upper,size\na,0,3,2\nb,0,1,4\nc,1,4,7\nd,3,5,4\ne,8,9,2\n",
    );
    let grown = grown.to_str().expect("a path");
    assert_eq!(peak(&["--strategy", "first-fit", grown]), Some(13));
    let continued = ["--strategy", "first-fit", "--from", before, grown];
    assert_eq!(peak(&continued), Some(11));
    // A table without offsets is no plan.
    let output = run(&["--from", file, file]);
    assert_eq!(output.status.code(), Some(0));
    let said = text(&output.stderr);
    assert!(said.contains("warning: no plan to continue from"), "{said}");
}
