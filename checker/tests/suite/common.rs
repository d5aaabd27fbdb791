//! Running the real binary, and removing machine-dependent text from its output.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The root of the checkout.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the workspace").to_path_buf()
}

/// Of so many parts of a long test, the number from 0 of the one that belongs to the commit at hand: each commit tries another.
/// Without `git` it is the first.
pub fn part(parts: usize) -> usize {
    let commit = Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root()).output();
    let hash = commit.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    let number = hash.and_then(|hash| usize::from_str_radix(hash.get(..8)?, 16).ok());
    number.unwrap_or(0) % parts
}

/// The program with these arguments, without colour, in this folder.
pub fn run(folder: &Path, arguments: &[&str]) -> Output {
    // The search for a small change takes seconds, and has tests of its own: see `repairs`.
    let checks = arguments.first().is_some_and(|lab| lab.starts_with("lab")) && arguments.contains(&"--file");
    let without = checks.then_some("--no-search");
    Command::new(crate::BINARY)
        .args(arguments.iter().chain(without.iter()))
        .current_dir(folder)
        .env("NO_COLOR", "1")
        // No attempt of a test belongs to the history of whoever runs it.
        .env("CI", "1")
        .env("WORKBOOK_DATA", std::env::temp_dir().join("warpbook-without-history"))
        // No GPU even if the machine has one: the output must be the same everywhere.
        .env("CUDA_VISIBLE_DEVICES", "")
        .output()
        .expect("the binary starts")
}

/// Exit code and whole output of the program with these arguments, in the root of the checkout.
pub fn shown(arguments: &[&str]) -> String {
    shown_in(&root(), arguments)
}

/// The same in another folder.
pub fn shown_in(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, arguments);
    let code = output.status.code().map_or_else(|| "none".to_owned(), |code| code.to_string());
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is UTF-8");
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let stderr = without_note(&stderr);
    let is_json = stdout.starts_with('{');
    assert!(
        is_json || stdout.lines().all(|line| line.chars().count() <= 100),
        "wider than 100 columns:\n{stdout}"
    );
    let stdout: String =
        stdout.lines().map(without_compiler).fold(String::new(), |all, line| all + &line + "\n");
    let mut shown = format!("exit {code}\n");
    for (name, text) in [("stdout", stdout), ("stderr", stderr)] {
        if !text.is_empty() {
            shown += &["--- ", name, "\n", &text].concat();
        }
    }
    shown
}

/// A line without the compiler's version.
fn without_compiler(line: &str) -> String {
    if line.starts_with("compiler  ") {
        return "compiler  [its version]".to_owned();
    }
    let part = |part: &str| if part.starts_with("NVRTC") { "[compiler]" } else { part }.to_owned();
    line.split("; ").map(part).collect::<Vec<_>>().join("; ")
}

/// Without the note of a machine that cannot lock the compiler up: its lines, and those indented below the first.
fn without_note(stderr: &str) -> String {
    let mut in_note = false;
    let kept = stderr.lines().filter(|line| {
        in_note = line.starts_with("note: this machine cannot") || (in_note && line.starts_with(' '));
        !in_note
    });
    kept.fold(String::new(), |all, line| all + line + "\n")
}
