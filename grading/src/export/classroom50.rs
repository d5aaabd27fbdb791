//! The `result.json` of Classroom 50.

use serde_json::json;

use super::Settings;
use crate::Error;
use crate::result::Graded;

/// The file. Its points are whole numbers.
pub fn result(one: &Graded, assignment: &str, settings: &Settings) -> Result<Vec<u8>, Error> {
    let variable = |name: &str| settings.environment.get(name).cloned().unwrap_or_default();
    let or = |name: &str, other: &str| {
        Some(variable(name)).filter(|v| !v.is_empty()).unwrap_or_else(|| other.to_owned())
    };
    let whole = |points: f64| points.round() as i64;
    let tests: Vec<_> = one
        .report()
        .iter()
        .flat_map(|report| &report.points)
        .map(|line| {
            json!({
                "test-name": format!("{}: {}", line.task, line.what),
                "passed": line.points > 0.0,
                "score": whole(line.points),
                "max-score": whole(line.max),
            })
        })
        .collect();
    super::json(&json!({
        "schema": "classroom50/result/v1",
        "classroom": variable("CLASSROOM"),
        "assignment": or("ASSIGNMENT", assignment),
        "assignment_type": or("ASSIGNMENT_TYPE", "individual"),
        "owner": if one.person.login.is_empty() { &one.person.id } else { &one.person.login },
        "submission": variable("SUBMISSION_TAG"),
        "commit": variable("COMMIT"),
        "release": variable("RELEASE"),
        "review": variable("REVIEW"),
        "datetime": variable("DATETIME"),
        "score": whole(one.score),
        "max-score": whole(one.max_score),
        "tests": tests,
    }))
}
