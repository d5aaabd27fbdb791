//! From syntax tree to a program: operands become register columns, spellings become handlers.

mod assigned;
#[expect(clippy::cast_lossless, reason = "one macro covers lossless and lossy pairs of types")]
mod convert;
#[expect(
    clippy::double_comparisons,
    clippy::float_cmp,
    clippy::neg_cmp_op_on_partial_ord,
    reason = "PTX defines comparisons of NaN exactly so"
)]
mod float;
mod inst;
mod integer;
mod invariant;
mod lower;
mod memory_ops;
mod operands;
mod program;
#[expect(clippy::float_cmp, reason = "exactness is the point")]
mod rounding;
mod special;
pub(crate) mod table;

pub use inst::Class;
pub(crate) use inst::{Access, Action, AtomicOp, AtomicType, Inst, ReduceOp, ShuffleMode, VoteMode, Where};
pub(crate) use lower::{Unsupported, decode, element_bytes};
pub(crate) use program::{Callee, Copy, Program, Special, Symbols};
