//! Expressions of whole numbers in the student's text, and their values.

use super::code::is_part;

/// An expression of whole numbers. Elements of arrays, pointers and fractions are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Number(i64),
    /// A variable, or a part of one: `t`, `threadIdx.x`.
    Name(String),
    /// `-a` or `!a`.
    Unary(char, Box<Expression>),
    /// Two sides and what is between.
    Binary(&'static str, Box<Expression>, Box<Expression>),
    /// `a ? b : c`.
    Choice(Box<Expression>, Box<Expression>, Box<Expression>),
    /// `min`, `max` or `ceil_div` of two.
    Call(&'static str, Box<Expression>, Box<Expression>),
}

/// Operators, those that bind weakest first.
const LEVELS: [&[&str]; 9] = [
    &["||"],
    &["&&"],
    &["|"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];
/// Functions of two numbers.
const CALLS: [&str; 3] = ["min", "max", "ceil_div"];
/// Types of whole numbers, for conversions.
const TYPES: [&str; 8] =
    ["int", "unsigned", "unsigned int", "uint32_t", "int32_t", "size_t", "long long", "long"];

/// The expression that a text is.
pub fn parsed(text: &str) -> Option<Expression> {
    let mut parser = Parser { rest: text.trim() };
    let found = parser.choice()?;
    parser.rest.is_empty().then_some(found)
}

impl Expression {
    /// The value, with those of names.
    pub fn value(&self, names: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Name(name) => names(name),
            Self::Unary('-', of) => of.value(names)?.checked_neg(),
            Self::Unary(_, of) => Some(i64::from(of.value(names)? == 0)),
            Self::Choice(condition, one, other) => {
                if condition.value(names)? != 0 { one } else { other }.value(names)
            }
            Self::Call(call, one, other) => {
                let (one, other) = (one.value(names)?, other.value(names)?);
                match *call {
                    "min" => Some(one.min(other)),
                    "max" => Some(one.max(other)),
                    _ => one.checked_add(other)?.checked_sub(1)?.checked_div(other),
                }
            }
            Self::Binary(operator, one, other) => {
                let one = one.value(names)?;
                // The right side need not be known where the left one decides.
                match *operator {
                    "&&" if one == 0 => return Some(0),
                    "||" if one != 0 => return Some(1),
                    _ => {}
                }
                combined(operator, one, other.value(names)?)
            }
        }
    }

    /// Whether a name is in it.
    pub fn any(&self, is: &dyn Fn(&str) -> bool) -> bool {
        match self {
            Self::Number(_) => false,
            Self::Name(name) => is(name),
            Self::Unary(_, of) => of.any(is),
            Self::Binary(_, one, other) | Self::Call(_, one, other) => one.any(is) || other.any(is),
            Self::Choice(condition, one, other) => condition.any(is) || one.any(is) || other.any(is),
        }
    }
}

fn combined(operator: &str, one: i64, other: i64) -> Option<i64> {
    match operator {
        "||" | "&&" => Some(i64::from(other != 0)),
        "|" => Some(one | other),
        "&" => Some(one & other),
        "==" => Some(i64::from(one == other)),
        "!=" => Some(i64::from(one != other)),
        "<=" => Some(i64::from(one <= other)),
        ">=" => Some(i64::from(one >= other)),
        "<" => Some(i64::from(one < other)),
        ">" => Some(i64::from(one > other)),
        "<<" => one.checked_mul(1_i64.checked_shl(u32::try_from(other).ok()?)?),
        ">>" => one.checked_shr(u32::try_from(other).ok()?),
        "+" => one.checked_add(other),
        "-" => one.checked_sub(other),
        "*" => one.checked_mul(other),
        "/" => one.checked_div(other),
        _ => one.checked_rem(other),
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl<'a> Parser<'a> {
    fn takes(&mut self, token: &str) -> bool {
        let rest = self.rest.strip_prefix(token).map(str::trim_start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn choice(&mut self) -> Option<Expression> {
        let condition = self.binary(0)?;
        if !self.takes("?") {
            return Some(condition);
        }
        let one = self.choice()?;
        let other = self.takes(":").then(|| self.choice())??;
        Some(Expression::Choice(condition.into(), one.into(), other.into()))
    }

    fn binary(&mut self, level: usize) -> Option<Expression> {
        let Some(operators) = LEVELS.get(level) else { return self.unary() };
        let mut one = self.binary(level + 1)?;
        while let Some(operator) = operators.iter().find(|operator| self.is_next(operator)) {
            self.takes(operator);
            let other = self.binary(level + 1)?;
            one = Expression::Binary(operator, one.into(), other.into());
        }
        Some(one)
    }

    /// Whether this operator comes next, and not a longer one that begins with it.
    fn is_next(&self, operator: &str) -> bool {
        let Some(behind) = self.rest.strip_prefix(operator) else { return false };
        let doubled = operator.len() == 1 && "|&<>".contains(operator) && behind.starts_with(operator);
        !(doubled || operator.len() == 1 && behind.starts_with('='))
    }

    fn unary(&mut self) -> Option<Expression> {
        for (sign, token) in [('-', "-"), ('!', "!")] {
            if self.takes(token) {
                return Some(Expression::Unary(sign, self.unary()?.into()));
            }
        }
        let cast = TYPES.into_iter().find(|kind| self.rest.starts_with(&format!("({kind})")));
        if let Some(kind) = cast {
            self.takes(&format!("({kind})"));
            return self.unary();
        }
        self.primary()
    }

    fn primary(&mut self) -> Option<Expression> {
        if self.takes("(") {
            let inner = self.choice()?;
            return self.takes(")").then_some(inner);
        }
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) {
            return self.number();
        }
        let mut name = self.word()?.to_owned();
        while self.rest.starts_with('.') {
            self.rest = &self.rest[1..];
            name = format!("{name}.{}", self.word()?);
        }
        self.rest = self.rest.trim_start();
        let convert = name == "static_cast" && TYPES.iter().any(|kind| self.takes(&format!("<{kind}>")));
        if convert || TYPES.contains(&name.as_str()) && self.rest.starts_with('(') {
            return self.takes("(").then(|| self.choice())?.filter(|_| self.takes(")"));
        }
        if let Some(call) = CALLS.into_iter().find(|call| *call == name)
            && self.takes("(")
        {
            let one = self.choice()?;
            let other = self.takes(",").then(|| self.choice())??;
            return self.takes(")").then(|| Expression::Call(call, one.into(), other.into()));
        }
        // A call, an element, or a part of what a pointer points to.
        (!self.rest.starts_with(['(', '[']) && !self.rest.starts_with("->")).then_some(Expression::Name(name))
    }

    fn word(&mut self) -> Option<&'a str> {
        let word = &self.rest[..self.rest.find(|c: char| !is_part(c)).unwrap_or(self.rest.len())];
        self.rest = &self.rest[word.len()..];
        (!word.is_empty()).then_some(word)
    }

    fn number(&mut self) -> Option<Expression> {
        let word = self.word()?.trim_end_matches(['u', 'U', 'l', 'L']);
        if self.rest.starts_with('.') {
            return None;
        }
        self.rest = self.rest.trim_start();
        let number = match word.strip_prefix("0x") {
            Some(digits) => i64::from_str_radix(digits, 16),
            None => word.parse(),
        };
        number.ok().map(Expression::Number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_the_values_that_c_gives_them() {
        let names = |name: &str| match name {
            "t" | "threadIdx.x" => Some(37),
            "width" => Some(100),
            _ => None,
        };
        for (text, value) in [
            ("t / 32 + t % 32", Some(6)),
            ("3 * (t - 1) + 2u", Some(110)),
            ("-2 + (int)threadIdx.x", Some(35)),
            ("t >= 32 && t < 64 ? t - 32 : 0", Some(5)),
            ("t < 32 && unknown", Some(0)),
            ("t & 0x1f", Some(5)),
            ("1 << 4 >> 2", Some(4)),
            ("min(width, 2 * 45)", Some(90)),
            ("static_cast<int>(t) == int(37)", Some(1)),
            ("gray[t]", None),
            ("0.5 * t", None),
            ("t / 0", None),
            ("f(t)", None),
            ("t +", None),
        ] {
            assert_eq!(parsed(text).and_then(|parsed| parsed.value(&names)), value, "{text}");
        }
    }
}
