//! The files of the checkout.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// Names of the labs that part two leads through rung by rung, with pictures of all their data.
pub const LABS: [&str; 5] = ["lab1", "lab2", "lab3", "lab4", "lab5"];

/// Names of the labs that the book has chapters for, in their order. One whose folder is missing gets pages that say so.
pub fn labs(root: &Path) -> anyhow::Result<Vec<String>> {
    let pages = entries(&root.join("book/pages/labs"))?;
    let mut numbers: Vec<u32> = pages
        .iter()
        .filter_map(|page| file_name(page).strip_prefix("lab")?.strip_suffix(".md")?.parse().ok())
        .collect();
    numbers.sort_unstable();
    Ok(numbers.into_iter().map(|number| format!("lab{number}")).collect())
}

/// The folder of a lab under `parent` (`labs` or `solutions`), if this checkout has it.
pub fn lab_folder(root: &Path, parent: &str, lab: &str) -> anyhow::Result<Option<PathBuf>> {
    let prefix = format!("{lab}-");
    let folders = entries(&root.join(parent))?;
    Ok(folders.into_iter().find(|path| path.is_dir() && file_name(path).starts_with(&prefix)))
}

/// Whether a file is a rung: `04_four_pixels.cu`.
pub fn is_rung(path: &Path) -> bool {
    has_ending(path, "cu")
        && file_name(path).split('_').next().is_some_and(|number| number.parse::<u32>().is_ok())
}

/// The entries of a folder, sorted by name; none if there is no such folder.
pub fn entries(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let failed = || format!("failed to list `{}`", folder.display());
    let listed = std::fs::read_dir(folder).with_context(failed)?;
    let mut paths = listed.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// The last part of a path.
pub fn file_name(path: &Path) -> String {
    path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Whether a path ends in `.cu`, given `cu`.
pub fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|known| known == ending)
}

/// A whole text file.
pub fn read(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("failed to read `{}`", path.display()))
}
