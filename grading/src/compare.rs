//! Two gradings of one class: whose points changed, and why.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use crate::Error;
use crate::result::{Graded, State, Versions, cut, points};

/// A student whose result changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// The student.
    pub id: String,
    /// Points before; none if there was no result.
    pub before: Option<f64>,
    /// Points after.
    pub after: Option<f64>,
    /// The reasons, the likeliest first.
    pub why: Vec<String>,
}

/// The results in a folder that `grade` wrote.
pub fn read(out: &Path) -> Result<BTreeMap<String, Graded>, Error> {
    let folder = out.join("results");
    let wrong = |error: &dyn std::fmt::Display| {
        Error::Usage(format!(
            "failed to read `{}`: {error}; name a folder that `checker grade --out` wrote",
            folder.display()
        ))
    };
    let mut all = BTreeMap::new();
    for entry in std::fs::read_dir(&folder).map_err(|error| wrong(&error))? {
        let path = entry.map_err(|error| wrong(&error))?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let bytes = std::fs::read(&path).map_err(|error| wrong(&error))?;
        let graded: Graded = serde_json::from_slice(&bytes).map_err(|error| wrong(&error))?;
        all.insert(graded.person.id.clone(), graded);
    }
    Ok(all)
}

/// The changes from `old` to `new`.
pub fn changes(old: &BTreeMap<String, Graded>, new: &BTreeMap<String, Graded>) -> Vec<Change> {
    let ids: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let change = |id: &String| {
        let (before, after) = (old.get(id), new.get(id));
        let score =
            |one: Option<&Graded>| one.filter(|one| one.state != State::Unfinished).map(|one| one.score);
        let verdict = |one: Option<&Graded>| one.map(|one| (one.state, one.passed));
        let same = score(before) == score(after) && verdict(before) == verdict(after);
        (!same).then(|| Change {
            id: id.clone(),
            before: score(before),
            after: score(after),
            why: why(before, after),
        })
    };
    ids.into_iter().filter_map(change).collect()
}

fn why(before: Option<&Graded>, after: Option<&Graded>) -> Vec<String> {
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (None, _) => return vec!["not in the old grading".to_owned()],
        (_, None) => return vec!["not in the new grading".to_owned()],
    };
    let mut why = Vec::new();
    let hash = |one: &Graded| one.file.as_ref().map(|file| file.sha256.clone());
    if hash(before) != hash(after) {
        why.push("another file".to_owned());
    }
    if before.state != after.state {
        why.push(format!("{:?} became {:?}", before.state, after.state).to_lowercase());
    }
    if before.penalty.total_cmp(&after.penalty).is_ne() {
        let of = |one: &Graded| match one.lateness.short() {
            none if none.is_empty() => points(one.penalty),
            when => format!("{} ({when})", points(one.penalty)),
        };
        why.push(format!("penalty {} became {}", of(before), of(after)));
    }
    why.extend(lines(before, after));
    let codes = |one: &Graded| -> BTreeSet<String> {
        one.report().iter().flat_map(|report| &report.findings).map(|finding| finding.code.clone()).collect()
    };
    let (old, new) = (codes(before), codes(after));
    for (sign, codes) in [("new", new.difference(&old)), ("no longer", old.difference(&new))] {
        let codes: Vec<&str> = codes.map(String::as_str).collect();
        if !codes.is_empty() {
            why.push(format!("{sign} {}", codes.join(" ")));
        }
    }
    why.extend(versions(&before.versions, &after.versions));
    why
}

/// Lines of the score that changed.
fn lines(before: &Graded, after: &Graded) -> Vec<String> {
    let of = |one: &Graded| -> BTreeMap<(String, String), (f64, String)> {
        let lines = one.report().map(|report| report.points.clone()).unwrap_or_default();
        lines.into_iter().map(|line| ((line.task, line.what), (line.points, line.reason))).collect()
    };
    let old = of(before);
    let changed = of(after).into_iter().filter_map(|((task, what), (now, reason))| {
        let (then, _) = old.get(&(task.clone(), what.clone()))?;
        then.total_cmp(&now)
            .is_ne()
            .then(|| format!("{task} {what} {} → {}: {reason}", points(*then), points(now)))
    });
    changed.collect()
}

/// What the scores were made with, where that differs.
pub fn versions(before: &Versions, after: &Versions) -> Vec<String> {
    let driver = |one: &Versions| one.driver.clone().unwrap_or_default();
    let program = |one: &Versions| one.program.chars().take(12).collect::<String>();
    let all = [
        ("checker", before.checker.clone(), after.checker.clone()),
        ("program", program(before), program(after)),
        ("compiler", before.compiler.clone(), after.compiler.clone()),
        ("engine", before.engine.clone(), after.engine.clone()),
        ("GPU", before.gpu.clone(), after.gpu.clone()),
        ("driver", driver(before), driver(after)),
    ];
    let differing = all.into_iter().filter(|(_, old, new)| old != new && !old.is_empty() && !new.is_empty());
    differing.map(|(what, old, new)| format!("{what} {old} → {new}")).collect()
}

/// The changes for a terminal.
pub fn text(old: &BTreeMap<String, Graded>, new: &BTreeMap<String, Graded>) -> String {
    let changes = changes(old, new);
    let mut out = String::new();
    for change in &changes {
        let score = |score: Option<f64>| score.map_or_else(|| "-".to_owned(), points);
        let _ = writeln!(out, "{}  {} → {}", cut(&change.id, 40), score(change.before), score(change.after));
        for why in &change.why {
            let _ = writeln!(out, "    {}", cut(why, 96));
        }
    }
    let all: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let same = all.len() - changes.len();
    let _ = writeln!(out, "{} results changed, {same} are the same", changes.len());
    out
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;
    use crate::class::{Arrival, Chosen, Person, Submitted};
    use crate::result::{Rules, grade};
    use crate::run::Checked;

    fn graded(id: &str, file: &str, score: f64, code: &str) -> (String, Graded) {
        let person = Person { id: id.into(), enrolled: true, ..Person::default() };
        let file = Some(Ok(Chosen { name: "x.cu".into(), bytes: file.as_bytes().to_vec() }));
        let report = json!({
            "score": score, "max_score": 50.0, "passed": true, "compiler": format!("NVRTC {code}"),
            "points": [{"task": "t", "what": "bandwidth", "points": score, "max": 50.0, "reason": "half"}],
            "findings": [{"code": code}],
        });
        let rules = Rules { max_score: 50.0, late_penalty: 0.0, free_days: 0, due: None };
        let submitted = Submitted { person, arrival: Arrival::default(), file };
        (id.to_owned(), grade("lab1", &submitted, vec![Some(Checked::Report(report))], "p", &rules))
    }

    #[test]
    fn each_change_has_its_reasons() {
        let old =
            [graded("ada", "a", 40.0, "W1"), graded("bob", "b", 30.0, "W1"), graded("eve", "e", 10.0, "W1")];
        let new =
            [graded("ada", "a", 40.0, "W1"), graded("bob", "c", 35.5, "W2"), graded("zed", "z", 1.0, "W1")];
        assert_eq!(
            text(&old.into(), &new.into()),
            "bob  30 → 35.5\n    another file\n    t bandwidth 30 → 35.5: half\n    new W2\n    no longer W1\n    compiler NVRTC W1 → NVRTC W2\n\
             eve  10 → -\n    not in the new grading\nzed  - → 1\n    not in the old grading\n3 results changed, 1 are the same\n"
        );
    }
}
