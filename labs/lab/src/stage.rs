//! What a task computes on the way to its outputs: the first wrong result of several steps says where to look.

use crate::Element;

/// A result between two steps of a task, as a buffer of a plain solution holds it. Solutions need not have it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stage {
    /// In a sentence: `the histogram`.
    pub name: &'static str,
    /// Parts of the names, in small letters, that a buffer for it is likely to have.
    pub words: &'static [&'static str],
    /// Its elements.
    pub element: Element,
    /// What each element is called; empty if it has only a number.
    pub parts: &'static [&'static str],
    /// Elements per row; 0 if it is not a picture.
    pub row: usize,
    /// The bytes.
    pub bytes: Vec<u8>,
    /// The elements that may have any value; empty if there are none.
    pub open: Vec<bool>,
}

impl Stage {
    /// A picture of gray levels.
    pub fn picture(name: &'static str, words: &'static [&'static str], row: usize, bytes: Vec<u8>) -> Self {
        Self { name, words, element: Element::U8, parts: &[], row, bytes, open: Vec::new() }
    }

    /// The number of pixels of each level.
    pub fn histogram(bins: &[u32]) -> Self {
        Self {
            name: "the histogram",
            words: &["bin", "hist", "count"],
            element: Element::U32,
            parts: &[],
            row: 0,
            bytes: bins.iter().flat_map(|count| count.to_le_bytes()).collect(),
            open: Vec::new(),
        }
    }

    /// The lowest and the highest level of a range.
    pub fn range(low: usize, high: usize) -> Self {
        Self {
            name: "the range",
            words: &["range", "limit", "low", "minmax"],
            element: Element::I32,
            parts: &["low", "high"],
            row: 0,
            bytes: [low, high].iter().flat_map(|level| (*level as i32).to_le_bytes()).collect(),
            open: Vec::new(),
        }
    }

    /// The new level of each level; only those with pixels matter.
    pub fn table(table: &[u8], bins: &[u32]) -> Self {
        Self {
            name: "the table of new levels",
            words: &["table", "lut", "map"],
            element: Element::U8,
            parts: &[],
            row: 0,
            bytes: table.to_vec(),
            open: bins.iter().map(|count| *count == 0).collect(),
        }
    }
}
