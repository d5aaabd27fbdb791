//! A barrier that threads do not come to, and arrays that no line fills: the words that the student's text gives.

use runtime::finding::{Finding, Label};

use super::arrays::shaped;
use super::code::{code, comparisons, has, is_part, kernel_to, line_of, places, value};
use super::copies::unset as unset_copy;
use super::elements;
use super::guards::assignments;
use super::reached;
use crate::numbers::grouped;
use crate::submission::Submission;

/// How threads went another way: what the line is to them, and what to do about it.
const RETURN: (&str, &str) = (
    "here they return",
    "guard the work with `if` instead of a `return` before `__syncthreads()`, so that every thread comes to the barrier \
     and can still help to fill shared memory",
);
const BRANCH: (&str, &str) = (
    "they skip this `if`, and the barrier inside it",
    "close the `if` before `__syncthreads()`, and open another one after it: only the work belongs inside, and every \
     thread has to come to the barrier",
);
const LOOP: (&str, &str) = (
    "they skip this loop, and the barrier inside it",
    "move the barrier behind the loop if its rounds need none between them; else let all threads of the block go round the \
     loop equally often, and guard the work inside with `if`",
);

/// What a message says of a barrier in a branch.
pub const STANDS_IN: &str = ": it stands in ";

/// The finding about a missed barrier, with what its threads do at the line where they go another way.
pub fn explained(mut finding: Finding, submission: &Submission) -> Finding {
    if finding.code == "W0401" {
        divided(&mut finding, submission);
    }
    if finding.code == "W0402" {
        apart(&mut finding, submission);
    }
    if finding.code != "W0403" {
        return finding;
    }
    let barrier = finding.line;
    let own = finding.labels.iter_mut().find(|label| label.file == submission.name);
    let Some(label) = own else { return finding };
    if let Some((line, column)) = barrier.and_then(|to| of_threads(label.line, to, &submission.text)) {
        (label.line, label.column) = (line, column);
    }
    if let Some((text, hint)) = way(label.line, &submission.text) {
        text.clone_into(&mut label.text);
        hint.clone_into(&mut finding.hint);
    }
    finding
}

/// The branch or loop around a barrier that only part of a warp reaches, as a label and as advice.
fn divided(finding: &mut Finding, submission: &Submission) {
    let Some(barrier) = finding.line.filter(|_| finding.file == submission.name) else { return };
    let Some((line, column)) = of_threads(1, barrier, &submission.text) else {
        if is_of_all(barrier, &submission.text)
            && let Some((before, _)) = finding.message.split_once(STANDS_IN)
        {
            finding.message = format!("{before}: others of its threads are held up before it");
            "find the barrier, or the `return`, in a branch or loop before this line"
                .clone_into(&mut finding.hint);
        }
        return;
    };
    let Some((_, hint)) = way(line, &submission.text) else { return };
    let (what, text) = if hint == LOOP.1 {
        (
            "a loop that its threads leave at different times",
            "not all of its threads go round this loop as often",
        )
    } else {
        ("a branch that its threads decide differently", "part of its threads skip this `if`")
    };
    if let Some((before, _)) = finding.message.split_once(STANDS_IN) {
        finding.message = format!("{before}{STANDS_IN}{what}");
        hint.clone_into(&mut finding.hint);
        finding.labels.push(Label { file: submission.name.clone(), line, column, text: text.to_owned() });
    }
}

/// The branch on the thread's number around one of two barriers at which threads of a block wait.
fn apart(finding: &mut Finding, submission: &Submission) {
    let own = finding.labels.iter().filter(|label| label.file == submission.name).map(|label| label.line);
    let barriers: Vec<u32> = finding.line.into_iter().chain(own).collect();
    let found = barriers.iter().find_map(|barrier| of_threads(1, *barrier, &submission.text));
    let Some((line, column)) = found else { return };
    if let Some((_, hint)) = way(line, &submission.text).filter(|(text, _)| *text == BRANCH.0) {
        hint.clone_into(&mut finding.hint);
        let text = "the thread's number decides here who comes to the barrier inside".to_owned();
        finding.labels.push(Label { file: submission.name.clone(), line, column, text });
    }
}

