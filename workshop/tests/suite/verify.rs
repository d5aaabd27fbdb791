//! `workshop verify`, which checks every file of the workbook. Here each commit tries a part of them: all take a quarter of an
//! hour of a small machine.

use crate::common::{part, shown};

#[test]
fn skeletons_fail_rungs_pass_and_wrong_kernels_fail_as_they_say() {
    verified(&["--except", "/cheats/"], 4);
}

#[test]
fn cheats_gain_nothing() {
    verified(&["lab1", "lab2", "lab3", "lab4", "--only", "/cheats/", "--except", "blocks_take_turns"], 24);
}

/// Verifies one of so many parts of these files.
fn verified(files: &[&str], parts: usize) {
    let part = format!("{}/{parts}", part(parts) + 1);
    let shown = shown(&[&["verify", "--engine", "sim", "--part", &part], files].concat());
    assert!(shown.starts_with("exit 0\n") && shown.contains(" 0 not as they should be"), "{shown}");
    assert!(!shown.contains("\n0 files"), "{shown}");
}
