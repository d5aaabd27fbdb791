//! Lab 3: more contrast.
//!
//! Both tasks compute a histogram, derive a table of 256 levels from it, and look up every pixel in the table:
//! [`stretch`] stretches the levels that matter over the whole range, [`equalize`] equalizes the histogram. Each module
//! holds the specification, the table, the points and the hints of its task; [`mapping`] holds the shared steps.

mod answers;
pub mod equalize;
mod ideas;
pub mod mapping;
mod mistakes;
mod scales;
pub mod stretch;

/// The lab, as the checker knows it.
pub static LAB: &dyn lab::Lab = &Lab3;

struct Lab3;

impl lab::Lab for Lab3 {
    fn name(&self) -> &'static str {
        "lab3"
    }
    fn title(&self) -> &'static str {
        "Equalization"
    }
    fn folder(&self) -> &'static str {
        "lab3-equalization"
    }
    fn file(&self) -> &'static str {
        "equalization.cu"
    }
    fn skeleton(&self) -> &'static str {
        include_str!("../equalization.cu")
    }
    fn sheet(&self) -> &'static str {
        include_str!("../README.md")
    }
    fn answers(&self) -> &'static [lab::Answer] {
        answers::ANSWERS
    }
    fn tasks(&self) -> &'static [&'static dyn lab::Task] {
        &[&stretch::ContrastStretch, &equalize::Equalize]
    }
}
