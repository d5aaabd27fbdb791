//! Bad usage: exit code 2, with a message that says what to do.

use crate::common::shown;

#[test]
fn what_does_not_exist_is_bad_usage() {
    let messages = [
        &["verify", "lba1"] as &[&str],
        &["reports", "R7"],
        &["reports", "R0/graysale"],
        &["bnech"],
        &["matrix"],
    ]
    .map(|arguments| format!("workshop {}\n{}", arguments.join(" "), shown(arguments)));
    insta::assert_snapshot!(messages.join("\n"));
}
