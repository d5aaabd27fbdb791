//! A rung of a ladder, and what the first comment of its file says about it.

use std::path::{Path, PathBuf};

use lab::{Lab, Task};

use crate::exit::Stop;

/// A rung of a ladder.
#[derive(Clone)]
pub struct Rung {
    /// `03` of `03_four_pixels.cu`.
    pub number: String,
    /// The file.
    pub path: PathBuf,
    /// The tasks that the rung is about, in the order of the lab.
    pub tasks: Vec<&'static dyn Task>,
    /// Whether its header says `level: expert`.
    pub expert: bool,
}

impl Rung {
    /// Reads the header of the file at `path`; `None` if its name has no number.
    pub fn read(path: &Path, lab: &dyn Lab) -> Result<Option<Self>, Stop> {
        let Some(number) = number(path) else { return Ok(None) };
        let text = std::fs::read_to_string(path)
            .map_err(|error| Stop::environment(format!("failed to read `{}`: {error}", path.display())))?;
        let tasks = lab::header::tasks(&text, lab)
            .map_err(|why| Stop::environment(format!("failed to read `{}`: {why}", path.display())))?;
        let expert = lab::header::line(&text, "level") == Some("expert");
        Ok(Some(Self { number, path: path.to_path_buf(), tasks, expert }))
    }

    /// Whether the rung defines this task's host function.
    pub fn is_about(&self, task: &dyn Task) -> bool {
        self.tasks.iter().any(|own| own.name() == task.name())
    }

    /// Those of `tasks` that the rung is about.
    pub fn own(&self, tasks: &[&'static dyn Task]) -> Vec<&'static dyn Task> {
        tasks.iter().copied().filter(|task| self.is_about(*task)).collect()
    }

    /// File name without ending: `03_four_pixels`.
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }
}

/// The digits that a file's name begins with, before a `_`.
fn number(path: &Path) -> Option<String> {
    let (number, _) = path.file_name()?.to_str()?.split_once('_')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| number.to_owned())
}
