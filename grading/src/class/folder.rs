//! The files below a folder. Links are seen, and never followed.

use std::fs::{self, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cuda::text::short;

use super::refusal::Refusal;
use super::tree::{Entry, MOST_FILES, Tree, is_clutter};
use crate::Error;

/// Folders in folders.
const DEEPEST: usize = 16;

/// A folder.
pub struct Folder {
    entries: Vec<Entry>,
    paths: Vec<PathBuf>,
}

impl Folder {
    /// Lists the files below this folder.
    pub fn open(root: &Path) -> Result<Self, Error> {
        let mut all = Self { entries: Vec::new(), paths: Vec::new() };
        all.add(root, &mut Vec::new())
            .map_err(|error| Error::Usage(format!("failed to read `{}`: {error}", root.display())))?;
        Ok(all)
    }

    /// One file alone.
    pub fn of_file(path: &Path) -> Result<Self, Error> {
        let mut all = Self { entries: Vec::new(), paths: Vec::new() };
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        all.entry(path, &[name])
            .map_err(|error| Error::Usage(format!("failed to read `{}`: {error}", path.display())))?;
        Ok(all)
    }

    fn add(&mut self, folder: &Path, above: &mut Vec<String>) -> io::Result<()> {
        let mut empty = true;
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            empty = false;
            above.push(entry.file_name().to_string_lossy().into_owned());
            if entry.file_type()?.is_dir() && above.len() < DEEPEST {
                self.add(&entry.path(), above)?;
            } else if !is_clutter(above) {
                self.entry(&entry.path(), above)?;
            }
            above.pop();
            if self.entries.len() > MOST_FILES {
                return Err(io::Error::other(format!("it holds more than {MOST_FILES} files")));
            }
        }
        // A student's empty folder is a submission too.
        if empty && !above.is_empty() {
            let path = above.iter().cloned().chain(["(empty folder)".to_owned()]).collect();
            self.entries.push(Entry { path, size: 0, fault: Some(Refusal::NoFile) });
            self.paths.push(folder.to_path_buf());
        }
        Ok(())
    }

    fn entry(&mut self, path: &Path, parts: &[String]) -> io::Result<()> {
        let about = fs::symlink_metadata(path)?;
        let name = || short(&parts.join("/"));
        let fault = if about.is_symlink() {
            Some(Refusal::Link(name()))
        } else {
            (!about.is_file()).then(|| Refusal::Special(name()))
        };
        self.entries.push(Entry { path: parts.to_vec(), size: about.len(), fault });
        self.paths.push(path.to_path_buf());
        Ok(())
    }
}

impl Tree for Folder {
    fn entries(&self) -> &[Entry] {
        &self.entries
    }

    fn read(&self, index: usize, most: u64) -> Result<Vec<u8>, Refusal> {
        let entry = &self.entries[index];
        if let Some(fault) = &entry.fault {
            return Err(fault.clone());
        }
        let name = || short(entry.name());
        let failed = |error: io::Error| Refusal::Unreadable { name: name(), why: error.to_string() };
        let mut bytes = Vec::new();
        opened(&self.paths[index])
            .and_then(|file| file.take(most + 1).read_to_end(&mut bytes))
            .map_err(failed)?;
        if bytes.len() as u64 > most { Err(Refusal::TooLarge { name: name(), most }) } else { Ok(bytes) }
    }
}

/// Opens a regular file, and nothing that has taken its place meanwhile.
fn opened(path: &Path) -> io::Result<fs::File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        (rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOFOLLOW).bits().cast_signed(),
    );
    let file = options.open(path)?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(io::Error::other("it is not a regular file")) }
}
