//! A test program through the compiler: as a student's file, with a host function `run`.

use std::sync::Arc;

use cuda::nvrtc::{CompileError, Compiler, Request, Target};
use kernels::{Entry, HEADERS, Pass};
use simulator::Module;

use super::load::Program;
use runtime::job;

/// The architecture that the simulator runs.
const ARCHITECTURE: u32 = 90;
/// The host function that every program defines.
pub const FUNCTION: &str = "run";

/// A compiled program.
pub struct Compiled {
    /// The host function, decoded.
    pub program: job::Program,
    /// The PTX it comes from.
    pub host_ptx: String,
    /// The kernels, for the simulator.
    pub device: Arc<Module>,
    /// The kernels, for a GPU.
    pub cubin: Option<Vec<u8>>,
}

/// Compiles a program, and for a GPU of this compute capability too. The error is the compiler's.
pub fn compile(compiler: &Compiler, program: &Program, capability: Option<u32>) -> Result<Compiled, String> {
    let rewritten = kernels::rewrite_launches(&program.text).map_err(|error| error.to_string())?;
    let parameters = program.header.signature();
    let entries = [Entry { function: FUNCTION, parameters: &parameters }];
    let headers: Vec<(&str, &str)> = HEADERS.iter().map(|header| (header.name, header.text)).collect();
    let image = |pass, target| -> Result<Vec<u8>, String> {
        let source = kernels::translation_unit(&rewritten, pass, &entries);
        let options = kernels::options(pass);
        let request =
            Request { source: &source, file: &program.file, headers: &headers, options: &options, target };
        compiler.compile(&request).map(|made| made.image).map_err(|error| words(&error))
    };
    let ptx = |pass| -> Result<String, String> {
        let text = String::from_utf8(image(pass, Target::Ptx(ARCHITECTURE))?).map_err(|e| e.to_string())?;
        Ok(text.trim_end_matches('\0').to_owned())
    };
    let host_ptx = ptx(Pass::Host)?;
    let device = ptx(Pass::Device)?;
    let unreadable = |error: simulator::ModuleError| format!("the simulator cannot read it: {error}");
    Ok(Compiled {
        program: job::Program::from_ptx(&host_ptx).map_err(unreadable)?,
        host_ptx,
        device: Arc::new(Module::from_ptx(&device).map_err(unreadable)?),
        cubin: capability.map(|number| image(Pass::Device, Target::Cubin(number))).transpose()?,
    })
}

fn words(error: &CompileError) -> String {
    let CompileError::Source(diagnostics) = error else { return error.to_string() };
    let first = diagnostics.iter().find(|found| found.severity == cuda::diagnostics::Severity::Error);
    first.map_or_else(|| error.to_string(), |found| format!("line {}: {}", found.line, found.message))
}
