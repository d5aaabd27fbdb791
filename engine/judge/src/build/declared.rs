//! What the declaration of a name explains about a finding: an array of a thread without values, a `sizeof` of a pointer.

use runtime::finding::Finding;

use super::code::{code, has, is_part, kernel_to, last_name, line_of, places, words};
use super::host_arrays;
use super::missed::indices;
use super::sourced::label;
use super::unset::{HINT as UNSET_SUM, told as unset_sum};
use crate::numbers::lines_in_words;
use crate::submission::Submission;
use crate::tunable::of_task;

/// What messages say of a value whose variable the compiler has lost.
const LOCAL: [&str; 2] = ["a local variable or array", "a variable that was never set"];

/// What a label says of a copy of what the host has not written.
pub const FROM_UNSET_HOST: &str = "copied here from host memory that nothing had written";

/// Puts what a declaration says in place of a general hint.
pub fn explained(finding: &mut Finding, submission: &Submission) {
    let Some(line) = finding.line else { return };
    let text = &submission.text;
    if finding.code.starts_with("W02") && LOCAL.iter().any(|lost| finding.message.contains(lost)) {
        without_values(finding, line, submission);
    }
    if finding.message.contains(LOCAL[1])
        && let Some(told) = unset_sum(&of_task(text, finding.task().unwrap_or_default()))
        && let Some(name) = told.split('`').nth(1).filter(|name| has(line_of(text, line), name))
    {
        finding.message =
            finding.message.replace(LOCAL[1], &format!("`{name}`, a variable that was never set"));
        finding.hint = format!("{told}: {UNSET_SUM}");
    }
    if let Some(hint) = of_host(finding, text).filter(|_| finding.code.starts_with("W02")) {
        finding.hint = hint;
    }
    let bytes = finding.code == "W0612" || finding.labels.iter().any(|label| label.text.starts_with("only "));
    let copies =
        finding.labels.iter().filter(|label| label.text.starts_with("only ")).map(|label| label.line);
    let told = std::iter::once(line).chain(copies).find_map(|line| size_of_pointer(line, text));
    if let Some(hint) = told.filter(|_| bytes) {
        finding.hint = hint;
    }
}

/// What comes from a variable of the host that has no value, or from a copy of only a few bytes, and is copied to the GPU.
fn of_host(finding: &Finding, text: &str) -> Option<String> {
    let copy = finding.labels.iter().find(|label| label.text == FROM_UNSET_HOST)?;
    // Of the same function.
    let lines = text.lines().take(copy.line as usize);
    let begins =
        lines.clone().zip(1..).filter(|(line, _)| line.starts_with('}')).last().map_or(0, |(_, line)| line);
    let back = |line: &u32| {
        text.lines()
            .nth(*line as usize - 1)
            .map(code)
            .is_some_and(|line| line.contains("cudaMemcpyDeviceToHost"))
    };
    let short = (begins + 1..copy.line).filter(back).find_map(|line| {
        size_of_pointer(line, text).map(|told| format!("the copy of line {line} brings too little: {told}"))
    });
    let task = finding.task().unwrap_or_default();
    let own = of_task(text, task);
    short
        .or_else(|| unset_sum(&own).map(|told| format!("{told}: {UNSET_SUM}")))
        .or_else(|| host_arrays::read_past(&own).map(|(_, _, why)| why))
}

