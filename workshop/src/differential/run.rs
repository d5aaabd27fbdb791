//! The command: children started, outcomes gathered, the report written.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use clap::Args;
use cuda::driver::DeviceProperties;
use cuda::nvrtc::Compiler;
use records::{Provenance, Record};

use super::engine::Engines;
use super::families::Family;
use super::kernel::{UNIT, text, unit};
use super::outcome::Outcome;
use super::pool::{Pool, Task, Told};
use super::report::{self, counted};
use super::serve::{Work, images, serve, unoptimized};
use crate::command_line::CommandLine;
use crate::machine::{compiler_name, provenance};
use checker::options::EngineArg;
use checker::output;
use judge::exit::{self, Stop};
use judge::labs;
use judge::progress::Progress;
use judge::setup::{EngineChoice, find_compiler};
use runtime::remote;

/// Longest silence of a child: it compiles a unit, or runs a kernel.
const SILENCE: Duration = Duration::from_secs(120);

/// Run random kernels on the simulator and on a GPU (or on the simulator twice), compare bytes
#[derive(Debug, Args)]
pub struct Differential {
    /// Kernels to run
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    count: u64,
    /// Selects the kernels
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Families that take turns, separated by commas; all that must agree if not given
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = family)]
    families: Vec<Family>,
    /// Compare the simulator on one thread with a GPU, or with itself on several threads
    #[arg(long, value_enum, default_value = "auto")]
    engine: EngineArg,
    /// Run this kernel alone; print its text and the first element that differs
    #[arg(long, value_name = "INDEX")]
    only: Option<u64>,
    /// Where to write the JSON
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Child processes; as many as there are cores if not given
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Serve another differential run
    #[arg(long, hide = true)]
    child: bool,
}

impl Differential {
    /// Runs all kernels or shows one; as a child, runs those it is asked for.
    pub fn run(mut self) -> Result<ExitCode, Stop> {
        if self.families.is_empty() {
            self.families = Family::DEFAULT.to_vec();
        }
        let device = gpu_of(self.engine.into())?;
        let work = Work {
            seed: self.seed,
            count: self.count,
            families: self.families.clone(),
            gpu: device.as_ref().map(|device| (device.index, device.capability)),
        };
        if let Some(index) = self.only {
            return show(&work, index);
        }
        if self.child {
            serve(&work, std::io::stdin().lock(), &mut std::io::stdout().lock())?;
            return Ok(exit::verdict(true));
        }
        self.compare(device.as_ref())
    }

    /// Runs all kernels in children, writes the JSON, prints the report.
    fn compare(&self, device: Option<&DeviceProperties>) -> Result<ExitCode, Stop> {
        let start = Instant::now();
        let progress = Progress::new();
        // Found, and fetched if need be, before the children look for it side by side.
        let compiler = find_compiler(&progress)?;
        let told = self.in_children(device, &progress)?;
        drop(progress);
        let run = records::Differential {
            seconds: start.elapsed().as_secs_f64(),
            compile_seconds: told.compile_ms as f64 * 1e-3,
            ..counted(told.outcomes, &self.families, self.seed)
        };
        let record = Record::new(self.provenance(device, &compiler), run);
        if let Some(path) = &self.out {
            output::json_file(path, &record)?;
        }
        output::text(&report::text(&record))?;
        let run = &record.content;
        Ok(exit::verdict(run.mismatches == 0 && run.kernels as u64 == self.count))
    }

    fn provenance(&self, device: Option<&DeviceProperties>, compiler: &Compiler) -> Provenance {
        let words = self.arguments().into_iter();
        let command = words.fold(CommandLine::of::<records::Differential>(), CommandLine::word);
        let command = command.file("--out", self.out.as_deref());
        let mut provenance = provenance(device, compiler_name(compiler), command);
        provenance.gpu.get_or_insert_with(|| "no GPU: the simulator on 1 thread and on 4".to_owned());
        provenance
    }

