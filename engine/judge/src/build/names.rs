//! Names that the compiler does not know: misspelt, or declared by a header that the file does not include.

use cuda::diagnostics::Diagnostic;
use runtime::finding::{Finding, Kind, Severity};

use super::code::{has, numbered_lines};
use crate::submission::Submission;

/// What `workbook.cuh` declares, directly or by the headers that it includes.
const BY_HEADER: &[&str] = &[
    "uint8_t",
    "uint16_t",
    "uint32_t",
    "uint64_t",
    "int8_t",
    "int16_t",
    "int32_t",
    "int64_t",
    "ceil_div",
    "WORKBOOK_CHECK",
    "UINT_MAX",
    "INT_MAX",
];

/// Names that every CUDA file knows, and beginners misspell.
const KNOWN: &[&str] = &[
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "__syncthreads",
    "__syncwarp",
    "__global__",
    "__device__",
    "__shared__",
    "__constant__",
    "__restrict__",
    "atomicAdd",
    "atomicMax",
    "atomicMin",
    "atomicCAS",
    "atomicExch",
    "cudaMalloc",
    "cudaFree",
    "cudaMemcpy",
    "cudaMemset",
    "cudaMemcpyToSymbol",
    "cudaMemcpyHostToDevice",
    "cudaMemcpyDeviceToHost",
    "cudaDeviceSynchronize",
    "static_cast",
];

/// How alike names are that may be meant for each other.
const ALIKE: f64 = 0.7;

/// The name that a message of the compiler calls undefined.
fn undefined(message: &str) -> Option<&str> {
    message.contains("is undefined").then(|| message.split('"').nth(1)).flatten()
}

/// The finding in place of all errors that only follow from a missing `#include "workbook.cuh"`, and the other errors.
pub fn without_header<'a>(
    errors: Vec<&'a Diagnostic>,
    submission: &Submission,
) -> (Option<Finding>, Vec<&'a Diagnostic>) {
    let included =
        submission.text.lines().any(|line| line.contains("#include") && line.contains("workbook.cuh"));
    let by_header =
        |error: &&Diagnostic| undefined(&error.message).is_some_and(|name| BY_HEADER.contains(&name));
    let missing: Vec<&Diagnostic> = errors.iter().copied().filter(by_header).collect();
    let Some(first) = missing.first().filter(|_| !included) else { return (None, errors) };
    let mut names: Vec<String> = Vec::new();
    for name in missing.iter().filter_map(|error| undefined(&error.message)) {
        let quoted = format!("`{name}`");
        if !names.contains(&quoted) {
            names.push(quoted);
        }
    }
    let verb = if names.len() == 1 { "is" } else { "are" };
    let message =
        format!("{} {verb} not declared: the file does not include `workbook.cuh`", names.join(", "));
    let hint = "write `#include \"workbook.cuh\"` above all other lines";
    let finding = Finding::new("W0001", Kind::Compile, Severity::Error, message, hint).at(
        &first.file,
        first.line,
        first.column,
    );
    // Other errors in these lines come from the same names.
    let follows = |error: &&Diagnostic| {
        missing.iter().any(|other| (&other.file, other.line) == (&error.file, error.line))
    };
    (Some(finding), errors.into_iter().filter(|error| !follows(error)).collect())
}

/// The errors without those that follow from a syntax error: the compiler skips declarations behind it, and then knows nothing of their names.
pub fn without_skipped<'a>(errors: Vec<&'a Diagnostic>, text: &str) -> Vec<&'a Diagnostic> {
    let is_syntax = |error: &&&Diagnostic| error.message.starts_with("expected ");
    let Some(first) = errors.iter().find(is_syntax).map(|error| (error.file.clone(), error.line)) else {
        return errors;
    };
    let skipped = |error: &&Diagnostic| {
        let between = |name| {
            let lines = numbered_lines(text).skip_while(|(line, _)| *line < first.1);
            lines.take_while(|(line, _)| *line < error.line).any(|(_, line)| has(line, name))
        };
        error.file == first.0 && undefined(&error.message).is_some_and(between)
    };
    errors.into_iter().filter(|error| !skipped(error)).collect()
}

/// Whether two names differ only in the order of their letters, `cfd` for `cdf`: a short one is much unlike the other then.
fn same_letters(one: &str, other: &str) -> bool {
    let sorted = |name: &str| {
        let mut letters: Vec<char> = name.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(one) == sorted(other)
}

/// A message and a hint for an undefined name that is much like one that the file or CUDA has.
pub fn misspelt(message: &str, submission: &Submission) -> Option<(String, String)> {
    let name = undefined(message)?;
    let tokens = kernels::tokens_alone(&submission.text);
    // A name of CUDA that the file uses may be as unknown as this one.
    let own = tokens.lines().filter(|token| {
        token.starts_with(|c: char| c.is_alphabetic() || c == '_') && !token.starts_with("cuda")
    });
    let lower = name.to_lowercase();
    let alike = |candidate: &str| strsim::normalized_damerau_levenshtein(&lower, &candidate.to_lowercase());
    let (_, meant) = KNOWN
        .iter()
        .copied()
        .chain(own)
        .filter(|candidate| *candidate != name)
        .map(|candidate| (alike(candidate), candidate))
        .filter(|(likeness, candidate)| *likeness >= ALIKE || same_letters(&lower, &candidate.to_lowercase()))
        .max_by(|one, other| one.0.total_cmp(&other.0))?;
    // The task names these: the declaration has the slip.
    if ["width", "height", "pixels"].contains(&name)
        && let Some((line, _)) = numbered_lines(&submission.text).find(|(_, line)| has(line, meant))
    {
        return Some((
            format!("`{name}` is not declared: line {line} has `{meant}`"),
            format!("write `{name}` in line {line}, too"),
        ));
    }
    let hint = if meant.to_lowercase() == lower {
        format!("write `{meant}`: C++ tells capital letters from small ones")
    } else {
        format!("write `{meant}`, or declare `{name}` above this line")
    };
    Some((format!("`{name}` is not declared: did you mean `{meant}`?"), hint))
}

#[cfg(test)]
mod tests {
    use cuda::diagnostics::Severity as Level;

    use super::*;

    #[test]
    fn names_whose_declaration_was_skipped_are_not_called_undeclared() {
        let error = |line: u32, message: &str| Diagnostic {
            severity: Level::Error,
            code: None,
            message: message.to_owned(),
            file: "a.cu".to_owned(),
            line,
            column: 1,
            source: None,
        };
        let text = "int rows = 32\n__constant__ int filter[25];\nint a = filter[0];\nint b = fliter[0];\n";
        let all = [
            error(1, "expected a \";\""),
            error(3, "identifier \"filter\" is undefined"),
            error(4, "identifier \"fliter\" is undefined"),
        ];
        let left = without_skipped(all.iter().collect(), text);
        assert_eq!(left.iter().map(|error| error.line).collect::<Vec<_>>(), [1, 4]);
        assert_eq!(without_skipped(all[1..].iter().collect(), text).len(), 2, "no syntax error");
    }
}
