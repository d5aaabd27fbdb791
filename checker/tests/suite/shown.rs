//! The commands that the pages show in blocks of their own: each is run, in a copy of the checkout, and ends as the page says.
//!
//! A comment in the page above a block names what is different: `<!-- not run, REASON: COMMAND -->` for a command that no
//! test can run, `<!-- ends with 1: COMMAND -->` for another exit code than 0. `COMMAND` is the beginning of the command.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::root;

/// As many commands are not run. Each has its reason in its page; one more is a decision, not an accident.
const NOT_RUN: usize = 19;

/// A command of a page.
#[derive(Debug)]
struct Shown {
    page: String,
    command: String,
    /// Why it is not run.
    not_run: Option<String>,
    ends_with: i32,
}

/// What the comments above a block say: the words before the colon, and the beginning of the command.
fn marks(lines: &[&str]) -> Vec<(String, String)> {
    let above = lines.iter().rev().map(|line| line.trim()).skip_while(|line| line.is_empty());
    let comments = above.map_while(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->"));
    comments
        .filter_map(|comment| comment.split_once(": "))
        .map(|(what, command)| (what.to_owned(), command.to_owned()))
        .collect()
}

/// The commands in the blocks `console` and `sh` of a page.
fn commands(page: &str, text: &str) -> Vec<Shown> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let language = lines[at].trim().strip_prefix("```");
        at += 1;
        let Some(language) = language.filter(|language| !language.is_empty()) else { continue };
        let marks = marks(&lines[..at - 1]);
        let end = at + lines[at..].iter().position(|line| line.trim() == "```").expect("the block ends");
        let block = lines[at..end].join("\n").replace("\\\n", " ");
        at = end + 1;
        if !["console", "sh"].contains(&language) {
            continue;
        }
        let mut used = BTreeSet::new();
        for line in block.lines() {
            let line = line.trim().trim_start_matches("$ ");
            let command = line.split(" # ").next().unwrap_or_default().trim().to_owned();
            let own = marks.iter().filter(|(_, start)| command.starts_with(start)).inspect(|mark| {
                used.insert(&mark.1);
            });
            // The file of a task sheet still has its gaps.
            let ends_with = i32::from(page.starts_with("labs/lab"));
            let mut shown =
                Shown { page: page.to_owned(), command: command.clone(), not_run: None, ends_with };
            for (what, _) in own {
                match (what.strip_prefix("not run, "), what.strip_prefix("ends with ")) {
                    (Some(reason), _) => shown.not_run = Some(reason.to_owned()),
                    (_, Some(code)) => shown.ends_with = code.parse().expect("an exit code"),
                    _ => panic!("{page}: `{what}` is not a mark of a command"),
                }
            }
            found.push(shown);
        }
        let unused: Vec<_> = marks.iter().filter(|mark| !used.contains(&mark.1)).collect();
        assert!(unused.is_empty(), "{page}: no command below begins so: {unused:?}");
    }
    found
}

