//! Advice that follows from what limits a kernel now: reports, hints and profiles of right kernels, from outside.

use std::fs;

use serde_json::Value;

use crate::common::{root, run, shown};

/// A report without its line breaks.
fn words(arguments: &[&str]) -> String {
    shown(arguments).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn next(arguments: &[&str]) -> String {
    let text = words(arguments);
    text.split_once("next: ").unwrap_or_else(|| panic!("no advice: {text}")).1.to_owned()
}

fn smooth_box(rung: &str) -> [&str; 5] {
    ["lab4", "--solution", rung, "--task", "smooth_box"]
}

/// One rung with more than one limit, many remarks, and lines that take hardly any time.
#[test]
fn a_kernel_that_several_things_limit_is_told_what_costs_most() {
    let report = shown(&smooth_box("12"));
    let text = report.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        text.contains("bytes: L2 bandwidth") && text.contains("instructions: executing instructions"),
        "{text}"
    );
    let next = text.split_once("next: ").expect("advice").1;
    assert!(next.contains("instructions per pixel, this one 3"), "{next}");
    assert!(next.contains("`checker hint lab4 --task smooth_box --solution 12`"), "{next}");
    let hint = words(&[&["hint"], &smooth_box("12")[..]].concat());
    assert!(hint.contains("Most instructions per pixel: ") && hint.contains(" in line 119"), "{hint}");

    // A remark on many lines is one line of the report.
    let remarks = report.lines().filter(|line| line.starts_with("  W0701")).count();
    assert_eq!(remarks, 1, "{report}");
    assert!(report.contains("also in line"), "{report}");

    // A remark on a line that takes hardly any time is left out.
    let json = |before: &[&str]| -> Value {
        let arguments = [before, &smooth_box("12"), &["--json"]].concat();
        serde_json::from_slice(&run(&root(), &arguments).stdout).expect("JSON")
    };
    let (report, profile) = (json(&[]), json(&["profile"]));
    let lines = profile["tasks"][0]["lines"].as_array().expect("lines");
    let share = |line: u64| {
        let known = lines.iter().find(|one| one["line"] == line);
        known.map_or(0.0, |one| one["share"].as_f64().expect("a share"))
    };
    let also = text.split_once("also found").expect("remarks").1;
    let also = also.split("next: ").next().unwrap_or(also).replace([';', ','], " ");
    let all = report["findings"].as_array().expect("findings").iter();
    let all = all.filter(|one| one["code"] == "W0701").filter_map(|one| one["line"].as_u64());
    let (told, left_out): (Vec<u64>, Vec<u64>) = all.partition(|line| also.contains(&format!(" {line} ")));
    assert!(!told.is_empty() && told.iter().all(|line| share(*line) >= 0.02), "{told:?}");
    assert!(!left_out.is_empty() && left_out.iter().all(|line| share(*line) < 0.02), "{left_out:?}");
}

#[test]
fn an_array_in_local_memory_is_named_with_its_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "\
#include \"workbook.cuh\"
__global__ void grayscale_kernel(const uint8_t* rgb, uint8_t* gray, int pixels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= pixels) return;
    float channel[3];
#pragma unroll 1
    for (int k = 0; k < 3; k++) {
        channel[k] = rgb[3 * i + k];
    }
    gray[i] = 0.3f * channel[0] + 0.59f * channel[1] + 0.11f * channel[2] + 0.5f;
}
void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {
    int pixels = width * height;
    grayscale_kernel<<<(pixels + 255) / 256, 256>>>(rgb, gray, pixels);
}
";
    let path = folder.path().join("local.cu");
    fs::write(&path, source).expect("written");
    let path = path.display().to_string();
    let next = next(&["lab1", "--file", &path, "--task", "grayscale"]);
    assert!(next.contains("local memory") && next.contains("line 8"), "{next}");
}

#[test]
fn each_dear_line_of_a_profile_has_a_cause() {
    for (lab, rung, task) in [("lab4", "8", "smooth_box"), ("lab2", "10", "histogram")] {
        let arguments = ["profile", lab, "--solution", rung, "--task", task, "--json"];
        let profile: Value = serde_json::from_slice(&run(&root(), &arguments).stdout).expect("JSON");
        let lines = profile["tasks"][0]["lines"].as_array().expect("lines");
        let dear: Vec<&Value> =
            lines.iter().filter(|line| line["share"].as_f64().is_some_and(|share| share >= 0.15)).collect();
        assert!(!dear.is_empty(), "{lab}: no line takes much");
        for line in dear {
            assert!(line["causes"].as_array().is_some_and(|causes| !causes.is_empty()), "{line}");
        }
    }
}

