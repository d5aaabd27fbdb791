//! Counts what the timing model needs: instructions, sectors, wavefronts, atomics, by instruction.

use std::collections::BTreeMap;

use super::{Observer, Request};
use crate::decode::Program;
use crate::exec::{AccessKind, LANES};
use crate::finding::Location;
use crate::launch::{Counters, LineCounters};
use crate::memory::Memory;
use crate::ptx::ast::Space;

/// Bytes of a sector, the unit in which DRAM and L2 are read and written.
const SECTOR: u64 = 32;
/// Bytes that shared memory delivers in one pass: 32 banks of 4 bytes.
const BANKS: u64 = 32;

/// The counting observer.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    /// Events by instruction.
    by_instruction: Vec<Counters>,
    /// Sectors read and written at least once: a bit each, by allocation address.
    read: BTreeMap<u64, Vec<u64>>,
    written: BTreeMap<u64, Vec<u64>>,
}

impl Counting {
    /// Counts for a program.
    pub fn new(program: &Program) -> Self {
        Self { by_instruction: vec![Counters::default(); program.code.len()], ..Self::default() }
    }

    /// The launch's totals, and the events by source line.
    pub fn finish(self, program: &Program, lines: &LineTable) -> (Counters, Vec<LineCounters>) {
        let ones = |bits: &BTreeMap<u64, Vec<u64>>| -> u64 {
            bits.values().flatten().map(|word| u64::from(word.count_ones())).sum()
        };
        let mut total = Counters {
            unique_read_sectors: ones(&self.read),
            unique_write_sectors: ones(&self.written),
            ..Counters::default()
        };
        let mut by_line: BTreeMap<Location, Counters> = BTreeMap::new();
        for (inst, counters) in program.code.iter().zip(&self.by_instruction) {
            let mut counters = counters.clone();
            counters.mix[inst.class as usize] = counters.warp_instructions;
            total.add(&counters);
            if counters.warp_instructions > 0
                && let Some(location) = lines.get(inst.location)
            {
                by_line.entry(Location { column: 0, ..location.clone() }).or_default().add(&counters);
            }
        }
        let lines =
            by_line.into_iter().map(|(location, counters)| LineCounters { location, counters }).collect();
        (total, lines)
    }
}

/// Source locations by number, unwound to the student's file.
#[derive(Debug, Clone, Default)]
pub(crate) struct LineTable {
    /// Entry 0 is unknown.
    pub locations: Vec<Option<Location>>,
}

impl LineTable {
    /// The student's line behind a location number.
    pub fn get(&self, number: u32) -> Option<&Location> {
        self.locations.get(number as usize)?.as_ref()
    }
}

impl Observer for Counting {
    fn issue(&mut self, pc: u32, mask: u32) {
        let counters = &mut self.by_instruction[pc as usize];
        counters.warp_instructions += 1;
        counters.thread_instructions += u64::from(mask.count_ones());
    }

    fn request(&mut self, pc: u32, request: &Request<'_>, memory: &Memory) {
        let counters = &mut self.by_instruction[pc as usize];
        match (request.space, request.kind) {
            (Space::Shared, AccessKind::Atomic) => {
                counters.shared_atomics += u64::from(request.mask.count_ones());
                counters.atomic_requests += 1;
                counters.atomic_rounds += rounds(request);
            }
            (Space::Shared, _) => {
                counters.shared_requests += 1;
                counters.shared_wavefronts += wavefronts(request);
                counters.shared_wavefronts_least += used(request).div_ceil(4 * BANKS);
            }
            (Space::Global, kind) => {
                let sectors = sectors(request);
                match kind {
                    AccessKind::Read => {
                        counters.global_load_requests += 1;
                        counters.global_load_sectors += sectors;
                        counters.global_sectors_least += used(request).div_ceil(SECTOR);
                    }
                    AccessKind::Write => {
                        counters.global_store_requests += 1;
                        counters.global_store_sectors += sectors;
                        counters.global_sectors_least += used(request).div_ceil(SECTOR);
                    }
                    AccessKind::Atomic => {
                        counters.global_atomics += u64::from(request.mask.count_ones());
                        counters.atomic_requests += 1;
                        counters.atomic_rounds += rounds(request);
                    }
                }
                let bits = if kind == AccessKind::Read { &mut self.read } else { &mut self.written };
                mark(bits, request, memory);
            }
            // Constant cache, local memory and parameters: not part of the first estimate.
            _ => {}
        }
    }

    fn absorb(&mut self, other: Self) {
        for (mine, theirs) in self.by_instruction.iter_mut().zip(&other.by_instruction) {
            mine.add(theirs);
        }
        for (mine, theirs) in [(&mut self.read, other.read), (&mut self.written, other.written)] {
            for (base, words) in theirs {
                let target = mine.entry(base).or_insert_with(|| vec![0; words.len()]);
                for (a, b) in target.iter_mut().zip(&words) {
                    *a |= b;
                }
            }
        }
    }
}

