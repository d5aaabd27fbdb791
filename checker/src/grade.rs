//! `checker grade SUBMISSIONS --lab lab2`: grades a class. The crate [`grading`] does the work; here are the lab, the engine, and
//! the program that it starts for each submission: this one.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use grading::class::Moment;
use grading::result::{self, State};
use grading::run::{Engine, Queues};
use grading::{Done, Job, compare, export};
use lab::Lab;

use crate::cluster::ClusterOptions;
use crate::graders::{Graders, demand_confinement, described, own_hash, own_path};
use crate::output;
use judge::chance;
use judge::course::{Course, CourseOptions};
use judge::exit::{self, Stop};
use judge::labs;
use judge::modelled::predicted;
use judge::progress::Progress;
use judge::setup::{EngineChoice, Setup};

/// `--engine`
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engines {
    /// The simulator, with predicted times
    Sim,
    /// NVIDIA GPUs, one check at a time on each
    Gpu,
    /// Both; the GPU's score counts
    Both,
}

/// Grade a class: a folder or an archive of submissions
#[derive(Debug, Args)]
#[command(after_help = "\
Exit codes of `grade`:
  0  every submission has a result, and nothing needs a person; with `--compare`: nothing changed
  1  every submission has a result, and some need a person to look at; with `--compare`: some changed
  2  wrong usage: an unknown lab or option, an unreadable folder or roster
  3  some submissions have no result: this machine failed; grade again with `--resume`")]
pub struct Grade {
    /// A folder, a zip archive or a file, as Gradescope, Canvas or Moodle export them, or with a folder or file per student
    #[arg(required_unless_present = "compare")]
    submissions: Option<PathBuf>,
    /// The lab, such as `lab2`
    #[arg(long, value_name = "LAB", required_unless_present = "compare")]
    lab: Option<String>,
    /// Show whose points changed between two gradings, and why: two folders that `--out` named
    #[arg(long, value_names = ["OLD", "NEW"], num_args = 2, exclusive = true)]
    compare: Option<Vec<PathBuf>>,
    /// The folder for results
    #[arg(long, value_name = "DIR", default_value = "graded")]
    out: PathBuf,
    /// A CSV file of the class with a column `id`, `name` or `email`, and perhaps `section`, `submitted`, `late_days`,
    /// `free_late_days` and `extension`
    #[arg(long, value_name = "CSV")]
    roster: Option<PathBuf>,
    /// When the lab is due, such as `2027-01-31T23:59:00+01:00`; without it, when the course says
    #[arg(long, value_name = "MOMENT")]
    due: Option<Moment>,
    /// Per cent of the points that each late day costs; without it, what the course says, or 0
    #[arg(long, value_name = "PERCENT")]
    late_penalty: Option<f64>,
    #[command(flatten)]
    course: CourseOptions,
    /// Where the kernels run
    #[arg(long, value_enum, default_value = "sim")]
    engine: Engines,
    /// The GPU that the simulator predicts times for (`checker device` lists them)
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// Checks on the simulator at once
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    #[command(flatten)]
    cluster: ClusterOptions,
    /// Take all that is random from this text, which no submission may know; `WORKBOOK_SECRET_SEED` does the same
    #[arg(long, value_name = "TEXT")]
    secret_seed: Option<String>,
    /// The same, from the first line of this file
    #[arg(long, value_name = "FILE", conflicts_with = "secret_seed")]
    secret_seed_file: Option<PathBuf>,
    /// Continue: keep the results in the folder that still hold, and make the checks that are missing
    #[arg(long)]
    resume: bool,
    /// Check this student again, and keep the results of all others
    #[arg(long, value_name = "NAME")]
    only: Option<String>,
    /// The name of the assignment in the exports
    #[arg(long, value_name = "TITLE")]
    assignment: Option<String>,
    /// A gradebook exported from Canvas: its column of the assignment is filled in
    #[arg(long, value_name = "CSV", requires = "assignment")]
    canvas: Option<PathBuf>,
    /// Grade although this machine cannot keep the compiler from reading files: only files that you trust
    #[arg(long)]
    unsandboxed: bool,
}

