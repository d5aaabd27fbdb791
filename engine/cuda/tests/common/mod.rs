//! The compiler, found or fetched once per test binary.

use std::sync::OnceLock;

use cuda::nvrtc::{CompileError, Compiled, Compiler, Request, Target};

/// The compiler of this machine.
pub fn compiler() -> &'static Compiler {
    static COMPILER: OnceLock<Compiler> = OnceLock::new();
    COMPILER.get_or_init(|| Compiler::find(&mut |_| {}).unwrap_or_else(|error| panic!("{error}")))
}

/// Compiles a text under the name `lab.cu`, without headers.
pub fn compile(source: &str, target: Target, options: &[&str]) -> Result<Compiled, CompileError> {
    let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
    compiler().compile(&Request { source, file: "lab.cu", headers: &[], options: &options, target })
}
