//! Allocations in a 64-bit address space, with gaps between them so that a stray access is caught.

use std::collections::BTreeMap;

use super::unset::Unset;
use super::validity::Validity;
use crate::finding::Label;
use crate::image::Objects;
use crate::rows::Rows;

/// Allocations start at multiples of this, as `cudaMalloc`'s do.
const ALIGNMENT: u64 = 256;
/// At least this many unallocated bytes lie between two allocations.
const RED_ZONE: u64 = 64 * 1024;
/// Bytes of all live allocations of one side, unless [`Memory::limited`] sets another bound: a mistake in a size should
/// not take the machine down. Memory that nothing writes costs nothing, so the bound may be near that of the machine.
const MOST_BYTES: u64 = 2 << 30;

/// Fresh memory holds this: a value that is wrong in most uses, so that results show where nothing was written even if no
/// analysis follows undefined values.
const FRESH: u8 = 0xcb;

/// Where the allocation after one of `size` bytes at `base` begins.
pub(crate) fn after(base: u64, size: u64) -> u64 {
    (base + size.max(1) + RED_ZONE).next_multiple_of(ALIGNMENT)
}

/// One allocation or variable.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "four plain facts that do not depend on each other")]
pub(crate) struct Allocation {
    /// First address.
    pub base: u64,
    /// Its bytes; emptied when freed.
    pub data: Vec<u8>,
    /// Size as asked for; stays after it is freed.
    pub size: u64,
    /// For messages: `gray`, `cudaMalloc #2`, a variable's name.
    pub name: String,
    /// Not yet freed, and not away.
    pub live: bool,
    /// Managed memory whose contents are on the other side: any access here has to fetch them first.
    pub away: bool,
    /// Bytes, by offset, that a copy may still be writing: no access is let through to them.
    pub in_flight: Vec<Rows>,
    /// A constant: kernels may not write it.
    pub constant: bool,
    /// A variable of the module: cannot be freed.
    pub variable: bool,
    /// Which bytes have been written.
    pub defined: Validity,
}

/// All allocations of one side, sorted by address.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory {
    pub(super) allocations: Vec<Allocation>,
    next: u64,
    live_bytes: u64,
    /// The most that `live_bytes` may be.
    most_bytes: u64,
    /// Textures and surfaces, which lie in allocations.
    pub objects: Objects,
    /// What copies brought that nothing had written, oldest first.
    pub(super) unset: Vec<Unset>,
    /// By the address of an allocation, the one copy or fill that has written a part of it.
    pub(super) short: BTreeMap<u64, Label>,
}

/// Why an operation on whole allocations failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MemoryError {
    /// Not the start of a live allocation.
    NotAllocated,
    /// Not inside one live allocation.
    OutOfBounds,
    /// More than the simulated memory.
    OutOfMemory,
}

/// A place inside an allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Which allocation, by index.
    pub allocation: usize,
    /// Bytes from its start.
    pub offset: usize,
}

impl Allocation {
    fn is_in_flight(&self, offset: u64, length: u64) -> bool {
        self.in_flight.iter().any(|rows| rows.meets(offset, length))
    }
}

impl Memory {
    /// Empty memory whose run-time allocations begin at `heap`.
    pub fn new(heap: u64) -> Self {
        Self { next: heap, most_bytes: MOST_BYTES, ..Self::default() }
    }

    /// With another bound on the bytes of all live allocations.
    #[must_use]
    pub fn limited(self, most_bytes: u64) -> Self {
        Self { most_bytes, ..self }
    }

    /// Whether `size` bytes more can be allocated.
    fn has_room(&self, size: u64) -> bool {
        size <= self.most_bytes.saturating_sub(self.live_bytes)
    }

    /// Adds a variable at a fixed address below the heap. Call in rising order, before any [`Self::alloc`].
    pub fn add_variable(&mut self, base: u64, data: Vec<u8>, name: &str, constant: bool) {
        let size = data.len() as u64;
        assert!(self.allocations.last().is_none_or(|last| last.base < base));
        self.allocations.push(Allocation {
            base,
            data,
            size,
            name: name.to_owned(),
            live: true,
            away: false,
            in_flight: Vec::new(),
            constant,
            variable: true,
            defined: Validity::Everything,
        });
    }

