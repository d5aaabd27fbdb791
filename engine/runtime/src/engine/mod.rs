//! What a GPU does for a host function, simulated or real.

mod gpu;
mod images;
mod interface;
mod limits;
pub mod prediction;
mod refusal;
mod simulated;
mod timeline;

pub use gpu::GpuEngine;
pub use gpu::pixels;
pub use images::{ArrayShape, ImageKind, Part, TextureSource};
pub use interface::{Apart, Command, Engine, EngineError, HostMemory, HostSide, Launched, Transfer, Work};
pub use limits::Limits;
pub use simulated::{Arguments, Assembled, AssembledKernels, SimulatedEngine};
pub use timeline::{HostWaits, Step, Timeline};
