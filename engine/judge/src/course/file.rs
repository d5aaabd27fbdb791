//! `course.toml` as it is written. Each value knows its place, for messages.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::Spanned;
use toml::value::Datetime;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub title: Option<String>,
    pub gpu: Option<Spanned<String>>,
    pub late: Option<Spanned<Late>>,
    #[serde(default)]
    pub labs: BTreeMap<Spanned<String>, Lab>,
}

/// `[late]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Late {
    pub free_days: Option<Spanned<i64>>,
    pub percent_per_day: Option<Spanned<f64>>,
}

/// `[labs.lab1]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Lab {
    pub weight: Option<Spanned<f64>>,
    pub points: Option<Spanned<f64>>,
    pub due: Option<Spanned<Datetime>>,
    pub tasks: Option<BTreeMap<Spanned<String>, Task>>,
}

/// `[labs.lab1.tasks.grayscale]`
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Task {
    pub correctness: Option<Spanned<f64>>,
    pub bandwidth: Option<Spanned<f64>>,
    pub speedup: Option<Spanned<f64>>,
    pub floor: Option<Spanned<f64>>,
    pub target: Option<Spanned<f64>>,
    pub speedup_floor: Option<Spanned<f64>>,
    pub levels: Option<Spanned<Vec<Level>>>,
}

/// `{ name = "coalesced", at = 0.6, how = "let neighbouring threads read neighbouring bytes" }`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Level {
    pub name: String,
    pub at: Spanned<f64>,
    pub how: String,
}
