//! `workshop seeds`: the predicted score of every rung under several secret seeds.
//!
//! Under another seed, other rows of the picture are run, other blocks are tried, and the pictures have other contents. A student
//! whose class is graded with another seed should get the same points.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use lab::Task;
use records::{Record, SeedsRow};

use crate::command_line::CommandLine;
use crate::result::ResultOptions;
use crate::rungs;
use crate::sources::{self, Source};
use judge::chance;
use judge::exit::{self, Stop};
use judge::labs;
use judge::performance;
use judge::progress::Progress;
use judge::report::Verdict;
use judge::score::{self, Speed};
use judge::setup::{EngineChoice, Setup};
use judge::verify::Runner;
use judge::wrap::shortened;

/// Points that the scores of a task may lie apart.
const ALLOWED: f64 = 1.0;

/// Predicted points of every rung under several secret seeds: exit code 1 if those of a task are more than 1 apart
#[derive(Debug, Args)]
pub struct Seeds {
    /// Only these labs
    labs: Vec<String>,
    /// Seeds per rung
    #[arg(long = "seeds", value_name = "N", default_value_t = 5)]
    per_rung: usize,
    #[command(flatten)]
    result: ResultOptions,
}

impl Seeds {
    /// Scores every rung with each seed, writes and prints.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = labs::named(&self.labs)?;
        let sources = sources::ladders(&labs, &sources::workspace()?)?;
        let progress = Progress::new();
        let gpu = &simulator::model::gpus()[0];
        let setup = Setup::new(EngineChoice::Simulator, gpu, &progress)?;
        let rows = sources.iter().map(|source| {
            progress.say(&format!("predicting {} of {}", source.name, source.lab.name()));
            rows(source, &setup, self.per_rung.max(1))
        });
        let rows: Vec<SeedsRow> = rows.collect::<Result<Vec<_>, Stop>>()?.into_iter().flatten().collect();
        drop(progress);
        let seeds = (self.per_rung != 5).then_some(self.per_rung);
        let command = CommandLine::of::<records::Seeds>()
            .labs(&labs)
            .option("--seeds", seeds)
            .file("--out", self.result.out.as_deref());
        let provenance = records::Provenance {
            compiler: Some(setup.compiler_name()),
            command: command.into(),
            ..records::Provenance::default()
        };
        let largest = rows.iter().map(|row| row.spread).fold(0.0, f64::max);
        let content = records::Seeds {
            predicted_for: gpu.title.to_owned(),
            seeds: self.per_rung.max(1),
            allowed_spread: ALLOWED,
            largest,
            rows,
        };
        let record = Record::new(provenance, content);
        self.result.write(&record)?;
        self.result.print(&record, || table(&record.content))?;
        Ok(exit::verdict(largest <= ALLOWED))
    }
}

/// The scores of a rung's tasks with this many seeds.
fn rows(source: &Source, setup: &Setup, seeds: usize) -> Result<Vec<SeedsRow>, Stop> {
    let build = rungs::compiled(source, setup)?;
    let simulation = build.simulation(setup.simulated_gpu());
    let score = |task: &dyn Task, seed: u64| {
        let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: None };
        let timed = performance::time(task, &task.timed_case(), setup, &mut runner, seed)?;
        let right = timed.case.verdict == Verdict::Passed;
        let performance = timed.performance.filter(|_| right).ok_or_else(|| {
            Stop::environment(format!("`{}` is not right in `{}` with seed {seed}", source.name, task.name()))
        })?;
        let unscored = performance.unscored.is_some();
        let speed = (!unscored).then_some(Speed {
            share: performance.share,
            speedup: performance.speedup,
            state: performance.state,
        });
        let lines = score::lines(task.name(), &task.points(), true, speed, "not scored");
        Ok::<_, Stop>((score::total(&lines).0, unscored))
    };
    let of_task = |task: &&'static dyn Task| {
        let each = (0..seeds).map(|number| score(*task, chance::seed_of(&format!("seed {number}"))));
        let each: Vec<(f64, bool)> = each.collect::<Result<_, Stop>>()?;
        let lowest = each.iter().map(|(score, _)| *score).fold(f64::INFINITY, f64::min);
        let highest = each.iter().map(|(score, _)| *score).fold(0.0, f64::max);
        Ok(SeedsRow {
            lab: source.lab.name().to_owned(),
            rung: source.name.clone(),
            task: task.name().to_owned(),
            lowest,
            highest,
            spread: highest - lowest,
            unscored: each.iter().filter(|(_, unscored)| *unscored).count(),
        })
    };
    source.tasks.iter().map(of_task).collect()
}

fn table(seeds: &records::Seeds) -> String {
    let mut out = format!("{} secret seeds, predicted for {}\n\n", seeds.seeds, seeds.predicted_for);
    let _ = writeln!(out, "{:50} {:>7} {:>7} {:>7}", "rung and task", "lowest", "highest", "spread");
    for row in &seeds.rows {
        let name = shortened(&format!("{} {}: {}", row.lab, row.rung, row.task), 50);
        let mark = match (row.unscored, row.spread > seeds.allowed_spread) {
            (0, false) => String::new(),
            (0, true) => "APART".to_owned(),
            (unscored, _) => format!("not scored with {unscored}"),
        };
        let line = format!("{name:50} {:>7.1} {:>7.1} {:>7.2}   {mark}", row.lowest, row.highest, row.spread);
        let _ = writeln!(out, "{}", line.trim_end());
    }
    let _ = writeln!(out, "\nthe largest spread is {:.2} points", seeds.largest);
    out
}
