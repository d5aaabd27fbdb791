//! The simulator beside other simulators.

use records::SimulatorPeers;

use super::numbers::{dash, grouped, rounded};
use crate::markdown::{Align, table};

/// The columns of the short table: names in the file, and headings.
const SHORT: [(&str, &str); 5] = [
    ("ours, unchecked", "ours, unchecked"),
    ("ours, analyses", "ours, initialisation and races"),
    ("Oclgrind", "Oclgrind, unchecked"),
    ("Oclgrind, --data-races --uninitialized", "Oclgrind, with checks"),
    ("PoCL", "PoCL, native code"),
];

/// A row per kernel: without checks, and with the checks that the other simulator has too.
pub fn short(peers: &SimulatorPeers) -> String {
    format!(
        "Pixels per second of the same kernels on {} cores, load {}:\n\n{}",
        peers.cores,
        peers.load_average_at_the_end,
        rates(peers, &SHORT)
    )
}

/// The same with every level of checks.
pub fn whole(peers: &SimulatorPeers) -> String {
    let names = peers.rows.first().into_iter().flat_map(|row| row.pixels_per_second.keys());
    let columns: Vec<(&str, &str)> = names.map(|name| (name.as_str(), name.as_str())).collect();
    format!(
        "Pixels per second of the same kernels on {} cores, load {}; Oclgrind {}, PoCL {}:\n\n{}",
        peers.cores,
        peers.load_average_at_the_end,
        peers.oclgrind,
        peers.pocl,
        rates(peers, &columns)
    )
}

fn rates(peers: &SimulatorPeers, shown: &[(&str, &str)]) -> String {
    let mut columns = vec![("kernel", Align::Left)];
    columns.extend(shown.iter().map(|(_, title)| (*title, Align::Right)));
    columns.push(("ours to Oclgrind, both with checks", Align::Right));
    let cells = peers.rows.iter().map(|row| {
        let rate = |name: &str| row.pixels_per_second.get(name).map_or_else(dash, |rate| grouped(*rate));
        let mut cells = vec![row.kernel.clone()];
        cells.extend(shown.iter().map(|(name, _)| rate(name)));
        cells.push(rounded(row.ratio));
        cells
    });
    table(&columns, &cells.collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use records::SimulatorPeersRow;

    use super::*;

    #[test]
    fn simulators_stand_side_by_side() {
        let rates = [("ours, unchecked", 9_453_529), ("ours, all", 7), ("Oclgrind", 82_450)];
        let row = SimulatorPeersRow {
            kernel: "gray".to_owned(),
            pixels_per_second: BTreeMap::from(rates.map(|(name, rate)| (name.to_owned(), rate))),
            ratio: 291.24,
        };
        let peers = SimulatorPeers {
            cores: 2,
            load_average_at_the_end: 1.5,
            oclgrind: "21.10".to_owned(),
            pocl: "3.1".to_owned(),
            rows: vec![row],
        };
        let made = short(&peers);
        assert!(made.contains(" of the same kernels on 2 cores, load 1.5:\n"), "{made}");
        let line = "| gray | 9\u{202f}453\u{202f}529 | – | 82\u{202f}450 | – | – | 291.2 |\n";
        assert!(made.ends_with(line), "{made}");
        let made = whole(&peers);
        assert!(made.ends_with("| gray | 82\u{202f}450 | 7 | 9\u{202f}453\u{202f}529 | 291.2 |\n"), "{made}");
    }
}
