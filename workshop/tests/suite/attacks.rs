//! Files that attack the machine: those that take no longer than a test may.

use std::process::Command;

#[test]
fn attacks_get_a_verdict_within_all_limits() {
    for family in ["nesting", "files"] {
        let output = Command::new(crate::BINARY).args(["attacks", family]).output();
        let output = output.expect("the binary starts");
        let table = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success(), "{table}");
        assert!(table.contains(", 0 bytes leaked") && !table.contains("\n0 attacks"), "{table}");
    }
}
