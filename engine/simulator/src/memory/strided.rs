//! Rows of an allocation at equal distances: copied, read and marked in one go.

use super::arena::{Memory, MemoryError};
use super::validity::Validity;
use crate::rows::Rows;

impl Memory {
    /// All bytes from the first row to the last.
    pub fn bytes_of_rows(&self, rows: Rows) -> Option<&[u8]> {
        let spot = self.find_in_flight(rows.address, rows.extent())?;
        self.allocations[spot.allocation].data.get(spot.offset..spot.offset + rows.extent() as usize)
    }

    /// The same, to write.
    pub fn bytes_of_rows_mut(&mut self, rows: Rows) -> Option<&mut [u8]> {
        let spot = self.find_in_flight(rows.address, rows.extent())?;
        self.allocations[spot.allocation].data.get_mut(spot.offset..spot.offset + rows.extent() as usize)
    }

    /// Copies rows, undefined bytes as such. Both sides have rows of the same width and equally many; those of a side lie
    /// in one allocation. Rows that overlap rows of the other side are copied in rising order.
    pub fn copy_rows(&mut self, to: Rows, from: Rows) -> Result<(), MemoryError> {
        let source = self.find(from.address, from.extent()).ok_or(MemoryError::OutOfBounds)?;
        let target = self.find(to.address, to.extent()).ok_or(MemoryError::OutOfBounds)?;
        let width = from.width as usize;
        let places = (0..from.rows as usize)
            .map(|row| (source.offset + row * from.pitch as usize, target.offset + row * to.pitch as usize));
        let both = [source.allocation, target.allocation];
        if let Ok([source, into]) = self.allocations.get_disjoint_mut(both) {
            for (from, to) in places.clone() {
                into.data[to..to + width].copy_from_slice(&source.data[from..from + width]);
            }
        } else {
            let data = &mut self.allocations[source.allocation].data;
            places.clone().for_each(|(from, to)| data.copy_within(from..from + width, to));
        }
        match &self.allocations[source.allocation].defined {
            Validity::Everything => self.define_rows(to, true),
            Validity::Nothing => self.define_rows(to, false),
            Validity::Bits(_) => {
                let size = self.allocations[target.allocation].size as usize;
                for (from, to) in places {
                    let undefined = self.allocations[source.allocation].defined.undefined(from, width);
                    let defined = &mut self.allocations[target.allocation].defined;
                    defined.set(to, width, size, true);
                    for part in undefined {
                        defined.set(to + part.start - from, part.end - part.start, size, false);
                    }
                }
            }
        }
        Ok(())
    }

    /// Marks rows of one allocation as written, or as not.
    pub fn define_rows(&mut self, rows: Rows, defined: bool) {
        if let Some(spot) = self.find_in_flight(rows.address, rows.extent()) {
            let allocation = &mut self.allocations[spot.allocation];
            let starts = (0..rows.rows as usize).map(|row| spot.offset + row * rows.pitch as usize);
            for start in starts {
                allocation.defined.set(start, rows.width as usize, allocation.size as usize, defined);
            }
        }
    }
}
