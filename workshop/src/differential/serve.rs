//! The child's side: reads `unit first` lines, compiles the unit, runs its kernels from `first` on, and writes
//! a line of JSON for each. `unit first alone` compiles each kernel by itself. Ends with its input, or after a
//! broken GPU context.

use std::io::{BufRead, Write};
use std::time::Instant;

use cuda::nvrtc::{CompileError, Compiler, Request, Target};

use super::engine::Engines;
use super::families::Family;
use super::kernel::{Kernel, text, unit};
use super::outcome::{Line, Outcome};
use judge::exit::Stop;

/// The settings of the run that a child needs.
#[derive(Debug, Clone)]
pub struct Work {
    /// The run's seed.
    pub seed: u64,
    /// Kernels of the run.
    pub count: u64,
    /// Families of the run.
    pub families: Vec<Family>,
    /// The GPU to compare with, and its compute capability; without one, the simulator itself.
    pub gpu: Option<(u32, u32)>,
}

/// The virtual architecture the simulator gets its PTX for.
const VIRTUAL: u32 = 90;

/// Serves until the input ends.
pub fn serve(work: &Work, input: impl BufRead, output: &mut impl Write) -> Result<(), Stop> {
    let compiler = Compiler::find(&mut |_| {}).map_err(|error| Stop::Environment(error.into()))?;
    let mut engines = Engines::new(work.gpu.map(|(index, _)| index))?;
    for line in input.lines() {
        let line = line.map_err(lost)?;
        let Some((number, first, alone)) = task(&line) else {
            return Err(Stop::environment(format!("the child was asked for `{line}`")));
        };
        let kernels = unit(work.seed, number, work.count, &work.families);
        let kernels: Vec<Kernel> = kernels.into_iter().filter(|kernel| kernel.index >= first).collect();
        let together = if alone { 1 } else { kernels.len().max(1) };
        for group in kernels.chunks(together) {
            if !judge(work, &compiler, &mut engines, number, group, output)? {
                return Ok(());
            }
        }
        say(output, &Line::Done)?;
    }
    Ok(())
}

/// Compiles kernels together, runs them one by one and reports each outcome; whether the child can go on.
fn judge(
    work: &Work,
    compiler: &Compiler,
    engines: &mut Engines,
    number: u64,
    kernels: &[Kernel],
    output: &mut impl Write,
) -> Result<bool, Stop> {
    let start = Instant::now();
    let loaded = match images(compiler, &text(work.seed, number, kernels), work) {
        Ok((ptx, cubin)) => {
            say(output, &Line::Compiled { ms: start.elapsed().as_millis() as u64 })?;
            engines.load(&ptx, cubin)
        }
        Err(reason) => Err(reason),
    };
    for kernel in kernels {
        let plain = || unoptimized(compiler, &text(work.seed, number, std::slice::from_ref(kernel)), work);
        let (outcome, usable) = match &loaded {
            Ok(loaded) => engines.run(loaded, kernel, &plain),
            Err(reason) => (Outcome::Failed(reason.clone()), true),
        };
        say(output, &Line::Ran { index: kernel.index, outcome })?;
        if !usable {
            return Ok(false);
        }
    }
    Ok(true)
}

fn task(line: &str) -> Option<(u64, u64, bool)> {
    let mut words = line.split(' ');
    let (number, first) = (words.next()?.parse().ok()?, words.next()?.parse().ok()?);
    match (words.next(), words.next()) {
        (None, _) => Some((number, first, false)),
        (Some("alone"), None) => Some((number, first, true)),
        _ => None,
    }
}

fn say(output: &mut impl Write, line: &Line) -> Result<(), Stop> {
    let text = serde_json::to_string(line).map_err(|error| Stop::Environment(error.into()))?;
    writeln!(output, "{text}").and_then(|()| output.flush()).map_err(lost)
}

#[expect(clippy::needless_pass_by_value, reason = "as `map_err` hands it over")]
fn lost(error: std::io::Error) -> Stop {
    Stop::environment(format!("the child lost its parent: {error}"))
}

/// PTX and, for a GPU, machine code of a unit.
pub fn images(compiler: &Compiler, text: &str, work: &Work) -> Result<(String, Option<Vec<u8>>), String> {
    // As the simulator of a check gets it: the GPU's own architecture, but none newer than the virtual one.
    let architecture = work.gpu.map_or(VIRTUAL, |(_, capability)| capability.min(VIRTUAL));
    let ptx = compile(compiler, text, Target::Ptx(architecture), &[])?;
    let ptx = String::from_utf8(ptx).map_err(|_| "the PTX is not UTF-8".to_owned())?;
    let cubin = work
        .gpu
        .map(|(_, capability)| compile(compiler, text, Target::Cubin(capability), &[]))
        .transpose()?;
    Ok((ptx.trim_end_matches('\0').to_owned(), cubin))
}

/// Machine code for the GPU that does exactly what the PTX says: the assembler does not optimize it.
pub fn unoptimized(compiler: &Compiler, text: &str, work: &Work) -> Result<Vec<u8>, String> {
    let (_, capability) = work.gpu.ok_or("there is no GPU")?;
    compile(compiler, text, Target::Cubin(capability), &["--ptxas-options=-O0".to_owned()])
}

fn compile(compiler: &Compiler, text: &str, target: Target, options: &[String]) -> Result<Vec<u8>, String> {
    let request = Request { source: text, file: "differential.cu", headers: &[], options, target };
    compiler.compile(&request).map(|made| made.image).map_err(|error| match error {
        CompileError::Source(found) => {
            let first = found.iter().find(|one| one.severity == cuda::diagnostics::Severity::Error);
            first.map_or_else(
                || "it does not compile".to_owned(),
                |one| format!("it does not compile, line {}: {}", one.line, one.message),
            )
        }
        CompileError::Compiler(error) => error.to_string(),
    })
}
