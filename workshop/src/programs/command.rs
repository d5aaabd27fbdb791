//! The command: runs the programs side by side, prints a table, writes JSON.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use colored::Colorize;
use serde::Serialize;

use super::compile::compile;
use super::gpu;
use super::judge::{Verdict, shown};
use super::load::{Program, load};
use super::sanitizer::{self, Sanitized};
use super::simulate::{self, Ran};
use crate::date::today;
use checker::exit::{self, Stop};
use checker::options::EngineArg;
use checker::output;
use checker::progress::Progress;
use checker::setup::EngineChoice;
use checker::setup::{Engine, Setup, find_compiler};
use checker::workspace::{Workspace, current_folder};

/// Where the programs run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// On the simulator.
    Simulator,
    /// On the simulator and on a GPU.
    Gpu,
    /// On the simulator and under compute-sanitizer.
    Sanitizer,
}

/// Run the simulator's test programs: outputs and findings as their headers say
#[derive(Debug, Args)]
pub struct Programs {
    /// Only programs whose `topic/name` holds one of these
    filters: Vec<String>,
    /// `gpu`: on a GPU as well, and compare the bytes
    #[arg(long, value_enum, default_value = "sim", conflicts_with = "sanitizer")]
    engine: EngineArg,
    /// Under compute-sanitizer as well (needs a GPU, nvcc and compute-sanitizer)
    #[arg(long)]
    sanitizer: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Write the JSON to this file too
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl Programs {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let mode = match (self.sanitizer, self.engine) {
            (true, _) => Mode::Sanitizer,
            (false, EngineArg::Gpu) => Mode::Gpu,
            (false, _) => Mode::Simulator,
        };
        run(mode, &self.filters, self.json, self.out.as_deref())
    }
}

/// GPU contexts at once.
const AT_ONCE_ON_GPU: usize = 8;
/// Programs that are built by nvcc, or run under a tool, at once.
const AT_ONCE_SANITIZED: usize = 12;

/// One program's line of the table.
#[derive(Debug, Clone, Serialize)]
struct Row {
    program: String,
    about: String,
    expected: Vec<String>,
    found: Vec<String>,
    right: bool,
    /// What is wrong, or why it does not count.
    remark: String,
    pending: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sanitizer: Option<Sanitized>,
}

/// The whole table.
#[derive(Debug, Serialize)]
struct Table {
    date: String,
    compiler: String,
    engine: String,
    programs: Vec<Row>,
}

/// Runs all programs that match a filter.
fn run(mode: Mode, filters: &[String], json: bool, out: Option<&Path>) -> Result<ExitCode, Stop> {
    let here = current_folder()?;
    let workspace = Workspace::find(&here)?;
    let programs = load(workspace.root(), filters)?;
    if programs.is_empty() {
        return Err(Stop::Usage(format!("no program's name holds `{}`", filters.join("` or `"))));
    }
    let progress = Progress::new();
    let compiler = find_compiler(&progress)?;
    let device = if mode == Mode::Gpu { Some(on_gpu(&progress)?) } else { None };
    let folder = Folder::new(mode)?;
    progress.say("running the programs");
    let threads = match mode {
        Mode::Simulator => std::thread::available_parallelism().map_or(1, Into::into),
        Mode::Gpu => AT_ONCE_ON_GPU,
        Mode::Sanitizer => AT_ONCE_SANITIZED,
    };
    let rows = side_by_side(&programs, threads, |program| {
        let (verdict, ran) = simulate::check(&compiler, program);
        let mut row = row(program, &verdict, ran.as_ref());
        if let Some((device, yardstick)) = &device {
            let real = compile(&compiler, program, Some(device.capability))
                .and_then(|compiled| gpu::compare(program, &compiled, device, yardstick, ran.as_ref()));
            match real {
                Ok(words) => row.gpu = Some(words),
                Err(reason) => {
                    row.right = false;
                    row.gpu = Some(format!("WRONG: {reason}"));
                }
            }
        }
        row.sanitizer = folder.0.as_deref().and_then(|folder| sanitizer::sanitize(program, folder));
        row
    });
    drop(progress);
    let (major, minor) = compiler.version();
    let engine = match (&device, mode) {
        (Some((device, _)), _) => format!("simulator and {}", device.name),
        (None, Mode::Sanitizer) => "simulator and compute-sanitizer".to_owned(),
        (None, _) => "simulator".to_owned(),
    };
    let right = rows.iter().all(|row| row.right || row.pending);
    let table = Table { date: today(), compiler: format!("NVRTC {major}.{minor}"), engine, programs: rows };
    if let Some(path) = out {
        let text = serde_json::to_string_pretty(&table).map_err(|error| Stop::Environment(error.into()))?;
        std::fs::write(path, text + "\n")
            .map_err(|error| Stop::environment(format!("failed to write `{}`: {error}", path.display())))?;
    }
    if json {
        output::json(&table)?;
    } else {
        output::text(&shown_table(&table, mode))?;
    }
    Ok(exit::verdict(right))
}

