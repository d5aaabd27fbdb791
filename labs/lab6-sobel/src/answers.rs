//! The answers to the questions of the task sheet, in their order.

use lab::{Answer, Facts, megabytes, short};

const TASK: &str = "sobel";

/// The answers.
pub const ANSWERS: &[Answer] = &[
    |_| format!("One byte in and one out per pixel: {}.", megabytes(2.0 * 46_953_096.0)),
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!("Your `{TASK}` issues {} loads per pixel.", short(f.signs.loads))
        });
        format!(
            "All but those at the edge of the block: a pixel inside is a neighbour of eight others, so it is loaded eight times, and \
             comes from the cache seven times. {own}"
        )
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!("Your `{TASK}`: {} accesses to shared memory per pixel.", short(f.signs.shared_accesses))
        });
        format!("34 × 10 = 340 bytes for 256 pixels: 1.33 loads per pixel, if each loads one byte. {own}")
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!("Your `{TASK}` loads or stores {} bytes at a time.", short(f.signs.access_bytes))
        });
        format!(
            "Three, because each row is used for three results but loaded once. Four columns need six bytes of a row: 1.5 bytes per \
             pixel, in two or three words. {own}"
        )
    },
    |_| {
        "In every fourth: 8773 = 4 · 2193 + 1, so each row begins one byte further in its word than the row before.".to_owned()
    },
];
