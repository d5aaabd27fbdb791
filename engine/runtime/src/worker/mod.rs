//! A second process of the same binary that runs kernels: if a kernel breaks the GPU's context, only that process ends.

mod client;
mod protocol;
mod serve;

pub(crate) use client::Worker;
pub use client::{KEPT_MEMORY, Process};
pub use protocol::Target;
pub(crate) use protocol::{Open, Request, Response};
pub use protocol::{receive, send};
pub use serve::serve;