    /// Adds the heap of kernels above the variables: two words that hold 0, and then nothing defined.
    pub fn add_kernel_heap(&mut self, base: u64, size: u64) {
        let mut data = vec![FRESH; size as usize];
        data[..16].fill(0);
        self.insert(base, data, "the heap of kernels (`malloc`)", Validity::Nothing);
    }

    /// Allocates `size` bytes (at least 1), which hold a pattern: on a GPU they hold what was there before.
    pub fn alloc(&mut self, size: u64, name: &str) -> Result<u64, MemoryError> {
        if !self.has_room(size) {
            return Err(MemoryError::OutOfMemory);
        }
        let base = self.next;
        self.next = after(base, size);
        self.alloc_at(base, size, name)?;
        Ok(base)
    }

    /// Allocates, and takes these bytes for its contents.
    pub fn alloc_with(&mut self, bytes: Vec<u8>, name: &str) -> Result<u64, MemoryError> {
        let size = bytes.len() as u64;
        if !self.has_room(size) {
            return Err(MemoryError::OutOfMemory);
        }
        let base = self.next;
        self.next = after(base, size);
        self.insert(base, bytes, name, Validity::Everything);
        Ok(base)
    }

    /// Allocates at an address that the caller chose, for memory that two sides share.
    pub fn alloc_at(&mut self, base: u64, size: u64, name: &str) -> Result<(), MemoryError> {
        if !self.has_room(size) {
            return Err(MemoryError::OutOfMemory);
        }
        self.insert(base, vec![FRESH; size as usize], name, Validity::Nothing);
        Ok(())
    }

    fn insert(&mut self, base: u64, data: Vec<u8>, name: &str, defined: Validity) {
        let size = data.len() as u64;
        self.live_bytes += size;
        let index = self.allocations.partition_point(|allocation| allocation.base <= base);
        let allocation = Allocation {
            base,
            data,
            size,
            name: name.to_owned(),
            live: true,
            away: false,
            in_flight: Vec::new(),
            constant: false,
            variable: false,
            defined,
        };
        self.allocations.insert(index, allocation);
    }

    /// Sends an allocation's contents to the other side, or has them back; `false` if none begins here.
    pub fn set_away(&mut self, base: u64, away: bool) -> bool {
        let Some(index) = self.index_at(base) else { return false };
        let allocation = &mut self.allocations[index];
        if allocation.base != base || !(allocation.live || allocation.away) {
            return false;
        }
        (allocation.live, allocation.away) = (!away, away);
        true
    }

    /// Whether an access fails only because its memory is away or in flight.
    pub fn is_away(&self, address: u64, length: u64) -> bool {
        let Some(allocation) = self.index_at(address).map(|index| &self.allocations[index]) else {
            return false;
        };
        let offset = address - allocation.base;
        let inside = offset.checked_add(length).is_some_and(|end| end <= allocation.size);
        inside && (allocation.away || allocation.live && allocation.is_in_flight(offset, length))
    }

    /// Closes a range to every access, or opens what was closed; `false` if it lies in no live allocation.
    pub fn set_in_flight(&mut self, rows: Rows, in_flight: bool) -> bool {
        let Some(index) = self.index_at(rows.address) else { return false };
        let allocation = &mut self.allocations[index];
        let rows = Rows { address: rows.address - allocation.base, ..rows };
        if !in_flight {
            let known = allocation.in_flight.iter().position(|known| *known == rows);
            return known.map(|known| allocation.in_flight.swap_remove(known)).is_some();
        }
        let inside = rows.address.checked_add(rows.extent()).is_some_and(|end| end <= allocation.size);
        if inside && allocation.live {
            allocation.in_flight.push(rows);
        }
        inside && allocation.live
    }

