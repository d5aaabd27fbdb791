//! One check per submission and engine, in processes of their own, each published once.

mod batch;
mod child;
mod cluster;
mod queue;
mod store;
mod unit;

pub use batch::Batch;
pub use child::Program;
pub use cluster::{Cluster, quoted};
pub use queue::{Event, Queues, Work, run};
pub use store::Store;
pub use unit::{Checked, Engine, Stored, Unit};
