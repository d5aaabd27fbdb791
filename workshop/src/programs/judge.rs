//! Whether a program did what its header says.

use super::simulate::Ran;
use checker::programs::{Expected, Header, Which, outputs};
use runtime::finding::{Finding, Kind, Severity};

/// The verdict on a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// All as the header says.
    Right,
    /// Something is not.
    Wrong(String),
}

/// Compares findings, outputs and printed text with the header.
pub fn judge(header: &Header, ran: &Ran) -> Verdict {
    let verdict = findings(header, &ran.findings)
        .and_then(
            |()| if has_error(&ran.findings) { Ok(()) } else { outputs(&header.parameters, &ran.outputs) },
        )
        .and_then(|()| printed(header, &ran.printed));
    match verdict {
        Ok(()) => Verdict::Right,
        Err(reason) => Verdict::Wrong(reason),
    }
}

fn has_error(findings: &[Finding]) -> bool {
    findings.iter().any(Finding::is_error)
}

/// Every finding is expected, at a marked line; everything expected is found. Notes, and remarks on speed and
/// style, need not be expected.
fn findings(header: &Header, found: &[Finding]) -> Result<(), String> {
    for expected in &header.findings {
        if !found.iter().any(|finding| expected.is(finding)) {
            let shown: Vec<String> = found.iter().map(shown).collect();
            let instead = if shown.is_empty() { "nothing".to_owned() } else { shown.join(", ") };
            return Err(format!("expected {}, found {instead}", expected.shown()));
        }
    }
    let counts = |finding: &&Finding| {
        finding.severity >= Severity::Warning && !matches!(finding.kind, Kind::Performance | Kind::Lint)
    };
    for finding in found.iter().filter(counts) {
        if !header.findings.iter().any(|expected| expected.covers(finding)) {
            return Err(format!("found {}: {}", shown(finding), finding.message));
        }
    }
    Ok(())
}

/// `W0101 error in line 12 with line 14`
pub fn shown(finding: &Finding) -> String {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    };
    let line = finding.in_line();
    let with: Vec<String> = finding.labels.iter().map(|label| format!(" with line {}", label.line)).collect();
    format!("{} {severity}{line}{}", finding.code, with.concat())
}

/// What a header's expectation means for a finding.
trait Meaning {
    fn is(&self, finding: &Finding) -> bool;
    fn covers(&self, finding: &Finding) -> bool;
    fn shown(&self) -> String;
}

impl Meaning for Expected {
    /// Whether this is the finding meant.
    fn is(&self, finding: &Finding) -> bool {
        finding.severity == self.severity && self.covers(finding)
    }

    /// Whether this is the finding meant or another face of it: a race between warps is one within them too. Which
    /// of two parties a race is reported at is nobody's business: one of the lines has to be marked, and one
    /// partner has to take part if any is marked.
    fn covers(&self, finding: &Finding) -> bool {
        let which = match &self.which {
            Which::Code(code) => finding.code == *code,
            Which::Kind(kind) => finding.kind == *kind,
        };
        let mut parties: Vec<u32> = finding.labels.iter().map(|label| label.line).collect();
        parties.extend(finding.line);
        let one_of = |marked: &[u32]| marked.is_empty() || parties.iter().any(|line| marked.contains(line));
        which
            && finding.severity <= self.severity
            && one_of(&self.lines)
            && (one_of(&self.partners) || finding.severity < self.severity)
    }

    fn shown(&self) -> String {
        let lines: Vec<String> = self.lines.iter().map(ToString::to_string).collect();
        let place = if lines.is_empty() { String::new() } else { format!(" in line {}", lines.join(" or ")) };
        format!("{} {:?}{place}", self.word, self.severity)
    }
}

/// Compares the printed text.
pub fn printed(header: &Header, printed: &str) -> Result<(), String> {
    match &header.printed {
        Some(expected) if *expected != printed => Err(format!("printed {printed:?} instead of {expected:?}")),
        _ => Ok(()),
    }
}
