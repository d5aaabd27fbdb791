//! Who handed in what: from a folder or an archive, as a learning platform exports it, to one text per student.

mod archive;
mod arrival;
mod choose;
mod folder;
mod gradescope;
mod layout;
mod moment;
mod names;
mod person;
mod read;
mod refusal;
mod roster;
mod tree;
#[cfg(test)]
mod zips;

pub use arrival::Arrival;
pub use choose::Chosen;
pub use moment::Moment;
pub use names::Namer;
pub use person::Person;
pub use read::{Class, Submitted, read, read_one};
pub use refusal::Refusal;
pub use roster::{Finder, ROSTER, Row, roster};
