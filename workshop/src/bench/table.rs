//! The table as text, in at most 100 columns.

use std::fmt::Write as _;

use records::{Bench, BenchRow, Peer, Record};

use crate::machine::heading;
use judge::wrap::{hanging, shortened};

/// Columns of a peer's name.
const NAME: usize = 56;

/// All operations, each with its pictures, and the libraries below each.
pub fn text(record: &Record<Bench>) -> String {
    let bench = &record.content;
    let mut out = format!("{}\n", heading(&record.provenance));
    let mut before = "";
    for row in &bench.rows {
        if row.operation != before {
            let _ = writeln!(out, "\n{} (to reach: {:.0} %)", row.operation, 100.0 * row.target);
            let _ = writeln!(out, "{}", hanging("  ", &format!("the yardstick: {}", row.yardstick)));
            before = &row.operation;
        }
        out += &one(row);
    }
    let versions: Vec<String> =
        bench.libraries.iter().map(|(name, version)| format!("{name} {version}")).collect();
    if !versions.is_empty() {
        let _ = writeln!(out, "\n{}", hanging("", &format!("libraries: {}", versions.join(", "))));
    }
    let _ = writeln!(out, "measured in {} s", bench.seconds);
    for missing in &bench.missing {
        let picture = missing.picture.as_ref().map(|picture| format!(" on {picture}")).unwrap_or_default();
        let _ = writeln!(
            out,
            "{}",
            hanging("", &format!("no times of {}{picture}: {}", missing.library, missing.why))
        );
    }
    out
}

fn one(row: &BenchRow) -> String {
    let mut out = format!("  {:24}", format!("{}x{} {}", row.width, row.height, row.content));
    match &row.ours {
        None => {
            let _ = writeln!(out, "no rung is right");
        }
        Some(ours) => {
            let _ = writeln!(
                out,
                "{:28} {:>9.4} ms {:>7.0} GB/s {:>6.1} % {}",
                shortened(&ours.rung, 28),
                ours.ms,
                ours.gigabytes_per_second,
                100.0 * ours.share,
                if ours.reached { "reached" } else { "" }
            );
            out.truncate(out.trim_end().len());
            out.push('\n');
        }
    }
    for rung in row.rungs.iter().filter(|rung| !rung.right) {
        let why = if rung.failure.is_empty() { "wrong outputs" } else { &rung.failure };
        let _ = writeln!(out, "{}", shortened(&format!("    WRONG {}: {why}", rung.rung), 100));
    }
    row.peers.iter().for_each(|peer| out += &beside(peer));
    out
}

fn beside(peer: &Peer) -> String {
    let name = shortened(&peer.peer, NAME);
    let Some(ms) = peer.ms else {
        let why = peer.refused.as_deref().unwrap_or("no time");
        return shortened(&format!("    {name}: {why}"), 99) + "\n";
    };
    let ratio = peer.ratio.map(|ratio| format!("{ratio:>7.2} times")).unwrap_or_default();
    let other = peer.differing.filter(|share| *share > 0.01);
    let other = other.map(|share| format!(", {:.0} % other", 100.0 * share)).unwrap_or_default();
    format!("    {name:NAME$} {ms:>9.4} ms {ratio}{other}").trim_end().to_owned() + "\n"
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use records::{Fastest, Missing, Provenance, TimedRung};

    use super::*;

    #[test]
    fn each_library_stands_below_ours_or_is_said_to_be_missing() {
        let ours = Fastest {
            rung: "08_each_byte_once_and_a_very_long_name".into(),
            ms: 0.05,
            gigabytes_per_second: 3822.4,
            yardstick_ms: 0.049,
            share: 0.98,
            share_error: Some(0.002),
            reached: true,
        };
        let peer = Peer {
            peer: "NPP nppiHistogramEven + nppiLUTPalette (table given)".into(),
            ms: Some(0.081),
            ratio: Some(1.62),
            runs: 15,
            same: true,
            refused: None,
            differing: Some(0.25),
        };
        let refused = Peer { ms: None, refused: Some("NPP status -4".into()), ..peer.clone() };
        let wrong = TimedRung { rung: "07".into(), ..TimedRung::default() };
        let row = BenchRow {
            operation: "equalize".into(),
            lab: "lab3".into(),
            task: "equalize".into(),
            width: 20_000,
            height: 20_000,
            content: "one colour".into(),
            yardstick: "two reads and a write".into(),
            target: 0.9,
            ours: Some(ours),
            rungs: vec![wrong],
            peers: vec![peer, refused],
        };
        let none = BenchRow { ours: None, ..row.clone() };
        let bench = Bench {
            seconds: 300,
            libraries: BTreeMap::from([("NPP".into(), "13.0.1".into())]),
            missing: vec![Missing { library: "CuPy".into(), picture: None, why: "No module".into() }],
            rows: vec![row, none],
        };
        let provenance = Provenance { gpu: Some("NVIDIA H200".into()), ..Provenance::default() };
        let shown = text(&Record::new(provenance, bench));
        assert!(shown.lines().all(|line| line.chars().count() <= 100), "{shown}");
        for part in [
            "\nequalize (to reach: 90 %)\n  the yardstick: two reads and a write\n",
            "20000x20000 one colour  08_each_byte_once_and_a_ver…    0.0500 ms    3822 GB/s   98.0 % reached\n",
            "0.0810 ms    1.62 times, 25 % other\n",
            "table given): NPP status -4\n",
            "WRONG 07: wrong outputs\n",
            "20000x20000 one colour  no rung is right\n",
            "libraries: NPP 13.0.1\n",
            "no times of CuPy: No module\n",
        ] {
            assert!(shown.contains(part), "no `{part}` in\n{shown}");
        }
    }
}
