//! Global and constant memory: allocations, and the private view that each worker of a launch has of them.

mod arena;
mod merge;
mod page;
mod span;
mod strided;
mod unset;
mod validity;
mod view;
mod word;

pub(crate) use arena::{Allocation, Memory, MemoryError, after};
pub(crate) use merge::merge;
pub(crate) use span::{Span, pick, span};
pub(crate) use validity::{Validity, runs};
pub(crate) use view::{Footprint, Located, MOST_WRITTEN, View};
pub(crate) use word::{read_word, write_word};
