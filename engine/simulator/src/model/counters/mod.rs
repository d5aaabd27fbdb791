//! What a launch leaves for the timing model: plain numbers.

mod critical_path;
mod events;
mod executed;
mod scheduler_balance;
mod traffic;

pub use critical_path::{CriticalPath, StallReason};
pub(crate) use events::ratio;
pub use events::{Counters, LineCounters};
pub use executed::Executed;
pub use scheduler_balance::SchedulerBalance;
pub use traffic::{SIDE_BY_SIDE, Traffic};
