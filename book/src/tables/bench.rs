//! The fastest rungs beside other libraries on the same GPU.

use std::fmt::Write as _;

use records::{Bench, BenchRow, Peer};

use super::numbers::{dash, distinct, or_dash};
use crate::markdown::{Align, capital, prose, table};

/// The size that the short table is about, if it was measured: 47 megapixels, larger than any cache.
const HEADLINE: (usize, usize) = (8784, 5352);

/// Of a library's outputs, this share may differ from the labs' before the table says so.
const OTHER: f64 = 0.01;

/// A table for each operation.
pub fn tables(bench: &Bench) -> String {
    let mut out = String::from(
        "*Share*: the time of the yardstick (a kernel that only moves the bytes named) ÷ ours; both run in turn, each from \
         an empty L2. *GB/s* count each input once and each output once. In parentheses: a library's time ÷ ours. \
         *Other*: the part of its results that differs from the lab's by more than one level, because its borders, \
         weights or rounding differ; compared on pictures up to ten megapixels. Times of Python libraries include the \
         overhead of Python; OpenCV runs on the CPU.\n\n",
    );
    let versions: Vec<String> =
        bench.libraries.iter().map(|(name, version)| format!("{name} {version}")).collect();
    if !versions.is_empty() {
        let _ = writeln!(out, "Libraries: {}.\n", prose(&versions.join(", ")));
    }
    out += &missing(bench);
    for operation in distinct(bench.rows.iter().map(|row| &row.operation)) {
        let rows: Vec<&BenchRow> = bench.rows.iter().filter(|row| row.operation == *operation).collect();
        out += &one(operation, &rows);
    }
    out
}

/// A line for each library that has no times.
fn missing(bench: &Bench) -> String {
    let mut out = String::new();
    for missing in &bench.missing {
        let picture = missing.picture.as_ref().map(|on| format!(" on \"{}\"", prose(on)));
        let picture = picture.unwrap_or_default();
        let _ =
            writeln!(out, "No times of **{}**{picture}: {}.\n", prose(&missing.library), prose(&missing.why));
    }
    out
}

fn one(operation: &str, rows: &[&BenchRow]) -> String {
    let peers = distinct(rows.iter().flat_map(|row| &row.peers).map(|peer| peer.peer.as_str()));
    let right = Align::Right;
    let mut columns = vec![
        ("pixels", Align::Left),
        ("picture", Align::Left),
        ("our fastest", Align::Left),
        ("ms", right),
        ("GB/s", right),
        ("share", right),
    ];
    columns.extend(peers.iter().map(|peer| (*peer, right)));
    let cells = rows.iter().map(|row| {
        let mut cells = vec![format!("{}\u{a0}×\u{a0}{}", row.width, row.height), prose(&row.content)];
        cells.extend(ours(row));
        cells.extend(
            peers
                .iter()
                .map(|name| row.peers.iter().find(|peer| peer.peer == *name).map_or_else(dash, beside)),
        );
        cells
    });
    let first = rows[0];
    format!(
        "### {}\n\nTarget: {:.0} % of the yardstick's speed ({}).\n\n{}\n",
        capital(&prose(operation)),
        100.0 * first.target,
        prose(&first.yardstick),
        table(&columns, &cells.collect::<Vec<_>>())
    )
}

/// Rung, milliseconds, GB/s, share.
fn ours(row: &BenchRow) -> [String; 4] {
    let Some(ours) = &row.ours else { return [prose("no rung is right"), dash(), dash(), dash()] };
    let mark = if ours.reached { " ✓" } else { "" };
    [
        format!("`{}`", ours.rung),
        format!("{:.4}", ours.ms),
        format!("{:.0}", ours.gigabytes_per_second),
        format!("{:.1} %{mark}", 100.0 * ours.share),
    ]
}

fn beside(peer: &Peer) -> String {
    let Some(ms) = peer.ms else {
        return prose(peer.refused.as_deref().unwrap_or("no time"));
    };
    let ratio = peer.ratio.map(|ratio| format!(" ({ratio:.2})")).unwrap_or_default();
    let other = peer.differing.filter(|share| *share > OTHER);
    let other = other.map(|share| format!(", {:.0} % other", 100.0 * share)).unwrap_or_default();
    format!("{ms:.4}{ratio}{other}")
}

