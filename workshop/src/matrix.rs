//! `workshop matrix`: every rung on a GPU and on the simulator, bytes compared, times measured.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use lab::{Lab, Task};
use records::{MatrixRow, Provenance, Record};
use simulator::Checks;

use crate::again::{self, Only};
use crate::command_line::CommandLine;
use crate::machine::{Machine, heading};
use crate::rungs::{self, Rung};
use crate::sources;
use crate::timed::{self, state};
use checker::output;
use judge::call;
use judge::call::PUBLIC_SEED;
use judge::exit::{self, Stop};
use judge::labs;
use judge::performance::{self, TimingFixtures};
use judge::progress::Progress;
use judge::report::{Performance, Verdict};
use judge::setup::Setup;
use judge::verify::Runner;
use runtime::job::Program;
use runtime::remote::RemoteGpu;
use runtime::simulation::Simulation;

/// Run every rung on a GPU and on the simulator, compare bytes, measure times (needs a GPU)
#[derive(Debug, Args)]
pub struct Matrix {
    /// Only these labs
    labs: Vec<String>,
    #[command(flatten)]
    only: Only,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Matrix {
    /// Runs the rungs, writes the JSON, prints a table.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let labs = labs::named(&self.labs)?;
        let progress = Progress::new();
        let machine = Machine::find::<records::Matrix>(&progress)?;
        // Labs that are not named keep their rows in a file that is there.
        let is_new = self.only.is_new(&labs, &self.out);
        let command = CommandLine::of::<records::Matrix>().chosen(&labs, &self.only.names, !is_new);
        let provenance = machine.provenance(command.file("--out", Some(&self.out)));
        let kept = if is_new {
            Vec::new()
        } else {
            kept(again::figures::<records::Matrix>(&self.out, &provenance)?.rows, &labs, &self.only)
        };
        let mut sources = sources::ladders(&labs, &sources::workspace()?)?;
        sources.retain(|source| self.only.has(&source.name));
        let (mut rows, mut fixtures) = (Vec::new(), TimingFixtures::default());
        rungs::each(&sources, &machine, &mut |rung| {
            rows.extend(rung_rows(rung, &machine.setup, &mut fixtures, &progress)?);
            Ok(())
        })?;
        drop(progress);
        let text = table(&provenance, &rows);
        let right = rows.iter().all(|row| row.right && row.unequal.is_empty());
        output::json_file(&self.out, &Record::new(provenance, records::Matrix { rows: joined(kept, rows) }))?;
        output::text(&text)?;
        Ok(exit::verdict(right))
    }
}

