//! The checks of a job array: written down where the grader runs, and made on the nodes of a cluster.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::child::Program;
use super::queue::{self, Event, Queues, Work};
use super::store::Store;
use crate::{Error, files};

/// What the tasks of an array do. The file may hold a secret seed, so that only its owner can read it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Batch {
    /// The folder of the results.
    pub out: PathBuf,
    /// The program that checks on the simulator.
    pub simulator: Program,
    /// The program that checks on a GPU.
    pub gpu: Option<Program>,
    /// See [`Queues::illustrator`].
    pub illustrator: Option<Program>,
    /// The checks of each task.
    pub tasks: Vec<Vec<Work>>,
}

impl Batch {
    /// Writes it, readable for its owner alone.
    pub fn write(&self, path: &Path) -> Result<(), Error> {
        let json = serde_json::to_vec(self).map_err(|error| Error::Environment(error.to_string()))?;
        files::replace(path, &json).map_err(|error| Error::at("write", path, &error))
    }

    /// Reads it on a node.
    pub fn read(path: &Path) -> Result<Self, Error> {
        let text = std::fs::read(path).map_err(|error| Error::at("read", path, &error))?;
        serde_json::from_slice(&text)
            .map_err(|error| Error::Environment(format!("failed to read `{}`: {error}", path.display())))
    }

    /// Gives all programs this variable.
    pub fn set(&mut self, name: &str, value: &str) {
        let programs = [&mut self.simulator].into_iter().chain(&mut self.gpu).chain(&mut self.illustrator);
        for program in programs {
            program.environment.retain(|(known, _)| known != name);
            program.environment.push((name.to_owned(), value.to_owned()));
        }
    }

    /// Makes the checks of one task that have no result yet, one after another. Returns those that gave none, and why.
    pub fn run(
        self,
        task: usize,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<(super::Unit, String)>, Error> {
        let all = self.tasks.len();
        let wanted = self.tasks.into_iter().nth(task);
        let wanted = wanted.ok_or_else(|| Error::Usage(format!("there is no task {task} of {all}")))?;
        let mut store = Store::beside(&self.out);
        let mut open = Vec::new();
        for work in wanted {
            if store.find(&work.unit)?.is_none() {
                open.push(work);
            }
        }
        let queues = Queues {
            simulator: (self.simulator, 1),
            gpus: self.gpu.into_iter().collect(),
            illustrator: self.illustrator,
        };
        queue::run(&queues, &open, &mut store, false, tell)
    }
}
