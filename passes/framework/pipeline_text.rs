//! Checks the text of options and of whole pipelines before MLIR parses it, so that a misspelled name
//! is an error with a suggestion, and a value that no pass accepts is an error in front of the run.
//!
//! The check reads the syntax as MLIR does, and only reports what is certainly wrong: text that it
//! cannot follow is left to MLIR's parser, which reports it.
//!
//! ```text
//! pipeline ::= element (`,` element)*
//! element  ::= anchor `(` pipeline `)` | name (`{` option* `}`)?
//! option   ::= key (`=` value)?
//! ```
//!
//! Blanks separate options, except inside of quotes and braces.

use std::ops::Range;
use std::path::Path;

use mem_model::{Bytes, SizeError, suggestion};

use super::{OptionKind, OptionSpec};
use crate::ir::hierarchies::no_hierarchy;

/// Largest alignment of a buffer: 1 MiB.
pub(crate) const MAX_ALIGNMENT: u64 = 1 << 20;

/// An error in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Bytes of the text that are wrong.
    pub span: Range<usize>,
    /// What is wrong.
    pub message: String,
}

/// What a pipeline may name.
pub(crate) struct Known<'a> {
    /// The options of a pass or pipeline of this project.
    pub(crate) options: &'a dyn Fn(&str) -> Option<&'static [OptionSpec]>,
    /// The operation that a pass or pipeline of this project runs on.
    pub(crate) anchor: &'a dyn Fn(&str) -> Option<&'static str>,
    /// Whether a pass or pipeline is registered.
    pub(crate) is_known: &'a dyn Fn(&str) -> bool,
    /// The names of all registered passes and pipelines, for suggestions.
    pub(crate) names: &'a dyn Fn() -> Vec<String>,
}

/// The value of a size option: bytes with or without a unit, or a negative number without one, which
/// is "not given" (-1) or for the pass to refuse.
pub(crate) fn parse_size(text: &str) -> Result<i64, SizeError> {
    if let Ok(number) = text.parse() {
        return Ok(number);
    }
    let bytes = Bytes::limit(text)?;
    i64::try_from(bytes.get()).map_err(|_| SizeError::TooLarge(text.to_owned(), "8EiB"))
}

/// Checks the options of the pass or pipeline `owner`.
pub(crate) fn check_options(
    owner: &str,
    specs: &[OptionSpec],
    text: &str,
) -> Result<(), TextError> {
    for option in options(text) {
        let key = &text[option.key.clone()];
        let Some(spec) = specs
            .iter()
            .find(|own| own.name.to_bytes() == key.as_bytes())
        else {
            return Err(TextError {
                message: unknown_option(owner, specs, key),
                span: option.key,
            });
        };
        let Some(span) = option.value else {
            if spec.kind == OptionKind::Boolean {
                continue;
            }
            let example = spec.example;
            return Err(TextError {
                message: format!(
                    "{owner}: option '{key}' has no value: expected one, as in {key}={example}"
                ),
                span: option.key,
            });
        };
        check_value(owner, spec, &text[span.clone()])
            .map_err(|message| TextError { span, message })?;
    }
    Ok(())
}

/// Why an alignment is none; 0 means no requirement.
pub(crate) fn alignment_error(bytes: i64) -> Option<String> {
    let is_valid = u64::try_from(bytes)
        .is_ok_and(|bytes| bytes == 0 || bytes.is_power_of_two() && bytes <= MAX_ALIGNMENT);
    (!is_valid).then(|| {
        format!("an alignment of {bytes} bytes is not a power of two between 1 and {MAX_ALIGNMENT}")
    })
}

/// Why the name of a report's file states no format; the name may be empty.
pub(crate) fn report_error(file: &str) -> Option<String> {
    let extension = Path::new(file).extension().and_then(|own| own.to_str());
    let is_format = extension.is_some_and(|own| ["svg", "html", "json", "trace"].contains(&own));
    (!file.is_empty() && !is_format).then(|| {
        format!(
            "cannot tell what to write into '{file}': it ends in none of .svg, .html, .json, .trace"
        )
    })
}

fn unknown_option(owner: &str, specs: &[OptionSpec], key: &str) -> String {
    let names = specs.iter().filter_map(|own| own.name.to_str().ok());
    let names: Vec<&str> = names.collect();
    let expected = match names.is_empty() {
        true => "it has none".to_owned(),
        false => format!("expected {}", either(&names)),
    };
    let near = suggestion(key, names);
    format!("{owner}: no such option '{key}': {expected}{near}")
}

