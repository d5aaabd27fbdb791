//! The answers to the questions of the task sheet, in their order.

use lab::{Answer, Facts, megabytes, milliseconds};

/// The answers.
pub const ANSWERS: &[Answer] = &[|facts| {
    let own = Facts::said(facts, "negative", |f| {
        format!(
            "Your `negative` takes {}, {} of them in kernels.",
            milliseconds(f.seconds),
            milliseconds(f.kernel_seconds)
        )
    });
    format!("One byte in and one out per pixel: {}. {own}", megabytes(2.0 * 46_953_096.0))
}];
