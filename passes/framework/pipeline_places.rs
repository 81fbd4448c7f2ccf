//! Lines and columns in the text of a pipeline: of what it mentions, and of an error in it.

use std::ops::Range;

use super::Mention;
use crate::ir::OptionPlace;

/// The places of passes, pipelines and options in `text`, which is called `file`, at their bytes plus
/// `shift`.
#[must_use]
pub fn mention_places(
    file: &str,
    text: &str,
    shift: usize,
    mentions: Vec<Mention>,
) -> Vec<OptionPlace> {
    let place = |mention: Mention| {
        let (line, column) = line_and_column(text, mention.span.start + shift);
        OptionPlace {
            owner: mention.owner,
            option: mention.option,
            file: file.to_owned(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: u32::try_from(column).unwrap_or(u32::MAX),
        }
    };
    mentions.into_iter().map(place).collect()
}

/// An error in `text`, which is called `file`, in the form of MLIR's diagnostics: the line in which it
/// is, and marks under the wrong part.
#[must_use]
pub fn located_error(file: &str, text: &str, span: Range<usize>, message: &str) -> String {
    let (line_number, column) = line_and_column(text, span.start);
    let line_start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let line = text[line_start..].lines().next().unwrap_or("");
    let blanks = column - 1;
    let n_marked = text[span].chars().count().max(1);
    let line: String = line
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    format!(
        "{file}:{line_number}:{column}: error: {}\n{line}\n{:blanks$}^{}\n",
        mem_view::printable_lines(message),
        "",
        "~".repeat(n_marked - 1)
    )
}

/// The line and the column of a byte, both counted from 1.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[line_start..].chars().count() + 1;
    (before.matches('\n').count() + 1, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrong_part_is_marked() {
        let text = "builtin.module(\n  plän,\n  mem-pln)";
        let start = text.find("mem-pln").expect("it is there");
        let shown = located_error("x", text, start..start + 7, "no");
        assert_eq!(shown, "x:3:3: error: no\n  mem-pln)\n  ^~~~~~~\n");
        let start = text.find("plän").expect("it is there");
        let shown = located_error("x", text, start..start + "plän".len(), "no");
        assert_eq!(shown, "x:2:3: error: no\n  plän,\n  ^~~~\n");
        assert_eq!(
            located_error("x", "", 0..0, "no"),
            "x:1:1: error: no\n\n^\n"
        );
    }
}
