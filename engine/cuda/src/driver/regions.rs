//! The device memory that may be read and written from the host.
//!
//! The driver takes any address: one of the host's would be copied from or to. A student's host function
//! computes addresses, so each range is checked against what was allocated.

use std::collections::{BTreeMap, BTreeSet};

use super::error::INVALID_VALUE;
use super::types::DriverError;

#[derive(Debug, Default)]
pub(super) struct Regions {
    /// Start → length, of what `alloc` gave.
    allocated: BTreeMap<u64, u64>,
    /// Starts of those that are managed.
    managed: BTreeSet<u64>,
    /// The same of the module's variables.
    variables: BTreeMap<u64, u64>,
}

impl Regions {
    pub(super) fn add_allocation(&mut self, start: u64, length: u64) {
        self.allocated.insert(start, length);
    }

    pub(super) fn add_managed(&mut self, start: u64, length: u64) {
        self.add_allocation(start, length);
        self.managed.insert(start);
    }

    pub(super) fn add_variable(&mut self, start: u64, length: u64) {
        self.variables.insert(start, length);
    }

    pub(super) fn forget_variables(&mut self) {
        self.variables.clear();
    }

    /// Only the start of an allocation can be freed.
    pub(super) fn remove(&mut self, start: u64) -> Result<(), DriverError> {
        let missing = || refuse("cuMemFree", format!("{start:#x} is not the start of an allocation"));
        self.managed.remove(&start);
        self.allocated.remove(&start).map(drop).ok_or_else(missing)
    }

    /// All starts, for the end.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = u64> + use<> {
        self.managed.clear();
        std::mem::take(&mut self.allocated).into_keys()
    }

    /// Refuses a range that does not lie in one managed allocation.
    pub(super) fn check_managed(
        &self,
        call: &'static str,
        start: u64,
        length: u64,
    ) -> Result<(), DriverError> {
        let base = self.managed.range(..=start).next_back();
        let size = base.and_then(|base| Some((base, self.allocated.get(base)?)));
        let inside =
            size.is_some_and(|(base, size)| start - base <= *size && length <= size - (start - base));
        if inside {
            return Ok(());
        }
        Err(refuse(call, format!("the {length} bytes at {start:#x} do not lie in one managed allocation")))
    }

    /// Refuses a range that does not lie in one allocation or variable.
    pub(super) fn check(&self, call: &'static str, start: u64, length: u64) -> Result<(), DriverError> {
        let inside = |regions: &BTreeMap<u64, u64>| {
            regions.range(..=start).next_back().is_some_and(|(&first, &size)| {
                let before = start - first;
                before <= size && length <= size - before
            })
        };
        if inside(&self.allocated) || inside(&self.variables) {
            return Ok(());
        }
        let message = format!("the {length} bytes at {start:#x} do not lie in one device allocation");
        Err(refuse(call, message))
    }
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
        regions.add_allocation(0x1000, 0x100);
        regions.add_variable(0x5000, 4);
        regions.add_managed(0x8000, 16);
        for (start, length, allowed) in [
            (0x1000, 0x100, true),
            (0x10ff, 1, true),
            (0x1100, 0, true),
            (0x1100, 1, false),
            (0x1000, 0x101, false),
            (0xfff, 1, false),
            (0x5000, 4, true),
            (0x5000, 5, false),
            (0x1001, u64::MAX, false),
            (u64::MAX, u64::MAX, false),
        ] {
            assert_eq!(regions.check("", start, length).is_ok(), allowed, "{start:#x} {length:#x}");
        }
        for (start, length, allowed) in [
            (0x8000, 16, true),
            (0x800f, 1, true),
            (0x8000, 17, false),
            (0x1000, 1, false),
            (0x8010, 1, false),
        ] {
            assert_eq!(regions.check_managed("", start, length).is_ok(), allowed, "{start:#x} {length:#x}");
        }
        regions.remove(0x8000).unwrap();
        assert!(regions.check_managed("", 0x8000, 1).is_err());
        assert!(regions.remove(0x1001).is_err());
        regions.remove(0x1000).unwrap();
        assert!(regions.check("", 0x1000, 1).is_err());
        assert!(regions.remove(0x5000).is_err(), "a variable is not freed");
        regions.forget_variables();
        assert!(regions.check("", 0x5000, 1).is_err());
    }
}
