//! A real GPU as an engine, inside the worker process.
//!
//! Work is queued, and issued in one go at the next point where the host function waits. The order is the program's,
//! each operation in its own stream, so nothing changes for the student. But the interpreter's own time never lies
//! between two operations, and two events around each batch measure the GPU alone. Each batch ends before the next
//! begins, so operations before and after a wait do not overlap. For calls that stay on the GPU, all operations are
//! queued before the GPU starts on them, and a wait in their middle counts with the time that a wait takes on this
//! machine ([`queue`]).

mod actions;
mod ahead;
mod host_memory;
mod operations;
pub mod pixels;
mod queue;
mod state;
mod variables;

pub use state::GpuEngine;
