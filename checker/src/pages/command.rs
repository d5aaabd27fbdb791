//! The command: its options, and what it prints.

use std::fmt::Write as _;
use std::io::IsTerminal as _;
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
use judge::labs::all;
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
            Found::Whole(page) => (Some(page.name), in_place(page, page.text)),
            Found::Entry(page, entry) => (Some(page.name), in_place(page, entry)),
            Found::Term(line) => (Some("glossary"), shown(line, true)),
            Found::Lab(pages) => {
                // The lab's own page is its task sheet, which the HTML alone has.
                let lab = pages[0].name.rsplit_once('/').map(|(lab, _)| lab);
                let first = in_place(pages[0], pages[0].text);
                let more = pages_in_lines(pages[1..].iter().copied());
                (lab, format!("{first}\n{}\n{more}", "More pages on this lab".bold()))
            }
            Found::Several(pages) => (None, list(pages.into_iter())),
            Found::Nothing => {
                let text = match all().iter().find(|lab| lab.name() == word.to_lowercase()) {
                    Some(lab) => format!(
                        "the book has no pages on {word} yet: its task sheet is labs/{}/README.md",
                        lab.folder()
                    ),
                    None => format!("the book has no page `{word}`: `checker book` lists the pages"),
                };
                return Err(Stop::Usage(text));
            }
        };
        match page {
            Some(page) if self.open || is_lab(page) && may_open(page) => open(page)?,
            _ => output::text(&text)?,
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
    format!("{}\n{}", "Pages of the book; read one with `checker book PAGE`".bold(), pages_in_lines(pages))
}

fn pages_in_lines(pages: impl Iterator<Item = &'static Page>) -> String {
    let mut out = String::new();
    // The pages of families list those of their codes.
    for page in pages.filter(|page| !page.name.starts_with("findings/W")) {
        let _ = writeln!(out, "{}", hanging(&format!("  {:24} ", page.name), page.title()));
    }
    out
}

/// Commands that open a file in a browser, the first that is there: the user's choice, that of the desktop, and macOS's.
fn browsers() -> impl Iterator<Item = String> {
    let own = std::env::var("BROWSER").ok().filter(|own| !own.is_empty());
    own.into_iter().chain(["xdg-open", "open"].map(str::to_owned))
}

/// Whether a page is that of a lab, whose text is the task sheet.
fn is_lab(page: &str) -> bool {
    page.strip_prefix("labs/").is_some_and(|lab| !lab.contains('/'))
}

/// Whether somebody is there to see the HTML of a page in a browser.
fn may_open(page: &str) -> bool {
    let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let screen = ["BROWSER", "DISPLAY", "WAYLAND_DISPLAY"].iter().any(is_set) || cfg!(target_os = "macos");
    screen && std::io::stdout().is_terminal() && html(page).is_some_and(|path| path.is_file())
}

/// Opens the HTML of a page.
fn open(page: &str) -> Result<(), Stop> {
    let path = html(page).filter(|path| path.is_file()).ok_or_else(|| {
        Stop::Usage(
            "there is no HTML of the book here: run `cargo run -p book -- build` in a checkout".into(),
        )
    })?;
    let opens = |browser: String| {
        std::process::Command::new(browser).arg(&path).status().is_ok_and(|status| status.success())
    };
    if browsers().any(opens) {
        return Ok(());
    }
    output::text(&format!("open this file in a browser: {}\n", path.display()))
}

fn html(page: &str) -> Option<PathBuf> {
    let root = Workspace::find(&current_folder().ok()?).ok()?.root().to_path_buf();
    Some(root.join("book/book").join(format!("{page}.html")))
}
