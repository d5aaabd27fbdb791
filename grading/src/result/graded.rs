//! The result of one submission.

use serde::{Deserialize, Serialize};

use super::lateness::Lateness;
use super::need::{Need, needs};
use super::report::Report;
use crate::class::{Moment, Person, Submitted};
use crate::hash;
use crate::run::Checked;

/// The format of a result's file; a change that readers notice gets a new number.
pub const FORMAT: &str = "warpbook/grade/1";

/// How far a submission came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Checked: it has a score.
    Graded,
    /// Not checked, because of what was handed in: no points.
    Refused,
    /// Nothing was handed in.
    Missing,
    /// Not checked, because of this machine: no score yet.
    Unfinished,
}

/// What grades follow from, besides reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Points that can be earned.
    pub max_score: f64,
    /// Per cent of the earned points that each late day costs.
    pub late_penalty: f64,
    /// Late days that cost nothing.
    pub free_days: u32,
    /// When it is due.
    pub due: Option<Moment>,
}

/// The file that was graded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its name as the student gave it.
    pub name: String,
    /// SHA-256.
    pub sha256: String,
    /// Bytes.
    pub bytes: u64,
}

/// Why a file was not checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refused {
    /// Stable name.
    pub code: String,
    /// A sentence.
    pub why: String,
}

/// What a score was made with. Scores of different versions are compared with care.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// Version of the checker.
    pub checker: String,
    /// SHA-256 of its program, which holds the labs and the timing model too.
    pub program: String,
    /// The compiler.
    pub compiler: String,
    /// The engine: `sim`, `gpu`, or both.
    pub engine: String,
    /// The GPU, real or simulated.
    pub gpu: String,
    /// Its driver, on a real GPU.
    pub driver: Option<String>,
}

/// The result of one submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Graded {
    /// [`FORMAT`]
    pub format: String,
    /// The lab.
    pub lab: String,
    /// The student.
    pub person: Person,
    /// How late it came.
    #[serde(default)]
    pub lateness: Lateness,
    /// The file, if there is one.
    pub file: Option<File>,
    /// How far it came.
    pub state: State,
    /// Why it was not checked.
    pub refused: Option<Refused>,
    /// The verdict.
    pub passed: bool,
    /// Points earned before the penalty.
    pub earned: f64,
    /// Points taken for late days.
    pub penalty: f64,
    /// Points.
    pub score: f64,
    /// Points that can be earned.
    pub max_score: f64,
    /// What a person must look at.
    pub needs: Vec<Need>,
    /// What the score was made with.
    pub versions: Versions,
    /// The reports: that of the GPU, which counts, before that of the simulator.
    pub reports: Vec<Report>,
}

impl Graded {
    /// The report that counts.
    pub fn report(&self) -> Option<&Report> {
        self.reports.first()
    }
}

/// Grades one submission. `checked`: one result per engine, the one that counts first; `None` where the machine failed.
pub fn grade(
    lab: &str,
    submitted: &Submitted,
    checked: Vec<Option<Checked>>,
    program: &str,
    rules: &Rules,
) -> Graded {
    let mut graded = Graded {
        format: FORMAT.to_owned(),
        lab: lab.to_owned(),
        person: submitted.person.clone(),
        lateness: Lateness::default(),
        file: None,
        state: State::Missing,
        refused: None,
        passed: false,
        earned: 0.0,
        penalty: 0.0,
        score: 0.0,
        max_score: rules.max_score,
        needs: Vec::new(),
        versions: Versions { program: program.to_owned(), ..Versions::default() },
        reports: Vec::new(),
    };
    if submitted.file.is_some() {
        graded.lateness = Lateness::of(&submitted.arrival, rules);
    }
    match &submitted.file {
        None => {}
        Some(Err(refusal)) => {
            graded.state = State::Refused;
            graded.refused = Some(Refused { code: refusal.code().to_owned(), why: refusal.to_string() });
        }
        Some(Ok(chosen)) => {
            let (sha256, bytes) = (hash::of(&chosen.bytes), chosen.bytes.len() as u64);
            graded.file = Some(File { name: chosen.name.clone(), sha256, bytes });
            checks(&mut graded, checked);
        }
    }
    if graded.state == State::Graded {
        let days = f64::from(graded.lateness.paid());
        graded.penalty = tenths((graded.earned * rules.late_penalty / 100.0 * days).min(graded.earned));
        graded.score = tenths(graded.earned - graded.penalty);
    }
    graded.needs = needs(&graded);
    graded
}

