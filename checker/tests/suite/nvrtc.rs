//! The CUDA compiler, for tests that compile in their own process.

use std::sync::OnceLock;

use cuda::nvrtc::Compiler;

/// The compiler, loaded once for all tests of a process.
pub fn compiler() -> &'static Compiler {
    static COMPILER: OnceLock<Compiler> = OnceLock::new();
    COMPILER.get_or_init(|| Compiler::find(&mut |_| {}).unwrap_or_else(|error| panic!("{error}")))
}
