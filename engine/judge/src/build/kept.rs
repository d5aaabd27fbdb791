//! Memory that stays from call to call, and that no line sets back: sums and counters of the second call begin with those of the first.

use crate::build::arguments::{launches, parameters};
use crate::build::block::body;
use crate::build::code::{has, last_name, numbered_lines, places};

/// What to try.
pub const HINT: &str = "set it back for the next call: in the last block, once it has read the values, or on the host before the launch \
                        (`cudaMemset`; of a `__device__` variable, `cudaMemcpyToSymbol`)";

/// The atomics after which a value depends on the one before.
const ADDING: [&str; 6] = ["atomicAdd", "atomicSub", "atomicMin", "atomicMax", "atomicOr", "atomicAnd"];

/// A variable of the GPU, or static memory, that lines change and none sets back: the last line that changes it.
pub fn told(source: &str, task: &str) -> Option<String> {
    let lines: Vec<(u32, &str)> = numbered_lines(source).collect();
    variable(&lines).or_else(|| allocation(&lines, source, task))
}

/// A `__device__` variable.
fn variable(lines: &[(u32, &str)]) -> Option<String> {
    let declared = lines.iter().filter(|(_, line)| line.starts_with("__device__") && line.contains(';'));
    let mut names =
        declared.filter(|(_, line)| !line.contains('(') && !has(line, "const")).flat_map(|(at, line)| {
            let each = line.trim_end().trim_end_matches(';').split(',');
            each.filter_map(|one| {
                let head = one.split(['[', '=']).next()?.trim_end();
                Some((*at, last_name(head))).filter(|(_, name)| !name.is_empty())
            })
        });
    names.find_map(|(declared, name)| {
        let line = last_change(lines.iter().filter(|(at, _)| *at != declared), name)?;
        Some(format!(
            "line {line} changes `{name}`, a `__device__` variable, which keeps its value from call to call, and no line sets it back"
        ))
    })
}

/// The last of these lines that changes a variable by its old value; `None` if one sets it, or may set it, to another.
fn last_change<'a>(lines: impl Iterator<Item = &'a (u32, &'a str)>, name: &str) -> Option<u32> {
    let mut last = None;
    for (number, line) in lines {
        for at in places(line, name) {
            let (before, after) = (line[..at].trim_end(), behind_index(&line[at + name.len()..]));
            let call = before.strip_suffix('&').map_or("", |before| before.trim_end().trim_end_matches('('));
            let counts = ADDING.iter().any(|atomic| call.ends_with(atomic));
            let steps =
                ["+=", "-=", "++", "--"].iter().any(|step| after.starts_with(step)) || before.ends_with("++");
            let sets = after.starts_with('=') && !after.starts_with("==");
            // A number that only goes on may be taken modulo the grid.
            let passed =
                before.ends_with('&') || before.ends_with(['(', ',']) && after.starts_with([',', ')']);
            if sets || line.contains('%') || passed && !counts {
                return None;
            }
            if counts || steps {
                last = Some(*number);
            }
        }
    }
    last
}

/// Memory behind a static pointer that a kernel adds to, and that no call fills but where it is allocated.
fn allocation(lines: &[(u32, &str)], source: &str, task: &str) -> Option<String> {
    let mut statics = lines.iter().filter(|(_, line)| has(line, "static") && line.contains('*'));
    statics.find_map(|(_, line)| {
        let head = line.split(['=', ';']).next()?.trim_end();
        let name = last_name(head);
        let (allocated, _) =
            lines.iter().find(|(_, line)| line.contains("cudaMalloc") && line.contains(&format!("&{name},")))?;
        let fills = |line: &str| line.contains(&format!("cudaMemset({name},")) || line.contains(&format!("cudaMemcpy({name},"));
        let (from, to) = around(lines, *allocated);
        let again = lines.iter().any(|(at, line)| fills(line) && !(from..=to).contains(at));
        let whole = lines.iter().map(|(_, line)| *line).collect::<Vec<_>>().join(" ");
        let launch = launches(source, task).into_iter().rev().find(|launch| {
            let at = launch.arguments.iter().position(|argument| argument == name);
            let names = parameters(&whole, launch.kernel).unwrap_or_default();
            let body = body(source, launch.kernel);
            at.and_then(|at| names.get(at)).is_some_and(|name| last_change(body.iter(), name).is_some())
        })?;
        (!again && from < *allocated).then(|| {
            format!(
                "line {} launches `{}`, which adds to `{name}`: that memory stays from call to call (line {allocated} allocates it in the first one), and no \
                 later call clears it",
                launch.line, launch.kernel
            )
        })
    })
}

