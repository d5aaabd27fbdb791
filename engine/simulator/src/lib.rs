//! A deterministic SIMT executor for PTX, warp by warp, that explains faults by source line.
//!
//! Text comes in as PTX ([`ptx`]), is decoded once ([`Module`]), and runs on a simulated GPU ([`Device`])
//! or, for the host function of a submission, as one thread with its own memory ([`host`]). Results and
//! reports are the same on every run, machine and number of threads.
//!
//! Left out on purpose: files, printing, labs, images, and whatever a real GPU does through its driver.

#![expect(
    clippy::precedence,
    reason = "bit fields are this crate's daily work: shift before mask, mask before or"
)]
#![expect(
    clippy::inline_always,
    reason = "lane loops only become vector code once inlined into their handler"
)]

pub mod finding;
pub mod host;
pub mod image;
pub mod model;
pub mod performance;
pub mod ptx;

mod analyses;
mod decode;
mod device;
mod exec;
mod explain;
mod external;
mod launch;
mod layout;
mod lines;
mod memory;
mod module;
mod observe;
mod requirements;

pub use decode::Class;
pub use device::{Device, DeviceError, Limits};
pub use finding::{Finding, Kind, Label, Location, Severity, ThreadId};
pub use launch::{Checks, Launch, LaunchReport, TouchedRanges};
pub use model::counters::{Counters, LineCounters};
pub use module::{KernelInfo, Module, ModuleError};
