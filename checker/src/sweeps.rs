//! The sweeps of a student: which constants `checker tune` has tried, so that a report does not advise it again for the same code. Kept
//! in the user's data folder, beside the history of checks.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::history::History;

/// The name of the file in the folder.
const FILE: &str = "sweeps.txt";
/// Sweeps that are kept, the latest.
const KEPT: usize = 1000;

/// The user's sweeps on one GPU, real or simulated.
#[derive(Debug)]
pub struct Sweeps {
    path: PathBuf,
    gpu: String,
}

impl Sweeps {
    /// Those of this user; `None` if there is no folder for them, or on a machine that tests.
    pub fn of_user(gpu: &str) -> Option<Self> {
        let folder = History::of_user().filter(|_| History::is_wanted())?.path().parent()?.to_path_buf();
        Some(Self { path: folder.join(FILE), gpu: gpu.to_owned() })
    }

    /// The marks of those of this user on this GPU; none without a folder for them.
    pub fn tried(gpu: &str) -> BTreeSet<String> {
        Self::of_user(gpu).map(|sweeps| sweeps.known()).unwrap_or_default()
    }

    /// Their marks: see [`judge::tunable::mark`].
    pub fn known(&self) -> BTreeSet<String> {
        let of_gpu = |line: &String| line.strip_suffix(&self.gpu)?.strip_suffix(' ').map(str::to_owned);
        self.all().iter().filter_map(of_gpu).collect()
    }

    /// Adds marks. Nothing is said if that fails: a sweep must not fail for lack of a folder.
    pub fn keep(&self, marks: impl Iterator<Item = String>) {
        let mut all = self.all();
        for line in marks.map(|mark| format!("{mark} {}", self.gpu)) {
            all.retain(|known| *known != line);
            all.push(line);
        }
        let latest = &all[all.len().saturating_sub(KEPT)..];
        if let Some(folder) = self.path.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = std::fs::write(&self.path, latest.join("\n") + "\n");
    }

    fn all(&self) -> Vec<String> {
        std::fs::read_to_string(&self.path).unwrap_or_default().lines().map(str::to_owned).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_kept_by_gpu() {
        let folder = tempfile::tempdir().expect("a folder");
        let of = |gpu: &str| Sweeps { path: folder.path().join("data").join(FILE), gpu: gpu.to_owned() };
        of("NVIDIA H200").keep(["a", "b", "a"].map(str::to_owned).into_iter());
        of("NVIDIA T4").keep(std::iter::once("c".to_owned()));
        assert_eq!(of("NVIDIA H200").known().into_iter().collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!(of("NVIDIA T4").known().into_iter().collect::<Vec<_>>(), ["c"]);
        assert!(of("NVIDIA T4").all().len() == 3);
    }
}
