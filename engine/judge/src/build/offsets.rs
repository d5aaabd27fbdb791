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
    } else if let Some(told) = same_stream(finding, line, text) {
        finding.hint = told;
    }
}

/// What to try where both calls name the same stream: it is another one in each round of their loop.
fn same_stream(finding: &Finding, line: u32, text: &str) -> Option<String> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).collect();
    let [label] = finding.labels.as_slice() else { return None };
    let [own, other] = [line, label.line].map(|line| stream_in(&lines, line));
    let stream = own.filter(|own| Some(own) == other.as_ref())?;
    around(&lines, lines.iter().position(|(number, _)| *number == line)?)?;
    Some(format!(
        "lines {} and {} both use the stream `{stream}`, but it is another one in each round of the loop: what one round copies, another round \
         uses. Compare the places and the numbers of elements of both lines: do they belong to the same part?",
        line.min(label.line),
        line.max(label.line)
    ))
}

/// The stream of the copy or the launch that begins in a line.
fn stream_in(lines: &[(u32, &str)], line: u32) -> Option<String> {
    let at = lines.iter().position(|(number, _)| *number == line)?;
    let call: Vec<&str> = lines[at..].iter().take(LONGEST).map(|(_, line)| line.trim()).collect();
    let call = call.join(" ");
    let call = call.split(';').next()?;
    if let Some((sizes, _)) = call.split_once("<<<").and_then(|(_, rest)| rest.split_once(">>>")) {
        return parts(sizes).get(3).cloned();
    }
    let list = call.strip_prefix("cudaMemcpyAsync(")?;
    parts(&list[..closing(list)?]).get(4).cloned()
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
    use runtime::finding::{Kind, Label, Severity};

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

    #[test]
    fn calls_in_the_stream_of_their_round_are_not_sent_to_one_stream() {
        let told = |own: &str| {
            let text = format!(
                "void f() {{\n    for (int part = 0; part < 8; part++) {{\n        cudaMemcpyAsync(rgb + 3 * first, host, n, kind, s);\n        \
                 g<<<n, 256, 0, {own}>>>(rgb + first, gray + first, n);\n    }}\n}}\n"
            );
            let message =
                "kernel `g` uses `rgb` while `cudaMemcpyAsync` in another stream may still be writing it";
            let mut finding = Finding::new(
                "W0308",
                Kind::Race,
                Severity::Error,
                message.to_owned(),
                "put both in one stream",
            );
            finding.line = Some(4);
            finding.labels = vec![Label { file: "f.cu".into(), line: 3, column: 1, text: String::new() }];
            explained(&mut finding, &text);
            finding.hint
        };
        assert!(
            told("s")
                .starts_with("lines 3 and 4 both use the stream `s`, but it is another one in each round")
        );
        assert_eq!(told("other"), "put both in one stream");
    }
}
