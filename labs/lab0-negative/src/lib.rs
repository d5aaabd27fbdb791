//! Lab 0: negative.
//!
//! One task: [`negative`] holds the specification, the references, the cases, the points and the hints.

mod answers;
mod ideas;
mod mistakes;
pub mod negative;
mod scales;

/// The lab, as the checker knows it.
pub static LAB: &dyn lab::Lab = &Lab0;

struct Lab0;

impl lab::Lab for Lab0 {
    fn name(&self) -> &'static str {
        "lab0"
    }
    fn title(&self) -> &'static str {
        "Negative"
    }
    fn folder(&self) -> &'static str {
        "lab0-negative"
    }
    fn file(&self) -> &'static str {
        "negative.cu"
    }
    fn skeleton(&self) -> &'static str {
        include_str!("../negative.cu")
    }
    fn sheet(&self) -> &'static str {
        include_str!("../README.md")
    }
    fn answers(&self) -> &'static [lab::Answer] {
        answers::ANSWERS
    }
    fn tasks(&self) -> &'static [&'static dyn lab::Task] {
        &[&negative::Negative]
    }
}
