//! Executes decoded programs: lanes in columns, warps in paths, blocks in rounds, grids on all cores.

mod access;
mod atomics;
mod block;
mod fault;
mod grid;
mod lanes;
mod regs;
mod run;
mod warp;

pub(crate) use atomics::apply_atomic;
pub(crate) use block::BlockShape;
pub(crate) use fault::{AccessKind, Fault, FaultKind, Remark};
pub(crate) use grid::{GridSpec, run_grid};
pub(crate) use regs::{BIT, FULL, LANES, Lane, Regs, Slot};
pub(crate) use run::{Environment, External, Stop, finish_external, run_warp};
pub(crate) use warp::{Dimensions, Warp};
