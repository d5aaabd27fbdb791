//! Gradescope's `results.json` of one submission.

use serde::Serialize;
use serde_json::{Value, json};

use super::json;
use crate::Error;
use crate::result::{Finding, Graded, State};

#[derive(Serialize)]
struct Results {
    score: f64,
    output: String,
    output_format: &'static str,
    test_output_format: &'static str,
    test_name_format: &'static str,
    visibility: &'static str,
    stdout_visibility: &'static str,
    extra_data: Value,
    tests: Vec<Test>,
    leaderboard: Vec<Value>,
}

#[derive(Serialize)]
struct Test {
    score: f64,
    max_score: f64,
    status: &'static str,
    name: String,
    number: String,
    output: String,
    visibility: &'static str,
}

/// The file. Text is marked as text: nothing in it is read as HTML.
pub fn results(one: &Graded) -> Result<Vec<u8>, Error> {
    let tests = tests(one);
    json(&Results {
        score: one.score,
        output: output(one),
        output_format: "text",
        test_output_format: "text",
        test_name_format: "text",
        visibility: "visible",
        stdout_visibility: "hidden",
        extra_data: json!({ "versions": one.versions, "needs": one.needs }),
        leaderboard: if one.state == State::Graded {
            vec![json!({ "name": "points", "value": one.score, "order": "desc" })]
        } else {
            Vec::new()
        },
        tests,
    })
}

fn tests(one: &Graded) -> Vec<Test> {
    let Some(report) = one.report() else { return Vec::new() };
    let test = |(index, line): (usize, &crate::result::Points)| Test {
        score: line.points,
        max_score: line.max,
        status: if line.points > 0.0 { "passed" } else { "failed" },
        name: format!("{}: {}", line.task, line.what),
        number: (index + 1).to_string(),
        output: line.reason.clone(),
        visibility: "visible",
    };
    report.points.iter().enumerate().map(test).collect()
}

fn output(one: &Graded) -> String {
    let mut parts = Vec::new();
    match one.state {
        State::Missing => parts.push("Nothing was handed in.".to_owned()),
        State::Unfinished => parts.push("There is no result yet.".to_owned()),
        State::Refused => {
            let why = one.refused.as_ref().map(|refused| refused.why.as_str()).unwrap_or_default();
            parts.push(format!("Your submission was not checked: {why}."));
        }
        State::Graded => parts.push(if one.passed { "Passed." } else { "Failed." }.to_owned()),
    }
    if one.penalty > 0.0 {
        let days = match one.lateness.paid() {
            1 => "1 late day".to_owned(),
            days => format!("{days} late days"),
        };
        parts.push(format!("{:.1} points, less {:.1} for {days}.", one.earned, one.penalty));
    }
    if let Some(report) = one.report() {
        parts.extend(report.findings.iter().map(finding));
        parts.push(report.next.clone());
    }
    parts.join("\n\n")
}

fn finding(finding: &Finding) -> String {
    let line = finding.line.map_or_else(String::new, |line| format!(" in line {line}"));
    let hint = if finding.hint.is_empty() { String::new() } else { format!("\nTry: {}", finding.hint) };
    format!("{} {}{line}: {}{hint}", finding.severity, finding.code, finding.message)
}
