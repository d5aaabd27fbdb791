//! The input and output of a compilation.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::diagnostics::Diagnostic;

/// Where the compiler was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// `WORKBOOK_NVRTC`, `CUDA_PATH` or `CUDA_HOME`.
    Environment,
    /// A toolkit under `/usr/local/cuda*` or `/opt/cuda`, or the path of the dynamic loader.
    Toolkit,
    /// A `nvidia-cuda-nvrtc` package of a Python environment.
    Python,
    /// The workbook's cache, which holds the pinned compiler.
    Cache,
}

/// Progress of a fetch, for a progress line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The package is being downloaded.
    Fetching {
        /// Package and version.
        package: &'static str,
        /// Size of the download.
        bytes: u64,
        /// Bytes so far.
        done: u64,
    },
    /// Checked and unpacked.
    Ready,
}

/// Why there is no compiler, or why it failed. Each message names the next step.
#[derive(Debug, thiserror::Error)]
pub enum CompilerError {
    /// None was found, and none could be fetched.
    #[error("{0}")]
    NotFound(String),
    /// A library was found, but it does not load or lacks a function.
    #[error("failed to load the CUDA compiler at `{path}`: {reason}", path = path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// The loader's message.
        reason: String,
    },
    /// NVRTC reported something other than a compilation error.
    #[error("the CUDA compiler failed: {0}")]
    Internal(String),
}

/// What to compile to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// PTX for a virtual architecture: 90 for `compute_90`.
    Ptx(u32),
    /// Machine code for a real architecture: 90 for `sm_90`.
    Cubin(u32),
}

/// One compilation.
#[derive(Debug, Clone)]
pub struct Request<'a> {
    /// The text.
    pub source: &'a str,
    /// Its name in messages and `.file` entries.
    pub file: &'a str,
    /// In-memory headers: name as written in `#include`, text.
    pub headers: &'a [(&'a str, &'a str)],
    /// Further options, such as `-DWORKBOOK_HOST`. Every compilation also gets `-lineinfo`, `-default-device`,
    /// `-std=c++20` and the architecture.
    pub options: &'a [String],
    /// What to compile to.
    pub target: Target,
}

/// A finished compilation.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// PTX text or cubin.
    pub image: Vec<u8>,
    /// The PTX that a cubin was assembled from, if this NVRTC keeps it: the text that the same compilation to PTX gives.
    pub ptx: Option<String>,
    /// Warnings and remarks.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a compilation failed.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// There is an error in the source: at least one diagnostic is one.
    #[error("the file does not compile")]
    Source(Vec<Diagnostic>),
    /// The compiler failed.
    #[error(transparent)]
    Compiler(#[from] CompilerError),
}
