//! The compiler's diagnostics as findings: with a code, a hint, and the student's line.

use cuda::diagnostics::{Diagnostic, Severity as Level};
use cuda::text::short;
use kernels::{ENTRY_FILE, RewriteError};
use lab::Task;

use crate::submission::Submission;
use runtime::finding::{Finding, Kind, Severity};
use runtime::job::Failure;

use super::arrays::sides;
use super::assembler::student_line;
use super::block::body;
use super::code::{last_name, line_of};
use super::compile::BuildError;
use super::{barriers, beginners, names};
use crate::exit::{KILLED, Stop};
use crate::labs;
use crate::numbers::grouped;

/// What the compiler says of a variable without a value.
pub const UNSET: &str = "is used before its value is set";

/// What it says of a function that ends without a result.
pub const NO_RETURN: &str = "missing return statement";

/// Most errors to show: later errors mostly follow from earlier ones.
const MOST: usize = 10;

/// A message with the types of the text in place of those that launches are rewritten with: `"workbook::passed<T, false>::type" (aka "T")`.
fn own_types(message: &str) -> String {
    let Some((before, rest)) = message.split_once("\"workbook::passed<") else { return message.to_owned() };
    match rest.split_once("\" (aka \"").and_then(|(_, rest)| rest.split_once("\")")) {
        Some((kind, behind)) => format!("{before}\"{kind}\"{behind}"),
        None => message.to_owned(),
    }
}

/// A directive that reaches for a file, or names another.
pub fn refused_include(error: &RewriteError, submission: &Submission) -> Finding {
    let hint = "remove the line; `#include \"workbook.cuh\"` has everything that a lab needs";
    Finding::new("W0002", Kind::Compile, Severity::Error, error.message.clone(), hint).at(
        &submission.name,
        error.line,
        error.column,
    )
}

/// A launch that could not be rewritten.
pub fn refused_launch(error: &RewriteError, submission: &Submission) -> Finding {
    Finding::new("W0005", Kind::Compile, Severity::Error, error.message.clone(), error.hint).at(
        &submission.name,
        error.line,
        error.column,
    )
}

/// The file whose compilation ended with the process that did it, or took too long.
pub fn lost(failure: &Failure) -> BuildError {
    let (what, why) = match failure {
        Failure::Deadline { seconds } => (
            format!("the compiler did not finish this file within {seconds} s"),
            "a long loop that is unrolled (`#pragma unroll`, and loops of a constant number of passes inside), a macro or template that \
             doubles itself, or a loop in a `constexpr` function keeps it busy",
        ),
        Failure::Died { status } if status.contains(KILLED) => {
            let what = format!("something ended the compiler's process ({status}), most likely for lack of memory on this machine");
            let hint = "close other programs and check again; if that does not help, make the file simpler, part by part";
            return BuildError::Source(vec![Finding::new("W0010", Kind::Compile, Severity::Error, what, hint)]);
        }
        Failure::Died { .. } => (
            "the compiler gave up on this file: it needed more memory than it may use (2.5 GB), or it crashed"
                .to_owned(),
            "very large initialised arrays, and code or templates that nest very deep, need the most; and NVIDIA's compiler has \
             faults of its own: versions 12.4 to 13.0 crash on a loop that adds the same values in each of its passes",
        ),
        other => return BuildError::Stop(Stop::environment(other.to_string())),
    };
    let hint =
        format!("{why}; every file that a lab needs compiles in two seconds: make it simpler, part by part");
    BuildError::Source(vec![Finding::new("W0010", Kind::Compile, Severity::Error, what, &hint)])
}

/// The errors of a pass.
pub fn errors(diagnostics: &[Diagnostic], submission: &Submission) -> Vec<Finding> {
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Level::Error).collect();
    let (header, errors) = names::without_header(errors, submission);
    let mut errors = names::without_skipped(errors, &submission.text);
    // A host function that is not there yet does not matter before the file compiles.
    let in_text = |error: &&Diagnostic| !is_at_the_end(error);
    if kernels::unclosed_brace(&submission.text).is_none() && errors.iter().any(&in_text) {
        errors.retain(|error| in_text(error));
    }
    let mut found: Vec<Finding> = header.into_iter().collect();
    let mut left = errors.into_iter();
    while found.len() < MOST
        && let Some(error) = left.next()
    {
        let finding = one(error, submission);
        if !found.iter().any(|known| (known.line, &known.message) == (finding.line, &finding.message)) {
            found.push(finding);
        }
    }
    found.extend(more(left.len(), diagnostics));
    unclosed_first(&mut found, submission);
    found
}