/// Whether a barrier stands in no branch and no loop of its kernel.
fn is_of_all(barrier: u32, text: &str) -> bool {
    let Some(kernel) = kernel_to(barrier, text) else { return false };
    let Some(((_, own), before)) = kernel.split_last() else { return false };
    let braces = |c: char| before.iter().map(|(_, line)| line.matches(c).count()).sum::<usize>();
    let head = before.iter().rev().find(|(_, line)| !line.trim().is_empty());
    let guarded = head.is_some_and(|(_, line)| !line.trim_end().ends_with([';', '{', '}']));
    own.trim_start().starts_with("__syncthreads") && !guarded && braces('{') == braces('}') + 1
}

/// The innermost `if` or loop on the thread's number, by line and column, that begins behind this line and ends behind the barrier: the
/// compiler makes one test of an `if` in an `if`, and gives it the line of the outer one.
fn of_threads(outer: u32, barrier: u32, text: &str) -> Option<(u32, u32)> {
    let kernel = kernel_to(barrier, text)?;
    let mut names: Vec<&str> = Vec::new();
    for (name, from) in assignments(&kernel) {
        if from.contains("threadIdx") || names.iter().any(|known| has(from, known)) {
            names.push(name);
        }
    }
    let mut open = Vec::new();
    for (number, line) in kernel.iter().filter(|(number, _)| (outer..barrier).contains(number)) {
        let by_thread = line.contains("threadIdx") || names.iter().any(|name| has(line, name));
        let branch = line.find("if (").filter(|_| !line.contains(';'));
        let goes_round = || ["for (", "while ("].iter().find_map(|head| line.find(head));
        let test = branch.or_else(goes_round).filter(|_| by_thread);
        let mut own = test.map(|at| (*number, line[..at].chars().count() as u32 + 1));
        for c in line.chars() {
            match c {
                '{' => open.push(own.take()),
                '}' => drop(open.pop()),
                _ => {}
            }
        }
    }
    open.into_iter().flatten().last()
}

/// What a line is that sends threads another way; `None` if its text does not say.
fn way(line: u32, text: &str) -> Option<(&'static str, &'static str)> {
    let mut lines = text.lines().skip(line.checked_sub(1)? as usize);
    let first = code(lines.next()?).trim();
    if has(first, "for") || has(first, "while") {
        return Some(LOOP);
    }
    let from = first.find("if (").or_else(|| first.find("if("))?;
    let mut statement = first[from..].to_owned();
    for line in lines.take(3) {
        if statement.contains(';') {
            break;
        }
        statement = format!("{statement} {}", code(line).trim());
    }
    let statement = statement.split(';').next().unwrap_or_default();
    Some(if has(statement, "return") { RETURN } else { BRANCH })
}

/// What a message says of an array of shared memory that no line fills: no other fault explains that.
pub const UNFILLED: &str = "no line fills";

