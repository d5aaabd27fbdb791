//! The first lines of a cheat, which say how it has to be judged on each engine.
//!
//! The form is described in `solutions/README.md`: `// expect: HOW TASK`, `// expect when graded: HOW TASK` where only a check for
//! points that count finds out, and `// expect on a GPU: HOW TASK` where a GPU judges differently or alone.

use judge::report::Report;
use lab::{Lab, Task};

/// How a file has to be judged, and for which task.
#[derive(Clone)]
pub struct Expected {
    how: How,
    /// The task.
    pub task: &'static dyn Task,
    /// Whether it is judged as for points that count.
    pub graded: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum How {
    /// Right, but without points for its speed, and with the reason.
    NotScored,
    /// Not right.
    Wrong,
    /// Right, with whatever points it earns.
    Right,
    /// Right or wrong, with no more points than this.
    AtMost(f64),
    /// Right, with every point.
    Full,
}

/// Reads the first lines of a file of this lab; `None` if they expect nothing of this engine. The error names the mistake in them.
pub fn read(text: &str, lab: &dyn Lab, on_gpu: bool) -> Result<Option<Expected>, String> {
    let line = |start: &str| text.lines().take(3).find_map(|line| line.strip_prefix(start));
    let when_graded = line("// expect when graded: ");
    let (both, gpu) = (line("// expect: ").or(when_graded), line("// expect on a GPU: "));
    if both.or(gpu).is_none() {
        return Err("has no line that begins with `// expect`".to_owned());
    }
    if line("// cheat: ").or_else(|| line("// honest: ")).is_none() {
        return Err("has neither a `// cheat:` nor an `// honest:` line".to_owned());
    }
    let Some(expect) = (if on_gpu { gpu.or(both) } else { both }) else { return Ok(None) };
    let unknown = || {
        format!(
            "expects `{expect}`, which is none of `not scored`, `wrong`, `right`, `at most N points` and `full points` with a task"
        )
    };
    let (how, task) = expect.rsplit_once(' ').ok_or_else(unknown)?;
    let points = || how.strip_prefix("at most ")?.strip_suffix(" points")?.parse().ok();
    let how = match how {
        "not scored" => How::NotScored,
        "wrong" => How::Wrong,
        "right" => How::Right,
        "full points" => How::Full,
        _ => How::AtMost(points().ok_or_else(unknown)?),
    };
    let task = lab.tasks().iter().copied().find(|own| own.name() == task).ok_or_else(unknown)?;
    Ok(Some(Expected { how, task, graded: when_graded.is_some() }))
}

impl Expected {
    /// Whether a report is as expected; the error describes the difference.
    pub fn judge(&self, report: &Report) -> Result<(), String> {
        let passed = report.tasks.iter().all(|task| task.passed);
        let reason = report.findings.iter().any(|finding| finding.code == "W0705");
        let speed: f64 =
            report.points.iter().filter(|line| line.what != "correctness").map(|line| line.points).sum();
        let is = match self.how {
            How::NotScored => passed && reason && speed.to_bits() == 0.0_f64.to_bits(),
            How::Wrong => !passed,
            How::Right => passed,
            How::AtMost(most) => report.score <= most,
            How::Full => passed && !reason && report.score >= report.max_score,
        };
        if is {
            return Ok(());
        }
        let verdict = if passed { "right" } else { "wrong" };
        let mut found = vec![format!("{verdict}, {:.1} of {:.0} points", report.score, report.max_score)];
        let failed = report.cases.iter().find(|case| case.verdict != judge::report::Verdict::Passed);
        found.extend(failed.map(|case| format!("\"{}\" {}", case.name, case.note).trim().to_owned()));
        found.extend(report.findings.iter().map(|finding| format!("{} {}", finding.code, finding.message)));
        Err(format!("expected {:?}, found {}", self.how, found.join("; ")))
    }
}

#[cfg(test)]
mod tests {
    use judge::labs;

    use super::*;

    #[test]
    fn each_engine_has_its_line() {
        let lab = labs::find("lab1").expect("a lab");
        let how = |text: &str, on_gpu| {
            read(text, lab, on_gpu).map(|found| found.map(|found| (found.how, found.task.name())))
        };
        let both = "// expect: not scored grayscale\n// expect on a GPU: wrong grayscale\n// cheat: x\n";
        assert_eq!(how(both, false), Ok(Some((How::NotScored, "grayscale"))));
        assert_eq!(how(both, true), Ok(Some((How::Wrong, "grayscale"))));
        let alone = "// expect on a GPU: at most 31 points grayscale\n// honest: x\n";
        assert_eq!(how(alone, false), Ok(None));
        assert_eq!(how(alone, true), Ok(Some((How::AtMost(31.0), "grayscale"))));
        let graded = |text: &str| read(text, lab, false).ok().flatten().map(|found| found.graded);
        assert_eq!(graded(both), Some(false));
        assert_eq!(graded("// expect when graded: wrong grayscale\n// cheat: x\n"), Some(true));
        let same = "// expect: full points grayscale\n// honest: x\n";
        assert_eq!(how(same, true), how(same, false));
        for mistake in [
            "// cheat: x\n",
            "// expect: wrong grayscale\n",
            "// expect: maybe grayscale\n// cheat: x\n",
            "// expect: wrong histogram\n// cheat: x\n",
        ] {
            assert!(how(mistake, true).is_err(), "{mistake}");
        }
    }
}
