//! A call whose runs are counted: on a sample, on other grids, and on an engine that runs no whole launches.

use std::cell::RefCell;
use std::collections::BTreeMap;

use lab::{Case, Image, Task};
use runtime::engine::{Engine, SimulatedEngine, Step};
use runtime::finding::Finding;
use runtime::job::{self, Failure, Job, Prepared, Program};
use runtime::simulation::Simulation;
use simulator::Checks;

use super::error::PredictError;
use super::ran::Ran;
use super::steps::{Launched, launched};
use crate::call;
use crate::chance::Chance;

/// What runs need.
pub(super) struct Call<'a> {
    pub task: &'a dyn Task,
    pub case: &'a Case,
    pub program: &'a Program,
    pub student: &'a Simulation,
    pub seed: u64,
    pub dry_runs: DryRuns,
    pub chance: Chance,
}

/// What dry runs have told: by rows, the grid of each launch; `None` if the host function does not come to its end.
#[derive(Debug, Default)]
pub(super) struct DryRuns(pub RefCell<BTreeMap<usize, Option<Vec<[u32; 3]>>>>);

/// A run on the whole picture: what the host function does, and blocks of each launch.
pub(super) struct Tried {
    pub work: Vec<Step>,
    pub launches: Vec<Launched>,
    /// The arguments in host memory afterwards.
    pub host_buffers: Vec<Vec<u8>>,
}

impl Call<'_> {
    pub fn job(&self, image: &Image) -> Job {
        call::job(self.task.name(), self.task.arguments(image), image.pixels() as u64, self.seed)
    }

    /// What the outputs hold before blocks are tried, which a kernel could look for: as in timed runs on a GPU, no known number.
    pub fn unwritten(&self) -> u8 {
        self.chance.number("unwritten bytes") as u8
    }

    /// Runs the call; `grids` replaces those of its launches, in order, where there is one.
    pub fn run(&self, image: &Image, grids: Vec<Option<[u32; 3]>>) -> Result<Ran, Failure> {
        let job = self.job(image);
        let mut engine = self.student.engine_for(&job, Checks::COUNT).with_grids(grids).profiled();
        let outcome = self.student.run_on(&mut engine, self.program, &job)?;
        Ok(Ran {
            outcome,
            read: engine.take_read(),
            asked: engine.take_asked(),
            lines: engine.take_profile(),
        })
    }

    /// What a call does on an engine that does not run whole launches; if it tries blocks, they find outputs in which nothing is
    /// written. `None` if it does not come to its end.
    pub fn called(
        &self,
        engine: &mut SimulatedEngine,
        prepared: &Prepared<'_>,
        tries: bool,
    ) -> Result<Option<Tried>, PredictError> {
        if tries {
            prepared.poison_flat(engine, self.unwritten()).map_err(Failure::from)?;
        }
        engine.take_work();
        engine.take_asked();
        match job::call(engine, self.program, prepared, self.seed) {
            Ok(called) if !called.findings.iter().any(Finding::is_error) => {
                let work = engine.take_work();
                let launches = launched(&work, engine.take_asked());
                Ok(Some(Tried { work, launches, host_buffers: called.host_buffers }))
            }
            _ => Ok(None),
        }
    }
}
