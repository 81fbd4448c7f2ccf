//! Lines of tokens: what the parsers of all text forms are built from.
//!
//! A parser takes the lines one by one, and the words of a line one by one. Errors carry the
//! position of the first word that was not taken.

use std::fmt::Display;

use super::lexer::{Token, TokenKind, tokens_of};
use super::{TextError, TextErrorKind};
use crate::{Bytes, Interval};

/// The non-empty lines, in order.
pub(super) struct Lines {
    lines: std::iter::Peekable<std::vec::IntoIter<Line>>,
    n_lines: usize,
}

impl Lines {
    pub(super) fn new(text: &str) -> Result<Self, TextError> {
        let mut lines = Vec::new();
        let mut n_lines = 0;
        for (index, text) in text.lines().enumerate() {
            n_lines = index + 1;
            let tokens = tokens_of(n_lines, text)?;
            if !tokens.is_empty() {
                lines.push(Line {
                    number: n_lines,
                    end_column: text.chars().count() + 1,
                    tokens: tokens.into_iter().peekable(),
                });
            }
        }
        let lines = lines.into_iter().peekable();
        Ok(Self { lines, n_lines })
    }

    /// Takes the header, which consists of the name of the format and its version.
    pub(super) fn header(&mut self, format: &'static str, version: u64) -> Result<(), TextError> {
        let wanted = TextErrorKind::Header { format, version };
        let Some(mut line) = self.next() else {
            return Err(TextError {
                line: 1,
                column: 1,
                kind: wanted,
            });
        };
        if !line.take_word(format) {
            return line.error(wanted);
        }
        let column = line.clone();
        match line.number("the version")? {
            found if found == version => line.end(),
            found => column.error(TextErrorKind::Version { found, version }),
        }
    }

    pub(super) fn next(&mut self) -> Option<Line> {
        self.lines.next()
    }

    /// Takes the next line if its first word is `word`, and strips that word.
    pub(super) fn next_starting_with(&mut self, word: &str) -> Option<Line> {
        let line = self.lines.peek_mut()?;
        line.take_word(word).then(|| self.lines.next())?
    }

    pub(super) fn fail<T>(&mut self, wanted: &'static str) -> Result<T, TextError> {
        match self.next() {
            Some(line) => line.fail(wanted),
            None => Err(TextError {
                line: self.n_lines + 1,
                column: 1,
                kind: TextErrorKind::Truncated,
            }),
        }
    }
}

/// The unread tokens of one line.
#[derive(Clone)]
pub(super) struct Line {
    /// Line number, from 1.
    pub(super) number: usize,
    end_column: usize,
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
}

impl Line {
    pub(super) fn error<T>(mut self, kind: TextErrorKind) -> Result<T, TextError> {
        let column = self.tokens.peek().map_or(self.end_column, |t| t.column);
        let line = self.number;
        Err(TextError { line, column, kind })
    }

    pub(super) fn fail<T>(mut self, wanted: &'static str) -> Result<T, TextError> {
        let found = match self.tokens.peek().map(|t| &t.kind) {
            Some(TokenKind::Word(word)) => format!("'{word}'"),
            Some(TokenKind::Text(_)) => "a string".to_owned(),
            None => "the end of the line".to_owned(),
        };
        self.error(TextErrorKind::Unexpected { wanted, found })
    }

    pub(super) fn is_at_end(&mut self) -> bool {
        self.tokens.peek().is_none()
    }

    /// Whether the next token is a string.
    pub(super) fn is_at_text(&mut self) -> bool {
        matches!(
            self.tokens.peek().map(|t| &t.kind),
            Some(TokenKind::Text(_))
        )
    }

    pub(super) fn end(mut self) -> Result<(), TextError> {
        if self.is_at_end() {
            return Ok(());
        }
        self.fail("the end of the line")
    }

