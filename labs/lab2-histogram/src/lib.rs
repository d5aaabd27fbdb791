//! Lab 2: the histogram of an image.
//!
//! Two tasks: [`histogram`] of a gray image, [`gray_histogram`] of a colour image, in the same pass that converts
//! it to gray. Each module holds the specification, the CPU references, the cases, the points and the hints of its
//! task.

mod answers;
pub mod gray_histogram;
pub mod histogram;
mod ideas;
mod mistakes;
mod scales;

/// The lab, as the checker knows it.
pub static LAB: &dyn lab::Lab = &Lab2;

/// Levels of an 8-bit image: the number of counters of a histogram.
pub const LEVELS: usize = 256;

struct Lab2;

impl lab::Lab for Lab2 {
    fn name(&self) -> &'static str {
        "lab2"
    }
    fn title(&self) -> &'static str {
        "Histogram"
    }
    fn folder(&self) -> &'static str {
        "lab2-histogram"
    }
    fn file(&self) -> &'static str {
        "histogram.cu"
    }
    fn skeleton(&self) -> &'static str {
        include_str!("../histogram.cu")
    }
    fn sheet(&self) -> &'static str {
        include_str!("../README.md")
    }
    fn answers(&self) -> &'static [lab::Answer] {
        answers::ANSWERS
    }
    fn tasks(&self) -> &'static [&'static dyn lab::Task] {
        &[&histogram::Histogram, &gray_histogram::GrayHistogram]
    }
}
