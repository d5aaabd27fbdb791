//! Which submissions are alike: a hint for a person, never a verdict.
//!
//! A file becomes a row of tokens without comments and layout, in which all own names are one and all numbers are one. What counts
//! is the set of its [`LENGTH`] successive tokens, so that the order of functions does not. What the skeleton or a published
//! solution has too is subtracted, and so is what most of the class has: such is how one writes a lab. A class is small, so
//! that all sequences are kept instead of a sample of them.

mod pairs;
mod tokens;

pub use pairs::{Compared, Line, compare, pairs};

/// Tokens of a sequence.
pub const LENGTH: usize = 14;
/// Share of the smaller file's own tokens from which a pair is shown.
pub const SHARE: f64 = 0.5;
/// Own tokens below which a file is too short to tell.
pub const FEWEST: usize = 40;
