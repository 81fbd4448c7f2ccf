//! Operation graphs: the command plans the training steps of `instances/remat` by recomputation
//! alone, within the operations that published methods need. Each plan is executed by a checker of
//! this file, which knows nothing of the planner: it reads the graph and the order only.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn instance(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../instances/remat");
    root.join(name)
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mem-plan"));
    let command = command.args(arguments).stdin(Stdio::null());
    command.output().expect("the command runs")
}

/// One line of a graph.
struct Operation {
    cost: u64,
    is_pure: bool,
    reads: Vec<usize>,
    writes: Vec<usize>,
}

/// The sizes of the tensors, and the operations.
fn read(path: &Path) -> (Vec<u64>, Vec<Operation>) {
    let text = std::fs::read_to_string(path).expect("a graph");
    let numbers = |text: &str| -> Vec<usize> {
        let words = text.trim().split(',').filter(|own| !own.is_empty());
        words.map(|own| own.parse().expect("a number")).collect()
    };
    let (mut sizes, mut operations) = (Vec::new(), Vec::new());
    for line in text.lines() {
        if let Some(size) = line.strip_prefix("t ") {
            sizes.push(size.parse().expect("a size"));
        } else if let Some(rest) = line.strip_prefix("s ") {
            let (head, rest) = rest.split_once(" r ").expect("reads");
            let (reads, writes) = rest.split_once("w ").expect("writes");
            let (cost, is_pure) = head.split_once(' ').expect("cost and kind");
            operations.push(Operation {
                cost: cost.parse().expect("a cost"),
                is_pure: is_pure == "1",
                reads: numbers(reads),
                writes: numbers(writes),
            });
        }
    }
    (sizes, operations)
}

fn number(json: &Value, key: &str) -> u64 {
    json[key].as_u64().expect(key)
}

/// Executes the order: every operation runs first in its place and finds its operands; tensors stay
/// at their addresses from the operation that writes them until the last that reads them, and share
/// no byte with others. Returns the cost of all operations.
fn execute(path: &Path, json: &Value) -> u64 {
    let (sizes, operations) = read(path);
    let order = json["order"].as_array().expect("an order");
    let order: Vec<usize> = order
        .iter()
        .map(|own| own.as_u64().unwrap() as usize)
        .collect();
    let placements: Vec<[usize; 4]> = json["placements"]
        .as_array()
        .expect("placements")
        .iter()
        .map(|own| ["tensor", "offset", "first", "end"].map(|key| number(own, key) as usize))
        .collect();
    let mut n_executed = 0;
    // Per tensor: the placement that holds its contents.
    let mut holder: Vec<Option<usize>> = vec![None; sizes.len()];
    let (mut cost, mut peak) = (0, 0);
    for (position, step) in order.iter().enumerate() {
        let own = &operations[*step];
        match *step == n_executed {
            true => n_executed += 1,
            false => assert!(
                *step < n_executed && own.is_pure,
                "step {step} at {position}"
            ),
        }
        cost += own.cost;
        let live: Vec<usize> = (0..placements.len())
            .filter(|id| (placements[*id][2]..placements[*id][3]).contains(&position))
            .collect();
        let end = |id: usize| placements[id][1] + sizes[placements[id][0]] as usize;
        for (index, id) in live.iter().enumerate() {
            peak = peak.max(end(*id));
            for other in &live[..index] {
                let is_apart =
                    end(*id) <= placements[*other][1] || end(*other) <= placements[*id][1];
                assert!(is_apart, "{id} and {other} at {position}");
            }
        }
        let at = |tensor: usize| live.iter().copied().find(|id| placements[*id][0] == tensor);
        for tensor in &own.reads {
            assert!(at(*tensor).is_some(), "t{tensor} at {position}");
            assert_eq!(at(*tensor), holder[*tensor], "t{tensor} at {position}");
        }
        for tensor in &own.writes {
            holder[*tensor] = at(*tensor);
            assert!(holder[*tensor].is_some(), "t{tensor} at {position}");
        }
    }
    assert_eq!(n_executed, operations.len());
    assert_eq!(peak as u64, number(json, "peak"));
    cost
}

