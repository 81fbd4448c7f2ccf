//! Opens a page in a headless browser, and plays the user: a script that follows the page dispatches
//! events, and writes what it sees into the document, which the browser prints.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use super::root;

/// Helpers of the scripts below: events at a position in a canvas, and its pixels.
const USER: &str = "
const canvas = index => document.querySelectorAll('canvas')[index];
const at = (own, x, y) => {
  const box = own.getBoundingClientRect();
  return { clientX: box.left + x, clientY: box.top + y, bubbles: true, cancelable: true, pointerId: 1 };
};
const wheel = (own, x, y, deltaY, shiftKey = false) => {
  own.dispatchEvent(new WheelEvent('wheel', { ...at(own, x, y), deltaY, shiftKey }));
  view.drawNow();
};
const pointer = (own, kind, x, y) => {
  // There is no real pointer to capture.
  own.setPointerCapture = () => {};
  own.dispatchEvent(new PointerEvent(kind, at(own, x, y)));
};
const click = (own, x, y) => {
  pointer(own, 'pointerdown', x, y);
  pointer(own, 'pointerup', x, y);
  view.drawNow();
};
const colors = own => {
  const { data } = own.getContext('2d').getImageData(LEFT + 2, MAP_TOP + 2, own.width - LEFT - RIGHT - 4, MAP - 4);
  const seen = new Map();
  for (let i = 0; i < data.length; i += 4) {
    const color = `${data[i]},${data[i + 1]},${data[i + 2]}`;
    seen.set(color, (seen.get(color) ?? 0) + 1);
  }
  return seen;
};
const drawn = own => Number(own.dataset.drawn);
";

/// Runs passes that write a page to `file`.
pub(crate) fn page(model: &str, passes: &str, file: &Path) {
    let done = Command::new(env!("CARGO_BIN_EXE_mem-opt"))
        .current_dir(root())
        .arg(model)
        .arg(format!("--pass-pipeline=builtin.module({passes})"))
        .args(["-o", "/dev/null"])
        .output()
        .expect("mem-opt runs");
    let said = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{said}");
    assert!(file.is_file(), "{said}");
}

/// The page of a model after a pipeline, in a file of this name.
pub(crate) fn printed(folder: &TempDir, name: &str, model: &str, pipeline: &str) -> PathBuf {
    let file = folder.path().join(name);
    let print = format!("mem-print-plan{{format=html output={}}}", file.display());
    page(model, &format!("{pipeline},{print}"), &file);
    file
}

/// What the user of a browser prefers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scheme {
    Light,
    Dark,
}

/// Opens a page in a browser, runs a script in it, and returns the object that the script returns.
pub(crate) fn play(file: &Path, fragment: &str, script: &str) -> Value {
    play_in(Scheme::Light, file, fragment, script)
}

/// As [`play`], for a user who prefers a scheme.
pub(crate) fn play_in(scheme: Scheme, file: &Path, fragment: &str, script: &str) -> Value {
    let mut text = std::fs::read_to_string(file).expect("a page");
    text.push_str(&format!(
        "<script>{USER}\nlet result;\ntry {{ result = (() => {{ {script} }})(); }} catch (error) {{\n\
         result = {{ error: `${{error}} ${{error.stack}}` }}; }}\n\
         document.body.replaceChildren(JSON.stringify(result));</script>"
    ));
    let played = file.with_extension("played.html");
    std::fs::write(&played, text).expect("written");
    let folder = file.parent().expect("a folder");
    let done = Command::new("chromium")
        .env("HOME", folder)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"])
        .arg("--window-size=1400,1000")
        .args((scheme == Scheme::Dark).then_some("--blink-settings=preferredColorScheme=0"))
        .arg(format!(
            "--user-data-dir={}",
            folder.join("profile").display()
        ))
        .arg(format!("file://{}{fragment}", played.display()))
        .output()
        .expect("scripts/setup.sh installs chromium");
    let text = String::from_utf8_lossy(&done.stdout).into_owned();
    let (_, body) = text.rsplit_once("<body").expect("a body");
    let start = body.find('{').expect("an object");
    let end = body.rfind("</body>").expect("the end of the body");
    let text = body[start..end]
        .replace("&gt;", ">")
        .replace("&lt;", "<")
        .replace("&amp;", "&");
    let result: Value = serde_json::from_str(text.trim()).expect("JSON");
    assert_eq!(result["error"], Value::Null, "{result}");
    result
}
