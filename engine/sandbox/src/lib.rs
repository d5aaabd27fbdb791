//! What a process may use: memory, CPU time, files, network, system calls.
//!
//! A process gives up rights before it touches a submission, and cannot get them back. Linux only: elsewhere
//! [`confine`] says that there is no such mechanism, and limits are not set.

mod clock;
mod limits;
#[cfg(target_os = "linux")]
mod linux;

pub use clock::computed;
pub use limits::{Limits, die_with_parent};

use std::path::Path;

/// Why a process could not be confined. The text names the mechanism that is missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unconfined(pub String);

/// Takes from this thread, and from all threads that it starts later: every file but those under `readable`, all of the
/// network, and every system call that a compiler does not need. Then tries what is now forbidden.
///
/// # Errors
/// The mechanism that this machine lacks, or what was still possible. The process may then be confined in part.
#[cfg(target_os = "linux")]
pub fn confine(readable: &Path) -> Result<(), Unconfined> {
    linux::confine(readable)
}

/// The same on a platform without such a mechanism.
///
/// # Errors
/// Always.
#[cfg(not(target_os = "linux"))]
pub fn confine(_readable: &Path) -> Result<(), Unconfined> {
    Err(Unconfined("this operating system has no Landlock and no seccomp".to_owned()))
}