    /// Frees an allocation; its range stays known, so that a later use can be named.
    pub fn free(&mut self, address: u64) -> Result<(), MemoryError> {
        let index = self.index_at(address).ok_or(MemoryError::NotAllocated)?;
        let allocation = &mut self.allocations[index];
        if allocation.base != address || !(allocation.live || allocation.away) || allocation.variable {
            return Err(MemoryError::NotAllocated);
        }
        (allocation.live, allocation.away) = (false, false);
        allocation.data = Vec::new();
        allocation.in_flight = Vec::new();
        self.live_bytes -= allocation.size;
        Ok(())
    }

    /// The last allocation that starts at or below `address`.
    fn index_at(&self, address: u64) -> Option<usize> {
        self.allocations.partition_point(|allocation| allocation.base <= address).checked_sub(1)
    }

    /// Where `length` bytes at `address` lie, if inside one live allocation, and no copy may be writing them.
    pub fn find(&self, address: u64, length: u64) -> Option<Spot> {
        let spot = self.find_in_flight(address, length)?;
        let allocation = &self.allocations[spot.allocation];
        (!allocation.is_in_flight(spot.offset as u64, length)).then_some(spot)
    }

    /// The same for bytes that a copy may be writing, too: rows of another copy may lie between rows.
    pub(super) fn find_in_flight(&self, address: u64, length: u64) -> Option<Spot> {
        let index = self.index_at(address)?;
        let allocation = &self.allocations[index];
        let offset = address - allocation.base;
        (allocation.live && offset.checked_add(length)? <= allocation.size)
            .then_some(Spot { allocation: index, offset: offset as usize })
    }

    /// The allocation nearest to an address that hit none: for the message.
    pub fn nearest(&self, address: u64) -> Option<&Allocation> {
        let below = self.index_at(address);
        let above = below.map_or(0, |index| index + 1);
        let distance = |allocation: &&Allocation| {
            if address < allocation.base {
                allocation.base - address
            } else {
                (address - allocation.base).saturating_sub(allocation.size.saturating_sub(1))
            }
        };
        below
            .map(|index| &self.allocations[index])
            .into_iter()
            .chain(self.allocations.get(above))
            .min_by_key(distance)
    }

    /// All allocations, dead ones too, by address.
    pub fn allocations(&self) -> &[Allocation] {
        &self.allocations
    }

    /// The bytes of one allocation.
    pub fn data_mut(&mut self, index: usize) -> &mut [u8] {
        &mut self.allocations[index].data
    }

    /// `length` bytes at `address`.
    pub fn bytes(&self, address: u64, length: u64) -> Result<&[u8], MemoryError> {
        let spot = self.find(address, length).ok_or(MemoryError::OutOfBounds)?;
        Ok(&self.allocations[spot.allocation].data[spot.offset..spot.offset + length as usize])
    }

    /// The same, to write.
    pub fn bytes_mut(&mut self, address: u64, length: u64) -> Result<&mut [u8], MemoryError> {
        let spot = self.find(address, length).ok_or(MemoryError::OutOfBounds)?;
        Ok(&mut self.allocations[spot.allocation].data[spot.offset..spot.offset + length as usize])
    }

    /// Copies inside this memory, undefined bytes as such; the ranges may overlap.
    pub fn copy(&mut self, to: u64, from: u64, length: u64) -> Result<(), MemoryError> {
        let source = self.find(from, length).ok_or(MemoryError::OutOfBounds)?;
        let target = self.find(to, length).ok_or(MemoryError::OutOfBounds)?;
        let bytes = source.offset..source.offset + length as usize;
        // Without a copy in between: it may be half of all memory.
        match self.allocations.get_disjoint_mut([source.allocation, target.allocation]) {
            Ok([source, into]) => {
                into.data[target.offset..target.offset + length as usize]
                    .copy_from_slice(&source.data[bytes]);
            }
            Err(_) => self.allocations[source.allocation].data.copy_within(bytes, target.offset),
        }
        let undefined = self.undefined(from, length);
        self.define(to, length, true);
        for part in undefined {
            self.define(to + part.start, part.end - part.start, false);
        }
        Ok(())
    }

    /// Marks bytes as written, or as not.
    pub fn define(&mut self, address: u64, length: u64, defined: bool) {
        if let Some(spot) = self.find(address, length) {
            let allocation = &mut self.allocations[spot.allocation];
            allocation.defined.set(spot.offset, length as usize, allocation.size as usize, defined);
        }
    }