/// Adds to a finding about a value that nothing has written, if no line of the text stores to its array in shared memory.
pub fn note_unfilled(finding: &mut Finding, submission: &Submission) {
    if !finding.code.starts_with("W02") || !finding.message.ends_with("` (shared memory)") {
        return;
    }
    let place = finding.message.rsplit('`').nth(1).unwrap_or_default();
    let place = place.to_owned();
    let name = place.split('[').next().unwrap_or_default().to_owned();
    if name.is_empty() {
        return;
    }
    if !may_fill(&name, &submission.text) {
        finding.message = format!("{}, and {UNFILLED} `{name}`", finding.message);
    } else if let Some((line, copy)) = unset_copy(&submission.text, &name) {
        finding.message = format!("{}; line {line} fills only a part of `{name}`", finding.message);
        finding.hint = format!(
            "no line sets `{name}[{copy}]`: set each copy, `for (int k = 0; k < copies; ++k) {name}[k][threadIdx.x] = 0;`, and put a \
             `__syncthreads()` after it"
        );
    } else if let Some(Short { line, filled, all, what }) =
        finding.line.and_then(|line| ends_early(&name, line, &submission.text))
    {
        finding.message = format!("{}; line {line} fills only a part of `{name}`", finding.message);
        finding.hint = format!(
            "the loop of line {line} fills {filled} of the {all} {what} of `{name}`: let it go on to {all}"
        );
    } else if let Some((told, hint)) = finding
        .line
        .zip(finding.task().map(str::to_owned))
        .and_then(|(line, task)| reached::unset(&submission.text, &task, line, &name, element(&place)?))
    {
        finding.message = format!("{}; {told}", finding.message);
        finding.hint = shaped(&hint, finding.line.unwrap_or_default(), &submission.text);
    } else if let Some(line) = column_first(&name, finding, &submission.text) {
        finding.hint = format!(
            "line {line} takes `threadIdx.x` for the first index of `{name}`, which is its row, and `threadIdx.y` for the second: likely the \
             two are exchanged, there or where `{name}` is filled"
        );
    } else if let Some((line, filled, all)) = finding.line.and_then(|line| {
        let task = finding.task()?;
        elements::filled(&name, line, &submission.text, task)
    }) {
        finding.message = format!("{}; line {line} fills only a part of `{name}`", finding.message);
        let [filled, all] = [filled, all].map(grouped);
        finding.hint = format!(
            "line {line} sets {filled} of the {all} elements of `{name}`. Set all of them, each thread in steps of a block: `for (int v = threadIdx.x; v < {}; v += \
             blockDim.x)`",
            all.replace(',', "")
        );
    } else if let Some(line) = finding.line.and_then(|line| once_per_thread(&name, line, &submission.text)) {
        finding.message = format!("{}; line {line} fills only a part of `{name}`", finding.message);
        finding.hint = format!(
            "in line {line} each thread fills one element at most, and the block has fewer threads there than `{name}` has elements. Let each thread \
             go on by the threads of the block: `for (int v = threadIdx.x; v < size; v += blockDim.x)`"
        );
    }
}

/// The number of the element `local[52]`.
fn element(place: &str) -> Option<usize> {
    place.split_once('[')?.1.strip_suffix(']')?.parse().ok()
}

/// A loop that fills a part of an array.
#[derive(Debug, PartialEq, Eq)]
struct Short {
    line: u32,
    filled: u64,
    all: u64,
    /// Elements, rows or columns.
    what: &'static str,
}

/// The loop before a use, in its kernel, that fills an array, its rows or its columns from the first on, and ends before the last.
fn ends_early(name: &str, used: u32, text: &str) -> Option<Short> {
    let kernel = kernel_to(used, text)?;
    let sides: Vec<u64> =
        kernel.iter().filter(|(_, line)| line.contains("__shared__")).find_map(|(_, line)| {
            let (declared, _) = indices(&line[places(line, name).next()? + name.len()..])?;
            declared.iter().map(|side| value(side, text)).collect()
        })?;
    kernel.iter().enumerate().find_map(|(at, (number, line))| {
        let (_, head) = line.split_once("for (")?;
        let (counter, _, bound) = comparisons(head).into_iter().find(|(_, operator, _)| *operator == "<")?;
        let filled = value(bound, text)?;
        let stored = kernel[at..].iter().take(5).find_map(|(_, line)| {
            places(line, name).find_map(|at| {
                let (indices, rest) = indices(&line[at + name.len()..])?;
                (rest.starts_with('=') && !rest.starts_with("==") && !indices.is_empty()).then_some(indices)
            })
        })?;
        let (all, what) = match stored.iter().position(|index| *index == counter) {
            Some(side) if sides.len() > 1 => (*sides.get(side)?, if side == 0 { "rows" } else { "columns" }),
            _ if stored.iter().all(|index| has(index, counter)) => (sides.iter().product(), "elements"),
            _ => return None,
        };
        (filled < all).then_some(Short { line: *number, filled, all, what })
    })
}

/// The line of a finding in which the thread's column is the row of an array, and its row the column.
fn column_first(name: &str, finding: &Finding, text: &str) -> Option<u32> {
    let lines = finding.labels.iter().map(|label| label.line).chain(finding.line);
    let exchanged = |line: &u32| {
        let line = line_of(text, *line);
        places(line, name).any(|at| {
            let found = indices(&line[at + name.len()..]).map(|(found, _)| found);
            matches!(found.as_deref(), Some([row, column]) if row.contains("threadIdx.x") && column.contains("threadIdx.y"))
        })
    };
    lines.into_iter().find(exchanged)
}

