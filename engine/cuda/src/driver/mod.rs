//! The NVIDIA driver through `cust`, with libcuda opened at run time.
//!
//! `cust` expects to be linked with libcuda. Here its symbols are defined in this crate and lead to what
//! [`start`] finds in `libcuda.so.1` (`slots`), so that the same binary runs with and without a driver.
//!
//! `cust` initialises the driver and provides devices, contexts, device memory, managed memory, page-locked
//! memory, copies that the host waits for, and streams. Everything else calls the driver as `cust::sys` declares
//! it, because of what `cust` 0.3.2 cannot do:
//!
//! - **Error numbers.** Its enum ends at CUDA 11. The symbols keep the driver's number, which every error of
//!   this module reports; `cust::sys` takes only the enum for the driver's words for a number (`error`).
//! - **The default stream.** There is none, and a stream cannot be made from a handle. So asynchronous copies,
//!   fills, records, waits and launches, which all may go to the default stream, are calls of the driver.
//! - **Events.** They can be recorded in a `cust` stream only, hide their handle, and are consumed by
//!   `wait_event`; here many streams wait for one event, which is recorded again.
//! - **Modules and kernels.** A module hides its handle, and `get_global` must know the type of a variable when
//!   the workbook is compiled; it panics where the size differs. A kernel borrows its module, so the two cannot
//!   be kept together, and it is made by a module only. It has no limit of dynamic shared memory to read or set,
//!   and no cooperative launch.
//! - **Page-locked memory** is owned by `cust`, but accessed by pointer: the slices that `cust` gives promise that
//!   nobody else writes, and the GPU may.
//! - **Arrays, textures, surfaces.** Arrays hide their handle and are copied as a whole only; textures and
//!   surfaces are private.
//! - **Attributes and waits.** Three attributes of devices have no name (`properties`), and the wait for a word in
//!   memory is declared in its first version only (`gate`).
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
    ArrayFormat, ArrayPart, DeviceProperties, DriverError, FunctionAttribute, TextureMemory, TextureSettings,
};
