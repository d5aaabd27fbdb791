//! The NVIDIA driver through `cust`, with libcuda opened at run time.
//!
//! `cust` expects to be linked with libcuda. Here its symbols are defined in this crate, each a jump through a
//! slot that [`start`] fills from `libcuda.so.1`, so that the same binary runs with and without a driver.
//! `cust` brings initialisation, devices and contexts. Launches, copies, streams and events go to the driver
//! directly (`calls`): `cust` turns the driver's numbers into an enum of CUDA 11, which newer drivers exceed,
//! and has no default stream.
//!
//! Left out on purpose: everything about Windows and 64-bit Arm, where [`devices`] says that the GPU engine is
//! not there; and any guard against a kernel that hangs, which is the business of whoever runs the worker.

mod types;

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod calls;
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
    properties::{devices, start},
    stream::{Event, Pinned, Stream},
};

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub use elsewhere::{Event, Gate, Gpu, Pinned, Stream, devices, start};
pub use types::{
    ArrayFormat, ArrayPart, DeviceProperties, DriverError, FunctionAttribute, TextureMemory, TextureSettings,
};