#[test]
fn a_profile_explains_its_columns_once_and_leaves_cheap_lines_out() {
    let text = shown(&["profile", "lab4", "--solution", "10"]);
    assert_eq!(text.matches("share: of the time of the kernels").count(), 1, "{text}");
    let tasks = text.matches(": kernels take").count();
    assert!(tasks > 1 && text.lines().count() < 38 * tasks, "{} lines", text.lines().count());
    let whole = shown(&["profile", "lab4", "--solution", "10", "--verbose"]);
    assert!(whole.lines().count() > text.lines().count() && !whole.contains("cheaper lines"), "{whole}");
}

#[test]
fn a_profile_says_once_what_to_try() {
    let text = words(&["profile", "lab4", "--solution", "10", "--task", "smooth_box", "--verbose"]);
    let mut tries: Vec<&str> = text.split("try: ").skip(1).map(|rest| &rest[..40]).collect();
    let all = tries.len();
    tries.sort_unstable();
    tries.dedup();
    assert!(all > 1 && tries.len() == all, "{text}");
}

#[test]
fn a_task_that_is_not_started_has_no_profile() {
    let skeleton = root().join("labs/lab2-histogram/histogram.cu").display().to_string();
    let text = words(&["profile", "lab2", "--file", &skeleton]);
    assert!(text.contains("no profile of `gray_histogram`: it is not started"), "{text}");
    assert!(!text.contains("kernels take"), "{text}");
}

#[test]
fn a_hint_explains_the_finding_before_the_task() {
    let file = "solutions/lab1-grayscale/wrong/no_bounds_check.cu";
    let first = words(&["hint", "lab1", "--file", file]);
    assert!(
        first.contains("W0101 in line 11: reads 1 byte") && first.contains("Outside an allocation"),
        "{first}"
    );
    assert!(
        first.contains("`checker book W0101` shows an example") && !first.contains("Add a guard"),
        "{first}"
    );
    let second = words(&["hint", "lab1", "--file", file, "--more"]);
    assert!(second.contains("Add a guard"), "{second}");
    let third = words(&["hint", "lab1", "--file", file, "--more", "--more"]);
    assert!(third.contains(" - ") && !third.contains("Add a guard"), "{third}");
}

#[test]
fn more_of_a_hint_repeats_only_what_it_is_about() {
    for arguments in [
        &["hint", "lab1", "--file", "solutions/lab1-grayscale/wrong/no_bounds_check.cu"][..],
        &["hint", "lab1", "--file", "solutions/lab1-grayscale/wrong/byte_overflow.cu"],
        &["hint", "lab1", "--solution", "1", "--task", "grayscale"],
    ] {
        let said: Vec<String> =
            (0..4).map(|more| shown(&[arguments, &vec!["--more"; more]].concat())).collect();
        let title = said[0].lines().nth(2).expect("a title");
        // Past the last stage that stands again, with a word that there is no more.
        for stages in said.windows(2).filter(|stages| !stages[1].contains("no more: ")) {
            let told = |line: &&str| {
                let heading = *line == title || line.contains(", step by step");
                line.len() > 20 && !heading && !line.contains("more: ") && stages[0].contains(*line)
            };
            let again: Vec<&str> = stages[1].lines().filter(told).collect();
            assert!(again.is_empty(), "{arguments:?}: {again:?}");
        }
        // The command for more is one on the same file.
        let command =
            said[0].lines().find_map(|line| line.trim().strip_prefix("more: checker ")).expect("a command");
        assert!(command.starts_with("hint lab") && command.contains(arguments[3]), "{command}");
    }
}

#[test]
fn a_profile_tells_the_idea_of_the_report_and_the_hint() {
    for (lab, rung, task) in [("lab1", "3", "grayscale"), ("lab2", "7", "histogram")] {
        let of = [lab, "--solution", rung, "--task", task];
        let hint = words(&[&["hint"], &of[..]].concat());
        let idea =
            hint.split_once(": ").and_then(|(_, rest)| rest.split_once("Now, per pixel")).expect("an idea").0;
        let idea = idea[idea.len() / 2..].trim_end_matches(['.', ' ']).to_owned();
        assert!(next(&of).contains(&idea), "{idea}");
        let profile = words(&[&["profile"], &of[..]].concat());
        assert!(
            profile.contains(&format!(
                "{idea} (`checker hint {lab} --task {task} --solution {rung}` says more)"
            )),
            "{profile}"
        );
        // Advice of a whole part of the time belongs to kernels that lack no idea.
        assert!(!profile.contains("use fewer instructions per pixel"), "{profile}");
    }
}

