//! The CUDA runtime as a host function sees it, carried out on an [`crate::engine::Engine`].

mod arrays;
mod calls;
mod images;
mod launch;
mod managed;
mod memory;
mod order;
mod pending;
mod pinned;
mod query;
mod streams;
mod transfer;
mod unset;

pub use calls::{Allocation, Left, LeftImage, Runtime};
