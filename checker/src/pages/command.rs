//! The command: its options, and what it prints.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use colored::Colorize;

use super::find::{Found, find};
use super::include::expanded;
use super::list::{PAGES, Page};
use super::text::shown;
use crate::output;
use judge::exit::{self, Stop};
use judge::workspace::{Workspace, current_folder};
use judge::wrap::hanging;

/// Show a page of the book: by its name, by the code of a finding, or by a term
#[derive(Debug, Args)]
pub struct Book {
    /// The page, such as `coalescing`, `W0301` or `halo`; without it, a list of all pages
    page: Option<String>,
    /// Show answers and spoilers, too
    #[arg(long, requires = "page")]
    unfold: bool,
    /// Open the page in a browser, with its pictures; this needs a checkout, in which `cargo run -p book -- build` has run
    #[arg(long, requires = "page")]
    open: bool,
}

impl Book {
    /// Prints the page, or the list.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let Some(word) = &self.page else {
            output::text(&list(PAGES.iter()))?;
            return Ok(ExitCode::from(exit::PASSED));
        };
        let in_place = |page: &Page, text| {
            let text = shown(&expanded(page.name, text), self.unfold);
            let folded = text.contains("[folded]");
            let text = if folded { format!("{text}\n`--unfold` shows what is folded.\n") } else { text };
            if text.contains("--solution") && is_student_s() {
                format!("{text}\n{NO_SOLUTIONS}\n")
            } else {
                text
            }
        };
        let (page, text) = match find(word) {
            Found::Whole(page) => (Some(page), in_place(page, page.text)),
            Found::Entry(page, entry) => (Some(page), in_place(page, entry)),
            Found::Term(line) => (PAGES.iter().find(|page| page.name == "glossary"), shown(line, true)),
            Found::Several(pages) => (None, list(pages.into_iter())),
            Found::Nothing => {
                let text = format!("the book has no page `{word}`: `checker book` lists the pages");
                return Err(Stop::Usage(text));
            }
        };
        match page.filter(|_| self.open) {
            Some(page) => open(page)?,
            None => output::text(&text)?,
        }
        Ok(ExitCode::from(exit::PASSED))
    }
}

/// What a page with commands on solutions says in a workbook that has none.
const NO_SOLUTIONS: &str =
    "Your workbook has no solutions: leave `--solution` out of these commands, and they take your own file.";

fn is_student_s() -> bool {
    let workspace = current_folder().and_then(|folder| Workspace::find(&folder));
    workspace.is_ok_and(|workspace| workspace.is_student_s())
}

fn list(pages: impl Iterator<Item = &'static Page>) -> String {
    let mut out = format!("{}\n", "Pages of the book; read one with `checker book PAGE`".bold());
    // The pages of families list those of their codes.
    for page in pages.filter(|page| !page.name.starts_with("findings/W")) {
        let _ = writeln!(out, "{}", hanging(&format!("  {:24} ", page.name), page.title()));
    }
    out
}

/// Opens the HTML of a page.
fn open(page: &Page) -> Result<(), Stop> {
    let path = html(page).filter(|path| path.is_file()).ok_or_else(|| {
        Stop::Usage(
            "there is no HTML of the book here: run `cargo run -p book -- build` in a checkout".into(),
        )
    })?;
    let started = std::process::Command::new("xdg-open").arg(&path).status();
    if started.is_ok_and(|status| status.success()) {
        return Ok(());
    }
    output::text(&format!("open this file in a browser: {}\n", path.display()))
}

fn html(page: &Page) -> Option<PathBuf> {
    let root = Workspace::find(&current_folder().ok()?).ok()?.root().to_path_buf();
    Some(root.join("book/book").join(format!("{}.html", page.name)))
}
