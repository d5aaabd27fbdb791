//! `checker grade SUBMISSIONS --lab lab2`: grades a class. The crate [`grading`] does the work; here are the lab, the engine, and
//! the program that it starts for each submission: this one.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use cuda::nvrtc::{Request, Target};
use grading::result::{self, State};
use grading::run::{Engine, Program, Queues};
use grading::{Done, Error, Job, compare, export};
use lab::Lab;

use crate::chance;
use crate::check::GRADED_BY;
use crate::course::{self, Course, CourseOptions};
use crate::exit::{self, Stop};
use crate::labs;
use crate::options::predicted;
use crate::output;
use crate::progress::Progress;
use crate::setup::{EngineChoice, Setup};
use crate::workspace::{self, Workspace};

/// Time after which a check on the simulator is stuck: the check itself gives up after 50 s, and its compiler after 20 s.
const PATIENCE: Duration = Duration::from_secs(240);
/// The same on a GPU.
const GPU_PATIENCE: Duration = Duration::from_secs(900);

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
    /// A CSV file of the class with a column `id`, `name` or `email`, and perhaps `section` and `late_days`
    #[arg(long, value_name = "CSV")]
    roster: Option<PathBuf>,
    /// Per cent of the points that each late day of the roster costs; without it, what the course says, or 0
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
            let (old, new) = (compare::read(old).map_err(stop)?, compare::read(new).map_err(stop)?);
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
        let choice = if self.engine == Engines::Sim { EngineChoice::Simulator } else { EngineChoice::Gpu };
        let progress = Progress::new();
        let setup = Setup::new(choice, gpu.unwrap_or(&simulator::model::gpus()[0]), &progress)?.confined()?;
        if !self.unsandboxed {
            demand_confinement(&setup)?;
        }
        drop(progress);
        let job = Job {
            submissions: submissions.clone(),
            out: self.out.clone(),
            lab: described(lab, course.as_ref())?,
            roster: self.roster.clone(),
            engines: match self.engine {
                Engines::Sim => vec![Engine::Sim],
                Engines::Gpu => vec![Engine::Gpu],
                Engines::Both => vec![Engine::Gpu, Engine::Sim],
            },
            queues: self.queues(lab, secret.as_deref(), course.as_ref())?,
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
        let done = job.run().map_err(stop)?;
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
            gradebook: gradebook.map_err(stop)?,
            assignment,
            // Text that is not Unicode is none of Classroom 50's.
            environment: std::env::vars_os()
                .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
                .collect(),
        })
    }

    fn queues(&self, lab: &dyn Lab, secret: Option<&str>, course: Option<&Course>) -> Result<Queues, Stop> {
        let program = std::env::current_exe()
            .map_err(|error| Stop::environment(format!("failed to find this program: {error}")))?;
        let mut environment = vec![(GRADED_BY.to_owned(), std::process::id().to_string())];
        environment.extend(secret.map(|secret| (chance::VARIABLE.to_owned(), secret.to_owned())));
        // A check starts in a folder of its own: it must not look for a course there.
        let course = course.map_or_else(
            || vec!["--no-course".to_owned()],
            |course| vec!["--course".to_owned(), course.path.to_string_lossy().into_owned()],
        );
        let common = [lab.name(), "--json"];
        let program = |engine: &str, rest: &[&str], patience| Program {
            path: program.clone(),
            arguments: common
                .iter()
                .chain(&["--engine", engine])
                .chain(rest)
                .map(|&argument| argument.to_owned())
                .chain(course.clone())
                .chain(["--file".to_owned()])
                .collect(),
            environment: environment.clone(),
            patience,
        };
        let gpu: Vec<&str> = self.gpu.iter().flat_map(|name| ["--gpu", name]).collect();
        let on_gpu = |index: usize| {
            let mut one = program("gpu", &[], GPU_PATIENCE);
            one.environment.push(("CUDA_VISIBLE_DEVICES".to_owned(), visible(index)));
            one
        };
        let gpus = if self.engine == Engines::Sim {
            0
        } else {
            cuda::driver::devices().map_err(|error| Stop::environment(error.to_string()))?.len()
        };
        let cores = std::thread::available_parallelism().map_or(1, Into::into);
        Ok(Queues {
            simulator: (program("sim", &gpu, PATIENCE), self.jobs.unwrap_or(cores)),
            gpus: (0..gpus).map(on_gpu).collect(),
        })
    }
}

/// The name of a GPU for a process that is to see it alone. The numbers of this process may be a choice already.
fn visible(index: usize) -> String {
    let chosen = std::env::var("CUDA_VISIBLE_DEVICES").unwrap_or_default();
    chosen.split(',').nth(index).filter(|name| !name.is_empty()).map_or(index.to_string(), str::to_owned)
}

/// Compiles an empty file, to see whether the machine can keep the compiler from reading other files.
fn demand_confinement(setup: &Setup) -> Result<(), Stop> {
    let request = Request {
        source: "",
        file: "empty.cu",
        headers: &[],
        options: &[],
        target: Target::Ptx(setup.targets.ptx),
    };
    setup.submissions().compile_all(&[request]).map_err(|failure| Stop::environment(failure.to_string()))?;
    match setup.unconfined() {
        None => Ok(()),
        Some(reason) => Err(Stop::environment(format!(
            "this machine cannot lock the compiler up: {reason}. Files of people whom you do not know could read yours. Grade on a \
             machine with Linux 6.7 or newer, or, if you trust every author, with `--unsandboxed`"
        ))),
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

/// What grading must know of the lab.
fn described(lab: &dyn Lab, course: Option<&Course>) -> Result<result::Lab, Stop> {
    let levels = |task: &&'static dyn lab::Task| {
        let levels =
            course::points(course, *task).share.levels.iter().map(|level| (level.name.to_owned(), level.at));
        (task.name().to_owned(), levels.collect())
    };
    let all = lab.tasks().to_vec();
    let tasks = course.map_or(Ok(all.clone()), |course| course.tasks(lab, all))?;
    let mut published = vec![lab.skeleton().to_owned()];
    // Files can be checked from anywhere; what students may have copied from is known only in a workbook.
    let rungs = Workspace::find(&workspace::current_folder()?).and_then(|workspace| workspace.rungs(lab));
    for rung in rungs.unwrap_or_default() {
        let text = std::fs::read_to_string(&rung.path).map_err(|error| {
            Stop::environment(format!("failed to read `{}`: {error}", rung.path.display()))
        })?;
        published.push(text);
    }
    Ok(result::Lab {
        name: lab.name().to_owned(),
        title: lab.title().to_owned(),
        file: lab.file().to_owned(),
        max_score: tasks.iter().map(|task| course::points(course, *task).total()).sum(),
        levels: tasks.iter().map(levels).collect(),
        published,
    })
}

/// SHA-256 of this program: the checker, the labs and the timing model in one.
fn own_hash() -> Result<String, Stop> {
    let failed = |error| Stop::environment(format!("failed to read this program: {error}"));
    let bytes = std::env::current_exe().and_then(std::fs::read).map_err(failed)?;
    Ok(grading::hash::of(&bytes))
}

fn stop(error: Error) -> Stop {
    match error {
        Error::Usage(text) => Stop::Usage(text),
        Error::Environment(text) => Stop::environment(text),
    }
}