/// The lines of the `if` around a line: its own, if there is none.
fn around(lines: &[(u32, &str)], line: u32) -> (u32, u32) {
    let depth = |text: &str| text.matches('{').count() as i32 - text.matches('}').count() as i32;
    let at = line as usize - 1;
    let text = lines.get(at).map_or("", |(_, text)| text);
    if has(text, "if") {
        return (line.saturating_sub(1), line);
    }
    let mut open = 0;
    let first = (0..at).rev().find(|at| {
        open += depth(lines[*at].1);
        let is_if = open > 0 && has(lines[*at].1, "if");
        open = open.min(0);
        is_if
    });
    let Some(first) = first else { return (line, line) };
    let mut open = 0;
    let last = (first..lines.len()).find(|at| {
        open += depth(lines[*at].1);
        open <= 0
    });
    (first as u32 + 1, last.unwrap_or(at) as u32 + 1)
}

/// What follows an index in brackets, or the text itself.
fn behind_index(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some((_, behind)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
        rest = behind.trim_start().trim_start_matches(']').trim_start();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counters_that_no_line_sets_back_are_told() {
        let file = |lines: &str| {
            format!("__device__ uint32_t bins[256], finished;\n__global__ void k() {{\n{lines}\n}}\n")
        };
        let count = "atomicAdd(&bins[gray[i]], 1u);\nlast = atomicAdd(&finished, 1u) == gridDim.x - 1;";
        for (lines, said) in [
            (count.to_owned(), Some("line 3 changes `bins`")),
            (format!("{count}\nif (last) bins[t] = 0;"), Some("line 4 changes `finished`")),
            (format!("{count}\nif (last) bins[t] = 0, finished = 0;"), None),
            (format!("{count}\ncudaMemcpyToSymbol(bins, zeros, 1024);\nfinished = 0;"), None),
            ("last = atomicAdd(&finished, 1u) % gridDim.x == 0;".to_owned(), None),
            ("last = atomicInc(&finished, gridDim.x - 1) == 0;".to_owned(), None),
            ("bins[t]++;".to_owned(), Some("line 3 changes `bins`")),
            ("n += bins[t] + finished;".to_owned(), None),
        ] {
            let told = told(&file(&lines), "task");
            assert_eq!(told.is_some(), said.is_some(), "{lines}: {told:?}");
            assert!(said.is_none_or(|said| told.is_some_and(|told| told.starts_with(said))), "{lines}");
        }
    }

    #[test]
    fn static_memory_that_no_later_call_clears_is_told() {
        let file = |then: &str| {
            format!(
                "__global__ void k(const uint8_t* gray, uint32_t* counts) {{\n    atomicAdd(&counts[gray[i]], 1);\n}}\nvoid task(const uint8_t* gray) {{\n    \
                 static uint32_t* bins = nullptr;\n    if (!bins) {{\n        cudaMalloc(&bins, 1024);\n        cudaMemset(bins, 0, 1024);\n    }}\n{then}    \
                 k<<<1, 2>>>(gray, bins);\n}}\n"
            )
        };
        assert!(
            told(&file(""), "task")
                .is_some_and(|told| told.starts_with("line 10 launches `k`, which adds to `bins`"))
        );
        assert_eq!(told(&file("    cudaMemset(bins, 0, 1024);\n"), "task"), None);
        assert_eq!(told(&file("").replace("static ", ""), "task"), None);
    }
}
