//! What a person must look at before a grade counts.

use serde::{Deserialize, Serialize};

use super::graded::{Graded, State};

/// A reason to look.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Need {
    /// Stable name: `suspect`, `unstable`, `crashed`, `slow`, `engines-differ`, `refused`, `unfinished`, `late`, `unknown`,
    /// `similar`.
    pub code: String,
    /// A sentence.
    pub why: String,
}

/// Points between the scores of two engines that are no accident.
const FAR_APART: f64 = 5.0;

/// The reasons to look at this result.
pub fn needs(graded: &Graded) -> Vec<Need> {
    let mut all = Vec::new();
    let mut add = |code: &str, why: String| all.push(Need { code: code.to_owned(), why });
    match graded.state {
        State::Refused => {
            let why = graded.refused.as_ref().map(|refused| refused.why.clone()).unwrap_or_default();
            add("refused", format!("not checked: {why}"));
        }
        State::Unfinished => {
            add("unfinished", "this machine failed to check it: grade again with `--resume`".to_owned());
        }
        State::Graded | State::Missing => {}
    }
    for report in &graded.reports {
        for timed in &report.performance {
            match timed.state.as_str() {
                "suspect" => {
                    add("suspect", format!("`{}` is faster than the memory can move its bytes", timed.task));
                }
                "unstable" => {
                    add("unstable", format!("the times of `{}` do not agree with each other", timed.task));
                }
                _ => {}
            }
        }
        for finding in &report.findings {
            match finding.code.as_str() {
                "W0522" => add("crashed", "the checker itself failed on this file".to_owned()),
                "W0520" | "W0521" => add("slow", format!("{} on {}", finding.message, report.engine)),
                _ => {}
            }
        }
    }
    if let [first, second, ..] = graded.reports.as_slice()
        && (first.passed != second.passed || (first.score - second.score).abs() > FAR_APART)
    {
        let (a, b) = (&first.engine, &second.engine);
        add("engines-differ", format!("{:.1} points on {a}, {:.1} on {b}", first.score, second.score));
    }
    if graded.lateness.late {
        add("late", graded.lateness.why());
    }
    if !graded.person.enrolled {
        add("unknown", "nobody of this name, number or address is in the roster".to_owned());
    }
    all.dedup();
    all
}
