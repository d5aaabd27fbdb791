//! The operations that can wait in the queue of a real GPU.

use cuda::driver::Pinned;
use simulator::Rows;

use crate::engine::images::{ImageKind, Part};
use crate::engine::interface::Command;

/// An operation to issue.
pub(super) enum Action {
    Launch(Command),
    Write(u64, Vec<u8>),
    /// Goes with the commands: the host does not wait for earlier operations.
    WriteBehind(u64, Vec<u8>),
    WriteLocked {
        to: u64,
        from: Locked,
        length: u64,
    },
    /// Into the buffer of the download with this number.
    Read {
        from: u64,
        number: usize,
    },
    /// The same, through a page-locked buffer: queueing it does not block the host.
    ReadStaged {
        from: u64,
        number: usize,
    },
    ReadLocked {
        from: u64,
        to: Locked,
        length: u64,
    },
    Copy {
        to: u64,
        from: u64,
        length: u64,
    },
    Fill {
        address: u64,
        value: u8,
        length: u64,
    },
    CopyRows {
        to: Rows,
        from: Rows,
    },
    FillRows {
        rows: Rows,
        value: u8,
    },
    ToArray {
        array: u64,
        part: Part,
        from: u64,
        pitch: u64,
    },
    FromArray {
        to: u64,
        pitch: u64,
        array: u64,
        part: Part,
    },
    Mark(usize),
    Wait(usize),
}

/// An operation and its stream; 0 is the default stream.
pub(super) struct Queued {
    pub stream: u64,
    pub action: Action,
}

/// A resource to free once the GPU has finished the queue.
pub(super) enum Doomed {
    Memory(u64),
    Array(u64),
    Image(ImageKind, u64),
}

/// The kind of work that an operation's time counts as.
pub(super) enum Account {
    Transfers,
    Kernels,
}

impl Action {
    pub fn account(&self) -> Account {
        match self {
            Self::Write(..)
            | Self::WriteBehind(..)
            | Self::WriteLocked { .. }
            | Self::Read { .. }
            | Self::ReadStaged { .. }
            | Self::ReadLocked { .. } => Account::Transfers,
            _ => Account::Kernels,
        }
    }

    pub fn goes_down(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::ReadStaged { .. } | Self::ReadLocked { .. })
    }

    /// Whether the host cannot queue the next operation before this one is done.
    pub fn keeps_the_host(&self) -> bool {
        matches!(self, Self::Write(..) | Self::Read { .. })
    }
}

/// A place in page-locked memory: the host function's address of the range, and an offset in bytes.
pub(super) type Locked = (u64, u64);

/// The host's side of a download.
pub(super) enum Download {
    Here(Vec<u8>),
    Staged(Pinned),
    InLocked(Locked, u64),
}
