//! `workshop scores`: the points of every rung with measured and with predicted times, side by side.
//!
//! A student without a GPU should get the score of one with a GPU. Both are scored by the same scales. They differ in where the
//! times come from, and in the CPU that a speedup is over: this machine's, or the one that the labs name.

mod speeds;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lab::{Lab, Task};
use records::{Provenance, Record, RungScores, Score, TaskScores};
use simulator::model::Gpu;

use self::speeds::{Measured, Speeds, predicted};
use crate::command_line::CommandLine;
use crate::machine::heading;
use crate::result::ResultOptions;
use crate::sources;
use crate::timed::state;
use judge::exit::{self, Stop};
use judge::labs;
use judge::progress::Progress;
use judge::score::{self, Speed};
use judge::setup::{EngineChoice, Setup};
use judge::wrap::shortened;

/// Points that the two scores of a rung may lie apart.
const ALLOWED: f64 = 5.0;

/// Points of every rung with measured and with predicted times: exit code 1 if they are more than 5 apart
#[derive(Debug, Args)]
pub struct Scores {
    /// Only these labs
    labs: Vec<String>,
    /// Times that `workshop matrix` has written, instead of measuring now (which needs a GPU)
    #[arg(long, value_name = "FILE")]
    measured: Option<PathBuf>,
    #[command(flatten)]
    result: ResultOptions,
}

impl Scores {
    /// Scores every rung twice, writes and prints.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = labs::named(&self.labs)?;
        let sources = sources::ladders(&labs, &sources::workspace()?)?;
        let progress = Progress::new();
        let measured = match &self.measured {
            Some(path) => Measured::read(path)?,
            None => Measured::now(&sources, &progress)?,
        };
        let gpu = modelled(measured.provenance.gpu.as_deref().unwrap_or_default())?;
        let setup = Setup::new(EngineChoice::Simulator, gpu, &progress)?;
        let mut rungs = Vec::new();
        for source in sources {
            progress.say(&format!("predicting {} of {}", source.name, source.lab.name()));
            let Some(measured) = measured.of(source.lab.name(), &source.name) else { continue };
            let predicted = predicted(&source, &setup)?;
            rungs.push(beside(source.lab, source.name, measured, &predicted));
        }
        drop(progress);
        if rungs.is_empty() {
            return Err(Stop::Usage(
                "no rung of these labs has measured times: run `workshop matrix` first".into(),
            ));
        }
        let command = CommandLine::of::<records::Scores>()
            .labs(&labs)
            .file("--measured", self.measured.as_deref())
            .file("--out", self.result.out.as_deref());
        // GPU, driver and date are those of the measurement, the compiler is that of the predictions.
        let provenance = Provenance {
            compiler: Some(setup.compiler_name()),
            command: command.into(),
            ..measured.provenance
        };
        let scores = records::Scores {
            predicted_for: gpu.title.to_owned(),
            allowed_difference: ALLOWED,
            within: rungs.iter().filter(|rung| is_within(rung)).count(),
            rungs,
        };
        let record = Record::new(provenance, scores);
        self.result.write(&record)?;
        self.result.print(&record, || table(&record))?;
        Ok(exit::verdict(record.content.within == record.content.rungs.len()))
    }
}

/// The GPU of this name as the model knows it.
fn modelled(name: &str) -> Result<&'static Gpu, Stop> {
    let known = |gpu: &&Gpu| gpu.title.split(',').next() == Some(name);
    simulator::model::gpus().iter().find(known).ok_or_else(|| {
        Stop::environment(format!(
            "failed to predict times for the GPU `{name}`: the simulator has no model of it"
        ))
    })
}

fn beside(lab: &dyn Lab, rung: String, measured: &Speeds, predicted: &Speeds) -> RungScores {
    let find =
        |speeds: &Speeds, task: &str| speeds.iter().find(|(name, _)| name == task).map(|(_, speed)| *speed);
    let one = |task: &&'static dyn Task| {
        let (measured, predicted) = (find(measured, task.name())?, find(predicted, task.name())?);
        let (measured, predicted) = (side(*task, measured), side(*task, predicted));
        Some(TaskScores {
            task: task.name().to_owned(),
            points: task.points().total(),
            difference: predicted.score - measured.score,
            measured,
            predicted,
        })
    };
    let tasks: Vec<TaskScores> = lab.tasks().iter().filter_map(one).collect();
    let sum = |side: fn(&TaskScores) -> f64| tasks.iter().map(side).sum::<f64>();
    let (measured, predicted) = (sum(|task| task.measured.score), sum(|task| task.predicted.score));
    RungScores {
        lab: lab.name().to_owned(),
        rung,
        measured,
        predicted,
        difference: predicted - measured,
        tasks,
    }
}

