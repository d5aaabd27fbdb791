//! `workshop scores`: the points of every rung with measured and with predicted times, side by side.
//!
//! A student without a GPU should get the score of one with a GPU. Both are scored by the same scales; what differs is
//! where the times come from, and the CPU that a speedup is over: this machine's, or the one that the labs name.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use lab::{Lab, Task};
use serde::{Deserialize, Serialize};
use simulator::model::Gpu;

use super::date::today;
use super::rungs;
use checker::exit::{self, Stop};
use checker::labs;
use checker::output;
use checker::performance::{self, TimingFixtures};
use checker::progress::Progress;
use checker::render::shortened;
use checker::report::Verdict;
use checker::rung::Rung;
use checker::score::State;
use checker::score::{self, Speed};
use checker::setup::EngineChoice;
use checker::setup::Setup;
use checker::verify::Runner;
use checker::workspace::{Workspace, current_folder};

/// Of random images.
const SEED: u64 = 1;

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
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write the JSON to this file too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Scores {
    /// Does it.
    pub fn run(mut self) -> Result<ExitCode, Stop> {
        self.labs = labs::named(&self.labs)?.into_iter().map(|lab| lab.name().to_owned()).collect();
        run(&self)
    }
}

/// All of it, as it is committed.
#[derive(Debug, Serialize)]
struct ScoresData {
    gpu: String,
    driver: String,
    /// Of the measurement.
    date: String,
    command: String,
    /// Of the predictions.
    compiler: String,
    predicted_for: &'static str,
    allowed_difference: f64,
    within: usize,
    rungs: Vec<Both>,
}

/// One rung: all of its lab's 100 points.
#[derive(Debug, Serialize)]
struct Both {
    lab: String,
    rung: String,
    measured: f64,
    predicted: f64,
    /// Predicted − measured.
    difference: f64,
    tasks: Vec<OfTask>,
}

/// One task of a rung.
#[derive(Debug, Serialize)]
struct OfTask {
    task: String,
    points: f64,
    measured: Side,
    predicted: Side,
    difference: f64,
}

/// A score and what it is made from.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
struct Side {
    score: f64,
    bandwidth: f64,
    speedup: f64,
    share: f64,
    times: f64,
    state: State,
}

/// What `workshop matrix` wrote, as far as it is needed.
#[derive(Debug, Deserialize)]
struct Matrix {
    gpu: String,
    driver: String,
    date: String,
    rows: Vec<MatrixRow>,
}

#[derive(Debug, Deserialize)]
struct MatrixRow {
    lab: String,
    rung: String,
    task: String,
    right: bool,
    share: f64,
    speedup: f64,
    /// `stable`, also in files from before there was another.
    #[serde(default = "stable")]
    state: String,
}

fn stable() -> String {
    "stable".to_owned()
}

/// A rung's measured speeds, task by task.
type Speeds = Vec<(String, Speed)>;

/// Scores every rung twice, writes and prints.
fn run(order: &Scores) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let progress = Progress::new();
    let labs = order.labs.iter().map(|name| labs::find(name)).collect::<Result<Vec<_>, _>>()?;
    let matrix = match &order.measured {
        Some(path) => read(path)?,
        None => measure(&labs, &workspace, &progress)?,
    };
    let gpu = modelled(&matrix.gpu)?;
    let setup = Setup::new(EngineChoice::Simulator, gpu, &progress)?;
    let mut rungs = Vec::new();
    for lab in &labs {
        for rung in workspace.rungs(*lab)? {
            let name = rung.name();
            progress.say(&format!("predicting {name} of {}", lab.name()));
            let Some(measured) = matrix.speeds(lab.name(), &name)? else { continue };
            let predicted = predicted(*lab, &rung, &setup)?;
            rungs.push(beside(*lab, name, &measured, &predicted));
        }
    }
    drop(progress);
    if rungs.is_empty() {
        return Err(Stop::Usage(
            "no rung of these labs has measured times: run `workshop matrix` first".into(),
        ));
    }
    let scores = ScoresData {
        gpu: matrix.gpu,
        driver: matrix.driver,
        date: matrix.date,
        command: command(order, |path| workspace.shown(&here.join(path))),
        compiler: setup.compiler_name(),
        predicted_for: gpu.title,
        allowed_difference: ALLOWED,
        within: rungs.iter().filter(|rung| rung.is_within()).count(),
        rungs,
    };
    if let Some(out) = &order.out {
        output::json_file(out, &scores)?;
    }
    if order.json {
        output::json(&scores)?;
    } else {
        output::text(&table(&scores))?;
    }
    Ok(exit::verdict(scores.within == scores.rungs.len()))
}

