//! A finding in the report: one form for those of the compiler, the simulator, the runtime and the checker.

use serde::{Deserialize, Serialize};
use simulator::Finding as Simulated;

/// The family a finding belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// The file does not compile.
    Compile,
    /// A wrong use of a runtime call, or a fault of the host function.
    Host,
    /// An access outside allocated memory.
    Memory,
    /// A use of a value that nothing has written.
    Initialisation,
    /// Two unordered accesses to the same byte.
    Race,
    /// A barrier that not all threads reach.
    Barrier,
    /// A launch that the GPU refuses, or that never ends.
    Launch,
    /// Correct but slow.
    Performance,
    /// Legal but probably not intended.
    Lint,
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Note,
    /// Works here, and may fail elsewhere.
    Warning,
    /// Wrong: no points.
    Error,
}

/// Another line that is involved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The file's name, as given to the compiler.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// What happens at that line.
    pub text: String,
}

/// The first thread with the finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thread {
    /// The kernel.
    pub kernel: String,
    /// `blockIdx`.
    pub block: [u32; 3],
    /// `threadIdx`.
    pub thread: [u32; 3],
}

/// One fault or remark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable code, such as `W0101`.
    pub code: String,
    /// Family.
    pub kind: Kind,
    /// Severity.
    pub severity: Severity,
    /// The file's name, as given to the compiler; empty if no place is known.
    pub file: String,
    /// Line, from 1.
    pub line: Option<u32>,
    /// Column, from 1; 0 if unknown.
    pub column: u32,
    /// What happened.
    pub message: String,
    /// What to try next.
    pub hint: String,
    /// Other lines that are involved.
    pub labels: Vec<Label>,
    /// The first thread with the finding.
    pub thread: Option<Thread>,
    /// How many times it happened, over all cases.
    pub count: u64,
    /// The cases in which it happened, as `task: case`.
    pub cases: Vec<String>,
}

impl Finding {
    /// Its line, as it follows the code in a sentence: ` in line 7`; nothing without a line.
    pub fn in_line(&self) -> String {
        self.line.map(|line| format!(" in line {line}")).unwrap_or_default()
    }

    /// Whether one of its cases is of this task.
    pub fn is_of(&self, task: &str) -> bool {
        self.cases.iter().any(|case| case.split_once(": ").is_some_and(|(of, _)| of == task))
    }

    /// The task of its first case: `histogram` of `histogram: 31x33`.
    pub fn task(&self) -> Option<&str> {
        self.cases.first()?.split(": ").next()
    }

    /// A finding without a place.
    pub fn new(code: &str, kind: Kind, severity: Severity, message: String, hint: &str) -> Self {
        Self {
            code: code.to_owned(),
            kind,
            severity,
            file: String::new(),
            line: None,
            column: 0,
            message,
            hint: hint.to_owned(),
            labels: Vec::new(),
            thread: None,
            count: 1,
            cases: Vec::new(),
        }
    }

    /// The same finding at this place.
    #[must_use]
    pub fn at(mut self, file: &str, line: u32, column: u32) -> Self {
        file.clone_into(&mut self.file);
        self.line = Some(line);
        self.column = column;
        self
    }

    /// Whether it makes the submission fail.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    fn same_defect(&self, other: &Self) -> bool {
        (&self.code, &self.file, self.line, self.severity)
            == (&other.code, &other.file, other.line, other.severity)
    }
}

impl From<Simulated> for Finding {
    fn from(from: Simulated) -> Self {
        let (file, line, column) = match from.location {
            Some(at) => (at.file, Some(at.line), at.column),
            None => (String::new(), None, 0),
        };
        let labels = from.labels.into_iter().map(|label| Label {
            file: label.location.file,
            line: label.location.line,
            column: label.location.column,
            text: label.text,
        });
        Self {
            code: from.code.to_owned(),
            kind: from.kind.into(),
            severity: from.severity.into(),
            file,
            line,
            column,
            message: from.message,
            hint: from.hint,
            labels: labels.collect(),
            thread: from.thread.map(|at| Thread { kernel: at.kernel, block: at.block, thread: at.thread }),
            count: from.count,
            cases: Vec::new(),
        }
    }
}

impl From<simulator::Kind> for Kind {
    fn from(kind: simulator::Kind) -> Self {
        match kind {
            simulator::Kind::Host => Self::Host,
            simulator::Kind::Memory => Self::Memory,
            simulator::Kind::Initialisation => Self::Initialisation,
            simulator::Kind::Race => Self::Race,
            simulator::Kind::Barrier => Self::Barrier,
            simulator::Kind::Launch => Self::Launch,
            simulator::Kind::Performance => Self::Performance,
            simulator::Kind::Lint => Self::Lint,
        }
    }
}

