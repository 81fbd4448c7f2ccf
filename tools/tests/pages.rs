//! A browser opens pages of plans, zooms, drags, clicks and searches, and looks at the pixels. The
//! page is the one that users get, followed by a script that plays the user: it dispatches events,
//! and writes what it sees into the document, which the browser prints.

mod common;

use common::browser::{Scheme, page, play, play_in, printed};
use serde_json::{Value, json};
use tempfile::TempDir;

const SQUEEZENET: &str = "models/bufferized/squeezenet11_b1.mlir";

fn squeezenet(folder: &TempDir) -> std::path::PathBuf {
    printed(folder, "plan.html", SQUEEZENET, "mem-default-pipeline")
}

/// Groups of tiles are framed in every level where only they have buffers, and listed with what they need.
#[test]
fn groups_of_tiles_have_frames() {
    let folder = TempDir::new().expect("a folder");
    let file = printed(
        &folder,
        "tiles.html",
        SQUEEZENET,
        "mem-default-pipeline{tile=peak}",
    );
    let script = "const own = canvas(0), frame = view.colors.frame;
         const rgb = [1, 3, 5].map(at => parseInt(frame.slice(at, at + 2), 16)).join(',');
         const rows = document.querySelectorAll('#groups tbody tr').length;
         const heading = document.querySelector('#groups h2')?.textContent ?? '';
         const facts = document.querySelector('#groups .facts')?.textContent ?? '';
         const operations = document.querySelectorAll('#tiled tbody tr').length;
         const whole = view.fn.tiled.every(([, , whole, , tile]) => tile <= whole);
         const places = view.fn.plans.at(-1).places.filter(place => place[1] === 0);
         const framed = view.fn.groups.filter(group => placesInside(places, group).length > 0).length;
         return { frames: Number(own.dataset.frames), groups: view.fn.groups.length, framed, rows, heading, facts, operations, whole,
           bound: human(view.fn.plans.at(-1).levels[0].bound), pixels: colors(own).get(rgb) ?? 0 };";
    let seen = play(&file, "", script);
    // A group that writes its result over an operand may have no buffer of its own.
    assert!(seen["framed"].as_u64() > Some(4), "{seen}");
    assert_eq!(seen["frames"], seen["framed"], "{seen}");
    assert_eq!(seen["rows"], seen["groups"], "{seen}");
    assert!(seen["operations"].as_u64() > Some(20), "{seen}");
    assert_eq!(seen["whole"], true, "{seen}");
    assert!(seen["pixels"].as_u64() > Some(200), "{seen}");
    let facts = seen["facts"].as_str().unwrap_or_default();
    // The arena may be larger than that.
    let bound = seen["bound"].as_str().unwrap_or_default();
    assert!(
        facts.starts_with(&format!("most bytes are live, {bound}, at")),
        "{seen}"
    );
    assert!(facts.contains("in group"), "{seen}");
    let untiled = play(&squeezenet(&folder), "", script);
    assert_eq!(untiled["groups"], 0, "{untiled}");
    assert_eq!(
        (&untiled["frames"], &untiled["heading"]),
        (&json!(0), &json!("")),
        "{untiled}"
    );
}

#[test]
fn zooming_and_dragging_change_what_is_drawn() {
    let folder = TempDir::new().expect("a folder");
    let seen = play(
        &squeezenet(&folder),
        "",
        "const own = canvas(0), all = drawn(own), ofAll = [...view.points], bytes = [...view.bytes[0]];
         wheel(own, 700, 200, -1200);
         const zoomed = drawn(own), narrow = [...view.points];
         wheel(own, 700, 200, -600, true);
         const low = [...view.bytes[0]];
         pointer(own, 'pointerdown', 700, 200);
         pointer(own, 'pointermove', 600, 200);
         pointer(own, 'pointerup', 600, 200);
         const moved = [...view.points];
         document.getElementById('reset').click();
         view.drawNow();
         return { all, zoomed, again: drawn(own), ofAll, narrow, moved, bytes, low, reset: view.points };",
    );
    let width =
        |key: &str| seen[key][1].as_f64().unwrap_or(0.0) - seen[key][0].as_f64().unwrap_or(0.0);
    assert!(seen["all"].as_u64() > Some(40), "{seen}");
    assert!(
        Some(0) < seen["zoomed"].as_u64() && seen["zoomed"].as_u64() < seen["all"].as_u64(),
        "{seen}"
    );
    assert_eq!(seen["again"], seen["all"], "{seen}");
    assert!(
        width("narrow") < width("ofAll") / 5.0 && width("low") < width("bytes") / 2.0,
        "{seen}"
    );
    assert!((width("moved") - width("narrow")).abs() < 1e-6, "{seen}");
    assert!(
        seen["moved"][0].as_f64() > seen["narrow"][0].as_f64(),
        "dragged to the left: {seen}"
    );
    assert_eq!(seen["reset"], seen["ofAll"], "{seen}");
}

