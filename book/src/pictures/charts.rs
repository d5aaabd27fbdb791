//! Bars, timelines of streams, and rooflines.

use checker::examples::{Ran, Span, Unit};
use judge::numbers::significant;

use super::dots::{mark, plain};
use super::svg::{Anchor, Svg};

const WIDTH: f64 = 736.0;

/// A bar: its name, its length, what to write at its end.
pub struct Bar {
    /// At its left.
    pub name: String,
    /// Its length; the longest fills the width.
    pub value: f64,
    /// At its end.
    pub label: String,
    /// Its colour.
    pub class: &'static str,
}

/// Horizontal bars.
pub fn bars(title: &str, bars: &[Bar]) -> String {
    let named = bars.iter().map(|bar| format!("{} {}", bar.name, bar.label));
    let description = named.collect::<Vec<_>>().join("; ");
    let longest = bars.iter().map(|bar| bar.value).fold(0.0, f64::max);
    let names = bars.iter().map(|bar| bar.name.chars().count()).max().unwrap_or(0);
    let left = 24.0 + 7.6 * names as f64;
    let mut svg = Svg::new(WIDTH, 26.0 * bars.len() as f64 + 14.0, title, &description);
    for (index, bar) in bars.iter().enumerate() {
        let y = 8.0 + 26.0 * index as f64;
        let length = (WIDTH - left - 130.0) * bar.value / longest;
        svg.text("", [left - 8.0, y + 14.0], Anchor::End, &bar.name);
        svg.rect(bar.class, [left, y], [length.max(1.0), 19.0]);
        svg.text("", [left + length + 6.0, y + 14.0], Anchor::Start, &bar.label);
    }
    svg.finish()
}

/// Bars of the predicted times of an example's variants.
pub fn times(title: &str, variants: &[Ran]) -> String {
    let of = variants.iter().filter_map(|ran| {
        let seconds = ran.measured.as_ref()?.seconds;
        let label = format!("{} ms", significant(1e3 * seconds));
        Some(Bar { name: ran.function.clone(), value: seconds, label, class: "c0" })
    });
    bars(title, &of.collect::<Vec<_>>())
}

/// A panel of [`streams`]: its name, its seconds, and what runs when.
pub type Streams<'a> = (String, f64, &'a [Span]);

