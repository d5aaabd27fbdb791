//! The words of machine instructions: which unit executes them, where they jump, what they wait for.
//!
//! Laid out as `nvdisasm` shows them for compute capability 9.0: the operation in the low 9 bits (3 more for the form of
//! its operands), the guard in bits 12 to 15, the distance of a jump in bits 16 to 23 and 34 to 81, and from bit 105 on what the
//! assembler tells the scheduler: cycles until the next instruction, the barriers that this one sets when its result is there and
//! when its operands have been read, and those that it waits for.

use super::MachineInstruction;

/// Who executes an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    Integer,
    Float,
    Multiply,
    Special,
    Double,
    Uniform,
    /// A register that is not one of the warp's own.
    Outside,
    LoadGlobal,
    StoreGlobal,
    FetchAhead,
    LoadShared,
    StoreShared,
    LoadLocal,
    StoreLocal,
    LoadConstant,
    AtomicShared,
    AtomicGlobal,
    /// A texel by whole numbers: of plain memory, or of a surface.
    Fetch,
    Texture,
    Shuffle,
    Reduce,
    Match,
    Barrier,
    /// Waits until what the thread has written is known to the whole GPU.
    Fence,
    Jump,
    Call,
    Return,
    /// Reconverges lanes that have diverged.
    Bsync,
    /// Ends a warp, perhaps for some of its lanes only.
    Exit,
    /// To an address that is worked out.
    IndirectBranch,
    /// Takes lanes out of those that a BSYNC waits for: ends a basic block without going elsewhere.
    Break,
    Pad,
    Other,
}

impl Unit {
    /// Whether it is of the kind that the assembler keeps one for one.
    pub fn anchors(self) -> bool {
        self.loads_far()
            || matches!(
                self,
                Self::StoreGlobal
                    | Self::FetchAhead
                    | Self::LoadShared
                    | Self::StoreShared
                    | Self::StoreLocal
                    | Self::AtomicShared
                    | Self::AtomicGlobal
                    | Self::Shuffle
                    | Self::Reduce
                    | Self::Match
                    | Self::Barrier
                    | Self::Exit
            )
    }

    /// Loads what may lie beyond the first-level cache.
    pub fn loads_far(self) -> bool {
        matches!(self, Self::LoadGlobal | Self::LoadLocal | Self::Fetch | Self::Texture)
    }

    /// Cycles until a result is there that the assembler cannot foresee; on an H200, as `workshop micro` measured.
    pub fn latency(self) -> f64 {
        match self {
            Self::LoadGlobal => 38.0,
            Self::LoadShared | Self::LoadLocal | Self::AtomicShared => 31.0,
            Self::LoadConstant => 34.0,
            Self::StoreGlobal | Self::FetchAhead | Self::StoreShared | Self::StoreLocal | Self::Uniform => {
                12.0
            }
            Self::Special => 17.0,
            Self::Double => 8.0,
            Self::Shuffle => 26.0,
            Self::Reduce => 44.0,
            // Of one value; the others are counted as they are found.
            Self::Match => 28.0,
            Self::AtomicGlobal => 311.0,
            Self::Fetch => 94.0,
            Self::Texture => 122.0,
            _ => 20.0,
        }
    }
}

/// Cycles until what a warp has written is known everywhere: behind a store of 32 words side by side; 280 with nothing stored, 609 behind
/// words in 32 lines (`workshop micro`).
pub(super) const FENCE: f64 = 502.0;
/// A fence's reach: 0 is the block's, 2 the GPU's, 3 the whole machine's.
const GPU_WIDE: u64 = 2;

/// Modifier of a jump, `.DIV`.
const IF_DIVERGED: u64 = 2;
/// The form of a jump by a predicate of the whole warp, `BRA.U`, which has that bit too.
const BY_UNIFORM: u64 = 2;

/// One instruction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Decoded {
    pub unit: Unit,
    /// Of the PTX; 0 if not known.
    pub line: u32,
    /// Whether it has a guard, or is a branch with a condition of its own.
    pub guarded: bool,
    /// The instruction that it may jump to, or call.
    pub target: Option<usize>,
    /// Whether it jumps only where the lanes of the warp are not together.
    pub if_diverged: bool,
    /// Cycles until the next instruction of the warp, at the least.
    pub stall: f64,
    /// The barrier that its result sets.
    pub result: Option<usize>,
    /// The barrier that says its operands have been read.
    pub operands: Option<usize>,
    /// The barriers that it waits for, a bit each.
    pub waits: u32,
}

#[cfg(test)]
impl Decoded {
    /// One that depends on nothing.
    pub fn plain(unit: Unit, line: u32) -> Self {
        Self {
            unit,
            line,
            guarded: false,
            target: None,
            if_diverged: false,
            stall: 1.0,
            result: None,
            operands: None,
            waits: 0,
        }
    }
}

/// Barriers of a warp.
pub(super) const BARRIERS: usize = 6;

/// All instructions, but for the jump to itself and the padding after it that end a kernel.
pub(super) fn decoded(code: &[MachineInstruction], capability: u32) -> Vec<Decoded> {
    let one = |(at, one): (usize, &MachineInstruction)| instruction(at, *one, capability);
    let mut all: Vec<Decoded> = code.iter().enumerate().map(one).collect();
    let last = all.iter().rposition(|one| one.unit != Unit::Pad).map_or(0, |last| last + 1);
    all.truncate(last);
    if all.last().is_some_and(|end| end.unit == Unit::Jump && end.target == Some(last - 1)) {
        all.pop();
    }
    all
}

