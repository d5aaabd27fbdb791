//! The simulator as its users see it. One program: each one more takes as long to link as these tests take to run.

#[path = "coverage/main.rs"]
mod coverage;
mod execution;
mod grid_barrier;
mod initialisation;
mod module_robustness;
mod observer;
mod ptx_grammar;
mod ptx_robustness;
mod ptx_samples;
mod races;
mod rooms;
mod texture_counts;
mod unit_counts;
mod watch;
mod workers;
