//! The answers to the questions of the task sheet, in their order.

use lab::{Answer, Facts, megabytes, short};

const TASK: &str = "smooth_box";

/// The answers.
pub const ANSWERS: &[Answer] = &[
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "Your `{TASK}` issues {} loads per pixel; bytes per access: {}.",
                short(f.signs.loads),
                short(f.signs.access_bytes)
            )
        });
        format!(
            "One byte in and one out per pixel: {}. With 25 loads it asks for {} and mostly gets them from the cache. {own}",
            megabytes(2.0 * 46_953_096.0),
            megabytes(25.0 * 46_953_096.0)
        )
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "Your `{TASK}`: {} loads from global memory per pixel, and {} accesses to shared memory.",
                short(f.signs.loads),
                short(f.signs.shared_accesses)
            )
        });
        format!("36 × 12 = 432 bytes for 256 pixels: 1.69 loads per pixel, if each loads one byte. {own}")
    },
    |_| {
        "260 × 5 = 1,300 bytes for 256 pixels: 5.08 loads per pixel. The block of 32 × 8 loads a third of that.".to_owned()
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!("Your `{TASK}` executes {} instructions per pixel in all.", short(f.signs.instructions))
        });
        format!(
            "Eight: four for a column of five, and four for five such sums. A sum that slides needs fewer still. {own}"
        )
    },
    |_| {
        "25 × 255 = 6,375 needs 13 bits, so two such sums fit in a 32-bit register: one addition adds both."
            .to_owned()
    },
];
