//! `workshop class`: grading a class again, with faults, and finding what is alike.

use serde::{Deserialize, Serialize};

/// What became of synthetic classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Grading {
    /// Cores of the CPU.
    pub cores: usize,
    /// Students of the class that was graded as a whole; 0: none was.
    pub students: usize,
    /// Each grading of it.
    pub gradings: Vec<Whole>,
    /// Gradings of a small class with a fault in each.
    pub faults: Vec<Faults>,
    /// Pairs made by known transformations.
    pub similar: Vec<Similar>,
}

/// One grading of a whole class.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Whole {
    /// How it ran.
    pub how: String,
    /// Seconds from start to end.
    pub seconds: f64,
    /// Whether all files are those of the first grading.
    pub same: bool,
}

/// Gradings with one kind of fault.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Faults {
    /// The fault.
    pub kind: String,
    /// Gradings.
    pub runs: usize,
    /// Of them those in which the fault came before the end.
    pub struck: usize,
    /// Of them those that end, after `--resume`, with the files of an undisturbed grading.
    pub same: usize,
}

/// Pairs of one transformation in one lab.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Similar {
    /// The lab.
    pub lab: String,
    /// What was done to each file; empty: nothing, all pairs are of two different files.
    pub transformation: String,
    /// Pairs: of a file and its transformed copy, or of two files.
    pub pairs: usize,
    /// Pairs that are shown as alike.
    pub shown: usize,
}
