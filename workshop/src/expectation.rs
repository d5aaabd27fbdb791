//! The comments of a wrong kernel that say how it has to fail, and where.
//!
//! The form is described in `solutions/README.md`: `// expect: finding KIND` or `// expect: mismatch TASK` in
//! the first lines, `// cause: NAME` where a cause has to be named, `// engine: simulator` where a GPU need not notice, and `// <- here` at the faulty line.

use judge::report::{Report, Verdict};

/// How a file has to fail.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expectation {
    how: How,
    /// The lines marked `// <- here`, from 1; none if any line will do.
    lines: Vec<u32>,
    /// The cause that has to be named, if the file says one.
    cause: Option<String>,
    /// Whether a GPU need not notice.
    pub only_simulator: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum How {
    /// With an error-level finding of this kind.
    Finding(String),
    /// With a wrong result in this task, and no error-level finding.
    Mismatch(String),
}

/// What the comment with this key says.
fn value_of<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix("// ")?.strip_prefix(key)).map(str::trim)
}

/// Whether only the simulator can run a file.
pub fn only_simulator(text: &str) -> bool {
    value_of(text, "engine:") == Some("simulator")
}

/// Reads the comments of a wrong kernel; the error names the mistake in them.
pub fn read(text: &str) -> Result<Expectation, String> {
    let value = |key: &str| value_of(text, key);
    let expect = value("expect:").ok_or("has no `// expect:` line")?;
    let how = match expect.split_once(' ') {
        Some(("finding", kind)) => How::Finding(kind.trim().to_owned()),
        Some(("mismatch", task)) => How::Mismatch(task.trim().to_owned()),
        _ => return Err(format!("expects `{expect}`, which is neither `finding KIND` nor `mismatch TASK`")),
    };
    let marked = text.lines().enumerate().filter(|(_, line)| line.trim_end().ends_with("// <- here"));
    let lines = marked.map(|(index, _)| index as u32 + 1).collect();
    let cause = value("cause:").map(str::to_owned);
    Ok(Expectation { how, lines, cause, only_simulator: only_simulator(text) })
}

impl Expectation {
    /// Whether the report fails as it should; the error describes the difference.
    pub fn judge(&self, report: &Report) -> Result<(), String> {
        if report.passed {
            return Err("passes".to_owned());
        }
        let errors: Vec<_> = report.findings.iter().filter(|finding| finding.is_error()).collect();
        let shown = || {
            let each = errors.iter().map(|error| {
                let line = error.line.map_or_else(|| "?".to_owned(), |line| line.to_string());
                format!("{} {} in line {line}", kind_name(error), error.code)
            });
            if errors.is_empty() { "no error".to_owned() } else { each.collect::<Vec<_>>().join(", ") }
        };
        match &self.how {
            How::Finding(kind) => {
                let right_kind: Vec<_> = errors.iter().filter(|error| kind_name(error) == *kind).collect();
                if right_kind.is_empty() {
                    return Err(format!("expected a finding of kind {kind}, found {}", shown()));
                }
                let at_mark = |line: Option<u32>| line.is_some_and(|line| self.lines.contains(&line));
                if !self.lines.is_empty() && !right_kind.iter().any(|error| at_mark(error.line)) {
                    return Err(format!("expected line {:?}, found {}", self.lines, shown()));
                }
                Ok(())
            }
            How::Mismatch(task) => {
                if !errors.is_empty() {
                    return Err(format!("expected only wrong values, found {}", shown()));
                }
                let wrong = |case: &&judge::report::Case| case.verdict == Verdict::Failed && case.wrong > 0;
                match report.cases.iter().find(wrong) {
                    Some(case) if case.task == *task => self.judge_cause(task, report),
                    Some(case) => {
                        Err(format!("expected wrong values of {task}, found some of {}", case.task))
                    }
                    None => Err(format!("expected wrong values of {task}, found none")),
                }
            }
        }
    }
}

impl Expectation {
    fn judge_cause(&self, task: &str, report: &Report) -> Result<(), String> {
        let judged = report.tasks.iter().find(|judged| judged.name == task);
        let found = judged.and_then(|judged| judged.cause.as_ref()).map(|cause| cause.name.as_str());
        match &self.cause {
            Some(expected) if found != Some(expected) => {
                Err(format!("expected the cause {expected}, found {}", found.unwrap_or("none")))
            }
            _ => Ok(()),
        }
    }
}

fn kind_name(finding: &runtime::finding::Finding) -> String {
    format!("{:?}", finding.kind).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_read() {
        let text = "// expect: finding memory\n// engine: simulator\n// fault: x\nint a;  // <- here\n";
        let expected = Expectation {
            how: How::Finding("memory".into()),
            lines: vec![4],
            cause: None,
            only_simulator: true,
        };
        assert_eq!(read(text), Ok(expected));
        assert!(read("int a;").is_err() && read("// expect: nothing").is_err());
    }
}