/// Plans a graph within so many MiB, with more arguments.
fn answer(name: &str, mebibytes: f64, more: &[&str]) -> Value {
    let path = instance(name);
    let budget = (mebibytes * f64::from(1 << 20)) as u64;
    let file = path.to_str().expect("a path");
    let output = run(&[&[file, "--json", "--budget", &budget.to_string()], more].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{mebibytes}: {error}");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(number(&json, "peak") <= budget);
    json
}

/// Plans a graph within so many MiB. Returns the operations relative to those without repetitions.
fn plan(name: &str, mebibytes: f64) -> f64 {
    let json = answer(name, mebibytes, &[]);
    let operations = number(&json, "operations");
    assert_eq!(execute(&instance(name), &json), operations);
    let (bound, ideal) = (
        number(&json, "lower_bound_operations"),
        number(&json, "ideal_operations"),
    );
    assert!(
        ideal <= bound && bound <= operations,
        "{mebibytes}: {bound} {operations}"
    );
    operations as f64 / ideal as f64
}

/// The best published result at each peak: PyTorch's partitioner, or checkpoints at articulation
/// points; at 12 MiB and below, less than half of what the planner needed before.
#[test]
fn gpt_needs_no_more_operations_than_other_methods() {
    let mut last = 1.0;
    for (mebibytes, most) in [
        (36.5, 1.000001),
        (27.5, 1.0223),
        (23.0, 1.067),
        (20.02, 1.094),
        (18.02, 1.2),
        (14.51, 1.2),
        (14.03, 1.22),
        (12.0, 1.25),
        (8.0, 1.8),
    ] {
        let found = plan("gpt_4x128_b8.fx", mebibytes);
        assert!(found <= most, "{mebibytes} MiB: {found}");
        assert!(
            found >= last,
            "a smaller budget needs fewer operations: {mebibytes}: {found}"
        );
        last = found;
    }
}

#[test]
fn resnet_needs_no_more_operations_than_other_methods() {
    for (mebibytes, most) in [(17.65, 1.000001), (14.0, 1.044), (12.0, 1.1), (8.0, 1.2)] {
        let found = plan("resnet50_64px_b4.fx", mebibytes);
        assert!(found <= most, "{mebibytes} MiB: {found}");
    }
}

/// A link may be left unused, so it must not make plans slower. In the time of GPT's operations, this
/// one copies 11.5 MiB.
#[test]
fn a_slow_link_saves_operations() {
    for (name, mebibytes, most) in [
        ("gpt_4x128_b8.fx", 18.02, 1.1),
        ("gpt_4x128_b8.fx", 14.03, 1.15),
        ("gpt_4x128_b8.fx", 9.0, 1.36),
        ("resnet50_64px_b4.fx", 12.0, 1.001),
        ("resnet50_64px_b4.fx", 8.0, 1.05),
    ] {
        let without = plan(name, mebibytes);
        let json = answer(name, mebibytes, &["--link", "0.002"]);
        let with = number(&json, "makespan") as f64 / number(&json, "ideal_operations") as f64;
        assert!(with < without, "{name} {mebibytes}: {with} {without}");
        assert!(with <= most, "{name} {mebibytes}: {with}");
    }
}

/// Orders beside these links took up to 3 % longer than recomputation alone.
#[test]
fn a_slower_link_makes_no_plan_longer() {
    for (mebibytes, link) in [(12.08, "0.0005"), (12.08, "0.00005"), (9.03, "0.00005")] {
        let without = plan("gpt_4x128_b8.fx", mebibytes);
        let json = answer("gpt_4x128_b8.fx", mebibytes, &["--link", link]);
        let with = number(&json, "makespan") as f64 / number(&json, "ideal_operations") as f64;
        assert!(
            with <= without * 1.000_001,
            "{mebibytes} {link}: {with} {without}"
        );
    }
}

/// A file in a folder of its own.
fn file(name: &str, text: &str) -> String {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graphs");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a file");
    path.to_str().expect("a path").to_owned()
}

