//! `workshop verify`: the workbook's own files. Skeletons compile and fail, rungs pass without an error,
//! unusual kernels pass, wrong kernels fail as they say, and cheats are judged as they say, with their times.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use colored::Colorize;
use lab::{Lab, Task};
use rayon::prelude::*;

use super::{cheat, expectation};
use checker::options::EngineArg;
use checker::output;
use judge::exit::{self, Stop};
use judge::labs;
use judge::performance::TimingFixtures;
use judge::progress::Progress;
use judge::report::Report;
use judge::setup::EngineChoice;
use judge::setup::{Engine, Setup};
use judge::submission::{self, Submission};
use judge::verdict::{Request, judge};
use judge::workspace::{Workspace, current_folder};
use judge::wrap::{hanging, shortened};
use runtime::finding::{Finding, Kind};

/// The role of a file.
#[derive(Clone, Copy)]
enum Role {
    Skeleton,
    Rung,
    Unusual,
    Wrong,
    Cheat,
}

/// Skeletons compile and fail, rungs and unusual kernels pass, wrong kernels fail and cheats gain nothing, as labelled
#[derive(Debug, Args)]
pub struct Verify {
    /// Only these labs
    labs: Vec<String>,
    /// Only the files whose path contains this
    #[arg(long)]
    only: Option<String>,
    /// Not the files whose path contains this
    #[arg(long)]
    except: Option<String>,
    /// Only every Nth file, from the Kth on
    #[arg(long, value_name = "K/N", value_parser = part, default_value = "1/1")]
    part: Part,
    /// Where the kernels run
    #[arg(long, value_enum, default_value = "auto")]
    engine: EngineArg,
}

/// One of so many parts of the files, from 0.
#[derive(Debug, Clone, Copy)]
struct Part {
    number: usize,
    of: usize,
}

/// Reads `2/3`.
fn part(text: &str) -> Result<Part, String> {
    let numbers = text.split_once('/').map(|(number, of)| (number.parse::<usize>(), of.parse()));
    match numbers {
        Some((Ok(number), Ok(of))) if (1..=of).contains(&number) => Ok(Part { number: number - 1, of }),
        _ => Err("write it as 2/3: the second of three parts".to_owned()),
    }
}

impl Verify {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let taken = |path: &str| {
            self.only.as_ref().is_none_or(|only| path.contains(only))
                && !self.except.as_ref().is_some_and(|except| path.contains(except))
        };
        let mut labs = labs::named(&self.labs)?;
        // What `checker new-lab` copies is no lab of the list, and has to be right all the same.
        if self.labs.is_empty() {
            labs.push(lab0_negative::LAB);
        }
        run(&labs, self.engine.into(), &taken, self.part)
    }
}

/// Judges every file of these labs, prints a table.
fn run(
    labs: &[&'static dyn Lab],
    engine: EngineChoice,
    taken: &dyn Fn(&str) -> bool,
    part: Part,
) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let progress = Progress::new();
    let setup = Setup::new(engine, &simulator::model::gpus()[0], &progress)?;
    let mut files: Vec<File> = Vec::new();
    for lab in labs {
        let all = || lab.tasks().to_vec();
        let rungs = workspace.rungs(*lab)?;
        files.push((*lab, Role::Skeleton, workspace.lab_file(*lab), all()));
        files.extend(rungs.into_iter().map(|rung| (*lab, Role::Rung, rung.path, rung.tasks)));
        for (role, paths) in
            [(Role::Unusual, workspace.unusual_kernels(*lab)?), (Role::Wrong, workspace.wrong_kernels(*lab)?)]
        {
            for path in paths {
                let tasks = tasks_of(*lab, &path)?;
                files.push((*lab, role, path, tasks));
            }
        }
        files.extend(workspace.cheats(*lab)?.into_iter().map(|path| (*lab, Role::Cheat, path, Vec::new())));
    }
    files.retain(|(_, _, path, _)| taken(&path.to_string_lossy()));
    let mut files: Vec<File> = files.into_iter().skip(part.number).step_by(part.of).collect();
    // Nothing else may run while a GPU times a file.
    let alone: Vec<File> = if matches!(setup.engine, Engine::Gpu(_)) {
        files.extract_if(.., |(_, role, ..)| matches!(role, Role::Cheat)).collect()
    } else {
        Vec::new()
    };
    let judged = |(lab, role, path, tasks): &File, fixtures: &mut TimingFixtures| {
        progress.say(&workspace.shown(path));
        one(*lab, *role, path, tasks, &workspace, &setup, fixtures)
    };
    let mut counts = [0; 3];
    let together = files.par_iter().map(|file| judged(file, &mut TimingFixtures::default()));
    let outcomes: Vec<Outcome> = together.collect::<Result<_, Stop>>()?;
    for ((.., path, _), outcome) in files.iter().zip(outcomes) {
        output::text(&line(&workspace.shown(path), outcome, &mut counts))?;
    }
    let mut fixtures = TimingFixtures::default();
    for file in alone {
        let outcome = judged(&file, &mut fixtures)?;
        output::text(&line(&workspace.shown(&file.2), outcome, &mut counts))?;
    }
    drop(progress);
    let [right, skipped, wrong] = counts;
    output::text(&format!(
        "\n{right} files as they should be, {skipped} skipped, {wrong} not as they should be\n"
    ))?;
    Ok(exit::verdict(wrong == 0))
}