/// The first GPU, and the yardstick's machine code, without which no worker opens.
fn on_gpu(progress: &Progress) -> Result<(cuda::driver::DeviceProperties, Vec<u8>), Stop> {
    let setup = Setup::new(EngineChoice::Gpu, &simulator::model::gpus()[0], progress)?;
    let Engine::Gpu(device) = setup.engine else {
        return Err(Stop::environment("failed to use a GPU: run with `--engine sim` on the simulator"));
    };
    let target = cuda::nvrtc::Target::Cubin(device.capability);
    Ok((*device, checker::build::yardstick(&setup.compiler, target)?))
}

/// A folder of this process for what nvcc makes; gone at the end.
struct Folder(Option<PathBuf>);

impl Folder {
    fn new(mode: Mode) -> Result<Self, Stop> {
        if mode != Mode::Sanitizer {
            return Ok(Self(None));
        }
        let path = std::env::temp_dir().join(format!("workbook-programs-{}", std::process::id()));
        std::fs::create_dir_all(&path)
            .map_err(|error| Stop::environment(format!("failed to make `{}`: {error}", path.display())))?;
        sanitizer::write_headers(&path)?;
        Ok(Self(Some(path)))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // A temporary folder that stays does no harm.
            let _ = std::fs::remove_dir_all(path);
        }
    }
}

/// Calls `work` for each program on so many threads; the results are in the programs' order.
pub fn side_by_side<R: Send>(
    programs: &[Program],
    threads: usize,
    work: impl Fn(&Program) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some((index, program)) = Some(next.fetch_add(1, Ordering::Relaxed))
                    .and_then(|index| Some((index, programs.get(index)?)))
                {
                    let result = work(program);
                    results.lock().unwrap_or_else(PoisonError::into_inner).push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

fn row(program: &Program, verdict: &Verdict, ran: Option<&Ran>) -> Row {
    let expected = program.header.findings.iter().map(|expected| {
        let lines: Vec<String> = expected.lines.iter().map(ToString::to_string).collect();
        format!("{} {}", expected.word, lines.join(" "))
    });
    let wrong = match verdict {
        Verdict::Right => String::new(),
        Verdict::Wrong(reason) => reason.clone(),
    };
    Row {
        program: program.name.clone(),
        about: program.header.about.clone(),
        expected: expected.collect(),
        found: ran.map(|ran| ran.findings.iter().map(shown).collect()).unwrap_or_default(),
        right: *verdict == Verdict::Right,
        remark: match program.pending() {
            Some(reason) if !wrong.is_empty() => format!("pending ({reason}): {wrong}"),
            _ => wrong,
        },
        pending: program.pending().is_some(),
        gpu: None,
        sanitizer: None,
    }
}

fn shown_table(table: &Table, mode: Mode) -> String {
    let mut out = String::new();
    let (mut right, mut wrong, mut pending) = (0, 0, 0);
    for row in &table.programs {
        let verdict = match (row.right, row.pending) {
            (true, _) => "ok".green(),
            (false, true) => "pending".yellow(),
            (false, false) => "WRONG".red().bold(),
        };
        *match (row.right, row.pending) {
            (true, _) => &mut right,
            (false, true) => &mut pending,
            (false, false) => &mut wrong,
        } += 1;
        let _ = writeln!(out, "{:44} {verdict}", row.program);
        let found = row.found.join("; ");
        if mode == Mode::Sanitizer && !found.is_empty() {
            let _ = writeln!(out, "    we find {found}");
        }
        if let Some(theirs) = &row.sanitizer {
            let count = theirs.count.map_or_else(|| "nothing".to_owned(), |count| count.to_string());
            let lines: Vec<String> = theirs.lines.iter().map(ToString::to_string).collect();
            let _ = writeln!(
                out,
                "    {} counts {count}; lines {}; {}",
                theirs.tool,
                lines.join(" "),
                theirs.said
            );
        }
        let gpu = row.gpu.as_deref().filter(|words| *words != "equal").map(|words| format!("GPU: {words}"));
        let remark = Some(row.remark.clone()).filter(|remark| !remark.is_empty());
        for line in gpu.into_iter().chain(remark) {
            for line in checker::render::wrap(&line, 92) {
                let _ = writeln!(out, "    {line}");
            }
        }
    }
    let _ = writeln!(out, "\n{right} programs as they should be, {wrong} not, {pending} pending");
    out
}
