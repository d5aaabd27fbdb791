//! The threads' own memory in the L2: which of it goes to DRAM because there is too much of it.
//!
//! Nobody else uses a warp's own memory, and all warps at once use theirs alike: so each has an equal share of the L2. How
//! large that is depends on the GPU and on how many warps the whole launch has at once, which a sample does not know. So
//! several shares are tried. Of a share, the lines that were used last are there. A line has four sectors; what is missing
//! comes from DRAM two sectors at a time, and what was stored goes back when the line leaves, two sectors at a time if both were.

use crate::exec::lanes;
use crate::model::count::requests::SECTOR;
use crate::model::counters::{KEPT_LINES, Spilled};
use crate::observe::Request;

const SIZES: usize = KEPT_LINES.len();
/// Sectors of a line.
const SECTORS: u64 = 4;
/// Beyond the largest share a line is forgotten.
const MOST: usize = KEPT_LINES[SIZES - 1];

/// A line, for each share: which halves are there, and which sectors are newer than in DRAM.
#[derive(Debug, Clone, Copy)]
struct Line {
    number: u64,
    there: [u8; SIZES],
    dirty: [u8; SIZES],
}

/// By warp.
#[derive(Debug, Default)]
pub(in crate::model::count) struct Spill {
    /// The line used last is the last.
    warps: Vec<Vec<Line>>,
    pub spilled: [Spilled; SIZES],
}

impl Spill {
    /// For blocks of so many warps.
    pub fn new(warps: usize) -> Self {
        Self { warps: vec![Vec::new(); warps], ..Self::default() }
    }

    /// A warp loads or stores these places, as they lie in memory.
    pub fn access(&mut self, warp: usize, request: &Request<'_>, store: bool) {
        let mut lanes = lanes(request.mask).map(|lane| request.addresses[lane]).peekable();
        while let Some(first) = lanes.next() {
            // Neighbours in one line count as one.
            let (line, mut sectors, mut count) = (first / (SECTORS * SECTOR), 0u8, [0u64; 4]);
            let mut note = |address: u64| {
                let sector = address / SECTOR % SECTORS;
                sectors |= 1 << sector;
                count[sector as usize] += request.bytes;
            };
            note(first);
            while let Some(address) = lanes.next_if(|next| next / (SECTORS * SECTOR) == line) {
                note(address);
            }
            let whole =
                (0..4).filter(|&sector| count[sector] >= SECTOR).fold(0, |all, sector| all | 1 << sector);
            self.line(warp, line, sectors, store.then_some(whole));
        }
    }

    /// Sectors of a line are used: loaded, or stored to, and which of them wholly.
    fn line(&mut self, warp: usize, number: u64, sectors: u8, stored: Option<u8>) {
        let lines = &mut self.warps[warp];
        let place = lines.iter().rposition(|line| line.number == number);
        // What was never used has nothing in DRAM.
        let mut line = Line { number, there: [0b11; SIZES], dirty: [0; SIZES] };
        if let Some(at) = place {
            let since = lines.len() - 1 - at;
            line = lines.remove(at);
            for (size, &kept) in KEPT_LINES.iter().enumerate() {
                if since >= kept {
                    self.spilled[size].leaves(line.dirty[size]);
                    (line.there[size], line.dirty[size]) = (0, 0);
                }
            }
        }
        let needs = match stored {
            None => sectors,
            Some(whole) => sectors & !whole,
        };
        for size in 0..SIZES {
            for half in 0..2 {
                let of_half = (sectors >> (2 * half)) & 0b11;
                if of_half != 0 && line.there[size] >> half & 1 == 0 {
                    line.there[size] |= 1 << half;
                    let missing = (needs >> (2 * half)) & 0b11;
                    self.spilled[size].read += match stored {
                        None => 2,
                        Some(_) => u64::from(missing.count_ones()),
                    };
                }
            }
            if stored.is_some() {
                line.dirty[size] |= sectors;
            }
        }
        lines.push(line);
        if lines.len() > MOST {
            let oldest = lines.remove(0);
            for (spilled, dirty) in self.spilled.iter_mut().zip(oldest.dirty) {
                spilled.leaves(dirty);
            }
        }
    }

    /// The block ends: what lies within the share need not go to DRAM.
    pub fn close(&mut self) {
        for lines in &mut self.warps {
            for (since, line) in lines.drain(..).rev().enumerate() {
                for (size, &kept) in KEPT_LINES.iter().enumerate() {
                    if since >= kept {
                        self.spilled[size].leaves(line.dirty[size]);
                    }
                }
            }
        }
    }
}

impl Spilled {
    /// A line leaves of which these sectors were stored to.
    fn leaves(&mut self, dirty: u8) {
        for half in [dirty & 0b11, dirty >> 2] {
            match half {
                0 => {}
                0b11 => self.pairs += 1,
                _ => self.halves += 1,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::exec::{AccessKind, FULL, LANES};
    use crate::ptx::ast::Space;

    /// One warp that uses a line after the other: all of it, or one word.
    fn spilled(uses: impl Iterator<Item = (u64, bool, bool)>) -> [Spilled; SIZES] {
        let mut spill = Spill::new(1);
        for (line, all, store) in uses {
            let addresses: [u64; LANES] = std::array::from_fn(|lane| 128 * line + 4 * lane as u64);
            let mask = if all { FULL } else { 1 };
            spill.access(0, &Request::new(Space::Local, AccessKind::Read, mask, &addresses, 4), store);
        }
        spill.close();
        spill.spilled
    }

    #[test]
    fn what_fits_stays() {
        let uses = (0..4).flat_map(|round| (0..256).map(move |line| (line, true, round < 2)));
        let all = spilled(uses);
        assert_eq!(all[3..], [Spilled::default(); 3]);
        // What is larger than its share comes round again just when it has left: two rounds of stores, one of loads that leave
        // nothing to write, and both rounds of loads read.
        assert_eq!(all[2], Spilled { read: 2 * 256 * 4, halves: 0, pairs: 2 * 256 * 2 });
    }

    #[test]
    fn a_word_brings_two_sectors_and_takes_one_along() {
        let rounds =
            (0..3).flat_map(|_| (0..64).flat_map(|line| [(line, false, false), (line, false, true)]));
        let all = spilled(rounds);
        assert_eq!(all[0].read, 2 * 64 * 2, "all but the first round");
        assert_eq!((all[0].halves, all[0].pairs), (2 * 64 + 32, 0), "all that left");
        assert_eq!(all[1], Spilled::default());
    }

    #[test]
    fn a_part_that_is_stored_needs_the_rest_of_its_sector() {
        let rounds = (0..2).flat_map(|_| (0..64).map(|line| (line, false, true)));
        assert_eq!(spilled(rounds)[0].read, 64);
    }
}
