//! Which bytes of global memory a launch reads and writes: what has to be ordered with other streams.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Observer, Place, Request};
use crate::exec::{AccessKind, lanes};
use crate::ptx::ast::Space;

/// Bytes a word of bits speaks of.
const WORD: u64 = u64::BITS as u64;

/// One bit a byte, 64 bytes a word, by the address of the first ÷ 64.
type Bytes = BTreeMap<u64, u64>;

/// Addresses of global memory that work on the GPU touches, in ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TouchedRanges {
    /// Read.
    pub reads: Vec<Range<u64>>,
    /// Written.
    pub writes: Vec<Range<u64>>,
    /// Changed by atomic operations.
    pub atomics: Vec<Range<u64>>,
}

impl TouchedRanges {
    /// Only reads one range.
    pub fn read(address: u64, bytes: u64) -> Self {
        Self { reads: one(address, bytes), ..Self::default() }
    }

    /// Only writes one range.
    pub fn write(address: u64, bytes: u64) -> Self {
        Self { writes: one(address, bytes), ..Self::default() }
    }
}

fn one(address: u64, bytes: u64) -> Vec<Range<u64>> {
    std::iter::once(address..address + bytes).collect()
}

/// The bytes touched.
#[derive(Debug, Default)]
pub(crate) struct Touched {
    reads: Bytes,
    writes: Bytes,
    atomics: Bytes,
}

impl Touched {
    /// The ranges of addresses read, written, and changed by atomics.
    pub fn finish(self) -> TouchedRanges {
        let Self { reads, writes, atomics } = &self;
        TouchedRanges { reads: ranges(reads), writes: ranges(writes), atomics: ranges(atomics) }
    }
}

fn ranges(touched: &Bytes) -> Vec<Range<u64>> {
    let mut out: Vec<Range<u64>> = Vec::new();
    for (word, bits) in touched {
        for at in (0..WORD).filter(|at| bits >> at & 1 == 1) {
            let address = word * WORD + at;
            match out.last_mut() {
                Some(last) if last.end == address => last.end += 1,
                _ => out.push(address..address + 1),
            }
        }
    }
    out
}

fn set(touched: &mut Bytes, address: u64, length: u64) {
    for at in address..address + length {
        *touched.entry(at / WORD).or_default() |= 1 << (at % WORD);
    }
}

impl Observer for Touched {
    fn issue(&mut self, _pc: u32, _mask: u32) {}

    fn access(&mut self, _pc: u32, request: &Request<'_>, _place: &Place<'_>) {
        if !matches!(request.space, Space::Global | Space::Const) {
            return;
        }
        for lane in lanes(request.mask) {
            let address = request.addresses[lane];
            let touched = match request.kind {
                AccessKind::Read => &mut self.reads,
                AccessKind::Write => &mut self.writes,
                AccessKind::Atomic => &mut self.atomics,
            };
            set(touched, address, request.bytes);
        }
    }

    fn absorb(&mut self, other: Self) {
        let mine = [&mut self.reads, &mut self.writes, &mut self.atomics];
        for (mine, theirs) in mine.into_iter().zip([other.reads, other.writes, other.atomics]) {
            for (word, bits) in theirs {
                *mine.entry(word).or_default() |= bits;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_bytes_make_one_range_across_words() {
        let mut touched = Bytes::new();
        set(&mut touched, 126, 4);
        set(&mut touched, 130, 1);
        set(&mut touched, 200, 2);
        assert_eq!(ranges(&touched), [126..131, 200..202]);
    }
}
