//! The report as text of at most 100 columns.

mod brief;
mod cases;
mod findings;
pub(crate) mod limits;
mod predicted;
mod snippet;
mod speed;
mod verbose;
mod wrap;

pub use brief::brief;
pub use findings::findings;
pub use limits::limiters;
pub use predicted::predicted;
pub use verbose::verbose;
pub use wrap::{hanging, shortened, wrap};
