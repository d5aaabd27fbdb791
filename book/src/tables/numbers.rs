//! Numbers as cells.

/// A number that a file may lack.
pub fn or_dash(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(dash, |value| format!("{value:.digits$}"))
}

/// The cell of a missing number.
pub fn dash() -> String {
    "–".to_owned()
}

/// The different values, in the order of their first occurrence.
pub fn distinct<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut known = Vec::new();
    for value in values {
        if !known.contains(&value) {
            known.push(value);
        }
    }
    known
}

/// A launch of a rung's call; the first launch has no number.
pub fn launch(rung: &str, task: &str, launch: usize) -> String {
    let number = if launch > 0 { format!(", launch {}", launch + 1) } else { String::new() };
    format!("`{rung}`, `{task}`{number}")
}

/// Four significant digits.
pub fn rounded(value: f64) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// `9453529` as `9 453 529`, with spaces that do not break.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) && digits.len() > 4 {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn numbers_keep_four_digits() {
        assert_eq!([291.2, 1265.1, 0.000_123_456, 11.9].map(rounded), ["291.2", "1265", "0.0001235", "11.9"]);
        assert_eq!(
            [1234, 12_345, 9_453_529].map(grouped),
            ["1234", "12\u{202f}345", "9\u{202f}453\u{202f}529"]
        );
    }

    #[test]
    fn the_first_launch_has_no_number() {
        assert_eq!(
            [0, 1].map(|number| launch("01_a", "t", number)),
            ["`01_a`, `t`", "`01_a`, `t`, launch 2"]
        );
    }
}
