//! The file to check.

use std::fs::OpenOptions;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use cuda::text::clean;
use grading::hash;
use lab::{Lab, Task};

use crate::exit::Stop;
use crate::workspace::{self, Chosen, Workspace, current_folder};

/// Size limit in bytes: more than any solution needs, small enough for the compiler.
const MAX_BYTES: u64 = 1 << 20;

/// Longest text in bytes whose own words help to explain a mistake, twice as long as the longest solution. Rules that compare lines with lines
/// would take the time of the check in a longer one.
const READ_BYTES: usize = 1 << 16;

/// The file of a lab to check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The lab's own.
    Own,
    /// This file.
    File(PathBuf),
    /// The rung of the ladder with this number, or the last.
    Solution(Option<String>),
}

impl Source {
    /// The command that checks this file of a lab; `shown` is the file's path in the report.
    pub fn check(&self, lab: &dyn Lab, shown: &str) -> String {
        let lab = lab.name();
        match self {
            Self::Own => format!("checker {lab}"),
            Self::File(_) => format!("checker {lab} --file {shown}"),
            Self::Solution(None) => format!("checker {lab} --solution"),
            Self::Solution(Some(number)) => format!("checker {lab} --solution {number}"),
        }
    }
}

/// A student's file, read once.
#[derive(Debug, Clone)]
pub struct Submission {
    /// Its path as the report shows it.
    pub shown: String,
    /// Its name without folders, as given to the compiler.
    pub name: String,
    /// Its text.
    pub text: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Whether it equals the lab's skeleton.
    pub untouched: bool,
}

impl Submission {
    /// Whether its text is short enough to be read for words on mistakes.
    pub fn is_read(&self) -> bool {
        self.text.len() <= READ_BYTES
    }

    /// The column in this text for one that the compiler gives of the rewritten text, or of another file; 0, none, in a text that is too long to
    /// be read for each finding.
    pub fn column(&self, file: &str, line: u32, column: u32) -> u32 {
        match file == self.name && column > 0 {
            true if self.is_read() => kernels::source_column(&self.text, line, column),
            true => 0,
            false => column,
        }
    }
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
            (vec![file], format!("`checker {name}` without `--file` checks the lab's own file"))
        }
        Source::Own => {
            let workspace = Workspace::find(&here)?;
            let path = workspace.lab_file(lab);
            let advice = format!("restore the skeleton with `{}`", workspace.restore(&path));
            (vec![Chosen { path, tasks: tasks.to_vec() }], advice)
        }
        Source::Solution(number) => {
            let files = Workspace::find(&here)?.solution(lab, number.as_deref(), tasks)?;
            (files, "check that the checkout is whole".into())
        }
    };
    let part = |file: Chosen| {
        let shown = workspace::shown_from(&here, &file.path);
        Ok(Part { submission: read(&file.path, &shown, lab, &if_missing)?, tasks: file.tasks })
    };
    files.into_iter().map(part).collect()
}

/// The first of [`parts`]: one file, and those of `tasks` that it is about.
pub fn of_lab(lab: &dyn Lab, source: &Source, tasks: &[&'static dyn Task]) -> Result<Part, Stop> {
    let missing = || Stop::Usage(format!("{} has no task to judge", lab.name()));
    parts(lab, source, tasks)?.into_iter().next().ok_or_else(missing)
}

/// Reads a file to check. `shown` is its path in the report, `if_missing` the advice if it does not exist.
pub fn read(path: &Path, shown: &str, lab: &dyn Lab, if_missing: &str) -> Result<Submission, Stop> {
    let read = plain(path, shown, if_missing)?;
    Ok(Submission { untouched: read.text == lab.skeleton(), ..read })
}

/// The same for a file that belongs to no lab.
pub fn plain(path: &Path, shown: &str, if_missing: &str) -> Result<Submission, Stop> {
    let shown = clean(shown);
    let failed = |error: io::Error| {
        let missing = error.kind() == io::ErrorKind::NotFound;
        let advice = if missing { if_missing } else { "check that it is a file that you may read" };
        Stop::Usage(format!("failed to read `{shown}`: {error}; {advice}"))
    };
    let bytes = regular(path, MAX_BYTES).map_err(failed)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Stop::Usage(format!(
            "failed to read `{shown}`: it has more than {MAX_BYTES} bytes, which is the most that is allowed"
        )));
    }
    let sha256 = hash::of(&bytes);
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = valid.split(|byte| *byte == b'\n').count();
        Stop::Usage(format!("failed to read `{shown}`: line {line} is not UTF-8; save the file as UTF-8"))
    })?;
    // Some editors begin a file with a mark of byte order.
    let text = text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text);
    let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Ok(Submission { shown, name, text, sha256, untouched: false })
}

/// The first bytes of a regular file, one more than `most`. Anything else, such as a pipe or a device, may never end
/// or may do something when it is read.
pub(crate) fn regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(target_os = "linux")]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut options,
        rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
    );
    let file = options.open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
