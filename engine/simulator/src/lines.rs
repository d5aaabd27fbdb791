//! Which source line an instruction comes from.

use crate::finding::Location;

/// Source locations by number, unwound to the student's file.
#[derive(Debug, Clone, Default)]
pub(crate) struct LineTable {
    /// Entry 0 is unknown.
    pub locations: Vec<Option<Location>>,
    /// For each of them, the student's lines that call its function, the nearest first.
    pub callers: Vec<Vec<Location>>,
}

impl LineTable {
    /// The student's line behind a location number.
    pub fn get(&self, number: u32) -> Option<&Location> {
        self.locations.get(number as usize)?.as_ref()
    }

    /// The student's lines that call the function of a location number, the nearest first.
    pub fn callers(&self, number: u32) -> &[Location] {
        self.callers.get(number as usize).map_or(&[], Vec::as_slice)
    }
}
