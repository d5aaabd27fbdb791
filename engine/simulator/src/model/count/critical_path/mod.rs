//! How long the slowest warp of each block would take by itself.

mod instructions;
mod misses;
mod observer;
mod operands;
mod scoreboard;
#[cfg(test)]
mod tests;
mod totals;

pub(crate) use observer::CriticalPaths;
pub(super) use operands::operands;
