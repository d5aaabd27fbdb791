//! `checker tune lab1`: checks and times a file once for every combination of its tunable constants, of image sizes and
//! of numbers of gray levels.
//!
//! A combination is valid if it compiles, if every case of up to 10,000 pixels is right, and if the timed image is right.
//! Larger cases are left to `checker lab1`, so that a sweep is quick.

mod command;
mod options;
mod plan;
mod plot;
mod setting;
mod sweep;
mod table;
mod values;

pub use command::Tune;
