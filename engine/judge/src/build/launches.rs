//! Faults of launches that the text of the launch explains: a function without `__global__`, and swapped sizes.

use runtime::finding::{Finding, Label};

use super::arguments::launches;
use super::block::body;
use super::code::{code, function_of, has, is_part, last_name, numbered_lines, places};
use super::findings::definition;
use crate::submission::Submission;

/// Names of variables for the number of blocks, and for the threads of a block.
const BLOCKS: &[&str] = &[
    "blocks",
    "grid",
    "grid_size",
    "gridsize",
    "grid_dim",
    "griddim",
    "dimgrid",
    "num_blocks",
    "numblocks",
    "blocks_per_grid",
    "blockspergrid",
];
const THREADS: &[&str] = &[
    "threads",
    "block",
    "block_size",
    "blocksize",
    "block_dim",
    "blockdim",
    "dimblock",
    "num_threads",
    "numthreads",
    "threads_per_block",
    "threadsperblock",
];

/// What a finding says beside such a launch.
pub const SWAPPED_HERE: &str = "the launch, with its sizes swapped";
/// What to try if the sizes of a launch are swapped.
pub const SWAPPED: &str =
    "first the number of blocks, then the threads of each block: `<<<blocks, threads>>>`";

/// The finding with what the text of its launch explains.
pub fn explained(finding: Finding, submission: &Submission) -> Finding {
    let own = finding.file == submission.name;
    match (finding.code.as_str(), finding.line) {
        ("W0508", Some(line)) if own => not_a_kernel(finding, line, submission),
        ("W0501", Some(line)) if own => swapped(finding, line, submission),
        ("W0502", Some(line)) if own => rounded_down(finding, line, submission),
        ("W0105", Some(line)) if own => host_argument(finding, line, submission),
        ("W0601", Some(line)) if own => called(finding, line, submission),
        _ => finding,
    }
}

fn not_a_kernel(finding: Finding, line: u32, submission: &Submission) -> Finding {
    let launch = text_from(line, submission);
    let before = launch.split("<<<").next().unwrap_or_default().trim_end();
    let name = before.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let Some((line, column)) = definition(&submission.text, name).filter(|_| !name.is_empty()) else {
        return finding;
    };
    let text = "defined here, without `__global__`".to_owned();
    Finding {
        message: format!(
            "`{name}` is launched, but it is not a kernel: its definition in line {line} lacks `__global__`"
        ),
        hint: format!("write `__global__ void {name}(…)` in line {line}"),
        labels: vec![Label { file: submission.name.clone(), line, column, text }],
        ..finding
    }
}

/// A function without `__global__` that numbers threads, and that the host calls like any other.
fn called(finding: Finding, line: u32, submission: &Submission) -> Finding {
    let lines: Vec<(u32, &str)> = numbered_lines(&submission.text).collect();
    let Some((head, name)) = function_of(&lines, line) else { return finding };
    let body = lines[head as usize - 1..].iter().take_while(|(_, line)| !line.starts_with('}'));
    let of_threads = |line: &str| ["threadIdx", "blockIdx"].iter().any(|name| has(line, name));
    if name.is_empty() || !body.into_iter().any(|(_, line)| of_threads(line)) {
        return finding;
    }
    Finding {
        message: format!(
            "`{name}` runs on the CPU, as a function without `__global__`, and reads or writes GPU memory there"
        ),
        hint: format!(
            "it numbers threads, so it is likely meant as a kernel: write `__global__ void {name}(…)` in line {head}, and launch it, \
             `{name}<<<blocks, threads_per_block>>>(…)`"
        ),
        ..finding
    }
}

