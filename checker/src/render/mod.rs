//! The report as text of at most 100 columns.

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
