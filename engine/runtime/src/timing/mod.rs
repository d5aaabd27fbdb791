//! Measuring the time of a call on a GPU beside the yardstick (a kernel that only moves the same bytes).

mod batch;
mod checked;
mod digest;
mod lock;
mod measured;
mod pairs;
mod patches;
mod student;
mod yardstick;

pub use checked::CheckedCall;
pub use lock::{GpuLock, LockError};
pub(crate) use measured::{time, time_yardstick};
pub(crate) use pairs::TimeRequest;
pub use pairs::{Pace, Timed};
pub use patches::{Change, Patch, difference};
pub use yardstick::{Yardstick, YardstickBytes};
