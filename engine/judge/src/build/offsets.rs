//! A buffer that each round of a loop of the host uses from its beginning, where another part of it is meant: rounds in different streams then
//! use the same bytes.

use runtime::finding::Finding;

use super::arguments::parts;
use super::code::{closing, has, kernel_to, numbered_lines, places, words};

/// Lines that a call may have.
const LONGEST: usize = 6;

/// Names the distance that is missing, before the general hint on uses that nothing orders.
pub fn explained(finding: &mut Finding, text: &str) {
    let Some(line) = finding.line.filter(|line| finding.code == "W0308" && kernel_to(*line, text).is_none())
    else {
        return;
    };
    let name = finding.message.split_once(" uses `").and_then(|(_, rest)| Some(rest.split_once('`')?.0));
    if let Some(told) = name.and_then(|name| missing(name, line, text)) {
        finding.hint = format!("{told}. If all of it is meant: {}", finding.hint);
    }
}

/// What tells that the buffer `name`, which a call of this line uses from its beginning, is meant from another place on.
fn missing(name: &str, line: u32, text: &str) -> Option<String> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    let at = lines.iter().position(|(number, _)| *number == line)?;
    let call: Vec<&str> = lines[at..].iter().take(LONGEST).map(|(_, line)| line.trim()).collect();
    let call = call.join(" ");
    let call = call.split(';').next().unwrap_or_default();
    let list = call.split_once(">>>").map_or(call, |(_, rest)| rest).split_once('(')?.1;
    let arguments = parts(&list[..closing(list)?]);
    arguments.iter().find(|argument| *argument == name)?;
    let body = around(&lines, at)?;
    let beside = arguments.iter().find(|argument| is_moved(argument));
    if let Some(beside) = beside.filter(|_| call.starts_with("cudaMemcpy")) {
        return Some(format!(
            "line {line} uses `{beside}`, but `{name}` from its beginning, in each round of the loop: likely the part of `{name}` begins at a distance, too"
        ));
    }
    let (other, moved) = body.iter().find_map(|(number, line)| {
        let moved = places(line, name).find_map(|at| {
            let rest = &line[at..];
            let end = rest.find([',', ')']).unwrap_or(rest.len());
            Some(rest[..end].trim()).filter(|argument| is_moved(argument))
        })?;
        Some((*number, moved))
    })?;
    Some(format!(
        "line {other} uses `{moved}`, but line {line} `{name}` from its beginning, the same part in each round of the loop: likely it should be `{moved}`"
    ))
}

/// Whether an argument is a pointer that a variable moves.
fn is_moved(argument: &str) -> bool {
    argument
        .split_once(" + ")
        .is_some_and(|(_, by)| words(by).any(|word| word.starts_with(char::is_alphabetic)))
}

/// The lines of the innermost loop of the host around a line.
fn around<'a, 'b>(lines: &'b [(u32, &'a str)], at: usize) -> Option<&'b [(u32, &'a str)]> {
    let depth = |line: &str| line.len() - line.trim_start().len();
    let own = depth(lines[at].1);
    let begin = (0..at).rev().find(|line| has(lines[*line].1, "for") && depth(lines[*line].1) < own)?;
    let outer = depth(lines[begin].1);
    let ends = |line: &str| line.trim_start().starts_with('}') && depth(line) <= outer;
    let end = (begin + 1..lines.len()).find(|line| ends(lines[*line].1))?;
    (at < end).then(|| &lines[begin..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_that_each_round_uses_from_its_beginning_is_told() {
        let of = |line: &str, name: &str| {
            let text = format!(
                "void f() {{\n    for (int part = 0; part < 8; part++) {{\n        g<<<n, 256, 0, stream>>>(rgb + 3 * first, gray + first, n);\n        {line}\n    }}\n    \
                 h<<<1, 256>>>(gray, n);\n}}\n"
            );
            missing(name, 4, &text)
        };
        let told = of("h<<<n, 256, 0, stream>>>(gray, bins, n);", "gray");
        assert!(told.is_some_and(|told| told.contains("line 3 uses `gray + first`, but line 4 `gray`")));
        let told = of("cudaMemcpyAsync(host + first, out, n, kind, stream);", "out");
        assert!(told.is_some_and(|told| told.contains("line 4 uses `host + first`, but `out`")));
        assert_eq!(of("h<<<n, 256, 0, stream>>>(gray + first, bins, n);", "gray"), None);
        assert_eq!(of("h<<<n, 256, 0, stream>>>(gray, bins, n);", "bins"), None);
    }
}
