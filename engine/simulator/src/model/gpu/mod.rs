//! What is known of each GPU: its size, what single operations cost, its link to the host.

mod cards;
mod gpus;
mod link;
mod link_h200;
mod occupancy;
mod rates;

pub use gpus::{CAPABILITIES, Gpu, Residency, find, gpus};
pub use link::Link;
pub use occupancy::{Needs, Occupancy, Scarce, occupancy};
pub use rates::Rates;
