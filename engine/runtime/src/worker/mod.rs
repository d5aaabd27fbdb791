//! A second process of the same binary that runs kernels: what a kernel breaks ends with it.

mod client;
mod protocol;
mod serve;

pub use client::{Reply, Worker};
pub use protocol::{Open, Request, Response, Target};
pub use serve::serve;
