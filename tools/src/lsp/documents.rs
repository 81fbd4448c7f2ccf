//! The texts of the documents that an editor has open.

use std::collections::HashMap;

use serde_json::Value;

/// A position as the protocol states it: a line from 0, and UTF-16 code units before it in the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    line: usize,
    character: usize,
}

impl Position {
    /// The position in a message.
    pub(super) fn of(value: &Value) -> Option<Self> {
        let number = |key: &str| usize::try_from(value[key].as_u64()?).ok();
        Some(Self {
            line: number("line")?,
            character: number("character")?,
        })
    }

    /// The index of the byte at the position, or of the next line if its line is shorter.
    fn byte(self, text: &str) -> Option<usize> {
        let mut start = 0;
        for _ in 0..self.line {
            start += text[start..].find('\n')? + 1;
        }
        let mut units = 0;
        for (at, own) in text[start..].char_indices() {
            if units >= self.character || own == '\n' {
                return Some(start + at);
            }
            units += own.len_utf16();
        }
        Some(text.len())
    }

    /// The line, and the index of the byte in it.
    pub(super) fn in_line(self, text: &str) -> Option<(usize, usize)> {
        let byte = self.byte(text)?;
        let start = text[..byte].rfind('\n').map_or(0, |at| at + 1);
        Some((self.line, byte - start))
    }
}

/// Open documents, by address.
#[derive(Default)]
pub(super) struct Documents {
    texts: HashMap<String, String>,
}

impl Documents {
    pub(super) fn text(&self, uri: &str) -> Option<&str> {
        self.texts.get(uri).map(String::as_str)
    }

    /// Learns from a notification of the editor. What cannot be understood drops the document.
    pub(super) fn note(&mut self, method: &str, parameters: &Value) {
        let document = &parameters["textDocument"];
        let Some(uri) = document["uri"].as_str() else {
            return;
        };
        match method {
            "textDocument/didOpen" => {
                let text = document["text"].as_str().unwrap_or_default();
                self.texts.insert(uri.to_owned(), text.to_owned());
            }
            "textDocument/didChange" => {
                let changes = parameters["contentChanges"].as_array();
                let changed = self.texts.remove(uri).and_then(|text| {
                    let mut changes = changes?.iter();
                    changes.try_fold(text, changed)
                });
                if let Some(text) = changed {
                    self.texts.insert(uri.to_owned(), text);
                }
            }
            "textDocument/didClose" => {
                self.texts.remove(uri);
            }
            _ => {}
        }
    }
}

/// A text after a change of a range, or of everything.
fn changed(mut text: String, change: &Value) -> Option<String> {
    let new = change["text"].as_str()?;
    let range = &change["range"];
    if range.is_null() {
        return Some(new.to_owned());
    }
    let start = Position::of(&range["start"])?.byte(&text)?;
    let end = Position::of(&range["end"])?.byte(&text)?;
    if start > end {
        return None;
    }
    text.replace_range(start..end, new);
    Some(text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn after(text: &str, change: &Value) -> Option<String> {
        let mut documents = Documents::default();
        let open = json!({ "textDocument": { "uri": "u", "text": text } });
        documents.note("textDocument/didOpen", &open);
        let change = json!({ "textDocument": { "uri": "u" }, "contentChanges": [change] });
        documents.note("textDocument/didChange", &change);
        documents.text("u").map(str::to_owned)
    }

    fn range(start: [u32; 2], end: [u32; 2]) -> Value {
        let at = |own: [u32; 2]| json!({ "line": own[0], "character": own[1] });
        json!({ "start": at(start), "end": at(end) })
    }

    #[test]
    fn changes_replace_ranges_in_utf16() {
        let change = json!({ "text": "x", "range": range([1, 2], [1, 3]) });
        // The second line begins with a character of two units.
        assert_eq!(
            after("a\n\u{1f600}bc", &change).as_deref(),
            Some("a\n\u{1f600}xc")
        );
        let whole = json!({ "text": "new" });
        assert_eq!(after("old", &whole).as_deref(), Some("new"));
        let across = json!({ "text": "", "range": range([0, 1], [1, 0]) });
        assert_eq!(after("a\nb", &across).as_deref(), Some("ab"));
        let beyond = json!({ "text": "!", "range": range([0, 99], [0, 99]) });
        assert_eq!(after("a\nb", &beyond).as_deref(), Some("a!\nb"));
    }

    #[test]
    fn what_is_no_change_drops_the_document() {
        let wrong = json!({ "text": "x", "range": range([9, 0], [9, 1]) });
        assert_eq!(after("a", &wrong), None);
        assert_eq!(after("a", &json!({})), None);
    }
}
