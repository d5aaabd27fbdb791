//! The page of commands: the help of the command line itself, so that it is never out of date.

use std::fmt::Write as _;

use checker::cli;

/// The page.
pub fn page() -> String {
    let mut out = "# Commands\n\nThis is what `--help` prints for each command. Most days need four of them: \
                   `checker lab1` checks your file, `checker profile lab1` shows what each line costs, `checker hint lab1` gives \
                   a hint, and `checker try NAME` runs an example of this book. [While you work](../working.md) \
                   describes them one by one.\n\n`cargo install --path checker --locked` installs the command `checker`. \
                   Without it, write `cargo run --release --` in its place.\n"
        .to_owned();
    for (words, help) in cli::helps() {
        let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
        let _ = write!(out, "\n## `{words}`\n\n```text\n{}\n```\n", lines.join("\n").trim_end());
    }
    out
}
