//! `workshop verify`.

use crate::common::shown;

#[test]
fn skeletons_fail_rungs_pass_and_wrong_kernels_fail_as_they_say() {
    // The cheats of lab 1 take a minute; here they are sampled.
    verified(&["--except", "lab1-grayscale/cheats/"]);
    verified(&["--only", "lab1-grayscale/cheats/nine_rows"]);
    verified(&["--only", "lab1-grayscale/cheats/honest_events"]);
}

fn verified(files: &[&str]) {
    let shown = shown(&[&["verify", "--engine", "sim"], files].concat());
    assert!(shown.starts_with("exit 0\n") && shown.contains(" 0 not as they should be"), "{shown}");
}
