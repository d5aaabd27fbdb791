//! Tables: one line per student.

use serde::Serialize;

use super::cell::{file, number, text};

use crate::Error;
use crate::class::Moment;
use crate::result::{Graded, State, Versions};

/// The line of a student, for programs.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    name: &'a str,
    number: &'a str,
    login: &'a str,
    email: &'a str,
    section: &'a str,
    state: State,
    passed: bool,
    earned: f64,
    late: bool,
    late_days: u32,
    free_days: u32,
    submitted: String,
    due: String,
    told_by: &'a str,
    penalty: f64,
    /// Absent if there is no result yet.
    score: Option<f64>,
    max_score: f64,
    findings: Vec<&'a str>,
    needs: Vec<&'a str>,
    sha256: &'a str,
    versions: &'a Versions,
}

impl<'a> Line<'a> {
    fn of(one: &'a Graded) -> Self {
        let mut findings: Vec<&str> = one
            .report()
            .map(|report| report.findings.iter().map(|f| f.code.as_str()).collect())
            .unwrap_or_default();
        findings.sort_unstable();
        findings.dedup();
        Self {
            id: &one.person.id,
            name: &one.person.name,
            number: &one.person.number,
            login: &one.person.login,
            email: &one.person.email,
            section: &one.person.section,
            state: one.state,
            passed: one.passed,
            earned: one.earned,
            late: one.lateness.late,
            late_days: one.lateness.days,
            free_days: one.lateness.free,
            submitted: written(one.lateness.submitted.as_ref()),
            due: written(one.lateness.due.as_ref()),
            told_by: &one.lateness.told_by,
            penalty: one.penalty,
            score: (one.state != State::Unfinished).then_some(one.score),
            max_score: one.max_score,
            findings,
            needs: one.needs.iter().map(|need| need.code.as_str()).collect(),
            sha256: one.file.as_ref().map_or("", |file| file.sha256.as_str()),
            versions: &one.versions,
        }
    }
}

fn written(moment: Option<&Moment>) -> String {
    moment.map(Moment::to_string).unwrap_or_default()
}

/// `grades.json`
pub fn json(all: &[Graded]) -> Result<Vec<u8>, Error> {
    super::json(&all.iter().map(Line::of).collect::<Vec<_>>())
}

/// `grades.csv`
pub fn plain(all: &[Graded]) -> Result<Vec<u8>, Error> {
    let titles = "id,name,number,login,email,section,state,passed,earned,late,late_days,free_days,submitted,due,told_by,penalty,score,max_score,findings,needs,sha256,checker,\
                  program,compiler,engine,gpu";
    let line = |one: &Graded| {
        let line = Line::of(one);
        let versions = line.versions;
        let state = serde_json::to_value(line.state).ok().and_then(|state| state.as_str().map(str::to_owned));
        [line.id, line.name, line.number, line.login, line.email, line.section]
            .map(text)
            .into_iter()
            .chain([
                state.unwrap_or_default(),
                line.passed.to_string(),
                number(line.earned),
                line.late.to_string(),
                line.late_days.to_string(),
                line.free_days.to_string(),
                text(&line.submitted),
                text(&line.due),
                text(line.told_by),
                number(line.penalty),
                line.score.map(number).unwrap_or_default(),
                number(line.max_score),
                text(&line.findings.join(" ")),
                text(&line.needs.join(" ")),
                line.sha256.to_owned(),
            ])
            .chain(
                [&versions.checker, &versions.program, &versions.compiler, &versions.engine, &versions.gpu]
                    .map(|t| text(t)),
            )
            .collect()
    };
    file([titles.split(',').map(str::to_owned).collect()].into_iter().chain(all.iter().map(line)))
}

/// The table that nbgrader exports.
pub fn nbgrader(all: &[Graded], assignment: &str) -> Result<Vec<u8>, Error> {
    let titles = "assignment,duedate,timestamp,student_id,last_name,first_name,email,raw_score,late_submission_penalty,score,max_score";
    let line = |one: &Graded| {
        let (first, last) = names(&one.person.name);
        let has_score = matches!(one.state, State::Graded | State::Refused);
        let points = |value: f64| if has_score { number(value) } else { String::new() };
        vec![
            text(assignment),
            text(&written(one.lateness.due.as_ref())),
            text(&written(one.lateness.submitted.as_ref())),
            text(if one.person.login.is_empty() { &one.person.id } else { &one.person.login }),
            text(&last),
            text(&first),
            text(&one.person.email),
            points(one.earned),
            points(one.penalty),
            points(one.score),
            number(one.max_score),
        ]
    };
    file([titles.split(',').map(str::to_owned).collect()].into_iter().chain(all.iter().map(line)))
}

/// Moodle's grading worksheet.
pub fn moodle(all: &[Graded]) -> Result<Vec<u8>, Error> {
    let titles = [
        "Identifier",
        "Full name",
        "Email address",
        "Status",
        "Grade",
        "Maximum Grade",
        "Grade can be changed",
        "Feedback comments",
    ];
    let line = |one: &Graded| {
        let number_of = &one.person.number;
        let grade = if matches!(one.state, State::Graded | State::Refused) {
            number(one.score)
        } else {
            String::new()
        };
        let status = if one.state == State::Missing { "No submission" } else { "Submitted for grading" };
        let comment = match (&one.refused, one.report()) {
            (Some(refused), _) => refused.why.clone(),
            (None, Some(report)) => report.next.clone(),
            (None, None) => String::new(),
        };
        vec![
            if number_of.is_empty() { String::new() } else { format!("Participant {number_of}") },
            text(&one.person.name),
            text(&one.person.email),
            if one.lateness.late { format!("{status} - late") } else { status.to_owned() },
            grade,
            number(one.max_score),
            "Yes".to_owned(),
            text(&comment),
        ]
    };
    file([titles.map(str::to_owned).to_vec()].into_iter().chain(all.iter().map(line)))
}

/// First names and last name: of `Ada Lovelace`, and of `Lovelace, Ada`.
fn names(full: &str) -> (String, String) {
    let split = full.split_once(", ").map(|(last, first)| (first, last)).or_else(|| full.rsplit_once(' '));
    let (first, last) = split.unwrap_or(("", full));
    (first.to_owned(), last.to_owned())
}