/// Puts a brace that is never closed before the errors of later lines, which follow from it.
fn unclosed_first(found: &mut Vec<Finding>, submission: &Submission) {
    let Some(brace) = kernels::unclosed_brace(&submission.text) else { return };
    let is_it = |finding: &Finding| finding.message == brace.message;
    let later = |finding: &Finding| finding.line.is_some_and(|line| line > brace.line);
    if let Some(from) = found.iter().position(is_it)
        && let Some(to) = found.iter().position(later).filter(|to| *to < from)
    {
        let finding = found.remove(from);
        found.insert(to, finding);
    }
}

/// A note on errors that are not listed, if there are any.
fn more(number: usize, diagnostics: &[Diagnostic]) -> Option<Finding> {
    let kept = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Level::Error).count();
    let or_more = if kept >= cuda::diagnostics::MOST { " or more" } else { "" };
    let message = match number {
        0 => return None,
        1 => "the compiler has 1 more error to tell".to_owned(),
        _ => format!("the compiler has {number}{or_more} more errors to tell"),
    };
    let hint = "fix the first error and compile again: later ones often follow from it";
    Some(Finding::new("W0001", Kind::Compile, Severity::Note, message, hint))
}

/// The warnings of a pass about the student's own lines.
pub fn warnings(diagnostics: &[Diagnostic], submission: &Submission) -> Vec<Finding> {
    let own = |diagnostic: &&Diagnostic| {
        diagnostic.severity == Level::Warning && diagnostic.file == submission.name && diagnostic.line > 0
    };
    let finding = |diagnostic: &Diagnostic| {
        let name = diagnostic.message.split('"').nth(1).filter(|_| diagnostic.message.contains(UNSET));
        let hint = name.and_then(|name| beginners::without_value(name, diagnostic.line, &submission.text));
        let assigned = diagnostic.message.contains("use of \"=\" where");
        let equal = || "`=` sets the variable, and its new value decides: `==` compares".to_owned();
        let returns = || {
            "what the function gives is undefined, and so is what its caller does: `return` the result at its end"
                .to_owned()
        };
        let hint = hint.or_else(|| assigned.then(equal));
        let uncalled = || barriers::uncalled(line_of(&submission.text, diagnostic.line));
        let hint = hint.or_else(|| Some(uncalled()?.1.to_owned()));
        let hint = hint.or_else(|| diagnostic.message.starts_with(NO_RETURN).then(returns));
        let hint =
            hint.unwrap_or_else(|| "check this line: it is legal, but probably not intended".to_owned());
        Finding::new("W0006", Kind::Lint, Severity::Warning, short(&diagnostic.message), &hint).at(
            &diagnostic.file,
            diagnostic.line,
            column(diagnostic, submission),
        )
    };
    diagnostics.iter().filter(own).map(finding).collect()
}

/// A task's host function that is missing or has another signature.
pub fn entry(task: &dyn Task, missing: bool, message: String, submission: &Submission) -> Finding {
    let signature = format!("void {}({})", task.name(), task.parameters());
    if missing {
        let hint = of_another_lab(task.name(), &submission.text)
            .unwrap_or_else(|| format!("define `{signature}`; or check only the other task with `--task`"));
        return Finding::new("W0003", Kind::Compile, Severity::Error, message, &hint);
    }
    let hint = format!("declare it exactly as `{signature}`");
    let finding = Finding::new("W0004", Kind::Compile, Severity::Error, message, &hint);
    match definition(&submission.text, task.name()) {
        Some((line, column)) => finding.at(&submission.name, line, column),
        None => finding,
    }
}

/// What to try with a file that defines no task of this one's lab, but one of another lab.
fn of_another_lab(task: &str, text: &str) -> Option<String> {
    let defined =
        |lab: &&'static dyn lab::Lab| lab.tasks().iter().find(|task| definition(text, task.name()).is_some());
    let all = labs::all();
    let own = all.iter().find(|lab| lab.tasks().iter().any(|other| other.name() == task))?;
    let other = all.iter().filter(|_| defined(own).is_none()).find_map(|lab| Some((lab, defined(lab)?)))?;
    let (lab, task) = (other.0.name(), other.1.name());
    Some(format!("this file defines `{task}`, a task of {lab}: run `checker {lab}` on it"))
}

/// PTX that the simulator does not understand, which inline assembly and rare features lead to.
pub fn unreadable(error: &simulator::ModuleError, ptx: &str, submission: &Submission) -> Finding {
    let message = format!("the simulator cannot read what the compiler made of this file: {}", error.message);
    let hint = "leave out inline assembly (`asm`) and features that the labs do not need, or check this file on a GPU";
    let finding = Finding::new("W0511", Kind::Compile, Severity::Error, message, hint);
    if let Some(at) = &error.location {
        return finding.at(&at.file, at.line, at.column);
    }
    match student_line(ptx, error.line as usize, &submission.name) {
        Some(line) => finding.at(&submission.name, line, 0),
        None => finding,
    }
}

