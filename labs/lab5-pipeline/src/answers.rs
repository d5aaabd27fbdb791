//! The answers to the questions of the task sheet, in their order.

use lab::{Answer, Facts, megabytes, milliseconds, short};

const TASK: &str = "pipeline";

/// The answers.
pub const ANSWERS: &[Answer] = &[
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "Your `{TASK}` moves {} over the link, {} of it from or to pageable memory, in {}.",
                megabytes(f.signs.link_bytes * f.pixels),
                megabytes(f.signs.pageable_bytes * f.pixels),
                milliseconds(f.link_seconds)
            )
        });
        format!(
            "{} up and {} down: 3.41 ms at 55 GB/s, 18.8 ms at 10 GB/s. {own}",
            megabytes(3.0 * 46_953_096.0),
            megabytes(46_953_096.0)
        )
    },
    |facts| {
        Facts::said(facts, TASK, |f| {
            format!(
                "Your `{TASK}`: kernels take {} of {}, {} %; copies run for {} % of the time.",
                milliseconds(f.kernel_seconds),
                milliseconds(f.seconds),
                short(100.0 * f.kernel_seconds / f.seconds),
                short(100.0 * f.signs.link_share)
            )
        })
    },
    |_| {
        "The table of the stretch: it needs the counts of all pixels. Everything before it (uploads, gray, counting) and everything \
         after it (stretching, smoothing, downloads) can overlap only among themselves.".to_owned()
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "Your `{TASK}` uses {} streams and {} kernel launches.",
                short(f.signs.streams),
                short(f.signs.launches)
            )
        });
        format!(
            "After its own copy, and after the kernel of the first part, which is in the same stream: while the fourth part is \
                 copied. {own}"
        )
    },
    |_| {
        "The last two rows of the band before it and the first two of the band after it: smooth only when both have been stretched.".to_owned()
    },
];