#[test]
fn a_click_selects_the_buffer_and_the_step_below_the_pointer() {
    let folder = TempDir::new().expect("a folder");
    let seen = play(
        &squeezenet(&folder),
        "",
        "const own = canvas(0), chart = view.charts[0], place = chart.places[0];
         click(own, (chart.x(place[2]) + chart.x(place[3])) / 2, (chart.y(place[4]) + chart.y(place[5])) / 2);
         const sizes = liveDuring(chart.plan, ...view.steps).map(place => place[5] - place[4]);
         const rows = document.querySelectorAll('#step tbody tr').length;
         const text = document.getElementById('buffer').textContent;
         const fragment = location.hash;
         return { wanted: view.fn.buffers[place[0]], selected: view.buffer === place[0], sizes, rows, text, fragment };",
    );
    assert_eq!(seen["selected"], json!(true), "{seen}");
    let sizes: Vec<u64> = seen["sizes"]
        .as_array()
        .expect("sizes")
        .iter()
        .filter_map(Value::as_u64)
        .collect();
    assert!(
        !sizes.is_empty() && sizes.is_sorted_by(|a, b| a >= b),
        "{seen}"
    );
    assert_eq!(seen["rows"], json!(sizes.len()), "{seen}");
    let name = seen["wanted"]["name"].as_str().expect("a name");
    assert!(
        seen["fragment"]
            .as_str()
            .is_some_and(|own| own.contains(&format!("buffer={name}&step="))),
        "{seen}"
    );
    assert!(
        seen["text"]
            .as_str()
            .is_some_and(|own| own.contains("xf32") && own.contains(".mlir:")),
        "{seen}"
    );
}

#[test]
fn a_link_selects_what_it_names_and_ignores_unknown_names() {
    let folder = TempDir::new().expect("a folder");
    let file = squeezenet(&folder);
    let script = "return { buffer: view.buffer === null ? null : view.fn.buffers[view.buffer].name, steps: view.steps };";
    let seen = play(&file, "#function=main&buffer=buf11&step=14", script);
    assert_eq!(seen, json!({ "buffer": "buf11", "steps": [14, 14] }));
    let seen = play(
        &file,
        "#function=main&buffer=none&step=100000&plan=7",
        script,
    );
    assert_eq!(seen, json!({ "buffer": null, "steps": null }));
}

#[test]
fn a_search_dims_what_does_not_match() {
    let folder = TempDir::new().expect("a folder");
    let seen = play(
        &squeezenet(&folder),
        "",
        "const search = text => {
           const box = document.getElementById('search');
           box.value = text;
           box.dispatchEvent(new Event('input'));
           view.drawNow();
           return [view.shown.filter(is => is).length, document.getElementById('found').textContent];
         };
         const count = test => view.fn.buffers.filter(test).length;
         return {
           all: search(''), wanted: count(() => true),
           large: search('size>=1MiB'), wantedLarge: count(own => own.size >= 1048576),
           inputs: search('role:input'), wantedInputs: count(own => own.role === 'input'),
           none: search('no-such-name'), labels: canvas(0).dataset.labels,
         };",
    );
    for (found, wanted) in [
        ("all", "wanted"),
        ("large", "wantedLarge"),
        ("inputs", "wantedInputs"),
    ] {
        assert_eq!(seen[found][0], seen[wanted], "{seen}");
        assert!(seen[found][0].as_u64() > Some(0), "{seen}");
    }
    assert_ne!(seen["all"][0], seen["large"][0], "{seen}");
    assert!(
        seen["none"][1]
            .as_str()
            .is_some_and(|own| own.starts_with("0 of ")),
        "{seen}"
    );
    assert_eq!(seen["labels"], json!("0"), "{seen}");
}

