//! CUDA C++ text to the tokens that the search for launches needs. Comments and literals that look like code give no
//! such tokens.
//!
//! Left out: trigraphs, alternative spellings but for the `%:` of a directive, and line ends with `\` in the middle of
//! other operators.

use crate::error::RewriteError;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A name or keyword.
    Name,
    /// A number, with its suffix and digit separators.
    Number,
    /// A string or character literal of any kind.
    Literal,
    /// One character of an operator.
    Mark(char),
}

/// One token, its place, and its preprocessor directive.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token {
    pub kind: Kind,
    /// Byte offset of its first character.
    pub start: usize,
    /// Byte offset after its last character.
    pub end: usize,
    /// Number of the directive it belongs to, from 1; 0 for ordinary text.
    pub directive: usize,
}

impl Token {
    pub fn is(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }

    pub fn text<'a>(&self, source: &'a str) -> &'a str {
        &source[self.start..self.end]
    }
}

/// All tokens of a source, or the error of an unclosed comment or literal.
pub(crate) fn tokens(source: &str) -> Result<Vec<Token>, RewriteError> {
    let mut lexer =
        Lexer { source, at: 0, directive: None, directives: 0, line_start: true, tokens: Vec::new() };
    while lexer.at < source.len() {
        lexer.step()?;
    }
    Ok(lexer.tokens)
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    /// The number of the directive on the current line, if there is one.
    directive: Option<usize>,
    directives: usize,
    /// Whether only blanks and comments precede on this line.
    line_start: bool,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn step(&mut self) -> Result<(), RewriteError> {
        let rest = self.rest();
        let first = rest.chars().next().unwrap_or('\n');
        if let Some(length) = splice(rest) {
            self.at += length;
        } else if first == '\n' {
            self.at += 1;
            self.directive = None;
            self.line_start = true;
        } else if first.is_whitespace() || first == '\u{feff}' {
            self.at += first.len_utf8();
        } else if rest.starts_with("//") {
            self.at += to_line_end(rest);
        } else if let Some(comment) = rest.strip_prefix("/*") {
            let length = comment.find("*/").ok_or_else(|| {
                RewriteError::at(
                    self.source,
                    self.at,
                    "this comment is never closed: write `*/` where it ends",
                )
            })?;
            self.at += 2 + length + 2;
        } else {
            self.token(first)?;
        }
        Ok(())
    }

    fn token(&mut self, first: char) -> Result<(), RewriteError> {
        let digraph = digraph_length(self.rest()).filter(|_| self.line_start);
        if self.line_start && (first == '#' || digraph.is_some()) {
            self.directives += 1;
            self.directive = Some(self.directives);
        }
        self.line_start = false;
        let rest = self.rest();
        let second = rest[first.len_utf8()..].chars().next().unwrap_or(' ');
        let (kind, length) = if let Some(length) = digraph {
            (Kind::Mark('#'), length)
        } else if is_name_start(first) {
            let name = name_length(rest);
            match (&rest[..name], rest[name..].chars().next()) {
                ("R" | "u8R" | "uR" | "UR" | "LR", Some('"')) => (Kind::Literal, self.raw_string(name)?),
                ("u8" | "u" | "U" | "L", Some(quote @ ('"' | '\''))) => {
                    (Kind::Literal, name + quoted_length(&rest[name..], quote))
                }
                _ => (Kind::Name, name),
            }
        } else if first.is_ascii_digit() || (first == '.' && second.is_ascii_digit()) {
            (Kind::Number, number_length(rest))
        } else if first == '"' || first == '\'' {
            (Kind::Literal, quoted_length(rest, first))
        } else {
            (Kind::Mark(first), first.len_utf8())
        };
        let directive = self.directive.unwrap_or(0);
        self.tokens.push(Token { kind, start: self.at, end: self.at + length, directive });
        self.at += length;
        Ok(())
    }

    /// Length of a raw string whose prefix takes `prefix` bytes.
    fn raw_string(&self, prefix: usize) -> Result<usize, RewriteError> {
        let rest = self.rest();
        let open = prefix + 1;
        let unclosed = || {
            RewriteError::at(
                self.source,
                self.at,
                "this raw string is never closed: `R\"(` ends at the first `)\"`",
            )
        };
        let delimiter =
            rest[open..].find('(').map(|length| &rest[open..open + length]).ok_or_else(unclosed)?;
        let body = open + delimiter.len() + 1;
        let close = format!("){delimiter}\"");
        let length = rest[body..].find(&close).ok_or_else(unclosed)?;
        Ok(body + length + close.len())
    }
}

