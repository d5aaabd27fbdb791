//! The commands around the check, from outside: a student's own workbook, hints, profiles, watching.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use pretty_assertions::assert_eq;
use serde_json::Value;

use crate::common::{root, run, shown, shown_in};

/// A student's workbook in a temporary folder.
fn workbook() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let shown = shown_in(folder.path(), &["init", "mine"]);
    assert!(shown.contains("next: cd mine && checker"), "{shown}");
    folder
}

#[test]
fn a_workbook_works_in_all_its_folders_and_nowhere_else() {
    let folder = workbook();
    let mine = folder.path().join("mine");
    let lab = mine.join("labs/lab1-grayscale");
    assert!(shown_in(&lab, &[]).contains("  file  grayscale.cu (untouched)\n"));
    assert!(shown_in(&mine, &[]).contains("This is the workbook in "));
    let outside = shown_in(folder.path(), &["lab1"]);
    assert!(outside.starts_with("exit 3\n") && outside.contains("checker init my-warpbook"), "{outside}");
    let solution = shown_in(&mine, &["lab1", "--solution"]);
    assert!(
        solution.starts_with("exit 2\n") && solution.contains("`checker hint` says what to change"),
        "{solution}"
    );
    // What is there is not overwritten, and what is missing comes back.
    let file = lab.join("grayscale.cu");
    fs::write(&file, "mine").expect("it is written");
    fs::remove_file(lab.join("README.md")).expect("it is there");
    assert!(shown_in(&mine, &["init", "."]).contains("1 files in `.`"));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "mine");
    fs::remove_file(&file).expect("it is there");
    assert!(shown_in(&mine, &[]).contains("  next  checker init .\n"));
    let other = shown(&["init", "labs"]);
    assert!(other.starts_with("exit 2\n") && other.contains("is not empty"), "{other}");
}

#[test]
fn a_workbook_has_the_book_with_its_examples() {
    let folder = workbook();
    let mine = folder.path().join("mine");
    let entry = shown_in(&mine, &["book", "W0301"]);
    assert!(entry.contains("error[W0301]: ") && entry.contains("= read: checker book W0301"), "{entry}");
    assert!(!entry.contains("labs/generated"), "{entry}");
    let examples = shown_in(&mine, &["try"]);
    assert!(examples.contains("threads") && examples.contains("coalescing"), "{examples}");
    fs::remove_dir_all(mine.join("book")).expect("it is there");
    let none = shown_in(&mine, &["try", "threads"]);
    assert!(none.starts_with("exit 2\n") && none.contains("checker init ."), "{none}");
}

#[test]
fn a_right_task_whose_values_are_one_level_off_is_told_to_round() {
    let folder = workbook();
    let lab = folder.path().join("mine/labs/lab1-grayscale");
    let kernel = "#include \"workbook.cuh\"\n__global__ void k(const uint8_t* rgb, uint8_t* gray, int n) {\n    int i = \
                  blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) gray[i] = 0.3f * rgb[3 * i] + 0.59f * rgb[3 * i + 1] + \
                  0.11f * rgb[3 * i + 2];\n}\nvoid grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {\n    \
                  k<<<ceil_div(width * height, 256), 256>>>(rgb, gray, width * height);\n}\n";
    let report = |text: &str| {
        fs::write(lab.join("mine.cu"), text).expect("a file");
        let shown = shown_in(&lab, &["lab1", "--engine", "sim", "--task", "grayscale", "--file", "mine.cu"]);
        shown.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let truncated = report(kernel);
    assert!(truncated.contains("PASS grayscale") && truncated.contains("one level off"), "{truncated}");
    let rounded = report(&kernel.replace("rgb[3 * i + 2]", "rgb[3 * i + 2] + 0.5f"));
    assert!(rounded.contains("PASS grayscale") && !rounded.contains("one level off"), "{rounded}");
}

#[test]
fn a_profile_names_the_line_that_costs_most() {
    let folder = tempfile::tempdir().expect("a folder");
    let page = folder.path().join("profile.html");
    let name = page.to_str().expect("a name");
    let arguments = ["profile", "lab2", "--solution", "1", "--task", "histogram", "--json", "--html", name];
    let output = run(&root(), &arguments);
    let profile: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let task = &profile["tasks"][0];
    assert_eq!((&task["task"], &task["costs"][0]["part"]), (&"histogram".into(), &"atomics".into()));
    let lines = task["lines"].as_array().expect("lines");
    let shares = lines.iter().map(|line| line["share"].as_f64().expect("a share"));
    let all: f64 = shares.sum::<f64>() + task["outside"].as_f64().expect("a share");
    assert!((all - 1.0).abs() < 1e-6, "{all}");
    let dearest = lines
        .iter()
        .max_by(|one, other| one["share"].as_f64().partial_cmp(&other["share"].as_f64()).expect("numbers"));
    let text = dearest.expect("a line")["text"].as_str().expect("text");
    assert!(text.contains("atomicAdd"), "{text}");
    let page = fs::read_to_string(page).expect("the page");
    for part in ["<svg", "Roofline", "Accesses of line", "atomicAdd(&amp;bins"] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("http"), "the page needs something else");
}

#[test]
fn hints_come_in_three_stages_and_end_at_full_score() {
    let said = |more: &[&str]| shown(&[&["hint", "lab1", "--solution", "4"], more].concat());
    let (idea, sketch, code) = (said(&[]), said(&["--more"]), said(&["-mm"]));
    // Conversions limit it: wider loads would not help yet.
    assert!(idea.contains("integers instead of float") && !idea.contains("const uint32_t"), "{idea}");
    assert!(sketch.contains("__dp4a(a, b, c)") && !sketch.contains("const uint32_t"), "{sketch}");
    assert!(code.contains("const uint32_t sum = __dp4a("), "{code}");
    let done = shown(&["hint", "lab1", "--solution"]);
    assert!(done.contains("every point"), "{done}");
    let untouched = shown(&["hint", "lab1"]);
    assert!(untouched.contains("Fill in"), "{untouched}");
}

