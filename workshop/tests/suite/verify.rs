//! `workshop verify`.

use crate::common::shown;

#[test]
fn skeletons_fail_rungs_pass_and_wrong_kernels_fail_as_they_say() {
    verified(&["--except", "/cheats/"]);
    // All cheats take two minutes; here those of the short labs, and of the others some of each family.
    verified(&["lab2", "lab3", "lab4", "--only", "/cheats/"]);
    verified(&["--only", "lab1-grayscale/cheats/nine_rows"]);
    verified(&["--only", "lab1-grayscale/cheats/honest_events"]);
    verified(&["--only", "lab5-pipeline/cheats/host_loop.cu"]);
}

fn verified(files: &[&str]) {
    let shown = shown(&[&["verify", "--engine", "sim"], files].concat());
    assert!(shown.starts_with("exit 0\n") && shown.contains(" 0 not as they should be"), "{shown}");
}
