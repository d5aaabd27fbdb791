//! What `workshop bench` writes: the fastest rungs beside other libraries on the same GPU.

use std::fmt::Write as _;

use serde_json::Value;

use super::number;
use crate::markdown::{Align, capital, prose, table};

/// The size that the short table is about, if it was measured: 47 megapixels, larger than any cache.
const HEADLINE: (u64, u64) = (8784, 5352);

/// Of a library's outputs, this share may differ from the labs' before the table says so.
const OTHER: f64 = 0.01;

/// The rows, if this is such a file.
fn rows(value: &Value) -> Option<&Vec<Value>> {
    let rows = value["rows"].as_array()?;
    rows.first().filter(|row| row["operation"].is_string() && row["peers"].is_array())?;
    Some(rows)
}

/// A table for each operation; `None` if the file holds none.
pub fn tables(value: &Value) -> Option<String> {
    let rows = rows(value)?;
    let mut operations: Vec<&str> = Vec::new();
    for row in rows {
        let operation = row["operation"].as_str().unwrap_or_default();
        if !operations.contains(&operation) {
            operations.push(operation);
        }
    }
    let mut out = String::from(
        "*Share*: the time of the yardstick, which moves the bytes named, divided by ours; both in turn, each from \
         an empty L2. *GB/s* count each input once and each output once. Behind a library's milliseconds stands \
         how many times ours they are. *Other*: the part of its results that is more than a level from the lab's, \
         because its borders, weights or rounding are other ones; compared on pictures up to ten megapixels. Calls of \
         Python include what Python takes to issue them; OpenCV's run on the CPU.\n\n",
    );
    let libraries = value["libraries"].as_object();
    let versions = libraries.into_iter().flatten();
    let versions: Vec<String> =
        versions.map(|(name, version)| format!("{name} {}", version.as_str().unwrap_or_default())).collect();
    if !versions.is_empty() {
        let _ = writeln!(out, "Libraries: {}.\n", prose(&versions.join(", ")));
    }
    out += &missing(value);
    for operation in operations {
        let rows: Vec<&Value> = rows.iter().filter(|row| row["operation"] == operation).collect();
        out += &one(operation, &rows);
    }
    Some(out)
}

/// A line for each library that has no times.
fn missing(value: &Value) -> String {
    let mut out = String::new();
    for missing in value["missing"].as_array().into_iter().flatten() {
        let text = |key: &str| prose(missing[key].as_str().unwrap_or_default());
        let picture = missing["picture"].as_str().map(|on| format!(" on \"{}\"", prose(on)));
        let picture = picture.unwrap_or_default();
        let _ = writeln!(out, "No times of **{}**{picture}: {}.\n", text("library"), text("why"));
    }
    out
}

fn one(operation: &str, rows: &[&Value]) -> String {
    let mut peers: Vec<&str> = Vec::new();
    for peer in rows.iter().flat_map(|row| row["peers"].as_array().into_iter().flatten()) {
        let name = peer["peer"].as_str().unwrap_or_default();
        if !peers.contains(&name) {
            peers.push(name);
        }
    }
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
    let cells: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let mut cells = vec![
                format!("{}\u{a0}×\u{a0}{}", row["width"], row["height"]),
                prose(row["content"].as_str().unwrap_or_default()),
            ];
            cells.extend(ours(row));
            cells.extend(peers.iter().map(|name| {
                let all = row["peers"].as_array().into_iter().flatten();
                all.into_iter().find(|peer| peer["peer"] == *name).map_or_else(dash, beside)
            }));
            cells
        })
        .collect();
    let first = rows[0];
    format!(
        "### {}\n\nTo reach: {:.0} % of the yardstick ({}).\n\n{}\n",
        capital(&prose(operation)),
        100.0 * number(&first["target"]),
        prose(first["yardstick"].as_str().unwrap_or_default()),
        table(&columns, &cells)
    )
}

fn dash() -> String {
    "–".to_owned()
}

/// Rung, milliseconds, GB/s, share.
fn ours(row: &Value) -> [String; 4] {
    let ours = &row["ours"];
    if ours.is_null() {
        return [prose("no rung is right"), dash(), dash(), dash()];
    }
    let mark = if ours["reached"] == true { " ✓" } else { "" };
    [
        format!("`{}`", ours["rung"].as_str().unwrap_or_default()),
        format!("{:.4}", number(&ours["ms"])),
        format!("{:.0}", number(&ours["gigabytes_per_second"])),
        format!("{:.1} %{mark}", 100.0 * number(&ours["share"])),
    ]
}

fn beside(peer: &Value) -> String {
    let Some(ms) = peer["ms"].as_f64() else {
        return prose(peer["refused"].as_str().unwrap_or("no time"));
    };
    let ratio = peer["ratio"].as_f64().map(|ratio| format!(" ({ratio:.2})")).unwrap_or_default();
    let other = peer["differing"].as_f64().filter(|share| *share > OTHER);
    let other = other.map(|share| format!(", {:.0} % other", 100.0 * share)).unwrap_or_default();
    format!("{ms:.4}{ratio}{other}")
}

