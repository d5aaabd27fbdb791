//! NVRTC, the CUDA compiler library: found on this machine, or fetched once.
//!
//! Predicted scores must be the same on every machine, and a score depends on the PTX. So the pinned compiler
//! comes first if it is in the cache. A machine with a toolkit uses the toolkit, and needs neither the download
//! nor a network. [`Compiler::find`] tries, in this order:
//!
//! 1. the library that `WORKBOOK_NVRTC` names; if it is set, nothing else is tried;
//! 2. the pinned package in the workbook's cache;
//! 3. `CUDA_PATH` and `CUDA_HOME`;
//! 4. toolkits under `/usr/local/cuda*` and `/opt/cuda`, then the path of the dynamic loader;
//! 5. the `nvidia-cuda-nvrtc` packages that `python3` can import;
//! 6. a download of the pinned package by pip, checked against its hash.
//!
//! [`Compiler::version`], [`Compiler::path`] and [`Compiler::origin`] say which compiler was found.

mod compile;
mod fetch;
mod find;
mod library;
mod names;
mod paths;
mod pinned;
mod pip;
mod python;
#[cfg(test)]
mod tests;
mod types;

pub use find::cache;
pub use library::Compiler;
pub use types::{CompileError, Compiled, CompilerError, Origin, Progress, Request, Target};
