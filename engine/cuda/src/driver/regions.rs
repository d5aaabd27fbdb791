//! The device memory that the host may read and write.
//!
//! The driver takes any address, and would copy from or to the host's own memory. A student's host function
//! computes addresses, so each range is checked against what was allocated.

use std::collections::BTreeMap;

use super::error::INVALID_VALUE;
use super::types::DriverError;

/// `M` owns an allocation.
#[derive(Debug)]
pub(super) struct Regions<M> {
    /// Start → length and owner.
    allocated: BTreeMap<u64, (u64, M)>,
    /// Start → length, of the module's variables.
    variables: BTreeMap<u64, u64>,
}

impl<M> Default for Regions<M> {
    fn default() -> Self {
        Self { allocated: BTreeMap::new(), variables: BTreeMap::new() }
    }
}

impl<M> Regions<M> {
    pub(super) fn add_allocation(&mut self, start: u64, length: u64, memory: M) {
        self.allocated.insert(start, (length, memory));
    }

    pub(super) fn add_variable(&mut self, start: u64, length: u64) {
        self.variables.insert(start, length);
    }

    pub(super) fn forget_variables(&mut self) {
        self.variables.clear();
    }

    /// Takes an allocation out by its start; no other address can be freed.
    pub(super) fn remove(&mut self, start: u64) -> Result<M, DriverError> {
        let missing = || refuse("cuMemFree", format!("{start:#x} is not the start of an allocation"));
        self.allocated.remove(&start).map(|(_, memory)| memory).ok_or_else(missing)
    }

    /// Bytes of the allocation that begins here.
    pub(super) fn length(&self, start: u64) -> Option<u64> {
        self.allocated.get(&start).map(|(length, _)| *length)
    }

    /// Drops the owners of all allocations.
    pub(super) fn clear(&mut self) {
        self.allocated.clear();
    }

    /// The allocation that holds a range, and where in it the range begins.
    pub(super) fn find(&mut self, start: u64, length: u64) -> Option<(usize, &mut M)> {
        let (&first, (size, memory)) = self.allocated.range_mut(..=start).next_back()?;
        holds(first, *size, start, length).then_some(((start - first) as usize, memory))
    }

    /// Refuses a range that does not lie in one allocation or variable.
    pub(super) fn check(&self, call: &'static str, start: u64, length: u64) -> Result<(), DriverError> {
        let allocation = self.allocated.range(..=start).next_back().map(|(&first, (size, _))| (first, *size));
        let variable = self.variables.range(..=start).next_back().map(|(&first, &size)| (first, size));
        if [allocation, variable].iter().flatten().any(|&(first, size)| holds(first, size, start, length)) {
            return Ok(());
        }
        let message = format!("the {length} bytes at {start:#x} do not lie in one device allocation");
        Err(refuse(call, message))
    }
}

/// Whether the `size` bytes from `first` on hold a range that begins at or after `first`.
fn holds(first: u64, size: u64, start: u64, length: u64) -> bool {
    let before = start - first;
    before <= size && length <= size - before
}

/// `cudaErrorInvalidValue`, without asking the driver.
pub(super) fn refuse(call: &'static str, message: String) -> DriverError {
    DriverError::Call { call, code: INVALID_VALUE, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let mut regions = Regions::default();
        regions.add_allocation(0x1000, 0x100, "first");
        regions.add_variable(0x5000, 4);
        regions.add_allocation(0x8000, 16, "second");
        for (start, length, allowed, owner) in [
            (0x1000, 0x100, true, Some((0, "first"))),
            (0x10ff, 1, true, Some((0xff, "first"))),
            (0x1100, 0, true, Some((0x100, "first"))),
            (0x1100, 1, false, None),
            (0x1000, 0x101, false, None),
            (0xfff, 1, false, None),
            (0x5000, 4, true, None),
            (0x5000, 5, false, None),
            (0x1001, u64::MAX, false, None),
            (u64::MAX, u64::MAX, false, None),
            (0x8000, 16, true, Some((0, "second"))),
            (0x800f, 1, true, Some((15, "second"))),
            (0x8000, 17, false, None),
            (0x8010, 1, false, None),
        ] {
            assert_eq!(regions.check("", start, length).is_ok(), allowed, "{start:#x} {length:#x}");
            let found = regions.find(start, length).map(|(offset, memory)| (offset, *memory));
            assert_eq!(found, owner, "{start:#x} {length:#x}");
        }
        assert_eq!(regions.remove(0x8000), Ok("second"));
        assert!(regions.check("", 0x8000, 1).is_err());
        assert!(regions.remove(0x1001).is_err());
        regions.remove(0x1000).unwrap();
        assert!(regions.check("", 0x1000, 1).is_err());
        assert!(regions.remove(0x5000).is_err(), "a variable is not freed");
        regions.forget_variables();
        assert!(regions.check("", 0x5000, 1).is_err());
    }
}
