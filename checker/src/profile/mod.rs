//! `checker profile lab2`: which lines of a file the predicted time is spent on, and why.
//!
//! The parts of a kernel's time come from the timing model; each is shared out among the lines by what they did of that
//! part's events. Left out: lines of headers, which count for the line that uses them if the compiler says which.

mod causes;
mod command;
mod gather;
mod html;
mod lines;
mod maps;
mod text;

pub use causes::Cause;
pub use command::Profile;
pub use gather::{Accesses, Profiled, profiled};
pub use lines::Line;
pub use text::head;
