//! Escapes names for terminals.

use std::borrow::Cow;

/// Escapes control characters, which could move the cursor, change colours or set the title of a
/// terminal, in Rust's notation: `\u{1b}` for an escape. Characters that reorder the text around
/// them are escaped, too.
#[must_use]
pub fn printable(name: &str) -> Cow<'_, str> {
    escape(name, is_dangerous)
}

/// Like [`printable`], for text of several lines: line breaks stay.
#[must_use]
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escape(text, |c| c != '\n' && is_dangerous(c))
}

/// Control characters, bidirectional marks and overrides, and Unicode line separators.
fn is_dangerous(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn escape(text: &str, is_dangerous: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.chars().any(&is_dangerous) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_dangerous(c) {
            true => out.extend(c.escape_default()),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::{printable, printable_lines};

    #[test]
    fn controls_are_shown_and_all_else_stays() {
        assert_eq!(
            printable("a\u{1b}[31m\nb\u{9b}\u{202e}\u{61c}"),
            "a\\u{1b}[31m\\nb\\u{9b}\\u{202e}\\u{61c}"
        );
        assert_eq!(printable_lines("a\nb\r"), "a\nb\\r");
        assert_eq!(printable("größe=1 \\ \"x\""), "größe=1 \\ \"x\"");
    }
}
