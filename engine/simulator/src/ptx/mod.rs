//! PTX text to a syntax tree. Knows the grammar, not the meaning of instructions.

pub mod ast;
mod error;
mod lexer;
mod parser;

pub use error::ParseError;
pub use parser::parse;
