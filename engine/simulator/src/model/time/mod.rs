//! From counted events to seconds on a given GPU.

mod at_the_end;
mod breakdown;
mod imbalance;
mod interval;
mod lone_warp;
mod predict;
mod residency;
mod terms;
mod traffic;
mod units;
mod weights;

pub use breakdown::{Breakdown, breakdown};
pub use interval::{COVERED, GROUP_NAMES, GROUPS, bounds};
pub use lone_warp::Wait;
pub use predict::{Demand, Model, memory_seconds, seconds};
pub use residency::warps;
pub use terms::{TERM_NAMES, TERMS, far_cycles, waits_for};
pub use traffic::l2_sectors;
pub use weights::H200;
