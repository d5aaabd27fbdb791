//! From syntax tree to a program: operands become register columns, spellings become handlers.

mod arity;
mod assigned;
mod asynchronous;
mod carry;
mod compare;
mod contract;
#[cfg(test)]
pub(crate) mod fixture;
mod graph;
mod image;
mod invariant;
mod loops;
mod lower;
mod memory_ops;
mod moves;
mod operands;
mod program;
mod special;
mod video;
mod waiting;
mod warp_ops;

pub(crate) use lower::{Unsupported, decode, element_bytes};
pub(crate) use memory_ops::{ACQUIRE, ASYNCHRONOUS, BLOCK_SCOPE, READ_ONLY, RELEASE};
pub(crate) use operands::SCRATCH;
pub(crate) use program::{
    BarrierLoop, Callee, Copy, FunctionRange, HEAP_FUNCTIONS, Preset, Program, Special, Symbols,
};
pub(crate) use special::SLEEPS;
pub(crate) use waiting::{asking_for_turns, asks_others, waits_for_others, waits_in_the_block};

pub use crate::isa::Class;
pub(crate) use crate::isa::{
    Access, Action, AsyncStep, AtomicOp, AtomicType, Fetch, Inst, Meeting, Outside, ReduceOp, Row,
    ShuffleMode, Successor, SurfaceAccess, VoteMode, Where,
};
