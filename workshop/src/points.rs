//! What the timing model is fitted on and validated with: kernels, tasks and pictures.

use std::path::{Path, PathBuf};

use lab::{Case, Lab, Picture, Task};
use serde::{Deserialize, Serialize};

use crate::again;
use checker::exit::Stop;
use checker::workspace::{Workspace, cuda_files};

/// Whether a kernel took part in the fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Set {
    /// A rung of a ladder: fitted on.
    Ladder,
    /// A kernel of `workshop/validation/heldout`: never fitted on.
    HeldOut,
}

/// A file of kernels.
#[derive(Clone)]
pub struct Source {
    /// Its set.
    pub set: Set,
    /// Its lab.
    pub lab: &'static dyn Lab,
    /// File name without ending.
    pub name: String,
    /// The file.
    pub path: PathBuf,
    /// The tasks that it is about.
    pub tasks: Vec<&'static dyn Task>,
}

/// All of them, labs in order, rungs before the held-out ones.
pub fn sources(labs: &[&'static dyn Lab], workspace: &Workspace) -> Result<Vec<Source>, Stop> {
    let mut all = Vec::new();
    for &lab in labs {
        // What lies between host and device memory is another model's matter.
        if lab.tasks().iter().all(|task| task.over_link()) {
            continue;
        }
        for rung in workspace.rungs(lab)? {
            all.push(source(Set::Ladder, lab, rung.path, rung.tasks));
        }
        let held_out = workspace.root().join("workshop/validation/heldout").join(lab.folder());
        for path in cuda_files(&held_out)? {
            all.push(source(Set::HeldOut, lab, path, lab.tasks().to_vec()));
        }
    }
    Ok(all)
}

fn source(set: Set, lab: &'static dyn Lab, path: PathBuf, tasks: Vec<&'static dyn Task>) -> Source {
    let name = path.file_stem().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    Source { set, lab, name, path, tasks }
}

/// The pictures: sizes from launch-bound to far beyond the L2, contents from the kindest to the worst.
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

/// One measured time.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Whether the kernel took part in the fit.
    pub set: Set,
    /// The lab: `lab1`.
    pub lab: String,
    /// File name without ending.
    pub kernel: String,
    /// The task.
    pub task: String,
    /// The picture.
    pub case: String,
    /// Seconds of a call: the median of the runs.
    pub seconds: f64,
    /// Seconds of the yardstick beside it.
    pub yardstick_seconds: f64,
    /// Half the width of the 95 % interval of the ratio of the two, relative.
    pub error: f64,
}

/// Measured times, as they are committed.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Times {
    /// The GPU.
    pub gpu: String,
    /// Its driver.
    pub driver: String,
    /// The day.
    pub date: String,
    /// What made it.
    pub command: String,
    /// The compiler.
    pub compiler: String,
    /// The times.
    pub points: Vec<Point>,
}

impl Times {
    /// Reads the file that `workshop times` wrote.
    pub fn read(path: &Path) -> Result<Self, Stop> {
        again::read(path, "workshop times")
    }

    /// The times of one kernel.
    pub fn of<'a>(&'a self, source: &'a Source) -> impl Iterator<Item = Point> + 'a {
        let of = |point: &&Point| point.lab == source.lab.name() && point.kernel == source.name;
        self.points.iter().filter(of).filter(|point| point.set == source.set).cloned()
    }
}

/// The task of this name.
pub fn task(lab: &dyn Lab, name: &str) -> Option<&'static dyn Task> {
    lab.tasks().iter().copied().find(|task| task.name() == name)
}