/// Rectangles have the colours of the legend, and cover about as much as they should.
#[test]
fn pixels_show_the_places() {
    let folder = TempDir::new().expect("a folder");
    let seen = play(
        &squeezenet(&folder),
        "",
        "const chart = view.charts[0];
         const area = chart.places.reduce((sum, place) => sum + (place[3] - place[2]) * (place[5] - place[4]), 0);
         const whole = (view.points[1] - view.points[0]) * (view.bytes[0][1] - view.bytes[0][0]);
         let back = 0, all = 0;
         for (const [color, n] of colors(canvas(0))) {
           all += n;
           const [red, green, blue] = color.split(',').map(Number);
           if (Math.min(red, green, blue) > 215) back += n;
         }
         return { wanted: area / whole, covered: 1 - back / all };",
    );
    let [wanted, covered] = ["wanted", "covered"].map(|key| seen[key].as_f64().expect("a share"));
    assert!(
        wanted > 0.02 && (covered / wanted - 1.0).abs() < 0.4,
        "{seen}"
    );
}

#[test]
fn keys_zoom_move_and_select() {
    let folder = TempDir::new().expect("a folder");
    let seen = play(
        &squeezenet(&folder),
        "",
        "const own = canvas(0), all = [...view.points];
         const press = key => own.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
         press('+');
         const zoomed = [...view.points];
         press('ArrowRight');
         const moved = [...view.points];
         press('0');
         const again = [...view.points];
         press(']'); press(']'); press('[');
         const steps = view.steps, rows = document.querySelectorAll('#step tbody tr').length, tab = own.tabIndex;
         press('Escape');
         return { all, zoomed, moved, again, steps, rows, tab, left: view.steps, fragment: location.hash };",
    );
    assert!(
        seen["zoomed"][0].as_f64() > seen["all"][0].as_f64(),
        "{seen}"
    );
    assert!(
        seen["moved"][0].as_f64() > seen["zoomed"][0].as_f64(),
        "{seen}"
    );
    assert_eq!(seen["again"], seen["all"], "{seen}");
    assert_eq!(seen["steps"], json!([0, 0]), "{seen}");
    assert!(seen["rows"].as_u64() > Some(0), "{seen}");
    assert_eq!(
        (&seen["tab"], &seen["left"]),
        (&json!(0), &Value::Null),
        "{seen}"
    );
    assert_eq!(seen["fragment"], "#function=main", "{seen}");
}

/// A sum is what the operation computes, not the zeros that it starts from.
#[test]
fn a_search_finds_the_operation_that_computes_a_buffer() {
    let folder = TempDir::new().expect("a folder");
    let seen = play(
        &squeezenet(&folder),
        "",
        "const box = document.getElementById('search');
         box.value = 'op:conv_2d size>1KiB';
         box.dispatchEvent(new Event('input'));
         return { found: view.shown.filter(is => is).length, height: canvas(0).height };",
    );
    assert!(seen["found"].as_u64() > Some(10), "{seen}");
    // One diagram alone is as high as two.
    assert!(seen["height"].as_u64() > Some(500), "{seen}");
}

/// Copies of an argument or a result in another level have its colour.
#[test]
fn copies_have_the_role_of_their_original() {
    let folder = TempDir::new().expect("a folder");
    let file = printed(
        &folder,
        "plan.html",
        "models/bufferized/mini_gpt_train_s128_b8.mlir",
        "mem-default-pipeline{hierarchy=npu}",
    );
    let seen = play(
        &file,
        "",
        "const all = view.fn.buffers.filter(own => /^arg\\d+\\.\\d+$/.test(own.name));
         return { all: all.length, roles: [...new Set(all.map(own => own.role))].sort(),
           height: canvas(0).height, facts: document.querySelector('.facts').textContent };",
    );
    assert!(seen["all"].as_u64() > Some(0), "{seen}");
    for role in seen["roles"].as_array().expect("roles") {
        assert!(role != "activation" && role != "workspace", "{seen}");
    }
    assert!(seen["height"].as_u64() < Some(400), "{seen}");
    // A lower peak of one level may cost the other one.
    let facts = seen["facts"].as_str().expect("text");
    assert!(!facts.contains("no plan"), "{seen}");
}

