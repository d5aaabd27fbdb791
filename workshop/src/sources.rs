//! Files of kernels, and the pictures that the timing model is fitted on and validated with.

use std::path::{Path, PathBuf};

use lab::{Case, Lab, Picture, Task};
use records::{Point, Set};

use judge::exit::Stop;
use judge::workspace::{Workspace, cuda_files, current_folder};

/// The checkout that the command was called in.
pub fn workspace() -> Result<Workspace, Stop> {
    Workspace::find(&current_folder()?)
}

/// A file of kernels.
#[derive(Clone)]
pub struct Source {
    /// Its set.
    pub set: Set,
    /// Kernels of one idea, which cross-validation leaves out together.
    pub family: String,
    /// Its lab.
    pub lab: &'static dyn Lab,
    /// File name without ending: `03_coalesced`.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The tasks that it is about.
    pub tasks: Vec<&'static dyn Task>,
}

impl Source {
    /// Whether it defines this task's host function.
    pub fn is_about(&self, task: &dyn Task) -> bool {
        self.tasks.iter().any(|own| own.name() == task.name())
    }

    /// Whether this is a time of it.
    pub fn has(&self, point: &Point) -> bool {
        (point.set, point.lab.as_str(), point.kernel.as_str()) == (self.set, self.lab.name(), &self.name)
    }
}

/// The rungs of the labs, in order.
pub fn ladders(labs: &[&'static dyn Lab], workspace: &Workspace) -> Result<Vec<Source>, Stop> {
    let mut all = Vec::new();
    for lab in labs {
        let rungs = workspace.rungs(*lab)?.into_iter();
        // The rungs of a ladder grow out of each other.
        let family = format!("ladder of {}", lab.name());
        all.extend(rungs.map(|rung| source((Set::Ladder, &family), *lab, rung.path, rung.tasks)));
    }
    Ok(all)
}

/// The kernels that the timing model is compared with: of each lab the rungs, then those of `workshop/validation`.
pub fn of_the_model(labs: &[&'static dyn Lab], workspace: &Workspace) -> Result<Vec<Source>, Stop> {
    let mut all = Vec::new();
    for lab in labs {
        // Another model predicts copies between host and device memory.
        if lab.tasks().iter().all(|task| task.over_link()) {
            continue;
        }
        all.extend(ladders(&[*lab], workspace)?);
        for (set, folder) in [(Set::Pool, "pool"), (Set::Fresh, "fresh")] {
            let folder = workspace.root().join("workshop/validation").join(folder).join(lab.folder());
            for path in cuda_files(&folder)? {
                let family = family(&path)?;
                all.push(source((set, &family), *lab, path, lab.tasks().to_vec()));
            }
        }
    }
    Ok(all)
}

/// The family that a file names in its first line.
fn family(path: &Path) -> Result<String, Stop> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| Stop::environment(format!("failed to read `{}`: {error}", path.display())))?;
    let named = text.lines().next().and_then(|line| line.strip_prefix("// family: ")).map(str::trim);
    named.filter(|name| !name.is_empty()).map(str::to_owned).ok_or_else(|| {
        Stop::environment(format!("`{}` does not begin with a line `// family: …`", path.display()))
    })
}

/// The file at `path`, for these tasks of its lab; its set and its family.
pub fn source(
    (set, family): (Set, &str),
    lab: &'static dyn Lab,
    path: PathBuf,
    tasks: Vec<&'static dyn Task>,
) -> Source {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Source { set, family: family.to_owned(), lab, name, path, tasks }
}

/// The pictures: sizes from launch-bound to much larger than the L2, contents from the kindest to the worst.
pub fn cases() -> Vec<Case> {
    let noise = |width, height| Picture::Noise { width, height, colours: 256 };
    vec![
        Case::new("noise 512x512", noise(512, 512)),
        Case::new("noise 1920x1080", noise(1920, 1080)),
        Case::new("scene 2048x2048", Picture::Scene { width: 2048, height: 2048 }),
        Case::new("flat 4096x4096", Picture::Flat { width: 4096, height: 4096, value: [90, 90, 90] }),
        Case::new("noise 4096x4096", noise(4096, 4096)),
        Case::new("scene 8784x5352", Picture::Scene { width: 8784, height: 5352 }),
    ]
}

/// The task of this name.
pub fn task(lab: &dyn Lab, name: &str) -> Option<&'static dyn Task> {
    lab.tasks().iter().copied().find(|task| task.name() == name)
}
