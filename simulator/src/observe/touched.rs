//! Which bytes of global memory a launch reads and writes: what has to be ordered with other streams.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Observer, Request};
use crate::exec::{AccessKind, LANES};
use crate::memory::Memory;
use crate::ptx::ast::Space;

/// One bit a byte of an allocation.
type Bytes = Vec<u64>;

/// The bytes touched, by allocation.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    reads: BTreeMap<u64, Bytes>,
    writes: BTreeMap<u64, Bytes>,
}

impl Touched {
    /// The ranges of addresses read, and those written.
    pub fn finish(self) -> (Vec<Range<u64>>, Vec<Range<u64>>) {
        (ranges(&self.reads), ranges(&self.writes))
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
            if request.kind != AccessKind::Write {
                set(&mut self.reads, base, size, offset, request.bytes);
            }
            if request.kind != AccessKind::Read {
                set(&mut self.writes, base, size, offset, request.bytes);
            }
        }
    }

    fn absorb(&mut self, other: Self) {
        for (mine, theirs) in [(&mut self.reads, other.reads), (&mut self.writes, other.writes)] {
            for (base, bytes) in theirs {
                let mine = mine.entry(base).or_insert_with(|| vec![0; bytes.len()]);
                mine.iter_mut().zip(bytes).for_each(|(mine, theirs)| *mine |= theirs);
            }
        }
    }
}
