//! `checker doctor`: what this machine has and what it lacks, each with its remedy.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use colored::Colorize;
use lab::Task;
use serde::Serialize;

use crate::history::History;
use crate::output;
use judge::build;
use judge::exit::{self, Stop};
use judge::labs;
use judge::progress::Progress;
use judge::setup::{EngineChoice, Setup, find_compiler};
use judge::submission::Submission;
use judge::workspace::{Workspace, current_folder};
use judge::wrap::hanging;

/// Bytes of memory that a check may use.
const MEMORY: u64 = 2560 << 20;

/// Whether something is as it should be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    /// It is.
    Good,
    /// Checks work, with less.
    Less,
    /// Checks do not work.
    Broken,
}

/// One examination.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
struct Part {
    name: &'static str,
    state: State,
    /// What was found.
    found: String,
    /// What to do about it; absent if nothing need be done.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

/// All of them, as `--json` prints them.
#[derive(Debug, Serialize)]
struct Health {
    version: &'static str,
    ready: bool,
    parts: Vec<Part>,
}

/// Examine this machine: compiler, driver, GPU, permissions; say what is missing and how to get it
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Doctor {
    /// Examines and prints.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let progress = Progress::new();
        let mut parts = vec![workbook()];
        parts.extend(compiler(&progress));
        parts.extend(gpus());
        parts.extend([memory(), folder()]);
        drop(progress);
        let ready = parts.iter().all(|part| part.state != State::Broken);
        let health = Health { version: env!("CARGO_PKG_VERSION"), ready, parts };
        if self.json {
            output::json(&health)?;
        } else {
            output::text(&text(&health))?;
        }
        Ok(ExitCode::from(if ready { exit::PASSED } else { exit::ENVIRONMENT }))
    }
}

fn good(name: &'static str, found: impl Into<String>) -> Part {
    Part { name, state: State::Good, found: found.into(), remedy: None }
}

fn lacking(name: &'static str, state: State, found: impl Into<String>, remedy: impl Into<String>) -> Part {
    Part { name, state, found: found.into(), remedy: Some(remedy.into()) }
}

fn workbook() -> Part {
    let found = current_folder().and_then(|here| Workspace::find(&here));
    match found {
        Ok(workbook) if workbook.is_student_s() => {
            good("workbook", format!("a student's, in {}", workbook.root().display()))
        }
        Ok(workbook) => good("workbook", format!("a checkout, in {}", workbook.root().display())),
        Err(_) => lacking(
            "workbook",
            State::Less,
            "none in this folder or above it",
            "change to your workbook, or make one: `checker init my-warpbook`",
        ),
    }
}

/// The compiler, and whether it can be locked up.
fn compiler(progress: &Progress) -> Vec<Part> {
    match find_compiler(progress) {
        Ok(compiler) => {
            let (major, minor) = compiler.version();
            let found = format!("NVRTC {major}.{minor}, {}", compiler.path().display());
            vec![good("compiler", found), sandbox(progress)]
        }
        Err(error) => vec![lacking(
            "compiler",
            State::Broken,
            error.to_string(),
            "install the CUDA toolkit, or Python with pip and a connection to the network, so that the checker can \
             download the compiler; or set `WORKBOOK_NVRTC` to the path of `libnvrtc.so`",
        )],
    }
}

/// Compiles a skeleton as submissions are compiled.
fn sandbox(progress: &Progress) -> Part {
    progress.say("trying the compiler");
    let gpu = &simulator::model::gpus()[0];
    let tried = Setup::new(EngineChoice::Simulator, gpu, progress).and_then(Setup::confined);
    let Ok(setup) = tried else {
        return lacking(
            "sandbox",
            State::Broken,
            "the compiler's process does not start",
            "check that `/tmp` is writable and that this program may start itself",
        );
    };
    let lab = labs::all()[0];
    let submission = Submission {
        shown: lab.file().to_owned(),
        name: lab.file().to_owned(),
        text: lab.skeleton().to_owned(),
        sha256: String::new(),
        untouched: true,
    };
    let tasks: Vec<&dyn Task> = lab.tasks().iter().map(|task| *task as &dyn Task).collect();
    if build::build(&setup.submissions(), &submission, &tasks, setup.targets).is_err() {
        return lacking(
            "sandbox",
            State::Broken,
            "the compiler fails on an untouched skeleton",
            "run `checker lab1`, which shows its message",
        );
    }
    match setup.unconfined() {
        None => good("sandbox", "the compiler is locked up: no files, no network"),
        Some(reason) => lacking(
            "sandbox",
            State::Less,
            format!("the compiler cannot be locked up: {reason}"),
            "check only files that you trust; Linux 5.13 or newer with Landlock has what is missing",
        ),
    }
}

