//! Every report on every model conforms to its schema, and its numbers are consistent: no byte
//! counts twice, lower bounds do not exceed peaks, peaks do not exceed capacities, lifetimes end
//! with the program, and sums add up.
//!
//! By default, a few models are tested. `REPORT_MODELS=all` tests all of them, and any other value
//! those with that text in their path.

mod common;
#[path = "../../crates/mem-view/tests/support/schema.rs"]
mod schema;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

use common::root;
use serde_json::Value;
use tempfile::TempDir;

/// Small models, with loops, branches and calls.
const FEW: [&str; 6] = [
    "models/bufferized/early_exit_cnn_if_b1.mlir",
    "models/bufferized/lstm_scan_t64_h512_b16.mlir",
    "models/bufferized_cf/mini_gpt_generate_while_c128_b1.mlir",
    "models/bufferized/gpt2_small_calls_s256_b1.mlir",
    "models/small/mini_gpt_train_d64.mlir",
    "models/small/unet_32px_b1.mlir",
];

fn models() -> Vec<PathBuf> {
    let wanted = std::env::var("REPORT_MODELS").unwrap_or_default();
    if wanted.is_empty() {
        return FEW.map(PathBuf::from).to_vec();
    }
    let mut models = Vec::new();
    for folder in ["bufferized", "bufferized_cf", "small"] {
        let folder = Path::new("models").join(folder);
        for entry in std::fs::read_dir(root().join(&folder)).expect("the folder is there") {
            let path = folder.join(entry.expect("an entry").file_name());
            let is_wanted = wanted == "all" || path.to_string_lossy().contains(&wanted);
            models.extend(
                Some(path)
                    .filter(|path| is_wanted && path.extension().is_some_and(|own| own == "mlir")),
            );
        }
    }
    models.sort();
    assert!(!models.is_empty(), "no model has '{wanted}' in its path");
    models
}

/// Runs passes on a file. Returns their diagnostics.
fn passes(input: &Path, passes: &str, output: &Path) -> Result<String, String> {
    let done = Command::new(env!("CARGO_BIN_EXE_mem-opt"))
        .current_dir(root())
        .arg(input)
        .arg(format!("--pass-pipeline=builtin.module({passes})"))
        .arg("-o")
        .arg(output)
        .output()
        .expect("mem-opt runs");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    match done.status.success() {
        true => Ok(said),
        false => Err(said),
    }
}

fn read(path: &Path, schema: &str) -> Value {
    let text = std::fs::read_to_string(path).expect("a report was written");
    schema::document(schema, &text)
}

fn number(value: &Value) -> u64 {
    value
        .as_u64()
        .unwrap_or_else(|| panic!("{value} is no number of bytes"))
}