/// t0 is used in the beginning and in the end, beside t3, and is cheap to compute again.
const CHAIN: &str = "t 100\nt 100\nt 100\nt 100\nt 100\n\
    s 5 1 r w 0\ns 50 1 r 0 w 1\ns 50 1 r 1 w 2\ns 50 1 r 2 w 3\ns 50 1 r 0,3 w 4\n";

#[test]
fn a_cheap_operation_is_repeated() {
    let path = file("chain.fx", CHAIN);
    let output = run(&[&path, "--json", "--budget", "300"]);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(number(&json, "operations"), 205, "{json}");
    let output = run(&[&path, "--json", "--budget", "299"]);
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains("does not fit at step s4"), "{error}");
    let wanted =
        "no plan within a budget of 299 bytes: the widest step, s4, needs 300, and 300 are enough";
    assert!(error.contains(wanted), "{error}");
}

/// Beside three other tensors, t0 has to leave.
const BESIDE: &str = "t 100\nt 100\nt 100\nt 100\nt 100\nt 100\n\
    s 5 1 r w 0\ns 9 1 r 0 w 1\ns 9 1 r w 2\ns 9 1 r 1,2 w 3\ns 9 1 r 0,3 w 4\ns 9 1 r 4 w 5\n";

#[test]
fn operations_that_are_not_pure_are_not_repeated() {
    let text = &BESIDE.replace("s 5 1", "s 5 0");
    let repeated = run(&[&file("pure.fx", BESIDE), "--json", "--budget", "300"]);
    let json: Value = serde_json::from_slice(&repeated.stdout).expect("JSON");
    assert_eq!(number(&json, "operations"), 55, "{json}");
    let refused = run(&[&file("impure.fx", text), "--budget", "300"]);
    assert_eq!(
        refused.status.code(),
        Some(1),
        "t0, t1, t2 and t3 at step 3"
    );
    // Over a link, t0 is copied.
    let copied = run(&[
        &file("impure.fx", text),
        "--json",
        "--budget",
        "300",
        "--link",
        "10",
    ]);
    let json: Value = serde_json::from_slice(&copied.stdout).expect("JSON");
    assert_eq!(number(&json, "operations"), 50, "{json}");
    assert_eq!(number(&json, "copied"), 200, "{json}");
    assert!(number(&json, "makespan") >= 50, "{json}");
}