fn instruction(at: usize, MachineInstruction { word, line }: MachineInstruction, capability: u32) -> Decoded {
    let bits = |from: u32, count: u32| (word >> from) as u64 & ((1 << count) - 1);
    let unit = match unit(bits(0, 9) as u32) {
        Unit::Fence if bits(76, 2) < GPU_WIDE => Unit::Other,
        unit => unit,
    };
    let least = if unit == Unit::Fence { FENCE } else { 1.0 };
    let barrier = |number: u64| usize::try_from(number).ok().filter(|number| *number < BARRIERS);
    let jumps = matches!(unit, Unit::Jump | Unit::Call);
    let goes = matches!(unit, Unit::Jump | Unit::Exit | Unit::Return);
    Decoded {
        unit,
        line,
        guarded: bits(12, 4) != 7 || (goes && bits(87, 9) != 7),
        target: if jumps { target(at, distance(bits(16, 8), bits(34, 48), capability)) } else { None },
        if_diverged: unit == Unit::Jump && bits(9, 3) != BY_UNIFORM && bits(90, 6) == IF_DIVERGED,
        stall: (bits(105, 4) as f64).max(least),
        result: barrier(bits(110, 3)),
        operands: barrier(bits(113, 3)),
        waits: bits(116, 6) as u32,
    }
}

/// Distances count words of 4 bytes. From 9.0 on, 8 low bits of them stand apart.
fn distance(low: u64, high: u64, capability: u32) -> i64 {
    let high = (high << 16) as i64 >> 16;
    if capability < JUMPS_IN_TWO_PARTS { high } else { (high << 8) | low as i64 }
}

const JUMPS_IN_TWO_PARTS: u32 = 90;

/// Counted from the next instruction on.
fn target(at: usize, words: i64) -> Option<usize> {
    usize::try_from(at as i64 + 1 + words / 4).ok()
}

/// By the low 9 bits of the word.
fn unit(operation: u32) -> Unit {
    match operation {
        // MOV, P2R, R2P, VOTE, SEL, FSEL, FMNMX, FSETP, ISETP, IADD3, LEA, LOP3, IABS, PRMT, SGXT, SHF, BMSK, PLOP3, I2FP,
        // VIADDMNMX, VIMNMX, VOTEU, I2IP
        0x02..=0x04
        | 0x06..=0x09
        | 0x0b
        | 0x0c
        | 0x10..=0x13
        | 0x16
        | 0x17
        | 0x19
        | 0x1b
        | 0x1c
        | 0x45
        | 0x46
        | 0x48
        | 0x86
        | 0xca => Unit::Integer,
        // FMUL, FADD, FFMA, HFMA2 (0x31 in 12.0); and VIADD, of which there are more in a cycle than the unit of the other additions could do
        0x20 | 0x21 | 0x23 | 0x31 | 0x35 | 0x36 => Unit::Float,
        // IMAD, IDP
        0x24..=0x27 => Unit::Multiply,
        // DMUL, DADD, DSETP, DFMA
        0x28..=0x2b => Unit::Double,
        // FLO, BREV, FCHK, F2I, I2F, FRND, MUFU, POPC
        0x100..=0x102 | 0x105..=0x109 | 0x111 | 0x112 => Unit::Special,
        // UMOV, USEL, UISETP, UIADD3, ULEA, ULOP3, UPRMT, USHF, UIMAD, ULDC, UFLO, LDCU, S2UR
        0x82 | 0x87 | 0x8c | 0x90..=0x92 | 0x96 | 0x99 | 0xa4 | 0xa5 | 0xb9 | 0xbb | 0xbd | 0x1ac | 0x1c3 => {
            Unit::Uniform
        }
        // CS2R, S2R
        0x05 | 0x119 => Unit::Outside,
        0x181 => Unit::LoadGlobal,
        0x182 => Unit::LoadConstant,
        0x183 => Unit::LoadLocal,
        0x184 => Unit::LoadShared,
        0x186 => Unit::StoreGlobal,
        // LDGSTS: to shared memory, for which nothing waits here
        0x1ae => Unit::FetchAhead,
        0x187 => Unit::StoreLocal,
        0x188 => Unit::StoreShared,
        0x189 => Unit::Shuffle,
        0x18c | 0x18d => Unit::AtomicShared,
        // RED, ATOMG
        0x18a | 0x18e | 0x1a8 | 0x1a9 => Unit::AtomicGlobal,
        0x1a1 => Unit::Match,
        0x1c4 => Unit::Reduce,
        // TLD, SULD
        0x166 | 0x199 => Unit::Fetch,
        // I2F of textures' indices has no number of its own: TEX, TLD4, TMML, TXD, TXQ
        0x113 | 0x160..=0x165 | 0x167 => Unit::Texture,
        0x11d => Unit::Barrier,
        // MEMBAR
        0x192 => Unit::Fence,
        0x147 => Unit::Jump,
        0x144 => Unit::Call,
        0x150 => Unit::Return,
        0x141 => Unit::Bsync,
        0x14d => Unit::Exit,
        // BRX, JMP
        0x149 | 0x14a => Unit::IndirectBranch,
        0x142 => Unit::Break,
        0x118 => Unit::Pad,
        _ => Unit::Other,
    }
}
