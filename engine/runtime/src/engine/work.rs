//! The work of a host function, as a prediction of its time needs it.

use serde::{Deserialize, Serialize};
use simulator::model::Kernel;

/// One step of a host function. Steps are kept in program order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Step {
    /// Work queued in a stream.
    Work {
        /// The stream; 0 is the default stream.
        stream: u64,
        /// The work.
        work: Work,
    },
    /// A mark in a stream.
    Mark {
        /// Its number.
        mark: usize,
        /// The stream.
        stream: u64,
    },
    /// A stream waits for a mark.
    Wait {
        /// The mark.
        mark: usize,
        /// The stream.
        stream: u64,
    },
    /// The host waits.
    Host(HostWaits),
}

/// What the host waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum HostWaits {
    /// Everything.
    All,
    /// A stream.
    Stream(u64),
    /// A mark.
    Mark(usize),
}

/// An operation, with all that a prediction of its time needs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Work {
    /// A kernel launch: its counted events and its shape.
    Kernel(Box<Kernel>),
    /// A fill or a copy within device memory: bytes read and written.
    Memory(u64),
    /// A copy within host memory, in bytes. The host waits for it.
    Host(u64),
    /// Computing in the host function, in instructions. The host does nothing else meanwhile.
    Compute(u64),
    /// A copy over the link between host and GPU.
    Transfer(Transfer),
}

/// A copy over the link.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// Bytes.
    pub bytes: u64,
    /// Whether it goes to the GPU; else to the host.
    pub up: bool,
    /// The kind of host memory.
    pub host: HostMemory,
    /// Whether the host waits for it.
    pub waits: bool,
}

/// The kind of host memory of a copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum HostMemory {
    /// Ordinary memory.
    Pageable,
    /// Page-locked memory.
    Pinned,
    /// Managed memory, which moves on demand.
    Managed,
}

/// Seconds by kind of work. Streams overlap them, so their sum may exceed the time of the whole.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Apart {
    /// Copies over the link, and within host memory.
    pub transfers: f64,
    /// Kernels, and copies and fills within the GPU.
    pub kernels: f64,
}
