//! What each byte remembers of its last accesses, as flat arrays of stamps: one for a cell of bytes that were
//! always accessed together, up to four.
//!
//! A stamp is an event number, whether the access was atomic, and the lane. Event numbers rise with time, so
//! that "before the last barrier" is a comparison of numbers.

use crate::isa::{BIT, LANES};

/// In a stamp: the access was atomic.
pub(super) const ATOMIC: u32 = 1 << 5;
/// Bits of a stamp below its event number.
pub(super) const EVENT_SHIFT: u32 = 6;
/// More events than this cannot be told apart.
pub(super) const MOST_EVENTS: usize = 1 << (32 - EVENT_SHIFT);

/// Most bytes of a cell: an array of words needs a stamp a word.
const LARGEST_CELL: usize = 4;

/// Stamps of an array, by cell. Each table is empty until it is first needed.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    /// Bytes of a cell, a power of two: no access was narrower. 0 before the first.
    pub cell: usize,
    /// The last store or atomic.
    pub write: Vec<u32>,
    /// The last plain store that atomics have covered since.
    pub covered: Vec<u32>,
    /// The last atomic of an earlier block that this block's atomics have covered since.
    pub foreign: Vec<u32>,
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
    /// Whether an access to `count` cells from `start` needs a second look.
    #[inline(always)]
    pub fn suspicious(&self, start: usize, count: usize, write: bool, harmless: Harmless) -> bool {
        !harmless.none_suspicious(part(&self.write, start, count))
            || !harmless.none_suspicious(part(&self.covered, start, count))
            || !harmless.none_suspicious(part(&self.foreign, start, count))
            || write
                && !(harmless.none_suspicious(part(&self.read, start, count))
                    && harmless.none_suspicious(part(&self.older, start, count)))
    }

    /// Whether any of these accesses to a cell each, of the lanes in `mask`, needs a second look.
    #[inline(always)]
    pub fn any_suspicious(&self, cells: &[usize; LANES], mask: u32, write: bool, harmless: Harmless) -> bool {
        let fine = |table: &[u32]| {
            let mut stamps = [0; LANES];
            if !table.is_empty() {
                for lane in 0..LANES {
                    stamps[lane] = if mask & BIT[lane] != 0 { table[cells[lane]] } else { 0 };
                }
            }
            table.is_empty() || harmless.none_suspicious(&stamps)
        };
        !(fine(&self.write)
            && fine(&self.covered)
            && fine(&self.foreign)
            && (!write || fine(&self.read) && fine(&self.older)))
    }

    /// Makes the tables that an access of this kind to `bytes` bytes per lane needs, in an array of `size` bytes
    /// that starts at `base`.
    #[inline]
    pub fn prepare(&mut self, write: bool, atomic: bool, size: usize, base: u64, bytes: usize) {
        // Accesses are aligned, so that they begin with a cell if the array does.
        let cell = (1 << base.trailing_zeros().min(8)).min(bytes).min(LARGEST_CELL);
        if self.cell == 0 {
            self.cell = cell;
        } else if cell < self.cell {
            self.refine(cell);
        }
        let cells = size.div_ceil(self.cell);
        if write && self.write.is_empty() {
            self.write = vec![0; cells];
        }
        if atomic && self.covered.is_empty() {
            self.covered = vec![0; cells];
            self.foreign = vec![0; cells];
        }
        if !write && self.read.is_empty() {
            self.read = vec![0; cells];
            self.older = vec![0; cells];
        }
    }

    /// Splits the cells.
    #[cold]
    fn refine(&mut self, cell: usize) {
        let parts = self.cell / cell;
        for table in [&mut self.write, &mut self.covered, &mut self.foreign, &mut self.read, &mut self.older]
        {
            *table = table.iter().flat_map(|&stamp| std::iter::repeat_n(stamp, parts)).collect();
        }
        self.cell = cell;
    }

    /// Keeps what an atomic is about to cover: plain stores, and atomics before the stamp `own`, the block's first.
    ///
    /// `draws`: the thread uses what the atomic returns, and so knows of all atomics before it.
    #[inline(always)]
    pub fn cover(&mut self, start: usize, count: usize, own: u32, draws: bool) {
        let covered = self.covered[start..start + count].iter_mut();
        let kept = covered.zip(&mut self.foreign[start..start + count]);
        for ((covered, foreign), &stamp) in kept.zip(&self.write[start..start + count]) {
            let atomic = stamp & ATOMIC != 0;
            *covered = if atomic { *covered } else { stamp };
            *foreign = if draws {
                0
            } else if atomic && stamp < own {
                stamp
            } else {
                *foreign
            };
        }
    }

    /// Notes a store by lanes to `count` consecutive cells, `C` per lane; `stamp` is the first lane's.
    #[inline(always)]
    pub fn write_row<const C: usize>(&mut self, start: usize, count: usize, stamp: u32) {
        let row = &mut self.write[start..start + count];
        for (lane, cells) in row.as_chunks_mut::<C>().0.iter_mut().enumerate() {
            *cells = [stamp + lane as u32; C];
        }
    }

    /// Notes a load likewise. A reader before `turn` is kept as the older one.
    #[inline(always)]
    pub fn read_row<const C: usize>(&mut self, start: usize, count: usize, stamp: u32, turn: u32) {
        let read = &mut self.read[start..start + count];
        // The usual case, in which no older reader is to be kept, leaves that table untouched: it may never
        // need memory.
        if read.iter().fold(0, |all, stamp| all | stamp) != 0 {
            for (read, older) in read.iter().zip(&mut self.older[start..start + count]) {
                *older = if *read < turn { *read } else { *older };
            }
        }
        for (lane, cells) in read.as_chunks_mut::<C>().0.iter_mut().enumerate() {
            *cells = [stamp + lane as u32; C];
        }
    }

    /// Notes a load of one lane.
    #[inline(always)]
    pub fn read_one<const C: usize>(&mut self, start: usize, stamp: u32, turn: u32) {
        let read: &mut [u32; C] = (&mut self.read[start..start + C]).try_into().expect("C cells");
        if read.iter().any(|&stamp| stamp != 0) {
            for (read, older) in read.iter().zip(&mut self.older[start..start + C]) {
                *older = if *read < turn { *read } else { *older };
            }
        }
        *read = [stamp; C];
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn a_narrower_access_keeps_what_is_known() {
        let stamp = 7 << EVENT_SHIFT;
        let mut shadow = Shadow::default();
        shadow.prepare(true, false, 256, 0, 16);
        shadow.write_row::<1>(1, 1, stamp);
        shadow.prepare(false, false, 256, 0, 4);
        shadow.read_one::<1>(2, stamp, 0);
        assert_eq!((shadow.cell, shadow.write.len(), shadow.read.len()), (4, 64, 64));
        // Another reader, in a later turn, and an atomic.
        let later = 9 << EVENT_SHIFT | ATOMIC;
        shadow.prepare(true, true, 256, 0, 4);
        shadow.cover(1, 1, 0, false);
        shadow.write_row::<1>(1, 1, later);
        shadow.read_row::<1>(2, 1, later, later);
        shadow.prepare(true, false, 256, 0, 2);
        assert_eq!(shadow.cell, 2);
        let tables = [&shadow.write, &shadow.covered, &shadow.read, &shadow.older];
        assert_eq!(tables.map(Vec::len), [128; 4]);
        assert_eq!(
            tables.map(|table| table[1..7].to_vec()),
            [
                vec![0, later, later, 0, 0, 0],
                vec![0, stamp, stamp, 0, 0, 0],
                vec![0, 0, 0, later, later, 0],
                vec![0, 0, 0, stamp, stamp, 0],
            ]
        );
    }

    #[test]
    fn the_reader_before_the_turn_is_kept() {
        let [first, second, third] = [7, 8, 9].map(|event| event << EVENT_SHIFT);
        for row in [true, false] {
            let mut shadow = Shadow::default();
            shadow.prepare(false, false, 64, 0, 4);
            // The second and third are of one turn.
            for stamp in [first, second, third] {
                if row {
                    shadow.read_row::<1>(3, 1, stamp, second);
                } else {
                    shadow.read_one::<1>(3, stamp, second);
                }
            }
            assert_eq!((shadow.read[3], shadow.older[3]), (third, first), "{row}");
        }
    }

    #[test]
    fn cells_begin_where_accesses_do() {
        let mut shadow = Shadow::default();
        shadow.prepare(true, false, 10, 0x1002, 2);
        assert_eq!(shadow.cell, 2);
        shadow.prepare(false, false, 10, 0x1002, 8);
        assert_eq!((shadow.cell, shadow.read.len()), (2, 5));
    }
}
