//! The generated pages: which there are, writing them, and telling which are out of date.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::files::{LABS, entries, file_name};
use crate::{data, findings, ladder, measurements, readme, reports, wrong};

/// A generated page.
#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    /// File, relative to `book/pages/generated/`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Every generated page, made from what the checkout at `root` holds now.
pub fn pages(root: &Path) -> anyhow::Result<Vec<Page>> {
    let data = data::load(&root.join("book/data"))?;
    let mut pages = Vec::new();
    for lab in LABS {
        pages.push(Page { name: format!("{lab}-ladder.md"), text: ladder::page(root, lab, &data)? });
        pages.push(Page { name: format!("{lab}-wrong.md"), text: wrong::page(root, lab)? });
    }
    pages.push(Page { name: "measurements.md".into(), text: measurements::page(&data) });
    pages.push(Page { name: "peers.md".into(), text: measurements::peers(&data) });
    pages.push(Page { name: "scores.md".into(), text: measurements::scores(&data) });
    pages.push(Page { name: "timing-model.md".into(), text: measurements::timing_model(&data) });
    pages.push(Page { name: "reports.md".into(), text: reports::page(root)? });
    pages.push(Page { name: "codes.md".into(), text: findings::index(root)? });
    for page in &mut pages {
        page.text.insert_str(0, "<!-- Made by `cargo run -p book -- generate`. Do not edit. -->\n\n");
    }
    Ok(pages)
}

fn folder(root: &Path) -> PathBuf {
    root.join("book/pages/generated")
}

/// The README as it is now, and with its tables made anew.
fn readme(root: &Path) -> anyhow::Result<(String, String)> {
    readme::texts(root, &data::load(&root.join("book/data"))?)
}

/// Writes the pages that differ from what is there, removes those that are generated no longer, and fills in the
/// tables of the README.
pub fn write(root: &Path) -> anyhow::Result<()> {
    let pages = pages(root)?;
    let folder = folder(root);
    std::fs::create_dir_all(&folder).with_context(|| format!("failed to make `{}`", folder.display()))?;
    for old in entries(&folder)?.iter().filter(|path| !pages.iter().any(|page| page.name == file_name(path)))
    {
        std::fs::remove_file(old).with_context(|| format!("failed to remove `{}`", old.display()))?;
    }
    for page in pages {
        let path = folder.join(&page.name);
        if std::fs::read_to_string(&path).ok().as_ref() != Some(&page.text) {
            std::fs::write(&path, &page.text)
                .with_context(|| format!("failed to write `{}`", path.display()))?;
        }
    }
    let (now, made) = readme(root)?;
    if now != made {
        std::fs::write(root.join("README.md"), made).context("failed to write `README.md`")?;
    }
    Ok(())
}

/// Names of the committed pages that are not what would be generated now, missing and surplus ones too.
pub fn stale(root: &Path) -> anyhow::Result<Vec<String>> {
    let pages = pages(root)?;
    let folder = folder(root);
    let mut stale: Vec<String> = entries(&folder)?
        .iter()
        .map(|path| file_name(path))
        .filter(|name| !pages.iter().any(|page| page.name == *name))
        .collect();
    for page in pages {
        if std::fs::read_to_string(folder.join(&page.name)).ok() != Some(page.text) {
            stale.push(page.name);
        }
    }
    let (now, made) = readme(root)?;
    if now != made {
        stale.push("README.md".to_owned());
    }
    Ok(stale)
}
