//! Numbers for people: three significant digits, thousands grouped.

/// A number with three significant digits, or all digits before the decimal point: `0.0461`, `97.3`, `1,395`.
pub fn significant(value: f64) -> String {
    if !value.is_finite() {
        return value.to_string();
    }
    let shown = |decimals: usize| format!("{value:.decimals$}");
    let decimals = |value: f64| (2 - value.abs().log10().floor().clamp(-9.0, 2.0) as i32) as usize;
    if value == 0.0 {
        return shown(0);
    }
    // Rounding may add a digit before the point: 9.996 is 10.0.
    let rounded = shown(decimals(value)).parse().unwrap_or(value);
    let text = shown(decimals(rounded));
    if value >= 999.5 { grouped(value.round() as u64) } else { text }
}

/// `1,234,567`
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// The first elements of an array that have these numbers: `` `bins[0]`, `bins[2]`, `bins[4]`, … ``
pub(crate) fn few(name: &str, indices: &[usize]) -> String {
    let shown: Vec<String> = indices.iter().take(3).map(|at| format!("`{name}[{at}]`")).collect();
    let more = if indices.len() > shown.len() { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}

/// `line 3`, or `lines 3 and 5`.
pub fn lines_in_words(mut lines: Vec<u32>) -> Option<String> {
    lines.sort_unstable();
    lines.dedup();
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    match numbers.as_slice() {
        [] => None,
        [line] => Some(format!("line {line}")),
        [some @ .., last] => Some(format!("lines {} and {last}", some.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_get_three_digits() {
        let shown = [0.046_13, 0.999_6, 9.996, 37.26, 100.5, 999.6, 1394.9, 0.0].map(significant);
        assert_eq!(shown, ["0.0461", "1.00", "10.0", "37.3", "100", "1,000", "1,395", "0"]);
        assert_eq!(significant(f64::INFINITY), "inf");
    }

    #[test]
    fn numbers_are_grouped_by_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
