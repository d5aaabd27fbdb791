//! What goes into a compilation and what comes out.

use std::path::PathBuf;

use crate::diagnostics::Diagnostic;

/// Where the compiler was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// `WORKBOOK_NVRTC`, `CUDA_PATH` or `CUDA_HOME`.
    Environment,
    /// A toolkit under `/usr/local/cuda*`, `/opt/cuda` or the loader's path.
    Toolkit,
    /// A `nvidia-cuda-nvrtc` package of a Python environment.
    Python,
    /// The workbook's own cache, from an earlier fetch or just now: the pinned compiler.
    Cache,
}

/// Progress of a fetch, for a progress line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// The download began; `bytes` expected.
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

/// Why there is no compiler. Each message names the next step.
#[derive(Debug, thiserror::Error)]
pub enum CompilerError {
    /// None found and none could be fetched.
    #[error("{0}")]
    NotFound(String),
    /// Found, but it would not load or lacks what is needed.
    #[error("failed to load the CUDA compiler at `{path}`: {reason}", path = path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// The loader's words.
        reason: String,
    },
    /// NVRTC reported something other than a compilation error.
    #[error("the CUDA compiler failed: {0}")]
    Internal(String),
}

/// What to make.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// PTX for a virtual architecture: 90 for `compute_90`.
    Ptx(u32),
    /// Machine code for a real one: 90 for `sm_90`.
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
    /// Further options, such as `-DWORKBOOK_HOST` (`-lineinfo`, `-default-device` and the architecture are
    /// added here).
    pub options: &'a [String],
    /// What to make.
    pub target: Target,
}

/// A finished compilation.
#[derive(Debug, Clone)]
pub struct Compiled {
    /// PTX text or cubin.
    pub image: Vec<u8>,
    /// Warnings and remarks.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why a compilation gave nothing.
#[derive(Debug, thiserror::Error)]
pub enum CompileError {
    /// The source is at fault: at least one diagnostic is an error.
    #[error("the file does not compile")]
    Source(Vec<Diagnostic>),
    /// The compiler is.
    #[error(transparent)]
    Compiler(#[from] CompilerError),
}
