//! The values of number literals.

/// A literal's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Literal {
    /// An integer, as its 64-bit pattern.
    Integer(i64),
    /// `0f…`: the bits of a float.
    Single(u32),
    /// `0d…` or a decimal fraction: the bits of a double, as PTX gives every other float literal 64 bits.
    Double(u64),
}

impl Literal {
    /// The literal after a minus sign.
    pub fn negated(self) -> Self {
        match self {
            Self::Integer(value) => Self::Integer(value.wrapping_neg()),
            Self::Single(bits) => Self::Single(bits ^ 1 << 31),
            Self::Double(bits) => Self::Double(bits ^ 1 << 63),
        }
    }
}

/// The value of a literal without its sign, or nothing if `text` is none.
pub(super) fn parse(text: &str) -> Option<Literal> {
    if let Some(digits) = strip_either(text, "0f", "0F") {
        return (digits.len() == 8)
            .then(|| unsigned(digits, 16))
            .flatten()
            .map(|bits| Literal::Single(bits as u32));
    }
    if let Some(digits) = strip_either(text, "0d", "0D") {
        return (digits.len() == 16).then(|| unsigned(digits, 16)).flatten().map(Literal::Double);
    }
    let plain = text.strip_suffix('U').unwrap_or(text);
    let integer = if let Some(digits) = strip_either(plain, "0x", "0X") {
        unsigned(digits, 16)
    } else if let Some(digits) = strip_either(plain, "0b", "0B") {
        unsigned(digits, 2)
    } else if text.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
        return decimal_fraction(text);
    } else if plain.len() > 1 && plain.starts_with('0') {
        unsigned(plain, 8)
    } else {
        unsigned(plain, 10)
    };
    integer.map(|value| Literal::Integer(value as i64))
}

fn strip_either<'a>(text: &'a str, one: &str, other: &str) -> Option<&'a str> {
    text.strip_prefix(one).or_else(|| text.strip_prefix(other))
}

fn unsigned(digits: &str, radix: u32) -> Option<u64> {
    // `from_str_radix` also takes a sign, which no literal of the lexer holds outside an exponent.
    u64::from_str_radix(digits, radix).ok()
}

fn decimal_fraction(text: &str) -> Option<Literal> {
    let number =
        text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'e' | b'E' | b'+' | b'-'));
    if !number {
        return None;
    }
    text.parse::<f64>().ok().map(|value| Literal::Double(value.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pretty_assertions::assert_eq;

    #[test]
    fn values_of_literals() {
        use Literal::{Double, Integer, Single};
        let cases = [
            ("0", Some(Integer(0))),
            ("12U", Some(Integer(12))),
            ("0x1F", Some(Integer(31))),
            ("0X1fU", Some(Integer(31))),
            ("0b101", Some(Integer(5))),
            ("017", Some(Integer(15))),
            ("18446744073709551615", Some(Integer(-1))),
            ("18446744073709551616", None),
            ("0f3F800000", Some(Single(0x3F80_0000))),
            ("0F7fc00000", Some(Single(0x7FC0_0000))),
            ("0f3F8", None),
            ("0d4000000000000000", Some(Double(0x4000_0000_0000_0000))),
            ("0d40", None),
            ("1.0", Some(Double(1.0_f64.to_bits()))),
            ("1.5e-3", Some(Double(1.5e-3_f64.to_bits()))),
            ("1e3", Some(Double(1000.0_f64.to_bits()))),
            ("08", None),
            ("0x", None),
            ("12ab", None),
            ("1e", None),
        ];
        for (text, expected) in cases {
            assert_eq!(parse(text), expected, "{text}");
        }
        assert_eq!(Integer(5).negated(), Integer(-5));
        assert_eq!(Single(0x3F80_0000).negated(), Single(0xBF80_0000));
        assert_eq!(Double(0).negated(), Double(1 << 63));
    }
}
