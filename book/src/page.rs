//! A generated file, and a folder that holds such files and no others.

use std::path::Path;

use anyhow::Context as _;

use crate::files::{entries, file_name};

/// A generated page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// Its file in the folder.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Makes these the only files of a folder.
pub fn write_all(folder: &Path, pages: &[Page]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("failed to make `{}`", folder.display()))?;
    for old in entries(folder)?.iter().filter(|path| !pages.iter().any(|page| page.name == file_name(path))) {
        std::fs::remove_file(old).with_context(|| format!("failed to remove `{}`", old.display()))?;
    }
    pages.iter().try_for_each(|page| write_page(folder, page))
}

/// Writes a page if it has changed.
pub fn write_page(folder: &Path, page: &Page) -> anyhow::Result<()> {
    let path = folder.join(&page.name);
    if std::fs::read_to_string(&path).ok().as_ref() != Some(&page.text) {
        std::fs::write(&path, &page.text).with_context(|| format!("failed to write `{}`", path.display()))?;
    }
    Ok(())
}

/// Names of the files of a folder that differ from these pages; missing and surplus ones too.
pub fn stale_in(folder: &Path, pages: Vec<Page>) -> anyhow::Result<Vec<String>> {
    let mut stale: Vec<String> = entries(folder)?
        .iter()
        .map(|path| file_name(path))
        .filter(|name| !pages.iter().any(|page| page.name == *name))
        .collect();
    for page in pages {
        if std::fs::read_to_string(folder.join(&page.name)).ok() != Some(page.text) {
            stale.push(page.name);
        }
    }
    Ok(stale)
}
