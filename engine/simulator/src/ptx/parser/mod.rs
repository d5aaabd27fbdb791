//! Tokens to a syntax tree, a file for each part of the grammar.
//!
//! No function here calls itself, so no text can exhaust the stack; all work is linear in the length of the
//! text, and what a short text could blow up (`%r<1000000000>`) draws on a budget.

mod body;
mod budget;
mod cursor;
mod directive;
mod function;
mod initializer;
mod instruction;
mod location;
mod module;
mod number;
mod operand;
mod scope;
mod types;
mod variable;

pub use module::parse;