fn checks(graded: &mut Graded, checked: Vec<Option<Checked>>) {
    graded.state = State::Unfinished;
    if checked.iter().any(Option::is_none) {
        return;
    }
    for checked in checked.into_iter().flatten() {
        match checked {
            Checked::Refused(why) => {
                graded.state = State::Refused;
                graded.refused = Some(Refused { code: "not-readable".to_owned(), why });
                return;
            }
            Checked::Report(report) => match serde_json::from_value::<Report>(report) {
                Ok(report) => graded.reports.push(report),
                Err(_) => return,
            },
        }
    }
    let Some(first) = graded.reports.first() else { return };
    graded.state = State::Graded;
    graded.passed = first.passed;
    graded.earned = first.score;
    graded.max_score = first.max_score;
    let engines: Vec<&str> = graded.reports.iter().map(|report| report.engine.as_str()).collect();
    graded.versions = Versions {
        checker: first.version.clone(),
        program: std::mem::take(&mut graded.versions.program),
        compiler: first.compiler.clone(),
        engine: engines.join(" and "),
        gpu: first.gpu.clone(),
        driver: first.driver.clone(),
    };
}

fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;
    use crate::class::{Arrival, Chosen, Refusal};

    fn submitted(late_days: u32) -> Submitted {
        let person = Person { id: "ada".into(), enrolled: true, ..Person::default() };
        let arrival = Arrival { days: Some(late_days), ..Arrival::default() };
        let file = Some(Ok(Chosen { name: "x.cu".into(), bytes: b"text".to_vec() }));
        Submitted { person, arrival, file }
    }

    fn report(score: f64, passed: bool, engine: &str) -> Checked {
        let report =
            json!({"score": score, "max_score": 100.0, "passed": passed, "engine": engine, "version": "1"});
        Checked::Report(report)
    }

    const RULES: Rules = Rules { max_score: 100.0, late_penalty: 10.0, free_days: 0, due: None };

    #[test]
    fn late_days_cost_points_and_never_more_than_there_are() {
        let score = |days| {
            let graded = grade("lab2", &submitted(days), vec![Some(report(80.0, true, "sim"))], "p", &RULES);
            (graded.earned, graded.penalty, graded.score)
        };
        assert_eq!(
            [score(0), score(2), score(40)],
            [(80.0, 0.0, 80.0), (80.0, 16.0, 64.0), (80.0, 80.0, 0.0)]
        );
        let free = Rules { free_days: 3, ..RULES };
        let paid =
            |days| grade("lab2", &submitted(days), vec![Some(report(80.0, true, "sim"))], "p", &free).penalty;
        assert_eq!((paid(3), paid(4)), (0.0, 8.0));
    }

    #[test]
    fn the_gpu_counts_and_a_machine_that_fails_gives_no_score() {
        let both = vec![Some(report(70.0, true, "gpu")), Some(report(72.0, true, "sim"))];
        let graded = grade("lab2", &submitted(0), both, "p", &RULES);
        assert_eq!((graded.score, graded.versions.engine.as_str()), (70.0, "gpu and sim"));
        let half = vec![Some(report(70.0, true, "gpu")), None];
        assert_eq!(grade("lab2", &submitted(0), half, "p", &RULES).state, State::Unfinished);
    }

    #[test]
    fn a_refused_and_a_missing_submission_have_no_points() {
        let mut student = submitted(0);
        student.file = Some(Err(Refusal::NoFile));
        let graded = grade("lab2", &student, Vec::new(), "p", &RULES);
        assert_eq!((graded.state, graded.score), (State::Refused, 0.0));
        student.file = None;
        assert_eq!(grade("lab2", &student, Vec::new(), "p", &RULES).state, State::Missing);
        let refused = vec![Some(Checked::Refused("line 1 is not UTF-8".into()))];
        let graded = grade("lab2", &submitted(0), refused, "p", &RULES);
        assert_eq!(graded.refused.map(|refused| refused.why).as_deref(), Some("line 1 is not UTF-8"));
    }
}
