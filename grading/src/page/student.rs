//! The page of one student.

use serde::Serialize;

use super::Pages;
use super::source::{Row, annotated, around, lines};
use super::values::{Word, severity, significant, verdict, width};
use crate::Error;
use crate::class::Person;
use crate::result::{File, Graded, Illustration, Lab, Lateness, Pictures, Points, Refused, Versions, points};

#[derive(Serialize)]
struct Values<'a> {
    lab: &'a str,
    lab_title: &'a str,
    lab_file: &'a str,
    person: &'a Person,
    verdict: Word,
    score: String,
    max_score: String,
    earned: String,
    penalty: Option<String>,
    lateness: &'a Lateness,
    paid: u32,
    when: String,
    pseudonym: Option<&'a str>,
    refused: &'a Option<Refused>,
    next: &'a str,
    findings: Vec<Finding<'a>>,
    points: &'a [Points],
    speeds: Vec<Speed<'a>>,
    cases: Vec<Case<'a>>,
    right: usize,
    pictures: Vec<&'a Pictures>,
    costs: Vec<Timed<'a>>,
    source: Vec<Row>,
    file: &'a Option<File>,
    versions: &'a Versions,
}

#[derive(Serialize)]
struct Finding<'a> {
    #[serde(flatten)]
    known: &'a crate::result::Finding,
    class: &'static str,
    source: Vec<Row>,
}

impl<'a> Finding<'a> {
    fn of(finding: &'a crate::result::Finding, rows: &[Row]) -> Self {
        Self { known: finding, class: severity(&finding.severity), source: around(rows, finding) }
    }
}

#[derive(Serialize)]
struct Speed<'a> {
    task: &'a str,
    basis: &'a str,
    state: &'a str,
    milliseconds: String,
    speedup: String,
    share: String,
    width: f64,
}

impl<'a> Speed<'a> {
    fn of(timed: &'a crate::result::Performance) -> Self {
        Self {
            task: &timed.task,
            basis: &timed.basis,
            state: &timed.state,
            milliseconds: significant(1e3 * timed.seconds),
            speedup: significant(timed.speedup),
            share: significant(100.0 * timed.share),
            width: width(timed.share, 1.0),
        }
    }
}

#[derive(Serialize)]
struct Timed<'a> {
    task: &'a str,
    milliseconds: String,
}

#[derive(Serialize)]
struct Case<'a> {
    #[serde(flatten)]
    case: &'a crate::result::Case,
    class: &'static str,
}

impl<'a> Case<'a> {
    fn of(case: &'a crate::result::Case) -> Self {
        let class = match case.verdict.as_str() {
            "passed" => "good",
            "failed" => "bad",
            _ => "faint",
        };
        Self { case, class }
    }
}

/// Outputs whose pictures a page shows.
const MOST_PICTURES: usize = 12;
/// Characters of a picture.
const MOST_PICTURE: usize = 200_000;

/// Whether these are pictures, and nothing else that a browser might load.
fn are_pictures(three: &Pictures) -> bool {
    [&three.expected, &three.found, &three.difference].into_iter().all(|url| {
        let data = url.strip_prefix("data:image/png;base64,").unwrap_or_default();
        let is_data = |byte: u8| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte);
        !data.is_empty() && url.len() <= MOST_PICTURE && data.bytes().all(is_data)
    })
}

/// The page. `text` is the student's file.
pub fn student(
    pages: &Pages,
    lab: &Lab,
    one: &Graded,
    text: &str,
    pseudonym: Option<&str>,
) -> Result<Vec<u8>, Error> {
    let empty = crate::result::Report::default();
    let report = one.report().unwrap_or(&empty);
    let rows = lines(text);
    let unseen = Illustration::default();
    let illustration =
        one.reports.iter().map(|report| &report.illustration).find(|of| **of != unseen).unwrap_or(&unseen);
    let costs = &illustration.costs;
    pages.render(
        "student.html",
        &Values {
            lab: &lab.name,
            lab_title: &lab.title,
            lab_file: &lab.file,
            person: &one.person,
            verdict: verdict(one),
            score: points(one.score),
            max_score: points(one.max_score),
            earned: points(one.earned),
            penalty: (one.penalty > 0.0).then(|| points(one.penalty)),
            lateness: &one.lateness,
            paid: one.lateness.paid(),
            when: one.lateness.short(),
            pseudonym,
            refused: &one.refused,
            next: &report.next,
            findings: report.findings.iter().map(|finding| Finding::of(finding, &rows)).collect(),
            points: &report.points,
            speeds: report.performance.iter().map(Speed::of).collect(),
            right: report.cases.iter().filter(|case| case.verdict == "passed").count(),
            cases: report.cases.iter().map(Case::of).collect(),
            pictures: illustration
                .pictures
                .iter()
                .filter(|three| are_pictures(three))
                .take(MOST_PICTURES)
                .collect(),
            costs: costs
                .iter()
                .map(|task| Timed { task: &task.task, milliseconds: significant(1e3 * task.seconds) })
                .collect(),
            source: if text.is_empty() { Vec::new() } else { annotated(&rows, &report.findings, costs) },
            file: &one.file,
            versions: &one.versions,
        },
    )
}
