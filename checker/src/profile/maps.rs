//! Drawings of a request: which bytes of memory, or which banks of shared memory, the lanes of a warp use.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::gather::Request;

/// Bytes of a row of the memory map: a line of the cache.
const LINE: u64 = 128;
/// Bytes of a word, the width of a bank.
const WORD: u64 = 4;
/// Banks of shared memory.
const BANKS: u64 = 32;
/// Rows of a map.
const MOST_ROWS: usize = 40;
/// Size of a cell in the drawing.
const CELL: usize = 18;

/// The map of a request as SVG.
pub(super) fn map(request: &Request) -> String {
    let mut cells: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (lane, address) in request.addresses.iter().enumerate() {
        let Some(address) = address else { continue };
        for word in address / WORD..=(address + request.bytes.max(1) - 1) / WORD {
            cells.entry(word).or_default().push(lane);
        }
    }
    if request.shared { banks(&cells) } else { memory(&cells) }
}

/// A row for each line of 128 bytes, a cell for each word; sectors of 32 bytes are framed, and touched ones shaded.
fn memory(cells: &BTreeMap<u64, Vec<usize>>) -> String {
    let words = LINE / WORD;
    let mut rows: BTreeMap<u64, Vec<(u64, &[usize])>> = BTreeMap::new();
    for (word, lanes) in cells {
        rows.entry(word / words).or_default().push((word % words, lanes));
    }
    let all = rows.len();
    let mut svg = open(rows.len().min(MOST_ROWS));
    for (row, cells) in rows.values().take(MOST_ROWS).enumerate() {
        for sector in 0..4 {
            let touched = cells.iter().any(|(word, _)| word / 8 == sector);
            let class = if touched { "sector touched" } else { "sector" };
            let (x, y) = (8 * CELL * sector as usize, CELL * row);
            let _ = write!(
                svg,
                r#"<rect class="{class}" x="{x}" y="{y}" width="{}" height="{CELL}"/>"#,
                8 * CELL
            );
        }
        for (word, lanes) in cells {
            cell(&mut svg, *word as usize, row, lanes);
        }
    }
    svg.push_str("</svg>");
    caption(
        &svg,
        all,
        "a row: 128 bytes of memory; a frame: a sector of 32 bytes; numbers: the first lane of each word",
    )
}

/// A column for each bank; words of one bank lie below each other, and each row is one pass.
fn banks(cells: &BTreeMap<u64, Vec<usize>>) -> String {
    let mut by_bank: BTreeMap<u64, Vec<&[usize]>> = BTreeMap::new();
    for (word, lanes) in cells {
        by_bank.entry(word % BANKS).or_default().push(lanes);
    }
    let passes = by_bank.values().map(Vec::len).max().unwrap_or(0);
    let mut svg = open(passes.min(MOST_ROWS));
    for bank in 0..BANKS as usize {
        let _ = write!(
            svg,
            r#"<rect class="sector" x="{}" y="0" width="{CELL}" height="{}"/>"#,
            CELL * bank,
            CELL * passes.min(MOST_ROWS)
        );
    }
    for (bank, words) in &by_bank {
        for (row, lanes) in words.iter().take(MOST_ROWS).enumerate() {
            cell(&mut svg, *bank as usize, row, lanes);
        }
    }
    svg.push_str("</svg>");
    caption(
        &svg,
        passes,
        "a column: one of 32 banks; a row: a pass; numbers: the first lane that uses the word",
    )
}

fn open(rows: usize) -> String {
    let (width, height) = (32 * CELL, CELL * rows.max(1));
    format!(r#"<svg viewBox="-1 -1 {} {}" width="{width}" role="img">"#, width + 2, height + 2)
}

fn cell(svg: &mut String, column: usize, row: usize, lanes: &[usize]) {
    let Some(first) = lanes.first() else { return };
    let (x, y) = (CELL * column, CELL * row);
    let _ = write!(
        svg,
        r#"<g><title>lanes {}</title><rect class="word" style="fill:hsl({},65%,72%)" x="{}" y="{}" width="{}" height="{}"/><text x="{}" y="{}">{first}</text></g>"#,
        lanes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        first * 360 / 32,
        x + 2,
        y + 2,
        CELL - 4,
        CELL - 4,
        x + CELL / 2,
        y + CELL - 5,
    );
}

fn caption(svg: &str, rows: usize, text: &str) -> String {
    let more = if rows > MOST_ROWS { format!(" ({} more rows)", rows - MOST_ROWS) } else { String::new() };
    format!("<figure>{svg}<figcaption>{text}{more}</figcaption></figure>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(shared: bool, stride: u64) -> Request {
        Request { shared, bytes: 4, addresses: (0..32).map(|lane| Some(stride * lane)).collect() }
    }

    fn rows(svg: &str) -> usize {
        let height = svg.split("viewBox=\"-1 -1 578 ").nth(1).expect("a box");
        (height.split('"').next().expect("a height").parse::<usize>().expect("a number") - 2) / CELL
    }

    #[test]
    fn neighbours_fill_a_line_and_strides_scatter() {
        assert_eq!(rows(&map(&request(false, 4))), 1);
        assert_eq!(map(&request(false, 4)).matches("sector touched").count(), 4);
        assert_eq!(rows(&map(&request(false, 128))), 32);
    }

    #[test]
    fn a_row_of_the_bank_map_is_a_pass() {
        assert_eq!(rows(&map(&request(true, 4))), 1);
        assert_eq!(rows(&map(&request(true, 8))), 2);
        assert_eq!(rows(&map(&request(true, 128))), 32);
        // One word for all lanes is a broadcast.
        assert_eq!(rows(&map(&request(true, 0))), 1);
    }
}
