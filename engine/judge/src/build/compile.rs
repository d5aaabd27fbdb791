//! The passes of the compiler over one submission, run in parallel.

use std::sync::Arc;

use cuda::diagnostics::Diagnostic;
use cuda::nvrtc::{CompileError, Compiled as Made, Compiler, Request, Target};
use kernels::{DIGEST, Entry, HEADERS, Pass, YARDSTICK};
use lab::Task;
use simulator::Module;
use simulator::model::Gpu;

use super::assembled::assembled;
use super::entries::{self, Blame};
use super::passes::Compile;
use super::{assembler, dear, findings, hosted};
use crate::chance::Chance;
use crate::exit::Stop;
use crate::submission::Submission;
use runtime::engine::AssembledKernels;
use runtime::finding::{Finding, merge};
use runtime::job::Program;
use runtime::simulation::Simulation;

/// The virtual architecture of the host pass. Any with all of C++ will do, because the host function is interpreted.
const HOST_ARCHITECTURE: u32 = 90;

/// The architectures to compile for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Targets {
    /// The virtual architecture for the simulator: 90 for `compute_90`.
    pub ptx: u32,
    /// The real architecture of the GPU, real or simulated: 90 for `sm_90`. Without a GPU, the machine code serves only
    /// to predict times: it has the registers and the instructions of the kernels.
    pub cubin: Option<u32>,
    /// Whether that is the architecture of the GPU itself: else only the registers count.
    pub own: bool,
}

impl Targets {
    /// For a simulated GPU of this compute capability, or the lowest that the compiler supports.
    pub fn simulated(compiler: &Compiler, capability: u32) -> Self {
        let architecture = at_least(compiler, capability);
        Self { ptx: architecture, cubin: Some(architecture), own: architecture == capability }
    }

    /// For a real GPU. The simulator, which explains faults, needs no PTX newer than 90.
    pub fn real(compiler: &Compiler, capability: u32) -> Self {
        Self {
            ptx: at_least(compiler, capability.min(HOST_ARCHITECTURE)),
            cubin: Some(capability),
            own: true,
        }
    }
}

fn at_least(compiler: &Compiler, capability: u32) -> u32 {
    compiler
        .architectures()
        .into_iter()
        .filter(|known| *known >= capability)
        .min()
        .unwrap_or(HOST_ARCHITECTURE)
}

/// A compiled submission.
#[derive(Debug)]
pub struct Build {
    /// The host functions.
    pub program: Program,
    /// Their PTX.
    pub host_ptx: String,
    /// The kernels, for the simulator.
    pub device: Arc<Module>,
    /// The kernels as machine code.
    pub cubin: Option<Vec<u8>>,
    /// The same for predictions.
    pub assembled: AssembledKernels,
    /// A hash of the source's tokens.
    pub tokens: u64,
    /// Lines of the device PTX at which threads sleep.
    pub sleeps: Arc<[u32]>,
    /// Lines of the device PTX at which threads read a clock.
    pub clocks: Arc<[u32]>,
    /// Lines of the device PTX that permute bytes.
    pub permutes: Arc<[u32]>,
    /// Lines of the device PTX that multiply bytes and add the products.
    pub dot_products: Arc<[u32]>,
    /// Lines of the device PTX that only serve to divide numbers that may be negative by a constant.
    pub signed_divisions: Arc<[u32]>,
    /// Warnings, and an error for each task whose host function is missing or has another signature.
    pub findings: Vec<Finding>,
    /// The host functions of those tasks.
    pub missing: Vec<String>,
}

impl Build {
    /// The kernels on a simulated GPU.
    pub fn simulation(&self, gpu: &'static Gpu) -> Simulation {
        Simulation {
            assembled: Arc::clone(&self.assembled),
            tokens: self.tokens,
            sleeps: Arc::clone(&self.sleeps),
            clocks: Arc::clone(&self.clocks),
            permutes: Arc::clone(&self.permutes),
            dot_products: Arc::clone(&self.dot_products),
            signed_divisions: Arc::clone(&self.signed_divisions),
            ..Simulation::new(Arc::clone(&self.device), gpu)
        }
    }
}

/// Why there is no build.
#[derive(Debug)]
pub enum BuildError {
    /// The file does not compile.
    Source(Vec<Finding>),
    /// The compiler or the workbook is at fault.
    Stop(Stop),
}

