//! The times that the timing model is compared with.

use records::{Set, Times};

use super::numbers::distinct;
use crate::markdown::{Align, table};

/// How many times were measured, by set and lab.
pub fn table_of(times: &Times) -> String {
    let of = distinct(times.points.iter().map(|point| (point.set, point.lab.as_str())));
    let cells = of.iter().map(|(set, lab)| {
        let count = times.points.iter().filter(|point| point.set == *set && point.lab == *lab).count();
        vec![set_in_words(*set).to_owned(), (*lab).to_owned(), count.to_string()]
    });
    let columns = [("kernels", Align::Left), ("lab", Align::Left), ("times", Align::Right)];
    format!(
        "Number of measured times: every rung and every validation kernel on six pictures. The file has each time.\n\n{}",
        table(&columns, &cells.collect::<Vec<_>>())
    )
}

/// A set of kernels as tables name it.
pub fn set_in_words(set: Set) -> &'static str {
    match set {
        Set::Ladder => "ladders",
        Set::Pool => "pool",
        Set::Fresh => "fresh",
        Set::Yardstick => "yardstick",
    }
}

#[cfg(test)]
mod tests {
    use records::Point;

    use super::*;

    #[test]
    fn times_are_counted_by_set_and_lab() {
        let point = |set| Point {
            set,
            lab: "lab1".to_owned(),
            kernel: "k".to_owned(),
            task: "t".to_owned(),
            case: "c".to_owned(),
            seconds: 1.0,
            yardstick_seconds: 1.0,
            error: 0.0,
        };
        let made =
            table_of(&Times { points: vec![point(Set::Ladder), point(Set::Pool), point(Set::Ladder)] });
        assert!(made.ends_with("| ladders | lab1 | 2 |\n| pool | lab1 | 1 |\n"), "{made}");
    }
}