impl From<simulator::Severity> for Severity {
    fn from(severity: simulator::Severity) -> Self {
        match severity {
            simulator::Severity::Note => Self::Note,
            simulator::Severity::Warning => Self::Warning,
            simulator::Severity::Error => Self::Error,
        }
    }
}

/// Lines at which the same finding is listed: whoever mends the first has mostly mended all.
pub const MOST_LINES: usize = 20;

/// Adds a finding to those of a report. The same defect at the same line is kept once, with its count and its cases; after
/// [`MOST_LINES`] lines, all further ones are one note.
pub fn merge(into: &mut Vec<Finding>, mut new: Finding, case: Option<&str>) {
    let alike = |known: &&Finding| (&known.code, known.severity) == (&new.code, new.severity);
    if new.line.is_some()
        && into.iter().filter(alike).count() >= MOST_LINES
        && !into.iter().any(|known| known.same_defect(&new))
    {
        let message = format!("the same at more lines than the {MOST_LINES} that are listed: {}", new.code);
        let hint = "mend the first of them and check again: the others often have the same cause";
        let note = Finding::new(&new.code, new.kind, Severity::Note, message, hint);
        new = Finding { count: new.count, cases: new.cases, ..note };
    }
    new.cases.extend(case.map(str::to_owned));
    match into.iter_mut().find(|known| known.same_defect(&new)) {
        None => into.push(new),
        Some(known) => {
            // The numbers of a remark on speed are those of the case that did most: warps of small pictures are hardly filled.
            if new.kind == Kind::Performance && new.count > known.count / 2 {
                (known.message, known.hint) = (new.message, new.hint);
            }
            known.count += new.count;
            for case in new.cases {
                if !known.cases.contains(&case) {
                    known.cases.push(case);
                }
            }
        }
    }
}

/// Leaves out uses of values that nothing has written after those of the first kernel, or of the host function: what a kernel computes
/// from such values is undefined wherever it comes to, and the first use is the one to mend.
pub fn without_consequences(mut findings: Vec<Finding>) -> Vec<Finding> {
    let undefined = |finding: &Finding| finding.kind == Kind::Initialisation && finding.is_error();
    let kernel = |finding: &Finding| finding.thread.as_ref().map(|thread| thread.kernel.clone());
    if let Some(first) = findings.iter().find(|finding| undefined(finding)).map(kernel) {
        findings.retain(|finding| !undefined(finding) || kernel(finding) == first);
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(code: &str, line: u32) -> Finding {
        Finding::new(code, Kind::Memory, Severity::Error, "m".into(), "h").at("a.cu", line, 1)
    }

    #[test]
    fn what_follows_from_undefined_values_is_left_out() {
        let of = |line, kernel: Option<&str>| {
            let thread =
                kernel.map(|kernel| Thread { kernel: kernel.to_owned(), block: [0; 3], thread: [0; 3] });
            Finding { kind: Kind::Initialisation, thread, ..finding("W0204", line) }
        };
        let found = [finding("W0101", 1), of(2, Some("a")), of(3, Some("a")), of(4, Some("b")), of(5, None)];
        let left = without_consequences(found.to_vec());
        assert_eq!(left.iter().map(|finding| finding.line).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)]);
    }

    #[test]
    fn a_finding_at_thousands_of_lines_is_listed_for_the_first() {
        let mut all = Vec::new();
        for line in (1..=3000).chain([7]) {
            merge(&mut all, finding("W0101", line), Some("1x1"));
        }
        merge(&mut all, finding("W0102", 1), Some("1x1"));
        assert_eq!(all.len(), MOST_LINES + 2);
        let listed: Vec<Option<u32>> = all.iter().take(MOST_LINES).map(|finding| finding.line).collect();
        assert_eq!(listed, (1..=MOST_LINES as u32).map(Some).collect::<Vec<_>>());
        let rest = &all[MOST_LINES];
        assert_eq!((rest.line, rest.count, rest.is_error()), (None, 3000 - MOST_LINES as u64, false));
        assert_eq!(all[6].count, 2, "a listed line counts on");
    }

    #[test]
    fn the_same_defect_is_kept_once_with_its_cases() {
        let mut all = Vec::new();
        merge(&mut all, finding("W0101", 3), Some("1x1"));
        merge(&mut all, finding("W0101", 3), Some("1x7"));
        merge(&mut all, finding("W0101", 4), Some("1x7"));
        assert_eq!(all.len(), 2);
        assert_eq!((all[0].count, all[0].cases.len()), (2, 2));
    }
}
