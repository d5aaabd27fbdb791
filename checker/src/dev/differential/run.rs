//! The command: children started, outcomes gathered, the report written.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use cuda::driver::DeviceProperties;

use super::engine::Engines;
use super::families::Family;
use super::kernel::{UNIT, text, unit};
use super::outcome::Outcome;
use super::pool::{Pool, Task};
use super::report::Report;
use super::serve::{Work, images, serve, unoptimized};
use crate::config::EngineChoice;
use crate::dev::date::today;
use crate::exit::{self, Stop};
use crate::judge::driver_name;
use crate::progress::Progress;
use crate::setup::find_compiler;
use crate::{gpu, output};

/// Longest that a child may be silent: it compiles a unit, or runs a kernel.
const SILENCE: Duration = Duration::from_secs(120);

/// What was asked for.
#[derive(Debug, Clone)]
pub struct Options {
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
    match (engine, gpu::first()) {
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
pub fn run(options: &Options) -> Result<ExitCode, Stop> {
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
        command.args(["dev", "differential", "--child"]).args(&arguments);
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
        driver: device.as_ref().map(|device| driver_name(device.driver_version)).unwrap_or_default(),
        date: today(),
        command: format!("checker dev differential {}", arguments.join(" ")),
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
pub fn show(options: &Options, index: u64) -> Result<ExitCode, Stop> {
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
