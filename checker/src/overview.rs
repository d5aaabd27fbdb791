//! `checker` without arguments: an overview of all labs.

use std::fmt::Write as _;
use std::process::ExitCode;

use colored::Colorize;
use lab::Lab;

use crate::exit::{self, Stop};
use crate::labs;
use crate::output;
use crate::render;
use crate::workspace::{Workspace, current_folder};

/// Prints each lab with its tasks, its file and the next command.
pub fn run() -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let mut out = String::new();
    for lab in labs::all() {
        one(&mut out, lab, &workspace);
    }
    out.push_str("`checker device` describes this machine; `checker --help` lists every option.\n");
    output::text(&out)?;
    Ok(ExitCode::from(exit::PASSED))
}

fn one(out: &mut String, lab: &dyn Lab, workspace: &Workspace) {
    let _ = writeln!(out, "{}", format!("{}: {}", lab.name(), lab.title()).bold());
    for task in lab.tasks() {
        let points = task.points().total();
        let _ = writeln!(out, "  {:20} {}", task.name(), render::shortened(task.summary(), 66));
        let _ = writeln!(out, "  {:20} {points:.0} points", "");
    }
    let path = workspace.lab_file(lab);
    let state = match std::fs::read_to_string(&path) {
        Ok(text) if text == lab.skeleton() => "untouched",
        Ok(_) => "started",
        Err(_) => "missing",
    };
    let _ = writeln!(out, "  file  {} ({state})", workspace.shown(&path));
    let advice = if state == "missing" {
        format!("git checkout {}", workspace.shown(&path))
    } else {
        format!("checker {}", lab.name())
    };
    let _ = writeln!(out, "  next  {}\n", advice.bold());
}
