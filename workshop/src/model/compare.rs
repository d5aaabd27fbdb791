//! `workshop model`: predicted beside measured times, and on request the fit of the model to them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use serde::Serialize;
use simulator::model::{self as timing, Gpu, H200};

use super::count::{Counted, counted};
use super::counts;
use super::fit;
use super::plot::{self, Dot};
use crate::points::{Point, Set, Times, cases, sources};
use crate::totals::TotalsData;
use checker::exit::{self, Stop};
use checker::labs;
use checker::output;
use checker::progress::Progress;
use checker::setup::EngineChoice;
use checker::setup::Setup;
use checker::workspace::{Workspace, current_folder};

/// Two kernels whose measured times differ by more than this factor must not be swapped.
pub const DIFFERENT: f64 = 1.15;

/// Compare the timing model with measured times, or fit it to those of the ladders
#[derive(Debug, Args)]
pub struct Model {
    /// Measured times, as `workshop times` writes them
    #[arg(long, value_name = "FILE", default_value = "book/data/times-h200.json")]
    times: PathBuf,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Draw predicted over measured times to this file
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Fit first, and write the weights here: `engine/simulator/src/model/time/weights.rs`
    #[arg(long, value_name = "FILE")]
    fit: Option<PathBuf>,
    /// Put what was counted beside the GPU's counters, as `workshop totals` writes them
    #[arg(long, value_name = "FILE")]
    totals: Option<PathBuf>,
}

impl Model {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        run(&self)
    }

    /// The command, as far as it says what was compared.
    fn command(&self) -> String {
        let file = |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
        let totals = self.totals.as_deref().and_then(file);
        let totals = totals.map_or(String::new(), |totals| format!(" --totals book/data/{totals}"));
        format!("workshop model{totals}")
    }
}

/// A prediction beside its measurement.
#[derive(Debug, Serialize)]
struct Row {
    #[serde(flatten)]
    point: Point,
    predicted_seconds: f64,
    /// Predicted ÷ measured.
    ratio: f64,
    limiter: &'static str,
}

/// How good the model is on a set.
#[derive(Debug, Serialize)]
struct Summary {
    set: Set,
    lab: Option<String>,
    times: usize,
    /// Mean of |predicted ÷ measured − 1|.
    mean_absolute_error: f64,
    /// Half of the errors are below this.
    median_absolute_error: f64,
    /// Pairs of kernels of one task and picture whose times differ by more than 15 %.
    pairs: usize,
    /// Those that the model puts in the other order.
    swapped: usize,
}

/// The comparison, as it is committed.
#[derive(Debug, Serialize)]
struct Comparison {
    gpu: String,
    driver: String,
    date: String,
    /// Of the machine code that was counted.
    compiler: String,
    command: String,
    summaries: Vec<Summary>,
    /// Counts beside the GPU's, where they were compared.
    counts: Vec<counts::Summary>,
    rows: Vec<Row>,
}

/// Compares, perhaps fits first, writes the JSON, prints a table.
fn run(order: &Model) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let times = Times::read(&order.times)?;
    let progress = Progress::new();
    let gpu = &timing::gpus()[0];
    let setup = Setup::new(EngineChoice::Simulator, gpu, &progress)?;
    let (all, cases) = (labs::all(), cases());
    let mut calls = Vec::new();
    for source in sources(&all, &workspace)? {
        progress.say(&format!("counting {} of {}", source.name, source.lab.name()));
        calls.extend(counted(&setup, &source, &cases, &times.points)?);
    }
    let mut model = H200;
    if let Some(path) = &order.fit {
        let ladder: Vec<Counted> =
            calls.iter().filter(|call| call.point.set == Set::Ladder).cloned().collect();
        model = fit::fit(&ladder, H200, gpu, |what| progress.say(what));
        let from = workspace.shown(&here.join(&order.times));
        write(path, &fit::source(&model, &from, &times.gpu))?;
    }
    drop(progress);
    if setup.compiler_name() != times.compiler {
        output::text(&format!(
            "the times are of code by {}, what is counted of code by {}: `WORKBOOK_NVRTC` names another compiler\n",
            times.compiler,
            setup.compiler_name()
        ))?;
    }
    let beside = match &order.totals {
        Some(totals) => counts::rows(&calls, &TotalsData::read(totals)?)?,
        None => Vec::new(),
    };
    let rows: Vec<Row> = calls.iter().map(|call| row(call, &model, gpu)).collect();
    let comparison = Comparison {
        gpu: times.gpu.clone(),
        driver: times.driver.clone(),
        date: times.date.clone(),
        compiler: setup.compiler_name(),
        command: order.command(),
        summaries: summaries(&rows),
        counts: counts::summaries(&beside),
        rows,
    };
    if let Some(out) = &order.out {
        output::json_file(out, &comparison)?;
    }
    if let Some(plot) = &order.plot {
        let dot = |row: &Row| Dot {
            set: row.point.set,
            measured: row.point.seconds,
            predicted: row.predicted_seconds,
        };
        let dots: Vec<Dot> = comparison.rows.iter().map(dot).collect();
        plot::save(plot, &comparison.gpu, &dots)?;
    }
    output::text(&table(&comparison))?;
    if !beside.is_empty() {
        output::text(&counts::table(&beside))?;
    }
    Ok(exit::verdict(true))
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    std::fs::write(path, text)
        .map_err(|error| Stop::environment(format!("failed to write `{}`: {error}", path.display())))
}

