//! A deterministic SIMT executor for PTX that explains faults by source line.
//!
//! PTX text ([`ptx`]) is decoded once ([`Module`]). It then runs, warp by warp, on a simulated GPU ([`Device`]), or as the
//! single thread of a host function with its own memory ([`host`]). Results and reports are the same on every run,
//! machine and number of threads.
//!
//! ```
//! use simulator::{Device, Launch, Limits, Module};
//!
//! let ptx = ".version 8.0 .target sm_80 .address_size 64
//!     .visible .entry twice(.param .u64 data) {
//!         .reg .b32 %r<3>; .reg .b64 %rd<3>;
//!         ld.param.u64 %rd1, [data];
//!         mov.u32 %r1, %tid.x;
//!         mad.wide.u32 %rd2, %r1, 4, %rd1;
//!         ld.global.u32 %r2, [%rd2];
//!         add.u32 %r2, %r2, %r2;
//!         st.global.u32 [%rd2], %r2;
//!         ret;
//!     }";
//! let mut device = Device::new(Module::from_ptx(ptx)?.into(), Limits::default());
//! let data = device.alloc(4 * 48, "data")?;
//! device.write(data, &[1; 4 * 48])?;
//! let arguments = [data.to_le_bytes().to_vec()];
//! // Too many threads: 64 for 48 elements.
//! let launch = Launch { kernel: "twice", block: [64, 1, 1], arguments: &arguments, ..Launch::default() };
//! let report = device.launch(&launch)?;
//! for finding in &report.findings {
//!     println!("{} {}", finding.code, finding.message);
//! }
//! assert_eq!(report.findings[0].code, "W0101");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`Observer`] of your own is told of every instruction and memory access ([`Device::launch_observed`]).
//!
//! Left out on purpose: files, printing, labs, and a real GPU's driver.

#![expect(
    clippy::precedence,
    reason = "bit fields are this crate's daily work: shift before mask, mask before or"
)]
#![expect(
    clippy::inline_always,
    reason = "lane loops only become vector code once inlined into their handler"
)]
#![expect(clippy::unnested_or_patterns, reason = "groups of actions are patterns: see `isa::actions`")]

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
mod isa;
mod launch;
mod layout;
mod lines;
mod memory;
mod module;
mod names;
mod observe;
mod observer;
mod requirements;
mod rows;
mod sample;

pub use decode::Class;
pub use device::{Device, DeviceError, Limits};
pub use exec::{AT_ONCE, Order, Slowest, instructions_of_a_start};
pub use explain::races::{BESIDE_ATOMIC, ONE_LINE};
pub use explain::undefined::FROM_UNSET_HOST;
pub use finding::{Finding, Kind, Label, Location, Severity, ThreadId};
pub use launch::{Checks, Launch, LaunchReport};
pub use layout::is_allocated_on_device;
pub use model::counters::{Counters, Executed, LineCounters};
pub use module::{KernelInfo, ManagedVariable, Module, ModuleError};
pub use names::readable;
pub use observe::TouchedRanges;
pub use observer::{Access, AccessKind, Observer, Space, Step};
pub use rows::Rows;
