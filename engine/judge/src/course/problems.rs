//! What is wrong with a course: each problem with its line and what to do.

use std::ops::Range;

use serde::Serialize;

/// Something that is wrong with a course.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong, without a full stop.
    pub what: String,
    /// What to do, without a full stop.
    pub advice: String,
}

/// The problems found so far, and the text that they are in.
pub(super) struct Problems<'a> {
    text: &'a str,
    all: Vec<Problem>,
}

impl<'a> Problems<'a> {
    /// None yet.
    pub fn of(text: &'a str) -> Self {
        Self { text, all: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// In the order of their lines.
    pub fn in_order(mut self) -> Vec<Problem> {
        self.all.sort_by_key(|problem| problem.line);
        self.all
    }

    /// Notes a problem of this part of the text.
    pub fn add(&mut self, place: &Range<usize>, what: String, advice: String) {
        let before = self.text.get(..place.start).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        self.all.push(Problem { line, what, advice });
    }
}
