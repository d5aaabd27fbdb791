//! Executes decoded programs: lanes in columns, warps in paths, blocks in rounds, grids on all cores.

mod access;
mod atomics;
mod barriers;
mod block;
mod calls;
mod fault;
mod grid;
mod lanes;
mod laps;
mod load_store;
mod meeting;
mod reach;
mod regs;
mod run;
mod surface;
mod texture;
mod together;
mod warp;

pub(crate) use atomics::apply_atomic;
pub(crate) use block::BlockShape;
pub(crate) use calls::finish_external;
pub(crate) use fault::{AccessKind, Fault, FaultKind, Remark};
pub(crate) use grid::{GridSpec, run_grid};
pub(crate) use lanes::{member_mask, shuffle_sources};
pub(crate) use regs::{BIT, FULL, LANES, Lane, Regs, Slot, lanes};
pub(crate) use run::{Environment, External, Stop, run_warp};
pub(crate) use warp::{Dimensions, Warp};