#[test]
fn errors_are_located() {
    let path = file("unwritten.fx", "t 4\nt 4\ns 1 1 r 1 w 0\n");
    let output = run(&[&path]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    let expected = format!("{path}:3:9: error: t1 is read before an operation writes it\n");
    assert_eq!(error, expected);
}

#[test]
fn options_of_other_files_are_refused() {
    let path = file("options.fx", CHAIN);
    for option in [
        &["--capacity", "9"][..],
        &["--replan"],
        &["--model", "serial"],
    ] {
        let output = run(&[&[path.as_str()], option].concat());
        assert_eq!(output.status.code(), Some(2), "{option:?}");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(
            error.contains("does not apply to operation graphs"),
            "{error}"
        );
    }
    let levels = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/two.levels");
    let output = run(&[levels.to_str().expect("a path"), "--budget", "9"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("--budget applies to operation graphs (.fx) only"),
        "{error}"
    );
    for link in ["0", "-1", "nan", "inf", "x"] {
        let output = run(&[&path, &format!("--link={link}")]);
        assert_eq!(output.status.code(), Some(2), "{link}");
    }
}

/// The copies of a plan: a tensor returns only after it has left, each copy lasts as long as the link
/// takes for its bytes, an engine runs one copy at a time, and operations wait for those that are due.
#[test]
fn copies_are_listed_with_their_times() {
    let link = 0.0005;
    let json = answer("gpt_4x128_b8.fx", 14.0, &["--link", "0.0005"]);
    let (sizes, operations) = read(&instance("gpt_4x128_b8.fx"));
    let list = |key: &str| json[key].as_array().expect(key).clone();
    let (order, starts, transfers) = (list("order"), list("starts"), list("transfers"));
    assert_eq!(order.len(), starts.len());
    assert!(!transfers.is_empty());
    let start = |position: usize| starts[position].as_u64().expect("a time");
    let cost = |position: usize| operations[order[position].as_u64().unwrap() as usize].cost;
    for position in 1..starts.len() {
        assert!(start(position) >= start(position - 1) + cost(position - 1));
    }
    let mut is_away = vec![false; sizes.len()];
    let mut free = [0, 0];
    for own in &transfers {
        let tensor = number(own, "tensor") as usize;
        let (before, until) = (
            number(own, "before") as usize,
            number(own, "until") as usize,
        );
        let (begin, end) = (number(own, "start"), number(own, "end"));
        let is_out = own["direction"] == "out";
        assert!(is_out || is_away[tensor], "t{tensor} returns from the host");
        is_away[tensor] |= is_out;
        assert!(before <= until && begin >= free[usize::from(is_out)]);
        free[usize::from(is_out)] = end;
        let cycles = (sizes[tensor] as f64 / link).ceil() as u64;
        assert_eq!(end - begin, cycles, "t{tensor}");
        if until < starts.len() {
            assert!(start(until) >= end, "t{tensor} is awaited at {until}");
        }
    }
    let copied: u64 = transfers
        .iter()
        .map(|own| sizes[number(own, "tensor") as usize])
        .sum();
    assert_eq!(copied, number(&json, "copied"));
}

/// A plan that was printed with `--json`, as a file.
fn printed(name: &str, graph: &str, more: &[&str]) -> (String, Value) {
    let output = run(&[&[graph, "--json"], more].concat());
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{error}");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let json = serde_json::from_str(&text).expect("JSON");
    (file(name, &text), json)
}

#[test]
fn a_search_continues_from_a_plan() {
    let graph = instance("gpt_4x128_b8.fx");
    let graph_file = graph.to_str().expect("a path");
    for link in [&["--link", "0.002"][..], &[]] {
        let more = [&["--budget", "14MiB"], link].concat();
        let (first_file, first) = printed("first.json", graph_file, &more);
        let (_, again) = printed(
            "again.json",
            graph_file,
            &[&more[..], &["--from", &first_file]].concat(),
        );
        assert!(number(&again, "makespan") <= number(&first, "makespan"));
        assert!(number(&again, "peak") <= 14 << 20);
        if link.is_empty() {
            assert_eq!(execute(&graph, &again), number(&again, "operations"));
        }
        // A plan by copies alone takes longer than any means together.
        if !link.is_empty() {
            let alone = [&more[..], &["--policy", "swap"]].concat();
            let (swap_file, swap) = printed("swap.json", graph_file, &alone);
            assert!(!swap["transfers"].as_array().expect("copies").is_empty());
            let (_, better) = printed(
                "better.json",
                graph_file,
                &[&more[..], &["--from", &swap_file]].concat(),
            );
            assert!(number(&better, "makespan") < number(&swap, "makespan"));
            // By the same policy nothing shorter is found, and the plan stays as it is.
            let (_, kept) = printed(
                "kept.json",
                graph_file,
                &[&alone[..], &["--from", &swap_file]].concat(),
            );
            assert_eq!(kept["makespan"], swap["makespan"]);
            assert_eq!(kept["placements"], swap["placements"]);
            assert_eq!(kept["transfers"], swap["transfers"]);
        }
    }
}

#[test]
fn what_is_no_plan_is_refused() {
    let path = file("known.fx", CHAIN);
    let (_, json) = printed("known.json", &path, &["--budget", "300"]);
    let failed = |plan: &str, budget: &str| {
        let output = run(&[&path, "--json", "--budget", budget, "--from", plan]);
        assert_eq!(output.status.code(), Some(2));
        assert!(output.stdout.is_empty());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let error = failed(&file("text.json", "{\n  3\n}"), "300");
    assert!(error.contains("text.json: error: not a plan: "), "{error}");
    assert!(error.contains("line 2 column 3"), "{error}");
    for (key, value, wanted) in [
        (
            "order",
            "[0, 1, 2, 4]",
            "s4 is at step 3 of the order, before s3",
        ),
        (
            "order",
            "[0, 1, 2, 3]",
            "the order ends with s3, and the graph has 5 operations",
        ),
        (
            "placements",
            "[]",
            "t0 has no address at step 0 of the order",
        ),
        (
            "placements",
            r#"[{"tensor": 9, "offset": 0, "first": 0, "end": 1}]"#,
            "there is no tensor t9",
        ),
        (
            "placements",
            r#"[{"tensor": 0, "offset": 0, "first": 3, "end": 99}]"#,
            "t0 cannot be in place at steps 3 to 99 of the order",
        ),
        (
            "transfers",
            r#"[{"tensor": 0, "direction": "out", "before": 1, "until": 1, "start": 0, "end": 0}]"#,
            "the copy of t0 before step 1 of the order has no place",
        ),
        (
            "transfers",
            r#"[{"tensor": 0, "direction": "out", "before": 2, "until": 1, "start": 0, "end": 0}]"#,
            "no copy begins before step 2 of the order and ends before step 1",
        ),
    ] {
        let mut other = json.clone();
        other[key] = serde_json::from_str(value).expect("JSON");
        let error = failed(&file("other.json", &other.to_string()), "300");
        assert!(error.contains(wanted), "{key} {value}: {error}");
    }
    // Two tensors at one address.
    let mut other = json;
    for own in other["placements"].as_array_mut().expect("places") {
        own["offset"] = 0.into();
    }
    let error = failed(&file("same.json", &other.to_string()), "300");
    assert!(error.contains("is none: "), "{error}");
    // A plan for more bytes, where t0 stays.
    let graph = file("beside.fx", BESIDE);
    let (large, _) = printed("large.json", &graph, &["--budget", "400"]);
    let output = run(&[&graph, "--budget", "300", "--from", &large]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.contains("error: @beside: the plan to continue from is none: "),
        "{error}"
    );
}

/// Whatever numbers a plan has, it is refused or continued: there is no panic, and no plan that does not hold.
#[test]
fn changed_numbers_do_no_harm() {
    let graph = file("changed.fx", &BESIDE.replace("s 5 1", "s 5 0"));
    let more = ["--budget", "300", "--link", "0.5"];
    let (_, json) = printed("unchanged.json", &graph, &more);
    assert!(!json["transfers"].as_array().expect("copies").is_empty());
    let text = serde_json::to_string(&json).expect("text");
    let digits = text.char_indices().filter(|(_, own)| own.is_ascii_digit());
    let (mut n_refused, mut n_continued) = (0, 0);
    for (at, _) in digits {
        for other in ["7", "99", "0", "18446744073709551615"] {
            let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
            let plan = file("changed.json", &changed);
            let output = run(&[&[&graph, "--json", "--from", &plan], &more[..]].concat());
            match output.status.code() {
                Some(0) => {
                    let again: Value = serde_json::from_slice(&output.stdout).expect("JSON");
                    assert!(
                        number(&again, "makespan") <= number(&json, "makespan"),
                        "{changed}"
                    );
                    n_continued += 1;
                }
                // An error in the input.
                Some(2) => n_refused += 1,
                other => panic!("{other:?}: {changed}"),
            }
        }
    }
    assert!(
        n_refused > 20 && n_continued > 20,
        "{n_refused} {n_continued}"
    );
}

#[test]
fn errors_list_the_largest_tensors_where_nothing_fits() {
    // Twenty tensors of 64 to 83 bytes, read together at the end.
    let mut text: String = (0..20).map(|own| format!("t {}\n", 64 + own)).collect();
    for own in 0..20 {
        text += &format!("s 1 0 r  w {own}\n");
    }
    let all: Vec<String> = (0..20).map(|own| own.to_string()).collect();
    text += &format!("s 1 0 r {} w \n", all.join(","));
    let output = run(&[&file("many.fx", &text), "--budget", "1000"]);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{errors}");
    let notes: Vec<&str> = errors
        .lines()
        .filter(|line| line.contains(" note: "))
        .collect();
    assert_eq!(notes.len(), 17, "{errors}");
    assert_eq!(notes[0], "  note: 't19' holds 83 bytes");
    assert_eq!(notes[16], "  note: 4 others hold 262 bytes together");
}
