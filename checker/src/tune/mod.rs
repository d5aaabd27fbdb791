//! `checker tune lab1`: checks and times a file for values of its tunable constants, image sizes and numbers of gray levels.
//!
//! The constants of each task are swept by themselves: all combinations of few values, else one constant after the other, each beside
//! the best values of those before it. A combination is valid if it compiles, if every case of up to 10,000 pixels is right, and if the timed image is right.
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
