//! `checker book PAGE`: the book in the terminal, without a checkout and without the network.
//!
//! Left out on purpose: pages of tables, and pictures; the HTML in a checkout has them.

mod command;
mod find;
mod include;
mod list;
mod search;
mod sides;
mod text;

pub use command::Book;
pub use find::{command_for, on_limit, section};
pub use include::files_in;
pub use search::of_rung;
