//! What the plan of a document says about the buffer below the cursor.

use std::fs;

use melior::ir::Module;
use melior::pass::PassManager;
use melior::utility::parse_pass_pipeline;
use serde_json::Value;

use super::documents::Position;
use crate::upstream::context;

/// Markdown about the buffer that the value at a position is; `None` if it is none, or if the document has
/// no plan.
pub(super) fn about(text: &str, position: Position) -> Option<String> {
    let (line, byte) = position.in_line(text)?;
    let lines: Vec<&str> = text.lines().collect();
    let value = value_at(lines.get(line)?, byte)?;
    let definition = definition(&lines, line, value)?;
    let report = report(text)?;
    let buffers = report["buffers"].as_array()?.iter();
    // Lines of locations begin at 1. The document has no name.
    let is_own = |own: &&Value| {
        let location = own["location"].as_str().unwrap_or_default();
        let line = location.rsplit(':').nth(1);
        line.and_then(|line| line.parse().ok()) == Some(definition + 1)
    };
    describe(buffers.filter(is_own).find(is_placed)?, &report)
}

fn is_placed(buffer: &&Value) -> bool {
    buffer["placements"]
        .as_array()
        .is_some_and(|own| !own.is_empty())
}

/// The value, such as `%a`, that a byte of a line is in; or the value that the line defines, if the byte is
/// in no value.
fn value_at(line: &str, byte: usize) -> Option<&str> {
    let is_part = |c: char| c.is_alphanumeric() || "%_.$-".contains(c);
    let before = line.get(..byte)?;
    let start = before.rfind(|c| !is_part(c)).map_or(0, |at| {
        at + before[at..].chars().next().map_or(1, char::len_utf8)
    });
    let rest = &line[start..];
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let word = &rest[..end];
    if word.len() > 1 && word.starts_with('%') {
        return Some(word);
    }
    let (defined, _) = line.trim_start().split_once(" = ")?;
    defined.starts_with('%').then_some(defined)
}

/// The last line, up to `line`, that defines a value by an operation that places a buffer.
fn definition(lines: &[&str], line: usize, value: &str) -> Option<usize> {
    let defines = |text: &&str| {
        let rest = text.trim_start().strip_prefix(value);
        rest.and_then(|rest| rest.trim_start().strip_prefix('='))
            .is_some()
    };
    let found = lines[..=line].iter().rposition(defines)?;
    lines[found].contains("mem.").then_some(found)
}

/// The report of `mem-print-plan` on a text.
fn report(text: &str) -> Option<Value> {
    let context = context();
    // The inner server reports what is wrong with the document.
    context.attach_diagnostic_handler(|_| true);
    let mut module = Module::parse(&context, text)?;
    let file = tempfile::NamedTempFile::new().ok()?;
    let manager = PassManager::new(&context);
    let pipeline = format!(
        "builtin.module(mem-print-plan{{format=json output={}}})",
        file.path().display()
    );
    parse_pass_pipeline(manager.as_operation_pass_manager(), &pipeline).ok()?;
    manager.run(&mut module).ok()?;
    serde_json::from_str(&fs::read_to_string(file.path()).ok()?).ok()
}

fn describe(buffer: &Value, report: &Value) -> Option<String> {
    let functions = report["functions"].as_array()?.iter();
    let steps = functions
        .filter(|own| own["name"] == buffer["function"])
        .find_map(|own| own["steps"].as_array())?;
    let size = buffer["size"].as_u64()?;
    let mut text = format!("**buffer '{}'**: {size} bytes\n", buffer["name"].as_str()?);
    for own in buffer["placements"].as_array()? {
        let offset = own["offset"].as_u64()?;
        let level = own["level"].as_str()?;
        let end = offset.saturating_add(size);
        text += &format!("\n* in `{level}`, at addresses {offset} to {end}");
        for live in own["live"].as_array()? {
            let step = |index: usize| {
                let number = usize::try_from(live[index].as_u64()?).ok()?;
                let name = steps.get(number).and_then(Value::as_str).unwrap_or("end");
                Some(format!("step {number} (`{name}`)"))
            };
            text += &format!("\n* live from {} to {}", step(0)?, step(1)?);
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_below_the_cursor_is_found() {
        let line = "  %a = mem.view %arena[64] : !mem.arena -> !mem.buffer<16>";
        assert_eq!(value_at(line, 3), Some("%a"));
        assert_eq!(value_at(line, 17), Some("%arena"));
        // In no value: the one that is defined.
        assert_eq!(value_at(line, 9), Some("%a"));
        assert_eq!(value_at("  return", 4), None);
        assert_eq!(value_at(line, 99), None);
    }

    #[test]
    fn the_nearest_definition_counts() {
        let lines = [
            "%a = mem.view x",
            "%ab = mem.view y",
            "use %a",
            "%a = mem.view z",
        ];
        assert_eq!(definition(&lines, 2, "%a"), Some(0));
        assert_eq!(definition(&lines, 3, "%a"), Some(3));
        assert_eq!(definition(&lines, 2, "%b"), None);
    }
}