/// A pointer to host memory as an argument: a variable of the GPU that kernels use by its name, or what such a variable may replace.
fn host_argument(finding: Finding, line: u32, submission: &Submission) -> Finding {
    let number = finding
        .message
        .strip_prefix("argument ")
        .and_then(|rest| rest.split(' ').next()?.parse::<usize>().ok());
    let launch = text_from(line, submission);
    let list =
        launch.split_once(">>>").and_then(|(_, rest)| rest.trim().strip_prefix('(')?.strip_suffix(')'));
    let Some(argument) =
        number.zip(list).and_then(|(number, list)| arguments(list).into_iter().nth(number - 1))
    else {
        return finding;
    };
    let lines = || submission.text.lines().map(code);
    let symbol = |name: &str| {
        lines().any(|line| {
            (has(line, "__constant__") || has(line, "__device__")) && line.contains(';') && has(line, name)
        })
    };
    let hint = if symbol(&argument) {
        format!(
            "`{argument}` is a variable on the GPU: kernels use it by its name. Leave the argument and the parameter out; \
             `cudaMemcpyToSymbol({argument}, …)` fills it"
        )
    } else {
        format!(
            "allocate with `cudaMalloc`, copy `{argument}` with `cudaMemcpy`, and pass the device pointer. A small table that all threads read \
             may be a `__constant__` array instead: `cudaMemcpyToSymbol` fills it, kernels use it by its name, and it is no argument"
        )
    };
    Finding { hint, ..finding }
}

fn swapped(finding: Finding, line: u32, submission: &Submission) -> Finding {
    let launch = text_from(line, submission);
    let inside = launch.split_once("<<<").and_then(|(_, rest)| Some(rest.split_once(">>>")?.0));
    let parts: Vec<String> = inside.map(arguments).unwrap_or_default();
    let [first, second, ..] = parts.as_slice() else { return finding };
    if !are_swapped(first, second, 1) {
        return finding;
    }
    Finding {
        message: format!("{}: the two sizes of the launch are swapped", finding.message),
        hint: in_order(first, second),
        ..finding
    }
}

/// Whether these sizes of a launch are the threads of a block, `least` or more, and the number of blocks, by their names or by how they are
/// computed.
fn are_swapped(first: &str, second: &str, least: u32) -> bool {
    let named = |names: &[&str], text: &str| names.contains(&text.to_lowercase().as_str());
    let is_size = first.parse::<u32>().is_ok_and(|number| number >= least) || named(THREADS, first);
    is_size && (second.contains("ceil_div") || second.contains('/') || named(BLOCKS, second))
}

fn in_order(first: &str, second: &str) -> String {
    format!("first the number of blocks, then the threads of each block: `<<<{second}, {first}>>>`")
}

/// A launch of the host function `task` whose sizes are swapped, of `kernel` or of any: the fact, what to try, and the line.
pub fn swapped_sizes(text: &str, task: &str, kernel: Option<&str>) -> Option<(String, String, u32)> {
    let all = launches(text, task);
    all.iter().filter(|launch| kernel.is_none_or(|name| name == launch.kernel)).find_map(|launch| {
        let sizes = arguments(&launch.sizes);
        let [first, second, ..] = sizes.as_slice() else { return None };
        // Of a few blocks, the number may be written so.
        are_swapped(first, second, 32).then(|| {
            let told = format!(
                "line {} launches `{}` with its two sizes swapped, `<<<{first}, {second}>>>`",
                launch.line, launch.kernel
            );
            (told, in_order(first, second), launch.line)
        })
    })
}

/// A grid without blocks along an axis, because of a quotient in its size there.
fn rounded_down(finding: Finding, line: u32, submission: &Submission) -> Finding {
    let Some(sides) = finding.message.split_once(" with a grid of ").map(|(_, sides)| sides) else {
        return finding;
    };
    let sides = sides.split(" blocks").next().unwrap_or_default();
    let Some(axis) = sides.split(" × ").position(|side| side == "0") else { return finding };
    let launch = text_from(line, submission);
    let inside = launch.split_once("<<<").and_then(|(_, rest)| Some(rest.split_once(">>>")?.0));
    let Some(grid) = inside.map(arguments).and_then(|parts| parts.into_iter().next()) else { return finding };
    let size = size_along(&grid, axis, line, submission);
    // A variable has the quotient that it is given.
    let named = |name: &str| size_along(name, 0, line, submission).filter(|_| name.chars().all(is_part));
    let size = size.map(|size| named(&size).unwrap_or(size));
    if let Some(told) = size.as_deref().and_then(|size| still_0(size, line, &submission.text)) {
        return Finding { hint: told, ..finding };
    }
    let size = size.map(|size| uncut(&size));
    let Some((quotient, (n, block))) = size.as_deref().and_then(|size| Some((size, quotient_of(size)?)))
    else {
        return finding;
    };
    Finding {
        hint: format!(
            "`{quotient}` rounds down, here to 0 blocks along {}: `ceil_div({n}, {block})` rounds up",
            ["x", "y", "z"][axis.min(2)]
        ),
        ..finding
    }
}

