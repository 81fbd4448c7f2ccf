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
    let bytes: Bytes = text.parse()?;
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
        let Some(span) = option.value else { continue };
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
            let error = || {
                format!("{owner}: invalid value '{value}' for option '{name}': expected a number")
            };
            number.map(drop).map_err(|_| error())
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

/// Finds the first pass, option or value in the text of a pipeline that is certainly wrong.
pub(crate) fn check_pipeline(text: &str, known: &Known<'_>) -> Result<(), TextError> {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut open = Vec::new();
    while at < bytes.len() {
        let rest = &text[at..];
        let end = rest
            .find([',', '{', '(', ')'])
            .map_or(bytes.len(), |n| at + n);
        let name = trimmed(text, at..end);
        match bytes.get(end) {
            // An anchor, whose passes follow.
            Some(b'(') => {
                open.push(end);
                at = end + 1;
            }
            Some(b'{') => {
                check_name(text, name.clone(), known)?;
                let Some(close) = closing(bytes, end) else {
                    return Err(TextError {
                        span: end..end + 1,
                        message: "this brace is not closed: expected '}' after the options"
                            .to_owned(),
                    });
                };
                check_options_of(text, name, end + 1..close, known)?;
                at = close + 1;
            }
            other => {
                check_name(text, name, known)?;
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
        Some(open) => Err(TextError {
            span: open..open + 1,
            message: "this parenthesis is not closed: expected ')' after the passes".to_owned(),
        }),
        None => Ok(()),
    }
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

fn check_name(text: &str, span: Range<usize>, known: &Known<'_>) -> Result<(), TextError> {
    let name = &text[span.clone()];
    if name.is_empty() || (known.is_known)(name) {
        return Ok(());
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
mod tests {
    use super::*;

    const fn spec(
        name: &'static std::ffi::CStr,
        kind: OptionKind,
        choices: &'static [&'static str],
    ) -> OptionSpec {
        OptionSpec {
            name,
            about: c"",
            default: c"",
            kind,
            choices,
            example: "",
        }
    }

    static SPECS: [OptionSpec; 6] = [
        spec(c"strategy", OptionKind::Choice, &["auto", "exact"]),
        spec(c"capacity", OptionKind::Size, &[]),
        spec(c"segment", OptionKind::Integer, &[]),
        spec(c"optimize", OptionKind::Boolean, &[]),
        spec(c"output", OptionKind::String, &[]),
        spec(c"hierarchy", OptionKind::Hierarchy, &[]),
    ];

    /// The wrong part of a pipeline, and the message.
    fn error(text: &str) -> Option<(String, String)> {
        let known = Known {
            options: &|name| (name == "plan").then_some(&SPECS[..]),
            is_known: &|name| ["plan", "cse"].contains(&name),
            names: &|| vec!["plan".to_owned(), "cse".to_owned()],
        };
        let error = check_pipeline(text, &known).err()?;
        Some((text[error.span].to_owned(), error.message))
    }

    #[test]
    fn what_passes_accept_is_accepted() {
        let accepted = [
            "",
            "builtin.module(plan,cse)",
            "builtin.module( plan , func.func(cse) )",
            "builtin.module(plan{strategy=exact capacity=1MiB segment=-3 optimize})",
            "builtin.module(plan{strategy='exact' hierarchy=npu},cse{whatever=1})",
            "builtin.module(plan{output=\"a b, c(d)\" optimize=0 capacity=-1})",
            "builtin.module(plan{hierarchy=\"\" optimize=False})",
            "any(plan)",
        ];
        for text in accepted {
            assert_eq!(error(text), None, "{text}");
        }
    }

    #[test]
    fn text_without_a_meaning_is_left_to_the_parser() {
        for text in ["{}", ",,,", "=", "plan}"] {
            let found = error(text);
            assert!(
                found
                    .as_ref()
                    .is_none_or(|(_, message)| message.starts_with("no pass")),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn braces_and_parentheses_without_their_counterpart_are_found() {
        let brace = "this brace is not closed: expected '}' after the options";
        let parenthesis = "this parenthesis is not closed: expected ')' after the passes";
        for (text, part, message) in [
            ("builtin.module(plan{", "{", brace),
            ("plan{strategy=auto", "{", brace),
            ("(((", "(", parenthesis),
            ("builtin.module(plan", "(", parenthesis),
            ("))", ")", "this parenthesis closes nothing"),
            ("any(plan))", ")", "this parenthesis closes nothing"),
        ] {
            assert_eq!(
                error(text),
                Some((part.to_owned(), message.to_owned())),
                "{text}"
            );
        }
    }

    #[test]
    fn misspellings_are_found_where_they_are() {
        let found = |part: &str, message: &str| Some((part.to_owned(), message.to_owned()));
        assert_eq!(
            error("builtin.module(plam)"),
            found(
                "plam",
                "no pass or pipeline is called 'plam'; did you mean 'plan'?"
            )
        );
        assert_eq!(
            error("builtin.module(cse,func.func(other{x=1}))"),
            found("other", "no pass or pipeline is called 'other'")
        );
        assert_eq!(
            error("builtin.module(plan{capcity=3})"),
            found(
                "capcity",
                "plan: no such option 'capcity': expected strategy, capacity, segment, optimize, output or \
                 hierarchy; did you mean 'capacity'?"
            )
        );
        assert_eq!(
            error("builtin.module(plan{capacity=3 strategy=\"axact\"})"),
            found(
                "axact",
                "plan: unknown value 'axact' for option 'strategy': expected auto or exact; did you mean \
                 'exact'?"
            )
        );
    }

    #[test]
    fn values_of_the_wrong_kind_are_found() {
        let message = |text: &str| error(text).expect("an error").1;
        assert_eq!(
            message("plan{capacity=1M}"),
            "plan: invalid value for option 'capacity': unknown unit 'M' in '1M': did you mean 'MiB' or \
             'MB'?"
        );
        assert_eq!(
            message("plan{capacity=8EiB}"),
            "plan: invalid value for option 'capacity': '8EiB' is too large: sizes are below 8EiB"
        );
        assert_eq!(
            message("plan{segment=few}"),
            "plan: invalid value 'few' for option 'segment': expected a number"
        );
        assert_eq!(
            message("plan{optimize=ture}"),
            "plan: invalid value 'ture' for option 'optimize': expected true or false; did you mean 'true'?"
        );
        assert!(message("plan{hierarchy=nqu}").ends_with("; did you mean 'npu'?"));
    }

    #[test]
    fn sizes_may_be_absent() {
        assert_eq!(parse_size("-1"), Ok(-1));
        assert_eq!(parse_size("64KiB"), Ok(65_536));
        assert!(parse_size("-1KiB").is_err());
        assert!(parse_size("").is_err());
    }
}
