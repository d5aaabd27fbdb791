//! The place in the text, with one token of look-ahead, and the errors that name what stands there.

use super::super::error::ParseError;
use super::super::lexer::{Kind, Lexer, Token};
use super::number::{self, Literal};

/// The longest piece of the text that an error repeats.
const LONGEST_EXCERPT: usize = 40;

/// Reads a text token by token.
pub(super) struct Cursor<'a> {
    lexer: Lexer<'a>,
    current: Token<'a>,
    following: Token<'a>,
}

impl<'a> Cursor<'a> {
    /// A cursor before the first token of `text`.
    pub fn new(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        let current = lexer.next_token();
        let following = lexer.next_token();
        Self { lexer, current, following }
    }

    /// The token that comes next.
    pub fn peek(&self) -> Token<'a> {
        self.current
    }

    /// The kind of the token after the next.
    pub fn peek_second(&self) -> Kind {
        self.following.kind
    }

    /// Takes the next token.
    pub fn advance(&mut self) -> Token<'a> {
        let taken = self.current;
        self.current = self.following;
        self.following = self.lexer.next_token();
        taken
    }

    /// Whether `sign` comes next.
    pub fn at(&self, sign: char) -> bool {
        self.current.kind == Kind::Punctuation(sign)
    }

    /// Whether `.word` comes next.
    pub fn at_dotted(&self, word: &str) -> bool {
        self.current.kind == Kind::Dotted && self.current.text == word
    }

    /// Takes `sign` if it comes next.
    pub fn eat(&mut self, sign: char) -> bool {
        let found = self.at(sign);
        if found {
            self.advance();
        }
        found
    }

    /// Takes a token with a dot if one comes next; gives it without the dot.
    pub fn eat_dotted(&mut self) -> Option<&'a str> {
        (self.current.kind == Kind::Dotted).then(|| self.advance().text)
    }

    /// Takes `sign`, which must come next; `place` says where, as in `after the operands`.
    pub fn expect(&mut self, sign: char, place: &str) -> Result<(), ParseError> {
        if self.eat(sign) { Ok(()) } else { Err(self.expected(&format!("`{sign}` {place}"))) }
    }

    /// Takes a token of this kind, which must come next.
    pub fn expect_kind(&mut self, kind: Kind, what: &str) -> Result<Token<'a>, ParseError> {
        if self.current.kind == kind { Ok(self.advance()) } else { Err(self.expected(what)) }
    }

    /// Takes a name.
    pub fn name(&mut self, what: &str) -> Result<&'a str, ParseError> {
        Ok(self.expect_kind(Kind::Word, what)?.text)
    }

    /// Takes a number with any signs before it.
    pub fn literal(&mut self, what: &str) -> Result<Literal, ParseError> {
        let mut negative = false;
        let mut inverted = false;
        loop {
            if self.eat('-') {
                negative = !negative;
            } else if !inverted && !negative && self.eat('~') {
                inverted = true;
            } else if !self.eat('+') {
                break;
            }
        }
        let token = self.expect_kind(Kind::Number, what)?;
        let literal = number::parse(token.text).ok_or_else(|| expected_at(token, what))?;
        let literal = if negative { literal.negated() } else { literal };
        match (inverted, literal) {
            (true, Literal::Integer(value)) => Ok(Literal::Integer(!value)),
            (true, _) => Err(expected_at(token, "an integer after `~`")),
            (false, literal) => Ok(literal),
        }
    }

    /// Takes an integer with any signs before it.
    pub fn integer(&mut self, what: &str) -> Result<i64, ParseError> {
        let token = self.current;
        match self.literal(what)? {
            Literal::Integer(value) => Ok(value),
            Literal::Single(_) | Literal::Double(_) => Err(expected_at(token, what)),
        }
    }

    /// Takes an integer that fits 32 bits, unsigned.
    pub fn small(&mut self, what: &str) -> Result<u32, ParseError> {
        let token = self.current;
        let value = self.integer(what)?;
        u32::try_from(value).map_err(|_| error_at(token.line, format!("expected {what}, found `{value}`")))
    }

    /// Takes any number of `+ n` and `- n`; gives their sum.
    pub fn offset(&mut self) -> Result<i64, ParseError> {
        let mut sum = 0_i64;
        loop {
            let negative = self.at('-');
            if !negative && !self.at('+') {
                return Ok(sum);
            }
            self.advance();
            let value = self.integer("a whole number of bytes")?;
            sum = if negative { sum.wrapping_sub(value) } else { sum.wrapping_add(value) };
        }
    }

    /// The error that `what` was expected at the next token.
    pub fn expected(&self, what: &str) -> ParseError {
        expected_at(self.current, what)
    }
}

/// The error that `what` was expected in place of `token`.
pub(super) fn expected_at(token: Token<'_>, what: &str) -> ParseError {
    error_at(token.line, format!("expected {what}, found {}", describe(token)))
}

/// An error at a line.
pub(super) fn error_at(line: u32, message: String) -> ParseError {
    ParseError { line, message }
}

fn describe(token: Token<'_>) -> String {
    let text: String = token.text.chars().take(LONGEST_EXCERPT).collect();
    let text = if text.len() < token.text.len() { text + "…" } else { text };
    match token.kind {
        Kind::Dotted => format!("`.{text}`"),
        Kind::Quoted => format!("`\"{text}\"`"),
        Kind::Unclosed if text.starts_with('/') => "a comment that is never closed".to_owned(),
        Kind::Unclosed => format!("a string that is never closed, `{text}`"),
        Kind::Unknown => format!("a character that PTX does not use, {text:?}"),
        Kind::End => "the end of the text".to_owned(),
        Kind::Word | Kind::Number | Kind::Punctuation(_) => format!("`{text}`"),
    }
}
