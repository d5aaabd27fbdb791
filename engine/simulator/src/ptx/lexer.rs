//! PTX text to tokens, one at a time.
//!
//! The lexer never fails: what it does not know becomes a token of its own, which the parser then names in
//! its error. Left out on purpose: the values of numbers (`parser/number.rs`) and preprocessor lines, which
//! compilers no longer emit.

/// Kinds of token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name: `ld`, `%r1`, `$L__BB0_2`, `_`.
    Word,
    /// A word with a dot before it (the text leaves the dot out): `.global`, `.2d`, `.shared::cta`.
    Dotted,
    /// Anything that starts with a digit: `12`, `0x1FU`, `0f3F800000`, `1.5e-3`.
    Number,
    /// A string (the text leaves the quotes out, escapes are as written).
    Quoted,
    /// One ASCII character that the grammar uses.
    Punctuation(char),
    /// A character that PTX does not use.
    Unknown,
    /// A string or a comment that is never closed.
    Unclosed,
    /// The end of the text.
    End,
}

/// A token with the place it stands at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Token<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Its text.
    pub text: &'a str,
    /// Its line, from 1.
    pub line: u32,
}

/// Reads tokens off the front of a text.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
}

impl<'a> Lexer<'a> {
    /// A lexer at the start of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The next token; at the end of the text, [`Kind::End`] for ever.
    pub fn next_token(&mut self) -> Token<'a> {
        if let Some(unclosed) = self.skip_blanks() {
            return unclosed;
        }
        let start = self.at;
        let Some(first) = self.byte(0) else {
            return self.token(Kind::End, start, start);
        };
        match first {
            b'0'..=b'9' => {
                self.skip_number();
                self.token(Kind::Number, start, self.at)
            }
            b'.' if self.byte(1).is_some_and(is_name_byte) => {
                self.at += 1;
                self.skip_dotted();
                self.token(Kind::Dotted, start + 1, self.at)
            }
            b'"' => self.quoted(),
            _ if is_name_byte(first) => {
                self.skip_name();
                self.token(Kind::Word, start, self.at)
            }
            b'@' | b'!' | b'|' | b',' | b';' | b':' | b'{' | b'}' | b'(' | b')' | b'[' | b']' | b'<'
            | b'>' | b'=' | b'+' | b'-' | b'*' | b'/' | b'~' | b'.' => {
                self.at += 1;
                self.token(Kind::Punctuation(char::from(first)), start, self.at)
            }
            _ => {
                self.at += self.text[start..].chars().next().map_or(1, char::len_utf8);
                self.token(Kind::Unknown, start, self.at)
            }
        }
    }

    fn token(&self, kind: Kind, start: usize, end: usize) -> Token<'a> {
        Token { kind, text: &self.text[start..end], line: self.line }
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn skip_name(&mut self) {
        while self.byte(0).is_some_and(is_name_byte) {
            self.at += 1;
        }
    }

    /// A name that may hold `::`, as in `shared::cta` and `L2::128B`.
    fn skip_dotted(&mut self) {
        self.skip_name();
        while self.byte(0) == Some(b':')
            && self.byte(1) == Some(b':')
            && self.byte(2).is_some_and(is_name_byte)
        {
            self.at += 2;
            self.skip_name();
        }
    }

    fn skip_number(&mut self) {
        let start = self.at;
        self.skip_name();
        let decimal = self.text[start..self.at].bytes().all(|byte| byte.is_ascii_digit());
        if decimal && self.byte(0) == Some(b'.') && self.byte(1).is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
            self.skip_name();
        }
        // The sign of an exponent belongs to the number; the one after `0x1e` does not.
        let exponent = self.text[start..self.at]
            .strip_suffix(['e', 'E'])
            .is_some_and(|mantissa| mantissa.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'));
        if exponent
            && matches!(self.byte(0), Some(b'+' | b'-'))
            && self.byte(1).is_some_and(|byte| byte.is_ascii_digit())
        {
            self.at += 1;
            self.skip_name();
        }
    }

    fn quoted(&mut self) -> Token<'a> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.byte(0) {
                Some(b'"') => {
                    self.at += 1;
                    return self.token(Kind::Quoted, start + 1, self.at - 1);
                }
                Some(b'\\') if self.byte(1).is_some_and(|byte| byte != b'\n') => self.at += 1,
                None | Some(b'\n') => return self.token(Kind::Unclosed, start, self.at),
                Some(_) => {}
            }
            self.at += 1;
        }
    }

    /// Skips blanks and comments; gives a token if a comment is never closed.
    fn skip_blanks(&mut self) -> Option<Token<'a>> {
        loop {
            match self.byte(0) {
                Some(b'\n') => {
                    self.line = self.line.saturating_add(1);
                    self.at += 1;
                }
                Some(byte) if byte.is_ascii_whitespace() => self.at += 1,
                Some(b'/') if self.byte(1) == Some(b'/') => {
                    let rest = &self.text[self.at..];
                    self.at += rest.find('\n').unwrap_or(rest.len());
                }
                Some(b'/') if self.byte(1) == Some(b'*') => {
                    let start = self.at;
                    let Some(length) = self.text[start + 2..].find("*/") else {
                        self.at = self.text.len();
                        return Some(self.token(Kind::Unclosed, start, start + 2));
                    };
                    self.at = start + 2 + length + 2;
                    let lines = self.text[start..self.at].bytes().filter(|&byte| byte == b'\n').count();
                    self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
                }
                // NVRTC's text may end in the C string's zero.
                Some(0) if self.at + 1 == self.text.len() => self.at += 1,
                _ => return None,
            }
        }
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'%')
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    fn tokens(text: &str) -> Vec<(Kind, &str)> {
        let mut lexer = Lexer::new(text);
        std::iter::from_fn(|| Some(lexer.next_token()))
            .take_while(|token| token.kind != Kind::End)
            .map(|token| (token.kind, token.text))
            .collect()
    }

    #[test]
    fn every_kind_of_token() {
        use Kind::{Dotted, Number, Punctuation, Quoted, Unclosed, Unknown, Word};
        let cases: &[(&str, &[(Kind, &str)])] = &[
            ("ld.shared::cta.L2::128B", &[(Word, "ld"), (Dotted, "shared::cta"), (Dotted, "L2::128B")]),
            ("tex.2d", &[(Word, "tex"), (Dotted, "2d")]),
            ("$L__BB0_2:", &[(Word, "$L__BB0_2"), (Punctuation(':'), ":")]),
            ("%tid.x", &[(Word, "%tid"), (Dotted, "x")]),
            ("0x1e-4", &[(Number, "0x1e"), (Punctuation('-'), "-"), (Number, "4")]),
            ("1.5e-3 2E+4 8.8", &[(Number, "1.5e-3"), (Number, "2E+4"), (Number, "8.8")]),
            ("1;0f3F800000", &[(Number, "1"), (Punctuation(';'), ";"), (Number, "0f3F800000")]),
            (r#""C:\\a \"b\".cu""#, &[(Quoted, r#"C:\\a \"b\".cu"#)]),
            ("a // b\n/* c \n */ d", &[(Word, "a"), (Word, "d")]),
            ("\"open\n", &[(Unclosed, "\"open")]),
            ("/* open", &[(Unclosed, "/*")]),
            ("é\u{0}", &[(Unknown, "é")]),
            (".", &[(Punctuation('.'), ".")]),
        ];
        for (text, expected) in cases {
            assert_eq!(tokens(text), *expected, "{text:?}");
        }
    }

    #[test]
    fn lines_count_through_comments() {
        let mut lexer = Lexer::new("a\n/*\n\n*/ b // x\r\nc");
        let lines: Vec<u32> = (0..4).map(|_| lexer.next_token().line).collect();
        assert_eq!(lines, [1, 4, 5, 5]);
    }
}