fn text(value: &Value) -> &str {
    value
        .as_str()
        .unwrap_or_else(|| panic!("{value} is no text"))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Number of distinct bytes in a set of intervals `[start, end)`.
fn union(mut intervals: Vec<(u64, u64)>) -> u64 {
    intervals.sort_unstable();
    let (mut bytes, mut reached) = (0, 0);
    for (start, end) in intervals {
        bytes += end.saturating_sub(start.max(reached));
        reached = reached.max(end);
    }
    bytes
}

/// The bytes of a level that are occupied at each step of a function, and the highest address used.
fn held(document: &Value, function: &str, level: &str, n_steps: usize) -> (Vec<u64>, u64) {
    let mut steps: Vec<Vec<(u64, u64)>> = vec![Vec::new(); n_steps];
    let mut peak = 0;
    let own = list(&document["buffers"]).iter();
    for buffer in own.filter(|buffer| buffer["function"] == function) {
        for placement in list(&buffer["placements"]) {
            let Some(offset) = placement["offset"].as_u64() else {
                continue;
            };
            if placement["level"] != level {
                continue;
            }
            let whole = (offset, offset + number(&buffer["size"]));
            peak = peak.max(whole.1);
            let parts = list(&placement["parts"]).iter();
            let parts = parts.map(|part| {
                let [start, end] = ["start", "end"].map(|key| offset + number(&part[key]));
                ((start, end), &part["live"])
            });
            let mut parts: Vec<_> = parts.collect();
            if parts.is_empty() {
                parts.push((whole, &placement["live"]));
            }
            for (bytes, live) in parts {
                for stretch in list(live) {
                    let [first, last] = [0, 1].map(|end| number(&stretch[end]) as usize);
                    steps[first..=last]
                        .iter_mut()
                        .for_each(|step| step.push(bytes));
                }
            }
        }
    }
    (steps.into_iter().map(union).collect(), peak)
}

/// Checks what both kinds of plans have in common. Returns the number of steps of each function.
fn check_common(document: &Value) -> BTreeMap<String, usize> {
    let functions = list(&document["functions"]).iter();
    let n_steps: BTreeMap<String, usize> = functions
        .map(|own| (text(&own["name"]).to_owned(), list(&own["steps"]).len()))
        .collect();
    let levels: Vec<&str> = list(&document["levels"])
        .iter()
        .map(|own| text(&own["name"]))
        .collect();
    let distinct: BTreeSet<&str> = levels.iter().copied().collect();
    assert_eq!(distinct.len(), levels.len(), "names of levels");
    for level in list(&document["levels"]) {
        let capacity = level["capacity"].as_u64().unwrap_or(u64::MAX);
        let [bound, peak] = ["lower_bound", "peak"].map(|key| number(&level[key]));
        assert!(bound <= peak && peak <= capacity, "{level}");
    }
    let mut names = BTreeSet::new();
    for buffer in list(&document["buffers"]) {
        let [function, name] = ["function", "name"].map(|key| text(&buffer[key]));
        assert!(
            names.insert((function, name)),
            "two buffers of @{function} are '{name}'"
        );
        let alignment = number(&buffer["alignment"]);
        for placement in list(&buffer["placements"]) {
            assert!(distinct.contains(text(&placement["level"])), "{placement}");
            let offset = placement["offset"].as_u64().unwrap_or(0);
            assert!(
                alignment.is_power_of_two() && offset.is_multiple_of(alignment),
                "{buffer}"
            );
            let mut next = 0;
            for stretch in list(&placement["live"]) {
                let [first, last] = [0, 1].map(|end| number(&stretch[end]) as usize);
                let is_in_order = next <= first && first <= last && last < n_steps[function];
                assert!(is_in_order, "{buffer} with {} steps", n_steps[function]);
                next = last + 1;
            }
        }
    }
    n_steps
}

/// Checks a plan as `mem-print-plan` reads it from a module.
fn check_printed(document: &Value) {
    let n_steps = check_common(document);
    let mut of_levels: BTreeMap<&str, [u64; 2]> = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for function in list(&document["functions"]) {
        let [name, level] = ["name", "level"].map(|key| text(&function[key]));
        assert!(seen.insert((name, level)), "@{name} is twice in '{level}'");
        let figures = ["lower_bound", "proven_bound", "peak"].map(|key| number(&function[key]));
        assert!(figures.is_sorted(), "{level}: {figures:?}");
        let (steps, highest) = held(document, name, level, n_steps[name]);
        assert_eq!(highest, figures[2], "@{name} in '{level}'");
        let most = steps.into_iter().max().unwrap_or(0);
        assert!(most <= highest, "@{name} in '{level}'");
        let all = of_levels.entry(level).or_default();
        *all = [all[0].max(figures[0]), all[1].max(figures[2])];
    }
    let mut cycles = Some(0);
    for copy in list(&document["transfers"]) {
        let n_steps = n_steps[text(&copy["function"])];
        let [before, until] = ["before", "until"].map(|key| number(&copy[key]) as usize);
        assert!(
            before <= until && before < n_steps && until <= n_steps,
            "{copy}"
        );
        assert!(number(&copy["bytes"]) > 0, "{copy}");
        cycles = cycles
            .zip(copy["cycles"].as_u64())
            .map(|(sum, own)| sum + own);
    }
    assert_eq!(document["cost"].as_u64(), cycles);
    for level in list(&document["levels"]) {
        let figures = ["lower_bound", "peak"].map(|key| number(&level[key]));
        assert_eq!(figures, of_levels[text(&level["name"])], "{level}");
    }
}

/// Checks a report of `mem-assign-levels` or `mem-offload`.
fn check_levels(document: &Value) {
    let n_steps = check_common(document);
    const FIGURES: [&str; 4] = ["lower_bound", "occupied", "peak", "home"];
    let mut of_levels: BTreeMap<&str, [u64; 4]> = BTreeMap::new();
    let mut cost = 0;
    for function in list(&document["functions"]) {
        let name = text(&function["name"]);
        cost += number(&function["cost"]);
        assert!(
            function["lower_bound"].as_u64() <= function["cost"].as_u64(),
            "@{name}"
        );
        assert!(
            function["makespan"].as_u64() <= function["cost"].as_u64(),
            "@{name}"
        );
        for level in list(&function["levels"]) {
            let figures = FIGURES.map(|key| number(&level[key]));
            let [bound, occupied, peak, home] = figures;
            let capacity = level["capacity"].as_u64().unwrap_or(u64::MAX);
            let own = text(&level["name"]);
            assert!(bound <= occupied && occupied <= peak, "@{name}: {level}");
            assert!(home + peak <= capacity, "@{name}: {level}");
            let (steps, highest) = held(document, name, own, n_steps[name]);
            let most = steps.into_iter().max().unwrap_or(0);
            assert_eq!((most, highest), (occupied, peak), "@{name}: {level}");
            let all = of_levels.entry(own).or_default();
            *all = std::array::from_fn(|index| all[index].max(figures[index]));
        }
    }
    assert_eq!(number(&document["cost"]), cost);
    for level in list(&document["levels"]) {
        let name = text(&level["name"]);
        assert_eq!(
            FIGURES.map(|key| number(&level[key])),
            of_levels[name],
            "{level}"
        );
        let tightest = &level["tightest"];
        let map = list(&tightest["map"]).iter();
        let map = map.map(|own| {
            let [offset, size] = ["offset", "size"].map(|key| number(&own[key]));
            (offset, offset + size)
        });
        assert_eq!(
            union(map.collect()),
            number(&level["occupied"]),
            "{tightest}"
        );
    }
    check_references(document, &n_steps);
}

/// Checks that transfers, decisions and explanations refer to existing buffers and steps.
fn check_references(document: &Value, n_steps: &BTreeMap<String, usize>) {
    let buffers = list(&document["buffers"]).iter();
    let sizes: BTreeMap<(&str, &str), u64> = buffers
        .map(|own| {
            (
                (text(&own["function"]), text(&own["name"])),
                number(&own["size"]),
            )
        })
        .collect();
    let has =
        |own: &Value, key: &str| sizes.contains_key(&(text(&own["function"]), text(&own[key])));
    let n_steps_of = |own: &Value| n_steps[text(&own["function"])] as u64;
    for own in list(&document["transfers"]) {
        let [before, until] = ["before", "until"].map(|key| number(&own[key]));
        assert!(
            has(own, "buffer") && before <= until && until <= n_steps_of(own),
            "{own}"
        );
        assert!(number(&own["start"]) <= number(&own["end"]), "{own}");
    }
    for own in list(&document["decisions"]) {
        let [after, before] = ["after", "before"].map(|key| number(&own[key]));
        assert!(
            has(own, "tensor") && after < before && before < n_steps_of(own),
            "{own}"
        );
        let size = sizes[&(text(&own["function"]), text(&own["tensor"]))];
        assert_eq!(number(&own["size"]), size, "{own}");
    }
    for own in list(&document["explanations"]) {
        assert!(
            has(own, "buffer") && number(&own["step"]) <= n_steps_of(own),
            "{own}"
        );
    }
}

/// Prints the plan of a planned module, and checks it.
fn check_module(module: &Path, folder: &TempDir) {
    let file = folder.path().join("printed.json");
    let print = format!("mem-print-plan{{format=json output={}}}", file.display());
    passes(module, &print, &folder.path().join("same.mlir")).expect("a plan is printed");
    check_printed(&read(&file, "plan"));
}

#[test]
fn plans_for_one_level() {
    for model in models() {
        eprintln!("{}", model.display());
        let folder = TempDir::new().expect("a folder");
        let planned = folder.path().join("planned.mlir");
        passes(&model, "mem-default-pipeline", &planned).expect("a plan");
        check_module(&planned, &folder);
    }
}

/// Checks a tradeoff curve. Returns the need of the widest step and the peak.
fn check_tradeoff(curve: &Value) -> [u64; 2] {
    let [widest, peak] = ["widest", "peak"].map(|key| number(&curve[key]));
    assert!(widest <= peak);
    for point in list(&curve["points"]) {
        assert!(
            point["least"].as_u64() <= point["makespan"].as_u64(),
            "{point}"
        );
        let budget = number(&point["budget"]);
        assert!(widest <= budget && budget <= peak, "{point}");
    }
    [widest, peak]
}

/// The smallest budget that runs, if an error names it.
fn named_budget(error: &str) -> Option<u64> {
    let (_, rest) = error.split_once("; budget=")?;
    rest.split([' ', '\n']).next()?.parse().ok()
}

/// Imports a trace as Perfetto's trace processor does, and checks that nothing is dropped or bound to something else:
/// ids are not 0, and no two tracks have the same; every track has a name and a position; times do not decrease; events
/// of a track follow each other or are nested; counters count; arrows have numbers, start once, and lead from an event
/// on to others, forwards in time.
fn check_trace(trace: &Value) {
    let mut named = BTreeMap::new();
    let mut sorted = BTreeSet::new();
    // The ends of the open events of each track, from outside to inside.
    let mut open: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    let mut arrows: BTreeMap<u64, Vec<(&str, u64)>> = BTreeMap::new();
    let mut now = 0;
    for event in list(&trace["traceEvents"]) {
        let [process, track] = ["pid", "tid"].map(|key| number(&event[key]));
        assert!(process > 0 && track > 0, "{event}");
        if event["ph"] == "M" {
            match text(&event["name"]) {
                "process_name" => assert_eq!(process, track, "{event}"),
                "thread_name" => assert_eq!(named.insert(track, process), None, "{event}"),
                "thread_sort_index" => assert!(sorted.insert(track), "{event}"),
                _ => panic!("{event}"),
            }
            continue;
        }
        assert_eq!(
            named.get(&track),
            Some(&process),
            "a track without a name: {event}"
        );
        // Whole nanoseconds, as Perfetto cuts off the rest.
        let time = |key: &str| {
            let micros = event[key].as_f64().expect("a time");
            (micros * 1000.0) as u64
        };
        assert!(now <= time("ts"), "{event}");
        now = time("ts");
        let stack = open.entry(track).or_default();
        match text(&event["ph"]) {
            "X" => {
                let end = now + time("dur");
                while stack.pop_if(|outer| *outer <= now).is_some() {}
                let outer = stack.last().copied().unwrap_or(u64::MAX);
                assert!(
                    end <= outer,
                    "dropped, since it overlaps another one: {event}"
                );
                stack.push(end);
            }
            "C" => {
                let values = event["args"].as_object().expect("a counter has values");
                assert!(values.values().all(Value::is_u64), "{event}");
            }
            phase @ ("s" | "t" | "f") => {
                let end = stack
                    .last()
                    .unwrap_or_else(|| panic!("nothing to bind to: {event}"));
                assert!(*end >= now, "bound to an event that has ended: {event}");
                arrows
                    .entry(number(&event["id"]))
                    .or_default()
                    .push((phase, now));
            }
            _ => panic!("{event}"),
        }
    }
    assert!(sorted.iter().eq(named.keys()), "a track has no position");
    for (id, own) in arrows {
        let phases: Vec<&str> = own.iter().map(|(phase, _)| *phase).collect();
        // The end of the program has no event that a copy could lead to.
        assert!(
            phases == ["s", "t", "f"] || phases == ["s", "t"],
            "arrow {id}: {phases:?}"
        );
    }
}

/// Checks the reports of a pass on a model, and the plan as printed.
fn check_reports(model: &Path, before: &str, pass: &str, options: &str) {
    let folder = TempDir::new().expect("a folder");
    let planned = folder.path().join("planned.mlir");
    for (extension, name) in [("json", "levels"), ("trace", "trace")] {
        let file = folder.path().join("report").with_extension(extension);
        let run = format!("{before},{pass}{{{options} report={}}}", file.display());
        passes(model, &run, &planned).expect("a plan");
        let document = read(&file, name);
        match name {
            "levels" => check_levels(&document),
            _ => check_trace(&document),
        }
    }
    check_module(&planned, &folder);
}

#[test]
fn plans_for_an_accelerator() {
    for model in models() {
        eprintln!("{}", model.display());
        let options = "hierarchy=npu strategy=farthest-next-use noalias-arguments=true";
        check_reports(
            &model,
            "convert-memref-to-mem",
            "mem-assign-levels",
            options,
        );
    }
}

#[test]
fn plans_for_three_levels_by_the_default_strategy() {
    for model in models().iter().step_by(3) {
        eprintln!("{}", model.display());
        let options = "hierarchy=npu-3 noalias-arguments=true";
        check_reports(
            model,
            "inline,convert-memref-to-mem",
            "mem-assign-levels",
            options,
        );
    }
}

/// Takes the smallest budget from the tradeoff curve, and from the error for one that is too small.
#[test]
fn plans_within_a_budget() {
    for model in models() {
        eprintln!("{}", model.display());
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("curve.json");
        let before = "inline,convert-memref-to-mem";
        let options = "hierarchy=gpu policy=farthest-next-use noalias-arguments=true";
        let run = format!(
            "{before},mem-print-tradeoff{{{options} points=2 output={}}}",
            file.display()
        );
        match passes(&model, &run, &folder.path().join("same.mlir")) {
            // Tensors whose size is known only at run time stay on the host, where the operations
            // access them: there is no curve.
            Err(error) if model.ends_with("resnet50_logits_bdyn.mlir") => {
                assert!(error.contains("elsewhere than on the device"), "{error}");
                continue;
            }
            curve => curve.expect("a curve"),
        };
        let [widest, peak] = check_tradeoff(&read(&file, "tradeoff"));
        if widest > 1 {
            let run = format!("{before},mem-offload{{{options} budget={}}}", widest - 1);
            let none = folder.path().join("none.mlir");
            let error = passes(&model, &run, &none).expect_err("too small");
            assert!(!none.exists());
            if error.contains("is called and not inlined") {
                continue;
            }
            let needs = format!("the widest step needs {widest};");
            assert!(error.contains(&needs), "{error}");
            let smallest = named_budget(&error).expect("a budget that runs");
            let options = format!("{options} budget={smallest}");
            check_reports(&model, before, "mem-offload", &options);
        }
        let between = widest.midpoint(peak).max(1);
        let swap = format!("hierarchy=gpu policy=swap noalias-arguments=true budget={between}");
        check_reports(&model, before, "mem-offload", &swap);
    }
}

#[test]
fn tables_of_accesses() {
    for model in models() {
        eprintln!("{}", model.display());
        let folder = TempDir::new().expect("a folder");
        let file = folder.path().join("table.json");
        let record = format!(
            "inline,convert-memref-to-mem,mem-record-accesses{{hierarchy=gpu output={}}}",
            file.display()
        );
        passes(&model, &record, &folder.path().join("same.mlir")).expect("a table");
        let table = read(&file, "accesses");
        let times = list(&table["accesses"])
            .iter()
            .map(|own| number(&own["time"]));
        let times: Vec<u64> = times.collect();
        assert!(
            times.is_sorted()
                && times
                    .last()
                    .is_none_or(|time| *time <= number(&table["end"]))
        );
    }
}
