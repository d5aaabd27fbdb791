//! A file that is read again and again.

use std::path::{Path, PathBuf};

/// The contents of a file as they were last seen, and whether they have settled.
pub(super) struct Watched {
    path: PathBuf,
    /// Contents that were announced.
    known: Option<Vec<u8>>,
    /// Contents that were seen once: an editor may still be writing.
    seen: Option<Vec<u8>>,
}

impl Watched {
    /// A file whose present contents are known.
    pub fn new(path: &Path) -> Self {
        let known = std::fs::read(path).ok();
        Self { path: path.to_path_buf(), known, seen: None }
    }

    /// Whether the file has new contents that were the same twice. A file that is missing is being replaced.
    pub fn changed(&mut self) -> bool {
        let Ok(now) = std::fs::read(&self.path) else { return false };
        if self.known.as_ref() == Some(&now) {
            self.seen = None;
            return false;
        }
        if self.seen.as_ref() == Some(&now) {
            (self.known, self.seen) = (Some(now), None);
            return true;
        }
        self.seen = Some(now);
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_counts_when_it_has_settled() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.cu");
        let write = |text: &str| std::fs::write(&path, text).expect("a file");
        write("one");
        let mut watched = Watched::new(&path);
        assert!(!watched.changed());
        write("tw");
        assert!(!watched.changed());
        write("two");
        assert!(!watched.changed());
        assert!(watched.changed());
        assert!(!watched.changed());
        // An editor that replaces the file.
        std::fs::remove_file(&path).expect("it is there");
        assert!(!watched.changed());
        write("two");
        assert!(!watched.changed() && !watched.changed());
    }
}