    /// The outcomes of all kernels.
    fn in_children(&self, device: Option<&DeviceProperties>, progress: &Progress) -> Result<Told, Stop> {
        let program = std::env::current_exe().map_err(|error| {
            Stop::environment(format!("failed to find this program's own binary: {error}"))
        })?;
        let arguments = self.arguments();
        let begin = || {
            let mut command = Command::new(&program);
            command.args(["differential", "--child"]).args(&arguments);
            command.args(["--engine", if device.is_some() { "gpu" } else { "sim" }]);
            command
        };
        let jobs = self.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
        let pool = Pool { start: &begin, jobs, limit: SILENCE };
        let tasks = (0..self.count.div_ceil(UNIT)).map(|unit| Task {
            unit,
            kernels: (unit * UNIT..((unit + 1) * UNIT).min(self.count)).collect(),
            alone: false,
        });
        let line = Mutex::new(progress);
        Ok(pool.run(tasks.collect(), &|done| {
            let line = line.lock().unwrap_or_else(PoisonError::into_inner);
            line.say(&format!("{done} of {} kernels", self.count));
        }))
    }

    /// The options that kernels follow from.
    fn arguments(&self) -> Vec<String> {
        let names: Vec<&str> = self.families.iter().map(|family| family.name()).collect();
        let (count, seed) = (self.count.to_string(), self.seed.to_string());
        let options = [("--count", count), ("--seed", seed), ("--families", names.join(","))];
        options.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect()
    }
}

fn family(name: &str) -> Result<Family, String> {
    Family::named(name).ok_or_else(|| {
        let names = Family::DEFAULT.map(Family::name);
        let advice = format!("there are {} and `contraction`", labs::quoted(&names));
        labs::unknown("family", name, &names, &advice)
    })
}

fn gpu_of(engine: EngineChoice) -> Result<Option<DeviceProperties>, Stop> {
    match (engine, remote::first()) {
        (EngineChoice::Simulator, _) | (EngineChoice::Auto, Err(_)) => Ok(None),
        (_, Ok(device)) => Ok(Some(device)),
        (EngineChoice::Gpu, Err(reason)) => Err(Stop::environment(format!(
            "failed to use a GPU: {reason}; `--engine sim` compares the simulator with itself"
        ))),
    }
}

/// Runs one kernel in this process and prints its text and its outcome.
fn show(work: &Work, index: u64) -> Result<ExitCode, Stop> {
    let progress = Progress::new();
    let compiler = find_compiler(&progress)?;
    drop(progress);
    // Compiled with its unit, as in the whole run.
    let kernels = unit(work.seed, index / UNIT, work.count.max(index + 1), &work.families);
    let source = text(work.seed, index / UNIT, &kernels);
    let kernel = kernels
        .into_iter()
        .find(|kernel| kernel.index == index)
        .ok_or_else(|| Stop::environment(format!("the unit lacks kernel {index}")))?;
    let mut engines = Engines::new(work.gpu.map(|(index, _)| index))?;
    let loaded = images(&compiler, &source, work).and_then(|(ptx, cubin)| engines.load(&ptx, cubin));
    let alone = text(work.seed, index / UNIT, std::slice::from_ref(&kernel));
    let plain = || unoptimized(&compiler, &alone, work);
    let outcome = match loaded {
        Ok(loaded) => engines.run(&loaded, &kernel, &plain).0,
        Err(reason) => Outcome::Failed(reason),
    };
    let mut out = format!("{}\n", kernel.source.trim_start());
    let _ = writeln!(out, "// grid {:?}, block {:?}", kernel.shape.grid, kernel.shape.block);
    match &outcome {
        Outcome::Differs(at) | Outcome::Optimizer(at) => {
            let _ = writeln!(out, "// {}: {} simulated, {} there", at.place, at.simulated, at.other);
            let _ = writeln!(out, "// {} words differ; the thread's inputs:", at.words);
            for (number, input) in at.inputs.iter().enumerate() {
                let _ = writeln!(out, "//   mine[{number}] = {input}");
            }
        }
        other => {
            let _ = writeln!(out, "// {other:?}");
        }
    }
    output::text(&out)?;
    Ok(exit::verdict(!outcome.is_mismatch()))
}
