//! Wrong usage and broken environments: exit codes 2 and 3, with a message that says what to do.

use crate::common::{shown, shown_in};

#[test]
fn what_does_not_exist_is_wrong_usage() {
    let messages = [
        &["lba1"] as &[&str],
        &["lab1", "--task", "greyscale"],
        &["lab1", "--gpu", "h20"],
        &["lab1", "--gpu", "h200", "--engine", "gpu"],
        &["lab1", "--solution", "99"],
        &["lab1", "--file", "no_such_file.cu"],
        &["lab1", "--fiel", "x.cu"],
        &["--json"],
        &["--engine", "sim"],
        &["--solution"],
    ]
    .map(|arguments| format!("checker {}\n{}", arguments.join(" "), shown(arguments)));
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn a_gpu_that_is_not_there_is_a_broken_environment() {
    let shown = shown(&["lab1", "--solution", "--engine", "gpu"]);
    assert!(shown.starts_with("exit 3\n--- stderr\nerror: failed to use a GPU: "), "{shown}");
    // The line may break anywhere.
    let words = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("run with `--engine sim` on the simulator"), "{shown}");
}

#[test]
fn help_documents_the_exit_codes() {
    let shown = shown(&["--help"]);
    assert!(shown.starts_with("exit 0\n"), "{shown}");
    for line in judge::exit::HELP.lines() {
        assert!(shown.contains(line), "`{line}` is missing in\n{shown}");
    }
}

#[test]
fn all_labs_at_a_glance_from_any_folder_of_the_checkout() {
    let shown = shown_in(&crate::common::root().join("labs/lab1-grayscale"), &[]);
    assert!(shown.starts_with("exit 0\n--- stdout\nlab1: Grayscale\n"), "{shown}");
    assert!(shown.contains("  file  grayscale.cu ("), "{shown}");
    assert!(shown.contains("  next  checker lab1\n"), "{shown}");
}