#[test]
fn the_sheet_of_lab_3_has_the_figures_of_the_committed_data() {
    let read = |path: &str| fs::read_to_string(root().join(path)).expect("a file of the checkout");
    let sheet = read("labs/lab3-equalization/README.md");
    let data: Value = serde_json::from_str(&read("book/data/matrix-h200.json")).expect("JSON");
    let best = |one_launch: bool| {
        let rows = data["rows"].as_array().expect("rows").iter();
        let own =
            rows.filter(|row| row["lab"] == "lab3" && (row["rung"] == "14_cooperative_launch") == one_launch);
        own.filter_map(|row| row["share"].as_f64()).fold(0.0, f64::max)
    };
    for said in [
        format!("kernels of two passes reach {:.2}", best(false)),
        format!("reads less and reaches {:.2}", best(true)),
    ] {
        assert!(sheet.contains(&said), "the sheet does not say `{said}`");
    }
}

/// Of what warps wait, a profile says it line by line, and a report of all lines together.
#[test]
fn a_report_and_a_profile_agree_on_what_warps_wait_for() {
    let rungs = [("lab1", &["1", "4"][..]), ("lab2", &["7"]), ("lab3", &["1", "2", "8"]), ("lab6", &["2"])];
    let mut contradictions = Vec::new();
    for (lab, rung) in rungs.into_iter().flat_map(|(lab, of)| of.iter().map(move |rung| (lab, *rung))) {
        let json = |command: &[&str]| -> Value {
            let arguments = [command, &[lab, "--solution", rung, "--json"]].concat();
            serde_json::from_slice(&run(&root(), &arguments).stdout).expect("JSON")
        };
        let (report, profile) = (json(&[]), json(&["profile"]));
        for timed in report["performance"].as_array().expect("times") {
            let Some(said) = timed["wait"].as_str() else { continue };
            let tasks = profile["tasks"].as_array().expect("tasks");
            // Of a solution with a file per task, a profile has the tasks of one.
            let Some(lines) = tasks.iter().find(|one| one["task"] == timed["task"]) else { continue };
            let (mut all, mut loads, mut results) = (0.0, 0.0, 0.0);
            for line in lines["lines"].as_array().expect("lines") {
                let parts = line["parts"].as_array().expect("parts").iter();
                let waits: f64 = parts
                    .filter(|one| one[0] == "waiting")
                    .map(|one| one[1].as_f64().expect("a share"))
                    .sum();
                all += waits;
                let causes = line["causes"].to_string();
                if causes.contains("warps wait for its loads,") {
                    continue;
                }
                loads += if causes.contains("warps wait for its loads") { waits } else { 0.0 };
                results += if causes.contains("warps wait for the results") { waits } else { 0.0 };
            }
            // A line that waits mostly for one of them waits for the other in at most 0.41 of its time.
            let bound = |of: f64, most: f64| of <= most * all;
            let agrees = match said {
                "memory" => bound(results, 0.7),
                "itself" => bound(loads, 0.7),
                _ => bound(results, 0.85) && bound(loads, 0.85),
            };
            if !agrees {
                contradictions.push(format!(
                    "{lab} {rung} {}: {said}, of {all:.2} {loads:.2} for loads, {results:.2} for results",
                    timed["task"]
                ));
            }
        }
    }
    assert!(contradictions.is_empty(), "{contradictions:#?}");
}

/// A file that lacks less than a point: constants come first, then the idea.
#[test]
fn a_report_a_hint_and_a_profile_of_a_nearly_full_file_name_the_same_steps() {
    let of = ["lab3", "--file", "checker/tests/suite/nearly_full.cu"];
    let steps = "try other values of its constants before any other change";
    let idea = "the next step is this: load and store sixteen pixels at once";
    for command in [&[][..], &["hint"], &["profile"]] {
        let said = words(&[command, &of[..]].concat());
        assert!(said.contains(steps) && said.contains(idea), "{command:?}: {said}");
    }
    let [sketch, code] =
        [&["--more"][..], &["--more", "--more"]].map(|more| words(&[&["hint"], &of[..], more].concat()));
    assert!(sketch.contains("Sixteen pixels per load: "), "{sketch}");
    assert!(code.contains("reinterpret_cast<const uint4*>"), "{code}");
}
