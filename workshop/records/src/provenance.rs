//! Where the figures of a file come from.

use serde::{Deserialize, Serialize};

/// Where the figures of a file come from. A field is absent where it does not apply: a prediction has no date and no driver.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Provenance {
    /// The GPU, or what takes its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gpu: Option<String>,
    /// The CPU, where its speed matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cpu: Option<String>,
    /// The GPU's driver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// The compiler and its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// The day of the measurement, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The command that makes the file again.
    pub command: String,
    /// What the figures mean, where their names do not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub what: Option<String>,
}

impl Provenance {
    /// GPU, driver and compiler: figures that differ in one of them do not belong in one file.
    pub fn machine(&self) -> [&str; 3] {
        [&self.gpu, &self.driver, &self.compiler].map(|text| text.as_deref().unwrap_or("unknown"))
    }
}
