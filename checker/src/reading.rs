//! `checker book lab2`, `checker book W0307`: the page of the book on a lab, and what the book says of a finding.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use clap::Args;
use colored::Colorize;

use crate::exit::{self, Stop};
use crate::labs;
use crate::output;
use crate::render::hanging;
use crate::workspace::{Workspace, current_folder};

/// The pages of findings: part of the program, as a student's workbook has no book.
const FINDINGS: [&str; 9] = [
    include_str!("../../book/pages/findings/compiling.md"),
    include_str!("../../book/pages/findings/memory.md"),
    include_str!("../../book/pages/findings/initialisation.md"),
    include_str!("../../book/pages/findings/races.md"),
    include_str!("../../book/pages/findings/barriers.md"),
    include_str!("../../book/pages/findings/launches.md"),
    include_str!("../../book/pages/findings/host.md"),
    include_str!("../../book/pages/findings/performance.md"),
    include_str!("../../book/pages/findings/lints.md"),
];

/// Open the book's page on a lab, or print what it says of a finding
#[derive(Debug, Args)]
pub struct Book {
    /// A lab, `lab2`, or the code of a finding, `W0307`
    #[arg(value_name = "LAB|CODE")]
    about: String,
}

impl Book {
    /// Opens or prints.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let code = self.about.to_uppercase();
        let is_code = code
            .strip_prefix('W')
            .is_some_and(|digits| digits.len() == 4 && digits.chars().all(|digit| digit.is_ascii_digit()));
        if is_code {
            let text = entry(&code).ok_or_else(|| {
                Stop::Usage(format!(
                    "there is no finding `{code}`: a report names its findings, such as `W0307`"
                ))
            })?;
            output::text(&text)?;
        } else {
            let lab = labs::find(&self.about)?;
            let workspace = Workspace::find(&current_folder()?)?;
            output::text(&page(&workspace, lab.name(), &PathBuf::from("labs").join(lab.folder())))?;
        }
        Ok(ExitCode::from(exit::PASSED))
    }
}

/// The entry of a finding, wrapped.
fn entry(code: &str) -> Option<String> {
    let heading = format!("## {code}");
    let page = FINDINGS.iter().find(|page| page.lines().any(|line| line == heading))?;
    let lines = page.lines().skip_while(|line| *line != heading).skip(1);
    let mut out = format!("{}\n", code.bold());
    for line in lines.take_while(|line| !line.starts_with("## ")).filter(|line| !line.is_empty()) {
        let plain = line.replace("**", "");
        let text = hanging("", &plain);
        let _ = writeln!(out, "\n{}", if plain == line { text } else { text.bold().to_string() });
    }
    Some(out)
}

/// Opens the page of a lab if it is built and there is a screen; says where it is.
fn page(workspace: &Workspace, lab: &str, folder: &Path) -> String {
    let root = workspace.root();
    let built = root.join(format!("book/book/labs/{lab}.html"));
    let source = root.join(format!("book/pages/labs/{lab}.md"));
    if built.is_file() {
        let opened = if opens(&built) { "opened " } else { "" };
        return format!("{opened}{}\n", built.display());
    }
    if source.is_file() {
        return format!(
            "{}\nto read the book in a browser: `cargo run -p book -- build`, then this command again\n",
            source.display()
        );
    }
    let sheet = root.join(folder).join("README.md");
    format!("{}\nthe book itself is part of a checkout of Warpbook\n", sheet.display())
}

/// Whether a program that shows pages was started.
fn opens(page: &Path) -> bool {
    let screen = ["DISPLAY", "WAYLAND_DISPLAY"].into_iter().any(|name| std::env::var_os(name).is_some());
    let mut program = Command::new("xdg-open");
    program.arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    screen && program.spawn().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book;

    #[test]
    fn every_finding_that_a_report_refers_to_can_be_read() {
        let codes: Vec<&str> = FINDINGS
            .iter()
            .flat_map(|page| page.lines().filter_map(|line| line.strip_prefix("## ")))
            .filter(|heading| heading.starts_with('W'))
            .collect();
        assert!(codes.len() > 50, "{}", codes.len());
        for code in codes {
            let text = entry(code).unwrap_or_default();
            assert!(
                text.lines().count() > 2 && text.lines().all(|line| line.chars().count() <= 110),
                "{text}"
            );
            assert!(book::entry(code).is_some(), "{code}");
        }
        assert_eq!(entry("W99"), None);
    }
}