/// A function that is called but has no body.
pub fn undefined(message: String, submission: &Submission) -> Finding {
    let hint = "define the function in this file; in a kernel, call only device functions";
    let name = message.split('`').nth(1).map(str::to_owned);
    let finding = Finding::new("W0007", Kind::Compile, Severity::Error, message, hint);
    match name.and_then(|name| definition(&submission.text, &name)) {
        Some((line, column)) => finding.at(&submission.name, line, column),
        None => finding,
    }
}

/// A global variable that is too large.
pub fn too_large(name: &str, message: &str, submission: &Submission) -> Finding {
    let hint =
        "make the array smaller, or take the memory from `cudaMalloc` and `malloc` when the size is known";
    let finding = Finding::new("W0008", Kind::Compile, Severity::Error, message.to_owned(), hint);
    let declared = submission.text.lines().enumerate().find_map(|(index, line)| {
        let at = identifier_at(line, name.rsplit("::").next().unwrap_or(name))?;
        Some((index as u32 + 1, line[..at].chars().count() as u32 + 1))
    });
    match declared {
        Some((line, column)) => finding.at(&submission.name, line, column),
        None => finding,
    }
}

/// Arrays of a block of a fixed size that are too large together: `ptxas: Entry function '_Z1kPi' uses too much shared data (0x10000 bytes,
/// 0xc000 max)`.
fn too_much_shared(message: &str, submission: &Submission) -> Option<Finding> {
    let (entry, sizes) = message.split_once("uses too much shared data (")?;
    let kernel = simulator::readable(entry.split('\'').nth(1)?);
    let bytes = |text: &str| u64::from_str_radix(text.trim().strip_prefix("0x")?.split(' ').next()?, 16).ok();
    let (needs, most) = sizes.split_once(',')?;
    let (needs, most) = (bytes(needs)?, bytes(most)?);
    let all = body(&submission.text, &kernel);
    let arrays = all.iter().filter(|(_, line)| line.contains("__shared__")).filter_map(|(number, line)| {
        let before = line.split('[').next()?;
        let name = last_name(before);
        let (_, sides) = sides(name, *number, &submission.text)?;
        Some((sides.iter().product::<i64>(), *number, before.chars().count() - name.chars().count(), name))
    });
    let largest = arrays.max_by_key(|(elements, ..)| *elements);
    let message = format!(
        "`{kernel}` declares {} bytes of shared memory per block: arrays of a fixed size may take {} bytes ({} KiB) together",
        grouped(needs),
        grouped(most),
        most / 1024
    );
    let array = largest.map_or("its largest array".to_owned(), |(.., name)| format!("`{name}`"));
    let hint = format!(
        "make {array} smaller: with fewer copies, or a smaller tile. Only an array whose bytes the launch gives (`extern __shared__`) may take more, up to what \
         `cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)` allows"
    );
    let finding = Finding::new("W0503", Kind::Compile, Severity::Error, message, &hint);
    Some(match largest {
        Some((_, line, before, _)) => finding.at(&submission.name, line, before as u32 + 1),
        None => finding,
    })
}

/// Line and column of the first `name(` outside a comment line.
pub(super) fn definition(text: &str, name: &str) -> Option<(u32, u32)> {
    text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//")).find_map(
        |(index, line)| {
            let at = identifier_at(line, name)?;
            let called = line[at + name.len()..].trim_start().starts_with('(');
            called.then(|| (index as u32 + 1, line[..at].chars().count() as u32 + 1))
        },
    )
}

/// A `static_assert` of one of our headers, at the student's line that caused it. The texts have the form
/// `what is wrong: what to do instead`.
fn refused(error: &Diagnostic, submission: &Submission) -> Option<Finding> {
    let text = error.message.strip_prefix("static assertion failed with \"")?;
    let (text, led_here) = text.split_once("\" (detected during")?;
    let before = led_here.split(&format!(" of {}", submission.name)).next()?;
    let line = before.rsplit(' ').next()?.parse().ok()?;
    let (message, hint) = text.split_once(": ").unwrap_or((text, "remove it"));
    let finding = Finding::new("W0001", Kind::Compile, Severity::Error, message.to_owned(), hint);
    Some(finding.at(&submission.name, line, 0))
}

