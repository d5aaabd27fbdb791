//! `checker hint lab4`: the next idea for a file, in three stages: the idea, a sketch, a piece of code.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use colored::Colorize;
use lab::Task;

use crate::options::{EngineOptions, LabOptions, SourceOptions};
use crate::output;
use judge::exit::{self, Stop};
use judge::next;
use judge::numbers::significant;
use judge::progress::Progress;
use judge::report::Report;
use judge::submission;
use judge::supervise;
use judge::verdict;
use judge::wrap::hanging;

/// Give a hint for what a file does now: the idea; with `--more` how to go about it; with `--more --more` some code
#[derive(Debug, Args)]
pub struct Hint {
    #[command(flatten)]
    lab: LabOptions,
    /// Say more: once for a sketch, twice for a piece of code
    #[arg(long, short, action = clap::ArgAction::Count)]
    more: u8,
    #[command(flatten)]
    source: SourceOptions,
    #[command(flatten)]
    engine: EngineOptions,
}

impl Hint {
    /// Checks the file, and prints the hint.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let (lab, tasks) = self.lab.chosen()?;
        let (_, gpu) = self.engine.chosen()?;
        let part = submission::of_lab(lab, &self.source.source(), &tasks)?;
        let progress = Progress::new();
        if !progress.is_watched() {
            drop(progress);
            return supervise::run_again()?.or_else(|loss| Ok(loss.tell()));
        }
        // What a kernel does is counted in the simulator only.
        let report = verdict::simulated(lab, &part, gpu, progress)?;
        output::text(&text(&report, &part.tasks, self.more))?;
        Ok(ExitCode::from(exit::PASSED))
    }
}

/// The hint.
fn text(report: &Report, tasks: &[&'static dyn Task], more: u8) -> String {
    if !report.passed {
        return wrong(report, tasks, more);
    }
    let Some((task, idea)) = next::idea(tasks, report) else {
        let reached = report.score >= report.max_score;
        let text = if reached { next::JOY.to_owned() } else { report.next.clone() };
        return format!("{}\n", hanging("", &text));
    };
    let mut out = format!("{}\n", format!("{}: {}", task.name(), idea.name).bold());
    let _ = writeln!(out, "{}", hanging("  ", &next::sentence(idea.idea)));
    if let Some(now) = now(report, task) {
        let _ = writeln!(out, "{}", hanging("  ", &now));
    }
    if more >= 1 {
        let _ = writeln!(out, "\n{}", hanging("  ", idea.sketch));
    }
    if more >= 2 {
        let _ = writeln!(out, "\n{}", indented(idea.code));
    }
    let command = format!("{}{}", next::hint_command(tasks, report), " --more".repeat(usize::from(more) + 1));
    if more < 2 {
        let _ = writeln!(out, "\n  {}", format!("more: {command}").dimmed());
    }
    out
}

/// What the kernel does now: the numbers that show whether a change has had its effect.
fn now(report: &Report, task: &dyn Task) -> Option<String> {
    let signs = report.performance.iter().find(|timed| timed.task == task.name())?.signs?;
    // There, the copies count.
    if task.over_link() {
        return None;
    }
    let accesses = signs.loads + signs.stores;
    Some(format!(
        "Now, per pixel: {} instructions, {} accesses to global memory (of {} bytes), {} to shared memory; {} pixels per thread.",
        counted(signs.instructions),
        counted(accesses),
        counted(signs.access_bytes),
        counted(signs.shared_accesses + signs.shared_atomics),
        counted(signs.pixels_per_thread)
    ))
}

/// A number per pixel; what the last block alone does is nothing.
fn counted(number: f64) -> String {
    significant(if number < 0.0005 { 0.0 } else { number })
}

/// Of a file that is not right yet: the next step, then the hints of its task, one more for each stage.
fn wrong(report: &Report, tasks: &[&'static dyn Task], more: u8) -> String {
    let mut out = format!("{}\n", hanging("", &report.next));
    let failed = tasks
        .iter()
        .find(|task| report.tasks.iter().any(|judged| judged.name == task.name() && !judged.passed));
    let Some(task) = failed.filter(|_| more > 0) else {
        let _ =
            writeln!(out, "\n  {}", format!("more: {} --more", next::hint_command(tasks, report)).dimmed());
        return out;
    };
    let hints = task.hints();
    let shown = hints.len().min(if more == 1 { hints.len().div_ceil(2) } else { hints.len() });
    let _ = writeln!(out, "\n{}", task.name().bold());
    for hint in &hints[..shown] {
        let _ = writeln!(out, "{}", hanging("  - ", hint));
    }
    out
}

fn indented(code: &str) -> String {
    let lines: Vec<String> = code.trim_matches('\n').lines().map(|line| format!("      {line}")).collect();
    lines.join("\n")
}
