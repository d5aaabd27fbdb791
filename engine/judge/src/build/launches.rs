//! Faults of launches that the text of the launch explains: a function without `__global__`, and swapped sizes.

use runtime::finding::{Finding, Label};

use super::findings::definition;
use crate::submission::Submission;

/// Names of variables for the number of blocks, and for the threads of a block.
const BLOCKS: &[&str] =
    &["blocks", "grid", "grid_size", "gridsize", "grid_dim", "griddim", "dimgrid", "num_blocks", "numblocks"];
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
];

/// The finding with what the text of its launch explains.
pub fn explained(finding: Finding, submission: &Submission) -> Finding {
    let own = finding.file == submission.name;
    match (finding.code.as_str(), finding.line) {
        ("W0508", Some(line)) if own => not_a_kernel(finding, line, submission),
        ("W0501", Some(line)) if own => swapped(finding, line, submission),
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

fn swapped(finding: Finding, line: u32, submission: &Submission) -> Finding {
    let launch = text_from(line, submission);
    let inside = launch.split_once("<<<").and_then(|(_, rest)| Some(rest.split_once(">>>")?.0));
    let parts: Vec<String> = inside.map(arguments).unwrap_or_default();
    let [first, second, ..] = parts.as_slice() else { return finding };
    let named = |names: &[&str], text: &str| names.contains(&text.to_lowercase().as_str());
    let is_size = first.parse::<u32>().is_ok() || named(THREADS, first);
    let is_count = second.contains("ceil_div") || second.contains('/') || named(BLOCKS, second);
    if !is_size || !is_count {
        return finding;
    }
    Finding {
        message: format!("{}: the two sizes of the launch are swapped", finding.message),
        hint: format!(
            "first the number of blocks, then the threads of each block: `<<<{second}, {first}>>>`"
        ),
        ..finding
    }
}

/// The text from a line on, up to the end of its statement.
fn text_from(line: u32, submission: &Submission) -> String {
    let lines: Vec<&str> = submission.text.lines().skip(line as usize - 1).collect();
    let text = lines.join(" ");
    text.split(';').next().unwrap_or_default().to_owned()
}

/// The arguments in a list, without the spaces around them.
fn arguments(list: &str) -> Vec<String> {
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