impl Grade {
    /// Grades and prints.
    pub fn run(self) -> Result<ExitCode, Stop> {
        if let Some([old, new]) = self.compare.as_deref() {
            let (old, new) = (compare::read(old)?, compare::read(new)?);
            output::text(&compare::text(&old, &new))?;
            return Ok(exit::verdict(compare::changes(&old, &new).is_empty()));
        }
        let (Some(lab), Some(submissions)) = (&self.lab, &self.submissions) else {
            return Err(Stop::Usage("name the submissions, and the lab with `--lab`".into()));
        };
        let lab = labs::find(lab)?;
        let course = self.course.course()?;
        if let Some(course) = &course {
            counts(course, lab)?;
        }
        let late = course.as_ref().map(|course| course.late).unwrap_or_default();
        let late_penalty = self.late_penalty.unwrap_or(late.percent_per_day);
        if !(0.0..=100.0).contains(&late_penalty) {
            return Err(Stop::Usage("`--late-penalty` is a number of per cent from 0 to 100".into()));
        }
        if self.engine == Engines::Gpu && self.gpu.is_some() {
            return Err(Stop::Usage(
                "`--gpu` names the GPU that the simulator predicts times for; leave it out".into(),
            ));
        }
        let gpu = self.gpu.as_deref().map(predicted).transpose()?;
        let gpu = gpu.or_else(|| course.as_ref()?.gpu);
        let secret = chance::secret(self.secret_seed.clone(), self.secret_seed_file.as_deref())?;
        let elsewhere = self.cluster.is_elsewhere();
        if elsewhere && self.only.is_some() {
            return Err(Stop::Usage("`--only` makes one check, here: leave out `--executor slurm`".into()));
        }
        // The GPUs of a cluster are not here.
        let here = self.engine != Engines::Sim && !elsewhere;
        let choice = if here { EngineChoice::Gpu } else { EngineChoice::Simulator };
        let progress = Progress::new();
        let setup = Setup::new(choice, gpu.unwrap_or(&simulator::model::gpus()[0]), &progress)?.confined()?;
        if !self.unsandboxed {
            demand_confinement(&setup)?;
        }
        drop(progress);
        let described = described(lab, course.as_ref(), self.due.clone())?;
        if described.published.len() == 1 {
            eprintln!(
                "note: the published solutions are not here, so that students who used them look similar; run it in a checkout or in the \
                 container"
            );
        }
        let job = Job {
            submissions: submissions.clone(),
            out: self.out.clone(),
            lab: described,
            roster: self.roster.clone(),
            engines: match self.engine {
                Engines::Sim => vec![Engine::Sim],
                Engines::Gpu => vec![Engine::Gpu],
                Engines::Both => vec![Engine::Gpu, Engine::Sim],
            },
            queues: self.queues(lab, secret.as_deref(), course.as_ref(), here)?,
            cluster: self.cluster.cluster()?,
            program: own_hash()?,
            context: vec![
                setup.compiler_name(),
                self.gpu.clone().unwrap_or_default(),
                course.as_ref().map_or(String::new(), |course| course.text.clone()),
            ],
            secret,
            resume: self.resume,
            only: self.only.clone(),
            late_penalty,
            free_days: late.free_days,
            export: self.exports()?,
        };
        let done = job.run()?;
        output::text(&result::text(&done.all, &done.class))?;
        if let Some(course) = &course {
            output::text(&format!("{}\n", course.of_report(lab).said()))?;
        }
        self.conclude(&done)
    }

    fn conclude(&self, done: &Done) -> Result<ExitCode, Stop> {
        eprintln!("Results are in `{}`.", self.out.display());
        if let Some((name, why)) = done.broken.first() {
            let count = done.broken.len();
            return Err(Stop::environment(format!(
                "{count} of the checks gave no result (`{name}`: {why}); grade again with `--resume`"
            )));
        }
        let open = done.all.iter().any(|one| !one.needs.is_empty() || one.state == State::Unfinished);
        Ok(exit::verdict(!(open || done.class.practice || !done.class.similar.is_empty())))
    }

    fn exports(&self) -> Result<export::Settings, Stop> {
        let assignment = self.assignment.clone().unwrap_or_default();
        let gradebook =
            self.canvas.as_deref().map(|path| export::Gradebook::read(path, &assignment)).transpose();
        Ok(export::Settings {
            gradebook: gradebook?,
            assignment,
            // Text that is not Unicode is none of Classroom 50's.
            environment: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                .collect(),
        })
    }

    fn queues(
        &self,
        lab: &dyn Lab,
        secret: Option<&str>,
        course: Option<&Course>,
        here: bool,
    ) -> Result<Queues, Stop> {
        let graders = Graders { lab, secret, course, gpu: self.gpu.as_deref(), own: own_path()? };
        let gpus = match (self.engine, here) {
            (Engines::Sim, _) => Vec::new(),
            (_, true) => graders.gpus()?,
            // Slurm gives each job its own.
            (_, false) => vec![graders.gpu()],
        };
        // A GPU's times need a core that nothing else disturbs.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let jobs = self.jobs.unwrap_or(cores.saturating_sub(gpus.len()).max(1));
        Ok(Queues { simulator: (graders.simulator(), jobs), gpus, illustrator: Some(graders.illustrator()) })
    }
}

/// That this lab counts in the course that would grade it.
fn counts(course: &Course, lab: &dyn Lab) -> Result<(), Stop> {
    if course.lab(lab).is_some() {
        return Ok(());
    }
    let names: Vec<&str> = course.labs.iter().map(|lab| lab.name).collect();
    Err(Stop::Usage(format!(
        "{} does not count in the course `{}`: it has {}. `--no-course` grades it with the lab's own points",
        lab.name(),
        course.shown,
        labs::quoted(&names)
    )))
}
