//! How fast a call is on a GPU, measured beside the yardstick: a kernel that only moves the same bytes.

mod batch;
mod lock;
mod measured;
mod patches;
mod yardstick;

pub use lock::{GpuLock, LockError};
pub use measured::{Pace, TimeRequest, Timed, time, time_yardstick};
pub use patches::{Change, Patch, difference};
pub use yardstick::{Yardstick, YardstickBytes};