    pub(super) fn peek_word(&mut self) -> Option<&str> {
        match &self.tokens.peek()?.kind {
            TokenKind::Word(word) => Some(word),
            TokenKind::Text(_) => None,
        }
    }

    pub(super) fn take_word(&mut self, wanted: &str) -> bool {
        let is_next = self.peek_word() == Some(wanted);
        if is_next {
            self.tokens.next();
        }
        is_next
    }

    pub(super) fn word(&mut self, wanted: &'static str) -> Result<(), TextError> {
        if self.take_word(wanted) {
            return Ok(());
        }
        self.clone().fail(wanted)
    }

    pub(super) fn text(&mut self, wanted: &'static str) -> Result<String, TextError> {
        match self
            .tokens
            .next_if(|t| matches!(t.kind, TokenKind::Text(_)))
        {
            Some(Token {
                kind: TokenKind::Text(text),
                ..
            }) => Ok(text),
            _ => self.clone().fail(wanted),
        }
    }

    /// Takes the next word if `read` accepts it.
    pub(super) fn take<T>(&mut self, read: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        let value = read(self.peek_word()?)?;
        self.tokens.next();
        Some(value)
    }

    /// Parses the next word with `read`, which returns `None` unless the word is `wanted`.
    pub(super) fn read<T>(
        &mut self,
        wanted: &'static str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, TextError> {
        match self.take(read) {
            Some(value) => Ok(value),
            None => self.clone().fail(wanted),
        }
    }

    pub(super) fn number(&mut self, wanted: &'static str) -> Result<u64, TextError> {
        let word = self.peek_word().map(str::to_owned);
        match word {
            Some(word) if is_decimal(&word) && word.parse::<u64>().is_err() => {
                self.clone().error(TextErrorKind::Number(word))
            }
            _ => self.read(wanted, parse_decimal),
        }
    }

    pub(super) fn bytes(&mut self, wanted: &'static str) -> Result<Bytes, TextError> {
        self.number(wanted).map(Bytes::new)
    }

    pub(super) fn id(&mut self, prefix: &str, wanted: &'static str) -> Result<usize, TextError> {
        self.read(wanted, |word| {
            let number = parse_decimal(word.strip_prefix(prefix)?)?;
            // Ids have 32 bits.
            u32::try_from(number).ok().map(|id| id as usize)
        })
    }

    pub(super) fn id_in_order(
        &mut self,
        prefix: &str,
        next: impl Display,
    ) -> Result<(), TextError> {
        let before = self.clone();
        let found = self.id(prefix, "the next id")?;
        let (wanted, found) = (next.to_string(), format!("{prefix}{found}"));
        if wanted == found {
            return Ok(());
        }
        before.error(TextErrorKind::Id { wanted, found })
    }

    pub(super) fn one_of<T: Copy, const N: usize>(
        &mut self,
        choices: [T; N],
        word_of: impl Fn(T) -> &'static str,
        wanted: &'static str,
    ) -> Result<T, TextError> {
        self.read(wanted, |word| {
            choices.into_iter().find(|&c| word_of(c) == word)
        })
    }

    pub(super) fn location(&mut self) -> Result<String, TextError> {
        if self.take_word("loc") {
            return self.text("a location");
        }
        Ok(String::new())
    }

    pub(super) fn optional_range(
        &mut self,
        word: &str,
    ) -> Result<Option<Interval<Bytes>>, TextError> {
        if !self.take_word(word) {
            return Ok(None);
        }
        self.read("a range of bytes, as in 0..128", parse_range)
            .map(Some)
    }
}

pub(super) fn parse_range(word: &str) -> Option<Interval<Bytes>> {
    let (start, end) = word.split_once("..")?;
    let bytes = |digits| parse_decimal(digits).map(Bytes::new);
    Some(Interval::new(bytes(start)?, bytes(end)?))
}

fn is_decimal(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit())
}

pub(super) fn parse_decimal(word: &str) -> Option<u64> {
    is_decimal(word).then(|| word.parse().ok())?
}