/// A row per operation and picture at one size: our fastest rung and the fastest library. `None` without rows.
pub fn headline(bench: &Bench) -> Option<String> {
    let size = |row: &BenchRow| (row.width, row.height);
    let largest = bench.rows.iter().map(size).max_by_key(|(width, height)| width * height)?;
    let wanted = if bench.rows.iter().any(|row| size(row) == HEADLINE) { HEADLINE } else { largest };
    let right = Align::Right;
    let columns = [
        ("operation", Align::Left),
        ("our fastest", Align::Left),
        ("ms", right),
        ("share", right),
        ("target", right),
        ("fastest other library", Align::Left),
        ("ms", right),
        ("time ÷ ours", right),
    ];
    let cells = bench.rows.iter().filter(|row| size(row) == wanted).map(|row| {
        let [rung, ms, _, share] = ours(row);
        let target = format!("{:.0} %", 100.0 * row.target);
        let operation = format!("{}, {}", prose(&row.operation), prose(&row.content));
        [vec![operation, rung, ms, share, target], fastest(row).to_vec()].concat()
    });
    let cells: Vec<Vec<String>> = cells.collect();
    Some(format!("{} × {} pixels:\n\n{}\n{}", wanted.0, wanted.1, table(&columns, &cells), missing(bench)))
}

/// The fastest library that computes the same: its name, milliseconds, ratio to ours.
fn fastest(row: &BenchRow) -> [String; 3] {
    let timed = row.peers.iter().filter(|peer| peer.same).filter_map(|peer| Some((peer, peer.ms?)));
    match timed.min_by(|(_, one), (_, other)| one.total_cmp(other)) {
        None => ["none on this machine".to_owned(), dash(), dash()],
        Some((peer, ms)) => [prose(&peer.peer), format!("{ms:.4}"), or_dash(peer.ratio, 2)],
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use records::{Fastest, Missing};

    use super::*;

    fn peer(name: &str, ms: f64, ratio: f64, differing: f64) -> Peer {
        Peer {
            peer: name.to_owned(),
            ms: Some(ms),
            ratio: Some(ratio),
            runs: 15,
            same: true,
            refused: None,
            differing: Some(differing),
        }
    }

    fn bench() -> Bench {
        let row = |width, ours, peers| BenchRow {
            operation: "histogram".to_owned(),
            lab: "lab2".to_owned(),
            task: "histogram".to_owned(),
            width,
            height: 512,
            content: "noise".to_owned(),
            yardstick: "x".to_owned(),
            target: 0.85,
            ours,
            rungs: Vec::new(),
            peers,
        };
        let ours = Fastest {
            rung: "14_a".to_owned(),
            ms: 0.0125,
            gigabytes_per_second: 3760.4,
            yardstick_ms: 0.011,
            share: 0.88,
            share_error: None,
            reached: true,
        };
        let similar = Peer { same: false, ..peer("NPP like it", 0.01, 0.8, 0.0) };
        let peers = vec![peer("CUB h", 0.025, 2.0, 0.5), peer("NPP h", 0.05, 4.0, 0.0), similar];
        let refused =
            Peer { ms: None, refused: Some("NPP status -4".to_owned()), ..peer("NPP h", 0.0, 0.0, 0.0) };
        Bench {
            seconds: 1,
            libraries: BTreeMap::from([("CUB".to_owned(), "3.0".to_owned())]),
            missing: vec![Missing { library: "CuPy".to_owned(), picture: None, why: "no numpy".to_owned() }],
            rows: vec![row(1024, Some(ours), peers), row(512, None, vec![refused])],
        }
    }

    #[test]
    fn each_library_has_a_column_and_a_missing_one_its_name() {
        let made = tables(&bench());
        let line = "| 1024\u{a0}×\u{a0}512 | noise | `14_a` | 0.0125 | 3760 | 88.0 % ✓ | 0.0250 (2.00), 50 % other | \
                    0.0500 (4.00) | 0.0100 (0.80) |\n";
        assert!(made.contains(line), "{made}");
        let line = "| 512\u{a0}×\u{a0}512 | noise | no rung is right | – | – | – | – | NPP status -4 | – |\n";
        assert!(made.contains(line), "{made}");
        assert!(made.contains("Libraries: CUB 3.0.\n") && made.contains("No times of **CuPy**: no numpy.\n"));
    }

    #[test]
    fn the_headline_is_the_largest_size_and_the_fastest_library() {
        let made = headline(&bench()).expect("a headline");
        assert!(made.starts_with("1024 × 512 pixels:\n"), "{made}");
        let line = "| histogram, noise | `14_a` | 0.0125 | 88.0 % ✓ | 85 % | CUB h | 0.0250 | 2.00 |\n";
        assert!(made.contains(line) && made.matches("\n| ").count() == 3, "{made}");
        assert!(made.ends_with("\nNo times of **CuPy**: no numpy.\n\n"), "{made}");
    }
}
