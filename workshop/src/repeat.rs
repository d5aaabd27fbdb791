//! `workshop repeat`: the same submission scored many times, each as if for the first time.
//!
//! The score of one file can be relied on as far as two scores of it agree. Each repetition has its own worker process,
//! makes its pictures anew, and times the CPU's references again, as a student's repeated command does; only the cases, which
//! are right or wrong, are not verified again.

mod summary;

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use lab::{Lab, Points, Task};
use records::{Attempt, Provenance, Record};

use crate::command_line::CommandLine;
use crate::machine::provenance;
use crate::result::ResultOptions;
use crate::timed::state;
use checker::options::{EngineArg, LabOptions, SourceOptions};
use checker::output;
use judge::build::{self, Build, BuildError};
use judge::call::PUBLIC_SEED;
use judge::exit::{self, Stop};
use judge::performance;
use judge::progress::Progress;
use judge::report::{Performance, Verdict};
use judge::score;
use judge::setup::{Engine, Setup};
use judge::submission::{self, Part, Source, Submission};
use judge::verify::{self, Runner};

use self::summary::{ALLOWED, of_task, table};

/// Score the same file many times: exit code 1 if the scores spread by more than 1 % or a level changes
#[derive(Debug, Args)]
pub struct Repeat {
    #[command(flatten)]
    lab: LabOptions,
    #[command(flatten)]
    source: SourceOptions,
    /// Number of scores
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = clap::value_parser!(u16).range(1..))]
    times: u16,
    /// Where the kernels run; the simulator's predictions never differ
    #[arg(long, value_enum, default_value = "gpu")]
    engine: EngineArg,
    #[command(flatten)]
    result: ResultOptions,
}

/// The tasks and the file that are scored.
struct Subject {
    lab: &'static dyn Lab,
    tasks: Vec<&'static dyn Task>,
    source: Source,
    submission: Submission,
}

impl Repeat {
    /// Scores again and again, prints or writes the result.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (lab, tasks) = self.lab.chosen()?;
        let source = self.source.source();
        // Of a rung, the tasks that it is about.
        let Part { submission, tasks } = submission::of_lab(lab, &source, &tasks)?;
        let subject = Subject { lab, tasks, source, submission };
        let progress = Progress::new();
        let setup = Setup::new(self.engine.into(), &simulator::model::gpus()[0], &progress)?;
        let build = subject.built(&setup)?;
        progress.say("verifying");
        if let Some(wrong) = subject.wrong(&setup, &build)? {
            drop(progress);
            output::text(&format!("{}: not scored, because {wrong}\n", subject.submission.shown))?;
            return Ok(exit::verdict(false));
        }
        let mut attempts = vec![Vec::new(); subject.tasks.len()];
        for number in 1..=self.times {
            // In turn, as one command scores them.
            for (task, attempts) in subject.tasks.iter().zip(&mut attempts) {
                progress.say(&format!("{} of {}: {}", number, self.times, task.name()));
                attempts.push(attempt(*task, &setup, &build)?);
            }
        }
        drop(progress);
        let record = subject.record(&setup, self.times, attempts, self.result.out.as_deref());
        self.result.write(&record)?;
        self.result.print(&record, || table(&record))?;
        Ok(exit::verdict(record.content.passed))
    }
}

impl Subject {
    fn record(
        self,
        setup: &Setup,
        times: u16,
        attempts: Vec<Vec<Attempt>>,
        out: Option<&Path>,
    ) -> Record<records::Repeat> {
        let tasks = self.tasks.iter().zip(attempts).map(|(task, attempts)| of_task(*task, attempts));
        let tasks: Vec<_> = tasks.collect();
        let provenance = self.provenance(setup, times, out);
        let repeat = records::Repeat {
            lab: self.lab.name().to_owned(),
            file: self.submission.shown,
            sha256: self.submission.sha256,
            times: times.into(),
            allowed_spread: ALLOWED,
            passed: tasks.iter().all(|task| task.passed),
            tasks,
        };
        Record::new(provenance, repeat)
    }