/// The command that does this again.
fn command(order: &Scores, shown: impl Fn(&Path) -> String) -> String {
    let mut words = vec!["workshop scores".to_owned()];
    if order.labs.len() < labs::all().len() {
        words.extend(order.labs.iter().cloned());
    }
    words.extend(order.measured.iter().map(|path| format!("--measured {}", shown(path))));
    words.extend(order.out.iter().map(|path| format!("--out {}", shown(path))));
    words.join(" ")
}

fn read(path: &Path) -> Result<Matrix, Stop> {
    let failed = |why: String| {
        Stop::Usage(format!(
            "failed to read `{}`: {why}; `workshop matrix` writes such a file",
            path.display()
        ))
    };
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    serde_json::from_str(&text).map_err(|error| failed(error.to_string()))
}

impl Matrix {
    /// The measured speeds of a rung; `None` if there are none.
    fn speeds(&self, lab: &str, rung: &str) -> Result<Option<Speeds>, Stop> {
        let mut speeds = Vec::new();
        for row in self.rows.iter().filter(|row| row.lab == lab && row.rung == rung) {
            let state = match row.state.as_str() {
                "stable" => State::Stable,
                "unstable" => State::Unstable,
                "suspect" => State::Suspect,
                other => return Err(Stop::Usage(format!("`{other}` is no state of a measurement"))),
            };
            if !row.right {
                return Err(Stop::Usage(format!("`{rung}` of {lab} was wrong when it was measured")));
            }
            speeds.push((row.task.clone(), Speed { share: row.share, speedup: row.speedup, state }));
        }
        Ok((!speeds.is_empty()).then_some(speeds))
    }
}

/// Measures every rung on the GPU of this machine. The CPU's references are timed once a task.
fn measure(labs: &[&'static dyn Lab], workspace: &Workspace, progress: &Progress) -> Result<Matrix, Stop> {
    let (setup, device) = rungs::setup(progress, "workshop scores` without `--measured")?;
    let mut rows = Vec::new();
    let mut fixtures = TimingFixtures::default();
    rungs::each_rung(labs, workspace, &setup, &device, &mut |rung| {
        for task in rung.tasks.iter().copied() {
            progress.say(&format!("measuring {}: {}", rung.name, task.name()));
            let mut runner =
                Runner { program: rung.program, simulation: &rung.simulation, gpu: Some(&mut rung.gpu) };
            let case = task.timed_case();
            let timed = performance::time_on(task, &case, &setup, &mut runner, SEED, &mut fixtures)?;
            let speed = speed(task, &rung.name, timed)?;
            rows.push(MatrixRow {
                lab: rung.lab.name().to_owned(),
                rung: rung.name.clone(),
                task: task.name().to_owned(),
                right: true,
                share: speed.share,
                speedup: speed.speedup,
                state: match speed.state {
                    State::Stable => "stable",
                    State::Unstable => "unstable",
                    State::Suspect => "suspect",
                }
                .to_owned(),
            });
        }
        Ok(())
    })?;
    let driver = device.driver_name();
    Ok(Matrix { gpu: device.name, driver, date: today(), rows })
}

/// What the simulator predicts of a rung, compiled as for a student without a GPU.
fn predicted(lab: &'static dyn Lab, rung: &Rung, setup: &Setup) -> Result<Speeds, Stop> {
    let (name, build) = rungs::compiled(lab, &rung.path, &rung.tasks, setup)?;
    let simulation = build.simulation(setup.simulated_gpu());
    let one = |task: &&'static dyn Task| {
        let mut runner = Runner { program: &build.program, simulation: &simulation, gpu: None };
        let timed = performance::time(*task, &task.timed_case(), setup, &mut runner, SEED)?;
        Ok((task.name().to_owned(), speed(*task, &name, timed)?))
    };
    rung.tasks.iter().map(one).collect()
}

fn speed(task: &dyn Task, rung: &str, timed: performance::Timed) -> Result<Speed, Stop> {
    let right = timed.case.verdict == Verdict::Passed;
    let performance = timed.performance.filter(|_| right).ok_or_else(|| {
        Stop::environment(format!("`{rung}` is not right in `{}`: run `workshop verify`", task.name()))
    })?;
    Ok(Speed { share: performance.share, speedup: performance.speedup, state: performance.state })
}

