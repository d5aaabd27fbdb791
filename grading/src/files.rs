//! Files that appear whole or not at all, whenever the process is killed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file that replaces the one of that name at once.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let new = written(path, bytes)?;
    new.persist(path).map_err(|error| error.error)?;
    sync_folder(path)
}

/// Publishes a file once: `false` if there is one of that name already, which stays.
pub fn publish(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    let new = written(path, bytes)?;
    match fs::hard_link(new.path(), path) {
        Ok(()) => sync_folder(path).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
        Err(error) => Err(error),
    }
}

/// Appends one line, and waits until the disk has it.
pub fn append(path: &Path, line: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.write_all(format!("{line}\n").as_bytes())?;
    file.sync_data()
}

/// A file of another name in the same folder, complete on the disk. A kill may leave it there; [`PREFIX`] tells.
fn written(path: &Path, bytes: &[u8]) -> io::Result<tempfile::NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new().prefix(PREFIX).tempfile_in(folder)?;
    file.write_all(bytes)?;
    file.as_file().sync_data()?;
    Ok(file)
}

/// How the names of incomplete files begin.
pub const PREFIX: &str = ".incomplete-";

/// Removes incomplete files that a killed process left in this folder.
pub fn tidy(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(PREFIX) {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

fn sync_folder(path: &Path) -> io::Result<()> {
    File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_published_once_and_replaced_at_will() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a");
        assert!(publish(&path, b"first").expect("written"));
        assert!(!publish(&path, b"second").expect("written"));
        assert_eq!(fs::read(&path).expect("there"), b"first");
        replace(&path, b"third").expect("written");
        assert_eq!(fs::read(&path).expect("there"), b"third");
        fs::write(folder.path().join(".incomplete-x"), b"").expect("written");
        tidy(folder.path()).expect("tidied");
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
