//! What single instructions of the PTX did.

/// What the instruction at one line of the PTX did in a launch.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Executed {
    /// Line of the PTX, from 1.
    pub line: u32,
    /// Executions, once a warp.
    pub warps: u64,
    /// Times round of the loop by which shared memory does an atomic that it has no adder for; 0 of all else.
    pub turns: u64,
    /// Requests that the first-level cache did not have all of.
    pub missed: u64,
    /// Of those, the first of their warp since it last went back in the code or came from a barrier: at most one in a round of a loop.
    pub first_missed: u64,
    /// Passes of the load/store pipe beyond the first of each request to global memory or the threads' own.
    pub conflicts: u64,
}
