//! The command: children started, outcomes gathered, the report written.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use clap::Args;
use cuda::driver::DeviceProperties;

use super::engine::Engines;
use super::families::Family;
use super::kernel::{UNIT, text, unit};
use super::outcome::Outcome;
use super::pool::{Pool, Task};
use super::report::Report;
use super::serve::{Work, images, serve, unoptimized};
use crate::date::today;
use checker::exit::{self, Stop};
use checker::labs;
use checker::options::EngineArg;
use checker::output;
use checker::progress::Progress;
use checker::setup::EngineChoice;
use checker::setup::find_compiler;
use runtime::remote;

/// Longest that a child may be silent: it compiles a unit, or runs a kernel.
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
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    families: Vec<String>,
    /// What the simulator on one thread is compared with: a GPU, or itself on several threads
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
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        let families = if self.families.is_empty() {
            Family::DEFAULT.to_vec()
        } else {
            self.families.iter().map(|name| family(name)).collect::<Result<_, _>>()?
        };
        let options = Options {
            count: self.count,
            seed: self.seed,
            families,
            engine: self.engine.into(),
            out: self.out,
            jobs: self.jobs,
            child: self.child,
        };
        match self.only {
            Some(index) => show(&options, index),
            None => run(&options),
        }
    }
}

fn family(name: &str) -> Result<Family, Stop> {
    Family::named(name).ok_or_else(|| {
        let names = Family::DEFAULT.map(Family::name);
        let advice = format!("there are {} and `contraction`", labs::quoted(&names));
        Stop::Usage(labs::unknown("family", name, &names, &advice))
    })
}

/// What was asked for.
#[derive(Debug, Clone)]
struct Options {
    /// Kernels.
    pub count: u64,
    /// Seed.
    pub seed: u64,
    /// Families, in turn.
    pub families: Vec<Family>,
    /// The engine to compare with: a GPU, or the simulator on several threads.
    pub engine: EngineChoice,
    /// Where to write the JSON.
    pub out: Option<PathBuf>,
    /// Children; as many as there are cores if it is not said.
    pub jobs: Option<usize>,
    /// Whether this is a child.
    pub child: bool,
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

fn work(options: &Options, device: Option<&DeviceProperties>) -> Work {
    Work {
        seed: options.seed,
        count: options.count,
        families: options.families.clone(),
        gpu: device.map(|device| (device.index, device.capability)),
    }
}

/// Runs all kernels; as a child, those it is asked for.
fn run(options: &Options) -> Result<ExitCode, Stop> {
    let device = gpu_of(options.engine)?;
    if options.child {
        let input = std::io::stdin().lock();
        serve(&work(options, device.as_ref()), input, &mut std::io::stdout().lock())?;
        return Ok(ExitCode::from(exit::PASSED));
    }
    let start = Instant::now();
    let progress = Progress::new();
    // Found, and fetched if need be, before the children look for it side by side.
    let compiler = find_compiler(&progress)?;
    let program = std::env::current_exe()
        .map_err(|error| Stop::environment(format!("failed to find the checker's own binary: {error}")))?;
    let arguments = arguments(options);
    let begin = || {
        let mut command = Command::new(&program);
        command.args(["differential", "--child"]).args(&arguments);
        command.args(["--engine", if device.is_some() { "gpu" } else { "sim" }]);
        command
    };
    let jobs = options.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into));
    let pool = Pool { start: &begin, jobs, limit: SILENCE };
    let tasks = (0..options.count.div_ceil(UNIT))
        .map(|unit| Task {
            unit,
            kernels: (unit * UNIT..((unit + 1) * UNIT).min(options.count)).collect(),
            alone: false,
        })
        .collect();
    let line = std::sync::Mutex::new(&progress);
    let told = pool.run(tasks, &|done| {
        let line = line.lock().unwrap_or_else(PoisonError::into_inner);
        line.say(&format!("{done} of {} kernels", options.count));
    });
    drop(progress);
    let (major, minor) = compiler.version();
    let mut report = Report {
        gpu: device.as_ref().map_or_else(
            || "no GPU: the simulator on 1 thread and on 4".to_owned(),
            |device| device.name.clone(),
        ),
        driver: device.as_ref().map(DeviceProperties::driver_name).unwrap_or_default(),
        date: today(),
        command: format!("workshop differential {}", arguments.join(" ")),
        compiler: format!("NVRTC {major}.{minor}"),
        seed: options.seed,
        kernels: 0,
        mismatches: 0,
        seconds: start.elapsed().as_secs_f64(),
        compile_seconds: told.compile_ms as f64 * 1e-3,
        families: Vec::new(),
        not_simulated: std::collections::BTreeMap::new(),
        failures: Vec::new(),
        compiler_faults: Vec::new(),
    };
    report.count(told.outcomes, &options.families);
    if let Some(path) = &options.out {
        let json = serde_json::to_string_pretty(&report).map_err(|error| Stop::Environment(error.into()))?;
        std::fs::write(path, json + "\n")
            .map_err(|error| Stop::environment(format!("failed to write `{}`: {error}", path.display())))?;
    }
    output::text(&report.text())?;
    Ok(exit::verdict(report.mismatches == 0 && report.kernels as u64 == options.count))
}

/// The options that kernels follow from.
fn arguments(options: &Options) -> Vec<String> {
    let names: Vec<&str> = options.families.iter().map(|family| family.name()).collect();
    vec![
        "--count".to_owned(),
        options.count.to_string(),
        "--seed".to_owned(),
        options.seed.to_string(),
        "--families".to_owned(),
        names.join(","),
    ]
}

/// Runs one kernel in this process and prints its text and what came of it.
fn show(options: &Options, index: u64) -> Result<ExitCode, Stop> {
    let device = gpu_of(options.engine)?;
    let work = work(options, device.as_ref());
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
    let loaded = images(&compiler, &source, &work).and_then(|(ptx, cubin)| engines.load(&ptx, cubin));
    let alone = text(work.seed, index / UNIT, std::slice::from_ref(&kernel));
    let plain = || unoptimized(&compiler, &alone, &work);
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
