//! `workshop verify`.

use crate::common::shown;

#[test]
fn skeletons_fail_rungs_pass_and_wrong_kernels_fail_as_they_say() {
    let shown = shown(&["verify", "--engine", "sim"]);
    assert!(shown.starts_with("exit 0\n") && shown.contains(" 0 not as they should be"), "{shown}");
}
