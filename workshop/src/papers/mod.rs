//! `workshop reports`: the experiments of the five reports that the labs come from, repeated here, and published figures
//! beside ours, ratio by ratio. Nothing is judged: hardware, images and compilers differ, and the ratio is shown whatever it
//! is.

mod command;
mod compare;
mod lookup;
mod measure;
mod published;
mod text;

pub use command::Papers;
