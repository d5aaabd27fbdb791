//! Which bytes of global memory a launch reads and writes: what has to be ordered with other streams.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Observer, Request};
use crate::exec::{AccessKind, LANES};
use crate::launch::TouchedRanges;
use crate::memory::Memory;
use crate::ptx::ast::Space;

/// One bit a byte of an allocation.
type Bytes = Vec<u64>;

/// The bytes touched, by allocation.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    reads: BTreeMap<u64, Bytes>,
    writes: BTreeMap<u64, Bytes>,
    atomics: BTreeMap<u64, Bytes>,
}

impl Touched {
    /// The ranges of addresses read, written, and changed by atomics.
    pub fn finish(self) -> TouchedRanges {
        let Self { reads, writes, atomics } = &self;
        TouchedRanges { reads: ranges(reads), writes: ranges(writes), atomics: ranges(atomics) }
    }
}

fn ranges(touched: &BTreeMap<u64, Bytes>) -> Vec<Range<u64>> {
    let mut out: Vec<Range<u64>> = Vec::new();
    for (base, bytes) in touched {
        let set = |at: &u64| bytes[*at as usize / 64] >> (at % 64) & 1 == 1;
        for at in (0..bytes.len() as u64 * 64).filter(set) {
            let address = base + at;
            match out.last_mut() {
                Some(last) if last.end == address => last.end += 1,
                _ => out.push(address..address + 1),
            }
        }
    }
    out
}

fn set(touched: &mut BTreeMap<u64, Bytes>, base: u64, size: u64, offset: u64, length: u64) {
    let bytes = touched.entry(base).or_insert_with(|| vec![0; size.div_ceil(64) as usize]);
    for at in offset..offset + length {
        bytes[at as usize / 64] |= 1 << (at % 64);
    }
}

impl Observer for Touched {
    fn issue(&mut self, _: u32, _: u32) {}

    fn request(&mut self, _: u32, request: &Request<'_>, memory: &Memory) {
        if request.space != Space::Global {
            return;
        }
        for lane in (0..LANES).filter(|lane| request.mask >> lane & 1 == 1) {
            let address = request.addresses[lane];
            let Some(spot) = memory.find(address, request.bytes) else { continue };
            let allocation = &memory.allocations()[spot.allocation];
            let (base, size, offset) = (allocation.base, allocation.size, spot.offset as u64);
            let touched = match request.kind {
                AccessKind::Read => &mut self.reads,
                AccessKind::Write => &mut self.writes,
                AccessKind::Atomic => &mut self.atomics,
            };
            set(touched, base, size, offset, request.bytes);
        }
    }

    fn absorb(&mut self, other: Self) {
        let mine = [&mut self.reads, &mut self.writes, &mut self.atomics];
        for (mine, theirs) in mine.into_iter().zip([other.reads, other.writes, other.atomics]) {
            for (base, bytes) in theirs {
                let mine = mine.entry(base).or_insert_with(|| vec![0; bytes.len()]);
                mine.iter_mut().zip(bytes).for_each(|(mine, theirs)| *mine |= theirs);
            }
        }
    }
}
