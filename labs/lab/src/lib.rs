//! The vocabulary of a lab: what a task computes, its test images, its tolerance and its points.
//!
//! A lab crate implements [`Lab`] and [`Task`]; the checker knows labs only through them.

#![expect(clippy::inline_always, reason = "code for wider vectors must be part of the dispatched function")]

pub mod almost;
mod answer;
mod argument;
mod case;
mod gray;
pub mod header;
mod idea;
mod image;
mod levels;
mod mistake;
mod mistakes;
mod part;
mod pattern;
mod photograph;
mod picture;
mod points;
mod random;
pub mod rules;
mod scene;
mod stage;
mod task;
mod tolerance;
pub mod vectors;

pub use answer::{Answer, Facts, NOT_YET, megabytes, milliseconds, per_pixel, several, short};
pub use argument::{Argument, Element, Memory};
pub use case::{Case, LONG_SIDES, Picture, cases_around_threshold, standard_cases};
pub use gray::{
    gray, gray_cases, gray_level, gray_pixels, gray_to_gray_arguments, gray_to_gray_arguments_of, into_gray,
};
pub use idea::{Idea, Signs, next_idea};
pub use image::{Image, ImageError};
pub use levels::{add, count_chunk, count_levels};
pub use mistake::{ALONE, Guess, Mistake, OutputShape, Parameters, Situation, partial_pictures};
pub use mistakes::{COVERAGE, GEOMETRY, SWAPPED, SWAPPED_HINT, VALUES, WORDS, swapped};
pub use part::Part;
pub use pattern::Pattern;
pub use photograph::{PHOTOGRAPHS, Photograph};
pub use points::{Level, Points, Threshold};
pub use stage::Stage;
pub use task::{FewestBytes, Lab, Task, seconds};
pub use tolerance::{Mismatch, Tolerance, Verdict};