/// Compiles a submission for these tasks.
pub fn build(
    compiler: &dyn Compile,
    submission: &Submission,
    tasks: &[&dyn Task],
    targets: Targets,
) -> Result<Build, BuildError> {
    let mut unit = Unit { compiler, name: &submission.name, rewritten: rewritten(submission)? };
    let compiled = compile(&mut unit, submission, tasks, targets)?;
    finished(compiled, submission, targets)
}

/// Compiles a file for these host functions, which belong to no lab.
pub fn build_functions(
    compiler: &dyn Compile,
    submission: &Submission,
    functions: &[Entry<'_>],
    targets: Targets,
) -> Result<Build, BuildError> {
    let unit = Unit { compiler, name: &submission.name, rewritten: rewritten(submission)? };
    let passes = unit
        .compile(functions, targets)?
        .map_err(|diagnostics| BuildError::Source(findings::errors(&diagnostics, submission)))?;
    finished(Compiled { passes, notes: Vec::new(), missing: Vec::new() }, submission, targets)
}

/// The text as the compiler gets it.
fn rewritten(submission: &Submission) -> Result<String, BuildError> {
    if let Some(error) = kernels::refused_include(&submission.text) {
        return Err(BuildError::Source(vec![findings::refused_include(&error, submission)]));
    }
    kernels::rewrite_launches(&submission.text)
        .map_err(|error| BuildError::Source(vec![findings::refused_launch(&error, submission)]))
}

fn finished(compiled: Compiled, submission: &Submission, targets: Targets) -> Result<Build, BuildError> {
    let Compiled { passes, mut notes, missing } = compiled;
    refuse_undefined(&passes, submission)?;
    let mut of_host = hosted::called(&submission.name, &submission.text, &passes.device);
    of_host.extend(hosted::used(&submission.name, &submission.text));
    if !of_host.is_empty() {
        return Err(BuildError::Source(of_host));
    }
    for warning in findings::warnings(&passes.warnings, submission) {
        merge(&mut notes, warning, None);
    }
    let unknown = |error: simulator::ModuleError, ptx: &str| {
        if let Some(variable) = &error.too_large {
            return BuildError::Source(vec![findings::too_large(variable, &error.message, submission)]);
        }
        BuildError::Source(vec![findings::unreadable(&error, ptx, submission)])
    };
    let assembled = match &passes.cubin {
        Some(cubin) => assembled(cubin, targets, &passes.device),
        None => AssembledKernels::default(),
    };
    let device = Arc::new(Module::from_ptx(&passes.device).map_err(|error| unknown(error, &passes.device))?);
    let program = Program::from_ptx(&passes.host).map_err(|error| unknown(error, &passes.host))?;
    Ok(Build {
        assembled,
        tokens: Chance::of_tokens(&kernels::tokens_alone(&submission.text)).hash(),
        sleeps: lines_with(&passes.device, &["nanosleep"]),
        clocks: lines_with(&passes.device, &["%clock", "%globaltimer"]),
        permutes: lines_with(&passes.device, &["prmt."]),
        dot_products: lines_with(&passes.device, &["dp4a.", "dp2a."]),
        signed_divisions: dear::divisions(&passes.device),
        program: program.beside(&device),
        host_ptx: passes.host,
        device,
        cubin: passes.cubin,
        findings: notes,
        missing,
    })
}

/// Lines of the PTX, from 1, that hold one of these words.
fn lines_with(ptx: &str, words: &[&str]) -> Arc<[u32]> {
    let numbered = (1..).zip(ptx.lines());
    // A sleep of no time only lets others run.
    let holds =
        |line: &str| words.iter().any(|word| line.contains(word)) && !line.contains("nanosleep.u32 0;");
    numbered.filter(|(_, line)| holds(line)).map(|(number, _)| number).collect()
}

/// The passes for all tasks but those whose host functions are missing or have another signature.
struct Compiled {
    passes: Passes,
    /// An error for each task that is left out.
    notes: Vec<Finding>,
    /// The host functions of those tasks.
    missing: Vec<String>,
}

/// Compiles, and again without the tasks whose host functions alone are at fault.
fn compile(
    unit: &mut Unit<'_>,
    submission: &Submission,
    tasks: &[&dyn Task],
    targets: Targets,
) -> Result<Compiled, BuildError> {
    let mut wanted: Vec<&dyn Task> = tasks.to_vec();
    let mut notes = Vec::new();
    let mut missing = Vec::new();
    loop {
        let entries: Vec<Entry<'_>> = wanted.iter().map(|task| entries::entry(*task)).collect();
        let diagnostics = match unit.compile(&entries, targets)? {
            Ok(passes) => return Ok(Compiled { passes, notes, missing }),
            Err(diagnostics) => diagnostics,
        };
        if let Some(rewritten) = unit.with_lasting_statics(&diagnostics) {
            unit.rewritten = rewritten;
            continue;
        }
        let Some(blamed) = entries::blame(&diagnostics, &wanted) else {
            return Err(BuildError::Source(assembler::errors(unit, diagnostics, submission, targets)));
        };
        // There are no other errors: the other tasks can be checked without these.
        for Blame { task, missing: undefined, message } in blamed.into_iter().rev() {
            let task = wanted.remove(task);
            notes.insert(0, findings::entry(task, undefined, message, submission));
            missing.push(task.name().to_owned());
        }
        if wanted.is_empty() {
            return Err(BuildError::Source(notes));
        }
    }
}

/// An error if a function that is called has no body.
fn refuse_undefined(passes: &Passes, submission: &Submission) -> Result<(), BuildError> {
    let mut all = Vec::new();
    for (ptx, host) in [(&passes.host, true), (&passes.device, false)] {
        for message in kernels::explain_undefined(ptx, host) {
            merge(&mut all, findings::undefined(message, submission), None);
        }
    }
    if all.is_empty() { Ok(()) } else { Err(BuildError::Source(all)) }
}

/// Compiles the kernels that run beside a student's on one target: the yardstick, and the hash of what calls leave.
pub fn yardstick(compiler: &dyn Compile, target: Target) -> Result<Vec<u8>, Stop> {
    Ok(made_yardstick(compiler, &[YARDSTICK, DIGEST].concat(), target)?.image)
}

/// Compiles the yardstick as [`Targets`] ask: PTX, and machine code if there is a target for it. One compilation gives both
/// if they are for the same architecture.
pub fn simulated_yardstick(
    compiler: &dyn Compile,
    targets: Targets,
) -> Result<(String, Option<Vec<u8>>), Stop> {
    let cubin =
        targets.cubin.map(|real| made_yardstick(compiler, YARDSTICK, Target::Cubin(real))).transpose()?;
    if let Some(Made { image, ptx: Some(ptx), .. }) = &cubin
        && targets.cubin == Some(targets.ptx)
    {
        return Ok((ptx.clone(), Some(image.clone())));
    }
    let ptx = made_yardstick(compiler, YARDSTICK, Target::Ptx(targets.ptx))?.image;
    Ok((String::from_utf8_lossy(&ptx).trim_end_matches('\0').to_owned(), cubin.map(|cubin| cubin.image)))
}

fn made_yardstick(compiler: &dyn Compile, source: &str, target: Target) -> Result<Made, Stop> {
    let options = kernels::options(Pass::Device);
    let request = Request { source, file: "yardstick.cu", headers: &headers(), options: &options, target };
    let failed = |error: &dyn std::fmt::Display| {
        Stop::environment(format!("failed to compile the workbook's own yardstick kernel: {error}"))
    };
    let mut made = compiler.compile_all(&[request]).map_err(|error| failed(&error))?;
    made.pop().ok_or_else(|| failed(&"nothing was made"))?.map_err(|error| failed(&error))
}

pub(super) struct Unit<'a> {
    compiler: &'a dyn Compile,
    name: &'a str,
    rewritten: String,
}

