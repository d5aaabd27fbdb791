//! `workshop programs`: the corpus of small test programs in `engine/simulator/tests/programs`.
//!
//! The first lines of each give its inputs, expected outputs and expected findings; the form is described
//! in that folder's README. The same file runs on the simulator, on a GPU, and under compute-sanitizer.

mod command;
mod compile;
mod gpu;
mod judge;
mod load;
mod sanitizer;
mod simulate;
mod standalone;

pub use checker::programs::{Expected, Header};
pub use command::{Programs, side_by_side};
pub use compile::compile;
pub use judge::{Verdict, judge};
pub use load::{Program, load};
pub use simulate::{Ran, check, simulate};