    /// Takes out what is known of each allocation; [`Self::set_defined`] brings it back.
    pub fn take_defined(&mut self) -> Vec<Validity> {
        let taken = self.allocations.iter_mut();
        taken.map(|allocation| std::mem::replace(&mut allocation.defined, Validity::Nothing)).collect()
    }

    /// Replaces what is known of each allocation; `None` takes all of them as written, for want of
    /// knowing better.
    pub fn set_defined(&mut self, defined: Option<Vec<Validity>>) {
        match defined {
            Some(defined) => {
                for (allocation, defined) in self.allocations.iter_mut().zip(defined) {
                    allocation.defined = defined;
                }
            }
            None => self.allocations.iter_mut().for_each(|a| a.defined = Validity::Everything),
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn allocations_are_found_and_bounded() {
        let mut memory = Memory::new(0x1000);
        let a = memory.alloc(100, "a").unwrap();
        let b = memory.alloc(10, "b").unwrap();
        assert_eq!(memory.find(a + 99, 1), Some(Spot { allocation: 0, offset: 99 }));
        assert_eq!(memory.find(a + 99, 2), None);
        assert_eq!(memory.find(b, 10), Some(Spot { allocation: 1, offset: 0 }));
        assert_eq!(memory.find(b - 1, 1), None);
        assert_eq!(memory.nearest(a + 100).unwrap().name, "a");
        assert_eq!(memory.nearest(b - 4).unwrap().name, "b");
        assert!(b - a >= 100 + RED_ZONE);
    }

    #[test]
    fn freed_memory_is_gone_but_remembered() {
        let mut memory = Memory::new(0x1000);
        let a = memory.alloc(16, "a").unwrap();
        assert_eq!(memory.free(a + 1), Err(MemoryError::NotAllocated));
        memory.free(a).unwrap();
        assert_eq!(memory.find(a, 1), None);
        assert!(!memory.nearest(a).unwrap().live);
        assert_eq!(memory.free(a), Err(MemoryError::NotAllocated));
    }

    #[test]
    fn what_is_away_is_not_found_until_it_is_back() {
        let mut memory = Memory::new(0x1000);
        let plain = memory.alloc(16, "plain").unwrap();
        let shared = 0x800;
        memory.alloc_at(shared, 64, "shared").unwrap();
        assert_eq!(memory.find(shared + 63, 1).map(|spot| spot.offset), Some(63));
        assert!(memory.find(plain, 16).is_some());
        assert!(memory.set_away(shared, true));
        assert_eq!((memory.find(shared, 1), memory.is_away(shared + 5, 1)), (None, true));
        assert!(!memory.is_away(shared + 64, 1) && !memory.is_away(plain, 1));
        assert!(memory.set_away(shared, false) && memory.find(shared, 1).is_some());
        assert!(memory.set_away(shared, true) && memory.free(shared).is_ok());
        assert!(!memory.set_away(shared, false) && !memory.set_away(shared + 1, true));
    }

    #[test]
    fn what_is_in_flight_is_not_found_until_it_has_arrived() {
        let mut memory = Memory::new(0x1000);
        let a = memory.alloc(100, "a").unwrap();
        assert!(
            memory.set_in_flight(Rows::line(a + 20, 30), true)
                && !memory.set_in_flight(Rows::line(a + 90, 11), true)
        );
        assert!(memory.find(a, 20).is_some() && memory.find(a + 50, 50).is_some());
        for (offset, length) in [(19, 2), (20, 1), (49, 1), (0, 100)] {
            assert!(memory.find(a + offset, length).is_none(), "{offset}");
            assert!(memory.is_away(a + offset, length), "{offset}");
        }
        assert!(
            !memory.set_in_flight(Rows::line(a + 20, 29), false)
                && memory.set_in_flight(Rows::line(a + 20, 30), false)
        );
        assert!(memory.find(a, 100).is_some());
    }

    #[test]
    fn too_much_is_refused() {
        assert_eq!(Memory::new(0).alloc(MOST_BYTES + 1, "huge"), Err(MemoryError::OutOfMemory));
    }
}