/// One line an operation and picture, at one size: ours and the fastest library. `None` if the file holds none.
pub fn headline(value: &Value) -> Option<String> {
    let rows = rows(value)?;
    let size = |row: &Value| (row["width"].as_u64().unwrap_or(0), row["height"].as_u64().unwrap_or(0));
    let largest = rows.iter().map(size).max_by_key(|(width, height)| width * height)?;
    let wanted = if rows.iter().any(|row| size(row) == HEADLINE) { HEADLINE } else { largest };
    let right = Align::Right;
    let columns = [
        ("operation", Align::Left),
        ("our fastest", Align::Left),
        ("ms", right),
        ("share", right),
        ("to reach", right),
        ("fastest other library", Align::Left),
        ("ms", right),
        ("times ours", right),
    ];
    let cells: Vec<Vec<String>> = rows
        .iter()
        .filter(|row| size(row) == wanted)
        .map(|row| {
            let text = |key: &str| prose(row[key].as_str().unwrap_or_default());
            let [rung, ms, _, share] = ours(row);
            let peers = row["peers"].as_array().into_iter().flatten();
            // What only does something like it is no rival.
            let timed = peers.filter(|peer| peer["same"] != false);
            let timed = timed.filter_map(|peer| Some((peer, peer["ms"].as_f64()?)));
            let fastest = timed.min_by(|(_, one), (_, other)| one.total_cmp(other));
            let fastest = fastest.map_or_else(
                || ["none on this machine".to_owned(), dash(), dash()],
                |(peer, ms)| {
                    [
                        prose(peer["peer"].as_str().unwrap_or_default()),
                        format!("{ms:.4}"),
                        peer["ratio"].as_f64().map_or_else(dash, |ratio| format!("{ratio:.2}")),
                    ]
                },
            );
            let target = format!("{:.0} %", 100.0 * number(&row["target"]));
            let operation = format!("{}, {}", text("operation"), text("content"));
            [vec![operation, rung, ms, share, target], fastest.to_vec()].concat()
        })
        .collect();
    Some(format!("{} × {} pixels:\n\n{}\n{}", wanted.0, wanted.1, table(&columns, &cells), missing(value)))
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;
    use serde_json::json;

    use super::*;

    fn file() -> Value {
        let row = |width: u64, ours: &Value, peers: &Value| {
            json!({"operation": "histogram", "width": width, "height": 512, "content": "noise", "target": 0.85,
                "yardstick": "x", "ours": ours, "peers": peers})
        };
        let ours = json!({"rung": "14_a", "ms": 0.0125, "gigabytes_per_second": 3760.4, "share": 0.88,
            "reached": true});
        let peers = json!([{"peer": "CUB h", "ms": 0.025, "ratio": 2.0, "differing": 0.5},
            {"peer": "NPP h", "ms": 0.05, "ratio": 4.0, "differing": 0.0},
            {"peer": "NPP like it", "ms": 0.01, "ratio": 0.8, "same": false}]);
        let refused = json!([{"peer": "NPP h", "ms": null, "refused": "NPP status -4"}]);
        json!({"libraries": {"CUB": "3.0"}, "missing": [{"library": "CuPy", "why": "no numpy"}],
            "rows": [row(1024, &ours, &peers), row(512, &Value::Null, &refused)]})
    }

    #[test]
    fn each_library_has_a_column_and_a_missing_one_its_name() {
        let made = tables(&file()).expect("tables");
        let line = "| 1024\u{a0}×\u{a0}512 | noise | `14_a` | 0.0125 | 3760 | 88.0 % ✓ | 0.0250 (2.00), 50 % other | \
                    0.0500 (4.00) | 0.0100 (0.80) |\n";
        assert!(made.contains(line), "{made}");
        assert!(
            made.contains(
                "| 512\u{a0}×\u{a0}512 | noise | no rung is right | – | – | – | – | NPP status -4 | – |\n"
            ),
            "{made}"
        );
        assert!(made.contains("Libraries: CUB 3.0.\n") && made.contains("No times of **CuPy**: no numpy.\n"));
        assert_eq!(tables(&json!({"rows": [{"rung": "x", "share": 0.5}]})), None);
    }

    #[test]
    fn the_headline_is_the_largest_size_and_the_fastest_library() {
        let made = headline(&file()).expect("a headline");
        assert!(made.starts_with("1024 × 512 pixels:\n"), "{made}");
        let line = "| histogram, noise | `14_a` | 0.0125 | 88.0 % ✓ | 85 % | CUB h | 0.0250 | 2.00 |\n";
        assert!(made.contains(line) && made.matches("\n| ").count() == 3, "{made}");
        assert!(made.ends_with("\nNo times of **CuPy**: no numpy.\n\n"), "{made}");
    }
}
