//! `workshop model`: predicted beside measured times, and on request the fit of the model to them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use records::{Coverage, Prediction, Provenance, Record};
use simulator::model::{self as timing, Gpu, H200};

use super::count::counted;
use super::plot::{self, Dot};
use super::ready::Ready;
use super::summary::{set_name, summaries};
use super::{ablate, counts, cross, fit, interval};
use crate::again;
use crate::command_line::CommandLine;
use crate::machine::heading;
use crate::sources::workspace;
use checker::output;
use judge::exit::{self, Stop};
use judge::progress::Progress;
use judge::setup::{EngineChoice, Setup};
use judge::wrap::shortened;

/// Compare the timing model with measured times, fit it to them, validate it
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
    /// Predict each family of kernels with weights fitted to all others, too
    #[arg(long)]
    cross_validate: bool,
    /// Cross-validate the model without each of its mechanisms, too, families left out in a few parts (takes long)
    #[arg(long)]
    ablate: bool,
    /// Compare the model's counts with the GPU's counters, as `workshop totals` writes them
    #[arg(long, value_name = "FILE")]
    totals: Option<PathBuf>,
}

impl Model {
    /// Compares, perhaps fits first, writes the JSON, prints a table.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let Record { provenance, content: times, .. } =
            records::read::<records::Times>(&self.times).map_err(again::stop)?;
        let progress = Progress::new();
        let gpu = &timing::gpus()[0];
        let setup = Setup::new(EngineChoice::Simulator, gpu, &progress)?;
        let calls = counted(&setup, &times.points, &progress)?;
        let ready: Vec<Ready> = calls.iter().map(|call| Ready::of(call, gpu)).collect();
        let mut model = if self.fit.is_some() { fitted(&ready, gpu, &progress) } else { H200 };
        let mut rows: Vec<Prediction> = ready.iter().map(|call| prediction(call, &model, gpu)).collect();
        let mut coverage = Vec::new();
        if self.cross_validate || self.ablate {
            progress.say("predicting each family by all others");
            validate(&mut rows, &cross::validated(&ready, model, gpu, None));
            let groups: Vec<usize> = ready.iter().map(|call| call.group(&model)).collect();
            let residuals = interval::residuals(&rows, &groups);
            model.bounds = interval::of_groups(&residuals);
            coverage = interval::coverage(&residuals);
        }
        if let Some(path) = &self.fit {
            self.write(path, &model, &provenance)?;
        }
        let ablation = if self.ablate {
            ablate::ablated(&calls, &rows, model, gpu, |what| progress.say(what))
        } else {
            Vec::new()
        };
        drop(progress);
        warn_of_another_compiler(&provenance, &setup)?;
        let beside = match &self.totals {
            Some(path) => {
                let totals = records::read::<records::Totals>(path).map_err(again::stop)?;
                counts::rows(&calls, &totals.content)?
            }
            None => Vec::new(),
        };
        // GPU, driver and date are those of the measurement, the compiler is that of the machine code that was counted.
        let provenance = Provenance {
            compiler: Some(setup.compiler_name()),
            command: self.command().into(),
            ..provenance
        };
        let counts = counts::summaries(&beside);
        let record = Record::new(
            provenance,
            records::Model { summaries: summaries(&rows), ablation, coverage, counts, rows },
        );
        self.give(&record)?;
        if !beside.is_empty() {
            output::text(&counts::table(&beside))?;
        }
        Ok(exit::verdict(true))
    }

    /// The command, with the options that say what was compared.
    fn command(&self) -> CommandLine {
        let line = CommandLine::of::<records::Model>();
        let line = if self.cross_validate { line.word("--cross-validate") } else { line };
        let line = if self.ablate { line.word("--ablate") } else { line };
        let line = line.file("--totals", self.totals.as_deref());
        line.file("--out", self.out.as_deref())
    }

    /// Writes the fitted numbers.
    fn write(&self, path: &Path, model: &timing::Model, provenance: &Provenance) -> Result<(), Stop> {
        let from = workspace()?.shown(&self.times);
        let text = fit::source(model, &from, provenance.gpu.as_deref().unwrap_or_default());
        std::fs::write(path, text)
            .map_err(|error| Stop::environment(format!("failed to write `{}`: {error}", path.display())))
    }

    /// Writes, draws and prints the comparison.
    fn give(&self, record: &Record<records::Model>) -> Result<(), Stop> {
        if let Some(out) = &self.out {
            output::json_file(out, record)?;
        }
        if let Some(plot) = &self.plot {
            let dot = |row: &Prediction| Dot {
                set: row.point.set,
                measured: row.point.seconds,
                predicted: row.predicted_seconds,
            };
            let dots: Vec<Dot> = record.content.rows.iter().map(dot).collect();
            plot::save(plot, record.provenance.gpu.as_deref().unwrap_or_default(), &dots)?;
        }
        output::text(&table(record))
    }
}

