//! Mistakes that only this task can have, each with the outputs of a kernel that makes it. General ones (shifted, swapped,
//! the last block forgotten, …) need no entry here.

use lab::{ALONE, Mistake, gray};

/// All of them.
pub const MISTAKES: &[Mistake] = &[Mistake {
    name: "minus_from_256",
    parameters: ALONE,
    message: |_| "every level is taken from 256, not from 255".to_owned(),
    hint: "0 becomes 255, and 255 becomes 0",
    outputs: |s| Some(vec![gray(s.image).into_iter().map(|level| 0_u8.wrapping_sub(level)).collect()].into()),
}];
