//! The places of the workbook's own files: labs and solutions.

use std::path::{Path, PathBuf};

use lab::{Lab, Task};

use crate::exit::Stop;
use crate::rung::Rung;

/// The file that marks a student's workbook, as `checker init` makes it.
pub const MARKER: &str = ".warpbook";

/// The root of a checkout of the workbook, or of a student's own workbook.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: PathBuf,
    here: PathBuf,
}

/// A file of a ladder, and the tasks that it is judged for.
#[derive(Clone)]
pub struct Chosen {
    /// The file.
    pub path: PathBuf,
    /// Its tasks, in the order of the lab.
    pub tasks: Vec<&'static dyn Task>,
}

/// The folder in which the command was started.
pub fn current_folder() -> Result<PathBuf, Stop> {
    std::env::current_dir()
        .map_err(|error| Stop::environment(format!("failed to find the current folder: {error}")))
}

impl Workspace {
    /// The nearest workbook from `here` upward. No other one, such as the checkout this binary was built from: a student would
    /// wonder whose file is judged.
    pub fn find(here: &Path) -> Result<Self, Stop> {
        let root = here.ancestors().find(|folder| is_workbook(folder)).ok_or_else(|| {
            Stop::environment(
                "failed to find the workbook: neither this folder nor one above it is one; change to your workbook, \
                 make one with `checker init my-warpbook`, or name the file with `--file`",
            )
        })?;
        Ok(Self { root: root.to_path_buf(), here: here.to_path_buf() })
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The command that brings back a lab's skeleton.
    pub fn restore(&self, path: &Path) -> String {
        if self.is_student_s() {
            format!("checker init {}", self.shown_root())
        } else {
            format!("git checkout {}", self.shown(path))
        }
    }

    /// Whether it was made by `checker init`, and has no solutions.
    pub fn is_student_s(&self) -> bool {
        self.root.join(MARKER).is_file()
    }

    fn shown_root(&self) -> String {
        if self.root == self.here { ".".to_owned() } else { self.root.display().to_string() }
    }

    /// The student's own file of a lab.
    pub fn lab_file(&self, lab: &dyn Lab) -> PathBuf {
        self.root.join("labs").join(lab.folder()).join(lab.file())
    }

    /// The folder of a lab's ladder.
    pub fn solutions(&self, lab: &dyn Lab) -> PathBuf {
        self.root.join("solutions").join(lab.folder())
    }

    /// The rungs of a lab's ladder, lowest first.
    pub fn rungs(&self, lab: &dyn Lab) -> Result<Vec<Rung>, Stop> {
        let files = cuda_files(&self.solutions(lab))?;
        files.iter().filter_map(|path| Rung::read(path, lab).transpose()).collect()
    }

    /// A solution of `tasks`: for each of them the rung of this number (`3` and `03` are the same, without a number it is
    /// the last), or the nearest lower rung that is about the task. The named rung comes first, if it has one of the tasks.
    pub fn solution(
        &self,
        lab: &dyn Lab,
        number: Option<&str>,
        tasks: &[&'static dyn Task],
    ) -> Result<Vec<Chosen>, Stop> {
        let rungs = self.rungs(lab)?;
        let named = self.place(lab, &rungs, number)?;
        let mut chosen: Vec<Chosen> = Vec::new();
        for rung in rungs[..=named].iter().rev() {
            let known = |task: &dyn Task| {
                chosen.iter().flat_map(|file| &file.tasks).any(|known| known.name() == task.name())
            };
            let mut own = rung.own(tasks);
            own.retain(|task| !known(*task));
            if !own.is_empty() {
                chosen.push(Chosen { path: rung.path.clone(), tasks: own });
            }
        }
        let found = chosen.iter().map(|file| file.tasks.len()).sum::<usize>();
        if found == tasks.len() {
            return Ok(chosen);
        }
        Err(Stop::environment(format!(
            "failed to find a solution of every task in `{}`: no rung up to {} is about one of them",
            self.solutions(lab).display(),
            rungs[named].number
        )))
    }

    /// The index of the rung of this number, or of the last.
    fn place(&self, lab: &dyn Lab, rungs: &[Rung], number: Option<&str>) -> Result<usize, Stop> {
        let last = rungs.len().checked_sub(1).ok_or_else(|| {
            if self.is_student_s() {
                return Stop::Usage(
                    "a student's workbook has no solutions: without `--solution` the command takes your own file, and `checker hint` says what to \
                     change in it"
                        .to_owned(),
                );
            }
            Stop::environment(format!("failed to find a solution in `{}`", self.solutions(lab).display()))
        })?;
        let Some(wanted) = number else { return Ok(last) };
        let value = |text: &str| text.parse::<u32>().ok();
        let is_wanted = |rung: &Rung| value(wanted).is_some() && value(&rung.number) == value(wanted);
        rungs.iter().position(is_wanted).ok_or_else(|| {
            let numbers: Vec<&str> = rungs.iter().map(|rung| rung.number.as_str()).collect();
            Stop::Usage(format!(
                "unknown rung `{wanted}`: the ladder of {} has the rungs {}",
                lab.name(),
                numbers.join(", ")
            ))
        })
    }

    /// The wrong kernels of a lab, sorted by name.
    pub fn wrong_kernels(&self, lab: &dyn Lab) -> Result<Vec<PathBuf>, Stop> {
        cuda_files(&self.solutions(lab).join("wrong"))
    }

    /// The right but unusual kernels of a lab, sorted by name.
    pub fn unusual_kernels(&self, lab: &dyn Lab) -> Result<Vec<PathBuf>, Stop> {
        cuda_files(&self.solutions(lab).join("unusual"))
    }

    /// The files of a lab that try to get points without the work, and honest ones beside them, sorted by name.
    pub fn cheats(&self, lab: &dyn Lab) -> Result<Vec<PathBuf>, Stop> {
        cuda_files(&self.solutions(lab).join("cheats"))
    }

    /// A path for the report: relative to the current folder if it lies below it.
    pub fn shown(&self, path: &Path) -> String {
        shown_from(&self.here, path)
    }
}

/// `path` relative to `here` if it lies below it.
pub fn shown_from(here: &Path, path: &Path) -> String {
    path.strip_prefix(here).unwrap_or(path).display().to_string()
}

fn is_workbook(folder: &Path) -> bool {
    let checkout = || folder.join("Cargo.toml").is_file() && folder.join("labs/lab1-grayscale").is_dir();
    folder.join(MARKER).is_file() || checkout()
}

/// The `.cu` files of a folder, sorted by name; none if there is no such folder.
pub fn cuda_files(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let failed =
        |error: std::io::Error| Stop::environment(format!("failed to list `{}`: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|ending| ending == "cu") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
