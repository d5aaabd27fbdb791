//! The NVIDIA driver through `cust`, with libcuda opened at run time.
//!
//! `cust` expects to be linked with libcuda. Here its symbols are defined in this crate and lead to the functions
//! that [`start`] finds in `libcuda.so.1` (`slots`), so that the same binary runs with and without a driver.
//!
//! `cust` initialises the driver and provides devices, contexts, device memory, managed memory, page-locked
//! memory, copies that the host waits for, and streams. All other calls go to the driver as `cust::sys` declares
//! it, for these reasons (`cust` 0.3.2):
//!
//! - **Error numbers.** The enum of `cust` ends at CUDA 11. `slots` keeps the driver's number, and every error of
//!   this folder reports it. The driver's text for a number is asked for by our own declaration (`error`), because
//!   `cust::sys` takes the enum there.
//! - **The default stream.** `cust` has none and makes no stream from a handle. Asynchronous copies, fills, event
//!   records, waits and launches may all go to the default stream, so they call the driver.
//! - **Events.** An event of `cust` is recorded only in a stream of `cust`, hides its handle, and is consumed by
//!   `wait_event`. Here several streams may wait for one event, and an event is recorded more than once.
//! - **Modules and kernels.** A module hides its handle. Its `get_global` needs the type of the variable at compile
//!   time, and panics if the size differs. A kernel borrows its module, so one struct cannot hold both; it can
//!   neither read nor set the limit of dynamic shared memory, and has no cooperative launch.
//! - **Page-locked memory.** `cust` owns it, but it is accessed by pointer: a slice promises that nobody else
//!   writes, and the GPU may.
//! - **Arrays, textures, surfaces.** An array hides its handle and is copied only as a whole. Textures and surfaces
//!   are private.
//! - **Others.** Three device attributes have no name (`properties`). The wait for a word in memory is declared
//!   only in its first version (`gate`).
//!
//! Left out on purpose: Windows and 64-bit Arm, where [`devices`] says that there is no GPU engine; and a guard
//! against a kernel that never ends, which is the task of the process that runs the worker.

mod types;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod context;
// In tests too, so that it is compiled where the workbook is built.
#[cfg(any(test, not(all(target_os = "linux", target_arch = "x86_64"))))]
#[cfg_attr(
    all(test, target_os = "linux", target_arch = "x86_64"),
    expect(dead_code, reason = "only compiled here")
)]
mod elsewhere;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod error;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod gate;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod gpu;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod images;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod launch;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod memory;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod pinned;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod properties;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod regions;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod rows;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod slots;
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod stream;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub use {
    gate::Gate,
    gpu::Gpu,
    pinned::Pinned,
    properties::{devices, start},
    stream::{Event, Stream},
};

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use elsewhere::{Event, Gate, Gpu, Pinned, Stream, devices, start};
pub use types::{
    ArrayFormat, ArrayPart, DeviceProperties, DeviceRows, DriverError, FunctionAttribute, TextureMemory,
    TextureSettings,
};