/// What to try if a variable in the size of a grid has the 0 that it is declared with: no line between sets it, or takes its address.
fn still_0(size: &str, line: u32, text: &str) -> Option<String> {
    let lines: Vec<(u32, &str)> = numbered_lines(text).filter(|(number, _)| *number < line).collect();
    let names = size.split(|c| !is_part(c)).filter(|name| name.starts_with(|c: char| c.is_alphabetic()));
    names.into_iter().find_map(|name| {
        let zero = |part: &str| part.trim_end().trim_end_matches(';').trim_end().ends_with(&format!("{name} = 0"));
        let at = lines.iter().rposition(|(_, line)| line.split(',').any(zero))?;
        let after = &lines[at + 1..];
        let sets = |line: &str| {
            places(line, name).any(|at| {
                let rest = line[at + name.len()..].trim_start();
                let assigns = rest.starts_with('=') && !rest.starts_with("==");
                line[..at].trim_end().ends_with(['&', '+', '-']) || assigns || rest.get(1..2) == Some("=") || rest.starts_with("++")
            })
        };
        // Another function may set it through a reference.
        let asks = |(_, line): &&(u32, &str)| has(line, "cudaDeviceGetAttribute") && has(line, name);
        let (number, _) = after.iter().find(asks)?;
        (!after.iter().any(|(_, line)| sets(line) || line.starts_with('}'))).then(|| {
            format!(
                "`{name}` is still the 0 of line {}: line {number} hands its value to `cudaDeviceGetAttribute`, which sets the variable whose address \
                 comes first, `cudaDeviceGetAttribute(&{name}, …)`",
                lines[at].0
            )
        })
    })
}

/// The first of the two numbers of `min(a, b)`; anything else is itself.
fn uncut(size: &str) -> String {
    let both = size.trim().strip_prefix("min(").and_then(|list| list.strip_suffix(')')).map(arguments);
    both.and_then(|both| both.into_iter().next()).unwrap_or_else(|| size.to_owned())
}

/// The expression for the size of a grid along an axis: of `dim3(…)`, of a variable of that kind, or the number itself.
fn size_along(grid: &str, axis: usize, line: u32, submission: &Submission) -> Option<String> {
    let listed = |text: &str| {
        let (_, list) = text.split_once(['(', '{'])?;
        arguments(list.trim_end().strip_suffix([')', '}'])?).into_iter().nth(axis)
    };
    if grid.trim_start().starts_with("dim3") {
        return listed(grid);
    }
    if grid.chars().any(|c| !c.is_alphanumeric() && c != '_') {
        return (axis == 0).then(|| grid.to_owned());
    }
    let before = submission.text.lines().take(line as usize - 1).collect::<Vec<_>>();
    before.iter().rev().find_map(|text| {
        let code = text.split("//").next()?.trim().trim_end_matches(';');
        let (left, right) = code.split_once(grid)?;
        let declares = !left.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        match right.trim_start().chars().next().filter(|_| declares)? {
            '(' | '{' if left.contains("dim3") => listed(right),
            '=' => {
                let value = right.trim_start()[1..].trim();
                if value.starts_with("dim3") { listed(value) } else { (axis == 0).then(|| value.to_owned()) }
            }
            _ => None,
        }
    })
}

/// Dividend and divisor of a size, if it is one quotient: `height / 16`, `rows / (8 * 16)`.
fn quotient_of(size: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let mut at = None;
    for (place, c) in size.char_indices() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        match c {
            '/' if depth == 0 => at = at.is_none().then_some(place).or(Some(usize::MAX)),
            '+' | '-' | '?' | ',' if depth == 0 => return None,
            _ => {}
        }
    }
    let at = at.filter(|at| *at < size.len())?;
    let (n, block) = (size[..at].trim(), size[at + 1..].trim());
    let plain =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_alphanumeric() || "_. *()".contains(c));
    // `ceil_div(…)` and `max(…)` do something else with it.
    let calls = size.contains("ceil_div") || size.contains("max(") || size.contains("min(");
    (plain(n) && plain(block) && !calls).then_some((n, block))
}

