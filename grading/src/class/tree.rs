//! Files below one root, in a folder or in an archive: names and sizes first, contents only of files that are wanted.

use super::refusal::Refusal;

/// Most bytes of a submission's text; the checker reads no more either.
pub const MOST_TEXT: u64 = 1 << 20;
/// Most bytes of a student's archive.
pub const MOST_ARCHIVE: u64 = 32 << 20;
/// Most bytes of a whole class in one archive.
pub const MOST_CLASS: u64 = 1 << 30;
/// Most files of a class.
pub const MOST_FILES: usize = 100_000;

/// One file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Folders and name. Never empty, and no part is empty, `.` or `..`.
    pub path: Vec<String>,
    /// Bytes, as the folder or the archive claims.
    pub size: u64,
    /// Why it must not be read, if that is so.
    pub fault: Option<Refusal>,
}

impl Entry {
    /// Its name without folders.
    pub fn name(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }
}

/// A folder or an archive.
pub trait Tree {
    /// Its files, in any order.
    fn entries(&self) -> &[Entry];
    /// The bytes of the file with this index; refused if there are more than `most`.
    fn read(&self, index: usize, most: u64) -> Result<Vec<u8>, Refusal>;
}

/// Files that systems add by themselves.
pub fn is_clutter(path: &[String]) -> bool {
    path.iter().any(|part| {
        part == "__MACOSX"
            || part.starts_with("._")
            || matches!(part.as_str(), ".DS_Store" | "Thumbs.db" | "desktop.ini")
    })
}
