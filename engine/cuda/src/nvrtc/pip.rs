//! Runs pip as a child process, and explains its failure in words that name the next step.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use super::pinned::{BYTES, PACKAGE, REQUIREMENT, SHA256};
use super::types::Progress;

const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Downloads the wheel into `work` and reports the bytes so far to `progress`.
pub(super) fn download(python: &str, work: &Path, progress: &mut dyn FnMut(Progress)) -> Result<(), String> {
    let prepared = || -> io::Result<(PathBuf, File)> {
        fs::create_dir(work.join("tmp"))?;
        let requirements = work.join("requirements.txt");
        fs::write(&requirements, format!("{REQUIREMENT} --hash=sha256:{SHA256}\n"))?;
        Ok((requirements, File::create(work.join("pip.log"))?))
    };
    let (requirements, log) =
        prepared().map_err(|error| format!("failed to write to `{}`: {error}", work.display()))?;
    let errors = log.try_clone().map_err(|error| error.to_string())?;
    // `-I` and the folder: a `pip.py` beside the student's file must not run in pip's place.
    let child = Command::new(python)
        .current_dir(work)
        .args(["-I", "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--require-hashes"])
        .args(["--no-input", "--disable-pip-version-check", "--progress-bar=off"])
        .args(["--retries=2", "--timeout=15"])
        .arg("--dest")
        .arg(work)
        .arg("-r")
        .arg(&requirements)
        // pip downloads into this folder, so its size shows the progress.
        .env("TMPDIR", work.join("tmp"))
        .stdin(Stdio::null())
        .stdout(log)
        .stderr(errors)
        .spawn()
        .map_err(|error| format!("failed to run `{python} -m pip`: {error}"))?;
    let status = watch(Running(child), work, progress)
        .map_err(|error| format!("failed to wait for `{python} -m pip`: {error}"))?;
    if status.success() {
        return Ok(());
    }
    let said = fs::read(work.join("pip.log")).unwrap_or_default();
    Err(explain(&String::from_utf8_lossy(&said), python))
}

/// A child process, killed when this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // Both fail only if the child has already ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Reports the bytes on disk until the child ends.
fn watch(mut child: Running, work: &Path, progress: &mut dyn FnMut(Progress)) -> io::Result<ExitStatus> {
    loop {
        let ended = child.0.try_wait()?;
        let done = size_of(work).min(BYTES);
        progress(Progress::Fetching { package: PACKAGE, bytes: BYTES, done });
        match ended {
            Some(status) => return Ok(status),
            None => std::thread::sleep(LOOK_AGAIN),
        }
    }
}

/// Bytes of the largest file in a folder and its subfolders. The sum would count the wheel twice while pip copies
/// it.
fn size_of(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => size_of(&entry.path()),
        Ok(data) => data.len(),
        Err(_) => 0,
    });
    sizes.max().unwrap_or(0)
}

/// What pip's output means, and what to do.
fn explain(said: &str, python: &str) -> String {
    let says = |words: &[&str]| words.iter().any(|word| said.contains(word));
    if says(&["No module named pip", "No module named 'pip'"]) {
        return format!(
            "`{python}` has no pip; install it (`{python} -m ensurepip`, or your system's package)"
        );
    }
    if says(&["No space left", "Errno 28"]) {
        return "the disk is full; free 400 MB, or set `WORKBOOK_CACHE` to a folder on another disk"
            .to_owned();
    }
    if says(&["DO NOT MATCH THE HASHES"]) {
        return "what the package index sent is not the file that the workbook was tested with (its SHA-256 \
                differs); a mirror or proxy may have altered it: try another network or index"
            .to_owned();
    }
    if says(&["Could not find a version", "No matching distribution", "NewConnectionError", "Max retries"]) {
        return "pip failed to download the package (90 MB, once); is this machine online?".to_owned();
    }
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("it said nothing");
    format!("pip failed: {}", last.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pip_is_explained() {
        // The last line of pip 23.2 in each of these cases.
        for (said, means) in [
            ("/usr/bin/python3: No module named pip", "has no pip"),
            (
                "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
                "400 MB",
            ),
            (
                "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE. If you have",
                "SHA-256",
            ),
            ("ERROR: No matching distribution found for nvidia-cuda-nvrtc-cu12==12.9.86", "online"),
            ("Looking in indexes\nERROR: something new\n\n", "pip failed: ERROR: something new"),
            ("", "pip failed: it said nothing"),
        ] {
            let text = explain(said, "python3");
            assert!(text.contains(means), "{said}: {text}");
        }
    }
}