/// Functions that a kernel calls for values from which on a list of them says nothing.
const MANY: usize = 4;

/// The functions of the text that the only kernel of `task` with one of these lines calls for values, as a fact.
pub fn functions(text: &str, task: &str, lines: &[u32]) -> Option<String> {
    let heads = numbered_lines(text).filter(|(_, line)| {
        has(line, "__device__") && line.contains('(') && !has(line, "void") && !has(line, "__global__")
    });
    let mut kernels = launches(text, task).into_iter().map(|launch| launch.kernel);
    let stores = |kernel: &&str| body(text, kernel).iter().any(|(line, _)| lines.contains(line));
    let kernel = kernels.find(stores)?;
    if kernels.any(|other| other != kernel && stores(&other)) {
        return None;
    }
    let bodies = body(text, kernel);
    let called: Vec<String> = heads
        .filter_map(|(line, head)| {
            let name = last_name(head.split_once('(')?.0.trim_end());
            bodies.iter().any(|(_, line)| has(line, name)).then(|| format!("`{name}` (line {line})"))
        })
        .collect();
    (1..MANY).contains(&called.len()).then(|| format!("`{kernel}` takes values from {}", in_words(&called)))
}

/// `a, b and c`.
fn in_words(all: &[String]) -> String {
    match all {
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        _ => all.concat(),
    }
}

/// The text from a line on, up to the end of its statement.
fn text_from(line: u32, submission: &Submission) -> String {
    statement(submission.text.lines().skip(line as usize - 1))
}

/// These lines in one, up to the end of the statement: what comes behind is not read.
pub fn statement<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for (at, line) in lines.enumerate() {
        if at > 0 {
            text.push(' ');
        }
        let end = line.find(';');
        text.push_str(&line[..end.unwrap_or(line.len())]);
        if end.is_some() {
            break;
        }
    }
    text
}

/// The arguments in a list, without the spaces around them.
pub fn arguments(list: &str) -> Vec<String> {
    let mut depth = 0;
    let mut parts = vec![String::new()];
    for c in list.chars() {
        depth += match c {
            '(' | '[' | '{' => 1,
            ')' | ']' | '}' => -1,
            _ => 0,
        };
        match parts.last_mut() {
            _ if c == ',' && depth == 0 => parts.push(String::new()),
            Some(part) => part.push(c),
            None => {}
        }
    }
    parts.iter().map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_blocks_with_a_variable_that_is_still_0_is_told() {
        let told = |call: &str| {
            let text = format!(
                "void task(int n) {{\n    int device = 0, multiprocessors = 0;\n    {call}\n    const int blocks = min(ceil_div(n, 256), 8 * multiprocessors);\n    \
                 k<<<blocks, 256>>>(n);\n}}\n"
            );
            still_0("min(ceil_div(n, 256), 8 * multiprocessors)", 5, &text)
        };
        let said = told("cudaDeviceGetAttribute(&device, cudaDevAttrMultiProcessorCount, multiprocessors);");
        assert!(
            said.unwrap_or_default().starts_with("`multiprocessors` is still the 0 of line 2: line 3 hands")
        );
        for other in [
            "cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);",
            "ask(multiprocessors);",
        ] {
            assert_eq!(told(other), None, "{other}");
        }
    }

    #[test]
    fn sizes_in_the_wrong_order_are_told() {
        let told = |sizes: &str| {
            let text = format!("void task(int n) {{\n    k<<<{sizes}>>>(n);\n}}\n");
            swapped_sizes(&text, "task", Some("k")).map(|(_, hint, line)| (hint, line))
        };
        for swapped in
            ["block_size, blocks", "256, ceil_div(n, 256)", "threadsPerBlock, blocksPerGrid", "block, grid"]
        {
            assert!(
                told(swapped)
                    .is_some_and(|(hint, line)| line == 2 && hint.contains("first the number of blocks")),
                "{swapped}"
            );
        }
        for right in ["blocks, block_size", "ceil_div(n, 256), 256", "8, n / 8", "1, 256", "264, 1024"] {
            assert_eq!(told(right), None, "{right}");
        }
    }
}
