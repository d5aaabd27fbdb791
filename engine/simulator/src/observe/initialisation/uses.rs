//! Uses of undefined values, as the observer keeps and reports them.

use super::storage::Origin;

/// Uses that make an undefined value a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Sink {
    /// A condition.
    Condition,
    /// An address.
    Address,
    /// An atomic.
    Atomic,
    /// Global memory.
    Output,
    /// A mask, or the number of a lane or barrier.
    Participants,
}

/// An undefined value that decided something, with how often it did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Undefined {
    pub sink: Sink,
    /// The instruction that used it.
    pub pc: u32,
    /// Where it came from.
    pub origin: Origin,
    /// Linear index of the first block, warp and lane it happened to.
    pub block: u64,
    pub warp: u32,
    pub lane: u32,
    /// Threads it happened to.
    pub count: u64,
}
