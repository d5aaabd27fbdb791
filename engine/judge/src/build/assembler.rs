//! The assembler's errors, which name lines of the PTX, at the student's lines.
//!
//! The assembler sees the file last. What it refuses is mostly inline assembly, or a call that no kernel can make.

use cuda::diagnostics::Diagnostic;

use super::compile::{Targets, Unit};
use super::findings;
use crate::submission::Submission;
use runtime::finding::{Finding, merge};

/// What begins a message of the assembler.
const ASSEMBLER: &str = "ptxas: ";
/// What follows it: its line of the PTX.
const PLACE: (&str, &str) = (" (line ", " of the generated PTX)");

/// The errors of a file that does not compile.
pub(super) fn errors(
    unit: &Unit<'_>,
    mut diagnostics: Vec<Diagnostic>,
    submission: &Submission,
    targets: Targets,
) -> Vec<Finding> {
    let assembled = |diagnostic: &Diagnostic| diagnostic.message.starts_with(ASSEMBLER);
    if !diagnostics.iter().any(assembled) {
        return findings::errors(&diagnostics, submission);
    }
    let Some(ptx) = unit.ptx(targets) else { return findings::errors(&diagnostics, submission) };
    let mut undefined = Vec::new();
    for message in kernels::explain_undefined(&ptx, false) {
        let finding = findings::undefined(message, submission);
        let call = (1..).zip(ptx.lines()).find(|(_, line)| line.trim() == "host_call,");
        let at = call.and_then(|(line, _)| student_line(&ptx, line, &submission.name));
        merge(&mut undefined, at.map_or(finding.clone(), |line| finding.at(&submission.name, line, 0)), None);
    }
    if !undefined.is_empty() {
        return undefined;
    }
    for diagnostic in diagnostics.iter_mut().filter(|diagnostic| assembled(diagnostic)) {
        let Some((text, line)) = placed(&diagnostic.message) else { continue };
        if let Some(line) = student_line(&ptx, line, &submission.name) {
            (diagnostic.message, diagnostic.line) = (text.to_owned(), line);
            submission.name.clone_into(&mut diagnostic.file);
        }
    }
    findings::errors(&diagnostics, submission)
}

/// A message of the assembler without its line of the PTX, and that line.
fn placed(message: &str) -> Option<(&str, usize)> {
    let (text, place) = message.rsplit_once(PLACE.0)?;
    Some((text, place.strip_suffix(PLACE.1)?.parse().ok()?))
}

/// The line of `file` that led to a line of the PTX: that of the last `.loc` before it which names the file, as the place itself or as
/// the place that the code was inlined at.
pub(super) fn student_line(ptx: &str, line: usize, file: &str) -> Option<u32> {
    let entry = |text: &str| {
        let (number, path) = text.trim_start().strip_prefix(".file")?.split_once('"')?;
        (path.rsplit_once('"')?.0 == file).then(|| number.trim().to_owned())
    };
    let number = ptx.lines().find_map(entry)?;
    let before: Vec<&str> = ptx.lines().take(line).collect();
    before.iter().rev().find_map(|text| {
        let place = text.trim_start().strip_prefix(".loc")?;
        let at = |place: &str| {
            let mut words = place.split_whitespace();
            (words.next()? == number).then(|| words.next()?.parse().ok())?
        };
        at(place).or_else(|| at(place.split_once("inlined_at")?.1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_ptx_leads_to_the_line_that_wrote_it() {
        let ptx = "\t.loc\t2 7 5\n\tadd;\n\t.loc\t1 40 3, function_name $L, inlined_at 2 9 1\n\tfrob;\n\
                   \t.file\t1 \"call.cuh\"\n\t.file\t2 \"my.cu\"\n";
        assert_eq!([2, 4].map(|line| student_line(ptx, line, "my.cu")), [Some(7), Some(9)]);
        assert_eq!(student_line(ptx, 2, "other.cu"), None);
        assert_eq!(placed("ptxas: what (line 12 of the generated PTX)"), Some(("ptxas: what", 12)));
    }
}