fn one(error: &Diagnostic, submission: &Submission) -> Finding {
    if error.file != submission.name
        && let Some(finding) = refused(error, submission)
    {
        return finding;
    }
    if let Some(finding) = too_much_shared(&error.message, submission) {
        return finding;
    }
    let is_include = error.message.contains("open source file");
    let name = error.message.split('"').nth(1).unwrap_or_default();
    let (code, message, asked) = if is_include {
        // The compiler has two messages for it.
        let asked = format!("could not open source file \"{name}\"");
        ("W0002", format!("the header `{name}` is not available"), asked)
    } else {
        ("W0001", error.message.clone(), error.message.clone())
    };
    // The name is the checker's own.
    let launched = error.message.contains("\"workbook::prepare(");
    let message =
        if launched { "what this line launches is not a kernel".to_owned() } else { own_types(&message) };
    let (message, advised) = match names::misspelt(&message, submission) {
        Some((message, hint)) => (message, hint),
        None => (message, advice(&error.message).to_owned()),
    };
    let told = || {
        beginners::told(&error.message, error.line, column(error, submission), &submission.text)
            .filter(|_| error.file == submission.name)
    };
    let hint = kernels::hint(&asked).or_else(told).unwrap_or(advised);
    let finding = Finding::new(code, Kind::Compile, Severity::Error, short(&message), &hint);
    if is_at_the_end(error) {
        return at_the_end(finding, error, submission);
    }
    if error.line == 0 || error.file.is_empty() {
        return finding;
    }
    let column = column(error, submission);
    let before = || beginners::end_before(&error.message, error.line, column, &submission.text);
    let (line, column) = Some(before)
        .filter(|_| error.file == submission.name)
        .and_then(|before| before())
        .unwrap_or((error.line, column));
    finding.at(&error.file, line, column)
}

/// Whether an error is in the checker's own lines, after those of the file.
fn is_at_the_end(error: &Diagnostic) -> bool {
    error.file == ENTRY_FILE || error.message.starts_with("at the end of the file")
}

/// The column in the student's text; the compiler counts columns of the rewritten text.
fn column(diagnostic: &Diagnostic, submission: &Submission) -> u32 {
    submission.column(&diagnostic.file, diagnostic.line, diagnostic.column)
}

/// An error in the checker's own lines that is about no host function: the file before them is unfinished.
fn at_the_end(finding: Finding, error: &Diagnostic, submission: &Submission) -> Finding {
    if let Some(brace) = kernels::unclosed_brace(&submission.text) {
        let hint =
            "find the missing `}`: match every `{` with its `}`, from here to the end of the file".to_owned();
        return Finding { message: brace.message, hint, ..finding }.at(
            &submission.name,
            brace.line,
            brace.column,
        );
    }
    let message = kernels::explain_entry_errors(&[], &[(0, &error.message)]).into_iter().next();
    let last = submission.text.lines().count().max(1) as u32;
    let finding = Finding { message: message.unwrap_or_else(|| error.message.clone()), ..finding };
    finding.at(&submission.name, last, 0)
}

/// Advice for errors without a hint in [`kernels::hint`].
fn advice(message: &str) -> &'static str {
    if message.starts_with("ptxas") {
        "the assembler refuses what this line led to: inline assembly (`asm`) has to be PTX that this GPU knows. No lab needs it"
    } else if message.contains("expected a \";\"") {
        "end the statement in this line, or the one before, with `;`"
    } else if message.contains("expected a \")\"") || message.contains("expected a \"]\"") {
        "close the bracket that was opened before this place"
    } else if message.contains("is undefined") {
        "check the spelling, and declare the name above this line"
    } else if message.contains("argument") {
        "compare the arguments with the parameters, one by one"
    } else {
        "fix the first error first: later ones often follow from it"
    }
}

/// The position of `name` in `text` as a whole identifier.
fn identifier_at(text: &str, name: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).map(|(at, _)| at).find(|at| {
        let before = text[..*at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_lab_is_told_by_what_it_defines() {
        let said = of_another_lab("grayscale", "void equalize(const uint8_t* gray, uint8_t* out) {}")
            .unwrap_or_default();
        assert_eq!(said, "this file defines `equalize`, a task of lab3: run `checker lab3` on it");
        assert_eq!(of_another_lab("grayscale", "void grayscale_darken() {}\nvoid equalize() {}"), None);
        assert_eq!(of_another_lab("grayscale", "void other() {}"), None);
    }

    #[test]
    fn a_definition_is_not_found_within_another_name_or_a_comment() {
        let text = "// gray( here\nvoid gray_dark(int n);\nvoid gray(int n) {}\n";
        assert_eq!(definition(text, "gray"), Some((3, 6)));
        assert_eq!(definition(text, "dark"), None);
    }
}
