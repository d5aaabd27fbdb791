//! A decoded instruction: operands are register columns, decisions are made.

use super::regs::Regs;
use crate::ptx::ast::Space;

/// A whole-warp handler of a computing instruction: registers, instruction, active lanes.
pub(crate) type Handler = fn(&mut Regs, &Inst, u32);

/// The unit that an instruction occupies; the timing model's cost classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    /// Register moves, constants, selects, integers made wider or narrower.
    Move,
    /// Integer add, subtract, min, max, compare.
    Int,
    /// Integer multiply.
    IntMul,
    /// Integer division and remainder (a routine on real hardware).
    IntDiv,
    /// And, or, xor, lop3.
    Logic,
    /// Shifts, bit fields, permutes.
    Shift,
    /// Single-precision add, multiply, fused multiply-add.
    Fp32,
    /// Correctly rounded division and root (routines on real hardware).
    Fp32Div,
    /// Double precision.
    Fp64,
    /// Special function unit.
    Sfu,
    /// Type conversions.
    Convert,
    /// Loads, stores, atomics.
    Memory,
    /// Branches, calls, returns.
    Control,
    /// Barriers and fences.
    Barrier,
    /// Shuffles, votes, reductions.
    Warp,
    /// Matches: a loop over the different values.
    Match,
    /// A step of the instruction before it, which the GPU does not issue on its own.
    Part,
}

impl Class {
    /// Number of classes that are counted: all but [`Class::Part`].
    pub const COUNT: usize = Self::Match as usize + 1;
}

/// The state space of an access, generic included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Where {
    /// The address says.
    Generic,
    /// Known.
    In(Space),
}

/// A load, store or atomic's address and shape.
#[derive(Debug, Clone, Copy, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts of one instruction")]
pub(crate) struct Access {
    /// State space.
    pub space: Where,
    /// Bytes of one element: 1, 2, 4, 8.
    pub width: u8,
    /// Elements of the vector: 1, 2, 4, 8.
    pub vector: u8,
    /// Sign-extend a loaded element.
    pub signed: bool,
    /// The data registers are 64-bit.
    pub wide: bool,
    /// The base register (`inst.a`) is 64-bit.
    pub wide_address: bool,
    /// `.volatile`, `.relaxed`, `.acquire`, `.release`, `.mmio`.
    pub strong: bool,
    /// Added to the base.
    pub offset: i64,
    /// First of the vector's data registers in [`crate::decode::Program::lists`]; unused for scalars (`inst.d`
    /// for loads, `inst.b` for stores).
    pub list: u32,
}

/// The results of a texture fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fetch {
    /// Coordinates: 1, 2 or 3. The third is the slice of an image of three dimensions, or the number of a layer.
    pub axes: u8,
    /// The third is the number of a layer.
    pub layered: bool,
    /// `tld4`: this channel of the four pixels around.
    pub gather: Option<u8>,
    /// The result is floating-point numbers.
    pub float: bool,
    /// The coordinates are whole numbers.
    pub whole: bool,
    /// The four results, then the coordinates, in [`crate::decode::Program::lists`]; the handle is `inst.a`.
    pub list: u32,
}

/// How a surface access outside the surface behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outside {
    Trap,
    Clamp,
    Zero,
}

/// A surface access. The handle is `inst.a`, byte in the row `inst.c`, row `inst.e`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct SurfaceAccess {
    /// Shape and data registers, as of a global access.
    pub access: Access,
    /// Axes: 1 or 2.
    pub axes: u8,
    /// A slice or layer is chosen by the register in [`crate::decode::Program::lists`] behind the data registers of a vector.
    pub sliced: bool,
    /// `sust`.
    pub store: bool,
    pub outside: Outside,
}

/// Kinds of memory access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessKind {
    /// A load.
    Read,
    /// A store.
    Write,
    /// An atomic.
    Atomic,
}

/// Atomic operations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomicOp {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Inc,
    Dec,
    Exch,
    Cas,
}

/// The element type of an atomic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AtomicType {
    U32,
    S32,
    U64,
    S64,
    F32,
    F64,
    B16,
    F16,
    Bf16,
    F16x2,
    Bf16x2,
}

impl AtomicType {
    /// Bytes of one value.
    pub fn bytes(self) -> usize {
        match self {
            Self::B16 | Self::F16 | Self::Bf16 => 2,
            Self::U32 | Self::S32 | Self::F32 | Self::F16x2 | Self::Bf16x2 => 4,
            Self::U64 | Self::S64 | Self::F64 => 8,
        }
    }

    /// Whether shared memory has no adder for it, so that the compiler makes a compare-and-swap loop.
    pub fn by_loop(self) -> bool {
        !matches!(self, Self::U32 | Self::S32)
    }
}

