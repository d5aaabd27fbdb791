//! The places of the workbook's own files: labs and solutions.

use std::path::{Path, PathBuf};

use lab::Lab;

use crate::exit::Stop;

/// The root of a checkout of the workbook.
#[derive(Debug, Clone)]
pub struct Workspace {
    root: PathBuf,
    here: PathBuf,
}

/// A rung of a ladder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rung {
    /// `03` of `03_four_pixels.cu`.
    pub number: String,
    /// The file.
    pub path: PathBuf,
}

/// The folder in which the command was started.
pub fn current_folder() -> Result<PathBuf, Stop> {
    std::env::current_dir()
        .map_err(|error| Stop::environment(format!("failed to find the current folder: {error}")))
}

impl Workspace {
    /// The nearest folder from `here` upward that holds `Cargo.toml` and `labs/`; else the checkout this
    /// binary was built from.
    pub fn find(here: &Path) -> Result<Self, Stop> {
        let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
        let root = here.ancestors().chain(built_from).find(|folder| is_workbook(folder)).ok_or_else(|| {
            Stop::environment(
                "failed to find the workbook: neither this folder nor one above it holds `Cargo.toml` and \
                 `labs/`; run `checker` inside your checkout, or name the file with `--file`",
            )
        })?;
        Ok(Self { root: root.to_path_buf(), here: here.to_path_buf() })
    }

    /// Its folder.
    pub fn root(&self) -> &Path {
        &self.root
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
        Ok(files
            .into_iter()
            .filter_map(|path| {
                let name = path.file_name()?.to_str()?;
                let (number, _) = name.split_once('_')?;
                let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
                is_number.then(|| Rung { number: number.to_owned(), path: path.clone() })
            })
            .collect())
    }

    /// The rung of this number (`3` and `03` are the same), or the last.
    pub fn rung(&self, lab: &dyn Lab, number: Option<&str>) -> Result<PathBuf, Stop> {
        let rungs = self.rungs(lab)?;
        let last = rungs.last().ok_or_else(|| {
            Stop::environment(format!("failed to find a solution in `{}`", self.solutions(lab).display()))
        })?;
        let Some(wanted) = number else { return Ok(last.path.clone()) };
        let value = |text: &str| text.parse::<u32>().ok();
        rungs
            .iter()
            .find(|rung| value(wanted).is_some() && value(&rung.number) == value(wanted))
            .map(|rung| rung.path.clone())
            .ok_or_else(|| {
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
    folder.join("Cargo.toml").is_file() && folder.join("labs").is_dir()
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
