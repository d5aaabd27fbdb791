//! The answers to the questions of the task sheet, in their order.

use lab::{Answer, Facts, megabytes, milliseconds, short};

const TASK: &str = "grayscale";

/// The answers.
pub const ANSWERS: &[Answer] = &[
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "That is {} in all. Your kernel issues {} loads and {} stores per pixel.",
                megabytes(f.fewest_bytes()),
                short(f.signs.loads),
                short(f.signs.stores)
            )
        });
        format!("Three bytes in and one byte out per pixel. {own}")
    },
    |facts| {
        Facts::said(facts, TASK, |f| {
            format!(
                "{} at the memory's peak of {:.0} GB/s. Yours takes {}, {} times as long.",
                milliseconds(f.fewest_bytes() / f.bandwidth),
                f.bandwidth * 1e-9,
                milliseconds(f.seconds),
                short(f.seconds * f.bandwidth / f.fewest_bytes())
            )
        })
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "Yours has {:.0} threads in blocks of {:.0}, and {} pixels per thread.",
                f.threads(),
                f.signs.threads_per_block,
                short(f.signs.pixels_per_thread)
            )
        });
        format!(
            "46,953,096 / 256 rounded up is 183,411 blocks; 120 threads of the last one have no pixel. {own}"
        )
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "Your requests move {} bytes per thread, and touch {} times the sectors that would hold their bytes.",
                short(f.signs.access_bytes),
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