/// WCAG asks for a contrast of 4.5 to 1.
#[test]
fn names_can_be_read_on_every_color() {
    let folder = TempDir::new().expect("a folder");
    let file = squeezenet(&folder);
    let script = "const light = color => {
           const [r, g, b] = color.map(own => own / 255)
             .map(own => own <= 0.04045 ? own / 12.92 : ((own + 0.055) / 1.055) ** 2.4);
           return 0.2126 * r + 0.7152 * g + 0.0722 * b;
         };
         const rgb = color => [1, 3, 5].map(at => parseInt(color.slice(at, at + 2), 16));
         let least = 99;
         for (const shade of [null, view.colors.shade]) {
           const cover = shade ? parseInt(shade.slice(7), 16) / 255 : 0;
           for (const role of ROLES) {
             const back = light(rgb(view.colors[role]).map(own => own * (1 - cover)));
             const ink = light(rgb(readable(view.colors[role], shade)));
             least = Math.min(least, (Math.max(back, ink) + 0.05) / (Math.min(back, ink) + 0.05));
           }
         }
         return { least, labels: Number(canvas(0).dataset.labels) };";
    for scheme in [Scheme::Light, Scheme::Dark] {
        let seen = play_in(scheme, &file, "", script);
        assert!(seen["least"].as_f64() > Some(4.5), "{seen}");
        assert!(seen["labels"].as_u64() > Some(8), "{seen}");
    }
}

/// A result that is written in place covers a part of its operand, so their names would touch. Frames of
/// groups of tiles have titles besides.
#[test]
fn names_do_not_overlap() {
    let folder = TempDir::new().expect("a folder");
    let tiles = printed(
        &folder,
        "tiles.html",
        SQUEEZENET,
        "mem-default-pipeline{tile=peak}",
    );
    let script = "const own = canvas(0), seen = [];
         const look = () => {
           view.drawNow();
           const { labels } = view.charts[0];
           const touch = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
           const pairs = labels.flatMap((a, i) => labels.slice(i + 1).filter(b => touch(a, b)));
           seen.push([labels.length, pairs.length]);
         };
         look();
         // Names are turned where the places are narrow.
         const turned = view.charts[0].labels.filter(own => own[3] - own[1] > own[2] - own[0]).length;
         for (const [x, by] of [[120, -900], [300, -400], [500, 700], [900, -1200]]) { wheel(own, x, 300, by); look(); }
         const inPlace = view.fn.plans.at(-1).places.some((a, i, all) => all.slice(i + 1).some(b =>
           a[2] < b[3] && b[2] < a[3] && a[4] < b[5] && b[4] < a[5]));
         return { seen, turned, inPlace };";
    for file in [squeezenet(&folder), tiles] {
        let seen = play(&file, "", script);
        let looks = seen["seen"].as_array().expect("looks");
        assert!(looks.iter().any(|own| own[0].as_u64() > Some(15)), "{seen}");
        assert!(looks.iter().all(|own| own[1] == 0), "{seen}");
        assert!(seen["turned"].as_u64() > Some(0), "{seen}");
        assert_eq!(seen["inPlace"], true, "{seen}");
    }
}

#[test]
fn paper_is_light() {
    let folder = TempDir::new().expect("a folder");
    let file = squeezenet(&folder);
    let script = "const corner = () => [...canvas(0).getContext('2d').getImageData(1, 1, 1, 1).data].slice(0, 3);
         const before = corner();
         onbeforeprint();
         const paper = corner();
         onafterprint();
         return { before, paper, after: corner() };";
    let seen = play_in(Scheme::Dark, &file, "", script);
    assert_eq!(seen["paper"], json!([255, 255, 255]), "{seen}");
    assert_eq!(seen["before"], seen["after"], "{seen}");
    assert!(seen["before"][0].as_u64() < Some(64), "{seen}");
}