/// The pages that a person wrote: of the book, the README, and the task sheets.
fn pages() -> Vec<PathBuf> {
    let mut found = vec![root().join("README.md")];
    let mut folders = vec![root().join("book/pages"), root().join("labs")];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        for path in entries {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            // Nobody has the lab that `new-lab` copies.
            if path.is_dir() && name != "generated" && name != "lab0-negative" {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A folder like the checkout, in which commands may write, with the program on the path.
fn checkout() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    // `new-lab` writes into these two.
    let own = ["labs", "solutions"].map(|name| root().join(name));
    let copied = Command::new("cp").arg("-r").args(own).arg(folder.path()).status();
    assert!(copied.expect("cp starts").success());
    fs::copy(root().join("Cargo.toml"), folder.path().join("Cargo.toml")).expect("copied");
    for same in ["book", "kernels", "checker", "engine", "README.md"] {
        symlink(root().join(same), folder.path().join(same)).expect("linked");
    }
    let programs = folder.path().join("programs");
    fs::create_dir(&programs).expect("made");
    symlink(crate::BINARY, programs.join("checker")).expect("linked");
    // A class of one, for the page about grading: its files are named there.
    let class = folder.path().join("class");
    fs::create_dir(&class).expect("made");
    fs::copy(root().join("labs/lab2-histogram/histogram.cu"), class.join("ada.cu")).expect("copied");
    fs::write(folder.path().join("class.csv"), "id,name\nada,Ada\n").expect("written");
    let gradebook =
        "Student,ID,SIS User ID,SIS Login ID,Section,Lab 2 (1)\nPoints Possible,,,,,100\nAda,1,ada,ada,a,\n";
    fs::write(folder.path().join("gradebook.csv"), gradebook).expect("written");
    let zipped = Command::new("python3")
        .args(["-m", "zipfile", "-c", "submissions.zip", "class/ada.cu"])
        .current_dir(folder.path())
        .status();
    assert!(zipped.expect("Python is there").success());
    folder
}

/// What is wrong with how a command ends; `None` if nothing.
fn offence(shown: &Shown, folder: &Path) -> Option<String> {
    // Not every machine can lock a compiler up, and a program that is built needs no `cargo run`.
    let command = shown.command.replace("cargo run --release -- ", "checker ");
    let command = match command.split_once(".zip --lab ") {
        Some((start, rest)) if start.starts_with("checker grade ") => {
            format!("{start}.zip --unsandboxed --lab {rest}")
        }
        _ => command,
    };
    let path = format!("{}:{}", folder.join("programs").display(), std::env::var("PATH").unwrap_or_default());
    let output = Command::new("bash")
        .args(["-euo", "pipefail", "-c", &command])
        .current_dir(folder)
        .env("PATH", path)
        .env("NO_COLOR", "1")
        .env("CI", "1")
        .env("WORKBOOK_DATA", folder.join("data"))
        .env("CUDA_VISIBLE_DEVICES", "")
        .output()
        .expect("bash starts");
    (output.status.code() != Some(shown.ends_with)).then(|| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        format!(
            "{}: `{command}` ended with {:?} instead of {}\n{}{}",
            shown.page,
            output.status.code(),
            shown.ends_with,
            text(&output.stdout),
            text(&output.stderr)
        )
    })
}

#[test]
fn every_command_in_a_block_of_a_page_runs_and_ends_as_the_page_says() {
    let shown: Vec<Vec<Shown>> = pages()
        .iter()
        .map(|page| {
            let name = page.strip_prefix(root()).expect("below").display().to_string();
            commands(&name, &fs::read_to_string(page).expect("a page"))
        })
        .collect();
    let all = || shown.iter().flatten();
    let not_run: Vec<_> = all().filter(|one| one.not_run.is_some()).collect();
    assert_eq!(not_run.len(), NOT_RUN, "{not_run:#?}");
    let folder = checkout();
    let mut done = BTreeSet::new();
    let mut offences = Vec::new();
    // In the order of the pages: one command may use what another wrote. The same command once.
    for one in all().filter(|one| one.not_run.is_none()) {
        if done.insert((&one.command, one.ends_with)) {
            offences.extend(offence(one, folder.path()));
        }
    }
    assert!(done.len() >= 20, "only {} commands: {done:?}", done.len());
    assert!(offences.is_empty(), "{}", offences.join("\n\n"));
}

#[test]
fn marks_belong_to_the_command_that_they_name() {
    let page = "<!-- not run, minutes: cargo test -->\n<!-- ends with 1: checker lab1 -->\n\n```console\n$ cargo test  # all\n$ checker \
                lab1 \\\n    --json\n```\n";
    let shown = commands("p", page);
    assert_eq!(shown.len(), 2, "{shown:?}");
    assert_eq!((shown[0].not_run.as_deref(), shown[0].command.as_str()), (Some("minutes"), "cargo test"));
    assert_eq!((shown[1].ends_with, shown[1].command.split_whitespace().count()), (1, 3));
}
