//! Lab 6: edges, by the Sobel filter.
//!
//! The example of a lab that is added to the workbook: the book's page "A lab of your own" goes through its files. One
//! task: [`sobel`] holds the specification, the references, the points and the hints, [`cases`] the images, `scales` the
//! scales of the score, `mistakes` the mistakes that are named, `ideas` the ideas that make a kernel faster.

#![expect(clippy::inline_always, reason = "code for wider vectors must be part of the dispatched function")]

mod answers;
pub mod cases;
mod ideas;
mod mistakes;
mod scales;
pub mod sobel;

// ANCHOR: lab
/// The lab, as the checker knows it.
pub static LAB: &dyn lab::Lab = &Lab6;

struct Lab6;

impl lab::Lab for Lab6 {
    fn name(&self) -> &'static str {
        "lab6"
    }
    fn title(&self) -> &'static str {
        "Sobel"
    }
    fn folder(&self) -> &'static str {
        "lab6-sobel"
    }
    fn file(&self) -> &'static str {
        "sobel.cu"
    }
    fn skeleton(&self) -> &'static str {
        include_str!("../sobel.cu")
    }
    fn sheet(&self) -> &'static str {
        include_str!("../README.md")
    }
    fn answers(&self) -> &'static [lab::Answer] {
        answers::ANSWERS
    }
    fn tasks(&self) -> &'static [&'static dyn lab::Task] {
        &[&sobel::Sobel]
    }
}
// ANCHOR_END: lab
