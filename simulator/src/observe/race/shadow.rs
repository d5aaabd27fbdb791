//! What each byte remembers of its last accesses, as flat arrays of stamps.
//!
//! A stamp is an event number, whether the access was atomic, and the lane. Event numbers rise with time, so
//! that "before the last barrier" is a comparison of numbers.

use crate::exec::LANES;

/// In a stamp: the access was atomic.
pub(super) const ATOMIC: u32 = 1 << 5;
/// Bits of a stamp below its event number.
pub(super) const EVENT_SHIFT: u32 = 6;
/// More events than this cannot be told apart.
pub(super) const MOST_EVENTS: usize = 1 << (32 - EVENT_SHIFT);

/// Stamps of an array, by byte. Each table is empty until it is first needed.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    /// The last store or atomic.
    pub write: Vec<u32>,
    /// The last plain store that atomics have covered since.
    pub covered: Vec<u32>,
    /// The last load.
    pub read: Vec<u32>,
    /// The last load before the current warp's turn.
    pub older: Vec<u32>,
}

/// Which stamps need no second look.
#[derive(Debug, Clone, Copy)]
pub(super) struct Harmless {
    /// From 1 up to this: accesses of earlier blocks, which nothing orders. 0 for shared memory, whose
    /// earlier stamps are of other arrays.
    pub foreign: u32,
    /// From here on: accesses of this block that no barrier of the whole block has ordered.
    pub recent: u32,
    /// `ATOMIC` if atomic accesses are in order, as the one at hand is atomic too.
    pub atomic: u32,
}

impl Harmless {
    /// Whether any of these stamps may be in conflict with the access at hand.
    #[inline(always)]
    pub fn none_suspicious(self, stamps: &[u32]) -> bool {
        let mut suspicious = false;
        for &stamp in stamps {
            let doubtful = stamp.wrapping_sub(1) < self.foreign || stamp >= self.recent;
            suspicious |= doubtful && stamp & self.atomic == 0;
        }
        !suspicious
    }
}

fn part(table: &[u32], start: usize, count: usize) -> &[u32] {
    if table.is_empty() { &[] } else { &table[start..start + count] }
}

impl Shadow {
    /// Whether an access to `count` bytes from `start` needs a second look.
    #[inline(always)]
    pub fn suspicious(&self, start: usize, count: usize, write: bool, harmless: Harmless) -> bool {
        !harmless.none_suspicious(part(&self.write, start, count))
            || !harmless.none_suspicious(part(&self.covered, start, count))
            || write
                && !(harmless.none_suspicious(part(&self.read, start, count))
                    && harmless.none_suspicious(part(&self.older, start, count)))
    }

    /// Makes the tables that an access of this kind needs.
    pub fn prepare(&mut self, write: bool, atomic: bool, size: usize) {
        if write && self.write.is_empty() {
            self.write.resize(size, 0);
        }
        if atomic && self.covered.is_empty() {
            self.covered.resize(size, 0);
        }
        if !write && self.read.is_empty() {
            self.read.resize(size, 0);
            self.older.resize(size, 0);
        }
    }

    /// Keeps the plain stores that an atomic is about to cover.
    pub fn cover(&mut self, start: usize, count: usize) {
        let covered = &mut self.covered[start..start + count];
        for (covered, &stamp) in covered.iter_mut().zip(&self.write[start..start + count]) {
            if stamp & ATOMIC == 0 {
                *covered = stamp;
            }
        }
    }

    /// Notes a store of all lanes to consecutive bytes, `B` each.
    #[inline(always)]
    pub fn write_row<const B: usize>(&mut self, start: usize, stamp: u32) {
        let row = &mut self.write[start..start + B * LANES];
        for (lane, bytes) in row.as_chunks_mut::<B>().0.iter_mut().enumerate() {
            *bytes = [stamp + lane as u32; B];
        }
    }

    /// Notes a load of all lanes. A reader before `turn` is kept as the older one.
    #[inline(always)]
    pub fn read_row<const B: usize>(&mut self, start: usize, stamp: u32, turn: u32) {
        let read = self.read[start..start + B * LANES].as_chunks_mut::<B>().0;
        let older = self.older[start..start + B * LANES].as_chunks_mut::<B>().0;
        for (lane, (read, older)) in read.iter_mut().zip(older).enumerate() {
            for (read, older) in read.iter_mut().zip(older) {
                *older = if *read < turn { *read } else { *older };
                *read = stamp + lane as u32;
            }
        }
    }

    /// Notes a load of one lane.
    #[inline(always)]
    pub fn read_one<const B: usize>(&mut self, start: usize, stamp: u32, turn: u32) {
        let read = &mut self.read[start..start + B];
        let older = &mut self.older[start..start + B];
        for (read, older) in read.iter_mut().zip(older) {
            *older = if *read < turn { *read } else { *older };
            *read = stamp;
        }
    }
}
