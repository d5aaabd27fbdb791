//! The hand-written entries of findings, and the index of them.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::bail;

use crate::codes::is_code;
use crate::files::{entries, file_name, read};

/// An entry: `## W0101`, an empty line, a line in bold.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// `W0101`
    pub code: String,
    /// Its page: `memory.md`.
    pub page: String,
    /// Its title.
    pub title: String,
}

/// All entries, by code.
pub fn entries_of(root: &Path) -> anyhow::Result<Vec<Entry>> {
    let mut found: Vec<Entry> = Vec::new();
    for path in entries(&root.join("book/pages/findings"))? {
        let page = file_name(&path);
        let text = read(&path)?;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let Some(code) = line.strip_prefix("## ").filter(|code| is_code(code)) else { continue };
            let title = lines.by_ref().find(|line| !line.is_empty()).unwrap_or_default();
            let Some(title) = title.strip_prefix("**").and_then(|title| title.strip_suffix("**")) else {
                bail!("`{page}`: below `## {code}` stands no line in bold that says what it is");
            };
            if found.iter().any(|entry| entry.code == code) {
                bail!("`{code}` has two entries");
            }
            found.push(Entry { code: code.to_owned(), page: page.clone(), title: title.to_owned() });
        }
    }
    found.sort_by(|a, b| a.code.cmp(&b.code));
    Ok(found)
}

/// The index, for inclusion in the page of findings.
pub fn index(root: &Path) -> anyhow::Result<String> {
    let mut out = String::new();
    for Entry { code, page, title } in entries_of(root)? {
        let _ = writeln!(out, "- [{code}]({page}#{}) {title}", code.to_lowercase());
    }
    Ok(out)
}
