//! What the text of a file says: its lines without comments, its words, and expressions of whole numbers.

pub mod code;
pub mod expression;
