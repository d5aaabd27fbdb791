//! `checker watch lab2`: checks the file again whenever it is saved.
//!
//! Each check is a process of its own, so that a save or a key ends it at once. The file is read again and again rather than
//! watched by the system: that works on network folders too.

mod command;
mod file;
mod session;
mod terminal;

pub use command::Watch;