/// The line of a file; `counts` are those that are right, skipped and wrong so far.
fn line(file: &str, outcome: Outcome, counts: &mut [u32; 3]) -> String {
    let (index, verdict, remark) = match outcome {
        Outcome::Right => (0, "ok".green(), String::new()),
        Outcome::Skipped => (1, "skipped".yellow(), "for the other engine only".to_owned()),
        Outcome::Wrong(reason) => (2, "WRONG".red().bold(), reason),
    };
    counts[index] += 1;
    let remark = if remark.is_empty() { remark } else { format!("{}\n", hanging("    ", &remark)) };
    format!("{:60} {verdict}\n{remark}", shortened(file, 60))
}

/// A file, its role, and the tasks that it is judged for.
type File = (&'static dyn Lab, Role, PathBuf, Vec<&'static dyn Task>);

/// The outcome of one file.
enum Outcome {
    Right,
    Skipped,
    Wrong(String),
}

impl From<Result<(), String>> for Outcome {
    fn from(result: Result<(), String>) -> Self {
        result.map_or_else(Self::Wrong, |()| Self::Right)
    }
}

/// Judges one file for these tasks.
fn one(
    lab: &'static dyn Lab,
    role: Role,
    path: &Path,
    tasks: &[&'static dyn Task],
    workspace: &Workspace,
    setup: &Setup,
    fixtures: &mut TimingFixtures,
) -> Result<Outcome, Stop> {
    let mut submission =
        submission::read(path, &workspace.shown(path), lab, "check that the checkout is whole")?;
    if matches!(role, Role::Skeleton) {
        // The shipped text is checked, not a student's version of the file.
        lab.skeleton().clone_into(&mut submission.text);
    }
    let report = |submission: &Submission| {
        let request = Request { timed: false, ..Request::of(lab, tasks, submission) };
        judge(setup, &request, &mut TimingFixtures::default(), &mut |_| {})
    };
    let on_gpu = matches!(setup.engine, Engine::Gpu(_));
    Ok(match role {
        Role::Cheat => match cheat::read(&submission.text, lab, on_gpu) {
            Err(reason) => Outcome::Wrong(reason),
            Ok(None) => Outcome::Skipped,
            Ok(Some(expected)) => {
                let (tasks, submission) = (&[expected.task][..], &submission);
                let request = Request { graded: expected.graded, ..Request::of(lab, tasks, submission) };
                expected.judge(&judge(setup, &request, fixtures, &mut |_| {})?).into()
            }
        },
        Role::Skeleton => skeleton(&report(&submission)?).into(),
        Role::Rung => rung(&report(&submission)?).into(),
        Role::Unusual if on_gpu && expectation::only_simulator(&submission.text) => Outcome::Skipped,
        Role::Unusual => unusual(&report(&submission)?).into(),
        Role::Wrong => match expectation::read(&submission.text) {
            Err(reason) => Outcome::Wrong(reason),
            Ok(expected) if expected.only_simulator && on_gpu => Outcome::Skipped,
            Ok(expected) => expected.judge(&report(&submission)?).into(),
        },
    })
}

fn skeleton(report: &Report) -> Result<(), String> {
    if report.passed {
        return Err("the untouched skeleton passes".to_owned());
    }
    match report.findings.iter().find(|finding| finding.is_error()) {
        Some(error) => Err(format!("the untouched skeleton has {}: {}", error.code, error.message)),
        None => Ok(()),
    }
}

fn rung(report: &Report) -> Result<(), String> {
    // The compiler's own remarks on style are for students.
    let finding = |finding: &&Finding| finding.is_error() || finding.kind != Kind::Lint;
    if let Some(found) = report.findings.iter().find(finding) {
        let line = found.in_line();
        return Err(format!("{}{line}: {}", found.code, found.message));
    }
    passes(report)
}

/// Warnings are allowed: what is unusual may be slow or unsafe elsewhere.
fn unusual(report: &Report) -> Result<(), String> {
    match report.findings.iter().find(|finding| finding.is_error()) {
        Some(found) => {
            let line = found.in_line();
            Err(format!("{}{line}: {}", found.code, found.message))
        }
        None => passes(report),
    }
}

/// The tasks that a file is about, by its header.
fn tasks_of(lab: &'static dyn Lab, path: &Path) -> Result<Vec<&'static dyn Task>, Stop> {
    let failed = |why: String| Stop::environment(format!("{}: {why}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| failed(error.to_string()))?;
    lab::header::tasks(&text, lab).map_err(failed)
}

fn passes(report: &Report) -> Result<(), String> {
    if !report.passed {
        let case = report.cases.iter().find(|case| case.verdict == judge::report::Verdict::Failed);
        let name = case.map_or_else(|| "?".to_owned(), |case| format!("{}: {}", case.task, case.name));
        return Err(format!("fails at \"{name}\""));
    }
    Ok(())
}
