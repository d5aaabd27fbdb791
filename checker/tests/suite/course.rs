//! A course of one's own, and a lab of one's own: what they change, and what not. The commands of the book's pages about
//! them run here.

use std::fs;
use std::path::Path;

use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::common::{root, run};
use crate::guide::commands;

const COURSE: &str = "gpu = \"gtx480\"\n[labs.lab6]\npoints = 10\ndue = 2027-01-31T23:59:00+01:00\n[labs.lab6.tasks.sobel]\n\
                      correctness = 4\nbandwidth = 6\nspeedup = 0\n";

fn judged(folder: &Path, more: &[&str]) -> Value {
    let arguments = ["lab6", "--file", "mine.cu", "--engine", "sim", "--json"];
    let output = run(folder, &[&arguments, more].concat());
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn a_course_changes_points_and_dates_and_nothing_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let below = folder.path().join("labs");
    fs::create_dir(&below).expect("made");
    fs::write(folder.path().join("course.toml"), COURSE).expect("written");
    fs::copy(root().join("solutions/lab6-sobel/01_one_pixel_per_thread.cu"), below.join("mine.cu"))
        .expect("copied");
    let mut with = judged(&below, &[]);
    let mut without = judged(&below, &["--no-course", "--gpu", "gtx480"]);
    assert_eq!(with["course"]["due"], "2027-01-31T23:59:00+01:00");
    assert_eq!((&with["max_score"], &without["max_score"]), (&10.0.into(), &100.0.into()));
    assert!(with["gpu"].as_str().is_some_and(|gpu| gpu.contains("GTX 480")), "{}", with["gpu"]);
    for report in [&mut with, &mut without] {
        for part in ["course", "score", "max_score", "points"] {
            report.as_object_mut().expect("a report").remove(part);
        }
    }
    assert_eq!(with, without);
}

#[test]
fn a_course_that_contradicts_itself_is_told_and_not_used() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("course.toml"), COURSE.replace("points = 10", "points = 11"))
        .expect("written");
    fs::write(folder.path().join("mine.cu"), "").expect("written");
    let checked = run(folder.path(), &["course", "check"]);
    let text = String::from_utf8_lossy(&checked.stdout).into_owned();
    assert_eq!(checked.status.code(), Some(1), "{text}");
    assert!(text.starts_with("course.toml:3: the tasks of lab6 add up to 10 points, not to 11"), "{text}");
    let json = run(folder.path(), &["course", "check", "--json"]);
    let json: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!((&json["consistent"], &json["problems"][0]["line"]), (&false.into(), &3.into()));
    for arguments in [&["lab6", "--file", "mine.cu"][..], &["grade", "mine.cu", "--lab", "lab6"]] {
        let refused = run(folder.path(), arguments);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(refused.status.code() == Some(2) && said.contains("line 3:"), "{said}");
    }
    assert_eq!(run(folder.path(), &["course", "check", "none.toml"]).status.code(), Some(2));
}

/// A checkout with the folders of this one, to which a lab can be added.
fn checkout(folder: &Path) {
    fs::write(folder.join("Cargo.toml"), "").expect("written");
    fs::create_dir_all(folder.join("labs/all/src")).expect("made");
    for list in ["labs/all/Cargo.toml", "labs/all/src/lib.rs"] {
        fs::copy(root().join(list), folder.join(list)).expect("copied");
    }
    for lab in judge::labs::all() {
        fs::create_dir_all(folder.join("labs").join(lab.folder())).expect("made");
    }
    let link = |name: &str| std::os::unix::fs::symlink(root().join(name), folder.join(name));
    fs::create_dir_all(folder.join("solutions")).expect("made");
    for name in ["book", "solutions/lab1-grayscale", "solutions/lab6-sobel"] {
        link(name).expect("linked");
    }
}

#[test]
fn the_commands_of_the_pages_for_instructors_run() {
    let folder = tempfile::tempdir().expect("a folder");
    checkout(folder.path());
    let mut ran = 0;
    let all: Vec<String> = ["course.md", "new-lab.md"].into_iter().flat_map(commands).collect();
    // What compiles the workbook takes too long here.
    for command in all.iter().filter_map(|command| command.strip_prefix("checker ")) {
        let quoted: Vec<&str> = command.split('"').collect();
        let words: Vec<&str> = quoted
            .iter()
            .enumerate()
            .flat_map(|(at, part)| if at % 2 == 1 { vec![*part] } else { part.split_whitespace().collect() })
            .collect();
        let output = run(folder.path(), &words);
        let said =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        // A wrong kernel has to fail.
        let expected = i32::from(command.contains("/wrong/"));
        assert_eq!(output.status.code(), Some(expected), "{command}: {said}");
        ran += 1;
    }
    assert!(ran >= 5, "{ran}");
    assert!(folder.path().join("labs/lab7-box_blur/src/box_blur.rs").is_file());
}
