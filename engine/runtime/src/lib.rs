//! The CUDA runtime over an engine: a simulated GPU or a real one.
//!
//! | module | interface |
//! | --- | --- |
//! | [`engine`] | [`Engine`](engine::Engine), a GPU with one module loaded: memory, copies, textures, launches, streams, events, timing. [`SimulatedEngine`](engine::SimulatedEngine) needs no GPU, [`GpuEngine`](engine::GpuEngine) is an NVIDIA GPU |
//! | [`api`] | [`Runtime`](api::Runtime) decodes the runtime calls of an interpreted host function (`cudaMalloc`, …), checks them, and carries them out on an engine |
//! | [`codes`] | the values of `cudaError_t` |
//! | [`finding`] | faults and remarks, for reports |
//! | [`job`] | calls a host function on prepared buffers, and collects its results |
//! | [`simulation`] | jobs on the simulator, in this process |
//! | [`worker`], [`remote`] | jobs on a real GPU, in a second process |
//! | [`timing`], [`statistics`] | measured times beside the yardstick |
//! | [`poison`] | patterns for outputs before a run |
//!
//! `tests/engine.rs` runs a kernel with an engine alone: allocate, copy, launch, wait, free.
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
