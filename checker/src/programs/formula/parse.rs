//! Text to a formula: precedences as in C.

use super::{Formula, Value};

/// Binary operators, from the weakest to the strongest; longer spellings before their beginnings.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

/// Functions over a range.
const OVER: &[&str] = &["sum", "largest", "smallest", "any", "xor"];

/// Reads a formula.
pub(super) fn parse(text: &str) -> Result<Formula, String> {
    let mut parser = Parser { rest: text.trim() };
    let formula = parser.choice()?;
    if parser.rest.is_empty() { Ok(formula) } else { Err(format!("`{}` is left over", parser.rest)) }
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn take(&mut self, token: &str) -> bool {
        let Some(rest) = self.rest.strip_prefix(token) else { return false };
        self.rest = rest.trim_start();
        true
    }

    fn want(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) { Ok(()) } else { Err(format!("`{token}` is missing before `{}`", self.rest)) }
    }

    fn while_matches(&mut self, matches: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !matches(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        word
    }

    fn choice(&mut self) -> Result<Formula, String> {
        let condition = self.level(0)?;
        if !self.take("?") {
            return Ok(condition);
        }
        let then = self.choice()?;
        self.want(":")?;
        Ok(Formula::Choice(Box::new([condition, then, self.choice()?])))
    }

    fn level(&mut self, level: usize) -> Result<Formula, String> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.level(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.starts(operator)) {
            self.take(operator);
            left = Formula::Binary(operator, Box::new(left), Box::new(self.level(level + 1)?));
        }
        Ok(left)
    }

    /// Whether this operator comes next, and not a longer one that begins alike.
    fn starts(&self, operator: &str) -> bool {
        let Some(after) = self.rest.strip_prefix(operator) else { return false };
        match operator {
            "|" | "&" | "<" | ">" => !after.starts_with(operator),
            _ => true,
        }
    }

    fn unary(&mut self) -> Result<Formula, String> {
        for operator in ["-", "!", "~"] {
            if self.take(operator) {
                return Ok(Formula::Unary(operator, Box::new(self.unary()?)));
            }
        }
        if self.take("(") {
            let inner = self.choice()?;
            self.want(")")?;
            return Ok(inner);
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        let name = self.while_matches(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
        if name.is_empty() {
            return Err(format!("a value is missing before `{}`", self.rest));
        }
        if self.take("[") {
            let index = self.choice()?;
            self.want("]")?;
            return Ok(Formula::Element(name, Box::new(index)));
        }
        if OVER.contains(&name.as_str()) && self.take("(") {
            let variable = self.while_matches(|c| c.is_ascii_alphanumeric() || c == '_').to_owned();
            self.want(",")?;
            let first = self.choice()?;
            self.want(",")?;
            let end = self.choice()?;
            self.want(",")?;
            let body = self.choice()?;
            self.want(")")?;
            return Ok(Formula::Over(name, variable, Box::new([first, end, body])));
        }
        if self.take("(") {
            let mut arguments = vec![self.choice()?];
            while self.take(",") {
                arguments.push(self.choice()?);
            }
            self.want(")")?;
            return Ok(Formula::Call(name, arguments));
        }
        Ok(match name.as_str() {
            "nan" => Formula::Literal(Value::Float(f64::NAN)),
            "inf" => Formula::Literal(Value::Float(f64::INFINITY)),
            _ => Formula::Name(name),
        })
    }

    fn number(&mut self) -> Result<Formula, String> {
        if let Some(rest) = self.rest.strip_prefix("0x") {
            self.rest = rest;
            let digits = self.while_matches(|c| c.is_ascii_hexdigit());
            let value = i128::from_str_radix(digits, 16).map_err(|error| error.to_string())?;
            return Ok(Formula::Literal(Value::Int(value)));
        }
        // An exponent's sign belongs to the number; nothing else after an `e` can be meant.
        let mut end = 0;
        let bytes = self.rest.as_bytes();
        while let Some(byte) = bytes.get(end) {
            let after_e = end > 0 && bytes[end - 1] == b'e';
            if !(byte.is_ascii_digit()
                || matches!(byte, b'.' | b'e')
                || after_e && matches!(byte, b'+' | b'-'))
            {
                break;
            }
            end += 1;
        }
        let (digits, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        let wrong = |error: &dyn std::fmt::Display| format!("`{digits}`: {error}");
        let value = if digits.contains(['.', 'e']) {
            Value::Float(digits.parse().map_err(|error| wrong(&error))?)
        } else {
            Value::Int(digits.parse().map_err(|error| wrong(&error))?)
        };
        Ok(Formula::Literal(value))
    }
}