/// The only line before a use, in its kernel, that stores to an array, if each thread comes there once: no loop is around it.
fn once_per_thread(name: &str, used: u32, text: &str) -> Option<u32> {
    let kernel = kernel_to(used, text)?;
    let stores = |line: &str| {
        let assigned = |at: usize| {
            behind_index(&line[at + name.len()..])
                .is_some_and(|(rest, _)| rest.starts_with('=') && !rest.starts_with("=="))
        };
        places(line, name).filter(|at| assigned(*at)).count()
    };
    let mut filling = kernel
        .iter()
        .filter(|(_, line)| !line.contains("__shared__"))
        .flat_map(|line| std::iter::repeat_n(line, stores(line.1)));
    let (Some((number, _)), None) = (filling.next(), filling.next()) else { return None };
    let to_it = kernel.iter().take_while(|(line, _)| line <= number);
    let loops = to_it.clone().any(|(_, line)| ["for", "while", "do"].iter().any(|word| has(line, word)));
    let by_thread = to_it.last().is_some_and(|(_, line)| {
        places(line, name).any(|at| line[at + name.len()..].starts_with("[threadIdx.x]"))
    });
    (by_thread && !loops).then_some(*number)
}

/// Whether some line may store to an array: an assignment, or anything that is neither its declaration nor an access by index.
fn may_fill(name: &str, text: &str) -> bool {
    let code = text.lines().map(code).collect::<Vec<_>>().join("\n");
    let declared = code.lines().filter(|line| line.contains("__shared__"));
    let sizes = declared
        .filter_map(|line| {
            places(line, name).find_map(|at| behind_index(&line[at + name.len()..])).map(|(_, sizes)| sizes)
        })
        .max()
        .unwrap_or(1);
    places(&code, name).any(|at| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let line = before.rsplit('\n').next().unwrap_or_default();
        if line.contains("__shared__") {
            return false;
        }
        // A row of an array is the address of what it holds.
        let Some((rest, _)) = behind_index(after).filter(|(_, indices)| *indices >= sizes) else {
            return true;
        };
        let address = before.trim_end().strip_suffix('&');
        let atomic = address.is_some_and(|before| {
            let call = before.trim_end().strip_suffix('(').unwrap_or_default().trim_end();
            call[call.trim_end_matches(is_part).len()..].starts_with("atomic")
        });
        let assigned = rest.starts_with('=') && !rest.starts_with("==");
        assigned
            || rest.starts_with('.')
            || (address.is_some() && !atomic && !before.trim_end().ends_with("&&"))
    })
}

/// The text behind one or more indices in brackets, and how many they are; `None` if there is none.
fn behind_index(text: &str) -> Option<(&str, u32)> {
    let (indices, rest) = indices(text)?;
    (!indices.is_empty()).then_some((rest, indices.len() as u32))
}

