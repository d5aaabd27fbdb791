//! Grading on a cluster: the options of `checker grade`, and the hidden command that a task of a job array runs.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use grading::run::{Batch, Cluster, Event};

use crate::check::GRADED_BY;
use crate::graders::own_path;
use judge::exit::{self, Stop};

/// How often a grader looks for results.
const LOOK: Duration = Duration::from_secs(2);
/// How long Slurm's controller may be away.
const PATIENCE: Duration = Duration::from_secs(1800);

/// `--executor`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Executor {
    /// On this machine
    Local,
    /// As job arrays on a cluster that Slurm manages; this program and `--out` lie where all its nodes see them
    Slurm,
}

/// Where checks run.
#[derive(Debug, Args)]
pub struct ClusterOptions {
    /// Where the checks run
    #[arg(long, value_enum, default_value = "local")]
    executor: Executor,
    /// Submissions that a task of a job array checks, one after another
    #[arg(long, value_name = "N", default_value_t = 8)]
    per_task: usize,
    /// An option for `sbatch`, such as `--slurm=--partition=teaching`; repeat it for more
    #[arg(long, value_name = "OPTION", allow_hyphen_values = true)]
    slurm: Vec<String>,
}

impl ClusterOptions {
    /// Whether checks run elsewhere.
    pub fn is_elsewhere(&self) -> bool {
        self.executor == Executor::Slurm
    }

    /// The cluster, if there is one.
    pub fn cluster(&self) -> Result<Option<Cluster>, Stop> {
        if !self.is_elsewhere() {
            if !self.slurm.is_empty() {
                return Err(Stop::Usage("`--slurm` needs `--executor slurm`".into()));
            }
            return Ok(None);
        }
        Ok(Some(Cluster {
            commands: PathBuf::new(),
            worker: vec![own_path()?.display().to_string(), "grade-task".to_owned()],
            per_task: self.per_task,
            options: self.slurm.clone(),
            look: LOOK,
            patience: PATIENCE,
        }))
    }
}

/// Make the checks of one task of a job array
#[derive(Debug, Args)]
pub struct GradeTask {
    /// The file that lists the checks of all tasks.
    batch: PathBuf,
    /// The task, from 0.
    task: usize,
}

impl GradeTask {
    /// Makes the checks, and says each result for the job's log.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let mut batch = Batch::read(&self.batch)?;
        batch.set(GRADED_BY, &std::process::id().to_string());
        let broken = batch.run(self.task, &mut |event| match event {
            Event::Began(unit) => eprintln!("{} …", unit.name()),
            Event::Done(unit, _) => eprintln!("{} has a result", unit.name()),
            Event::Broken(unit, why) => eprintln!("{} has none: {why}", unit.name()),
        })?;
        Ok(ExitCode::from(if broken.is_empty() { exit::PASSED } else { exit::ENVIRONMENT }))
    }
}
