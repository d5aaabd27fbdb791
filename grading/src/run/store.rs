//! The results of checks on the disk: each appears once and whole, and a journal says which are complete.
//!
//! The order is: the file under another name, flushed; a hard link under its own; a line in the journal, flushed. So a kill
//! between any two steps loses no more than the check at hand, and a result without its line is found by its key.

use std::collections::HashMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::unit::{Checked, Stored, Unit};
use crate::{Error, files, hash};

/// One line.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    unit: String,
    key: String,
    /// SHA-256 of the result's file.
    sha256: String,
}

/// The results in one folder. Only one process may have its journal; others may publish beside it.
pub struct Store {
    out: PathBuf,
    folder: PathBuf,
    journal: Option<Journal>,
}

struct Journal {
    /// SHA-256 of complete results, by unit and key.
    known: HashMap<(String, String), String>,
    _lock: File,
}

const JOURNAL: &str = "journal.jsonl";

impl Store {
    /// Opens or makes the folder, and reads the journal.
    pub fn open(out: &Path) -> Result<Self, Error> {
        let folder = out.join("checks");
        fs::create_dir_all(&folder).map_err(|error| Error::at("make the folder", &folder, &error))?;
        let lock = folder.join("lock");
        let file = File::create(&lock).map_err(|error| Error::at("open", &lock, &error))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Error::Usage(format!(
                    "another `checker grade` is writing to `{}`: wait for it",
                    out.display()
                )));
            }
            Err(TryLockError::Error(error)) => return Err(Error::at("lock", &lock, &error)),
        }
        files::tidy(&folder).map_err(|error| Error::at("tidy", &folder, &error))?;
        let path = folder.join(JOURNAL);
        let journal = read(&path).map_err(|error| Error::at("read", &path, &error))?;
        let journal = Some(Journal { known: journal, _lock: file });
        Ok(Self { out: out.to_path_buf(), folder, journal })
    }

    /// The results in a folder whose journal another process has: that one finds what this one publishes.
    pub fn beside(out: &Path) -> Self {
        Self { out: out.to_path_buf(), folder: out.join("checks"), journal: None }
    }

    /// The folder that it was opened in.
    pub fn out(&self) -> &Path {
        &self.out
    }

    /// Whether nothing has been checked yet.
    pub fn is_empty(&self) -> bool {
        self.journal.as_ref().is_none_or(|journal| journal.known.is_empty())
    }

    /// The complete result of this unit, if there is one. A file that the journal does not know, or knows otherwise, counts
    /// only if it is whole and has the key.
    pub fn find(&mut self, unit: &Unit) -> Result<Option<Checked>, Error> {
        let path = self.folder.join(unit.file());
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Error::at("read", &path, &error)),
        };
        let stored = serde_json::from_slice::<Stored>(&bytes).ok().filter(|stored| stored.key == unit.key);
        let Some(stored) = stored else {
            // Damaged since: it makes room for a new one.
            fs::remove_file(&path).map_err(|error| Error::at("remove", &path, &error))?;
            return Ok(None);
        };
        self.note(unit, &bytes)?;
        Ok(Some(stored.checked))
    }

    /// Publishes a result, unless there is one.
    pub fn publish(&mut self, unit: &Unit, checked: &Checked) -> Result<(), Error> {
        let bytes = Self::bytes(unit, checked)?;
        let path = self.folder.join(unit.file());
        if files::publish(&path, &bytes).map_err(|error| Error::at("write", &path, &error))? {
            self.note(unit, &bytes)?;
        }
        Ok(())
    }

    /// Replaces a result, for an appeal.
    pub fn replace(&mut self, unit: &Unit, checked: &Checked) -> Result<(), Error> {
        let bytes = Self::bytes(unit, checked)?;
        let path = self.folder.join(unit.file());
        files::replace(&path, &bytes).map_err(|error| Error::at("write", &path, &error))?;
        self.note(unit, &bytes)
    }

    fn bytes(unit: &Unit, checked: &Checked) -> Result<Vec<u8>, Error> {
        let stored = Stored { key: unit.key.clone(), checked: checked.clone() };
        let mut bytes = serde_json::to_vec_pretty(&stored)
            .map_err(|error| Error::Environment(format!("failed to write a result as JSON: {error}")))?;
        bytes.push(b'\n');
        Ok(bytes)
    }

    /// Adds a line to the journal, unless it is there.
    fn note(&mut self, unit: &Unit, bytes: &[u8]) -> Result<(), Error> {
        let Some(journal) = &mut self.journal else { return Ok(()) };
        let sha256 = hash::of(bytes);
        let at = (unit.name(), unit.key.clone());
        if journal.known.get(&at) == Some(&sha256) {
            return Ok(());
        }
        let line = Line { unit: at.0.clone(), key: at.1.clone(), sha256: sha256.clone() };
        let path = self.folder.join(JOURNAL);
        let text = serde_json::to_string(&line).map_err(|error| Error::Environment(error.to_string()))?;
        files::append(&path, &text).map_err(|error| Error::at("write", &path, &error))?;
        journal.known.insert(at, sha256);
        Ok(())
    }
}

/// Reads a journal. A line that was cut off gets an end, so that the next one stands alone.
fn read(path: &Path) -> io::Result<HashMap<(String, String), String>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(HashMap::new()),
        Err(error) => return Err(error),
    };
    if bytes.last().is_some_and(|last| *last != b'\n') {
        files::append(path, "")?;
    }
    let lines =
        bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Line>(line).ok());
    Ok(lines.map(|line| ((line.unit, line.key), line.sha256)).collect())
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;
    use crate::run::Engine;

    fn unit() -> Unit {
        Unit::new("ada", Engine::Sim, b"text", &["v1"])
    }

    #[test]
    fn a_result_is_found_again_and_published_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (Checked::Report(json!({"score": 1.5})), Checked::Refused("no".into()));
        let mut store = Store::open(folder.path()).expect("a store");
        assert!(Store::open(folder.path()).is_err_and(|error| error.to_string().contains("another")));
        assert_eq!(store.find(&unit()), Ok(None));
        store.publish(&unit(), &first).expect("published");
        store.publish(&unit(), &second).expect("ignored");
        drop(store);
        let mut store = Store::open(folder.path()).expect("a store");
        assert_eq!(store.find(&unit()), Ok(Some(first)));
        assert_eq!(store.find(&Unit::new("ada", Engine::Sim, b"other", &["v1"])), Ok(None));
        store.replace(&unit(), &second).expect("replaced");
        assert_eq!(store.find(&unit()), Ok(Some(second)));
    }

    #[test]
    fn a_torn_journal_and_a_damaged_result_do_no_harm() {
        let folder = tempfile::tempdir().expect("a folder");
        let checked = Checked::Report(json!({}));
        Store::open(folder.path()).expect("a store").publish(&unit(), &checked).expect("published");
        let journal = folder.path().join("checks/journal.jsonl");
        let whole = fs::read(&journal).expect("there");
        fs::write(&journal, &whole[..whole.len() / 2]).expect("torn");
        let mut store = Store::open(folder.path()).expect("a store");
        assert_eq!(store.find(&unit()), Ok(Some(checked)), "the file is whole, only its line is not");
        drop(store);
        let kept = read(&journal).expect("read");
        assert_eq!(kept.len(), 1, "the line was written again, on a line of its own");
        let path = folder.path().join("checks").join(unit().file());
        fs::write(&path, "{\"key\": ").expect("damaged");
        assert_eq!(Store::open(folder.path()).expect("a store").find(&unit()), Ok(None));
    }
}
