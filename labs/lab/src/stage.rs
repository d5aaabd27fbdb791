//! What a task computes on the way to its outputs: the first wrong result of several steps says where to look.

use crate::{Element, Tolerance};

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
    /// Other bytes that are as right: the same numbers in another order or type.
    pub forms: Vec<Vec<u8>>,
    /// The elements that may have any value; empty if there are none.
    pub open: Vec<bool>,
    /// How close the others must come.
    pub tolerance: Tolerance,
}

impl Stage {
    /// A picture of gray levels.
    pub fn picture(name: &'static str, words: &'static [&'static str], row: usize, bytes: Vec<u8>) -> Self {
        let (element, parts, tolerance) = (Element::U8, &[], Tolerance::Exact);
        Self { name, words, element, parts, row, bytes, forms: Vec::new(), open: Vec::new(), tolerance }
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
            forms: Vec::new(),
            open: Vec::new(),
            tolerance: Tolerance::Exact,
        }
    }

    /// The lowest and the highest level of a range.
    pub fn range(low: usize, high: usize) -> Self {
        let ints = |two: [usize; 2]| two.iter().flat_map(|level| (*level as i32).to_le_bytes()).collect();
        let floats = [low, high].iter().flat_map(|level| (*level as f32).to_le_bytes()).collect();
        Self {
            name: "the range",
            words: &["range", "limit", "low", "minmax"],
            element: Element::I32,
            parts: &["low", "high"],
            row: 0,
            bytes: ints([low, high]),
            forms: vec![ints([high, low]), ints([low, high - low]), ints([low, high + 1]), floats],
            open: Vec::new(),
            tolerance: Tolerance::Exact,
        }
    }

    /// The new level of each level; only those that `matters` is true for do.
    pub fn table(table: &[u8], matters: impl Fn(usize) -> bool) -> Self {
        Self {
            name: "the table of new levels",
            words: &["table", "lut", "map"],
            element: Element::U8,
            parts: &[],
            row: 0,
            bytes: table.to_vec(),
            forms: Vec::new(),
            open: (0..table.len()).map(|level| !matters(level)).collect(),
            tolerance: Tolerance::Levels(1),
        }
    }
}
