//! Two-dimensional copies and fills: each one call, however many rows.

use std::ops::Range;

use super::{Device, DeviceError, bounds};
use crate::rows::{Rows, each_row, numbered};

impl Device {
    /// Copies rows, given without the gaps, to device memory.
    pub fn write_rows(&mut self, to: Rows, packed: &[u8]) -> Result<(), DeviceError> {
        let (extent, width) = (to.extent(), to.width as usize);
        if extent == 0 {
            return Ok(());
        }
        let all = self.memory.bytes_mut(to.address, extent).map_err(bounds(to.address, extent))?;
        each_row(&to, |there, here| all[there..there + width].copy_from_slice(&packed[here..here + width]));
        self.memory.define_rows(to, true);
        Ok(())
    }

    /// Copies rows from device memory; without the gaps.
    pub fn read_rows(&self, from: Rows) -> Result<Vec<u8>, DeviceError> {
        let (extent, width) = (from.extent(), from.width as usize);
        if extent == 0 {
            return Ok(Vec::new());
        }
        let all = self.memory.bytes(from.address, extent).map_err(bounds(from.address, extent))?;
        let mut packed = Vec::with_capacity(from.bytes() as usize);
        each_row(&from, |there, _| packed.extend_from_slice(&all[there..there + width]));
        Ok(packed)
    }

    /// Copies rows within device memory: both sides have rows of the same width, and equally many.
    pub fn copy_rows(&mut self, to: Rows, from: Rows) -> Result<(), DeviceError> {
        if from.bytes() == 0 {
            return Ok(());
        }
        self.memory.copy_rows(to, from).map_err(bounds(to.address, to.extent()))
    }

    /// Sets the bytes of rows to `value`.
    pub fn fill_rows(&mut self, to: Rows, value: u8) -> Result<(), DeviceError> {
        let (extent, width) = (to.extent(), to.width as usize);
        if extent == 0 {
            return Ok(());
        }
        let all = self.memory.bytes_mut(to.address, extent).map_err(bounds(to.address, extent))?;
        each_row(&to, |there, _| all[there..there + width].fill(value));
        self.memory.define_rows(to, true);
        Ok(())
    }

    /// The parts of rows, numbered without the gaps, that nothing has written.
    pub fn undefined_rows(&self, rows: Rows) -> Vec<Range<u64>> {
        numbered(rows, |start, width| self.memory.undefined(start, width))
    }
}
