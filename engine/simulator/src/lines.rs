//! Which source line an instruction comes from.

use crate::finding::Location;

/// Source locations by number, unwound to the student's file.
#[derive(Debug, Clone, Default)]
pub(crate) struct LineTable {
    /// Entry 0 is unknown.
    pub locations: Vec<Option<Location>>,
}

impl LineTable {
    /// The student's line behind a location number.
    pub fn get(&self, number: u32) -> Option<&Location> {
        self.locations.get(number as usize)?.as_ref()
    }
}
