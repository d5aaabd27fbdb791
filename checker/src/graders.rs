//! The programs that grading starts, which are this one with other arguments, and what it must know of lab and machine.

use std::path::PathBuf;
use std::time::Duration;

use cuda::nvrtc::{Request, Target};
use grading::class::Moment;
use grading::result;
use grading::run::Program;
use lab::Lab;

use crate::check::GRADED_BY;
use judge::build::Compile as _;
use judge::chance;
use judge::course::{self, Course};
use judge::exit::Stop;
use judge::setup::Setup;
use judge::workspace::{self, Workspace};

/// Time after which a check on the simulator is stuck: the check itself gives up after 50 s, and its compiler after 20 s.
const PATIENCE: Duration = Duration::from_secs(240);
/// The same on a GPU.
const GPU_PATIENCE: Duration = Duration::from_secs(900);

/// Who checks the files of a lab.
pub struct Graders<'a> {
    /// The lab.
    pub lab: &'a dyn Lab,
    /// The secret seed.
    pub secret: Option<&'a str>,
    /// The course whose points count.
    pub course: Option<&'a Course>,
    /// The GPU that the simulator predicts times for.
    pub gpu: Option<&'a str>,
    /// This program.
    pub own: PathBuf,
}

impl Graders<'_> {
    /// On the simulator.
    pub fn simulator(&self) -> Program {
        self.checks(&["--engine", "sim"], true, PATIENCE)
    }

    /// On any GPU.
    pub fn gpu(&self) -> Program {
        self.checks(&["--engine", "gpu"], false, GPU_PATIENCE)
    }

    /// On each GPU of this machine.
    pub fn gpus(&self) -> Result<Vec<Program>, Stop> {
        let all = cuda::driver::devices().map_err(|error| Stop::environment(error.to_string()))?;
        let on = |index: usize| {
            let mut one = self.gpu();
            one.environment.push(("CUDA_VISIBLE_DEVICES".to_owned(), visible(index)));
            one
        };
        Ok((0..all.len()).map(on).collect())
    }

    /// For a student's page. It runs on public pictures, and is not told the secret.
    pub fn illustrator(&self) -> Program {
        self.program(&["illustrate", self.lab.name()], true, None, PATIENCE)
    }

    fn checks(&self, engine: &[&str], predicts: bool, patience: Duration) -> Program {
        let words = [&[self.lab.name(), "--json"], engine].concat();
        let mut program = self.program(&words, predicts, self.secret, patience);
        // A check starts in a folder of its own: it must not look for a course there.
        match self.course {
            None => program.arguments.push("--no-course".to_owned()),
            Some(course) => {
                let path = course.path.to_string_lossy().into_owned();
                program.arguments.extend(["--course".to_owned(), path]);
            }
        }
        program.arguments.push("--file".to_owned());
        program
    }

    fn program(&self, words: &[&str], predicts: bool, secret: Option<&str>, patience: Duration) -> Program {
        let gpu = self.gpu.filter(|_| predicts).into_iter().flat_map(|name| ["--gpu", name]);
        let grader = (GRADED_BY.to_owned(), std::process::id().to_string());
        let secret = secret.map(|secret| (chance::VARIABLE.to_owned(), secret.to_owned()));
        Program {
            path: self.own.clone(),
            arguments: words.iter().copied().chain(gpu).map(str::to_owned).collect(),
            environment: [grader].into_iter().chain(secret).collect(),
            patience,
        }
    }
}

/// The path of this program.
pub fn own_path() -> Result<PathBuf, Stop> {
    std::env::current_exe()
        .map_err(|error| Stop::environment(format!("failed to find this program: {error}")))
}

/// The name of a GPU for a process that is to see it alone. The numbers of this process may be a choice already.
fn visible(index: usize) -> String {
    let chosen = std::env::var("CUDA_VISIBLE_DEVICES").unwrap_or_default();
    chosen.split(',').nth(index).filter(|name| !name.is_empty()).map_or(index.to_string(), str::to_owned)
}

/// Compiles an empty file, to see whether the machine can keep the compiler from reading other files.
pub fn demand_confinement(setup: &Setup) -> Result<(), Stop> {
    let request = Request {
        source: "",
        file: "empty.cu",
        headers: &[],
        options: &[],
        target: Target::Ptx(setup.targets.ptx),
    };
    let compiled = setup.submissions().compile_all(&[request]);
    compiled.map_err(|failure| Stop::environment(failure.to_string()))?;
    match setup.unconfined() {
        None => Ok(()),
        Some(reason) => Err(Stop::environment(format!(
            "this machine cannot lock the compiler up: {reason}. Files of people whom you do not know could read yours. Grade on a \
             machine with Linux 6.7 or newer, or, if you trust every author, with `--unsandboxed`"
        ))),
    }
}

/// What grading must know of the lab.
///
/// `due`: another due date than the course's.
pub fn described(lab: &dyn Lab, course: Option<&Course>, due: Option<Moment>) -> Result<result::Lab, Stop> {
    let levels = |task: &&'static dyn lab::Task| {
        let levels = course::points(course, *task).share.levels;
        let levels = levels.iter().map(|level| (level.name.to_owned(), level.at)).collect();
        (task.name().to_owned(), levels)
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
        due: due.or_else(|| course?.lab(lab)?.due.clone()),
        levels: tasks.iter().map(levels).collect(),
        published,
    })
}

/// SHA-256 of this program: the checker, the labs and the timing model in one.
pub fn own_hash() -> Result<String, Stop> {
    let failed = |error| Stop::environment(format!("failed to read this program: {error}"));
    let bytes = std::env::current_exe().and_then(std::fs::read).map_err(failed)?;
    Ok(grading::hash::of(&bytes))
}
