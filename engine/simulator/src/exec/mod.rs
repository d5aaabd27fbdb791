//! Executes decoded programs: lanes in columns, warps in paths, blocks in rounds, grids on all cores.

mod access;
mod atomics;
mod barriers;
mod block;
mod busy;
mod calls;
mod external;
mod fault;
mod grid;
mod groups;
mod hazards;
mod lanes;
mod laps;
mod load_store;
mod meeting;
mod observer;
mod order;
mod pending;
mod reach;
mod repeats;
mod run;
mod some;
mod surface;
mod texture;
mod together;
mod warp;

pub(crate) use block::BlockShape;
pub(crate) use calls::finish_external;
pub(crate) use external::{argument, device_call, set_result};
pub(crate) use fault::{Fault, FaultKind, Remark};
pub(crate) use grid::MOST_PRINTED;
pub use grid::instructions_of_a_start;
pub(crate) use grid::{GridOutcome, GridSpec, run_grid};
pub use grid::{Limits, Slowest};
pub(crate) use groups::run_groups;
pub(crate) use hazards::look_out;
pub(crate) use lanes::{members, shuffle_sources};
pub(crate) use observer::{Nobody, Observer, Place, Request};
pub use order::Order;
pub(crate) use pending::Pending;
pub(crate) use run::{Environment, External, Stop, run_warp};
pub(crate) use some::run_some;
pub use texture::INSTRUCTIONS_OF_A_FETCH;
pub(crate) use warp::{Dimensions, Warp};

pub(crate) use crate::isa::{AccessKind, FULL, LANES, Regs, Slot, lanes};
