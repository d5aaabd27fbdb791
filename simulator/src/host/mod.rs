//! Runs the host function of a submission: one thread, its own memory, CUDA runtime calls trapped.
//!
//! The host function is compiled to PTX like a kernel, and never runs natively. Its memory is apart from
//! the device's: using a device pointer here, or a host pointer in a kernel, is a fault with a source line.

mod run;
mod view;

pub use run::{HOST_BASE, HOST_END, HostArgument, HostCallError, HostCalls, HostError, HostOutcome, run};
pub use view::HostView;