/// Names the array of the thread that a line reads, and the line that declares it without values.
fn without_values(finding: &mut Finding, line: u32, submission: &Submission) {
    let Some(kernel) = kernel_to(line, &submission.text) else { return };
    let Some((_, used)) = kernel.last() else { return };
    let found = kernel.iter().rev().skip(1).find_map(|(number, line)| {
        let (name, declaration) = array(line)?;
        has(used, name).then_some((*number, name, declaration))
    });
    let Some((number, name, declaration)) = found else { return };
    for lost in LOCAL {
        finding.message = finding.message.replace(lost, &format!("`{name}`, an array of this thread"));
    }
    for label in &mut finding.labels {
        label.text = label.text.replace("a local variable", &format!("`{name}`"));
    }
    let declared = declaration.trim_end_matches(';');
    let sets = |line: &str| {
        places(line, name).any(|at| {
            let behind = indices(&line[at + name.len()..]).map_or("", |(_, behind)| behind);
            behind.starts_with('=') && !behind.starts_with("==")
        })
    };
    let setting = kernel.iter().filter(|(at, line)| *at > number && sets(line)).map(|(at, _)| *at).collect();
    // Where lines set elements, a first value would hide which one is wrong.
    finding.hint = match lines_in_words(setting) {
        Some(lines) => format!(
            "{lines} {} elements of `{name}`, and not all that are read here: work out which ones, for this thread",
            if lines.starts_with("lines") { "set" } else { "sets" }
        ),
        None => format!(
            "such an array starts with arbitrary contents: give it values in line {number}, `{declared} = {{}};`"
        ),
    };
    finding.labels.push(label(number, name, "declared here, without values", submission));
}

/// The name and the text of a line that declares an array of a thread without values.
fn array(line: &str) -> Option<(&str, &str)> {
    let declaration = line.trim();
    let (head, rest) = declaration.strip_suffix(';')?.split_once('[')?;
    let name = last_name(head);
    let typed = head[..head.len() - name.len()].trim();
    let kept = ["__shared__", "extern", "static", "return", "else"].iter().any(|word| has(head, word));
    let is_type = !typed.is_empty() && typed.chars().all(|c| is_part(c) || c == ' ');
    (rest.ends_with(']') && !rest.contains('=') && is_type && !kept && !name.is_empty())
        .then_some((name, declaration))
}

/// A call whose length is the size of a pointer.
fn size_of_pointer(line: u32, text: &str) -> Option<String> {
    let lines: Vec<&str> = text.lines().map(code).take(line as usize).collect();
    let source = lines.last()?;
    let (_, after) = source.split_once("sizeof(")?;
    let name = after.split(')').next()?.trim();
    let name = words(name).next().filter(|word| *word == name)?;
    let pointer = lines.iter().rev().skip(1).chain([source]).find_map(|line| {
        places(line, name).find_map(|at| {
            let (before, after) = (line[..at].trim_end(), line[at + name.len()..].trim_start());
            let declared = before.ends_with('*') && after.starts_with([',', ';', ')', '=']);
            let is_array = after.starts_with('[') && before.ends_with(is_part);
            (declared || is_array).then_some(declared)
        })
    });
    pointer.filter(|pointer| *pointer).map(|_| {
        format!(
            "`sizeof({name})` is the size of the pointer, 8 bytes, not of the memory that it points to: give the number of elements times the size of one"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_of_a_pointer_is_no_length() {
        let text = |call: &str| {
            format!("void f(const uint8_t* host, int n) {{\n    uint32_t counts[256];\n    {call}\n}}\n")
        };
        for (call, told) in [
            ("cudaMemcpy(rgb, host, sizeof(host), cudaMemcpyHostToDevice);", true),
            ("cudaMemcpy(counts, bins, sizeof(counts), cudaMemcpyDeviceToHost);", false),
            ("cudaMemcpy(rgb, host, n * sizeof(uint8_t), cudaMemcpyHostToDevice);", false),
        ] {
            assert_eq!(size_of_pointer(3, &text(call)).is_some(), told, "{call}");
        }
    }

    #[test]
    fn arrays_of_a_thread_without_values_are_found() {
        for (line, name) in [
            ("    unsigned mine[256];", Some("mine")),
            ("    unsigned mine[256] = {};", None),
            ("    __shared__ unsigned all[256];", None),
            ("    return mine[2];", None),
            ("    mine[2];", None),
        ] {
            assert_eq!(array(line).map(|(name, _)| name), name, "{line}");
        }
    }
}