/// The GPU of this name as the model knows it.
fn modelled(name: &str) -> Result<&'static Gpu, Stop> {
    let known = |gpu: &&Gpu| gpu.title.split(',').next() == Some(name);
    simulator::model::gpus().iter().find(known).ok_or_else(|| {
        Stop::environment(format!("there is no model of the GPU `{name}`: nothing can be predicted for it"))
    })
}

fn beside(lab: &dyn Lab, rung: String, measured: &Speeds, predicted: &Speeds) -> Both {
    let find =
        |speeds: &Speeds, task: &str| speeds.iter().find(|(name, _)| name == task).map(|(_, speed)| *speed);
    let one = |task: &&'static dyn Task| {
        let (measured, predicted) = (find(measured, task.name())?, find(predicted, task.name())?);
        let (measured, predicted) = (side(*task, measured), side(*task, predicted));
        Some(OfTask {
            task: task.name().to_owned(),
            points: task.points().total(),
            difference: predicted.score - measured.score,
            measured,
            predicted,
        })
    };
    let tasks: Vec<OfTask> = lab.tasks().iter().filter_map(one).collect();
    let sum = |side: fn(&OfTask) -> f64| tasks.iter().map(side).sum::<f64>();
    let (measured, predicted) = (sum(|task| task.measured.score), sum(|task| task.predicted.score));
    Both { lab: lab.name().to_owned(), rung, measured, predicted, difference: predicted - measured, tasks }
}

fn side(task: &dyn Task, speed: Speed) -> Side {
    let lines = score::lines(task.name(), &task.points(), true, Some(speed), "");
    let of = |what| lines.iter().find(|line| line.what == what).map_or(0.0, |line| line.points);
    Side {
        score: score::total(&lines).0,
        bandwidth: of("bandwidth"),
        speedup: of("speedup"),
        share: speed.share,
        times: speed.speedup,
        state: speed.state,
    }
}

impl Both {
    fn is_within(&self) -> bool {
        self.difference.abs() <= ALLOWED
    }
}

fn table(scores: &ScoresData) -> String {
    let mut out = format!("{}, driver {}, {}\n", scores.gpu, scores.driver, scores.date);
    let _ = writeln!(out, "predicted for {}, {}\n", scores.predicted_for, scores.compiler);
    let _ = writeln!(
        out,
        "{:34} {:>9} {:>9} {:>10}   {:>7} {:>7} {:>8} {:>8}",
        "rung", "measured", "predicted", "difference", "share", "pred.", "speedup", "pred."
    );
    for rung in &scores.rungs {
        let mark = if rung.is_within() { "" } else { "APART" };
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
        assert!((same.measured - 100.0).abs() < 1e-9 && same.difference.abs() < 1e-9 && same.is_within());
        // The speedup saturates: only the share counts.
        let slower = beside(lab, "01_a".into(), &fast, &speeds(0.60, 5000.0, State::Stable));
        let lost: f64 =
            slower.tasks.iter().map(|task| task.measured.bandwidth - task.predicted.bandwidth).sum();
        assert!((slower.difference + lost).abs() < 1e-9 && !slower.is_within(), "{slower:?}");
        let unstable = beside(lab, "01_a".into(), &speeds(0.96, 500.0, State::Unstable), &fast);
        assert!((unstable.difference - 50.0).abs() < 1e-9);
    }

    #[test]
    fn a_measured_file_is_read_and_its_gpu_has_a_model() {
        let row = r#"{"lab": "lab1", "rung": "01_a", "task": "grayscale", "right": true, "share": 0.5,
            "speedup": 9.0, "cases": 20}"#;
        let text = format!(r#"{{"gpu": "NVIDIA H200", "driver": "580", "date": "d", "rows": [{row}]}}"#);
        let matrix: Matrix = serde_json::from_str(&text).expect("a matrix");
        assert!(modelled(&matrix.gpu).is_ok() && modelled("Voodoo 2").is_err());
        assert_eq!(matrix.speeds("lab1", "01_a").expect("its speeds").map(|speeds| speeds.len()), Some(1));
        assert!(matrix.speeds("lab2", "01_a").expect("none").is_none());
        let wrong: Matrix = serde_json::from_str(&text.replace("true", "false")).expect("a matrix");
        assert!(wrong.speeds("lab1", "01_a").is_err());
    }
}
