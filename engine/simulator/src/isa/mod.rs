//! The instruction set: a warp's registers, decoded instructions, and what each computing instruction does.
//!
//! Everything else builds on this; it knows neither memory nor programs.

mod atomic;
mod bits;
mod carry;
mod comparisons;
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
#[expect(
    clippy::double_comparisons,
    clippy::float_cmp,
    clippy::neg_cmp_op_on_partial_ord,
    reason = "PTX defines comparisons of NaN exactly so"
)]
mod half;
mod inst;
mod integer;
mod integer_math;
mod nan;
#[cfg(test)]
mod reference;
mod regs;
mod roles;
#[expect(clippy::float_cmp, reason = "exactness is the point")]
mod rounding;
pub(crate) mod table;
pub(crate) mod video;

pub(crate) use atomic::{add_flushing, apply_atomic};
pub(crate) use inst::{
    Access, Action, AsyncStep, AtomicOp, AtomicType, Fetch, Handler, Hazard, Inst, Outside, ReduceOp,
    ShuffleMode, SurfaceAccess, VoteMode, Where,
};
pub use inst::{AccessKind, Class};
pub(crate) use regs::{BIT, FULL, LANES, Lane, Regs, Slot, blend, lanes};
pub(crate) use roles::{Meeting, Successor, actions};
pub(crate) use table::Row;
