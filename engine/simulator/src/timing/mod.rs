//! From counted events to seconds on a given GPU.

mod alone;
mod gpus;
mod grow;
mod link;
mod link_h200;
pub mod model;
mod occupancy;
mod rates;
mod spread;
mod terms;
mod traffic;
mod weights;

pub use alone::Wait;
pub use gpus::{Gpu, Residency, find, gpus};
pub use grow::Growth;
pub use link::{Link, link};
pub use model::{Kernel, Model, Whole};
pub use occupancy::{Needs, Occupancy, Scarce, occupancy};
pub(crate) use rates::H200 as H200_RATES;
pub use rates::Rates;
pub use terms::{TERM_NAMES, TERMS, terms, waits_for, warps};
pub use traffic::l2_sectors;
pub use weights::H200;
