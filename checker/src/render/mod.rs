//! A report as a person reads it, in at most 100 columns, or as JSON.

mod findings;
mod limits;
mod predicted;
mod snippet;
mod text;
mod wrap;

pub use findings::findings;
pub use predicted::predicted;
pub use text::text;
pub use wrap::{hanging, shortened, wrap};
