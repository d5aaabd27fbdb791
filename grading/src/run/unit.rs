//! One submission on one engine.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hash;

/// Where kernels run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Engine {
    /// On the simulator, with predicted times.
    Sim,
    /// On a GPU, with measured times.
    Gpu,
}

impl Engine {
    /// As on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sim => "sim",
            Self::Gpu => "gpu",
        }
    }
}

/// A check to make.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unit {
    /// The student's short name.
    pub student: String,
    /// The engine.
    pub engine: Engine,
    /// What the result depends on: see [`Unit::new`].
    pub key: String,
}

impl Unit {
    /// A check of this file. `context` is everything else that its result depends on: the program, the compiler, the lab, the
    /// options, the seed. The key tells nothing about any of it.
    pub fn new(student: &str, engine: Engine, file: &[u8], context: &[&str]) -> Self {
        let mut parts: Vec<&[u8]> = vec![engine.name().as_bytes(), file];
        parts.extend(context.iter().map(|part| part.as_bytes()));
        Self { student: student.to_owned(), engine, key: hash::of_parts(&parts) }
    }

    /// Unique in the class.
    pub fn name(&self) -> String {
        format!("{}.{}", self.student, self.engine.name())
    }

    /// The name of the file with its result: a new one for each key, so that a result is never replaced by another's.
    pub fn file(&self) -> String {
        format!("{}-{}.json", self.name(), &self.key[..16])
    }
}

/// What a check gave.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Checked {
    /// The checker's report.
    Report(Value),
    /// The checker does not take the file; its reason.
    Refused(String),
}

/// A result on the disk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Stored {
    /// The key of the unit.
    pub key: String,
    /// The result.
    pub checked: Checked,
}
