//! Lines of a kernel that only some threads come to, or that come in each round of a loop: what the text around them says.

use runtime::finding::Finding;

use super::arguments::{EARLY, read_early};
use super::code::{code, function_of, line_of, numbered_lines, places};
use super::elements::{of_all_blocks, overlapping};
use super::steps;
use super::walk::{Way, innermost_if};

/// What messages say of a value in shared memory that nothing has written.
const UNSET: &str = "it comes from `";
/// The end of such a message.
const SHARED: &str = "` (shared memory)";
/// The end of what is said of a lane that a shuffle reads.
const ENDED: &str = ", which has ended and takes no part";
/// How a hint says that no thread came to a store.
pub const BY_NONE: &str = ", which held for no thread of this block";

/// Puts what the text says in place of a general hint.
pub fn explained(finding: &mut Finding, text: &str) {
    absent_lane(finding, text);
    let Some(task) = finding.task() else { return };
    let Some(line) = finding.line else { return };
    let told = match finding.code.as_str() {
        "W0305" => both_store(finding, line, task, text),
        "W0301" if finding.hint.starts_with("both threads store") => both_store(finding, line, task, text),
        "W0307" => in_each_round(finding, line, task, text),
        code if code.starts_with("W02")
            && finding.message.ends_with(SHARED)
            && finding.hint.starts_with("shared memory starts") =>
        {
            unset(finding, line, task, text)
        }
        _ => None,
    };
    if let Some(told) = told {
        finding.hint = told;
    }
}

/// Names the `if` that a shuffle stands in, where a lane that it reads did not come to it.
fn absent_lane(finding: &mut Finding, text: &str) {
    let Some(label) = finding.labels.iter_mut().find(|label| label.text.ends_with(ENDED)) else { return };
    let lines: Vec<(u32, &str)> = numbered_lines(text).take(label.line as usize).collect();
    let Some((first, _)) = function_of(&lines, label.line) else { return };
    let function = &lines[first as usize - 1..];
    let Some(at) = function.last().and_then(|(_, source)| source.find("shfl")) else { return };
    let Some(head) = innermost_if(function, at) else { return };
    label.text =
        format!("{}: it did not come into the `if` of line {head}", label.text.trim_end_matches(ENDED));
    if !function.iter().any(|(_, source)| source.contains("return;")) {
        finding.hint = format!(
            "let every lane of the warp execute the shuffle: put it before the `if` of line {head}, and use its value inside"
        );
    }
}

/// The way to the first use of a name in a line.
fn way<'a>(name: &str, line: u32, task: &'a str, text: &'a str) -> Option<Way<'a>> {
    let source = text.lines().nth(line.checked_sub(1)? as usize).map(code)?;
    Way::to(text, task, line, places(source, name).next()?)
}

/// What is wrong with a sum or a scan of the kernel, from which wrong values follow.
fn of_steps(way: &Way<'_>) -> Option<String> {
    steps::of_kernel(way).map(|(told, hint)| format!("{told}: {hint}"))
}

/// Two threads that store to one variable, as a condition holds for both.
fn both_store(finding: &Finding, line: u32, task: &str, text: &str) -> Option<String> {
    let name = finding.message.split('`').nth(1)?.split('[').next()?;
    let way = way(name, line, task, text)?;
    if finding.message.contains(&format!("`{name}[")) {
        return overlapping(text, task, line, name);
    }
    let (_, condition) = way.guards().last()?;
    of_steps(&way).or_else(|| {
        Some(format!(
            "the condition `{condition}` holds for both threads. If it is to hold for one thread of the block, look at the condition, and at the lines that \
             compute what it compares"
        ))
    })
}

/// A variable of the block that is set only where a condition holds, or an array that only the first block fills.
fn unset(finding: &Finding, line: u32, task: &str, text: &str) -> Option<String> {
    let place = finding.message.strip_suffix(SHARED)?.rsplit_once(UNSET)?.1;
    let (name, is_element) = place.split_once('[').map_or((place, false), |(name, _)| (name, true));
    if is_element {
        return of_all_blocks(text, task, Some(name));
    }
    let reader = way(name, line, task, text)?;
    let mut stores = reader.kernel.iter().filter(|(_, source)| {
        places(source, name).any(|at| {
            let after = source[at + name.len()..].trim_start();
            after.starts_with('=') && !after.starts_with("==")
        })
    });
    let (Some((number, source)), None) = (stores.next(), stores.next()) else { return None };
    let way = way(name, *number, task, text).filter(|_| !source.contains("else"))?;
    let (_, condition) = way.guards().last().filter(|_| *number < line)?;
    let one = ["threadIdx.x == 0", "t == 0", "tid == 0"].contains(&condition);
    (!one).then(|| {
        let told = format!("line {number} sets `{name}` only where `{condition}`{BY_NONE}");
        let early = || Some(format!("{}: {}", read_early(text, task)?, EARLY));
        let why = of_steps(&way).or_else(early).unwrap_or_else(|| {
            "look at what this condition compares, and at the lines that compute it".to_owned()
        });
        format!("{told}: {why}")
    })
}

