//! What came out of one case of a task.

use serde::{Deserialize, Serialize};

/// The verdict on one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Right.
    Passed,
    /// Wrong.
    Failed,
    /// Not run, because an earlier case ended in an error.
    Skipped,
}

/// One wrong element of an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The output.
    pub output: String,
    /// Index of the element.
    pub index: usize,
    /// Column of the pixel; absent if the output is not a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub x: Option<usize>,
    /// Row of the pixel; absent if the output is not a picture.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub y: Option<usize>,
    /// Which element of the pixel it is; absent if the output has one per pixel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub channel: Option<&'static str>,
    /// The reference's value.
    pub expected: i64,
    /// The student's value.
    pub found: i64,
}

/// One case of one task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Case {
    /// The task.
    pub task: String,
    /// The case.
    pub name: String,
    /// Width of its image in pixels.
    pub width: usize,
    /// Height of its image in pixels.
    pub height: usize,
    /// Right or wrong.
    pub verdict: Verdict,
    /// Elements outside the tolerance.
    pub wrong: usize,
    /// Elements that differ within it.
    pub differing: usize,
    /// Elements compared.
    pub total: usize,
    /// The first wrong ones; of no interest to the process that watches, which hears of right cases only.
    #[serde(skip_deserializing)]
    pub mismatches: Vec<Mismatch>,
    /// A remark on the verdict, or empty.
    pub note: String,
    /// Text that the student's code printed.
    pub printed: String,
    /// Whether its picture is the one that is timed, which is tried only once all others are right.
    #[serde(skip)]
    pub timed: bool,
}

/// Pixels of a picture from which on no run tells who reads and writes it.
const WATCHED: usize = 100_000;

/// The case that tells most of a task's wrong outputs: the first small one with wrong values, or else the first wrong one.
pub fn telling(cases: &[Case]) -> Option<usize> {
    let wrong = |case: &Case| case.verdict == Verdict::Failed && case.wrong > 0;
    let first = |is: &dyn Fn(&Case) -> bool| cases.iter().position(|case| wrong(case) && is(case));
    first(&|case| case.note.is_empty() && case.width * case.height <= WATCHED).or_else(|| first(&|_| true))
}
