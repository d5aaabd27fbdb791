//! An `if` that a semicolon ends: what follows is carried out in any case.

use crate::build::code::{closing, numbered_lines, places};

/// What to try.
pub const HINT: &str = "take the `;` behind the condition away, or put what belongs to it in braces";

/// The first such `if`.
pub fn told(source: &str) -> Option<String> {
    numbered_lines(source).find_map(|(number, line)| {
        let mut heads = places(line, "if").map(|at| line[at + "if".len()..].trim_start());
        heads
            .any(|rest| {
                let rest = rest.strip_prefix("constexpr").unwrap_or(rest).trim_start();
                let behind = rest.strip_prefix('(').and_then(|inner| Some(&inner[closing(inner)? + 1..]));
                behind.is_some_and(|behind| behind.trim_start().starts_with(';'))
            })
            .then(|| {
                format!(
                    "a `;` ends the `if` in line {number}: what follows it is carried out for every thread"
                )
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_if_that_a_semicolon_ends_is_told() {
        let said =
            Some("a `;` ends the `if` in line 2: what follows it is carried out for every thread".to_owned());
        assert_eq!(told("{\n    if (x >= width || f(y)); return;\n}"), said);
        for right in ["if (x >= width) return;", "while (next());", "f(if_not);", "// if (x);", "#if (A)\n;"]
        {
            assert_eq!(told(right), None, "{right}");
        }
    }
}
