//! Small programs that say in their first lines what goes in and what must come out: the examples of the book, and the
//! test programs of `workshop programs`.

mod formula;
mod header;
mod outputs;

pub use formula::Inputs;
pub use header::{Buffer, Element, Expected, Header, Parameter, TOOLS, Which, entries, parameter, signature};
pub use outputs::outputs;
