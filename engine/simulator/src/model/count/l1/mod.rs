//! The first-level cache of each block: which sectors its loads miss, which of its stores join, and what of both goes on to the
//! L2 and to DRAM.

mod cache;
mod first_touch;
mod local_memory;
mod misses;
mod shared_misses;
mod stores;

pub(super) use cache::Cache;
pub(super) use first_touch::Step;
pub(super) use local_memory::{own_passes, own_words};
pub(super) use misses::L1Misses;