/// The model fitted to all known kernels.
fn fitted(calls: &[Ready], gpu: &Gpu, progress: &Progress) -> timing::Model {
    let known: Vec<&Ready> = calls.iter().collect();
    fit::fit(&known, H200, gpu, &|what| progress.say(what))
}

/// Notes what was predicted by the other families.
fn validate(rows: &mut [Prediction], seconds: &[f64]) {
    for (row, seconds) in rows.iter_mut().zip(seconds) {
        row.cross_validated_seconds = Some(*seconds);
    }
}

fn warn_of_another_compiler(measured: &Provenance, setup: &Setup) -> Result<(), Stop> {
    let (theirs, ours) = (measured.compiler.as_deref().unwrap_or_default(), setup.compiler_name());
    if theirs == ours {
        return Ok(());
    }
    output::text(&format!(
        "the times are of code by {theirs}, the counts of code by {ours}: set `WORKBOOK_NVRTC` to the other compiler\n"
    ))
}

fn prediction(call: &Ready, model: &timing::Model, gpu: &Gpu) -> Prediction {
    let predicted_seconds = call.seconds(model, gpu);
    Prediction {
        family: call.family.clone(),
        ratio: predicted_seconds / call.point.seconds,
        predicted_seconds,
        cross_validated_seconds: None,
        limiter: call.limiter(model).to_owned(),
        point: call.point.clone(),
    }
}

fn table(record: &Record<records::Model>) -> String {
    let mut out = format!("{}\n", heading(&record.provenance));
    let _ = writeln!(
        out,
        "{:10} {:6} {:15} {:>6} {:>11} {:>9} {:>7} {:>16}",
        "set", "lab", "predicted", "times", "mean error", "median", "bias", "swapped"
    );
    for summary in &record.content.summaries {
        let _ = writeln!(
            out,
            "{:10} {:6} {:15} {:>6} {:>9.2} % {:>7.1} % {:>+5.1} % {:>6} of {:>6}",
            summary.set.map_or("all known", set_name),
            summary.lab.as_deref().unwrap_or("all"),
            if summary.cross_validated { "cross-validated" } else { "fitted" },
            summary.times,
            100.0 * summary.mean_absolute_error,
            100.0 * summary.median_absolute_error,
            100.0 * summary.bias,
            summary.swapped,
            summary.pairs
        );
    }
    out.push_str(&coverage(&record.content.coverage));
    out.push_str(&ablate::table(&record.content.ablation));
    let _ = writeln!(out, "\nthe worst:");
    let mut worst: Vec<&Prediction> = record.content.rows.iter().collect();
    worst.sort_by(|one, other| other.ratio.ln().abs().total_cmp(&one.ratio.ln().abs()));
    for row in worst.iter().take(40) {
        let _ = writeln!(
            out,
            "  {:5} {:30} {:22} {:16} {:>9.4} ms, predicted {:>9.4}, {}",
            row.point.lab,
            shortened(&row.point.kernel, 30),
            shortened(&row.point.task, 22),
            row.point.case,
            row.point.seconds * 1e3,
            row.predicted_seconds * 1e3,
            row.limiter
        );
    }
    out
}

/// How often intervals hold.
fn coverage(rows: &[Coverage]) -> String {
    let mut out = String::new();
    for row in rows {
        let bounds = row.bounds.map_or_else(String::new, |[low, high]| format!("{low:.2} to {high:.2}"));
        let _ = writeln!(
            out,
            "interval   {:27} {bounds:>12}: {} of {} inside, {:.0} %",
            row.group.as_deref().unwrap_or("all"),
            row.inside,
            row.times,
            100.0 * row.inside as f64 / row.times.max(1) as f64
        );
    }
    out
}
