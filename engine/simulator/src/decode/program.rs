//! A kernel (or host function) with all it calls, decoded.

use std::collections::HashMap;
use std::ops::Range;

use crate::isa::{Inst, Row, Slot};
use crate::layout::Layout;
use crate::memory::Memory;

/// The functions of the heap that kernels allocate from.
pub(crate) const HEAP_FUNCTIONS: [&str; 2] = ["malloc", "free"];

/// A special register, constant for a warp's whole life, or for each of its lanes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Special {
    Tid(usize),
    Ntid(usize),
    Ctaid(usize),
    Nctaid(usize),
    LaneId,
    WarpId,
    NWarpId,
    SmId,
    NSmId,
    LaneMaskEq,
    LaneMaskLe,
    LaneMaskLt,
    LaneMaskGe,
    LaneMaskGt,
    DynamicShared,
    TotalShared,
    /// Not zero in a cooperative launch: on a GPU, a part of the address of what its blocks meet at.
    Cooperative,
    /// Reads as zero: grid id, cluster and environment registers.
    Zero,
    /// Reads as one: the size of a cluster.
    One,
}

/// A column with a value that is known when a launch begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Preset {
    /// File.
    pub slot: Slot,
    /// Column.
    pub index: u16,
    /// Where the value lies.
    pub source: PresetSource,
    /// Its bytes: 1, 2, 4, 8.
    pub width: u8,
    /// Extended by its sign to the column's width.
    pub signed: bool,
    /// The line of the PTX that loads it.
    pub line: u32,
}

/// Where a preset value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PresetSource {
    /// At this offset of the parameter block.
    Parameter(usize),
    /// At this address in constant memory.
    Constant(u64),
}

impl Program {
    /// Whether it calls `malloc` or `free`.
    pub fn allocates(&self) -> bool {
        let from_the_heap = |callee: &Callee| matches!(callee, Callee::External { name, .. } if HEAP_FUNCTIONS.contains(&name.as_str()));
        self.calls.iter().any(|call| from_the_heap(&call.callee))
    }

    /// Where dynamic shared memory begins on a GPU: after the static part, at a multiple of 16.
    pub fn dynamic_shared_start(&self) -> usize {
        self.static_shared.next_multiple_of(16)
    }

    /// Bytes of shared memory of a block that is launched with so many dynamic ones, as a GPU counts them.
    pub fn shared_bytes(&self, dynamic: u32) -> usize {
        if dynamic == 0 { self.static_shared } else { self.dynamic_shared_start() + dynamic as usize }
    }

    /// Bytes between its static arrays in shared memory that a GPU does not have.
    pub fn red_zone_bytes(&self) -> u64 {
        let last = self.shared_arrays.iter().filter(|array| array.1 > 0).map(|array| array.0 + array.1).max();
        last.map_or(0, |end| end - self.static_shared as u64)
    }

    /// Bytes of shared memory of a block with so many dynamic ones, red zones included.
    pub fn shared_room(&self, dynamic: u32) -> usize {
        match self.dynamic_start {
            Some(start) if dynamic > 0 => start as usize + dynamic as usize,
            _ => self.shared_bytes(dynamic) + self.red_zone_bytes() as usize,
        }
    }

    /// The constant memory that the preset columns of a launch are read from, and the lines of the PTX that load it.
    pub fn preset_reads(&self) -> impl Iterator<Item = (Range<u64>, u32)> {
        self.presets.iter().filter_map(|preset| match preset.source {
            PresetSource::Constant(address) => {
                Some((address..address + u64::from(preset.width), preset.line))
            }
            PresetSource::Parameter(_) => None,
        })
    }

    /// The values of the preset columns for one launch, in the order of [`Self::presets`].
    pub fn preset_values(&self, parameters: &[u8], memory: &Memory) -> Vec<u64> {
        let value = |preset: &Preset| {
            let width = usize::from(preset.width);
            let bytes = match preset.source {
                PresetSource::Parameter(offset) => &parameters[offset..offset + width],
                PresetSource::Constant(address) => {
                    memory.bytes(address, width as u64).expect("variables live as long as their module")
                }
            };
            let mut word = [0; 8];
            word[..width].copy_from_slice(bytes);
            let (word, unused) = (u64::from_le_bytes(word), 64 - 8 * width);
            if preset.signed { ((word << unused) as i64 >> unused) as u64 } else { word }
        };
        self.presets.iter().map(value).collect()
    }
}

/// A parameter of the kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Parameter {
    /// Byte offset in the parameter block.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
}

/// Bytes copied inside a thread's local memory: an argument or a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Copy {
    /// Source offset.
    pub from: u32,
    /// Destination offset.
    pub to: u32,
    /// Number of bytes.
    pub bytes: u32,
}

