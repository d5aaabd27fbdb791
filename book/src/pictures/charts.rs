//! Bars, timelines of streams, and rooflines.

use checker::examples::{Ran, Unit};
use checker::numbers::significant;

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

/// When copies and kernels run; one panel per variant, in one scale.
pub fn streams(title: &str, variants: &[Ran]) -> String {
    let ran = || variants.iter().filter_map(|ran| Some((ran, ran.measured.as_ref()?)));
    let longest = ran().map(|(_, measured)| measured.seconds).fold(0.0, f64::max);
    let words =
        ran().map(|(ran, measured)| format!("{}: {} ms", ran.function, significant(1e3 * measured.seconds)));
    let words: Vec<String> = words.collect();
    let rows =
        [(Unit::Up, "to the GPU", "c0"), (Unit::Kernels, "kernels", "c1"), (Unit::Down, "to the host", "c2")];
    let left = 100.0;
    let mut svg = Svg::new(WIDTH, 112.0 * words.len() as f64 + 4.0, title, &words.join("; "));
    for (index, ((_, measured), words)) in ran().zip(&words).enumerate() {
        let top = 112.0 * index as f64;
        svg.text("strong", [16.0, top + 16.0], Anchor::Start, words);
        for (row, (unit, name, class)) in rows.iter().enumerate() {
            let y = top + 26.0 + 24.0 * row as f64;
            svg.text("small", [left - 8.0, y + 13.0], Anchor::End, name);
            svg.line("thin axis", [left, y + 20.0], [WIDTH - 16.0, y + 20.0]);
            for span in measured.spans.iter().filter(|span| span.unit == *unit) {
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
    /// Its name.
    pub name: String,
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
    let xs = [0.1, 1000.0];
    let ys = [1e9, 1.2 * instructions];
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
    for value in [0.1, 1.0, 10.0, 100.0, 1000.0] {
        svg.line("thin axis", [x(value), top], [x(value), bottom]);
        svg.text("small", [x(value), bottom + 16.0], Anchor::Middle, &significant(value));
    }
    for (value, name) in [(1e9, "1"), (1e10, "10"), (1e11, "100"), (1e12, "1,000"), (1e13, "10,000")] {
        svg.line("thin axis", [left, y(value)], [right, y(value)]);
        svg.text("small", [left - 6.0, y(value) + 4.0], Anchor::End, name);
    }
    svg.line("roof", [x(xs[0]), y(xs[0] * bytes)], [x(ridge), y(instructions)]);
    svg.line("roof", [x(ridge), y(instructions)], [right, y(instructions)]);
    let slope = format!("DRAM: {} GB/s", significant(bytes * 1e-9));
    svg.text("", [left + 8.0, y(xs[0] * bytes) - 48.0], Anchor::Start, &slope);
    let flat = format!("issue: {} G instructions/s", significant(instructions * 1e-9));
    svg.text("", [right, y(instructions) - 6.0], Anchor::End, &flat);
    for point in points {
        let at = [x(point.intensity.clamp(xs[0], xs[1])), y(point.rate.clamp(ys[0], ys[1]))];
        svg.dot(&point.class, at, 5.0, &point.name);
        if named {
            svg.text("small", [at[0] + 8.0, at[1] + 14.0], Anchor::Start, &point.name);
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
        svg.dot(class, [at, bottom + 54.0], 5.0, name);
        svg.text("small", [at + 10.0, bottom + 58.0], Anchor::Start, name);
        at += 24.0 + 7.0 * name.chars().count() as f64;
    }
    svg.finish()
}
