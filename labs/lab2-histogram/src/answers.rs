//! The answers to the questions of the task sheet, in their order.

use lab::{Answer, Facts, megabytes, milliseconds, per_pixel, short};

const TASK: &str = "histogram";

/// The answers.
pub const ANSWERS: &[Answer] = &[
    |_| "1 or 2. Both may read 0 before one of them writes; an atomic makes it 2.".to_owned(),
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "On the timed scene, your `{TASK}` makes {} atomics on global memory, {} per pixel, and {} per pixel on shared memory.",
                short(f.signs.global_atomics * f.pixels),
                per_pixel(f.signs.global_atomics),
                per_pixel(f.signs.shared_atomics)
            )
        });
        format!("46,953,096, one after the other; with a histogram per block of 256 pixels, 183,411. {own}")
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            let passes = if f.signs.shared_atomics > 0.0 {
                let passes = short(f.signs.atomic_passes);
                let unit = if passes == "1" { "pass" } else { "passes" };
                format!("On the scene, an atomic of your `{TASK}` on shared memory takes {passes} {unit}.")
            } else {
                format!("Your `{TASK}` has no atomics on shared memory.")
            };
            format!("{passes} `checker tune lab2 --levels 1,256` times it on one level and on noise.")
        });
        format!(
            "One level, if threads share counters and the GPU adds one at a time: all updates meet at one address. A GPU that merges the \
             equal updates of a warp in shared memory, such as an H200, is as fast there as on noise. On global memory, one level stays \
             slower. {own}"
        )
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| match f.signs.barriers {
            barriers if barriers > 0.0 => {
                format!(
                    "The warps of your `{TASK}` pass {} barriers per 1,000 pixels.",
                    short(1000.0 / 32.0 * barriers)
                )
            }
            _ => format!("Your `{TASK}` has none."),
        });
        format!("After zeroing, before the first count; and after the last count, before adding. {own}")
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "That is {}. Your `{TASK}` takes {}, {} times what the memory needs for them at its full bandwidth, which not even the \
                 yardstick reaches.",
                megabytes(f.fewest_bytes()),
                milliseconds(f.seconds),
                short(f.seconds * f.bandwidth / f.fewest_bytes())
            )
        });
        format!("One byte per pixel, a quarter of `grayscale`: three bytes in, one out. {own}")
    },
];