/// How a shuffle picks its source lane.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShuffleMode {
    Up,
    Down,
    Bfly,
    Idx,
}

/// The result of a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum VoteMode {
    All,
    Any,
    Uni,
    Ballot,
}

/// Operations of a warp-wide reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReduceOp {
    Add,
    MinU,
    MaxU,
    MinS,
    MaxS,
    And,
    Or,
    Xor,
}

/// A step of `cp.async` after the copy itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AsyncStep {
    /// `commit_group`: the copies so far are a group.
    Commit,
    /// `wait_group`: for all groups but the last `keep`.
    Wait { keep: u32 },
    /// `wait_all`: for all copies, committed or not.
    WaitAll,
}

/// What a CPU does not compute, or leaves open. `wide`: the operand has 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hazard {
    /// The second source, a divisor, is zero.
    ZeroDivisor { wide: bool },
    /// The first source, to be converted to an integer, is a NaN.
    NotANumber { wide: bool },
}

/// The operation of an instruction.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Action {
    /// Computes in registers.
    Compute(Handler),
    /// The same in the host function, where a CPU would not compute this.
    Checked(Handler, Hazard),
    /// Memory to registers.
    Load(Access),
    /// Registers to memory.
    Store(Access),
    /// Read-modify-write. Operands: `b` value, `c` the new value of a CAS; result in `d` unless `quiet`.
    Atomic { access: Access, op: AtomicOp, ty: AtomicType, quiet: bool },
    /// Reads a texture.
    Texture(Fetch),
    /// Reads or writes a surface.
    Surface(SurfaceAccess),
    /// Jump.
    Branch { target: u32 },
    /// Jump through a table: index in `a` (32-bit), targets from `first` in the lists.
    BranchTable { first: u32, count: u32 },
    /// Call number in [`crate::decode::Program::calls`].
    Call(u32),
    /// Return from a function; ends the thread in a kernel.
    Return,
    /// Ends the thread.
    Exit,
    /// `bar.sync`/`barrier.sync`: id in `a`, thread count in `b` if `counted`.
    Barrier { counted: bool, aligned: bool, arrive: bool },
    /// `bar.red`: like a barrier, with a predicate in `c`; result in `d`.
    BarrierReduce { mode: VoteMode, popc: bool, counted: bool, negated: bool },
    /// `grid.sync()`: waits for all threads of all blocks.
    GridBarrier,
    /// `bar.warp.sync` with the mask in `a`.
    WarpBarrier,
    /// Memory fences order nothing that lockstep execution does not already order.
    Fence,
    /// Shuffle: value `a`, lane `b`, clamp `c`, members `e`; result `d`, predicate `p` if any.
    Shuffle { mode: ShuffleMode, predicate: Option<u16> },
    /// Vote: predicate `a`, members `b`; result `d`.
    Vote { mode: VoteMode, negated: bool },
    /// `match.any`/`match.all`: value `a`, members `b`; result `d`.
    Match { all: bool, wide: bool, predicate: Option<u16> },
    /// `redux.sync`: value `a`, members `b`; result `d`.
    Reduce(ReduceOp),
    /// `elect.sync`: members `b`; the leader to `d`, whether this lane is it to `predicate`.
    Elect { predicate: u16 },
    /// Lanes that are active now, to `d`.
    ActiveMask,
    /// A clock: to `d`.
    Clock { wide: bool },
    /// `isspacep`: does the generic address `a` lie in the space; predicate to `d`.
    IsSpace(Space),
    /// `cvta`: `a` to `d`, from the space to generic or back.
    ToGeneric { space: Space, wide: bool },
    /// `cvta.to`.
    FromGeneric { space: Space, wide: bool },
    /// `trap`, `brkpt`.
    Trap,
    /// Commits asynchronous copies, or waits for them.
    Asynchronous(AsyncStep),
    /// Nothing (prefetches, pragmas).
    Nothing,
}

/// One decoded instruction. Register numbers index the file that the action's shape implies.
#[derive(Debug, Clone)]
pub(crate) struct Inst {
    /// Its operation.
    pub action: Action,
    /// Guard predicate; 0 is the column that is always true.
    pub guard: u16,
    /// `@!p`.
    pub guard_negated: bool,
    /// Destination.
    pub d: u16,
    /// First source.
    pub a: u16,
    /// Second source.
    pub b: u16,
    /// Third source.
    pub c: u16,
    /// Fourth source.
    pub e: u16,
    /// Cost class.
    pub class: Class,
    /// Index into the module's source locations; 0 unknown.
    pub location: u32,
}
