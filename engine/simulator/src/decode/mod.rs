//! From syntax tree to a program: operands become register columns, spellings become handlers.

mod arity;
mod assigned;
mod asynchronous;
mod bits;
mod carry;
mod compare;
mod comparisons;
mod contract;
#[expect(clippy::cast_lossless, reason = "one macro covers lossless and lossy pairs of types")]
mod convert;
mod double;
#[expect(
    clippy::double_comparisons,
    clippy::float_cmp,
    clippy::neg_cmp_op_on_partial_ord,
    reason = "PTX defines comparisons of NaN exactly so"
)]
mod float;
mod graph;
#[expect(
    clippy::double_comparisons,
    clippy::float_cmp,
    clippy::neg_cmp_op_on_partial_ord,
    reason = "PTX defines comparisons of NaN exactly so"
)]
mod half;
mod image;
mod inst;
mod integer;
mod integer_math;
mod invariant;
mod loops;
mod lower;
mod memory_ops;
mod moves;
mod nan;
mod operands;
mod program;
#[cfg(test)]
mod reference;
#[expect(clippy::float_cmp, reason = "exactness is the point")]
mod rounding;
mod special;
pub(crate) mod table;
mod video;
mod warp_ops;

pub(crate) use half::atomic_sum as short_sum;
pub use inst::Class;
pub(crate) use inst::{
    Access, Action, AtomicOp, AtomicType, Fetch, Inst, Outside, ReduceOp, ShuffleMode, SurfaceAccess,
    VoteMode, Where,
};
pub(crate) use lower::{Unsupported, decode, element_bytes};
pub(crate) use memory_ops::{ACQUIRE, READ_ONLY, RELEASE};
pub(crate) use nan::nan64;
pub(crate) use operands::SCRATCH;
pub(crate) use program::{Callee, Copy, FunctionRange, Program, Special, Symbols};
pub(crate) use rounding::{canonical, flush};
pub(crate) use table::Row;