#[test]
fn a_save_is_checked_again() {
    let folder = workbook();
    let mine = folder.path().join("mine");
    let file = mine.join("labs/lab1-grayscale/grayscale.cu");
    let mut watch = Command::new(crate::BINARY)
        .args(["watch", "lab1", "--engine", "sim"])
        .current_dir(&mine)
        .envs([("NO_COLOR", "1"), ("CI", "1"), ("CUDA_VISIBLE_DEVICES", "")])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the binary starts");
    let mut lines = BufReader::new(watch.stdout.take().expect("its output")).lines();
    let mut until = |wanted: &str| lines.by_ref().map_while(Result::ok).find(|line| line.starts_with(wanted));
    assert_eq!(until("watch: score").as_deref(), Some("watch: score 0.0 of 100"));
    assert!(until("watch: waiting for the next save").is_some());
    let rung = root().join("solutions/lab1-grayscale/01_one_pixel_per_thread.cu");
    fs::copy(rung, &file).expect("a save");
    let score = until("watch: score").expect("a second check");
    assert!(score.contains("(+"), "{score}");
    watch.kill().expect("it runs");
    watch.wait().expect("it ends");
}

#[test]
fn the_doctor_names_a_remedy_for_all_that_is_not_good() {
    let output = run(Path::new("/"), &["doctor", "--json"]);
    let health: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(output.status.code(), Some(0), "{health}");
    let parts = health["parts"].as_array().expect("parts");
    let state = |name: &str| {
        let part = parts.iter().find(|part| part["name"] == name).unwrap_or_else(|| panic!("no {name}"));
        part["state"].as_str().expect("a state").to_owned()
    };
    assert_eq!([state("workbook"), state("compiler"), state("GPU")], ["less", "good", "less"]);
    for part in parts {
        assert_eq!(part["state"] == "good", part["remedy"].is_null(), "{part}");
    }
    assert!(shown(&["doctor"]).contains("This machine is ready"));
}

#[test]
fn shells_and_the_manual_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "man"] {
        let text = run(&root(), &["completions", shell]).stdout;
        let text = String::from_utf8(text).expect("text");
        assert!(text.contains("profile") && text.contains("ladder"), "{shell}");
    }
}

#[test]
fn a_check_tells_what_changed_since_the_last_one_and_another_card_is_no_attempt() {
    let folder = workbook();
    let mine = folder.path().join("mine");
    let file = mine.join("labs/lab6-sobel/sobel.cu");
    let skeleton = fs::read_to_string(&file).expect("the skeleton");
    let check = |text: &str, options: &[&str]| {
        fs::write(&file, [&skeleton, text].concat()).expect("it is written");
        let mut command = Command::new(crate::BINARY);
        command.arg("lab6").args(options).current_dir(&mine);
        command.env_remove("CI").env("WORKBOOK_DATA", folder.path()).env("CUDA_VISIBLE_DEVICES", "");
        String::from_utf8(command.output().expect("it starts").stderr).expect("text")
    };
    let told = "since your last check\n  score 0.0 of 100 (as before)\n";
    assert!(!check("first", &[]).contains("since"));
    assert!(!check("another card", &["--gpu", "t4"]).contains("since"));
    assert!(check("second", &[]).contains(told));
    // The same file again has nothing new.
    assert!(!check("second", &[]).contains("since"));
    let history = fs::read_to_string(folder.path().join("history.jsonl")).expect("attempts");
    assert_eq!(history.lines().count(), 2, "{history}");
}

#[test]
fn a_sweep_is_not_advised_twice() {
    let folder = workbook();
    let file = folder.path().join("mine.cu");
    let source = |more: &str| {
        let kernel = "const int i = blockIdx.x * block_size + threadIdx.x;\n    if (i < n) gray[i] = (30 * rgb[3 * i] + 59 * rgb[3 * i + 1] + 11 * rgb[3 * i + 2] + 50) / 100;";
        format!(
            "#include \"workbook.cuh\"\nconstexpr int block_size = 64;  // tune: 64 256\n__global__ void k(const uint8_t* rgb, uint8_t* gray, int n) {{\n    {kernel}{more}\n}}\n\
             void grayscale(const uint8_t* rgb, uint8_t* gray, int width, int height) {{\n    k<<<ceil_div(width * height, block_size), block_size>>>(rgb, gray, width * height);\n}}\n"
        )
    };
    let run = |arguments: &[&str]| {
        let mut command = Command::new(crate::BINARY);
        command.args(arguments).args(["--file", "mine.cu", "--task", "grayscale", "--engine", "sim"]);
        command.current_dir(folder.path()).env_remove("CI").env("WORKBOOK_DATA", folder.path().join("data"));
        String::from_utf8(command.output().expect("it starts").stdout).expect("text")
    };
    let is_advised = || run(&["lab1"]).contains("checker tune lab1");
    fs::write(&file, source("")).expect("it is written");
    assert!(is_advised());
    assert!(run(&["tune", "lab1", "--no-history"]).contains("best"));
    assert!(is_advised());
    assert!(run(&["tune", "lab1"]).contains("best"));
    assert!(!is_advised());
    assert!(run(&["lab1", "--no-history"]).contains("checker tune lab1"));
    fs::write(&file, source("\n    if (n < 0) return;")).expect("it is written");
    assert!(is_advised());
}