/// The target of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Callee {
    /// A function of the same program, by its number in [`Program::functions`].
    Function { number: u32 },
    /// The function whose address this 64-bit column holds.
    Pointer { register: u16 },
    /// A function without a body, carried out by the simulator: name, argument places, result place.
    External { name: String, arguments: Vec<(u32, u32)>, result: Option<(u32, u32)> },
}

/// A loop with barriers that all lanes of a warp have to reach together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BarrierLoop {
    /// Where it begins.
    pub start: u32,
    /// Where its turns end: a compiler may end those of different lanes at different jumps, and one by falling through.
    pub ends: Vec<u32>,
    /// The barriers in it.
    pub barriers: Vec<u32>,
}

/// A call instruction's particulars.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Call {
    /// Whom.
    pub callee: Callee,
    /// Where the caller keeps the arguments.
    pub arguments: Vec<u32>,
    /// Where it wants the results.
    pub results: Vec<u32>,
    /// The caller's places are in its frame.
    pub framed: bool,
}

/// The instructions of one function.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FunctionRange {
    /// Its mangled name.
    pub name: String,
    /// First instruction.
    pub start: u32,
    /// One past the last.
    pub end: u32,
    /// Offset and size of each parameter.
    pub parameters: Vec<(u32, u32)>,
    /// Offset and size of each result.
    pub returns: Vec<(u32, u32)>,
    /// Bytes of a frame, if it may be running twice in a thread.
    pub frame_bytes: Option<u32>,
    /// Its local variables, if they have fixed places.
    pub locals: Range<u32>,
    /// Its columns.
    pub r32: Range<usize>,
    /// 64-bit ones.
    pub r64: Range<usize>,
    /// Predicates.
    pub preds: Range<usize>,
}

/// A decoded program.
#[derive(Debug, Clone, Default)]
pub(crate) struct Program {
    /// Mangled name of the entry.
    pub name: String,
    /// All instructions; the entry's first.
    pub code: Vec<Inst>,
    /// The line of the PTX text behind each instruction of `code`, from 1.
    pub lines: Vec<u32>,
    /// The table's row behind each computing instruction of `code`, for observers of values.
    pub rows: Vec<Option<&'static Row>>,
    /// Functions in `code`.
    pub functions: Vec<FunctionRange>,
    /// Vector operands, by [`super::Access::list`].
    pub lists: Vec<u16>,
    /// Targets of `brx.idx`.
    pub branch_tables: Vec<u32>,
    /// Loops around barriers.
    pub barrier_loops: Vec<BarrierLoop>,
    /// The jumps back of loops that only wait: for a lock, or for a word of another thread. In order.
    pub waiting: Vec<u32>,
    /// Calls.
    pub calls: Vec<Call>,
    /// Columns of each file.
    pub r32: usize,
    /// 64-bit columns.
    pub r64: usize,
    /// Predicates.
    pub preds: usize,
    /// Columns with fixed values.
    pub constants32: Vec<(u16, u32)>,
    /// 64-bit ones.
    pub constants64: Vec<(u16, u64)>,
    /// Predicates with fixed values.
    pub constant_preds: Vec<(u16, bool)>,
    /// Columns whose values a launch brings: parameters and constants.
    pub presets: Vec<Preset>,
    /// 32-bit columns that hold special registers.
    pub specials: Vec<(u16, Special)>,
    /// Registers that may be read before they are written.
    pub undefined: Vec<(Slot, u16)>,
    /// Functions that a pointer may lead to, by address.
    pub pointers: HashMap<u64, u32>,
    /// 64-bit column of the place where a frame begins.
    pub frame_pointer: u16,
    /// Where frames begin in local memory.
    pub stack_start: usize,
    /// Bytes of local memory a thread needs, frames included.
    pub local_bytes: usize,
    /// Bytes of static shared memory.
    pub static_shared: usize,
    /// Arrays in shared memory: offset, bytes (0 for the dynamic part) and mangled name.
    pub shared_arrays: Vec<(u64, u64, String)>,
    /// Bytes between arrays in shared memory that belong to none.
    pub red_zones: Vec<Range<u64>>,
    /// Where dynamic shared memory begins, if the program has any.
    pub dynamic_start: Option<u64>,
    /// The entry's parameters.
    pub parameters: Vec<Parameter>,
    /// Bytes of all of them.
    pub parameter_bytes: usize,
    /// Results may depend on the order of blocks: run them one after another.
    pub ordered: bool,
    /// `.maxntid`.
    pub max_threads: Option<u32>,
    /// `.reqnctapercluster`: blocks of a cluster along each axis.
    pub cluster: Option<[u32; 3]>,
    /// `.reqntid`.
    pub required_threads: Option<[u32; 3]>,
}

/// What names mean outside a function: shared by all programs of a module.
#[derive(Debug, Clone)]
pub(crate) struct Symbols {
    /// Device or host ranges.
    pub layout: Layout,
    /// Address of each `.global` and `.const` variable.
    pub variables: HashMap<String, u64>,
    /// Number of each function, for its address.
    pub functions: HashMap<String, usize>,
}
