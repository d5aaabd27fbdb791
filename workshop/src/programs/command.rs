//! The command: runs the programs side by side, prints a table, writes JSON.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use clap::Args;
use colored::Colorize;
use cuda::driver::DeviceProperties;
use cuda::nvrtc::Compiler;
use records::Record;

use super::compile::compile;
use super::gpu;
use super::judge::{Verdict, shown};
use super::load::{Program, load};
use super::sanitizer;
use super::simulate::{self, Ran};
use crate::command_line::CommandLine;
use crate::machine::{compiler_name, provenance};
use crate::result::ResultOptions;
use crate::sources::workspace;
use checker::options::EngineArg;
use judge::exit::{self, Stop};
use judge::progress::Progress;
use judge::setup::{Engine, EngineChoice, Setup, find_compiler};

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
    /// Only programs whose `topic/name` contains one of these
    filters: Vec<String>,
    /// `gpu`: on a GPU as well, and compare the bytes
    #[arg(long, value_enum, default_value = "sim", conflicts_with = "sanitizer")]
    engine: EngineArg,
    /// Under compute-sanitizer as well (needs a GPU, nvcc and compute-sanitizer)
    #[arg(long)]
    sanitizer: bool,
    #[command(flatten)]
    result: ResultOptions,
}

/// GPU contexts at once.
const AT_ONCE_ON_GPU: usize = 8;
/// Programs that are built by nvcc, or run under a tool, at once.
const AT_ONCE_SANITIZED: usize = 12;

impl Programs {
    /// Runs all programs that match a filter, writes and prints the table.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let mode = self.mode();
        let programs = load(workspace()?.root(), &self.filters)?;
        if programs.is_empty() {
            let filters = self.filters.join("` or `");
            return Err(Stop::Usage(format!("no program's name contains `{filters}`")));
        }
        let progress = Progress::new();
        let compiler = find_compiler(&progress)?;
        let gpu = if mode == Mode::Gpu { Some(on_gpu(&progress)?) } else { None };
        let folder = Folder::new(mode)?;
        progress.say("running the programs");
        let place = Place { compiler: &compiler, gpu: gpu.as_ref(), folder: &folder };
        let rows = side_by_side(&programs, mode.threads(), |program| place.one(program));
        drop(progress);
        let engine = match (&gpu, mode) {
            (Some((device, _)), _) => format!("simulator and {}", device.name),
            (None, Mode::Sanitizer) => "simulator and compute-sanitizer".to_owned(),
            (None, _) => "simulator".to_owned(),
        };
        let right = rows.iter().all(|row| row.right || row.pending);
        let device = gpu.as_ref().map(|(device, _)| device);
        let provenance = provenance(device, compiler_name(&compiler), self.command(mode));
        let record = Record::new(provenance, records::Programs { engine, programs: rows });
        self.result.write(&record)?;
        self.result.print(&record, || table(&record.content.programs, mode))?;
        Ok(exit::verdict(right))
    }

    fn mode(&self) -> Mode {
        match (self.sanitizer, self.engine) {
            (true, _) => Mode::Sanitizer,
            (false, EngineArg::Gpu) => Mode::Gpu,
            (false, _) => Mode::Simulator,
        }
    }

    fn command(&self, mode: Mode) -> CommandLine {
        let line = self.filters.iter().fold(CommandLine::of::<records::Programs>(), CommandLine::word);
        let line = match mode {
            Mode::Simulator => line,
            Mode::Gpu => line.option("--engine", Some("gpu")),
            Mode::Sanitizer => line.word("--sanitizer"),
        };
        line.file("--out", self.result.out.as_deref())
    }
}

impl Mode {
    /// Programs at once.
    fn threads(self) -> usize {
        match self {
            Self::Simulator => std::thread::available_parallelism().map_or(1, Into::into),
            Self::Gpu => AT_ONCE_ON_GPU,
            Self::Sanitizer => AT_ONCE_SANITIZED,
        }
    }
}

/// A GPU, and the yardstick's machine code, without which no worker opens.
type WithYardstick = (DeviceProperties, Vec<u8>);

/// Where programs run.
struct Place<'a> {
    compiler: &'a Compiler,
    gpu: Option<&'a WithYardstick>,
    folder: &'a Folder,
}

impl Place<'_> {
    /// One program everywhere.
    fn one(&self, program: &Program) -> records::Program {
        let (verdict, ran) = simulate::check(self.compiler, program);
        let mut row = row(program, &verdict, ran.as_ref());
        if let Some((device, yardstick)) = self.gpu {
            let real = compile(self.compiler, program, Some(device.capability))
                .and_then(|compiled| gpu::compare(program, &compiled, device, yardstick, ran.as_ref()));
            row.right &= real.is_ok();
            row.gpu = Some(real.unwrap_or_else(|reason| format!("WRONG: {reason}")));
        }
        row.sanitizer = self.folder.0.as_deref().and_then(|folder| sanitizer::sanitize(program, folder));
        row
    }
}

/// The first GPU.
fn on_gpu(progress: &Progress) -> Result<WithYardstick, Stop> {
    let setup = Setup::new(EngineChoice::Gpu, &simulator::model::gpus()[0], progress)?;
    let Engine::Gpu(device) = setup.engine else {
        return Err(Stop::environment("failed to use a GPU: run with `--engine sim` on the simulator"));
    };
    let target = cuda::nvrtc::Target::Cubin(device.capability);
    Ok((*device, judge::build::yardstick(&setup.compiler, target)?))
}

/// A folder of this process for the output of nvcc; removed at the end.
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

/// Calls `work` for each program on several threads; the results are in the order of the programs.
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

fn row(program: &Program, verdict: &Verdict, ran: Option<&Ran>) -> records::Program {
    let expected = program.header.findings.iter().map(|expected| {
        let lines: Vec<String> = expected.lines.iter().map(ToString::to_string).collect();
        format!("{} {}", expected.word, lines.join(" "))
    });
    let wrong = match verdict {
        Verdict::Right => String::new(),
        Verdict::Wrong(reason) => reason.clone(),
    };
    records::Program {
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

fn table(programs: &[records::Program], mode: Mode) -> String {
    let mut out = String::new();
    let (mut right, mut wrong, mut pending) = (0, 0, 0);
    for row in programs {
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
            for line in judge::wrap::wrap(&line, 92) {
                let _ = writeln!(out, "    {line}");
            }
        }
    }
    let _ = writeln!(out, "\n{right} programs as they should be, {wrong} not, {pending} pending");
    out
}
