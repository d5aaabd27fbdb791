//! The CUDA runtime over an engine: a simulated GPU or a real one.
//!
//! [`engine::Engine`] is a GPU with one module loaded: it allocates, copies, launches, keeps streams and marks, and
//! times. [`engine::SimulatedEngine`] is one on the simulator, [`engine::GpuEngine`] one on an NVIDIA GPU.
//! [`api::Runtime`] carries out the runtime calls of a host function on an engine, with CUDA's error codes
//! ([`codes`]). [`job`] calls a host function on prepared buffers and collects what it leaves. [`worker`] is a
//! second process that runs jobs on a real GPU, [`remote::RemoteGpu`] the parent's handle on it. [`timing`] measures.
//!
//! Left out on purpose: labs, scores, reports, and the command line.

pub mod api;
pub mod codes;
pub mod engine;
pub mod finding;
pub mod job;
pub mod poison;
pub mod remote;
pub mod simulation;
pub mod statistics;
pub mod timing;
pub mod worker;
