//! Bytes that were copied from the other side of the link, where nothing had written them.

use std::ops::Range;

use super::arena::Memory;
use crate::finding::{Label, Location};

/// Undefined bytes that a copy brought.
#[derive(Debug, Clone)]
pub(crate) struct Unset {
    /// Their addresses.
    range: Range<u64>,
    /// The line that copied them.
    copied_at: Option<Location>,
}

impl Memory {
    /// Notes the one copy or fill of the host function that has written a part of the allocation at `base`; `None` if there is no
    /// such, or several.
    pub fn written_in_part(&mut self, base: u64, short: Option<Label>) {
        match short {
            Some(label) => self.short.insert(base, label),
            None => self.short.remove(&base),
        };
    }

    /// The copy or fill that has written only a part of the allocation that this address lies in.
    pub fn short_write(&self, address: u64) -> Option<&Label> {
        self.short.get(&self.nearest(address)?.base)
    }

    /// Marks `length` bytes at `address` as never written: a copy from memory that nothing had written brought them.
    pub fn copied_unset(&mut self, address: u64, length: u64, copied_at: Option<Location>) {
        self.define(address, length, false);
        self.unset.push(Unset { range: address..address + length, copied_at });
    }

    /// The line of the copy that brought the undefined byte at this address, if one did.
    pub fn unset_copy(&self, address: u64) -> Option<&Location> {
        self.unset.iter().rev().find(|unset| unset.range.contains(&address))?.copied_at.as_ref()
    }

    /// The parts of `length` bytes at `address` that nothing has written, as offsets from there.
    pub fn undefined(&self, address: u64, length: u64) -> Vec<Range<u64>> {
        let Some(spot) = self.find(address, length) else { return Vec::new() };
        let parts = self.allocations()[spot.allocation].defined.undefined(spot.offset, length as usize);
        let offset = |at: usize| (at - spot.offset) as u64;
        parts.into_iter().map(|part| offset(part.start)..offset(part.end)).collect()
    }
}
