//! `workshop micro`: what single operations cost on a GPU, for the timing model.

mod command;
mod measure;
mod picture;
mod probes;

pub use command::Micro;
