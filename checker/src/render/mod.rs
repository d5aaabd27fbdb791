//! The report as text of at most 100 columns.

mod brief;
mod cases;
mod findings;
mod predicted;
mod snippet;
mod speed;
mod verbose;

pub use brief::brief;
pub use findings::findings;
pub use predicted::predicted;
pub use verbose::verbose;