/// One allocation for each buffer takes so many bytes that the plan could not be seen on its axis.
#[test]
fn a_plan_is_compared_at_first_if_both_can_be_seen() {
    let folder = TempDir::new().expect("a folder");
    let file = printed(
        &folder,
        "plan.html",
        SQUEEZENET,
        "mem-default-pipeline{hierarchy=npu}",
    );
    let script = "const compare = document.getElementById('compare');
         const first = view.charts.length;
         compare.checked = true;
         compare.onchange();
         return { first, both: view.charts.length, half: human(380.25 * 1024), odd: human(380.75 * 1024) };";
    let seen = play(&file, "", script);
    assert_eq!(
        (&seen["first"], &seen["both"]),
        (&json!(2), &json!(4)),
        "{seen}"
    );
    // As the reports in Rust round.
    assert_eq!(
        seen["half"],
        format!("{}", mem_model::Bytes::new(389_376).human())
    );
    assert_eq!(
        seen["odd"],
        format!("{}", mem_model::Bytes::new(389_888).human())
    );
}

#[test]
fn both_plans_share_their_axes() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("plan.html");
    let report = format!(
        "convert-memref-to-mem,mem-assign-levels{{hierarchy=npu noalias-arguments=true report={}}}",
        file.display()
    );
    page(SQUEEZENET, &report, &file);
    let seen = play(
        &file,
        "",
        "wheel(canvas(0), 500, 200, -600);
         const [a, b] = [view.charts[0], view.charts[2]];
         const step = view.fn.plans[1].transfers[0].before;
         view.select({ steps: [step, step] });
         view.drawNow();
         return { n: view.charts.length, x: [a.x(50), b.x(50)], y: [a.y(1000), b.y(1000)],
           copies: Number(canvas(2).dataset.transfers), all: view.fn.plans[1].transfers.length,
           reasons: document.getElementById('reasons').textContent };",
    );
    assert_eq!(seen["n"], 4, "two levels of two plans: {seen}");
    assert_eq!(
        (&seen["x"][0], &seen["y"][0]),
        (&seen["x"][1], &seen["y"][1]),
        "{seen}"
    );
    assert!(
        Some(0) < seen["copies"].as_u64() && seen["copies"].as_u64() < seen["all"].as_u64(),
        "{seen}"
    );
    assert!(
        seen["reasons"]
            .as_str()
            .is_some_and(|own| own.contains("rather than in 'sram'")),
        "{seen}"
    );
}

/// The largest page is small enough to mail, and draws all places of a training step.
#[test]
fn the_page_of_the_largest_model_loads() {
    let folder = TempDir::new().expect("a folder");
    let file = printed(
        &folder,
        "plan.html",
        "models/bufferized/resnet50_train_b32.mlir",
        "mem-default-pipeline",
    );
    let bytes = file.metadata().expect("a file").len();
    assert!(bytes < 2 << 20, "{bytes} bytes");
    let seen = play(
        &file,
        "",
        "const bright = () => [...colors(canvas(0))].reduce((sum, [color, n]) => {
           const [red, , blue] = color.split(',').map(Number);
           return red - blue > 60 ? sum + n : sum;
         }, 0);
         const before = bright(), rows = document.querySelectorAll('tr').length;
         const box = document.getElementById('search');
         box.value = 'no-such-name';
         box.dispatchEvent(new Event('input'));
         view.drawNow();
         return { before, after: bright(), drawn: drawn(canvas(0)), places: view.fn.plans.at(-1).places.length, rows,
                  heap: performance.memory.usedJSHeapSize };",
    );
    // However many places that do not match are drawn onto a pixel.
    assert!(seen["before"].as_u64() > Some(100_000), "{seen}");
    assert_eq!(seen["after"], 0, "{seen}");
    assert!(seen["places"].as_u64() > Some(1000), "{seen}");
    assert_eq!(seen["drawn"], seen["places"], "{seen}");
    assert_eq!(
        seen["rows"], 0,
        "tables are built when something is selected"
    );
    assert!(seen["heap"].as_u64() < Some(60_000_000), "{seen}");
}
