//! NVRTC: found in a CUDA toolkit, in `CUDA_PATH`, in a Python environment, in the cache, or fetched once.
//!
//! Predicted scores must be the same on every machine, and a score depends on the PTX, so the pinned compiler
//! comes first wherever it is at hand; but a machine with a toolkit need not wait for a download, nor have a
//! network. [`Compiler::find`] tries, in this order:
//!
//! 1. the library that `WORKBOOK_NVRTC` names, and nothing else if it is set;
//! 2. the pinned package in the workbook's cache;
//! 3. `CUDA_PATH` and `CUDA_HOME`;
//! 4. toolkits under `/usr/local/cuda*` and `/opt/cuda`, then the loader's own path;
//! 5. the `nvidia-cuda-nvrtc` packages that `python3` can import;
//! 6. a download of the pinned package, by pip, checked against its hash.
//!
//! [`Compiler::version`], [`Compiler::path`] and [`Compiler::origin`] say which one made a figure.

mod compile;
mod fetch;
mod find;
mod library;
mod names;
mod paths;
mod pip;
mod python;
#[cfg(test)]
mod tests;
mod types;

pub use library::Compiler;
pub use types::{CompileError, Compiled, CompilerError, Origin, Progress, Request, Target};
