//! `workshop bench`, `workshop repeat` and `workshop scores`, as far as they go without a GPU.

use std::fs;

use judge::labs;
use judge::performance::TimingFixtures;
use judge::progress::Progress;
use judge::setup::{EngineChoice, Setup};
use judge::submission::{self, Source};
use judge::verdict::{Request, judge};
use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::common::{root, run, shown};

fn json(arguments: &[&str]) -> (Value, Option<i32>) {
    let output = run(&root(), arguments);
    let value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)));
    (value, output.status.code())
}

/// The points of a rung's task when the file is judged.
fn score(lab: &str, rung: &str, task: &str) -> f64 {
    let lab = labs::find(lab).expect("a lab");
    let source = Source::Solution(Some(rung.to_owned()));
    let tasks = labs::tasks(lab, Some(task)).expect("the task");
    let submission = submission::of_lab(lab, &source, &tasks).expect("the rung").submission;
    let gpu = &simulator::model::gpus()[0];
    let setup = Setup::new(EngineChoice::Simulator, gpu, &Progress::new()).expect("a compiler");
    let request = Request::of(lab, &tasks, &submission);
    judge(&setup, &request, &mut TimingFixtures::default(), &mut |_| {}).expect("a report").score
}

#[test]
fn a_benchmark_needs_a_gpu_and_a_size_that_fits() {
    let needs = shown(&["bench", "lab1"]);
    assert!(needs.starts_with("exit 3\n--- stderr\nerror: failed to use a GPU: "), "{needs}");
    for arguments in
        [&["bench", "lab9"] as &[&str], &["bench", "--size", "1920"], &["bench", "--size", "99999x99999"]]
    {
        let shown = shown(arguments);
        assert!(shown.starts_with("exit 2\n--- stderr\nerror: "), "{shown}");
    }
}

#[test]
fn a_predicted_score_never_changes() {
    let arguments =
        ["repeat", "lab1", "--solution", "4", "--task", "grayscale", "--times", "3", "--engine", "sim"];
    let (repeated, code) = json(&[&arguments[..], &["--json"]].concat());
    assert_eq!((code, &repeated["passed"], &repeated["times"]), (Some(0), &true.into(), &3.into()));
    let task = &repeated["tasks"][0];
    let attempts = task["attempts"].as_array().expect("attempts");
    assert!(attempts.len() == 3 && attempts.iter().all(|one| one == &attempts[0]), "{attempts:?}");
    for spread in ["score", "share", "speedup"] {
        assert_eq!(task[spread]["spread"], 0.0);
    }
    assert_eq!(task["bandwidth_levels"].as_array().map(Vec::len), Some(1));
    // The score is that of `checker lab1`.
    assert_eq!(task["score"]["median"], score("lab1", "4", "grayscale"));

    let table = shown(&arguments);
    assert!(
        table.contains("\n  states     3 stable, 0 unstable, 0 suspect; 0 of 0 pairs dropped\n"),
        "{table}"
    );
}

#[test]
fn a_wrong_file_is_not_scored() {
    let file = "solutions/lab1-grayscale/wrong/byte_overflow.cu";
    let arguments = ["repeat", "lab1", "--file", file, "--task", "grayscale", "--times", "1"];
    let shown = shown(&[&arguments[..], &["--engine", "sim"]].concat());
    assert!(shown.starts_with("exit 1\n--- stdout\n") && shown.contains("not scored, because "), "{shown}");
}

#[test]
fn scores_stand_beside_those_of_a_measured_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("measured.json").display().to_string();
    // One rung as fast as the yardstick, one that the clock did not agree on.
    let row = |rung: &str, task: &str, state: &str| {
        serde_json::json!({"lab": "lab1", "rung": rung, "task": task, "cases": 1, "unequal": [], "right": true,
            "case": "c", "width": 1, "height": 1, "seconds": 1.0, "gigabytes_per_second": 1.0,
            "yardstick_seconds": 1.0, "yardstick_gigabytes_per_second": 1.0, "share": 1.0, "state": state,
            "sequential_seconds": 999.0, "speedup": 999.0})
    };
    let rows: Vec<Value> = [("08_each_byte_once", "stable"), ("01_one_pixel_per_thread", "unstable")]
        .iter()
        .flat_map(|(rung, state)| ["grayscale", "grayscale_darken"].map(|task| row(rung, task, state)))
        .collect();
    let provenance =
        serde_json::json!({"gpu": "NVIDIA H200", "driver": "580", "date": "2026-11-21", "command": "c"});
    let file = serde_json::json!({"kind": "matrix", "provenance": provenance, "rows": rows});
    fs::write(&path, file.to_string()).expect("a file");
    let (scores, code) = json(&["scores", "lab1", "--measured", &path, "--json"]);
    let rungs = scores["rungs"].as_array().expect("rungs");
    assert_eq!((rungs.len(), code), (2, Some(1)));
    let (slow, fast) = (&rungs[0], &rungs[1]);
    assert_eq!((&slow["measured"], &fast["measured"]), (&50.0.into(), &100.0.into()));
    // The same as the checker's report on a machine without a GPU.
    let judged = ["grayscale", "grayscale_darken"].map(|task| score("lab1", "8", task));
    let predicted = fast["predicted"].as_f64().expect("a number");
    assert!((predicted - judged.iter().sum::<f64>()).abs() < 1e-9, "{predicted} {judged:?}");
    let apart = |rung: &Value| {
        let [measured, predicted, difference] =
            ["measured", "predicted", "difference"].map(|key| rung[key].as_f64().expect("a number"));
        assert!((predicted - measured - difference).abs() < 1e-9);
        difference.abs() > 5.0
    };
    assert!(apart(slow));
    assert_eq!(scores["within"], usize::from(!apart(fast)));

    let missing = shown(&["scores", "lab1", "--measured", "no-such-file.json"]);
    // Wherever the line breaks.
    let words = missing.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        words.starts_with("exit 2 ") && words.contains("`workshop matrix` writes such a file"),
        "{missing}"
    );
}
