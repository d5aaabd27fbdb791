//! Two accesses to one byte, by different threads, one a store, not both atomic, with nothing that orders
//! them: a race.
//!
//! Each byte of shared and global memory remembers its last store and its last two readers
//! ([`shadow`]); [`clocks`] says what a thread knows to have happened: by barriers, `__syncwarp`, and fences
//! around atomics ([`release`]). Shuffles and votes order nothing. A whole-warp request over consecutive
//! bytes is checked in a few vector operations; only what looks suspicious there is looked at byte by byte.
//!
//! Left out on purpose: readers before the last two, and orders established through values of memory that
//! is accessed without atomics or `volatile`.

mod clocks;
mod found;
mod guess;
mod look;
mod observer;
mod payload;
mod release;
mod shadow;
mod unneeded;

pub(crate) use found::{Party, Race, RaceKind};
pub(crate) use observer::Races;
