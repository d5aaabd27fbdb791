//! Lab 1: colour to gray.
//!
//! Two tasks, from the two oldest of the five reports: [`grayscale`] on interleaved pixels, and
//! [`darken`] on colour planes. Each module holds the specification, the CPU references, the cases, the
//! points and the hints of its task.

#![expect(clippy::inline_always, reason = "code for wider vectors must be part of the dispatched function")]

mod answers;
pub mod darken;
pub mod grayscale;
mod ideas;
mod mistakes;
mod scales;

/// The lab, as the checker knows it.
pub static LAB: &dyn lab::Lab = &Lab1;

struct Lab1;

impl lab::Lab for Lab1 {
    fn name(&self) -> &'static str {
        "lab1"
    }
    fn title(&self) -> &'static str {
        "Grayscale"
    }
    fn folder(&self) -> &'static str {
        "lab1-grayscale"
    }
    fn file(&self) -> &'static str {
        "grayscale.cu"
    }
    fn skeleton(&self) -> &'static str {
        include_str!("../grayscale.cu")
    }
    fn sheet(&self) -> &'static str {
        include_str!("../README.md")
    }
    fn answers(&self) -> &'static [lab::Answer] {
        answers::ANSWERS
    }
    fn tasks(&self) -> &'static [&'static dyn lab::Task] {
        &[&grayscale::Grayscale, &darken::GrayscaleDarken]
    }
}
