//! The examples of the book: small kernels that a reader runs with `checker try NAME`. Each file in `book/examples/` holds the
//! variants of one chapter, a host function each, and says in its first lines what goes in, what must come out, and what it costs.

mod cell;
mod column;
mod command;
mod example;
mod measure;
mod run;
mod text;

pub use cell::cell;
pub use column::Column;
pub use command::Try;
pub use example::{Example, FOLDER, Variant, load, named};
pub use measure::{Measured, Span, Unit, spans};
pub use run::{Ran, Tried, Workbench};
pub use text::{list, text};
