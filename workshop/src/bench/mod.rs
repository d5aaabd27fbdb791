//! `workshop bench`: the fastest rungs beside other libraries on the same GPU, and beside the yardstick.
//!
//! Everything is timed in one run on the same pictures, each call from an empty L2: ours by the code that scores
//! ([`runtime::timing`]), the libraries by small programs of ours (`workshop/peers/`), which time in the same way.

mod command;
mod operations;
mod ours;
mod peers;
mod pictures;
mod program;
mod table;

pub use command::Bench;
