//! A lock, so that one process at a time measures on a GPU.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// The lock's file cannot be opened or locked.
#[derive(Debug, thiserror::Error)]
#[error("failed to lock the GPU for a measurement ({}): {source}; set `TMPDIR` to a folder that you may write to", .path.display())]
pub struct LockError {
    path: PathBuf,
    source: std::io::Error,
}

/// Held while a GPU is measured. Released when dropped, or when the process ends.
#[derive(Debug)]
pub struct GpuLock {
    _file: File,
}

impl GpuLock {
    /// Waits until no other process of this machine measures on the GPU with the PCI address `pci`. Calls `waiting` once
    /// if the lock is not free.
    pub fn take(pci: &str, waiting: impl FnOnce()) -> Result<Self, LockError> {
        Self::take_file(&path(&std::env::temp_dir(), pci), waiting)
    }

    fn take_file(path: &Path, waiting: impl FnOnce()) -> Result<Self, LockError> {
        let failed = |source| LockError { path: path.to_path_buf(), source };
        let file = open(path).map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                waiting();
                file.lock().map_err(failed)?;
            }
            Err(TryLockError::Error(error)) => return Err(failed(error)),
        }
        Ok(Self { _file: file })
    }
}

/// Opens the file, and creates it if it does not exist. A file of another user can be locked without write access.
fn open(path: &Path) -> std::io::Result<File> {
    match File::open(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            OpenOptions::new().write(true).create(true).truncate(false).open(path)
        }
        opened => opened,
    }
}

fn path(folder: &Path, pci: &str) -> PathBuf {
    folder.join(format!("warpbook-gpu-{}.lock", pci.replace(':', "-")))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_second_measurement_waits_for_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = path(folder.path(), "00000000:65:00.0");
        let first = GpuLock::take_file(&file, || panic!("nobody else is there")).expect("the lock");
        let (say, hear) = mpsc::channel();
        let second = std::thread::spawn(move || {
            let waiting = say.clone();
            let lock = GpuLock::take_file(&file, move || waiting.send("waits").expect("heard"));
            say.send("has it").expect("heard");
            lock
        });
        assert_eq!(hear.recv(), Ok("waits"));
        assert!(hear.try_recv().is_err());
        drop(first);
        assert_eq!(hear.recv(), Ok("has it"));
        second.join().expect("no panic").expect("the lock");
    }
}
