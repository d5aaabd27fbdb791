//! The last rung passes, and its JSON is complete and the same on every run.

use std::process::Command;

use judge::performance::TimingFixtures;
use judge::progress::Progress;
use judge::setup::{EngineChoice, Setup};
use judge::verdict::{Request, judge};
use judge::{labs, submission};
use lab::Task;
use serde_json::Value;

/// The JSON of `checker lab1 --solution` on so many threads.
fn json(threads: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_checker"))
        .args(["lab1", "--solution", "--engine", "sim", "--json"])
        .current_dir(crate::common::root())
        .env("RAYON_NUM_THREADS", threads)
        .output()
        .expect("the binary starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("JSON is UTF-8")
}

#[test]
fn the_solution_passes_with_the_same_complete_json_on_any_number_of_threads() {
    let first = json("1");
    assert_eq!(first, json("3"), "the report of a simulated run has to be the same, to the bit");
    let report: Value = serde_json::from_str(&first).expect("valid JSON");
    let is = |pointer: &str, expected: Value| {
        assert_eq!(report.pointer(pointer), Some(&expected), "at {pointer}");
    };
    is("/lab", "lab1".into());
    is("/engine", "sim".into());
    is("/gpu", "NVIDIA H200".into());
    is("/measured", false.into());
    is("/max_score", 100.0.into());
    is("/passed", true.into());
    is("/untouched", false.into());
    assert_eq!(report["sha256"].as_str().map(str::len), Some(64));
    assert!(report["file"].as_str().is_some_and(|file| file.starts_with("solutions/lab1-grayscale/")));
    let score = report["score"].as_f64().expect("a score");
    assert!((50.0..=100.0).contains(&score), "{score}");

    let cases = report["cases"].as_array().expect("cases");
    let expected: usize = lab1_grayscale::LAB.tasks().iter().map(|task| task.cases().len() + 1).sum();
    assert_eq!(cases.len(), expected, "every case of every task, and the timed ones");
    assert!(cases.iter().all(|case| case["verdict"] == "passed" && case["total"].as_u64() > Some(0)));
    let errors = report["findings"].as_array().expect("findings").iter().filter(|f| f["severity"] == "error");
    assert_eq!(errors.count(), 0);

    let performance = report["performance"].as_array().expect("performance");
    assert_eq!(performance.len(), 2);
    for timed in performance {
        let number = |key: &str| timed[key].as_f64().unwrap_or_else(|| panic!("no {key}"));
        assert_eq!(timed["basis"], "predicted");
        let share = number("yardstick_seconds") / number("seconds");
        assert!((share - number("share")).abs() < 1e-12 && share <= 1.15, "{share}");
        let bytes = number("gigabytes_per_second") * number("seconds") * 1e9;
        assert!((bytes / (4.0 * 8773.0 * 5352.0) - 1.0).abs() < 1e-9, "the fewest bytes: {bytes}");
    }
    let points: f64 =
        report["points"].as_array().expect("points").iter().filter_map(|line| line["points"].as_f64()).sum();
    assert!((points - score).abs() < 1e-9, "the score is the sum of its lines");
}

#[test]
fn the_ladder_is_climbed_by_number() {
    let shown = crate::common::shown(&[
        "lab1",
        "--solution",
        "1",
        "--engine",
        "sim",
        "--task",
        "grayscale",
        "--json",
    ]);
    assert!(shown.starts_with("exit 0\n"), "{shown}");
    assert!(shown.contains("\"file\": \"solutions/lab1-grayscale/01_"), "{shown}");
}

/// Rung 3 of lab 1 is about one task; rung 2 is about both.
#[test]
fn a_task_that_a_rung_is_not_about_comes_from_the_nearest_lower_rung_that_is() {
    let judged = |arguments: &[&str]| -> Value {
        let arguments = [&["lab1", "--solution", "3", "--engine", "sim", "--json"], arguments].concat();
        let shown = crate::common::shown(&arguments);
        let json = shown.strip_prefix("exit 0\n--- stdout\n").expect("it passes, and says nothing else");
        serde_json::from_str(json).expect("valid JSON")
    };
    let file =
        |value: &Value| value["file"].as_str().and_then(|path| path.rsplit('/').next()).map(str::to_owned);
    let report = judged(&[]);
    assert_eq!(file(&report).as_deref(), Some("03_coalesced.cu"));
    let tasks = report["tasks"].as_array().expect("tasks");
    let names: Vec<_> = tasks.iter().map(|task| (task["name"].as_str(), file(task))).collect();
    let lower = || Some("02_block_shapes.cu".to_owned());
    assert_eq!(names, [(Some("grayscale"), None), (Some("grayscale_darken"), lower())]);
    assert!(tasks.iter().all(|task| task["file"].is_null() == task["sha256"].is_null()));
    let timed = report["performance"].as_array().expect("performance").iter().map(|timed| &timed["task"]);
    assert_eq!(timed.collect::<Vec<_>>(), ["grayscale", "grayscale_darken"]);
    assert_eq!(report["max_score"], 100.0);

    let alone = judged(&["--task", "grayscale_darken"]);
    assert_eq!(file(&alone), lower());
    assert!(alone["tasks"][0]["file"].is_null(), "it is the report's own file");
}

/// As a student checks it, with the limits of memory and time: `workshop verify` has none. The cooperative launch of lab 3 has the registers
/// of all its warps at once.
#[test]
fn the_last_rung_passes_within_the_limits() {
    let other = ["lab2", "lab4", "lab5"][crate::common::part(3)];
    for lab in ["lab3", other] {
        let shown = crate::common::shown(&[lab, "--solution", "--engine", "sim", "--json"]);
        assert!(shown.starts_with("exit 0\n"), "{lab}: {shown}");
    }
}

/// Page-locked copies are faster than pageable ones, and overlapped copies and kernels take less than their sum.
#[test]
fn transfers_and_kernels_are_told_apart() {
    let timed = |rung: &str| {
        let shown = crate::common::shown(&["lab5", "--solution", rung, "--engine", "sim", "--json"]);
        let json = shown.strip_prefix("exit 0\n--- stdout\n").expect("it passes, and says nothing else");
        let report: Value = serde_json::from_str(json).expect("valid JSON");
        let number = |key: &str| report["performance"][0][key].as_f64().unwrap_or_else(|| panic!("no {key}"));
        ["seconds", "transfer_seconds", "kernel_seconds", "share"].map(number)
    };
    let [pageable, pageable_transfers, kernels, _] = timed("3");
    assert!((pageable - pageable_transfers - kernels).abs() < 1e-9, "one after the other");
    let [locked, locked_transfers, same_kernels, _] = timed("4");
    assert!(locked < pageable && locked_transfers < pageable_transfers, "{locked} {locked_transfers}");
    assert!((kernels - same_kernels).abs() < 1e-9, "{kernels} {same_kernels}");
    let [streams, transfers, kernels, share] = timed("5");
    assert!(streams < 0.95 * (transfers + kernels), "{streams} of {transfers} and {kernels}");
    assert!(streams >= transfers && (0.5..=1.0).contains(&share), "{streams} {transfers} {share}");
}

/// In all cases, which are small, rung 20 only has low tiles. With one band of low tiles before the tall ones, most
/// cases have both.
#[test]
fn tall_tiles_are_as_right_as_low_ones() {
    const BANDS_BEFORE: &str = "ceil_div(at_once, 2 * across)";
    let rung = crate::common::root().join("solutions/lab4-smoothing/20_short_tiles.cu");
    let source = std::fs::read_to_string(rung).expect("the rung is there");
    assert_eq!(source.matches(BANDS_BEFORE).count(), 1, "the expression for the number of low bands");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("one_low_band.cu");
    std::fs::write(&file, source.replace(BANDS_BEFORE, "1")).expect("the file can be written");
    // Checked in this process, so that the long file is compiled once for both tasks.
    let lab = labs::find("lab4").expect("lab 4");
    let submission = submission::read(&file, "one_low_band.cu", lab, "").expect("it was written");
    let named = |task: &&&dyn Task| ["smooth_box", "smooth_triangular"].contains(&task.name());
    let tasks: Vec<&dyn Task> = lab.tasks().iter().filter(named).copied().collect();
    let setup = Setup::new(EngineChoice::Simulator, &simulator::model::gpus()[0], &Progress::new());
    let request = Request::of(lab, &tasks, &submission);
    let report = judge(&setup.expect("a compiler"), &request, &mut TimingFixtures::default(), &mut |_| {});
    let report = report.expect("no fault of the checker");
    assert!(report.passed && report.tasks.len() == 2, "{:#?}", report.findings);
    assert!(report.tasks.iter().all(|task| task.passed), "{:#?}", report.tasks);
}
