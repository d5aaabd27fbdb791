//! Whether a program did what its header says.

use super::formula::Value;
use super::header::{Buffer, Element, Expected, Header, Parameter, Which};
use super::simulate::Ran;
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
        .and_then(|()| if has_error(&ran.findings) { Ok(()) } else { outputs(header, &ran.outputs) })
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
    let line = finding.line.map(|line| format!(" in line {line}")).unwrap_or_default();
    let with: Vec<String> = finding.labels.iter().map(|label| format!(" with line {}", label.line)).collect();
    format!("{} {severity}{line}{}", finding.code, with.concat())
}

impl Expected {
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

/// Compares outputs with the expected values; the error names the first that differs.
pub fn outputs(header: &Header, outputs: &[Vec<u8>]) -> Result<(), String> {
    let expected = header.parameters.iter().filter_map(|parameter| match parameter {
        Parameter::Output { buffer, values, .. } => Some((buffer, *values)),
        _ => None,
    });
    let expected: Vec<(&Buffer, bool)> = expected.collect();
    if expected.len() != outputs.len() {
        return Err(format!("left {} outputs instead of {}", outputs.len(), expected.len()));
    }
    for ((buffer, _), bytes) in expected.iter().zip(outputs).filter(|((_, values), _)| *values) {
        let size = buffer.element.size();
        let mut pairs = buffer.bytes.chunks(size).zip(bytes.chunks(size)).enumerate();
        if let Some((index, (should, is))) = pairs.find(|(_, (should, is))| !same(buffer.element, should, is))
        {
            let [should, is] = [should, is].map(|bytes| in_words(buffer.element, bytes));
            return Err(format!("`{}[{index}]` is {is} instead of {should}", buffer.name));
        }
    }
    Ok(())
}

/// The same bits, or both not a number: programs do not depend on the bits of a NaN.
fn same(element: Element, should: &[u8], is: &[u8]) -> bool {
    let nan = |bytes| matches!(element.value(bytes), Value::Float(value) if value.is_nan());
    should == is || nan(should) && nan(is)
}

fn in_words(element: Element, bytes: &[u8]) -> String {
    match element.value(bytes) {
        Value::Int(value) => value.to_string(),
        Value::Float(value) => format!("{value:e}"),
    }
}

/// Compares the printed text.
pub fn printed(header: &Header, printed: &str) -> Result<(), String> {
    match &header.printed {
        Some(expected) if *expected != printed => Err(format!("printed {printed:?} instead of {expected:?}")),
        _ => Ok(()),
    }
}