/// Counters of the block that are read in the loop that still adds to them.
fn in_each_round(finding: &Finding, line: u32, task: &str, text: &str) -> Option<String> {
    let name = finding.message.split('`').nth(1)?.split('[').next()?;
    let label = finding.labels.first().filter(|label| label.line != line)?;
    let source = |line: u32| text.lines().nth(line as usize - 1).map_or("", code);
    let adds = |line: u32| source(line).contains(&format!("(&{name}["));
    if let Some(told) = counted_by_function(finding, [line, label.line], name, task, text) {
        return Some(told);
    }
    let (added, read) = if adds(line) { (line, label.line) } else { (label.line, line) };
    let (adding, reading) = (way(name, added, task, text)?, way(name, read, task, text)?);
    let inner = |way: &Way<'_>| way.loops().last().map(|of| (of.line, of.name.clone()));
    let (head, counter) = inner(&adding).filter(|of| inner(&reading).as_ref() == Some(of))?;
    (adds(added) && !adds(read) && read > added && !places(source(read), &counter).any(|_| true))
        .then(|| each_round(read, head, name))
}

/// The same, where a function of the GPU adds to the counters: its last call in the kernel before the line that reads them.
fn counted_by_function(
    finding: &Finding,
    lines: [u32; 2],
    name: &str,
    task: &str,
    text: &str,
) -> Option<String> {
    let all: Vec<(u32, &str)> = numbered_lines(text).collect();
    let kernel = finding.thread.as_ref()?.kernel.split('<').next()?;
    let in_kernel = |line: u32| function_of(&all, line).is_some_and(|(_, name)| name == kernel);
    let (added, read) = if in_kernel(lines[0]) { (lines[1], lines[0]) } else { (lines[0], lines[1]) };
    let (_, function) = function_of(&all, added).filter(|_| in_kernel(read) && !in_kernel(added))?;
    let counts =
        line_of(text, added).contains("atomic") && !line_of(text, read).contains(&format!("(&{name}["));
    let reading = way(name, read, task, text)?;
    let head = reading.loops().last()?;
    // The counter of the loop in the index would make it a part of the work of this round.
    let apart = places(line_of(text, read), &head.name).next().is_none();
    let called = reading
        .kernel
        .iter()
        .any(|(line, source)| *line > head.line && *line < read && places(source, function).next().is_some());
    (counts && apart && called).then(|| each_round(read, head.line, name))
}

fn each_round(read: u32, head: u32, name: &str) -> String {
    format!(
        "line {read} stands in the loop of line {head}, which still counts: it reads `{name}` in each round. Move it behind the loop, after a \
         `__syncthreads()`, so that each counter is added once"
    )
}

#[cfg(test)]
mod tests {
    use runtime::finding::{Kind, Label, Severity};

    use super::*;

    const TEXT: &str = "__global__ void k(const uint8_t* gray, uint32_t* bins, int n) {\n    __shared__ uint32_t s[256], least;\n    const int t = threadIdx.x;\n    \
                        for (int i = t; i < n; i += 256) {\n        atomicAdd(&s[gray[i]], 1u);\n        atomicAdd(&bins[t], s[t]);\n    }\n    \
                        if (bins[t] > 0) least = t;\n    __syncthreads();\n    bins[t] = least;\n}\n\
                        void f(const uint8_t* gray, uint32_t* bins, int n) {\n    k<<<1, 256>>>(gray, bins, n);\n}\n";

    fn hint(code: &str, line: u32, message: &str, label: u32) -> String {
        let hint = if code == "W0204" { "shared memory starts" } else { "both threads store" };
        let mut finding = Finding::new(code, Kind::Race, Severity::Error, message.to_owned(), hint);
        (finding.line, finding.cases) = (Some(line), vec!["f: 1x1".to_owned()]);
        finding.labels = vec![Label { file: "a.cu".into(), line: label, column: 1, text: String::new() }];
        explained(&mut finding, TEXT);
        finding.hint
    }

    #[test]
    fn the_if_that_a_lane_does_not_come_into_is_named() {
        let told = |before: &str, head: &str| {
            let text = format!(
                "__global__ void k(int* a) {{\n    {before}\n    for (int i = 0; i < 3; ++i) {{\n        {head} {{\n            int v = __shfl_up_sync(~0u, i, 1);\n"
            );
            let mut finding =
                Finding::new("W0204", Kind::Initialisation, Severity::Error, "stores".to_owned(), "other");
            let label = "`__shfl_up_sync` reads lane 0 of the warp here, which has ended and takes no part"
                .to_owned();
            finding.labels = vec![Label { file: "a.cu".into(), line: 5, column: 1, text: label }];
            explained(&mut finding, &text);
            (finding.labels[0].text.clone(), finding.hint)
        };
        let (said, hint) = told("", "if (threadIdx.x > 0)");
        assert_eq!(
            said,
            "`__shfl_up_sync` reads lane 0 of the warp here: it did not come into the `if` of line 4"
        );
        assert!(hint.contains("put it before the `if` of line 4"), "{hint}");
        assert_eq!(told("if (i > 3) return;", "if (threadIdx.x > 0)"), (said, "other".to_owned()));
        let (said, _) = told("if (i > 3) return;", "");
        assert!(said.ends_with("which has ended and takes no part"), "{said}");
    }

    #[test]
    fn conditions_and_loops_around_a_line_are_told() {
        let race = "updates atomically `s[3]`, which thread 3 reads too";
        assert!(hint("W0307", 5, race, 6).starts_with("line 6 stands in the loop of line 4"));
        assert_eq!(hint("W0307", 5, race, 10), "both threads store", "behind the loop");
        let both = hint("W0305", 8, "writes `least`, which thread 0 writes too", 8);
        assert!(both.starts_with("the condition `bins[t] > 0` holds for both threads"), "{both}");
        let unset = hint(
            "W0204",
            10,
            "stores a value that nothing has written: it comes from `least` (shared memory)",
            10,
        );
        assert!(
            unset.starts_with("line 8 sets `least` only where `bins[t] > 0`, which held for no thread"),
            "{unset}"
        );
    }
}
