//! The ladders against what was measured: rungs become faster, or say why not.

use std::collections::BTreeMap;

use book::files::{entries, file_name, lab_folder, labs, read};
use book::header::{self, Rung};
use book::root;
use pretty_assertions::assert_eq;
use serde_json::Value;

/// A rung counts as slower from here on: less is within the error of a measurement.
const SLOWER: f64 = 1.01;

/// A rung's name, its header, and the measured seconds of its tasks.
type Measured = (String, Rung, BTreeMap<String, f64>);

/// The rungs of a lab, lowest first, with the rows of `matrix` that are of them.
fn ladder(lab: &str, matrix: &Value) -> Vec<Measured> {
    let Some(folder) = lab_folder(&root(), "solutions", lab).unwrap() else { return Vec::new() };
    let files = entries(&folder).unwrap().into_iter().filter(|path| path.is_file());
    let rung = |path: std::path::PathBuf| {
        let name = file_name(&path).trim_end_matches(".cu").to_owned();
        let header = header::rung(&read(&path).unwrap()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let rows = matrix["rows"].as_array().unwrap().iter();
        let own = rows.filter(|row| row["lab"] == lab && row["rung"] == name.as_str());
        let seconds = own
            .map(|row| (row["task"].as_str().unwrap().to_owned(), row["seconds"].as_f64().unwrap()))
            .collect();
        (name, header, seconds)
    };
    files.map(rung).collect()
}

/// Rungs that are slower than the one before about the same task without a reason, and reasons of rungs that are not slower
/// than any below.
fn offenders(ladder: &[Measured]) -> Vec<String> {
    let mut found = Vec::new();
    let mut before: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for (name, header, seconds) in ladder {
        let mut has_reason = false;
        for (task, own) in seconds {
            let (last, best) = before.get(task.as_str()).copied().unwrap_or((f64::INFINITY, f64::INFINITY));
            has_reason |= *own > best;
            if *own > SLOWER * last && header.slower.is_none() {
                found.push(format!("{name} is {:.2} times as slow in {task} as the rung before", own / last));
            }
            before.insert(task, (*own, own.min(best)));
        }
        if header.slower.is_some() && !seconds.is_empty() && !has_reason {
            found.push(format!("{name} says why it is slower, and is not"));
        }
    }
    found
}

fn matrix() -> Value {
    serde_json::from_str(&read(&root().join("book/data/matrix-h200.json")).unwrap()).unwrap()
}

#[test]
fn no_rung_is_slower_than_the_one_before_unless_it_says_why() {
    let matrix = matrix();
    for lab in labs(&root()).unwrap() {
        assert_eq!(offenders(&ladder(&lab, &matrix)), Vec::<String>::new(), "{lab}");
    }
}

#[test]
fn every_measured_time_is_of_a_task_of_its_rung() {
    let matrix = matrix();
    for lab in labs(&root()).unwrap() {
        let ladder = ladder(&lab, &matrix);
        for (name, header, seconds) in &ladder {
            let is_own = |task: &&String| header.tasks.is_empty() || header.tasks.contains(task);
            let others: Vec<_> = seconds.keys().filter(|task| !is_own(task)).collect();
            assert!(others.is_empty(), "{name} of {lab} is not about {others:?}");
        }
        let rows = matrix["rows"].as_array().unwrap().iter().filter(|row| row["lab"] == lab.as_str());
        let measured: usize = ladder.iter().map(|(_, _, seconds)| seconds.len()).sum();
        assert_eq!(rows.count(), measured, "rows of {lab} whose rung is not there");
    }
}

#[test]
fn a_slower_rung_and_a_reason_without_need_are_found() {
    let rung = |slower: Option<&str>, seconds: f64| {
        let header = Rung {
            title: String::new(),
            tasks: Vec::new(),
            expert: false,
            slower: slower.map(str::to_owned),
            parts: Vec::new(),
        };
        ("r".to_owned(), header, BTreeMap::from([("t".to_owned(), seconds)]))
    };
    assert!(offenders(&[rung(None, 1.0), rung(None, 1.005), rung(None, 0.5)]).is_empty());
    assert_eq!(offenders(&[rung(None, 1.0), rung(None, 1.02)]).len(), 1);
    assert!(offenders(&[rung(None, 1.0), rung(Some("why"), 1.02), rung(Some("why"), 1.01)]).is_empty());
    assert_eq!(offenders(&[rung(None, 1.0), rung(Some("why"), 0.9)]).len(), 1);
}