/// Length of a `%:`, if the text starts with one: another spelling of `#`.
fn digraph_length(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix('%')?;
    while let Some(length) = splice(rest) {
        rest = &rest[length..];
    }
    rest.starts_with(':').then(|| text.len() - rest.len() + 1)
}

/// Length of a `\` at a line's end with that end, if the text starts with one.
fn splice(text: &str) -> Option<usize> {
    [("\\\n", 2), ("\\\r\n", 3)]
        .into_iter()
        .find(|(start, _)| text.starts_with(start))
        .map(|(_, length)| length)
}

/// Length up to the end of the line, `\` at its end continuing it.
fn to_line_end(text: &str) -> usize {
    let mut at = 0;
    while at < text.len() && !text[at..].starts_with('\n') {
        at += splice(&text[at..]).unwrap_or_else(|| text[at..].chars().next().map_or(1, char::len_utf8));
    }
    at
}

fn is_name_start(c: char) -> bool {
    c.is_alphabetic() || c == '_' || c == '$'
}

fn is_name_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

fn name_length(text: &str) -> usize {
    let mut at = 0;
    loop {
        let rest = &text[at..];
        let joined = splice(rest).filter(|&length| rest[length..].starts_with(is_name_part));
        match rest.chars().next() {
            Some(c) if is_name_part(c) => at += c.len_utf8(),
            _ => match joined {
                Some(length) => at += length,
                None => return at,
            },
        }
    }
}

fn number_length(text: &str) -> usize {
    let mut at = 0;
    let mut previous = ' ';
    for c in text.chars() {
        let exponent_sign = matches!(c, '+' | '-') && matches!(previous, 'e' | 'E' | 'p' | 'P');
        let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
        let sign = exponent_sign && (!hexadecimal || matches!(previous, 'p' | 'P'));
        let separator = c == '\'' && text[at + 1..].starts_with(|next: char| next.is_ascii_alphanumeric());
        if !(is_name_part(c) || c == '.' || sign || separator) {
            break;
        }
        at += c.len_utf8();
        previous = c;
    }
    at
}

/// Length of a quoted literal; one that is not closed ends with its line, as in an `#error` text.
fn quoted_length(text: &str, quote: char) -> usize {
    let mut at = 1;
    while let Some(c) = text[at..].chars().next() {
        if let Some(length) = splice(&text[at..]) {
            at += length;
        } else if c == '\n' {
            break;
        } else if c == '\\' {
            at += 1 + text[at + 1..].chars().next().filter(|&next| next != '\n').map_or(0, char::len_utf8);
        } else {
            at += c.len_utf8();
            if c == quote {
                break;
            }
        }
    }
    at
}

/// The tokens of a source, one per line: its text without comments and blanks. The text itself if it cannot be read.
pub fn tokens_alone(source: &str) -> String {
    let Ok(tokens) = tokens(source) else { return source.to_owned() };
    let lines: Vec<&str> = tokens.iter().map(|token| token.text(source)).collect();
    lines.join("\n")
}

/// The same tokens, each with the byte at which it begins. Text that is no CUDA C++ is one token per word.
pub fn tokens_at(source: &str) -> Vec<(usize, &str)> {
    match tokens(source) {
        Ok(tokens) => tokens.iter().map(|token| (token.start, token.text(source))).collect(),
        Err(_) => source
            .split_whitespace()
            .map(|word| (word.as_ptr() as usize - source.as_ptr() as usize, word))
            .collect(),
    }
}
