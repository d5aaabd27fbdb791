//! `checker` without arguments: an overview of all labs, and of what the student has reached.

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use colored::Colorize;
use lab::Lab;

use crate::history::{Attempt, History, plot};
use crate::output;
use judge::course::{self, Course, CourseOptions};
use judge::exit::{self, Stop};
use judge::labs;

use judge::workspace::{Workspace, current_folder};

/// Columns of the plot of attempts.
const PLOT: usize = 40;

/// Prints each lab with its tasks, its file, what was reached, and the next command.
pub fn run(options: &CourseOptions) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let course = options.course()?;
    let workspace = Workspace::find(&here)?;
    let attempts = History::of_user().map(|history| history.attempts(workspace.root())).unwrap_or_default();
    let mut out = String::new();
    let mut done = 0;
    for lab in labs::all() {
        done += usize::from(one(&mut out, lab, &workspace, &attempts, course.as_ref()));
    }
    if done == labs::all().len() {
        let _ = writeln!(out, "{}", "Every point of every lab is yours. Congratulations!".green().bold());
    }
    if let Some(course) = &course {
        let _ = writeln!(out, "Points and dates are those of the course {}.", course.shown);
    }
    let _ = writeln!(out, "This is the workbook in {}.", workspace.root().display());
    out.push_str("`checker device` describes this machine; `checker --help` lists every option.\n");
    output::text(&out)?;
    Ok(ExitCode::from(exit::PASSED))
}

/// Prints a lab. Returns whether it has full score.
fn one(
    out: &mut String,
    lab: &dyn Lab,
    workspace: &Workspace,
    attempts: &[Attempt],
    course: Option<&Course>,
) -> bool {
    let _ = writeln!(out, "{}", format!("{}: {}", lab.name(), lab.title()).bold());
    if let Some(due) = course.and_then(|course| course.lab(lab)?.due.as_ref()) {
        let _ = writeln!(out, "  due   {due}");
    }
    let all = lab.tasks().to_vec();
    let mut most = 0.0;
    for task in course.map_or(Ok(all.clone()), |course| course.tasks(lab, all)).unwrap_or_default() {
        let points = course::points(course, task).total();
        most += points;
        let before = format!("  {:19}{points:>4.0} points  ", task.name());
        let _ = writeln!(out, "{}", judge::wrap::hanging(&before, task.summary()));
    }
    let path = workspace.lab_file(lab);
    let state = match std::fs::read_to_string(&path) {
        Ok(text) if text == lab.skeleton() => "untouched",
        Ok(_) => "started",
        Err(_) => "missing",
    };
    // Short names: from here if it is below, else from the workbook on, which the last lines name.
    let shown = workspace.shown(&path);
    let from_root = path.strip_prefix(workspace.root()).ok().filter(|_| Path::new(&shown).is_absolute());
    let shown = from_root.map_or(shown, |path| path.display().to_string());
    let own: Vec<&Attempt> = attempts.iter().filter(|attempt| attempt.lab == lab.name()).collect();
    // An attempt at one task says nothing of the whole lab.
    let whole: Vec<&Attempt> = own.iter().copied().filter(|attempt| attempt.is_out_of(most)).collect();
    let best = whole.iter().max_by(|one, other| one.score.total_cmp(&other.score));
    let full = best.is_some_and(|best| best.score >= best.most);
    let done = if full && state == "started" { "done" } else { state };
    let _ = writeln!(out, "  file  {shown} ({done})");
    if let Some(best) = best {
        let _ = writeln!(
            out,
            "  best  {:.1} of {:.0} points; attempts: {}  {}",
            best.score,
            best.most,
            own.len(),
            plot(&whole, PLOT).cyan()
        );
    } else if !own.is_empty() {
        let _ = writeln!(out, "  attempts: {}, at single tasks", own.len());
    }
    let advice = match state {
        "missing" => workspace.restore(&path),
        _ if full => "nothing: you have every point".to_owned(),
        "started" => format!("checker {0}, checker hint {0}", lab.name()),
        _ => format!("checker {}", lab.name()),
    };
    let _ = writeln!(out, "  next  {}\n", if full { advice.green() } else { advice.bold() });
    full
}
