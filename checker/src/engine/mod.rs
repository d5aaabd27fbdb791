//! What a GPU does for a host function, simulated or real.

mod gpu;
mod images;
mod interface;
mod limits;
mod simulated;

pub use gpu::GpuEngine;
pub use images::{ArrayShape, ImageKind, Part, TextureSource};
pub use interface::{Command, Engine, EngineError, Launched, Work};
pub use limits::Limits;
pub use simulated::SimulatedEngine;
