//! `checker device`: the GPUs, the compiler and the CPU of this machine.

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;

use colored::Colorize;
use cuda::driver::DeviceProperties;
use cuda::nvrtc::{Compiler, Origin, Target};
use serde::Serialize;

use crate::output;
use judge::build;
use judge::exit::{self, Stop};
use judge::progress::Progress;

use judge::setup::{find_compiler, open_worker};
use runtime::remote::Images;
use runtime::statistics;

/// Bytes that the yardstick reads, and that it writes: far more than any L2 holds.
const YARDSTICK_BYTES: u64 = 1 << 30;

/// The machine, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Machine {
    version: &'static str,
    compiler: CompilerInfo,
    cores: usize,
    gpus: Vec<GpuInfo>,
    /// Why there is no GPU; absent if there is one.
    no_gpu: Option<String>,
    predictable: Vec<Predictable>,
}

#[derive(Debug, Serialize)]
struct CompilerInfo {
    version: String,
    path: String,
    origin: &'static str,
}

#[derive(Debug, Serialize)]
struct GpuInfo {
    index: u32,
    name: String,
    driver: String,
    properties: Vec<(String, String)>,
    /// The yardstick's speed in 10^9 bytes per second, measured now.
    yardstick_gigabytes_per_second: f64,
}

#[derive(Debug, Serialize)]
struct Predictable {
    name: &'static str,
    title: &'static str,
    multiprocessors: u32,
    gigabytes_per_second: f64,
    /// Whether predictions were compared with times measured on such a GPU.
    validated: bool,
    source: &'static str,
}

/// List the GPUs, the CUDA compiler, the CPU, and the yardstick's speed, which scores are relative to
#[derive(Debug, Args)]
pub struct Device {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Device {
    /// Describes the machine.
    pub fn run(self) -> Result<ExitCode, Stop> {
        run(self.json)
    }
}

fn run(json: bool) -> Result<ExitCode, Stop> {
    let progress = Progress::new();
    let compiler = find_compiler(&progress)?;
    let (gpus, no_gpu) = match cuda::driver::devices() {
        Ok(devices) if devices.is_empty() => (Vec::new(), Some("the driver found no GPU".to_owned())),
        Ok(devices) => {
            progress.say("measuring the yardstick");
            let measured: Result<Vec<GpuInfo>, Stop> =
                devices.iter().map(|device| gpu_info(&compiler, device)).collect();
            (measured?, None)
        }
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    drop(progress);
    let machine = Machine {
        version: env!("CARGO_PKG_VERSION"),
        compiler: compiler_info(&compiler),
        cores: std::thread::available_parallelism().map_or(1, Into::into),
        gpus,
        no_gpu,
        predictable: predictable(),
    };
    if json {
        output::json(&machine)?;
    } else {
        output::text(&text(&machine))?;
    }
    Ok(ExitCode::from(exit::PASSED))
}

fn compiler_info(compiler: &Compiler) -> CompilerInfo {
    let (major, minor) = compiler.version();
    let origin = match compiler.origin() {
        Origin::Environment => "CUDA_PATH or CUDA_HOME",
        Origin::Toolkit => "an installed CUDA toolkit",
        Origin::Python => "a Python environment",
        Origin::Cache => "the workbook's cache",
    };
    CompilerInfo { version: format!("{major}.{minor}"), path: compiler.path().display().to_string(), origin }
}

fn predictable() -> Vec<Predictable> {
    let one = |gpu: &simulator::model::Gpu| Predictable {
        name: gpu.name,
        title: gpu.title,
        multiprocessors: gpu.multiprocessors,
        gigabytes_per_second: (gpu.dram_bytes_per_second / 1e8).round() / 10.0,
        validated: gpu.validated,
        source: gpu.source,
    };
    simulator::model::gpus().iter().map(one).collect()
}

fn gpu_info(compiler: &Compiler, device: &DeviceProperties) -> Result<GpuInfo, Stop> {
    let yardstick = build::yardstick(compiler, Target::Cubin(device.capability))?;
    let images = Images { host: Vec::new(), device: Vec::new(), yardstick };
    let mut gpu = open_worker(device, images)?;
    let seconds = gpu
        .yardstick(YARDSTICK_BYTES, YARDSTICK_BYTES)
        .map_err(|failure| Stop::environment(format!("failed to measure the yardstick: {failure}")))?;
    let gigabytes = 2.0 * YARDSTICK_BYTES as f64 * 1e-9;
    Ok(GpuInfo {
        index: device.index,
        name: device.name.clone(),
        driver: device.driver_name(),
        properties: properties(device),
        yardstick_gigabytes_per_second: gigabytes / statistics::median(&seconds),
    })
}

fn properties(device: &DeviceProperties) -> Vec<(String, String)> {
    let megahertz = |kilohertz: u32| format!("{} MHz", kilohertz / 1000);
    let own = [
        ("compute capability", format!("{}.{}", device.capability / 10, device.capability % 10)),
        ("multiprocessors", device.multiprocessors.to_string()),
        ("memory", format!("{:.1} GiB", device.memory_bytes as f64 / f64::from(1 << 30))),
        ("L2 cache", format!("{:.1} MiB", device.l2_bytes as f64 / f64::from(1 << 20))),
        ("SM clock", megahertz(device.clock_khz)),
        ("memory clock", megahertz(device.memory_clock_khz)),
        ("memory bus", format!("{} bits", device.bus_bits)),
    ];
    let further = device.attributes.iter().map(|(label, value)| (*label, value.clone()));
    own.into_iter().chain(further).map(|(label, value)| (label.to_owned(), value)).collect()
}

fn text(machine: &Machine) -> String {
    let mut out = String::new();
    for gpu in &machine.gpus {
        let _ = writeln!(out, "{}", format!("GPU {}: {}", gpu.index, gpu.name).bold());
        let _ = writeln!(out, "  {:38} {}", "driver", gpu.driver);
        for (label, value) in &gpu.properties {
            let _ = writeln!(out, "  {label:38} {value}");
        }
        let _ =
            writeln!(out, "  {:38} {:.1} GB/s\n", "yardstick, measured", gpu.yardstick_gigabytes_per_second);
    }
    if let Some(reason) = &machine.no_gpu {
        let reason = reason.strip_prefix("no NVIDIA GPU: ").unwrap_or(reason);
        let _ = writeln!(out, "{}", judge::wrap::hanging("No GPU: ", reason));
        let _ = writeln!(out, "Kernels run on the simulator. It can predict times for these GPUs:\n");
    } else {
        let _ = writeln!(out, "{}", "The simulator can predict times for:".bold());
    }
    for gpu in &machine.predictable {
        let unvalidated = if gpu.validated { "" } else { "   unvalidated" };
        let _ = writeln!(
            out,
            "  --gpu {:10} {:32} {:3} multiprocessors {:7.1} GB/s{unvalidated}",
            gpu.name, gpu.title, gpu.multiprocessors, gpu.gigabytes_per_second
        );
    }
    let compiler = &machine.compiler;
    let _ = writeln!(out, "\n{} NVRTC {}, from {}", "Compiler:".bold(), compiler.version, compiler.origin);
    let _ = writeln!(out, "  {}", compiler.path);
    let _ = writeln!(out, "{} {} hardware threads", "CPU:".bold(), machine.cores);
    out
}
