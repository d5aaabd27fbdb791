//! The file that is judged.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lab::{Lab, Task};
use sha2::{Digest, Sha256};

use crate::exit::Stop;
use crate::workspace::{self, Chosen, Workspace, current_folder};

/// More than any honest solution needs; the compiler's time grows with it.
const MAX_BYTES: u64 = 1 << 20;

/// Which file of a lab is judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The lab's own.
    Own,
    /// This one.
    File(PathBuf),
    /// The last rung of the ladder, or the one of this number.
    Solution(Option<String>),
}

/// A student's file, read once.
#[derive(Debug, Clone)]
pub struct Submission {
    /// Its path as the report shows it.
    pub shown: String,
    /// Its name without folders: what the compiler is told.
    pub name: String,
    /// Its text.
    pub text: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Whether it equals the lab's skeleton.
    pub untouched: bool,
}

/// A file, and the tasks that it is judged for.
pub struct Part {
    /// The file.
    pub submission: Submission,
    /// Its tasks.
    pub tasks: Vec<&'static dyn Task>,
}

/// Reads the files that `source` names: a student's file has all tasks, a solution may have them in several rungs. The
/// first part is of the named file, if that has one of the tasks.
pub fn parts(lab: &dyn Lab, source: &Source, tasks: &[&'static dyn Task]) -> Result<Vec<Part>, Stop> {
    let here = current_folder()?;
    let name = lab.name();
    let (files, if_missing) = match source {
        Source::File(path) => {
            let file = Chosen { path: path.clone(), tasks: tasks.to_vec() };
            (vec![file], format!("`checker {name}` without `--file` judges the lab's own file"))
        }
        Source::Own => {
            let path = Workspace::find(&here)?.lab_file(lab);
            let advice =
                format!("`git checkout {}` brings the skeleton back", workspace::shown_from(&here, &path));
            (vec![Chosen { path, tasks: tasks.to_vec() }], advice)
        }
        Source::Solution(number) => {
            let files = Workspace::find(&here)?.solution(lab, number.as_deref(), tasks)?;
            (files, "check that the checkout is whole".into())
        }
    };
    let part = |file: Chosen| {
        let shown = workspace::shown_from(&here, &file.path);
        Ok(Part { submission: read(&file.path, shown, lab, &if_missing)?, tasks: file.tasks })
    };
    files.into_iter().map(part).collect()
}

/// The first of [`parts`]: one file, and those of `tasks` that it is about.
pub fn of_lab(lab: &dyn Lab, source: &Source, tasks: &[&'static dyn Task]) -> Result<Part, Stop> {
    let missing = || Stop::Usage(format!("{} has no task to judge", lab.name()));
    parts(lab, source, tasks)?.into_iter().next().ok_or_else(missing)
}

/// Reads a file to judge. `shown` is its path as the report names it, `if_missing` what to do if there is none.
pub fn read(path: &Path, shown: String, lab: &dyn Lab, if_missing: &str) -> Result<Submission, Stop> {
    let failed = |error: std::io::Error| {
        let missing = error.kind() == std::io::ErrorKind::NotFound;
        let advice = if missing { if_missing } else { "check that it is a file you may read" };
        Stop::Usage(format!("failed to read `{shown}`: {error}; {advice}"))
    };
    let size = std::fs::metadata(path).map_err(failed)?.len();
    if size > MAX_BYTES {
        return Err(Stop::Usage(format!("failed to read `{shown}`: {size} bytes, more than {MAX_BYTES}")));
    }
    let bytes = std::fs::read(path).map_err(failed)?;
    let sha256 = hexadecimal(&Sha256::digest(&bytes));
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|byte| *byte == b'\n').count();
        Stop::Usage(format!("failed to read `{shown}`: line {line} is not UTF-8; save the file as UTF-8"))
    })?;
    let name =
        path.file_name().map_or_else(|| lab.file().to_owned(), |name| name.to_string_lossy().into_owned());
    let untouched = text == lab.skeleton();
    Ok(Submission { shown, name, text, sha256, untouched })
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
