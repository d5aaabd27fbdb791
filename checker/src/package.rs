//! `checker package`: an autograder as one archive, and the hidden command that runs in it.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use grading::autograder::{self, Contents};
use grading::run::Queues;

use crate::graders::{Graders, demand_confinement, described, own_hash, own_path};
use crate::output;
use judge::chance;
use judge::exit::{self, Stop};
use judge::labs;
use judge::modelled::predicted_or_first;
use judge::progress::Progress;
use judge::setup::{EngineChoice, Setup};

/// For which system the archive is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Platform {
    /// Gradescope: upload the archive as the autograder of a programming assignment
    Gradescope,
}

/// Pack an autograder: one archive to upload, which grades each submission on the simulator
#[derive(Debug, Args)]
pub struct Package {
    /// For which system
    #[arg(value_enum)]
    platform: Platform,
    /// The lab, such as `lab2`
    #[arg(long, value_name = "LAB")]
    lab: String,
    /// The archive
    #[arg(long, value_name = "FILE", default_value = "autograder.zip")]
    out: PathBuf,
    /// A file whose first line no submission may know: all that is random follows from it. It goes into the archive
    #[arg(long, value_name = "FILE")]
    secret_seed_file: Option<PathBuf>,
    /// The GPU that the simulator predicts times for (`checker device` lists them)
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// Grade although the container cannot keep the compiler from reading files, the secret seed among them
    #[arg(long)]
    unsandboxed: bool,
}

impl Package {
    /// Packs.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let Platform::Gradescope = self.platform;
        let lab = labs::find(&self.lab)?;
        predicted_or_first(self.gpu.as_deref())?;
        let seed = self.secret_seed_file.as_deref();
        let seed = seed.map(|path| chance::secret(None, Some(path))).transpose()?.flatten();
        let own = own_path()?;
        let program = fs::read(&own)
            .map_err(|error| Stop::environment(format!("failed to read `{}`: {error}", own.display())))?;
        let mut arguments: Vec<String> = Vec::new();
        arguments.extend(self.gpu.iter().flat_map(|name| ["--gpu".to_owned(), name.clone()]));
        arguments.extend(self.unsandboxed.then(|| "--unsandboxed".to_owned()));
        let contents =
            Contents { lab: lab.name(), program: &program, seed: seed.as_deref(), arguments: &arguments };
        let archive = autograder::archive(&contents)?;
        fs::write(&self.out, &archive).map_err(|error| {
            Stop::Usage(format!("failed to write `{}`: {error}; name a file in a folder", self.out.display()))
        })?;
        let practice = if seed.is_none() {
            "\nThe seed is public, so that a file may know its pictures: give one with `--secret-seed-file`."
        } else {
            ""
        };
        output::text(&format!(
            "`{}` ({:.0} MB) grades {}: upload it as the autograder of a programming assignment of {} points.{practice}\n",
            self.out.display(),
            archive.len() as f64 * 1e-6,
            lab.name(),
            grading::result::points(described(lab, None, None)?.max_score),
        ))?;
        Ok(exit::verdict(true))
    }
}

/// Grade one submission in the container of an autograder
#[derive(Debug, Args)]
pub struct Autograde {
    /// The lab.
    #[arg(long)]
    lab: String,
    /// The folder of the submission.
    #[arg(long)]
    submission: PathBuf,
    /// Where the results go.
    #[arg(long)]
    out: PathBuf,
    /// The secret seed.
    #[arg(long)]
    secret_seed_file: Option<PathBuf>,
    /// The GPU to predict times for.
    #[arg(long)]
    gpu: Option<String>,
    /// Grade although the compiler cannot be locked up.
    #[arg(long)]
    unsandboxed: bool,
}

impl Autograde {
    /// Grades.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let lab = labs::find(&self.lab)?;
        let gpu = predicted_or_first(self.gpu.as_deref())?;
        let secret = chance::secret(None, self.secret_seed_file.as_deref())?;
        let setup = Setup::new(EngineChoice::Simulator, gpu, &Progress::new())?.confined()?;
        if !self.unsandboxed {
            demand_confinement(&setup)?;
        }
        let graders = Graders {
            lab,
            secret: secret.as_deref(),
            course: None,
            gpu: self.gpu.as_deref(),
            own: own_path()?,
        };
        let queues = Queues { simulator: (graders.simulator(), 1), gpus: Vec::new(), illustrator: None };
        let graded =
            autograder::one(&self.submission, &described(lab, None, None)?, &queues, &own_hash()?, &self.out);
        Ok(exit::verdict(graded?.passed))
    }
}
