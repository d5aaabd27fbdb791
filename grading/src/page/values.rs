//! What several pages show in the same way.

use serde::Serialize;

use crate::result::{Graded, State};

/// A word, and the class of its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Word {
    pub word: &'static str,
    pub class: &'static str,
}

/// The verdict.
pub fn verdict(one: &Graded) -> Word {
    let (word, class) = match one.state {
        State::Graded if one.passed => ("passed", "good"),
        State::Graded => ("failed", "bad"),
        State::Refused => ("not checked", "bad"),
        State::Missing => ("missing", "faint"),
        State::Unfinished => ("no result yet", "warn"),
    };
    Word { word, class }
}

/// The class of a severity's colour.
pub fn severity(severity: &str) -> &'static str {
    match severity {
        "error" => "bad",
        "warning" => "warn",
        _ => "faint",
    }
}

/// Three significant digits.
pub fn significant(value: f64) -> String {
    if value.is_finite() && value > 0.0 {
        let digits = (2 - value.log10().floor() as i32).clamp(0, 9);
        format!("{value:.*}", digits as usize)
    } else {
        "0".to_owned()
    }
}

/// The width of a bar in per cent.
pub fn width(value: f64, most: f64) -> f64 {
    if most > 0.0 { (1000.0 * value / most).round().clamp(0.0, 1000.0) / 10.0 } else { 0.0 }
}
