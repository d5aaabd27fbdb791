//! The observers that count what a launch does.

mod atomics;
mod choices;
mod critical_path;
mod footprint;
mod l1;
mod observer;
mod report;
mod requests;
mod turns;
mod units;

pub(crate) use critical_path::CriticalPaths;
pub(crate) use observer::Counting;