    fn provenance(&self, setup: &Setup, times: u16, out: Option<&Path>) -> Provenance {
        let line = CommandLine::of::<records::Repeat>().word(self.lab.name());
        let mut line = match &self.source {
            Source::Own => line,
            Source::File(_) => line.option("--file", Some(&self.submission.shown)),
            Source::Solution(None) => line.word("--solution"),
            Source::Solution(Some(number)) => line.option("--solution", Some(number)),
        };
        if self.tasks.len() < self.lab.tasks().len() {
            line = self.tasks.iter().fold(line, |line, task| line.option("--task", Some(task.name())));
        }
        let line = line.option("--times", Some(times)).file("--out", out);
        match &setup.engine {
            Engine::Gpu(device) => provenance(Some(device), setup.compiler_name(), line),
            Engine::Simulator(gpu) => Provenance {
                gpu: Some(format!("simulator, as {}", gpu.title)),
                ..provenance(None, setup.compiler_name(), line)
            },
        }
    }

    fn built(&self, setup: &Setup) -> Result<Build, Stop> {
        let tasks: Vec<&dyn Task> = self.tasks.iter().map(|task| *task as &dyn Task).collect();
        build::build(&setup.compiler, &self.submission, &tasks, setup.targets).map_err(|error| match error {
            BuildError::Stop(stop) => stop,
            BuildError::Source(_) => Stop::Usage(format!(
                "`{}` does not compile: `checker {}` says why",
                self.submission.shown,
                self.lab.name()
            )),
        })
    }

    /// The fault of the file, if it has one.
    fn wrong(&self, setup: &Setup, build: &Build) -> Result<Option<String>, Stop> {
        let simulation = build.simulation(setup.simulated_gpu());
        let mut gpu = setup.worker(build)?;
        for task in &self.tasks {
            if build.missing.iter().any(|name| name == task.name()) {
                return Ok(Some(format!("there is no host function `{}`", task.name())));
            }
            let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: gpu.as_mut() };
            let cases = task.cases();
            let verified =
                verify::verify(*task, &cases, &mut runner, PUBLIC_SEED, None, &mut Vec::new(), &mut |_| {})?;
            if let Some(case) = verified.cases.iter().find(|case| case.verdict != Verdict::Passed) {
                return Ok(Some(format!("`{}` is wrong in \"{}\"", task.name(), case.name)));
            }
            if !verified.right {
                return Ok(Some(format!("`{}` has an error", task.name())));
            }
        }
        Ok(None)
    }
}

/// One score, from a new worker.
fn attempt(task: &dyn Task, setup: &Setup, build: &Build) -> Result<Attempt, Stop> {
    let simulation = build.simulation(setup.simulated_gpu());
    let mut gpu = setup.worker(build)?;
    let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: gpu.as_mut() };
    let timed = performance::time(task, &task.timed_case(), setup, &mut runner, PUBLIC_SEED)?;
    let right = timed.case.verdict == Verdict::Passed;
    match timed.performance.filter(|_| right) {
        Some(performance) => Ok(scored(&task.points(), &performance)),
        None => Err(Stop::environment(format!(
            "`{}` was right in every case, but not while it was timed: {}",
            task.name(),
            timed.findings.first().map_or("wrong outputs", |finding| finding.message.as_str())
        ))),
    }
}

fn scored(points: &Points, timed: &Performance) -> Attempt {
    let speed = score::Speed { share: timed.share, speedup: timed.speedup, state: timed.state };
    let lines = score::lines(&timed.task, points, true, Some(speed), "");
    let level = |scale: &lab::Threshold, value| {
        scale.level(value).map_or_else(|| "none".to_owned(), |level| level.name.to_owned())
    };
    Attempt {
        score: score::total(&lines).0,
        share: timed.share,
        share_error: timed.share_error,
        speedup: timed.speedup,
        bandwidth_level: level(&points.share, timed.share),
        speedup_level: level(&points.times, timed.speedup),
        state: state(timed.state),
        pairs: timed.pairs.unwrap_or(0),
        dropped_pairs: timed.dropped_pairs.unwrap_or(0),
    }
}
