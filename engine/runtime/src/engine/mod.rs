//! A GPU, simulated or real, behind one interface: [`Engine`].

mod gpu;
mod images;
mod interface;
mod limits;
pub mod prediction;
mod refusal;
mod simulated;
mod timeline;
mod work;

pub use gpu::GpuEngine;
pub use gpu::pixels;
pub use images::{ArrayShape, ImageKind, Part, TextureSource};
pub use interface::{Command, DeviceRange, Engine, EngineError, HostSide, Launched, MovedFrom, ShortWrite};
pub use limits::Limits;
pub use simulated::{
    Arguments, Asked, Assembled, AssembledKernels, Event, Profiled, ProfiledLine, Recording, Request,
    SeenRequest, SimulatedEngine, Tried, UNEVEN,
};
pub use simulated::{
    Misplaced, Moved, ShortRead, State, Touched, Toucher, Touches, Witness, WitnessedLaunch,
};
pub use timeline::Timeline;
pub use work::{Apart, HostMemory, HostWaits, Step, Transfer, Work};
