//! The hand-written pages of findings, one per code, and the lists of them.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context as _, bail};

use crate::codes::is_code;
use crate::files::{entries, file_name, read};
use crate::page::Page;

/// The parts of a page, in their order.
pub const PARTS: [&str; 3] = ["## Why", "## Example", "## Mend"];

/// A page: `W0101.md`, with the heading `# W0101: what happened`.
#[derive(Debug, PartialEq, Eq)]
pub struct Entry {
    /// `W0101`
    pub code: String,
    /// Its title.
    pub title: String,
    /// Its text.
    pub text: String,
}

/// All pages, by code.
pub fn entries_of(root: &Path) -> anyhow::Result<Vec<Entry>> {
    let mut found: Vec<Entry> = Vec::new();
    for path in entries(&root.join("book/pages/findings"))? {
        let name = file_name(&path);
        let Some(code) = name.strip_suffix(".md").filter(|code| is_code(code)) else { continue };
        let text = read(&path)?;
        let heading = text.lines().next().unwrap_or_default();
        let title = heading.strip_prefix(&format!("# {code}: "));
        let title =
            title.with_context(|| format!("`{name}` does not begin with `# {code}: what happened`"))?;
        let parts: Vec<&str> = text.lines().filter(|line| line.starts_with("## ")).collect();
        if parts != PARTS {
            bail!("`{name}` has the parts {parts:?}, not {PARTS:?}");
        }
        found.push(Entry { code: code.to_owned(), title: title.to_owned(), text });
    }
    Ok(found)
}

/// The list of all codes, and one per family: `codes.md`, `codes-W01.md`, and so on.
pub fn lists(root: &Path) -> anyhow::Result<Vec<Page>> {
    let mut lists: Vec<Page> = vec![Page { name: "codes.md".to_owned(), text: String::new() }];
    for Entry { code, title, .. } in entries_of(root)? {
        let line = format!("- [{code}]({code}.md) {title}\n");
        let name = format!("codes-{}.md", &code[..3]);
        let _ = write!(lists[0].text, "{line}");
        match lists.iter_mut().find(|list| list.name == name) {
            Some(list) => list.text += &line,
            None => lists.push(Page { name, text: line }),
        }
    }
    Ok(lists)
}