/// When copies and kernels run; one panel per kernel, in one scale. Units that no panel uses are left out.
pub fn streams(title: &str, panels: &[Streams<'_>]) -> String {
    let longest = panels.iter().map(|(_, seconds, _)| *seconds).fold(0.0, f64::max);
    let words: Vec<String> = panels
        .iter()
        .map(|(name, seconds, _)| format!("{name}: {} ms", significant(1e3 * seconds)))
        .collect();
    let all = [
        (Unit::Up, "to the GPU", "c0"),
        (Unit::Kernels, "kernels", "c1"),
        (Unit::Down, "to the host", "c2"),
        (Unit::Host, "host", "c3"),
    ];
    let used = |unit: Unit| panels.iter().any(|(_, _, spans)| spans.iter().any(|span| span.unit == unit));
    let rows: Vec<_> = all.into_iter().filter(|(unit, _, _)| used(*unit)).collect();
    let left = 100.0;
    let height = 40.0 + 24.0 * rows.len() as f64;
    let mut svg = Svg::new(WIDTH, height * panels.len() as f64 + 4.0, title, &words.join("; "));
    for (index, ((_, _, spans), words)) in panels.iter().zip(&words).enumerate() {
        let top = height * index as f64;
        svg.text("strong", [16.0, top + 16.0], Anchor::Start, words);
        for (row, (unit, name, class)) in rows.iter().enumerate() {
            let y = top + 26.0 + 24.0 * row as f64;
            svg.text("small", [left - 8.0, y + 13.0], Anchor::End, name);
            svg.line("thin axis", [left, y + 20.0], [WIDTH - 16.0, y + 20.0]);
            for span in spans.iter().filter(|span| span.unit == *unit) {
                let at = |seconds: f64| left + (WIDTH - left - 16.0) * seconds / longest;
                let (from, to) = (at(span.seconds.start), at(span.seconds.end));
                svg.rect(&format!("{class} cell"), [from, y], [(to - from).max(0.8), 18.0]);
            }
        }
    }
    svg.finish()
}

/// A point of a roofline.
pub struct Point {
    /// Instructions per byte of DRAM traffic.
    pub intensity: f64,
    /// Instructions per second.
    pub rate: f64,
    /// Written beside it, where points are named.
    pub name: String,
    /// Its full name, for a pointer that rests on it.
    pub tip: String,
    /// Its colour.
    pub class: String,
}

/// A roofline: the bandwidth of memory and the rate of instructions, and points below them, on logarithmic axes.
pub fn roofline(
    title: &str,
    [bytes, instructions]: [f64; 2],
    points: &[Point],
    legend: &[(String, String)],
    named: bool,
) -> String {
    let (left, bottom, right, top) = (70.0, 330.0, WIDTH - 20.0, 24.0);
    // Whole powers of ten around the points, and room above the roof for its name.
    let power =
        |value: f64, up: bool| 10_f64.powf(if up { value.log10().ceil() } else { value.log10().floor() });
    let least = |of: fn(&Point) -> f64| points.iter().map(of).fold(f64::INFINITY, f64::min);
    let most = points.iter().map(|point| point.intensity).fold(10.0, f64::max);
    let xs = [power(least(|point| point.intensity).min(1.0), false), power(most, true)];
    let ys = [power(least(|point| point.rate).min(1e13), false), 1.7 * instructions];
    let x = |value: f64| left + (right - left) * (value / xs[0]).ln() / (xs[1] / xs[0]).ln();
    let y = |value: f64| bottom - (bottom - top) * (value / ys[0]).ln() / (ys[1] / ys[0]).ln();
    let ridge = instructions / bytes;
    let description = format!(
        "The roof rises with {} GB/s up to {} instructions per byte and is flat from there on; {} kernels lie below it",
        significant(bytes * 1e-9),
        significant(ridge),
        points.len()
    );
    let mut svg = Svg::new(WIDTH, 400.0, title, &description);
    for value in [0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0]
        .into_iter()
        .filter(|value| (xs[0]..=xs[1]).contains(value))
    {
        svg.line("thin axis", [x(value), top], [x(value), bottom]);
        svg.text("small", [x(value), bottom + 16.0], Anchor::Middle, &plain(value));
    }
    let rates = [(1e9, "1"), (1e10, "10"), (1e11, "100"), (1e12, "1,000"), (1e13, "10,000")];
    for (value, name) in rates.into_iter().filter(|(value, _)| *value >= ys[0]) {
        svg.line("thin axis", [left, y(value)], [right, y(value)]);
        svg.text("small", [left - 6.0, y(value) + 4.0], Anchor::End, name);
    }
    let foot = xs[0].max(ys[0] / bytes);
    svg.line("roof", [x(foot), y(foot * bytes)], [x(ridge), y(instructions)]);
    svg.line("roof", [x(ridge), y(instructions)], [right, y(instructions)]);
    let slope = format!("DRAM: {} GB/s", significant(bytes * 1e-9));
    let beside = (foot * ridge).sqrt();
    svg.text("", [x(beside) - 12.0, y(beside * bytes) - 4.0], Anchor::End, &slope);
    let flat = format!("issue: {} G instructions/s", significant(instructions * 1e-9));
    svg.text("", [right, y(instructions) - 6.0], Anchor::End, &flat);
    let mut named_at: Vec<[f64; 2]> = Vec::new();
    for point in points {
        let at = [x(point.intensity.clamp(xs[0], xs[1])), y(point.rate.clamp(ys[0], ys[1]))];
        mark(&mut svg, series(&point.class), at, &point.tip);
        if named {
            let place = free(at, 6.5 * point.name.chars().count() as f64, &named_at);
            svg.text("small", place, Anchor::Start, &point.name);
            named_at.push(place);
        }
    }
    svg.text(
        "small",
        [f64::midpoint(left, right), bottom + 34.0],
        Anchor::Middle,
        "instructions of a thread per byte of DRAM traffic",
    );
    svg.text("small", [left, 14.0], Anchor::Start, "G instructions/s");
    let mut at = left;
    for (class, name) in legend {
        mark(&mut svg, series(class), [at, bottom + 54.0], name);
        svg.text("small", [at + 10.0, bottom + 58.0], Anchor::Start, name);
        at += 24.0 + 7.0 * name.chars().count() as f64;
    }
    svg.finish()
}

/// The number of a series by its colour: `c2`.
fn series(class: &str) -> usize {
    class.trim_start_matches('c').parse().unwrap_or(0)
}

/// A place for a name near a point: below it, farther down, or above it, so that no other name is there.
fn free([x, y]: [f64; 2], width: f64, taken: &[[f64; 2]]) -> [f64; 2] {
    let places = [14.0, 26.0, 38.0, 50.0, -8.0, -20.0, 62.0].map(|down| [x + 6.0, y + down]);
    let is_free = |place: &&[f64; 2]| {
        taken.iter().all(|other| (place[0] - other[0]).abs() > width || (place[1] - other[1]).abs() > 11.0)
    };
    *places.iter().find(is_free).unwrap_or(&places[0])
}
