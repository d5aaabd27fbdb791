//! `workshop differential`: random kernels on the simulator and on a GPU, all output bytes compared.
//!
//! A kernel follows from the seed and its index ([`kernel`]); [`families`] lists the features that kernels exercise. They are
//! compiled forty at a time, by child processes of the same binary ([`serve`]), so that a compiler with a lock,
//! a broken GPU context or a kernel that hangs costs one child and not the run ([`pool`]).
//! Without a GPU, the simulator on one thread is compared with the simulator on several.
//!
//! Left out on purpose: approximate functions, whose bits are not defined, and anything that needs more than
//! one launch.

pub mod engine;
pub mod families;
pub mod kernel;
pub mod operations;
pub mod outcome;
pub mod pool;
mod random;
mod report;
mod run;
pub mod serve;
mod statements;
mod types;
mod writer;

pub use run::Differential;
