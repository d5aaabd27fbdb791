//! One check per submission and engine, in processes of their own, each published once.

mod child;
mod queue;
mod store;
mod unit;

pub use child::Program;
pub use queue::{Event, Queues, Work, run};
pub use store::Store;
pub use unit::{Checked, Engine, Stored, Unit};