fn check_value(owner: &str, spec: &OptionSpec, value: &str) -> Result<(), String> {
    let name = spec.name.to_string_lossy();
    match spec.kind {
        OptionKind::String => match report_error(value).filter(|_| name == "report") {
            Some(why) => Err(format!("{owner}: invalid value for option '{name}': {why}")),
            None => Ok(()),
        },
        OptionKind::Integer => {
            let number: Result<i64, _> = value.parse();
            let (least, most) = spec.range;
            let expected = match (least, most) {
                (i64::MIN, _) => "a number".to_owned(),
                (_, i64::MAX) => format!("a number, at least {least}"),
                _ => format!("a number from {least} to {most}"),
            };
            match number.is_ok_and(|number| (least..=most).contains(&number)) {
                true => Ok(()),
                false => Err(format!(
                    "{owner}: invalid value '{value}' for option '{name}': expected {expected}"
                )),
            }
        }
        // As LLVM's parser of command lines, whose own message names no pass.
        OptionKind::Boolean => match value {
            "" | "true" | "TRUE" | "True" | "1" | "false" | "FALSE" | "False" | "0" => Ok(()),
            other => {
                let near = suggestion(other, ["true", "false"]);
                Err(format!(
                    "{owner}: invalid value '{other}' for option '{name}': expected true or false{near}"
                ))
            }
        },
        OptionKind::Size => {
            let size = parse_size(value).map_err(|error| error.to_string());
            let wrong = match size {
                Ok(bytes) if name == "alignment" => alignment_error(bytes),
                Ok(..-1) => Some(format!("'{value}' is negative")),
                Ok(_) => None,
                Err(error) => Some(error),
            };
            match wrong {
                Some(why) => Err(format!("{owner}: invalid value for option '{name}': {why}")),
                None => Ok(()),
            }
        }
        OptionKind::Choice => match spec.choices.contains(&value) {
            true => Ok(()),
            false => {
                let near = suggestion(value, spec.choices.iter().copied());
                let expected = either(spec.choices);
                Err(format!(
                    "{owner}: unknown value '{value}' for option '{name}': expected {expected}{near}"
                ))
            }
        },
        OptionKind::Hierarchy => no_hierarchy(value).map_or(Ok(()), Err),
    }
}

/// `a, b or c`.
fn either(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// An option in a text: the bytes of its key, and of its value without quotes.
struct TextOption {
    key: Range<usize>,
    value: Option<Range<usize>>,
}

/// Splits the text of options, as MLIR does.
fn options(text: &str) -> Vec<TextOption> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    loop {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        if at == bytes.len() {
            return found;
        }
        let start = at;
        while bytes
            .get(at)
            .is_some_and(|b| *b != b'=' && !b.is_ascii_whitespace())
        {
            at += 1;
        }
        let key = start..at;
        let value = (bytes.get(at) == Some(&b'=')).then(|| {
            let start = at + 1;
            at = end_of_value(bytes, start);
            unquoted(text, start..at)
        });
        found.push(TextOption { key, value });
    }
}

/// The end of the value that starts at `at`: a blank outside of quotes and braces.
fn end_of_value(bytes: &[u8], mut at: usize) -> usize {
    let find = |quote: u8, from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter().position(|b| *b == quote).map(|n| from + n)
    };
    let mut depth = 0_usize;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => match find(quote, at + 1) {
                Some(end) => at = end,
                None => return bytes.len(),
            },
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            b if b.is_ascii_whitespace() && depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// A value without the quotes or braces around it.
fn unquoted(text: &str, span: Range<usize>) -> Range<usize> {
    let value = &text[span.clone()];
    let is_quoted = |open: char, close: char| {
        value.len() >= 2 && value.starts_with(open) && value.ends_with(close)
    };
    match is_quoted('"', '"') || is_quoted('\'', '\'') || is_quoted('{', '}') {
        true => {
            let inner = &text[span.start + 1..span.end - 1];
            let start = span.start + 1 + (inner.len() - inner.trim_start().len());
            start..start + inner.trim().len()
        }
        false => span,
    }
}

/// A pass or pipeline that a text mentions, or one of its options: bytes of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The name of the pass or pipeline.
    pub owner: String,
    /// Where its name is, or the option of `option`.
    pub span: Range<usize>,
    /// The name of the option, and its value without quotes.
    pub option: Option<(String, String)>,
}

