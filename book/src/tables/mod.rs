//! Tables of the committed measurements: one module per kind of file.

pub mod attacks;
pub mod bench;
pub mod counters;
pub mod differential;
pub mod grading;
pub mod limits;
pub mod link;
pub mod matrix;
pub mod micro;
pub mod model;
pub mod numbers;
pub mod papers;
pub mod programs;
pub mod references;
pub mod scores;
pub mod seeds;
pub mod simulator_peers;
pub mod times;
pub mod totals;
pub mod validate;
