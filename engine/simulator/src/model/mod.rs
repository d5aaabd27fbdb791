//! The timing model: from what a launch was seen to do to seconds on a given GPU.
//!
//! ```text
//! execution ─ observe ─► count       observers: requests, sectors, wavefronts, atomics, the L1, critical paths
//!                          │
//!                          ▼
//!                       counters     plain numbers, of the launch, of each line, of each instruction of the PTX
//!                          │
//!        cubin ─► machine ─┤         machine code: how often it ran, by the PTX that it was made of, and what it waits for
//!                          ▼
//!                        launch      counts and shape of a launch, taken from a sample to the whole picture
//!                          │
//!            gpu ───────► time       terms of each resource, what of them overlaps, seconds
//! ```
//!
//! Nothing that runs PTX knows of it: `exec` and `decode` tell observers what happens, and these are some of them.

pub mod counters;
pub mod machine;

mod count;
mod gpu;
mod launch;
mod time;

pub(crate) use count::{Counting, CriticalPaths};
pub use machine::MachineWork;

pub use gpu::{Gpu, Link, Needs, Occupancy, Rates, Residency, Scarce, find, gpus, occupancy};
pub use launch::{Growth, Kernel, Whole};
pub use time::{
    Breakdown, COVERED, Demand, GROUP_NAMES, GROUPS, H200, Model, TERM_NAMES, TERMS, Wait, bounds, breakdown,
    far_cycles, l2_sectors, memory_seconds, seconds, waits_for, warps,
};