/// Finds the first pass, option or value in the text of a pipeline that is certainly wrong. Without one,
/// returns what the text mentions.
pub(crate) fn check_pipeline(text: &str, known: &Known<'_>) -> Result<Vec<Mention>, TextError> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut open: Vec<Anchor> = Vec::new();
    let mut mentions = Vec::new();
    while at < bytes.len() {
        let rest = &text[at..];
        let end = rest
            .find([',', '{', '(', ')'])
            .map_or(bytes.len(), |n| at + n);
        let name = trimmed(text, at..end);
        match bytes.get(end) {
            // An anchor, whose passes follow.
            Some(b'(') => {
                open.push(Anchor { name, open: end });
                at = end + 1;
            }
            Some(b'{') => {
                check_name(text, name.clone(), open.last(), known)?;
                let Some(close) = closing(bytes, end) else {
                    return Err(TextError {
                        span: end..end + 1,
                        message: "this brace is not closed: expected '}' after the options"
                            .to_owned(),
                    });
                };
                check_options_of(text, name.clone(), end + 1..close, known)?;
                mention(&mut mentions, text, name, end + 1..close);
                at = close + 1;
            }
            other => {
                check_name(text, name.clone(), open.last(), known)?;
                mention(&mut mentions, text, name, end..end);
                if other == Some(&b')') && open.pop().is_none() {
                    return Err(TextError {
                        span: end..end + 1,
                        message: "this parenthesis closes nothing".to_owned(),
                    });
                }
                at = end + 1;
            }
        }
    }
    match open.pop() {
        Some(Anchor { open, .. }) => Err(TextError {
            span: open..open + 1,
            message: "this parenthesis is not closed: expected ')' after the passes".to_owned(),
        }),
        None => Ok(mentions),
    }
}

/// An operation in the text whose passes follow in parentheses: its name, and the opening parenthesis.
struct Anchor {
    name: Range<usize>,
    open: usize,
}

/// Adds a pass or pipeline and its options.
fn mention(all: &mut Vec<Mention>, text: &str, name: Range<usize>, inside: Range<usize>) {
    if name.is_empty() {
        return;
    }
    let owner = &text[name.clone()];
    all.push(Mention {
        owner: owner.to_owned(),
        span: name,
        option: None,
    });
    let part = &text[inside.clone()];
    all.extend(options(part).into_iter().map(|own| {
        Mention {
            owner: owner.to_owned(),
            span: inside.start + own.key.start..inside.start + own.key.end,
            option: Some((
                part[own.key].to_owned(),
                own.value
                    .map_or(String::new(), |value| part[value].to_owned()),
            )),
        }
    }));
}

/// A span without blanks at its ends.
fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let inner = &text[span.clone()];
    let start = span.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

/// The brace that closes the one at `open`, as MLIR finds it: by counting braces.
fn closing(bytes: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut rest = bytes.iter().enumerate().skip(open);
    rest.find_map(|(at, byte)| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        (depth == 0).then_some(at)
    })
}

/// Checks the name of a pass or pipeline inside of `anchor`.
fn check_name(
    text: &str,
    span: Range<usize>,
    anchor: Option<&Anchor>,
    known: &Known<'_>,
) -> Result<(), TextError> {
    let name = &text[span.clone()];
    if name.is_empty() {
        return Ok(());
    }
    if (known.is_known)(name) {
        let inside = anchor.map(|anchor| &text[anchor.name.clone()]);
        let wrong = (known.anchor)(name).zip(inside);
        // On operations of any kind, the parser says what is wrong.
        let wrong = wrong.filter(|(wanted, inside)| wanted != inside && *inside != "any");
        return wrong.map_or(Ok(()), |(wanted, inside)| {
            Err(TextError {
                message: format!(
                    "'{name}' runs on '{wanted}', not on '{inside}': expected it outside of '{inside}(...)'"
                ),
                span,
            })
        });
    }
    let names = (known.names)();
    let near = suggestion(name, names.iter().map(String::as_str));
    Err(TextError {
        message: format!("no pass or pipeline is called '{name}'{near}"),
        span,
    })
}

fn check_options_of(
    text: &str,
    name: Range<usize>,
    span: Range<usize>,
    known: &Known<'_>,
) -> Result<(), TextError> {
    let name = &text[name];
    let Some(specs) = (known.options)(name) else {
        return Ok(());
    };
    check_options(name, specs, &text[span.clone()]).map_err(|error| TextError {
        span: error.span.start + span.start..error.span.end + span.start,
        message: error.message,
    })
}

#[cfg(test)]
mod tests;
