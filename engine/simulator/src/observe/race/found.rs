//! Races that were found: the two accesses and where they are.

/// Who raced with whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum RaceKind {
    /// Warps of a block, in shared memory.
    Shared,
    /// Warps of a block, in global memory.
    Block,
    /// Blocks.
    Grid,
    /// A load that does not see what the kernel itself writes.
    ReadOnly,
    /// Atomics of two blocks, one of them of block scope.
    Scope,
    /// A plain access and an atomic.
    Atomic,
    /// Lanes of a warp, in one instruction, with different values.
    Instruction,
    /// Lanes of a warp, without `__syncwarp` between.
    Warp,
    /// Threads that store the same value.
    SameValue,
}

/// One side of a race.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Party {
    /// Its instruction.
    pub pc: u32,
    /// Linear index of its block.
    pub block: u32,
    /// Its warp in the block.
    pub warp: u32,
    /// Its lane.
    pub lane: u32,
}

/// A race, with how often it was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Race {
    pub kind: RaceKind,
    /// The access that came later here.
    pub now: Party,
    /// The one before.
    pub before: Party,
    /// Whether the byte is in shared memory.
    pub shared: bool,
    /// First byte of the later access.
    pub address: u64,
    /// Bytes of it.
    pub bytes: u64,
    /// Later accesses that raced.
    pub count: u64,
}
