//! Findings with their source lines.

use std::fmt::Write as _;

use colored::{ColoredString, Colorize};

use super::snippet::{Mark, snippet};
use crate::pages;
use judge::numbers::grouped;
use judge::submission::Submission;
use judge::wrap::{hanging, width};
use runtime::finding::{Finding, Severity};

/// Cases named with a finding.
const CASES: usize = 2;

/// All findings, one after the other, with the lines of these files.
pub fn findings(found: &[Finding], submissions: &[&Submission]) -> String {
    let mut out = String::new();
    // Where a line loses updates, it says nothing that some of them store the same value.
    let is_wrong = |line| found.iter().any(|other| other.is_error() && other.line == line);
    for finding in found.iter().filter(|finding| finding.code != "W0306" || !is_wrong(finding.line)) {
        one(&mut out, finding, submissions);
        out.push('\n');
    }
    out
}

/// One finding, with its lines.
pub(super) fn one(out: &mut String, finding: &Finding, submissions: &[&Submission]) {
    let title = format!("{}[{}]: ", severity(finding.severity), finding.code);
    let indent = title.chars().count();
    let text = hanging(&title, &finding.message);
    let rest: String = text.chars().skip(indent).collect();
    let _ = writeln!(out, "{}{rest}", painted(&title, finding.severity).bold());
    if let Some(line) = finding.line {
        let own = submissions.iter().find(|submission| submission.name == finding.file);
        let file = own.map_or(&finding.file, |submission| &submission.shown);
        let column = if finding.column > 0 { format!(":{}", finding.column) } else { String::new() };
        let _ = writeln!(out, "  --> {file}:{line}{column}");
    }
    for line in submission_of(finding, submissions).into_iter().flat_map(|own| source_lines(finding, own)) {
        let _ = writeln!(out, "   {line}");
    }
    if let Some(thread) = &finding.thread {
        let place = format!(
            "thread {} of block {} of `{}`",
            index(thread.thread),
            index(thread.block),
            thread.kernel
        );
        let _ = writeln!(out, "{}", hanging("   = at: ", &place));
    }
    if let Some(seen) = seen(finding) {
        let _ = writeln!(out, "{}", hanging("   = seen: ", &seen));
    }
    if !finding.hint.is_empty() {
        let _ = writeln!(out, "{}", hanging("   = try: ", &finding.hint));
    }
    if let Some(command) = pages::command_for(&finding.code) {
        let _ = writeln!(out, "   = read: {command}");
    }
}

/// The file that the finding is in, or else one of its labels.
fn submission_of<'a>(finding: &Finding, submissions: &[&'a Submission]) -> Option<&'a Submission> {
    let named = |file: &str| submissions.iter().copied().find(|submission| submission.name == file);
    named(&finding.file).or_else(|| finding.labels.iter().find_map(|label| named(&label.file)))
}

fn source_lines(finding: &Finding, submission: &Submission) -> Vec<String> {
    let own = |file: &str| file == submission.name;
    let primary = finding.line.filter(|_| own(&finding.file)).map(|line| Mark {
        line,
        column: finding.column,
        text: "",
        primary: true,
    });
    let others = finding.labels.iter().filter(|label| own(&label.file)).map(|label| Mark {
        line: label.line,
        column: label.column,
        text: &label.text,
        primary: false,
    });
    let marks: Vec<Mark<'_>> = primary.into_iter().chain(others).collect();
    snippet(&submission.text, &marks, width() - 3)
}

/// How often and in which cases; `None` for a finding without cases.
fn seen(finding: &Finding) -> Option<String> {
    if finding.cases.is_empty() {
        return None;
    }
    let times = match finding.count {
        1 => "once".to_owned(),
        count => format!("{} times", grouped(count)),
    };
    let named =
        finding.cases.iter().take(CASES).map(|case| format!("\"{case}\"")).collect::<Vec<_>>().join(", ");
    let more = finding.cases.len().saturating_sub(CASES);
    let rest = if more > 0 { format!(" and {more} more cases") } else { String::new() };
    Some(format!("{times}, in {named}{rest}"))
}

fn index(of: [u32; 3]) -> String {
    match of {
        [x, 0, 0] => x.to_string(),
        [x, y, 0] => format!("({x}, {y})"),
        [x, y, z] => format!("({x}, {y}, {z})"),
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// Text in the colour of a severity.
pub(super) fn painted(text: &str, severity: Severity) -> ColoredString {
    match severity {
        Severity::Error => text.red(),
        Severity::Warning => text.yellow(),
        Severity::Note => text.cyan(),
    }
}