struct Passes {
    host: String,
    device: String,
    cubin: Option<Vec<u8>>,
    warnings: Vec<Diagnostic>,
}

/// What the device pass made.
struct Kernels {
    ptx: Vec<u8>,
    cubin: Option<Vec<u8>>,
    warnings: Vec<Diagnostic>,
}

impl Unit<'_> {
    /// The text with the variables that the compiler has refused made at the first call, if that is what it refused.
    fn with_lasting_statics(&self, diagnostics: &[Diagnostic]) -> Option<String> {
        let refused = |found: &&Diagnostic| found.file == self.name && kernels::is_lasting(&found.message);
        let lines: Vec<(u32, &str)> =
            diagnostics.iter().filter(refused).map(|found| (found.line, found.message.as_str())).collect();
        kernels::rewrite_lasting(&self.rewritten, &lines)
    }

    /// Runs all passes in parallel. The outer error is the compiler's, the inner one the student's.
    fn compile(
        &self,
        entries: &[Entry<'_>],
        targets: Targets,
    ) -> Result<Result<Passes, Vec<Diagnostic>>, BuildError> {
        let host = kernels::translation_unit(&self.rewritten, Pass::Host, entries);
        let device = kernels::translation_unit(&self.rewritten, Pass::Device, entries);
        let mut wanted = vec![(host.as_str(), Pass::Host, Target::Ptx(HOST_ARCHITECTURE))];
        // A cubin brings the PTX that it was assembled from, if both are for the same architecture.
        if targets.cubin != Some(targets.ptx) {
            wanted.push((&device, Pass::Device, Target::Ptx(targets.ptx)));
        }
        wanted.extend(targets.cubin.map(|real| (device.as_str(), Pass::Device, Target::Cubin(real))));
        let mut made = self.passes(&wanted)?.into_iter();
        let host = made.next().ok_or_else(|| BuildError::Stop(Stop::environment("no pass was compiled")))?;
        match host
            .and_then(|host| Ok((host, self.kernels(made.collect::<Result<_, _>>()?, &device, targets))))
        {
            Ok((host, kernels)) => {
                let kernels = kernels?;
                Ok(Ok(Passes {
                    host: text(host.image)?,
                    device: text(kernels.ptx)?,
                    cubin: kernels.cubin,
                    warnings: kernels.warnings,
                }))
            }
            Err(CompileError::Source(diagnostics)) => Ok(Err(diagnostics)),
            Err(CompileError::Compiler(error)) => Err(stopped(error)),
        }
    }

    /// The kernels as PTX, and as machine code if there is a target for it.
    fn kernels(&self, made: Vec<Made>, source: &str, targets: Targets) -> Result<Kernels, BuildError> {
        let mut made = made;
        let last =
            made.pop().ok_or_else(|| BuildError::Stop(Stop::environment("no kernels were compiled")))?;
        if targets.cubin.is_none() {
            return Ok(Kernels { ptx: last.image, cubin: None, warnings: last.diagnostics });
        }
        let (ptx, warnings) = match (made.pop(), last.ptx) {
            (Some(ptx), _) => (ptx.image, ptx.diagnostics),
            (None, Some(ptx)) => {
                // The assembler's remarks have no line in the student's file.
                let of_source = |found: &Diagnostic| !found.message.starts_with("ptxas");
                (ptx.into_bytes(), last.diagnostics.into_iter().filter(of_source).collect())
            }
            // An older compiler keeps no PTX of a cubin.
            (None, None) => {
                let again = self.passes(&[(source, Pass::Device, Target::Ptx(targets.ptx))])?;
                match again.into_iter().next() {
                    Some(Ok(made)) => (made.image, made.diagnostics),
                    Some(Err(CompileError::Compiler(error))) => return Err(stopped(error)),
                    _ => {
                        return Err(BuildError::Stop(Stop::environment(
                            "a file compiles only for one target",
                        )));
                    }
                }
            }
        };
        Ok(Kernels { ptx, cubin: Some(last.image), warnings })
    }

    /// The kernels as PTX, also of a file that the assembler refuses.
    pub(super) fn ptx(&self, targets: Targets) -> Option<String> {
        let device = kernels::translation_unit(&self.rewritten, Pass::Device, &[]);
        let made = self.passes(&[(&device, Pass::Device, Target::Ptx(targets.ptx))]).ok()?;
        text(made.into_iter().next()?.ok()?.image).ok()
    }

    /// Compiles each text for its pass and target.
    fn passes(&self, wanted: &[(&str, Pass, Target)]) -> Result<Vec<Result<Made, CompileError>>, BuildError> {
        let options: Vec<Vec<String>> = wanted.iter().map(|(_, pass, _)| kernels::options(*pass)).collect();
        let headers = headers();
        let requests: Vec<Request<'_>> = wanted
            .iter()
            .zip(&options)
            .map(|(&(source, _, target), options)| Request {
                source,
                file: self.name,
                headers: &headers,
                options,
                target,
            })
            .collect();
        self.compiler.compile_all(&requests).map_err(|failure| findings::lost(&failure))
    }
}

/// The headers of every compilation.
pub(crate) fn headers() -> Vec<(&'static str, &'static str)> {
    HEADERS.iter().map(|header| (header.name, header.text)).collect()
}

fn stopped(error: cuda::nvrtc::CompilerError) -> BuildError {
    BuildError::Stop(Stop::Environment(error.into()))
}

/// PTX as text; NVRTC ends it with a zero byte.
fn text(image: Vec<u8>) -> Result<String, BuildError> {
    let text = String::from_utf8(image)
        .map_err(|_| BuildError::Stop(Stop::environment("the CUDA compiler made PTX that is not UTF-8")))?;
    Ok(text.trim_end_matches('\0').to_owned())
}
