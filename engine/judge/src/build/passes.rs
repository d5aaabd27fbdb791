//! The passes of the compiler over one file, in parallel.

use std::thread;

use cuda::nvrtc::{CompileError, Compiled, Compiler, CompilerError, Request};
use runtime::job::Failure;

/// Bytes of a thread's stack in which one pass runs. The compiler recurses as deep as braces and templates nest.
const STACK: usize = 64 << 20;

/// What compiles a file: the compiler in this process, or one in a confined process.
pub trait Compile: Sync {
    /// Compiles all requests at once, and returns what each made, in their order.
    ///
    /// # Errors
    /// The process that compiles has ended or is too slow.
    fn compile_all(&self, requests: &[Request<'_>]) -> Result<Vec<Result<Compiled, CompileError>>, Failure>;
}

impl Compile for Compiler {
    fn compile_all(&self, requests: &[Request<'_>]) -> Result<Vec<Result<Compiled, CompileError>>, Failure> {
        let no_thread = |error: std::io::Error| {
            CompileError::Compiler(CompilerError::Internal(format!(
                "failed to start a thread for it: {error}"
            )))
        };
        Ok(thread::scope(|scope| {
            let started: Vec<_> = requests
                .iter()
                .map(|request| {
                    thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || self.compile(request))
                })
                .collect();
            let join = |thread: thread::ScopedJoinHandle<'_, _>| {
                thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            started
                .into_iter()
                .map(|thread| thread.map_or_else(|error| Err(no_thread(error)), join))
                .collect()
        }))
    }
}
