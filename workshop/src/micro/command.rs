//! Runs the microbenchmarks and writes their figures.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;

use cuda::driver::{DriverError, Gpu};
use cuda::nvrtc::{CompileError, Compiler, Request, Target};
use records::Record;

use super::measure::{clock, figure, seconds_per_round};
use super::probes::{FILES, File, Probe, probes};
use crate::command_line::CommandLine;
use crate::machine::{Machine, heading};
use checker::output;
use judge::exit::{self, Stop};
use judge::progress::Progress;

/// Measure the costs of single operations, for the timing model (needs a GPU)
#[derive(Debug, Args)]
pub struct Micro {
    /// Where to write the JSON
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

impl Micro {
    /// Does it.
    pub fn run(self) -> Result<ExitCode, Stop> {
        run(&self.out)
    }
}

/// Measures, writes the JSON, prints a table.
fn run(out: &Path) -> Result<ExitCode, Stop> {
    let progress = Progress::new();
    let machine = Machine::find::<records::Micro>(&progress)?;
    let (compiler, device) = (&machine.setup.compiler, &machine.device);
    let all = probes();
    let cubins: Vec<Vec<u8>> = FILES
        .iter()
        .map(|file| compiled(compiler, file, Target::Cubin(device.capability)))
        .collect::<Result<_, _>>()?;
    let mut gpu = Gpu::open(device.index, &cubins[0]).map_err(|error| failed("open the GPU", &error))?;
    let reference = all.iter().find(|probe| probe.kernel == "clock_cycles").expect("the clock is probed");
    let clock_hz = clock(&gpu, reference).map_err(|error| failed("read the clock", &error))?;
    let mut figures = Vec::new();
    for (file, cubin) in FILES.iter().zip(&cubins) {
        gpu.load(cubin).map_err(|error| failed("load the kernels", &error))?;
        for probe in all.iter().filter(|probe| is_in(file, probe)) {
            progress.say(probe.name);
            let seconds = seconds_per_round(&gpu, probe, device.multiprocessors)
                .map_err(|error| failed(&format!("measure `{}`", probe.name), &error))?;
            figures.push(records::Figure {
                name: probe.name.to_owned(),
                value: figure(probe, seconds, device.multiprocessors, clock_hz),
                unit: probe.figure.unit().to_owned(),
                kernel: probe.kernel.to_owned(),
            });
        }
    }
    drop(progress);
    let command = CommandLine::of::<records::Micro>().file("--out", Some(out));
    let micro = records::Micro { multiprocessors: device.multiprocessors, clock_hz, figures };
    let record = Record::new(machine.provenance(command), micro);
    output::json_file(out, &record)?;
    output::text(&table(&record))?;
    Ok(exit::verdict(true))
}

/// Whether the kernel of a probe stands in this file: as a definition, or as the argument of a macro.
fn is_in(file: &File, probe: &Probe) -> bool {
    let definition = |mark: &str| file.text.contains(&format!("{mark}{}", probe.kernel));
    [
        "__global__ void ",
        "__launch_bounds__(128, 16) ",
        "__launch_bounds__(256, 8) ",
        "ANYWHERE(",
        "STORES(",
        "KERNEL(",
        "MATCHES(",
        "CHAIN(",
        "FETCHES(",
        "ATOMIC(",
        "SCATTERED(",
    ]
    .into_iter()
    .any(definition)
}

/// Machine code or PTX of a file.
pub fn compiled(compiler: &Compiler, file: &File, target: Target) -> Result<Vec<u8>, Stop> {
    let options = ["--std=c++17".to_owned()];
    let request = Request { source: file.text, file: file.name, headers: &[], options: &options, target };
    compiler.compile(&request).map(|made| made.image).map_err(|error| match error {
        CompileError::Source(found) => {
            let lines: Vec<String> =
                found.iter().map(|one| format!("{}:{}: {}", file.name, one.line, one.message)).collect();
            Stop::environment(format!("a microbenchmark does not compile: {}", lines.join("; ")))
        }
        CompileError::Compiler(error) => Stop::Environment(error.into()),
    })
}

fn failed(what: &str, error: &DriverError) -> Stop {
    Stop::environment(format!("failed to {what}: {error}"))
}

fn table(record: &Record<records::Micro>) -> String {
    let micro = &record.content;
    let mut out = format!(
        "{}, {:.0} MHz, {} multiprocessors\n",
        heading(&record.provenance),
        micro.clock_hz * 1e-6,
        micro.multiprocessors
    );
    for figure in &micro.figures {
        let _ = writeln!(out, "{:50} {:>12.3} {}", figure.name, figure.value, figure.unit);
    }
    out
}
