//! Everything that a host function allocates or creates, and its unfinished copies, as the runtime remembers them.

use std::ops::Range;

use simulator::{Location, Rows};

use super::clocks::Op;
use crate::engine::{ArrayShape, ImageKind};

/// Device memory that the host function may use.
#[derive(Debug, Clone)]
pub struct Allocation {
    /// Its name in findings: a parameter's name, or `cudaMalloc #2`.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// The line that allocated it. `None` if the caller did: then the host function does not have to free it.
    pub allocated_at: Option<Option<Location>>,
    /// Whether `cudaMallocAsync` allocated it.
    pub in_order: bool,
}

/// An array that the host function allocated.
#[derive(Debug, Clone)]
pub(super) struct Array {
    /// The engine's number for it.
    pub id: u64,
    /// Size and pixel format.
    pub shape: ArrayShape,
    /// Its name in findings.
    pub name: String,
    /// The line that allocated it.
    pub allocated_at: Option<Location>,
}

/// A texture or surface object that the host function created.
#[derive(Debug, Clone)]
pub(super) struct Image {
    /// Texture or surface.
    pub kind: ImageKind,
    /// The line that created it.
    pub made_at: Option<Location>,
}

/// An event.
#[derive(Debug, Clone)]
pub(super) struct Event {
    /// The engine's number of where it was last recorded.
    pub mark: Option<usize>,
    /// The line that created it.
    pub made_at: Option<Location>,
}

/// Where the contents of managed memory are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    /// Nowhere: nothing has been written.
    Neither,
    /// In host memory.
    Host,
    /// In device memory.
    Device,
}

/// A managed allocation.
#[derive(Debug, Clone)]
pub(super) struct Managed {
    /// Where its contents are.
    pub side: Side,
    /// Its address on the device: that on the host, but for variables.
    pub device: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// The last operation on the GPU that may use it.
    pub used_by: Option<(Op, String, Option<Location>)>,
    /// `cudaHostAlloc` allocated it: `cudaFreeHost` frees it.
    pub mapped: bool,
    /// `cudaHostRegister` made it so: `cudaHostUnregister` ends that.
    pub registered: bool,
}

/// A page-locked range of host memory.
#[derive(Debug, Clone)]
pub(super) struct Pinned {
    /// Size in bytes.
    pub bytes: u64,
    /// Registered with `cudaHostRegister`; else allocated with `cudaMallocHost`.
    pub registered: bool,
    /// The line that did it.
    pub location: Option<Location>,
}

/// A copy that the host has not waited for.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    /// The operation.
    pub op: Op,
    /// Its bytes in host memory.
    pub rows: Rows,
    /// The line that asked for it.
    pub location: Option<Location>,
    /// Direction and progress.
    pub progress: Progress,
    /// For a copy to the host: the parts, numbered without gaps between rows, that nothing had written on the GPU.
    pub unset: Vec<Range<u64>>,
}

/// What a copy brings to the host.
#[derive(Debug, Clone)]
pub(super) enum Download {
    /// The engine's numbers of its parts.
    Parts(Vec<usize>),
    /// The bytes themselves, from an array.
    Bytes(Vec<u8>),
    /// What a function in a stream has written: no copy.
    Function {
        /// What was there before.
        before: Vec<u8>,
        /// What it has written.
        now: Vec<u8>,
    },
}

/// Direction and progress of a copy.
#[derive(Debug, Clone)]
pub(super) enum Progress {
    /// To the GPU. Holds the source for a later comparison; empty if the source is too large to keep.
    Up(Vec<u8>),
    /// To the host.
    Down(Download),
    /// To the host, and already fetched, because later work in its stream reads the bytes.
    Arrived,
}
/// So many bytes in words: `1 byte`, `4 bytes`; a negative number that became a `size_t` as the number that it was.
pub(super) fn in_bytes(bytes: u64) -> String {
    match bytes.cast_signed() {
        1 => "1 byte".to_owned(),
        signed => format!("{signed} bytes"),
    }
}

/// What to try about a size that was negative before it became an unsigned number.
pub(super) const NEGATIVE: &str =
    "this number is negative, or has overflowed: look at its type and at how it is computed";