/// The driver, and each GPU with its clocks.
fn gpus() -> Vec<Part> {
    let without = "nothing, if there is no NVIDIA GPU here: the simulator runs your kernels";
    match cuda::driver::devices() {
        Ok(devices) if !devices.is_empty() => {
            let one = |device: &cuda::driver::DeviceProperties| {
                let found = format!(
                    "{}, driver {}, SM clock {} MHz, memory clock {} MHz",
                    device.name,
                    device.driver_name(),
                    device.clock_khz / 1000,
                    device.memory_clock_khz / 1000
                );
                good("GPU", found)
            };
            devices.iter().map(one).collect()
        }
        Ok(_) => vec![lacking("GPU", State::Less, "the driver found no GPU", without)],
        Err(error) => {
            let reason = error.to_string();
            let found = reason.strip_prefix("no NVIDIA GPU: ").unwrap_or(&reason).to_owned();
            let device = Path::new("/dev/nvidia0");
            let remedy = if !device.exists() {
                without
            } else if std::fs::File::open(device).is_err() {
                "you may not use `/dev/nvidia0`: ask for the group that owns it (often `video` or `render`)"
            } else {
                "there is a GPU, but its driver does not answer: install NVIDIA's driver, and restart"
            };
            vec![lacking("GPU", State::Less, found, remedy)]
        }
    }
}

fn memory() -> Part {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let available = std::fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
    });
    let Some(bytes) = available else { return good("machine", format!("{cores} hardware threads")) };
    let found =
        format!("{cores} hardware threads, {:.1} GiB of memory available", bytes as f64 / f64::from(1 << 30));
    if bytes >= MEMORY {
        return good("machine", found);
    }
    lacking(
        "machine",
        State::Less,
        found,
        "close other programs: a check may use up to 2.5 GiB, though most need less than 1 GiB",
    )
}

/// The folder of the history of attempts.
fn folder() -> Part {
    let Some(path) = History::of_user().map(|history| history.path().to_path_buf()) else {
        return lacking(
            "history",
            State::Less,
            "there is no home folder",
            "set `WORKBOOK_DATA` to a folder that you may write to, or do without a history",
        );
    };
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    let there = folder.ancestors().find(|folder| folder.is_dir());
    let writable = there.is_some_and(|folder| tempfile::tempfile_in(folder).is_ok());
    if writable {
        return good("history", path.display().to_string());
    }
    lacking(
        "history",
        State::Less,
        format!("{} is not writable", folder.display()),
        "set `WORKBOOK_DATA` to a folder that you may write to, or do without a history",
    )
}

fn text(health: &Health) -> String {
    let mut out = String::new();
    for part in &health.parts {
        let (mark, word) = match part.state {
            State::Good => ("ok".green(), "ok"),
            State::Less => ("note".yellow(), "note"),
            State::Broken => ("BROKEN".red().bold(), "BROKEN"),
        };
        let prefix = format!("  {word:8}{:10} ", part.name);
        let shown = hanging(&prefix, &part.found).replacen(word, &mark.to_string(), 1);
        let _ = writeln!(out, "{shown}");
        if let Some(remedy) = &part.remedy {
            let _ = writeln!(out, "{}", hanging(&" ".repeat(21), &format!("try: {remedy}")));
        }
    }
    let verdict = if health.ready {
        "This machine is ready: run `checker lab1` in your workbook.".green()
    } else {
        "This machine is not ready: follow the lines marked `try`.".red()
    };
    let _ = writeln!(out, "\nwarpbook {}. {verdict}", health.version);
    out
}
