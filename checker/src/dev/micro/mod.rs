//! `checker dev micro`: what single operations cost on a GPU, for the timing model.

pub mod command;
mod measure;
mod picture;
mod probes;
