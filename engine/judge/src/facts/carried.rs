//! Sums that a loop stores in each round and only ever adds to: windows that lose nothing, channels that share a sum.

use crate::build::code::{code, has, is_outermost, last_name, places, words};
use crate::build::indices_of as indices;

/// What to try.
pub const HINT: &str = "if each result has a sum of its own, set the sum to 0 at the start of each round; if a window slides, subtract what leaves it \
                        before the result is stored";

/// Such a sum of a kernel, as a fact.
pub fn told(source: &str) -> Option<String> {
    let lines: Vec<&str> = source.lines().map(code).collect();
    let outputs: Vec<&str> = lines
        .iter()
        .filter_map(|line| line.split_once("void ")?.1.split_once('('))
        .flat_map(|(_, list)| list.split(','))
        .filter_map(pointer)
        .collect();
    let mut of_gpu = false;
    lines.iter().enumerate().find_map(|(at, line)| {
        if is_outermost(line) {
            of_gpu = has(line, "__global__");
        }
        let (array, rest) = line.trim_start().split_once('[').filter(|_| of_gpu)?;
        let (_, value) = rest.split_once("] =").filter(|(_, value)| !value.starts_with('='))?;
        let round = rounds(&lines, at).filter(|_| outputs.contains(&array))?;
        let body = &lines[round.0..=round.1];
        let sum = words(value).find(|name| only_grows(name, body) || elements_only_grow(name, &lines, round))?;
        let added = body.iter().position(|line| changes(line, sum).any(grows))?;
        Some(format!(
            "line {} adds to `{sum}` in each round of the loop in line {}, and line {} stores it, but no line of the loop takes anything away or sets it to 0",
            round.0 + added + 1,
            round.0 + 1,
            at + 1
        ))
    })
}

/// The name of a parameter that is a pointer to memory that a kernel may write.
fn pointer(parameter: &str) -> Option<&str> {
    let text = parameter.split(')').next()?.trim_end();
    let name = last_name(text);
    (text.contains('*') && !has(text, "const") && !name.is_empty()).then_some(name)
}

/// The first and the last line of the innermost loop with braces around a line.
fn rounds(lines: &[&str], at: usize) -> Option<(usize, usize)> {
    let depth = |line: &str| line.matches('{').count() as i32 - line.matches('}').count() as i32;
    let mut open = 0;
    let first = (0..at).rev().take_while(|line| !has(lines[*line], "__global__")).find(|line| {
        open += depth(lines[*line]);
        let around = open > 0;
        // What was opened here lies around the line, and so may what was opened before.
        open = open.min(0);
        around && (has(lines[*line], "for") || has(lines[*line], "while"))
    })?;
    let mut open = 0;
    let last = (first..lines.len()).find(|line| {
        open += depth(lines[*line]);
        open <= 0
    })?;
    (last > at).then_some((first, last))
}

/// What follows the name wherever a line has it.
fn changes<'a>(line: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    places(line, name).map(move |at| line[at + name.len()..].trim_start())
}

/// Whether a variable, or an element of an array, is added to.
fn grows(how: &str) -> bool {
    how.starts_with("+=")
        || indices(how).is_some_and(|(found, rest)| !found.is_empty() && rest.starts_with("+="))
}

/// Whether a loop adds to elements of an array, and its kernel sets none and passes none on.
fn elements_only_grow(name: &str, lines: &[&str], (first, last): (usize, usize)) -> bool {
    let begin = lines[..first].iter().rposition(|line| is_outermost(line)).unwrap_or(0);
    let end =
        lines[last..].iter().position(|line| line.starts_with('}')).map_or(lines.len(), |end| last + end);
    let declared =
        |line: &str| ["int", "uint32_t", "float"].iter().any(|kind| line.trim_start().starts_with(kind));
    let mut uses =
        lines[begin..end].iter().filter(|line| !declared(line)).flat_map(|line| changes(line, name));
    let kept = |how: &str| {
        indices(how).is_some_and(|(found, rest)| {
            !found.is_empty() && (!rest.starts_with('=') || rest.starts_with("=="))
        })
    };
    lines[first..=last].iter().flat_map(|line| changes(line, name)).any(grows) && uses.all(kept)
}

/// Whether some line adds to a variable, and none sets it or takes anything away.
fn only_grows(name: &str, body: &[&str]) -> bool {
    let all = || body.iter().flat_map(|line| changes(line, name));
    let sets = |how: &str| {
        let assigned = how.starts_with('=') && !how.starts_with("==");
        assigned || ["-=", "/=", ">>=", "&=", "--", "["].iter().any(|other| how.starts_with(other))
    };
    let declared = |line: &str| {
        places(line, name).any(|at| {
            let before = line[..at].trim_end();
            before.ends_with(['&', ','])
                || ["int", "uint32_t", "unsigned", "float", "long"].iter().any(|kind| before.ends_with(kind))
        })
    };
    all().any(|how| how.starts_with("+=")) && !all().any(sets) && !body.iter().any(|line| declared(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sums_that_never_lose_anything_are_told() {
        let file = |first: &str, inner: &str| {
            format!(
                "__global__ void k(const int* in, int* out) {{\n  int sum = 0;\n  for (int y = 0; y < n; y++) {{\n    {first}\n    for (int c = 0; c < 5; c++) {{\n      sum += in[y + c];\n    }}\n    {inner}\n    out[y] = sum / 5;\n  }}\n}}\n"
            )
        };
        for (first, inner, is_told) in [
            ("", "", true),
            ("sum = 0;", "", false),
            ("int sum = 0;", "", false),
            ("", "sum -= in[y - 1];", false),
            ("", "if (sum == 0) continue;", true),
            ("", "f(&sum);", false),
        ] {
            let said = told(&file(first, inner));
            assert_eq!(said.is_some(), is_told, "{first} {inner}: {said:?}");
            assert!(
                !is_told
                    || said.is_some_and(|said| said
                        .starts_with("line 6 adds to `sum` in each round of the loop in line 3, and line 9"))
            );
        }
        let after = file("", "").replace("    out[y] = sum / 5;\n  }\n", "  }\n  out[0] = sum / 5;\n");
        assert_eq!(told(&after), None, "stored once, after the loop");
        let ring = |reset: &str| {
            format!(
                "__global__ void k(const int* in, int* out) {{\n  int s[5] = {{0, 0, 0, 0, 0}};\n  for (int y = 0; y < n; y++) {{\n    for (int j = 0; j < 5; j++) {{\n      \
                 s[(y + j) % 5] += in[y];\n    }}\n    out[y] = s[y % 5] / 5;\n    {reset}\n  }}\n}}\n"
            )
        };
        let said = "line 5 adds to `s` in each round of the loop in line 3, and line 7 stores it";
        assert!(told(&ring("")).is_some_and(|told| told.starts_with(said)));
        assert_eq!(["s[y % 5] = 0;", "clear(s);"].map(|reset| told(&ring(reset))), [None, None]);
        let other = file("", "").replace("out[y]", "cdf[y]");
        assert_eq!(told(&other), None, "a running sum in an array of the kernel's own");
    }
}
