//! `checker course check`: proves a course consistent, and shows what counts.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use colored::Colorize;
use serde_json::{Value, json};

use crate::output;
use judge::course::{Course, FILE, LabOfCourse, Problem, find, parsed, read};
use judge::exit::{self, Stop};
use judge::labs;
use judge::numbers::significant;
use judge::workspace::{current_folder, shown_from};
use judge::wrap::hanging;

/// Check a course of your own: which labs and tasks count, points, dates
#[derive(Debug, Args)]
pub struct CourseCommand {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Check(CheckCourse),
}

/// Prove that a course is consistent, and show what counts
#[derive(Debug, Args)]
struct CheckCourse {
    /// The course; without it, the nearest `course.toml` from this folder upwards
    file: Option<PathBuf>,
    /// Print the course and its problems as JSON
    #[arg(long)]
    json: bool,
}

impl CourseCommand {
    /// Checks and prints.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let Action::Check(CheckCourse { file, json }) = self.action;
        let here = current_folder()?;
        let path = file.or_else(|| find(&here)).ok_or_else(|| {
            Stop::Usage(format!(
                "there is no `{FILE}` in this folder or above it: name a file, such as `checker course check my-course.toml`"
            ))
        })?;
        let (shown, text) = (shown_from(&here, &path), read(&here, &path)?);
        let course = parsed(&text);
        match (&course, json) {
            (Ok(course), true) => output::json(&described(&shown, course))?,
            (Err(problems), true) => {
                output::json(&json!({"file": shown, "consistent": false, "problems": problems}))?;
            }
            (Ok(course), false) => output::text(&overview(&shown, course))?,
            (Err(problems), false) => output::text(&told(&shown, problems))?,
        }
        Ok(exit::verdict(course.is_ok()))
    }
}

fn told(shown: &str, problems: &[Problem]) -> String {
    let mut out = String::new();
    for Problem { line, what, advice } in problems {
        let _ = writeln!(out, "{}", hanging(&format!("{shown}:{line}: "), what));
        let _ = writeln!(out, "{}", hanging("    try: ", advice));
    }
    let count = match problems.len() {
        1 => "1 problem".to_owned(),
        count => format!("{count} problems"),
    };
    let _ = writeln!(out, "{}  {shown}: {count}", "FAILED".red().bold());
    out
}

/// The part of the course that a lab is.
fn part(course: &Course, lab: &LabOfCourse) -> f64 {
    lab.weight / course.labs.iter().map(|lab| lab.weight).sum::<f64>()
}

fn overview(shown: &str, course: &Course) -> String {
    let mut out = String::new();
    for lab in &course.labs {
        let title = labs::find(lab.name).map_or("", |known| known.title());
        let _ = writeln!(out, "{}", format!("{}: {title}", lab.name).bold());
        let percent = significant(100.0 * part(course, lab));
        let due = lab.due.as_ref().map(|due| format!(", due {due}")).unwrap_or_default();
        let _ = writeln!(out, "  {percent} % of the course, {} points{due}", lab.most());
        for (task, points) in &lab.tasks {
            let scale = format!("share from {} to {}", points.share.floor, points.share.target);
            let parts = [points.correctness, points.bandwidth, points.speedup].map(|part| part.to_string());
            let _ = writeln!(out, "  {task:20} {:>14} points; {scale}", parts.join(" + "));
        }
    }
    if let Some(gpu) = course.gpu {
        let _ = writeln!(out, "times are predicted for {}", gpu.title);
    }
    if course.late.percent_per_day > 0.0 {
        let _ = writeln!(
            out,
            "each late day after {} costs {} % of the earned points",
            course.late.free_days, course.late.percent_per_day
        );
    }
    let title = if course.title.is_empty() { String::new() } else { format!(" ({})", course.title) };
    let _ = writeln!(out, "{}  {shown}{title} is consistent", "PASSED".green().bold());
    out
}

fn described(shown: &str, course: &Course) -> Value {
    let labs = course.labs.iter().map(|lab| {
        let tasks = lab.tasks.iter().map(|(name, points)| {
            let levels = points.share.levels.iter().map(|level| json!({"name": level.name, "at": level.at}));
            json!({
                "name": name,
                "correctness": points.correctness,
                "bandwidth": points.bandwidth,
                "speedup": points.speedup,
                "floor": points.share.floor,
                "target": points.share.target,
                "speedup_floor": points.times.floor,
                "levels": levels.collect::<Vec<_>>(),
            })
        });
        json!({
            "name": lab.name,
            "weight": lab.weight,
            "part": part(course, lab),
            "points": lab.most(),
            "due": lab.due,
            "tasks": tasks.collect::<Vec<_>>(),
        })
    });
    json!({
        "file": shown,
        "consistent": true,
        "problems": [],
        "title": course.title,
        "gpu": course.gpu.map(|gpu| gpu.name),
        "late": {"free_days": course.late.free_days, "percent_per_day": course.late.percent_per_day},
        "labs": labs.collect::<Vec<_>>(),
    })
}
