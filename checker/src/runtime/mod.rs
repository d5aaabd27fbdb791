//! The CUDA runtime as a host function sees it, carried out on an [`crate::engine::Engine`].

mod calls;
pub mod codes;
mod launch;
mod memory;
mod query;
mod streams;
mod transfer;

pub use calls::{Allocation, Left, Runtime};