/// The indices in brackets at the beginning of a text, and what is behind them: `r` and `c + 2` of `[r][c + 2] = 0`. `None` if one has no end.
pub fn indices(text: &str) -> Option<(Vec<&str>, &str)> {
    let mut rest = text.trim_start();
    let mut found = Vec::new();
    while rest.starts_with('[') {
        let mut depth = 0;
        let end = rest.find(|c: char| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0
        })?;
        found.push(rest[1..end].trim());
        rest = rest[end + 1..].trim_start();
    }
    Some((found, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_array_that_no_line_fills_is_known_by_its_uses() {
        let uses = "__shared__ uint32_t counts[256];\natomicAdd(&counts[gray[i]], 1u);\nif (counts[t] == 0 && counts[0]) n += counts[t];\n";
        assert!(!may_fill("counts", uses));
        for store in [
            "counts[t] = 0;",
            "counts[t / 4][k[0]] = 0;",
            "zero(counts);",
            "uint32_t* own = &counts[t];",
            "cells[t].x = 0; counts[t].x = 1;",
            "asm(\"\" :: \"r\"(counts));",
        ] {
            assert!(may_fill("counts", &format!("{uses}{store}")), "{store}");
        }
        assert!(!may_fill("counts", &format!("{uses}other_counts[t] = 0;  // counts[t] = 0")));
        let ring = "__shared__ uint32_t ring[6][32];\nn += ring[0][t];\n";
        assert!(!may_fill("ring", ring));
        assert!(may_fill("ring", &format!("{ring}uint32_t* slot = ring[s];\n")));
        // A name that is also a part of a keyword.
        assert!(may_fill("s", "__shared__ uint32_t s[6][32];\nuint32_t* slot = s[k];\n"));
    }

    #[test]
    fn a_loop_that_fills_a_part_is_told() {
        let of = |bound: &str, index: &str| {
            let text = format!(
                "__global__ void k() {{\n  __shared__ int t[12][36];\n  for (int k = threadIdx.x; k < {bound}; k += 256)\n    t{index} = 0;\n  \
                 n += t[y][x];\n}}\n"
            );
            ends_early("t", 5, &text).map(|short| (short.line, short.filled, short.all, short.what))
        };
        assert_eq!(of("8 * 36", "[k / 36][k % 36]"), Some((3, 288, 432, "elements")));
        assert_eq!(of("12 * 36", "[k / 36][k % 36]"), None);
        assert_eq!(of("12", "[k][c]"), None);
        assert_eq!(of("8", "[k][c]"), Some((3, 8, 12, "rows")));
        assert_eq!(of("32", "[r][k]"), Some((3, 32, 36, "columns")));
        assert_eq!(of("8", "[r][c]"), None);
    }

    #[test]
    fn the_barrier_in_a_loop_is_told_and_not_the_one_behind_it() {
        let text = "__global__ void k() {\n  const int first = blockIdx.x * 256 + threadIdx.x;\n  for (int i = first; i < n; i += 256) {\n    \
                    __syncthreads();\n  }\n  __syncthreads();\n}\n";
        assert_eq!(of_threads(1, 4, text), Some((3, 3)));
        assert_eq!((of_threads(1, 6, text), is_of_all(6, text), is_of_all(4, text)), (None, true, false));
        assert!(!is_of_all(3, "__global__ void k() {\n  if (t < 9)\n    __syncthreads();\n}\n"));
    }

    #[test]
    fn an_array_that_each_thread_fills_once_is_known() {
        let kernel = |fill: &str| {
            format!(
                "__global__ void k() {{\n  __shared__ int counts[256];\n  {fill}\n  __syncthreads();\n  atomicAdd(&counts[i], 1);\n}}\n"
            )
        };
        let of = |fill: &str| once_per_thread("counts", 5, &kernel(fill));
        assert_eq!(of("counts[threadIdx.x] = 0;"), Some(3));
        assert_eq!(of("if (threadIdx.x < 100) counts[threadIdx.x] = 0;"), Some(3));
        assert_eq!(of("for (int v = threadIdx.x; v < 256; v += blockDim.x) counts[v] = 0;"), None);
        assert_eq!(of("if (counts[threadIdx.x] == 0) return;"), None);
        assert_eq!(of("counts[threadIdx.x] = 0, counts[threadIdx.x + 128] = 0;"), None);
    }

    #[test]
    fn the_test_on_threads_is_told_and_not_the_one_around_it() {
        let text = "__global__ void k() {\n  const int t = threadIdx.x;\n  if (last) {\n    if (t < 256) {\n      if (n) { m(); }\n      \
                    __syncthreads();\n    }\n    if (t > 9) { m(); }\n    __syncthreads();\n  }\n}\n";
        assert_eq!(of_threads(3, 6, text), Some((4, 5)));
        assert_eq!(of_threads(3, 9, text), None);
    }

    #[test]
    fn a_line_is_a_return_a_branch_or_a_loop() {
        for (text, said) in [
            ("if (i >= n) return;  // none", Some(RETURN)),
            ("const int i = 0; if (x >= w ||\n    y >= h)\n    return;", Some(RETURN)),
            ("if (i >= n) {\n    return;\n}", Some(RETURN)),
            ("if (i < n) {\n    sum += gray[i];\n    return;", Some(BRANCH)),
            ("if (i < n) {  // or return\n    __syncthreads();", Some(BRANCH)),
            ("for (int k = t; k < n; k += 256) {", Some(LOOP)),
            ("i < n ? f() : g();", None),
        ] {
            assert_eq!(way(1, text), said, "{text}");
        }
    }
}