fn side(task: &dyn Task, speed: Speed) -> Score {
    let lines = score::lines(task.name(), &task.points(), true, Some(speed), "");
    let of = |what| lines.iter().find(|line| line.what == what).map_or(0.0, |line| line.points);
    Score {
        score: score::total(&lines).0,
        bandwidth: of("bandwidth"),
        speedup: of("speedup"),
        share: speed.share,
        times: speed.speedup,
        state: state(speed.state),
    }
}

fn is_within(rung: &RungScores) -> bool {
    rung.difference.abs() <= ALLOWED
}

fn table(record: &Record<records::Scores>) -> String {
    let (scores, provenance) = (&record.content, &record.provenance);
    let compiler = provenance.compiler.as_deref().unwrap_or_default();
    let mut out = format!("{}\n", heading(provenance));
    let _ = writeln!(out, "predicted for {}, {compiler}\n", scores.predicted_for);
    let _ = writeln!(
        out,
        "{:34} {:>9} {:>9} {:>10}   {:>7} {:>7} {:>8} {:>8}",
        "rung", "measured", "predicted", "difference", "share", "pred.", "speedup", "pred."
    );
    for rung in &scores.rungs {
        let mark = if is_within(rung) { "" } else { "APART" };
        let name = shortened(&format!("{} {}", rung.lab, rung.rung), 34);
        let line = format!(
            "{name:34} {:>9.1} {:>9.1} {:>+10.1}   {mark}",
            rung.measured, rung.predicted, rung.difference
        );
        let _ = writeln!(out, "{}", line.trim_end());
        for task in &rung.tasks {
            let _ = writeln!(
                out,
                "{:34} {:>9.1} {:>9.1} {:>+10.1}   {:>6.1}% {:>6.1}% {:>8.1} {:>8.1}",
                shortened(&format!("  {}", task.task), 34),
                task.measured.score,
                task.predicted.score,
                task.difference,
                100.0 * task.measured.share,
                100.0 * task.predicted.share,
                task.measured.times,
                task.predicted.times
            );
        }
    }
    let _ = writeln!(
        out,
        "\n{} of {} rungs have two scores within {ALLOWED} points",
        scores.within,
        scores.rungs.len()
    );
    out
}

#[cfg(test)]
mod tests {
    use judge::score::State;

    use super::*;

    fn speeds(share: f64, speedup: f64, state: State) -> Speeds {
        let speed = Speed { share, speedup, state };
        vec![("grayscale".into(), speed), ("grayscale_darken".into(), speed)]
    }

    #[test]
    fn equal_speeds_have_equal_scores_and_others_do_not() {
        let lab = labs::all()[0];
        let fast = speeds(0.96, 500.0, State::Stable);
        let same = beside(lab, "01_a".into(), &fast, &fast);
        assert!((same.measured - 100.0).abs() < 1e-9 && same.difference.abs() < 1e-9 && is_within(&same));
        // A smaller share of the yardstick's speed costs points of both kinds.
        let slower = beside(lab, "01_a".into(), &fast, &speeds(0.60, 5000.0, State::Stable));
        let lost: f64 =
            slower.tasks.iter().map(|task| task.measured.bandwidth - task.predicted.bandwidth).sum();
        assert!(lost > 10.0 && slower.difference <= -lost && !is_within(&slower), "{slower:?}");
        let unstable = beside(lab, "01_a".into(), &speeds(0.96, 500.0, State::Unstable), &fast);
        assert!((unstable.difference - 50.0).abs() < 1e-9);
    }

    #[test]
    fn the_gpu_of_a_file_has_a_model_or_nothing_is_predicted() {
        assert!(modelled("NVIDIA H200").is_ok() && modelled("Voodoo 2").is_err());
    }
}
