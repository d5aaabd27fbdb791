//! The CUDA runtime as a host function sees it, carried out on an [`Engine`](crate::engine::Engine).

mod arrays;
mod clocks;
mod dispatch;
mod effort;
mod finish;
mod graphs;
mod host_function;
mod images;
mod kept;
mod launch;
mod managed;
mod memory;
mod pending;
mod pinned;
mod query;
mod resources;
mod shape;
mod short;
mod state;
mod streams;
mod transfer;
mod unset;

pub use finish::Left;
pub use kept::Kept;
pub use resources::Allocation;
pub use short::{Landed, at_its_copy};
pub use state::Runtime;
