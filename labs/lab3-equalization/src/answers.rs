//! The answers to the questions of the task sheet, in their order.

use lab::{Answer, Facts, megabytes, milliseconds, short};

const TASK: &str = "equalize";

/// The answers.
pub const ANSWERS: &[Answer] = &[
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "Your `{TASK}` takes {}; two readings and the writing of all pixels would take {} of memory time.",
                milliseconds(f.seconds),
                milliseconds(3.0 * f.pixels / f.bandwidth)
            )
        });
        format!(
            "Twice: the table depends on all pixels, and the second kernel reads them again. {} to read, and {} to write. A single kernel that \
             keeps part of the picture on the chip between the passes reads less. {own}",
            megabytes(2.0 * 46_953_096.0),
            megabytes(46_953_096.0)
        )
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "Copies to the host per call of your `{TASK}`: {}{}.",
                short(f.signs.downloads),
                // Less than a microsecond is rounding.
                if f.link_seconds < 1e-6 {
                    String::new()
                } else {
                    format!("; all copies take {}", milliseconds(f.link_seconds))
                }
            )
        });
        format!(
            "The wait: 1 KiB takes tens of nanoseconds on the link, and starting a copy takes microseconds. {own}"
        )
    },
    |_| {
        "Nothing, or next to nothing: the CDF is a straight line already, so each level is mapped to itself, give or take \
         rounding.".to_owned()
    },
    |_| {
        "All threads must have read the old values before anyone writes, and all must have written before anyone reads in the \
         next step. With one of the two barriers missing, a thread adds a number that is one step too new or too old.".to_owned()
    },
    |facts| {
        let own = Facts::said(facts, TASK, |f| {
            format!(
                "Your `{TASK}` makes {} loads and stores of shared memory per pixel (and {} atomics there), {} loads from global memory, and gets {} words from constant memory.",
                short(f.signs.shared_accesses),
                short(f.signs.shared_atomics),
                short(f.signs.loads),
                short(f.signs.constant_words)
            )
        });
        format!(
            "Shared memory: 32 banks serve 32 addresses at once, and only words in one bank wait. Constant memory serves one \
                 address at a time. {own}"
        )
    },
];
