//! Dots on a logarithmic scale: several values per row, such as a measured and a predicted time.

use judge::numbers::significant;

use super::svg::{Anchor, Svg};

const WIDTH: f64 = 736.0;
const ROW: f64 = 21.0;
const TOP: f64 = 34.0;

/// A row: its name, its values by series, and words at its end.
#[derive(Debug, Clone)]
pub struct Row {
    /// At its left.
    pub name: String,
    /// One value per series; a series may have none.
    pub values: Vec<Option<f64>>,
    /// At its right.
    pub note: String,
}

/// A chart of rows. `series` are the names of the values; `unit` is that of all of them.
pub fn dots(title: &str, unit: &str, series: &[&str], rows: &[Row]) -> String {
    let letters = |of: &dyn Fn(&Row) -> usize| rows.iter().map(of).max().unwrap_or(0) as f64;
    let left = 24.0 + 6.9 * letters(&|row| row.name.chars().count());
    let right = WIDTH - 20.0 - 6.2 * letters(&|row| row.note.chars().count());
    let values = || rows.iter().flat_map(|row| row.values.iter().flatten().copied());
    let least = values().fold(f64::INFINITY, f64::min) / 1.15;
    let most = values().fold(0.0, f64::max) * 1.15;
    let x = |value: f64| left + (right - left) * (value / least).ln() / (most / least).ln();
    let mut svg =
        Svg::new(WIDTH, TOP + ROW * rows.len() as f64 + 40.0, title, &description(unit, series, rows));
    let bottom = TOP + ROW * rows.len() as f64;
    for tick in ticks(least, most) {
        svg.line("thin axis", [x(tick), TOP - 6.0], [x(tick), bottom]);
        svg.text("small", [x(tick), bottom + 14.0], Anchor::Middle, &plain(tick));
    }
    svg.text("small", [f64::midpoint(left, right), bottom + 32.0], Anchor::Middle, unit);
    let mut at = left;
    for (index, name) in series.iter().enumerate() {
        mark(&mut svg, index, [at, 12.0], name);
        svg.text("small", [at + 10.0, 16.0], Anchor::Start, name);
        at += 30.0 + 6.4 * name.chars().count() as f64;
    }
    for (index, row) in rows.iter().enumerate() {
        let y = TOP + ROW * (index as f64 + 0.5);
        svg.text("", [left - 10.0, y + 4.0], Anchor::End, &row.name);
        let own: Vec<f64> = row.values.iter().flatten().map(|value| x(*value)).collect();
        let (from, to) = (own.iter().copied().fold(WIDTH, f64::min), own.iter().copied().fold(0.0, f64::max));
        if to > from {
            svg.line("thin axis", [from, y], [to, y]);
        }
        for (series_index, value) in row.values.iter().enumerate() {
            if let Some(value) = value {
                let tip = format!("{}, {}: {} {unit}", row.name, series[series_index], significant(*value));
                mark(&mut svg, series_index, [x(*value), y], &tip);
            }
        }
        svg.text("small", [right + 10.0, y + 4.0], Anchor::Start, &row.note);
    }
    svg.finish()
}

/// A mark per series: they differ in shape too, so that colours need not be told apart.
pub(super) fn mark(svg: &mut Svg, series: usize, [x, y]: [f64; 2], tip: &str) {
    match series {
        0 => svg.dot("c0", [x, y], 5.0, tip),
        1 => svg.rect("c1", [x - 4.0, y - 4.0], [8.0, 8.0]),
        2 => svg.rect("c2", [x - 2.5, y - 6.0], [5.0, 12.0]),
        3 => svg.rect("c3", [x - 6.0, y - 2.0], [12.0, 4.0]),
        _ => svg.dot("c4", [x, y], 3.0, tip),
    }
}

fn description(unit: &str, series: &[&str], rows: &[Row]) -> String {
    let row = |row: &Row| {
        let values = row
            .values
            .iter()
            .zip(series)
            .filter_map(|(value, name)| value.map(|value| format!("{name} {}", significant(value))));
        format!("{}: {}", row.name, values.collect::<Vec<_>>().join(", "))
    };
    format!("In {unit}. {}", rows.iter().map(row).collect::<Vec<_>>().join("; "))
}

/// Powers of ten, and between them twice and five times those if there are few.
fn ticks(least: f64, most: f64) -> Vec<f64> {
    let powers =
        || (least.log10().floor() as i32..=most.log10().ceil() as i32).map(|power| 10_f64.powi(power));
    let steps: &[f64] = if most / least > 300.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let all = powers().flat_map(|power| steps.iter().map(move |step| power * step));
    all.filter(|tick| (least..=most).contains(tick)).collect()
}

/// A round number without zeros that say nothing.
pub fn plain(value: f64) -> String {
    if value < 1.0 {
        return format!("{value}");
    }
    judge::numbers::grouped(value.round() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within() {
        assert_eq!(ticks(0.03, 0.3), [0.05, 0.1, 0.2]);
        assert_eq!(ticks(0.01, 20.0), [0.01, 0.1, 1.0, 10.0]);
        assert_eq!([0.05, 1.0, 10.0, 1000.0].map(plain), ["0.05", "1", "10", "1,000"]);
    }

    #[test]
    fn every_value_is_told_in_words() {
        let row = Row { name: "a".into(), values: vec![Some(1.0), Some(4.0)], note: String::new() };
        let text = dots("t", "ms", &["then", "today"], &[row]);
        assert!(text.contains("<desc>In ms. a: then 1.00, today 4.00</desc>"), "{text}");
    }
}
