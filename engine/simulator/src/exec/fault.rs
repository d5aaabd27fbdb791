//! Faults that stop a launch and remarks that do not, before they become messages.

use crate::image::Problem;
use crate::isa::AccessKind;
use crate::ptx::ast::Space;

/// Why execution cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// No allocation holds these bytes.
    OutOfBounds { address: u64, bytes: u64, kind: AccessKind, space: Space },
    /// The address is no multiple of the access size.
    Misaligned { address: u64, bytes: u64, kind: AccessKind },
    /// A store to constant memory.
    WriteConstant { address: u64 },
    /// The instruction limit is spent.
    InstructionLimit,
    /// The same, and since then a warp has come back to a place with what its registers held there before.
    Endless,
    /// The instructions of all blocks together, and of the launches before them, are spent.
    LaunchLimit,
    /// The launch writes to more memory than the simulator can hold twice.
    MemoryLimit { bytes: u64 },
    /// The host function divides an integer by zero.
    DividedByZero,
    /// `trap` or a failed `assert`.
    Trap { message: Option<String> },
    /// No thread of the block can go on. Waiting places: instruction, threads there, whether at a barrier.
    Deadlock { waiting: Vec<(u32, u32, bool)> },
    /// A grid's barrier in a launch whose blocks need not be there at once.
    NotCooperative,
    /// So many of the grid's blocks wait at its barrier, one of them here, and others have ended.
    GridDeadlock { waiting: u64, blocks: u64, first_ended: [u32; 3] },
    /// A warp-level operation whose mask names lanes that never come, or leaves out the caller.
    LaneOutsideMask { members: u32, active: u32 },
    /// A function without a body that the simulator does not provide.
    MissingFunction { name: String },
    /// A handle that stands for no texture, or for no surface.
    BadObject { surface: bool, problem: Problem },
    /// A texture of whole numbers read as floating-point ones, or the other way round.
    TextureType { float: bool },
    /// A surface access outside, of `bytes` bytes at byte `x` of row `y`; the surface's rows and their bytes.
    SurfaceOutside { x: i64, y: i64, bytes: u64, row: u64, rows: u64, kind: AccessKind },
    /// A barrier number above 15 or a thread count that is no multiple of 32.
    BadBarrier { id: u32, count: u32 },
}

/// A fault at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What.
    pub kind: FaultKind,
    /// Instruction number in the program.
    pub pc: u32,
    /// Warp in the block.
    pub warp: u32,
    /// First lane it concerns.
    pub lane: u32,
}

/// An error or remark that does not stop execution.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Remark {
    /// A barrier that only part of a warp reached together.
    DivergentBarrier { pc: u32 },
    /// Threads of a block met at different barriers.
    MixedBarriers { pc: u32, other: u32 },
    /// A barrier that some threads had left the kernel without reaching; `rounds`: they had been in the loop around it; `left`: the
    /// instruction at which one of them went another way.
    ExitedBarrier { pc: u32, rounds: bool, left: Option<u32> },
    /// More threads came to a barrier at once than it counts before it lets them go.
    TooManyCame { pc: u32, id: u32, count: u32, come: u32 },
    /// Shared memory is used that the asynchronous copy of another instruction has yet to reach.
    NotLanded { pc: u32, copy: u32 },
    /// The host function converts a NaN to an integer.
    NotANumber { pc: u32 },
}
