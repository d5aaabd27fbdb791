//! Bytes of a colour picture whose index forgets that a pixel has three of them, beside one that does not.

use crate::build::code::{code, is_part, places, words};
use crate::tunable::one_by_one;

/// What to try.
pub const HINT: &str =
    "write the index of a byte of a colour picture in the same way everywhere: `3 * (y * width + x) + c`";

/// Such an index, as a fact: of one function, as the same name may stand for a gray picture in another.
pub fn told(source: &str) -> Option<String> {
    one_by_one(source).find_map(|(first, function)| of_one(first, function))
}

fn of_one(first: u32, function: &str) -> Option<String> {
    let lines: Vec<(u32, &str)> = (first..).zip(function.lines().map(code)).collect();
    let all: Vec<(u32, &str, &str)> = lines
        .iter()
        .flat_map(|(number, line)| indices(line).map(|(array, index)| (*number, array, index)))
        .collect();
    let three = |index: &str| tripled(index) || words(index).any(|word| given_three(&lines, word));
    all.iter().find_map(|(number, array, index)| {
        let close: String = index.split_whitespace().collect();
        if row_alone(&close) {
            return Some(format!("line {number} multiplies only the row by 3 in `{array}[{index}]`"));
        }
        let (other, _, right) = all.iter().find(|(_, name, other)| name == array && tripled(other) && !row_alone(other))?;
        let whole = close.contains("*width+") || close.contains("width*");
        (whole && !three(index)).then(|| {
            format!("line {number} uses `{array}[{index}]`, as if a pixel were one byte, but line {other} uses `{array}[{right}]`")
        })
    })
}

/// The arrays of a line that have an index in brackets, and it, without brackets in it.
fn indices(line: &str) -> impl Iterator<Item = (&str, &str)> {
    line.match_indices('[').filter_map(|(at, _)| {
        let name = &line[line[..at].trim_end_matches(is_part).len()..at];
        let index = line[at + 1..].split_once(']')?.0;
        (!name.is_empty() && !index.contains('[')).then_some((name, index.trim()))
    })
}

/// Whether a text has a factor of 3.
fn tripled(text: &str) -> bool {
    let close: String = text.split_whitespace().collect();
    let part = |c: Option<char>| c.is_some_and(is_part);
    close.match_indices('3').any(|(at, _)| {
        let (before, after) = (&close[..at], &close[at + 1..]);
        !part(before.chars().next_back())
            && !part(after.chars().next())
            && (before.ends_with('*') || after.starts_with('*'))
    })
}

/// Whether a variable gets a value with a factor of 3, or that may have one.
fn given_three(lines: &[(u32, &str)], name: &str) -> bool {
    let gets = |line: &str| {
        places(line, name).any(|at| {
            let after = line[at + name.len()..].trim_start();
            after.starts_with("+=") || after.strip_prefix('=').is_some_and(tripled)
        })
    };
    !["x", "y", "c"].contains(&name) && lines.iter().any(|(_, line)| gets(line))
}

/// Whether only the row of a pixel is multiplied: `3*y*width+x+c`.
fn row_alone(close: &str) -> bool {
    let rest = match close.split_once("*width+") {
        Some((row, rest)) if row.starts_with("3*") && row[2..].chars().all(is_part) => rest,
        _ => return false,
    };
    let column = rest.split('+').next().unwrap_or_default();
    !column.is_empty()
        && column.chars().all(is_part)
        && rest.len() > column.len()
        && !column.starts_with(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_without_its_factor_is_told() {
        let right = "out[3 * (y * width + x) + c] = sum;\n";
        for (line, said) in [
            (
                "out[y * width + x + c] = rgb[0];",
                Some("line 2 uses `out[y * width + x + c]`, as if a pixel were one byte, but line 1 uses"),
            ),
            ("out[3 * y * width + x + c] = 0;", Some("line 2 multiplies only the row by 3")),
            ("gray[y * width + x] = 0;", None),
            ("const int at = 3 * (y * width + x);\nout[at + c] = 0;", None),
            ("const int row = 3 * width;\nout[y * row + 3 * x + c] = 0;", None),
            ("out[3 * y * width + 3 * x + c] = 0;", None),
        ] {
            let told = told(&format!("void f() {{ {right}{line}\n}}"));
            assert_eq!(told.is_some(), said.is_some(), "{line}: {told:?}");
            assert!(said.is_none_or(|said| told.is_some_and(|told| told.starts_with(said))), "{line}");
        }
    }
}
