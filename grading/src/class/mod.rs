//! Who handed in what: from a folder or an archive, as a learning platform exports it, to one text per student.

mod archive;
mod choose;
mod folder;
mod gradescope;
mod layout;
mod names;
mod person;
mod read;
mod refusal;
mod roster;
mod tree;
#[cfg(test)]
mod zips;

pub use choose::Chosen;
pub use names::Namer;
pub use person::Person;
pub use read::{Class, Submitted, read, read_one};
pub use refusal::Refusal;
pub use roster::{Finder, Row, roster};
