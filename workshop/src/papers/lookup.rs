//! The GPU, lab, task and rung that repeat a published figure. They are found by name, so that a rung may move up the
//! ladder, or a lab arrive, without a change here.

use std::path::PathBuf;

use lab::{Lab, Task};
use records::published::{Experiment, Paper};
use simulator::model::{self, Gpu};

use judge::exit::Stop;
use judge::labs;
use judge::workspace::Workspace;

/// The report's own GPU where it is modelled, else the default.
pub fn own_gpu(report: &Paper) -> &'static Gpu {
    report.gpu.as_deref().and_then(model::find).unwrap_or(&model::gpus()[0])
}

/// The task of an experiment.
#[derive(Clone, Copy)]
pub struct Place {
    /// The lab.
    pub lab: &'static dyn Lab,
    /// Its task.
    pub task: &'static dyn Task,
}

/// The lab and task of an experiment, or a message that they are missing.
pub fn place(experiment: &Experiment) -> Result<Place, String> {
    let missing = || format!("not in this checkout yet: `{}` of {}", experiment.task, experiment.lab);
    let lab = labs::all().into_iter().find(|lab| lab.name() == experiment.lab).ok_or_else(missing)?;
    let task = lab.tasks().iter().copied().find(|task| task.name() == experiment.task).ok_or_else(missing)?;
    Ok(Place { lab, task })
}

/// A rung of the ladder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// `03_four_pixels`
    pub name: String,
    /// Its file.
    pub path: PathBuf,
}

/// The rung of this name without its number: the one so called, else the first whose name holds it.
pub fn rung(workspace: &Workspace, lab: &dyn Lab, wanted: &str) -> Result<Option<Found>, Stop> {
    let rungs: Vec<Found> = workspace
        .rungs(lab)?
        .into_iter()
        .filter_map(|rung| {
            let name = rung.path.file_stem()?.to_str()?.to_owned();
            Some(Found { name, path: rung.path })
        })
        .collect();
    let plain = |found: &&Found| found.name.split_once('_').is_some_and(|(_, name)| name == wanted);
    let found = rungs.iter().find(plain).or_else(|| rungs.iter().find(|found| found.name.contains(wanted)));
    Ok(found.cloned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::published::published;
    use super::*;

    #[test]
    fn every_rung_of_the_labs_that_are_here_is_found() {
        let workspace = Workspace::find(Path::new(env!("CARGO_MANIFEST_DIR"))).expect("a checkout");
        let experiments = published().unwrap().reports.iter().flat_map(|report| &report.experiments);
        let here = experiments.filter_map(|experiment| Some((experiment, place(experiment).ok()?)));
        let mut names = 0;
        for (experiment, place) in here {
            let rows = experiment.rows.iter().filter_map(|row| row.rung.as_ref());
            let claims = experiment.claims.iter();
            let claimed =
                claims.flat_map(|claim| claim.faster.iter().chain(&claim.slower).chain(&claim.same));
            for wanted in rows.chain(claimed) {
                names += 1;
                assert!(
                    rung(&workspace, place.lab, wanted).unwrap().is_some(),
                    "{wanted} of {}",
                    experiment.lab
                );
            }
        }
        assert!(names > 50, "{names}");
        let lab = labs::find("lab1").unwrap();
        assert_eq!(rung(&workspace, lab, "grid").unwrap().unwrap().name, "05_grid_stride");
        assert_eq!(rung(&workspace, lab, "no_such_rung").unwrap(), None);
    }
}
