//! What pages say about plans, as a headless browser shows it: the roles of buffers, and what a budget
//! costs.

mod common;

use common::browser::{page, play, printed};
use serde_json::Value;
use tempfile::TempDir;

/// Data flow tells gradients and weights where names do not, and finds none in inference.
#[test]
fn colors_tell_gradients_from_activations() {
    let roles = |model: &str| {
        let folder = TempDir::new().expect("a folder");
        let file = printed(
            &folder,
            "plan.html",
            &format!("models/bufferized/{model}.mlir"),
            "mem-default-pipeline{optimize=false}",
        );
        let script = "const all = {};
             for (const own of view.fn.buffers) all[own.role] = (all[own.role] ?? 0) + 1;
             const legend = [...document.querySelectorAll('label')].map(own => own.textContent).join(' ');
             return { all, legend: legend.includes('gradient') };";
        play(&file, "", script)
    };
    // 53 convolutions with biases and scales, and the last layer.
    for (model, weights) in [
        ("resnet50_train_b32", 214),
        ("mini_gpt_train_s128_b8", 68),
        ("lstm_train_scan_t32_h256_b16", 3),
    ] {
        let seen = roles(model);
        assert_eq!(seen["all"]["weight"], weights, "{model}: {seen}");
        let count = |role: &str| seen["all"][role].as_u64().unwrap_or(0);
        assert!(count("gradient") > count("weight"), "{model}: {seen}");
        assert!(count("activation") > count("weight"), "{model}: {seen}");
        assert_eq!(seen["legend"], true, "{model}");
    }
    for model in [
        "squeezenet11_b1",
        "unet_b1",
        "gpt2_small_decode_c512_b1",
        "lstm_scan_t64_h512_b16",
        "lstm_scan_t64_h512_b16_inplace",
        "mini_gpt_generate_while_c128_b1",
    ] {
        let seen = roles(model);
        assert_eq!(seen["all"]["gradient"], Value::Null, "{model}: {seen}");
        assert_eq!(seen["legend"], false, "{model}");
    }
}

/// Results that are written in place of operands count once, in the curve and beside the table of a step.
#[test]
fn live_bytes_do_not_exceed_the_peak() {
    let folder = TempDir::new().expect("a folder");
    let file = printed(
        &folder,
        "plan.html",
        "models/bufferized/squeezenet11_b1.mlir",
        "mem-default-pipeline",
    );
    let script = "const plan = view.fn.plans.at(-1), level = plan.levels[0];
         const most = Math.max(...level.live.map(([, bytes]) => bytes));
         view.select({ steps: [2, 2] });
         view.drawNow();
         const live = document.querySelector('#live h3')?.textContent
             ?? [...document.querySelectorAll('h3')].map(own => own.textContent).join('; ');
         return { most, peak: level.peak, live };";
    let seen = play(&file, "", script);
    assert_eq!(seen["most"], seen["peak"], "{seen}");
    let live = seen["live"].as_str().expect("a text");
    assert!(
        live.contains("twice: results in place of operands"),
        "{seen}"
    );
}

/// Swaps and repetitions, with what they cost, above what the program would need without a budget.
#[test]
fn a_budget_shows_what_it_costs() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("plan.html");
    let offload = format!(
        "convert-memref-to-mem,mem-offload{{budget=2MiB hierarchy=gpu report={}}}",
        file.display()
    );
    page("models/small/mini_gpt_train_d64.mlir", &offload, &file);
    let script = "const [before, plan] = view.fn.plans, shown = view.charts.length;
         const compare = document.getElementById('compare');
         compare.checked = true;
         compare.onchange();
         const rows = document.querySelectorAll('#decisions tbody tr').length;
         return { rows, decisions: view.fn.decisions.length, repeated: view.fn.repeated.length,
           text: document.querySelector('#decisions .facts').textContent, title: before.title,
           more: before.levels[0].peak > plan.levels[0].peak, host: [before, plan].map(own => own.levels[1].peak),
           shown, both: view.charts.length, unused: document.getElementById('plans').textContent.includes('not used'),
           cost: view.fn.decisions.reduce((sum, own) => sum + own.overhead, 0) };";
    let seen = play(&file, "", script);
    assert!(seen["decisions"].as_u64() > Some(0), "{seen}");
    assert!(seen["rows"].as_u64() > Some(0), "{seen}");
    let facts = seen["text"].as_str().expect("text");
    assert!(
        facts.contains("swap") && facts.contains("repeated step"),
        "{seen}"
    );
    assert!(
        seen["title"]
            .as_str()
            .is_some_and(|own| own.starts_with("with more room")),
        "{seen}"
    );
    assert_eq!(seen["more"], true, "{seen}");
    // A level that a plan does not use has a caption, and no diagram.
    assert_eq!(seen["host"][0], 0, "{seen}");
    assert_eq!(seen["unused"], true, "{seen}");
    let both = seen["shown"].as_u64().map(|own| own + 1);
    assert_eq!(seen["both"].as_u64(), both, "{seen}");
}

/// A step lists its operands and results, and the bytes of each role; a search lists what it finds.
#[test]
fn tables_show_operands_roles_and_what_a_search_finds() {
    let folder = TempDir::new().expect("a folder");
    let model = "models/bufferized/squeezenet11_b1.mlir";
    let one = printed(&folder, "one.html", model, "mem-default-pipeline");
    let several = folder.path().join("several.html");
    let report = format!(
        "mem-default-pipeline{{hierarchy=npu report={}}}",
        several.display()
    );
    page(model, &report, &several);
    let script = "const step = view.fn.steps.findIndex(own => textOf(own[0]).includes('pooling'));
         view.select({ steps: [step, step] });
         const facts = [...document.querySelectorAll('#step .facts')].map(own => own.textContent);
         const names = part => view.fn.steps[step][part].map(own => view.fn.buffers[own].name).join(', ');
         const box = document.getElementById('search');
         box.value = 'size>=100KiB';
         box.dispatchEvent(new Event('input'));
         const sizes = [...document.querySelectorAll('#matches tbody tr')].map(own => own.children[1].textContent);
         const found = view.fn.buffers.map(own => own.size).filter(size => size >= 102400).sort((a, b) => b - a);
         box.value = '';
         box.dispatchEvent(new Event('input'));
         return { facts, reads: `reads ${names(2)}`, writes: `writes ${names(3)}`, sizes, found: found.map(human),
           after: document.querySelectorAll('#matches tbody tr').length };";
    for file in [one, several] {
        let seen = play(&file, "", script);
        let facts = seen["facts"].as_array().expect("facts");
        assert!(facts.contains(&seen["reads"]), "{seen}");
        assert!(facts.contains(&seen["writes"]), "{seen}");
        assert!(seen["writes"].as_str() > Some("writes "), "{seen}");
        let is_sum = |own: &Value| {
            own.as_str()
                .is_some_and(|own| own.starts_with("activation "))
        };
        assert!(facts.iter().any(is_sum), "{seen}");
        assert!(
            seen["found"].as_array().is_some_and(|own| own.len() > 10),
            "{seen}"
        );
        assert_eq!(seen["sizes"], seen["found"], "{seen}");
        assert_eq!(seen["after"], 0, "{seen}");
    }
}
