//! Lexer: splits a line of text into tokens with columns.

use super::{TextError, TextErrorKind};

/// A token and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    /// Column in characters, from 1.
    pub column: usize,
    /// The token itself.
    pub kind: TokenKind,
}

/// A token. A word is any run of characters other than whitespace, `"` and `#`: `step`, `b12`, `=`,
/// `0..128`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A keyword, an id, a number or a range.
    Word(String),
    /// A quoted string, with escapes resolved.
    Text(String),
}

/// Splits line number `line` into tokens. A `#` outside of a string starts a comment.
pub(super) fn tokens_of(line: usize, text: &str) -> Result<Vec<Token>, TextError> {
    let mut tokens = Vec::new();
    let mut chars = Chars {
        line,
        column: 1,
        rest: text.chars().peekable(),
    };
    while let Some(&next) = chars.rest.peek() {
        let column = chars.column;
        match next {
            '#' => break,
            c if c.is_whitespace() => {
                chars.bump();
            }
            '"' => {
                chars.bump();
                let kind = TokenKind::Text(chars.string()?);
                tokens.push(Token { column, kind });
            }
            _ => {
                let kind = TokenKind::Word(chars.word());
                tokens.push(Token { column, kind });
            }
        }
    }
    Ok(tokens)
}

struct Chars<'a> {
    line: usize,
    column: usize,
    rest: std::iter::Peekable<std::str::Chars<'a>>,
}

impl Chars<'_> {
    fn bump(&mut self) -> Option<char> {
        self.column += 1;
        self.rest.next()
    }

    fn error<T>(&self, kind: TextErrorKind) -> Result<T, TextError> {
        // Point at the character that was just consumed.
        let (line, column) = (self.line, self.column.saturating_sub(1).max(1));
        Err(TextError { line, column, kind })
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(&c) = self.rest.peek() {
            if c.is_whitespace() || c == '"' || c == '#' {
                break;
            }
            word.push(c);
            self.bump();
        }
        word
    }

    fn string(&mut self) -> Result<String, TextError> {
        let (line, column) = (self.line, self.column - 1);
        let mut text = String::new();
        loop {
            match self.bump() {
                None => {
                    let kind = TextErrorKind::OpenString;
                    return Err(TextError { line, column, kind });
                }
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some(c) => text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Result<char, TextError> {
        match self.bump() {
            Some(c @ ('"' | '\\')) => Ok(c),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') => self.code_point(),
            _ => self.error(TextErrorKind::Escape),
        }
    }

    fn code_point(&mut self) -> Result<char, TextError> {
        if self.bump() != Some('{') {
            return self.error(TextErrorKind::Escape);
        }
        let mut digits = String::new();
        loop {
            match self.bump() {
                Some('}') => break,
                Some(c) if c.is_ascii_hexdigit() && digits.len() < 6 => digits.push(c),
                _ => return self.error(TextErrorKind::Escape),
            }
        }
        match u32::from_str_radix(&digits, 16)
            .ok()
            .and_then(char::from_u32)
        {
            Some(c) => Ok(c),
            None => self.error(TextErrorKind::Escape),
        }
    }
}
