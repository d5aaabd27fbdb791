//! The questions of a task sheet, answered with a student's own numbers.

use crate::{FewestBytes, Signs};

/// What a predicted run told of a task.
#[derive(Debug, Clone, Copy)]
pub struct Facts {
    /// The task.
    pub task: &'static str,
    /// Pixels of the timed picture.
    pub pixels: f64,
    /// The fewest bytes for it.
    pub fewest: FewestBytes,
    /// What its kernels do per pixel.
    pub signs: Signs,
    /// Seconds of a call.
    pub seconds: f64,
    /// Seconds of its kernels, without overlap.
    pub kernel_seconds: f64,
    /// Seconds of its copies over the link, without overlap.
    pub link_seconds: f64,
    /// Bytes per second of the GPU's memory.
    pub bandwidth: f64,
}

/// An answer, from the facts of the tasks that are right; a task that is not has none.
pub type Answer = fn(&[Facts]) -> String;

impl Facts {
    /// Those of a task, put into words; else a remark that it does not run yet.
    pub fn said(facts: &[Self], task: &str, words: impl Fn(&Self) -> String) -> String {
        let known = facts.iter().find(|facts| facts.task == task);
        known.map_or_else(
            || format!("{NOT_YET}{task}` is not right yet, so there is nothing to compare.)"),
            words,
        )
    }

    /// The fewest bytes that have to be moved.
    pub fn fewest_bytes(&self) -> f64 {
        (self.fewest.read + self.fewest.write) as f64
    }

    /// Threads of the largest launch.
    pub fn threads(&self) -> f64 {
        self.pixels / self.signs.pixels_per_thread.max(f64::MIN_POSITIVE)
    }
}

/// How the remark on a task begins that does not run yet.
pub const NOT_YET: &str = "(Your `";

/// Bytes in millions: `188 MB`.
pub fn megabytes(bytes: f64) -> String {
    format!("{:.0} MB", bytes * 1e-6)
}

/// Seconds in thousandths: `0.0461 ms`.
pub fn milliseconds(seconds: f64) -> String {
    let milliseconds = 1e3 * seconds;
    let decimals = (2.0 - milliseconds.abs().max(1e-9).log10().floor()).clamp(0.0, 9.0) as usize;
    format!("{milliseconds:.decimals$} ms")
}

/// A number with two digits after the point at the most: `25`, `0.31`, `46,953,096`.
pub fn short(number: f64) -> String {
    if number >= 99.5 {
        let digits = format!("{number:.0}");
        let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
        groups.collect::<Vec<_>>().join(",")
    } else {
        let text = format!("{number:.2}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// A number per pixel, with three digits however small it is: as a hint and a profile show it.
pub fn per_pixel(number: f64) -> String {
    if number <= 0.0 || number >= 0.995 {
        return short(number.max(0.0));
    }
    let decimals = (2.0 - number.log10().floor()).clamp(2.0, 9.0) as usize;
    format!("{number:.decimals$}")
}

/// A number with its noun: `1 store`, `2.5 loads`.
pub fn several(number: f64, noun: &str) -> String {
    let number = short(number);
    let plural = if number == "1" { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([25.0, 0.309, 0.0, 1234.5].map(short), ["25", "0.31", "0", "1,234"]);
        assert_eq!([0.000_046_1, 0.0074, 1.5].map(milliseconds), ["0.0461 ms", "7.40 ms", "1500 ms"]);
        assert_eq!(megabytes(187_812_384.0), "188 MB");
    }
}