fn active<'a>(request: &'a Request<'_>) -> impl Iterator<Item = u64> + 'a {
    (0..LANES).filter(|lane| request.mask >> lane & 1 == 1).map(|lane| request.addresses[lane])
}

/// Distinct bytes that a request uses: lanes that share an address count once.
fn used(request: &Request<'_>) -> u64 {
    // The usual case first: each lane's address is above its neighbour's.
    let mut last = None;
    let mut rising = true;
    for address in active(request) {
        rising &= last.is_none_or(|last| address > last);
        last = Some(address);
    }
    if rising {
        return u64::from(request.mask.count_ones()) * request.bytes;
    }
    let mut distinct = [0u64; LANES];
    let mut count = 0;
    for address in active(request) {
        if !distinct[..count].contains(&address) {
            distinct[count] = address;
            count += 1;
        }
    }
    count as u64 * request.bytes
}

/// The most lanes with the same address.
fn rounds(request: &Request<'_>) -> u64 {
    let mut seen = [(0u64, 0u64); LANES];
    let mut count = 0;
    for address in active(request) {
        if let Some(entry) = seen[..count].iter_mut().find(|entry| entry.0 == address) {
            entry.1 += 1;
        } else {
            seen[count] = (address, 1);
            count += 1;
        }
    }
    seen[..count].iter().map(|entry| entry.1).max().unwrap_or(0)
}

/// Distinct sectors of one request.
fn sectors(request: &Request<'_>) -> u64 {
    // A lane's bytes never cross a sector: accesses are aligned and at most 32 bytes.
    let mut seen = [0u64; LANES];
    let mut count = 0;
    let mut last = u64::MAX;
    for address in active(request) {
        let sector = address / SECTOR;
        if sector != last && !seen[..count].contains(&sector) {
            seen[count] = sector;
            count += 1;
        }
        last = sector;
    }
    count as u64
}

/// Passes that shared memory needs for a request: the most distinct 4-byte words in one bank. Accesses of 8
/// and 16 bytes a lane are served half-warps and quarter-warps at a time.
fn wavefronts(request: &Request<'_>) -> u64 {
    let words = request.bytes.div_ceil(4).max(1);
    let lanes_at_once = (LANES as u64 / words).max(1) as usize;
    let mut total = 0;
    for first in (0..LANES).step_by(lanes_at_once) {
        let mut banks: [Vec<u64>; BANKS as usize] = std::array::from_fn(|_| Vec::new());
        for lane in (first..first + lanes_at_once).filter(|lane| request.mask >> lane & 1 == 1) {
            for word in 0..words {
                let word = request.addresses[lane] / 4 + word;
                let bank = &mut banks[(word % BANKS) as usize];
                if !bank.contains(&word) {
                    bank.push(word);
                }
            }
        }
        total += banks.iter().map(Vec::len).max().unwrap_or(0) as u64;
    }
    total
}

/// Notes the sectors of a request as touched.
fn mark(bits: &mut BTreeMap<u64, Vec<u64>>, request: &Request<'_>, memory: &Memory) {
    let mut last = u64::MAX;
    let mut cached: Option<(u64, u64)> = None;
    for address in active(request) {
        if address / SECTOR == last {
            continue;
        }
        last = address / SECTOR;
        if cached.is_none_or(|(base, size)| address < base || address - base >= size) {
            let Some(spot) = memory.find(address, 1) else { continue };
            let allocation = &memory.allocations()[spot.allocation];
            cached = Some((allocation.base, allocation.size));
        }
        let Some((base, size)) = cached else { continue };
        let words =
            bits.entry(base).or_insert_with(|| vec![0; (size.div_ceil(SECTOR) as usize).div_ceil(64).max(1)]);
        let sector = ((address - base) / SECTOR) as usize;
        words[sector / 64] |= 1 << (sector % 64);
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    fn request(bytes: u64, address: impl Fn(u64) -> u64) -> [u64; LANES] {
        let _ = bytes;
        std::array::from_fn(|lane| address(lane as u64))
    }

    fn of(addresses: &[u64; LANES], bytes: u64) -> Request<'_> {
        Request { space: Space::Shared, kind: AccessKind::Read, mask: u32::MAX, addresses, bytes }
    }

    #[test]
    fn bank_conflicts_count_passes() {
        for (stride, passes) in [(4, 1), (8, 2), (128, 32), (0, 1), (12, 1), (132, 1)] {
            let addresses = request(4, |lane| lane * stride);
            assert_eq!(wavefronts(&of(&addresses, 4)), passes, "stride {stride}");
        }
        assert_eq!(wavefronts(&of(&request(16, |lane| lane * 16), 16)), 4);
        assert_eq!(wavefronts(&of(&request(1, |lane| lane), 1)), 1);
    }

    #[test]
    fn sectors_are_counted_once() {
        for (stride, count) in [(1, 1), (4, 4), (16, 16), (3, 3), (4096, 32), (0, 1)] {
            let addresses = request(1, |lane| lane * stride);
            assert_eq!(sectors(&of(&addresses, 1)), count, "stride {stride}");
        }
    }
}
