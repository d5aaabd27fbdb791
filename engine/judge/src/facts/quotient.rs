//! Quotients of two numbers in the text that are 0, because both are integers: `30 / 100`; divisors that nothing was added to.

use crate::build::assignments;
use crate::build::code::{kernel_to, last_name, places};

/// What to try.
pub const HINT: &str = "multiply first, and divide once, after the sum: the quotient of two integers is cut off to an integer. With \
                        `float`, write `30.0f / 100`";

/// The first such quotient, as a fact.
pub fn zero(source: &str) -> Option<String> {
    (1..).zip(source.lines()).find_map(|(number, line)| {
        let code = line.split("//").next().unwrap_or_default();
        let quotient = in_line(code)?;
        Some(format!("`{quotient}` in line {number} is 0: both numbers are integers"))
    })
}

/// The first quotient in this line of two integers that is 0.
pub fn in_line(code: &str) -> Option<String> {
    code.match_indices('/').find_map(|(at, _)| quotient(&code[..at], &code[at + 1..]))
}

/// What to try if nothing was added to a divisor.
pub const ADDED: &str = "in this thread no round of the loop comes to this line: look at the condition before it, and try it with the numbers of this thread";

/// The line that adds to the divisor of a line which has divided by 0, as a fact.
pub fn unadded(source: &str, line: u32) -> Option<String> {
    let kernel = kernel_to(line, source)?;
    let (_, divides) = kernel.last()?;
    let divisor = last_name(divides.rsplit_once("/ ")?.1.trim_end().trim_end_matches([';', ')']));
    // Differences may also come to 0 together.
    let given = assignments(&kernel);
    let differs = |added: &str| {
        let name = added.trim_start_matches([' ', '=', '+']).split(';').next().unwrap_or_default();
        given.iter().any(|(known, from)| *known == name && from.contains('-'))
    };
    let adds = |line: &str| {
        places(line, divisor).any(|at| {
            let after = line[at + divisor.len()..].trim_start();
            let some = after.strip_prefix("+=").is_some_and(|added| !differs(added));
            line[..at].ends_with("++") || after.starts_with("++") || some
        })
    };
    let mut adding = kernel.iter().filter(|(_, line)| adds(line));
    let (Some((number, _)), None) = (adding.next(), adding.next()) else { return None };
    Some(format!("line {number} has added nothing to `{divisor}`"))
}

/// The quotient of a number and the next, if it is a division of integers with the result 0.
fn quotient(before: &str, after: &str) -> Option<String> {
    let (before, after) = (before.trim_end(), after.trim_start());
    let is_part = |c: char| c.is_alphanumeric() || c == '.' || c == '_';
    let dividend = &before[before.trim_end_matches(is_part).len()..];
    let divisor = &after[..after.len() - after.trim_start_matches(is_part).len()];
    let [one, other]: [u64; 2] = [dividend.parse().ok()?, divisor.parse().ok()?];
    // `a * 30 / 100` and `a / 2 / 3` divide what is before.
    let is_own = !before[..before.len() - dividend.len()].trim_end().ends_with(['*', '/', '%', ')']);
    (0 < one && one < other && is_own).then(|| format!("{one} / {other}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_quotients_of_integers_that_are_zero_are_told() {
        for (line, found) in [
            ("gray[i] = 30 / 100 * r + 59/100 * g;", Some("30 / 100")),
            ("gray[i] = r * (59/100);", Some("59 / 100")),
            ("gray[i] = 30 * r / 100;", None),
            ("gray[i] = r * 30 / 100 + 12 / 25.0f;", None),
            ("constexpr uint32_t factor = (1u << 24) / 25 + 100 / 25;", None),
            ("const int half = 0.3f * r / 2; // 1 / 2", None),
            ("const float f = 1.0 / 2, g = x1 / 2, h = 1 / 2u;", None),
        ] {
            let said = found.map(|found| format!("`{found}` in line 2 is 0: both numbers are integers"));
            assert_eq!(zero(&format!("\n{line}")), said, "{line}");
        }
    }

    #[test]
    fn a_divisor_that_nothing_was_added_to_is_told() {
        let text = |adds: &str| {
            format!(
                "__global__ void k() {{\n    int sum = 0, count = 0;\n    if (x > 0) {{\n        {adds}\n    }}\n    out[x] = (sum + count / 2) / count;\n}}\n"
            )
        };
        let said = Some("line 4 has added nothing to `count`".to_owned());
        assert_eq!(unadded(&text("sum += v; ++count;"), 6), said);
        assert_eq!(unadded(&text("count += w;"), 6), said);
        assert_eq!(unadded(&text("count = high - low;"), 6), None);
    }
}
