//! Copies between host and GPU.

use records::Link;

use super::numbers::{grouped, rounded};
use crate::markdown::{Align, table};

/// The speeds of all runs, then each copy of the last.
pub fn tables(link: &Link) -> String {
    let right = Align::Right;
    let columns = [
        ("machine", Align::Left),
        ("date", Align::Left),
        ("driver", Align::Left),
        ("page-locked", right),
        ("pageable, up", right),
        ("pageable, down", right),
        ("managed", right),
    ];
    let runs = link.runs.iter().map(|run| {
        let speeds = &run.speeds;
        let words = [&run.machine, &run.date, &run.driver].map(Clone::clone);
        let figures = [speeds.page_locked, speeds.pageable_up, speeds.pageable_down, speeds.managed];
        words.into_iter().chain(figures.map(rounded)).collect()
    });
    let runs = table(&columns, &runs.collect::<Vec<_>>());
    let columns = [
        ("host memory", Align::Left),
        ("direction", Align::Left),
        ("bytes", right),
        ("median, µs", right),
        ("best, µs", right),
        ("GB/s", right),
    ];
    let copies = link.rows.iter().map(|copy| {
        let figures = [copy.median_microseconds, copy.best_microseconds, copy.gigabytes_per_second];
        let words = [copy.host_memory.clone(), copy.direction.clone(), grouped(copy.bytes)];
        words.into_iter().chain(figures.map(rounded)).collect()
    });
    let copies = table(&columns, &copies.collect::<Vec<_>>());
    format!(
        "*Up* is to the GPU, *down* from it; a copy ends when the host knows that it is done. *Managed*: the additional \
         time of a kernel or of the host when it first touches pages that have to move. GB/s of the largest copies, a row \
         per process:\n\n{runs}\nThe copies of the last process:\n\n{copies}"
    )
}

#[cfg(test)]
mod tests {
    use records::{Copy, LinkRun, LinkSpeeds};

    use super::*;

    #[test]
    fn runs_and_copies_have_rows() {
        let speeds = LinkSpeeds { page_locked: 55.25, pageable_up: 8.0, pageable_down: 15.5, managed: 9.0 };
        let run =
            LinkRun { machine: "a1".to_owned(), driver: "580".to_owned(), date: "d".to_owned(), speeds };
        let copy = Copy {
            host_memory: "pageable".to_owned(),
            direction: "up".to_owned(),
            bytes: 65_536,
            median_microseconds: 12.345_6,
            best_microseconds: 12.0,
            gigabytes_per_second: 5.308,
        };
        let made = tables(&Link { runs: vec![run], rows: vec![copy] });
        assert!(made.contains("\n| a1 | d | 580 | 55.25 | 8 | 15.5 | 9 |\n"), "{made}");
        assert!(made.ends_with("| pageable | up | 65\u{202f}536 | 12.35 | 12 | 5.308 |\n"), "{made}");
    }
}
