//! `checker hint lab4`: the next idea for a file, in three stages: the idea, a sketch, a piece of code.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use colored::Colorize;
use lab::Task;

use crate::options::{EngineOptions, LabOptions, SourceOptions};
use crate::output;
use crate::pages;
use judge::exit::{self, Stop};
use judge::next;
use judge::numbers::significant;
use judge::problem::{self, Problem};
use judge::progress::Progress;
use judge::report::Report;
use judge::submission;
use judge::supervise;
use judge::verdict;
use judge::wrap::hanging;
use runtime::finding::Finding;

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

/// Of a file that is not right yet: what the finding to solve first is about, if it is one; then the hints of its task, one more for
/// each stage.
fn wrong(report: &Report, tasks: &[&'static dyn Task], more: u8) -> String {
    let command = format!("{}{}", next::hint_command(tasks, report), " --more".repeat(usize::from(more) + 1));
    let further = format!("\n  {}\n", format!("more: {command}").dimmed());
    let finding = match problem::first(report) {
        Some(Problem::Finding(root)) => report.findings.get(root.finding),
        _ => None,
    };
    let mut out = String::new();
    // The hints of the task begin a stage later: its idea does not mend a finding.
    let stage = if let Some(finding) = finding {
        of_finding(&mut out, finding, more);
        let _ = writeln!(out, "{}", hanging("", &report.next));
        more.saturating_sub(1)
    } else {
        let _ = writeln!(out, "{}", hanging("", &report.next));
        more
    };
    let failed = tasks
        .iter()
        .find(|task| report.tasks.iter().any(|judged| judged.name == task.name() && !judged.passed));
    let Some(task) = failed.filter(|_| stage > 0) else { return out + &further };
    let hints = task.hints();
    let shown = hints.len().min(if stage == 1 { hints.len().div_ceil(2) } else { hints.len() });
    let _ = writeln!(out, "\n{}", task.name().bold());
    for hint in &hints[..shown] {
        let _ = writeln!(out, "{}", hanging("  - ", hint));
    }
    if shown < hints.len() { out + &further } else { out }
}

/// A finding explained: what happened, and what its code is about; with `more`, how to mend it, and where an example is.
fn of_finding(out: &mut String, finding: &Finding, more: u8) {
    let place = finding.line.map(|line| format!(" in line {line}")).unwrap_or_default();
    let title = format!("{}{place}: ", finding.code);
    let text = hanging(&title, &finding.message);
    let _ = writeln!(out, "{}", text.bold());
    for (name, told) in [("Why", true), ("Mend", more > 0)] {
        if let Some(text) = pages::section(&finding.code, name).filter(|_| told) {
            let _ = writeln!(out, "\n{}", text.trim_end());
        }
    }
    if more == 0 && !finding.hint.is_empty() {
        let _ = writeln!(out, "\n{}", hanging("Try: ", &next::sentence(&finding.hint)));
    }
    if let Some(command) = pages::command_for(&finding.code) {
        let _ = writeln!(out, "\n{}", hanging("", &format!("`{command}` shows an example.")));
    }
    out.push('\n');
}

fn indented(code: &str) -> String {
    let lines: Vec<String> = code.trim_matches('\n').lines().map(|line| format!("      {line}")).collect();
    lines.join("\n")
}
