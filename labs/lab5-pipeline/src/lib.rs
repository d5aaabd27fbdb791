//! Lab 5: a whole pipeline, from host memory to host memory.
//!
//! One task: gray, histogram, stretch and smoothing of the labs before, one after the other, on an image in host
//! memory. [`pipeline`] holds the specification, which combines the specifications of those labs, the points and the
//! hints; `scales` holds the scales of the score.

mod answers;
mod ideas;
mod mistakes;
pub mod pipeline;
mod scales;

/// The lab, as the checker knows it.
pub static LAB: &dyn lab::Lab = &Lab5;

struct Lab5;

impl lab::Lab for Lab5 {
    fn name(&self) -> &'static str {
        "lab5"
    }
    fn title(&self) -> &'static str {
        "Pipeline"
    }
    fn folder(&self) -> &'static str {
        "lab5-pipeline"
    }
    fn file(&self) -> &'static str {
        "pipeline.cu"
    }
    fn skeleton(&self) -> &'static str {
        include_str!("../pipeline.cu")
    }
    fn sheet(&self) -> &'static str {
        include_str!("../README.md")
    }
    fn answers(&self) -> &'static [lab::Answer] {
        answers::ANSWERS
    }
    fn tasks(&self) -> &'static [&'static dyn lab::Task] {
        &[&pipeline::Pipeline]
    }
}
