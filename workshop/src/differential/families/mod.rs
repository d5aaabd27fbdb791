//! Features that kernels exercise, one file per family. Every kernel is free of races and of undefined behaviour by the
//! way it is put together, and writes four words of results per thread.

mod atomic;
mod calls;
mod compute;
mod memory;
mod shared;
mod warp;

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::operations::{Operation, floating, integer};
use super::random::Random;
use super::types::{INTEGERS, Type};
use super::writer::Writer;

/// The feature that a kernel exercises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Family {
    /// Integer arithmetic of all widths.
    Integer,
    /// Floating point whose bits are defined, and conversions.
    Float,
    /// Control flow that lanes take differently.
    Divergent,
    /// Functions, recursion, structures, local arrays.
    Calls,
    /// Loads and stores of all widths, constant memory, generic addresses.
    Memory,
    /// Shared memory and barriers.
    Shared,
    /// Shuffles, votes, matches, reductions.
    Warp,
    /// Atomics whose order does not matter.
    Atomic,
    /// Unmarked sums and products, which the assembler may fuse: not among the default families.
    Contraction,
    /// Each operation of the others alone: not among the default families.
    Each,
}

/// How a kernel is launched.
#[derive(Debug, Clone, Copy)]
pub struct Shape {
    /// Blocks.
    pub grid: [u32; 3],
    /// Threads.
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    pub dynamic_shared: u32,
}

impl Shape {
    /// Threads of the whole grid.
    pub fn threads(&self) -> u64 {
        self.grid.iter().chain(&self.block).map(|&extent| u64::from(extent)).product()
    }

    /// Threads of a block.
    pub fn of_block(&self) -> u32 {
        self.block.iter().product()
    }
}

impl Family {
    /// Those that have to agree.
    pub const DEFAULT: [Self; 8] = [
        Self::Integer,
        Self::Float,
        Self::Divergent,
        Self::Calls,
        Self::Memory,
        Self::Shared,
        Self::Warp,
        Self::Atomic,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Float => "float",
            Self::Divergent => "divergent",
            Self::Calls => "calls",
            Self::Memory => "memory",
            Self::Shared => "shared",
            Self::Warp => "warp",
            Self::Atomic => "atomic",
            Self::Contraction => "contraction",
            Self::Each => "each",
        }
    }

    /// The family of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::DEFAULT.into_iter().chain([Self::Contraction, Self::Each]).find(|family| family.name() == name)
    }

    /// A launch that suits the family.
    pub fn shape(self, random: &mut Random) -> Shape {
        let grid = [1 + random.below(3) as u32, 1, 1];
        let block = match self {
            Self::Shared => *random.pick(&[[32, 1, 1], [64, 1, 1], [128, 1, 1], [16, 4, 1], [32, 8, 1]]),
            Self::Warp | Self::Atomic => *random.pick(&[[32, 1, 1], [64, 1, 1], [96, 1, 1], [32, 4, 1]]),
            _ => *random.pick(&[[32, 1, 1], [33, 1, 1], [50, 1, 1], [64, 1, 1], [8, 8, 1], [5, 3, 7]]),
        };
        let mut shape = Shape { grid, block, dynamic_shared: 0 };
        if self == Self::Shared {
            shape.dynamic_shared = 16 * shape.of_block();
        }
        shape
    }

    /// The text of a kernel and its functions; `turn` counts the family's kernels.
    pub fn source(self, name: &str, turn: u64, shape: Shape, random: Random) -> String {
        static TABLES: OnceLock<[Vec<Operation>; 4]> = OnceLock::new();
        let [integers, numbers, mixed, contractable] = TABLES.get_or_init(|| {
            let (integers, numbers) = (integer::all(), floating::all());
            let mixed = [integers.clone(), numbers.clone()].concat();
            let contractable = [mixed.clone(), vec![floating::contractable(); 12].concat()].concat();
            [integers, [numbers.clone(), numbers, integer::all()].concat(), mixed, contractable]
        });
        let words = [Type::U32, Type::S32, Type::U32, Type::U64];
        let numbers_first = [Type::F32, Type::F64, Type::F32, Type::U32, Type::S64];
        let (operations, types): (&[Operation], &[Type]) = match self {
            Self::Integer => (integers, &INTEGERS),
            Self::Float => (numbers, &numbers_first),
            Self::Contraction => (contractable, &numbers_first),
            Self::Each => (mixed, &[]),
            Self::Divergent => (mixed, &[Type::U32, Type::S32, Type::F32, Type::U16, Type::S64]),
            Self::Calls | Self::Memory => (mixed, &[Type::U32, Type::S64, Type::F32, Type::U8, Type::F64]),
            Self::Shared | Self::Warp | Self::Atomic => (integers, &words),
        };
        let mut writer = Writer::new(random, operations, types);
        let mut functions = String::new();
        match self {
            Self::Integer | Self::Float | Self::Contraction => compute::straight(&mut writer),
            Self::Each => compute::alone(&mut writer, &operations[turn as usize % operations.len()]),
            Self::Divergent => compute::divergent(&mut writer),
            Self::Calls => functions = calls::body(&mut writer, name),
            Self::Memory => memory::body(&mut writer),
            Self::Shared => shared::body(&mut writer, shape),
            Self::Warp => warp::body(&mut writer),
            Self::Atomic => atomic::body(&mut writer, shape),
        }
        let body = writer.finish();
        format!(
            "\n{functions}extern \"C\" __global__ void {name}(const u64* __restrict__ in, u64* out) {{\n\
             {THREAD}{body}}}\n"
        )
    }
}

/// `l`: the thread in its block; `t`: in the grid; `mine`: its inputs; `cells`: memory that all share.
const THREAD: &str = "    const u32 l = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const u32 size = blockDim.x * blockDim.y * blockDim.z;
    const u32 t = blockIdx.x * size + l;
    const u64* mine = in + t * 8;
    u64* cells = out + gridDim.x * size * 4;
    (void)cells;
    (void)mine;
";
