//! The answers to the questions of the task sheet, in their order.

use lab::{Answer, Facts, megabytes, milliseconds, several, short};

const TASK: &str = "grayscale";

/// The answers.
pub const ANSWERS: &[Answer] = &[
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "That is {} in all. Your `{TASK}` issues {} and {} per pixel.",
                megabytes(f.fewest_bytes()),
                several(f.signs.loads, "load"),
                several(f.signs.stores, "store")
            )
        });
        format!("Three bytes in and one byte out per pixel. {own}")
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "{} at the memory's peak of {:.0} GB/s. Your `{TASK}` takes {}, {} times as long.",
                milliseconds(f.fewest_bytes() / f.bandwidth),
                f.bandwidth * 1e-9,
                milliseconds(f.seconds),
                short(f.seconds * f.bandwidth / f.fewest_bytes())
            )
        });
        format!("The bytes of question 1, divided by the bandwidth. {own}")
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "Your `{TASK}` has {} threads in blocks of {}, and {} per thread.",
                short(f.threads()),
                short(f.signs.threads_per_block),
                several(f.signs.pixels_per_thread, "pixel")
            )
        });
        format!(
            "46,953,096 / 256 rounded up is 183,411 blocks; 120 threads of the last one have no pixel. {own}"
        )
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "The requests of your `{TASK}` move {} per thread, and touch {} times the sectors that would hold their bytes.",
                several(f.signs.access_bytes, "byte"),
                short(f.signs.scattered)
            )
        });
        format!("32 of 128 bytes; and only one of its four sectors of 32 bytes is fetched. {own}")
    },
    |facts| {
        let time = |task: &str| {
            Facts::said(facts, task, |f| {
                format!(
                    "`{}`: {}, {} times the sectors needed.",
                    f.task,
                    milliseconds(f.seconds),
                    short(f.signs.scattered)
                )
            })
        };
        format!(
            "With one pixel per thread about as fast: the planar loads are side by side, and the interleaved ones \
                 come from the cache. {} {}",
            time(TASK),
            time("grayscale_darken")
        )
    },
];
