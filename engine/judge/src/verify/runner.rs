//! Where the cases of a task run.

use simulator::Checks;

use crate::exit::Stop;
use runtime::engine::{Asked, Engine};
use runtime::finding::Finding;
use runtime::job::{self, Failure, Job, Prepared, Program};
use runtime::remote::RemoteGpu;
use runtime::simulation::Simulation;

/// Where cases run.
pub struct Runner<'a> {
    /// The host functions.
    pub program: &'a Program,
    /// The simulator: the engine itself, or the one that explains a GPU's faults.
    pub simulation: &'a Simulation,
    /// The GPU, if that is the engine.
    pub gpu: Option<&'a mut RemoteGpu>,
}

/// What the host function did where no kernel ran.
pub(super) struct Dry {
    pub findings: Vec<Finding>,
    /// The launches that it asked for.
    pub kernels: Vec<Asked>,
    /// Launches, copies, fills and the like.
    pub steps: usize,
}

impl Runner<'_> {
    /// Runs the host function of a job, and no kernel; what it reads back are these `answers`. `None` if it does not come to its end.
    pub(super) fn dry(&self, job: &Job, answers: Vec<Vec<u8>>) -> Result<Option<Dry>, Stop> {
        let mut engine = self.simulation.engine_for(job, Checks::COUNT).dry(answers);
        let called = Prepared::new(&mut engine, job)
            .map_err(Failure::from)
            .and_then(|prepared| job::call(&mut engine, self.program, &prepared, job.poison));
        match called {
            Err(Failure::Broken(message)) => Err(Stop::environment(message)),
            Err(_) => Ok(None),
            Ok(called) => {
                let steps = engine.take_work().len();
                Ok(Some(Dry { findings: called.findings, kernels: engine.take_asked(), steps }))
            }
        }
    }

    /// What the host function reads back in a call.
    pub(super) fn read(&self, job: &Job) -> Result<Vec<Vec<u8>>, Stop> {
        let mut engine = self.simulation.engine_for(job, Checks::COUNT);
        match self.simulation.run_on(&mut engine, self.program, job) {
            Err(Failure::Broken(message)) => Err(Stop::environment(message)),
            _ => Ok(engine.take_read()),
        }
    }
}