fn row(call: &Counted, model: &timing::Model, gpu: &Gpu) -> Row {
    let predicted_seconds = call.seconds(model, gpu);
    Row {
        ratio: predicted_seconds / call.point.seconds,
        predicted_seconds,
        limiter: call.limiter(model, gpu),
        point: call.point.clone(),
    }
}

fn summaries(rows: &[Row]) -> Vec<Summary> {
    let mut all = Vec::new();
    for set in [Set::Ladder, Set::HeldOut] {
        let of_set: Vec<&Row> = rows.iter().filter(|row| row.point.set == set).collect();
        all.push(summary(set, None, &of_set));
        for lab in labs::all() {
            let of_lab: Vec<&Row> =
                of_set.iter().copied().filter(|row| row.point.lab == lab.name()).collect();
            if !of_lab.is_empty() {
                all.push(summary(set, Some(lab.name().to_owned()), &of_lab));
            }
        }
    }
    all
}

fn summary(set: Set, lab: Option<String>, rows: &[&Row]) -> Summary {
    let mut errors: Vec<f64> = rows.iter().map(|row| (row.ratio - 1.0).abs()).collect();
    errors.sort_by(f64::total_cmp);
    let (mut pairs, mut swapped) = (0, 0);
    for (index, one) in rows.iter().enumerate() {
        for other in &rows[index + 1..] {
            let same = |row: &Row| (row.point.lab.clone(), row.point.task.clone(), row.point.case.clone());
            if same(one) != same(other) {
                continue;
            }
            let measured = one.point.seconds / other.point.seconds;
            if measured.max(1.0 / measured) > DIFFERENT {
                pairs += 1;
                swapped += usize::from((measured > 1.0) != (one.predicted_seconds > other.predicted_seconds));
            }
        }
    }
    Summary {
        set,
        lab,
        times: errors.len(),
        mean_absolute_error: errors.iter().sum::<f64>() / errors.len().max(1) as f64,
        median_absolute_error: errors.get(errors.len() / 2).copied().unwrap_or(f64::NAN),
        pairs,
        swapped,
    }
}

fn table(comparison: &Comparison) -> String {
    let mut out = format!("{}, driver {}, {}\n", comparison.gpu, comparison.driver, comparison.date);
    let _ = writeln!(
        out,
        "{:10} {:6} {:>6} {:>11} {:>9} {:>16}",
        "set", "lab", "times", "mean error", "median", "swapped"
    );
    for summary in &comparison.summaries {
        let set = if summary.set == Set::Ladder { "ladder" } else { "held out" };
        let _ = writeln!(
            out,
            "{set:10} {:6} {:>6} {:>9.1} % {:>7.1} % {:>6} of {:>6}",
            summary.lab.as_deref().unwrap_or("all"),
            summary.times,
            100.0 * summary.mean_absolute_error,
            100.0 * summary.median_absolute_error,
            summary.swapped,
            summary.pairs
        );
    }
    let _ = writeln!(out, "\nthe worst:");
    let mut worst: Vec<&Row> = comparison.rows.iter().collect();
    worst.sort_by(|one, other| other.ratio.ln().abs().total_cmp(&one.ratio.ln().abs()));
    for row in worst.iter().take(40) {
        let _ = writeln!(
            out,
            "  {:5} {:30} {:22} {:16} {:>9.4} ms, predicted {:>9.4}, {}",
            row.point.lab,
            checker::render::shortened(&row.point.kernel, 30),
            checker::render::shortened(&row.point.task, 22),
            row.point.case,
            row.point.seconds * 1e3,
            row.predicted_seconds * 1e3,
            row.limiter
        );
    }
    out
}
