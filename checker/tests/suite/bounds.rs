//! Files that ask for more than any machine has: each gets a verdict, with the line, instead of the machine's last byte
//! or minute. And files that only look as if.

use std::path::Path;

use crate::common::{part, root, run};

/// `// <- here` marks the line.
const MARK: &str = "// <- here";

/// Checks one file of `tests/bounds`; says what is wrong with the report.
fn judged(file: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(file).expect("a test file");
    let expected = text.lines().find_map(|line| line.strip_prefix("// expect: ")).expect("an expectation");
    let name = file.display().to_string();
    let output = run(&root(), &["lab1", "--engine", "sim", "--task", "grayscale", "--json", "--file", &name]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("no report ({error}): {}", String::from_utf8_lossy(&output.stderr)))?;
    let findings = report["findings"].as_array().cloned().unwrap_or_default();
    let errors: Vec<_> = findings.iter().filter(|finding| finding["severity"] == "error").collect();
    let code = output.status.code();
    if expected == "passed" {
        let right = code == Some(0) && report["passed"] == true;
        return if right { Ok(()) } else { Err(format!("exit {code:?}, {errors:#?}")) };
    }
    let line = text.lines().position(|line| line.contains(MARK)).map(|index| index as u64 + 1);
    let found = errors
        .iter()
        .any(|error| error["code"] == expected && (line.is_none() || error["line"].as_u64() == line));
    if found && code == Some(1) && errors.len() == 1 {
        return Ok(());
    }
    Err(format!("expected only {expected} in line {line:?}; exit {code:?}, {errors:#?}"))
}

/// Files of which `name` says so, on few threads: each check has threads of its own. Each commit tries half of them.
fn all(belongs: impl Fn(&str) -> bool) {
    let folder = root().join("checker/tests/bounds");
    let entries = std::fs::read_dir(folder).expect("the folder of test files");
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    files.retain(|file| belongs(&file.file_stem().unwrap_or_default().to_string_lossy()));
    let files: Vec<_> = files.into_iter().skip(part(2)).step_by(2).collect();
    assert!(!files.is_empty());
    let wrong: Vec<String> = files
        .iter()
        .filter_map(|file| judged(file).err().map(|error| format!("{}: {error}", file.display())))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn endless(name: &str) -> bool {
    name.starts_with("endless") || name == "many_long_launches" || name == "grid"
}

#[test]
fn every_loop_ends() {
    all(endless);
}

#[test]
fn everything_else_has_a_bound() {
    all(|name| !endless(name));
}
