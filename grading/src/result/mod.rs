//! From checks to grades: pure functions.

mod class;
mod graded;
mod lateness;
mod need;
mod report;
mod text;

pub use class::{Bin, Class, Common, Lab, Pair, Standing, summarise};
pub use graded::{FORMAT, File, Graded, Refused, Rules, State, Versions, grade};
pub use lateness::{Lateness, sentences};
pub use need::{Need, needs};
pub use report::{
    Case, Cost, Costs, Finding, Illustration, Label, Performance, Pictures, Points, Report, Task,
};
pub use text::{cut, points, text};
