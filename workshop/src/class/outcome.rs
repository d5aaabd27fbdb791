//! What a grading leaves behind, and whether two leave the same.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Files that tell of the run and not of the class: the order of a journal is that in which checks end.
const OF_THE_RUN: [&str; 3] = ["provenance.json", "checks/journal.jsonl", "checks/lock"];

/// All other files below a folder.
pub fn files(below: &Path) -> io::Result<BTreeMap<PathBuf, Vec<u8>>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![below.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.strip_prefix(below).unwrap_or(&path).to_path_buf();
            if path.is_dir() {
                folders.push(path);
            } else if !OF_THE_RUN.iter().any(|own| Path::new(own) == name) {
                found.insert(name, fs::read(&path)?);
            }
        }
    }
    Ok(found)
}
