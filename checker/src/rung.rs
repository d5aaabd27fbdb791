//! A rung of a ladder, and what the first comment of its file says about it.

use std::path::{Path, PathBuf};

use lab::{Lab, Task};

use crate::exit::Stop;
use crate::labs;

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
        let tasks = tasks(&text, lab)
            .map_err(|why| Stop::environment(format!("failed to read `{}`: {why}", path.display())))?;
        let expert = header_line(&text, "level") == Some("expert");
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

/// What stands behind `// NAME: ` in the comment that a file begins with.
fn header_line<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut lines = text.lines().map_while(|line| line.strip_prefix("//"));
    lines.find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':')).map(str::trim)
}

/// The tasks of the line `// tasks: smooth_box, smooth_triangular`; without such a line all tasks of the lab.
fn tasks(text: &str, lab: &dyn Lab) -> Result<Vec<&'static dyn Task>, String> {
    let Some(line) = header_line(text, "tasks") else { return Ok(lab.tasks().to_vec()) };
    let names: Vec<&str> = line.split(',').map(str::trim).collect();
    let all: Vec<&str> = lab.tasks().iter().map(|task| task.name()).collect();
    if let Some(unknown) = names.iter().find(|name| !all.contains(name)) {
        let known = labs::quoted(&all);
        return Err(format!("unknown task `{unknown}` in its line `tasks:`; {} has {known}", lab.name()));
    }
    Ok(lab.tasks().iter().copied().filter(|task| names.contains(&task.name())).collect())
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn of(text: &str) -> Result<Vec<&'static str>, String> {
        let lab = labs::find("lab4").expect("lab4");
        tasks(text, lab).map(|tasks| tasks.iter().map(|task| task.name()).collect())
    }

    #[test]
    fn a_rung_is_about_the_tasks_that_its_header_names_or_about_all() {
        let all = vec!["smooth_box", "smooth_triangular", "filter_rgb"];
        assert_eq!(of("// Rung 1: x.\n#include <a>\n// tasks: filter_rgb\n"), Ok(all));
        let two = "// Rung 1: x.\n//\n// tasks: filter_rgb, smooth_box\n//\n// Before:   a\n";
        assert_eq!(of(two), Ok(vec!["smooth_box", "filter_rgb"]));
    }

    #[test]
    fn a_task_that_the_lab_has_not_is_an_error_that_names_those_it_has() {
        let error = of("// tasks: smooth_box, smooth\n").expect_err("there is no such task");
        assert!(error.contains("unknown task `smooth`") && error.contains("`filter_rgb`"), "{error}");
        assert!(of("// tasks:\n").is_err());
    }

    #[test]
    fn every_rung_below_the_first_has_a_lower_one_for_each_task() {
        let workspace = crate::workspace::Workspace::find(Path::new(".")).expect("the checkout");
        for lab in labs::all() {
            let rungs = workspace.rungs(lab).expect("rungs");
            let first = rungs.first().map(|rung| rung.tasks.len());
            assert!(first.is_none_or(|count| count == lab.tasks().len()), "{}", lab.name());
        }
    }
}