/// The rows of rungs that are not run again.
fn kept(mut rows: Vec<MatrixRow>, labs: &[&'static dyn Lab], only: &Only) -> Vec<MatrixRow> {
    let again = |row: &MatrixRow| labs.iter().any(|lab| lab.name() == row.lab) && only.has(&row.rung);
    rows.retain(|row| !again(row));
    rows
}

/// Both, lab by lab and rung by rung; tasks of a rung stay in their order.
fn joined(mut rows: Vec<MatrixRow>, new: Vec<MatrixRow>) -> Vec<MatrixRow> {
    rows.extend(new);
    rows.sort_by(|one, other| (&one.lab, &one.rung).cmp(&(&other.lab, &other.rung)));
    rows
}

fn rung_rows(
    rung: &mut Rung<'_>,
    setup: &Setup,
    fixtures: &mut TimingFixtures,
    progress: &Progress,
) -> Result<Vec<MatrixRow>, Stop> {
    let mut rows = Vec::new();
    let Rung { lab, name, tasks, program, simulation, gpu } = rung;
    for task in tasks.iter().copied() {
        progress.say(&format!("{name}: {}", task.name()));
        let unequal = unequal(task, program, simulation, gpu)?;
        let mut runner = Runner { program, simulation, gpu: Some(&mut *gpu) };
        let timed =
            performance::time_on(task, &task.timed_case(), setup, &mut runner, PUBLIC_SEED, fixtures)?;
        let right = timed.case.verdict == Verdict::Passed;
        let performance = timed::performance(timed, name, task.name())?;
        let cases = task.cases().len();
        rows.push(MatrixRow { cases, unequal, right, ..row(lab.name(), name, performance) });
    }
    Ok(rows)
}

/// The times of a rung's task. Whether its bytes are right is not known yet.
fn row(lab: &str, rung: &str, times: Performance) -> MatrixRow {
    MatrixRow {
        lab: lab.to_owned(),
        rung: rung.to_owned(),
        task: times.task,
        cases: 0,
        unequal: Vec::new(),
        right: false,
        case: times.case,
        width: times.width,
        height: times.height,
        seconds: times.seconds,
        gigabytes_per_second: times.gigabytes_per_second,
        yardstick_seconds: times.yardstick_seconds,
        yardstick_gigabytes_per_second: times.yardstick_gigabytes_per_second,
        share: times.share,
        share_error: times.share_error,
        state: state(times.state),
        pairs: times.pairs,
        dropped_pairs: times.dropped_pairs,
        calls: times.calls,
        sequential_seconds: times.sequential_seconds,
        speedup: times.speedup,
        parallel_seconds: times.parallel_seconds,
        parallel_speedup: times.parallel_speedup,
        transfer_seconds: times.transfer_seconds,
        kernel_seconds: times.kernel_seconds,
    }
}

/// The cases whose outputs differ between the engines.
fn unequal(
    task: &dyn Task,
    program: &Program,
    simulation: &Simulation,
    gpu: &mut RemoteGpu,
) -> Result<Vec<String>, Stop> {
    let mut unequal = Vec::new();
    for case in task.cases() {
        let image = call::image(&case, PUBLIC_SEED)?;
        let pixels = (image.width * image.height) as u64;
        let job = call::job(task.name(), task.arguments(&image), pixels, PUBLIC_SEED);
        let failed =
            |failure| Stop::environment(format!("case `{}` of `{}`: {failure}", case.name, task.name()));
        let real = gpu.run(&job).map_err(failed)?;
        let simulated = simulation.run(program, &job, Checks::NONE).map_err(failed)?;
        if real.outputs.is_empty() || real.outputs != simulated.outputs {
            unequal.push(case.name);
        }
    }
    Ok(unequal)
}

fn table(provenance: &Provenance, rows: &[MatrixRow]) -> String {
    let mut out = format!("{}\n", heading(provenance));
    let _ = writeln!(
        out,
        "{:26} {:18} {:>10} {:>10} {:>8} {:>7}  equal bytes",
        "rung", "task", "ms", "GB/s", "share", "right"
    );
    for row in rows {
        let equal = format!("{} of {}", row.cases - row.unequal.len(), row.cases);
        let _ = writeln!(
            out,
            "{:26} {:18} {:>10.4} {:>10.1} {:>6.1} % {:>7}  {equal}",
            judge::wrap::shortened(&row.rung, 26),
            judge::wrap::shortened(&row.task, 18),
            1e3 * row.seconds,
            row.gigabytes_per_second,
            100.0 * row.share,
            if row.right { "yes" } else { "NO" }
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use records::State;

    use super::*;

    fn row(rung: &str, task: &str, seconds: f64) -> MatrixRow {
        MatrixRow {
            lab: "lab1".to_owned(),
            rung: rung.to_owned(),
            task: task.to_owned(),
            cases: 2,
            unequal: Vec::new(),
            right: true,
            case: "c".to_owned(),
            width: 1,
            height: 1,
            seconds,
            gigabytes_per_second: 1.0,
            yardstick_seconds: 1.0,
            yardstick_gigabytes_per_second: 1.0,
            share: 1.0,
            share_error: None,
            state: State::Stable,
            pairs: None,
            dropped_pairs: None,
            calls: None,
            sequential_seconds: 1.0,
            speedup: 1.0,
            parallel_seconds: None,
            parallel_speedup: None,
            transfer_seconds: None,
            kernel_seconds: None,
        }
    }

    #[test]
    fn rows_of_rungs_that_are_run_again_are_replaced_in_their_place() {
        let before = vec![row("01_one", "t", 1.0), row("02_two", "t", 1.0), row("03_three", "t", 1.0)];
        let other = kept(before.clone(), &[labs::all()[1]], &Only::default());
        assert_eq!(other, before);
        let kept = kept(before, &labs::all(), &Only { names: vec!["02".to_owned()] });
        assert_eq!(kept, [row("01_one", "t", 1.0), row("03_three", "t", 1.0)]);
        let all = joined(kept, vec![row("02_two", "z", 5.0), row("02_two", "a", 6.0)]);
        let seconds: Vec<f64> = all.iter().map(|row| row.seconds).collect();
        assert_eq!(seconds, [1.0, 5.0, 6.0, 1.0]);
    }
}
