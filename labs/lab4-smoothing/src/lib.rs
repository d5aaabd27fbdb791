//! Lab 4: smoothing, and arbitrary 5×5 filters.
//!
//! Three tasks, from three of the five reports: [`smooth_box`] and [`smooth_triangular`], two weighted means of
//! a gray image, and [`filter_rgb`], any integer filter on a colour image. Each module holds the
//! specification, the points and the hints of its task; [`mean`] holds the references of the two means, [`correlation`]
//! the references of the filter, [`filters`] its test filters, [`cases`] the images.

#![expect(clippy::inline_always, reason = "code for wider vectors must be part of the dispatched function")]

mod answers;
pub mod cases;
pub mod correlation;
pub mod filter_rgb;
pub mod filters;
mod ideas;
pub mod mean;
mod mistakes;
mod scales;
pub mod smooth_box;
pub mod smooth_triangular;
mod smoothing;

/// The lab, as the checker knows it.
pub static LAB: &dyn lab::Lab = &Lab4;

struct Lab4;

impl lab::Lab for Lab4 {
    fn name(&self) -> &'static str {
        "lab4"
    }
    fn title(&self) -> &'static str {
        "Smoothing"
    }
    fn folder(&self) -> &'static str {
        "lab4-smoothing"
    }
    fn file(&self) -> &'static str {
        "smoothing.cu"
    }
    fn skeleton(&self) -> &'static str {
        include_str!("../smoothing.cu")
    }
    fn sheet(&self) -> &'static str {
        include_str!("../README.md")
    }
    fn answers(&self) -> &'static [lab::Answer] {
        answers::ANSWERS
    }
    fn tasks(&self) -> &'static [&'static dyn lab::Task] {
        &[&smooth_box::SMOOTH_BOX, &smooth_triangular::SMOOTH_TRIANGULAR, &filter_rgb::FilterRgb]
    }
}
