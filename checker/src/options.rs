//! Options that several commands share, and their meaning.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::SystemTime;

use clap::{Args, ValueEnum};
use lab::{Lab, Task};
use simulator::model::{self, Gpu};

use judge::exit::Stop;
use judge::labs;
use judge::modelled::predicted;
use judge::setup::EngineChoice;
use judge::submission::Source;
use judge::workspace::{Workspace, current_folder};

/// `--engine`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EngineArg {
    /// A GPU if there is one, else the simulator
    Auto,
    /// An NVIDIA GPU
    Gpu,
    /// The simulator
    Sim,
}

impl From<EngineArg> for EngineChoice {
    fn from(engine: EngineArg) -> Self {
        match engine {
            EngineArg::Auto => Self::Auto,
            EngineArg::Gpu => Self::Gpu,
            EngineArg::Sim => Self::Simulator,
        }
    }
}

/// Where kernels run.
#[derive(Debug, Args)]
pub struct EngineOptions {
    /// Where the kernels run
    #[arg(long, value_enum, default_value = "auto")]
    engine: EngineArg,
    /// Run on the simulator, and predict times for this GPU (`checker device` lists them)
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
}

impl EngineOptions {
    /// Whether neither option was given.
    pub fn is_default(&self) -> bool {
        self.engine == EngineArg::Auto && self.gpu.is_none()
    }

    /// The same options for another process of this program.
    pub fn arguments(&self) -> Vec<OsString> {
        let engine = match self.engine {
            EngineArg::Auto => None,
            EngineArg::Gpu => Some("gpu"),
            EngineArg::Sim => Some("sim"),
        };
        let pairs = [("--engine", engine), ("--gpu", self.gpu.as_deref())];
        let given = pairs.into_iter().filter_map(|(option, value)| Some([option.into(), value?.into()]));
        given.flatten().collect()
    }

    /// The engine, and the GPU that the simulator predicts for.
    pub fn chosen(&self) -> Result<(EngineChoice, &'static Gpu), Stop> {
        let (engine, gpu) = self.named()?;
        Ok((engine, gpu.unwrap_or(&model::gpus()[0])))
    }

    /// The engine, and the GPU to predict for if one is named. `--gpu` without `--engine` selects the simulator.
    pub fn named(&self) -> Result<(EngineChoice, Option<&'static Gpu>), Stop> {
        let gpu = self.gpu.as_deref().map(predicted).transpose()?;
        match (self.engine, gpu) {
            (EngineArg::Gpu, Some(_)) => Err(Stop::Usage(
                "`--gpu` names the GPU that the simulator predicts times for; leave it out with `--engine gpu`"
                    .into(),
            )),
            (EngineArg::Auto, Some(_)) => Ok((EngineChoice::Simulator, gpu)),
            (engine, _) => Ok((engine.into(), gpu)),
        }
    }
}

/// The file to check.
#[derive(Debug, Args)]
pub struct SourceOptions {
    /// Check this file instead of the lab's own
    #[arg(long, value_name = "F", conflicts_with = "solution")]
    file: Option<PathBuf>,
    /// Check a rung of the ladder of solutions: the one with this number, or the last
    #[arg(long, value_name = "NN", num_args = 0..=1)]
    #[expect(clippy::option_option, reason = "clap's form of an option with an optional value")]
    solution: Option<Option<String>>,
}

impl SourceOptions {
    /// Whether neither option was given.
    pub fn is_default(&self) -> bool {
        self.file.is_none() && self.solution.is_none()
    }

    /// The file.
    pub fn source(self) -> Source {
        match (self.file, self.solution) {
            (Some(file), _) => Source::File(file),
            (None, Some(number)) => Source::Solution(number),
            (None, None) => Source::Own,
        }
    }
}

/// A lab, and its tasks to check.
#[derive(Debug, Args)]
pub struct LabOptions {
    /// The lab, such as `lab1`; else the one whose file was saved last
    lab: Option<String>,
    /// Check only this task
    #[arg(long, value_name = "T")]
    task: Option<String>,
}

impl LabOptions {
    /// The lab and the tasks.
    pub fn chosen(&self) -> Result<(&'static dyn Lab, Vec<&'static dyn Task>), Stop> {
        let lab = match &self.lab {
            Some(name) => labs::find(name)?,
            None => saved_last(&Workspace::find(&current_folder()?)?)?,
        };
        Ok((lab, labs::tasks(lab, self.task.as_deref())?))
    }
}

/// The lab whose file was saved last.
pub fn saved_last(workspace: &Workspace) -> Result<&'static dyn Lab, Stop> {
    let saved = |lab: &&'static dyn Lab| {
        let file = std::fs::metadata(workspace.lab_file(*lab));
        file.and_then(|file| file.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
    };
    let last = labs::all().into_iter().rev().max_by_key(saved);
    last.ok_or_else(|| Stop::environment("there is no lab here"))
}
