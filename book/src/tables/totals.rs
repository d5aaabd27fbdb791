//! The GPU's counters of launches.

use records::Totals;

/// How many launches of how many files the data holds.
pub fn text(totals: &Totals) -> String {
    format!(
        "{} launches of {} files of kernels, on three pictures. The file has the counters of each launch; the timing model's counts [are \
         compared with them](timing-model.md).\n",
        totals.kernels.iter().map(|file| file.launches.len()).sum::<usize>(),
        totals.kernels.len()
    )
}

#[cfg(test)]
mod tests {
    use records::{KernelTotals, LaunchTotals, Set};

    use super::*;

    #[test]
    fn launches_are_counted() {
        let launch = LaunchTotals {
            name: "k".to_owned(),
            instructions: 1.0,
            busiest_scheduler: 1.0,
            passes: 1.0,
            l2_sectors: 1.0,
            dram_sectors: [1.0, 1.0],
            microseconds: 1.0,
        };
        let file = |launches| KernelTotals {
            set: Set::Ladder,
            lab: "lab1".to_owned(),
            kernel: "01_a".to_owned(),
            launches: vec![launch.clone(); launches],
        };
        let made = text(&Totals { cases: Vec::new(), kernels: vec![file(2), file(1)] });
        assert!(made.starts_with("3 launches of 2 files"), "{made}");
    }
}
