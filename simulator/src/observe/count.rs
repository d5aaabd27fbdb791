//! Counts what the timing model needs: instructions, sectors, wavefronts, atomics, by instruction.

use std::collections::BTreeMap;

use super::footprint::Footprint;
use super::{Observer, Request};
use crate::decode::Program;
use crate::exec::{AccessKind, LANES};
use crate::finding::Location;
use crate::launch::{Counters, LineCounters};
use crate::memory::Memory;
use crate::ptx::ast::Space;

/// Bytes of a sector, the unit in which DRAM and L2 are read and written.
pub(super) const SECTOR: u64 = 32;
/// Bytes that shared memory delivers in one pass: 32 banks of 4 bytes.
const BANKS: u64 = 32;

/// The counting observer.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    /// Events by instruction.
    by_instruction: Vec<Counters>,
    /// The source location of each instruction.
    locations: Vec<u32>,
    /// Sectors touched, by source location.
    footprints: Vec<Footprint>,
}

impl Counting {
    /// Counts for a program.
    pub fn new(program: &Program) -> Self {
        let locations: Vec<u32> = program.code.iter().map(|inst| inst.location).collect();
        let known = locations.iter().max().map_or(0, |&last| last as usize + 1);
        Self {
            by_instruction: vec![Counters::default(); program.code.len()],
            locations,
            footprints: vec![Footprint::default(); known],
        }
    }

    /// The launch's totals, and the events by source line; with what [`super::Chains`] saw, if it watched too.
    pub fn finish(
        mut self,
        program: &Program,
        lines: &LineTable,
        lengthened: Option<Vec<u64>>,
    ) -> (Counters, Vec<LineCounters>) {
        for (counters, lengthened) in self.by_instruction.iter_mut().zip(lengthened.unwrap_or_default()) {
            counters.dependency_depth = lengthened;
        }
        let mut total = Counters::default();
        let mut by_line: BTreeMap<Location, (Counters, Footprint)> = BTreeMap::new();
        let line = |location: u32| Some(Location { column: 0, ..lines.get(location)?.clone() });
        for (inst, counters) in program.code.iter().zip(&mut self.by_instruction) {
            counters.mix[inst.class as usize] = counters.warp_instructions;
            total.add(counters);
            if counters.warp_instructions > 0
                && let Some(line) = line(inst.location)
            {
                by_line.entry(line).or_default().0.add(counters);
            }
        }
        let mut touched = Footprint::default();
        for (location, footprint) in self.footprints.iter().enumerate() {
            touched.union(footprint);
            if let Some(entry) = line(location as u32).and_then(|line| by_line.get_mut(&line)) {
                entry.1.union(footprint);
            }
        }
        total.touched(&touched);
        let lines = by_line.into_iter().map(|(location, (mut counters, footprint))| {
            counters.touched(&footprint);
            LineCounters { location, counters }
        });
        (total, lines.collect())
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

impl Counters {
    /// An atomic request; `rounds`: the most lanes at one address.
    fn count_atomic(&mut self, rounds: u64) {
        self.atomic_requests += 1;
        self.atomic_rounds += rounds;
        self.atomic_rounds_most = self.atomic_rounds_most.max(rounds);
    }

    fn touched(&mut self, footprint: &Footprint) {
        self.unique_read_sectors = footprint.read.count();
        self.unique_write_sectors = footprint.written.count();
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
                counters.count_atomic(rounds(request));
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
                        counters.count_atomic(rounds(request));
                    }
                }
                let footprint = &mut self.footprints[self.locations[pc as usize] as usize];
                let touched =
                    if kind == AccessKind::Read { &mut footprint.read } else { &mut footprint.written };
                touched.mark(request, memory);
            }
            // Constant cache, local memory and parameters: not part of the first estimate.
            _ => {}
        }
    }

    fn absorb(&mut self, other: Self) {
        for (mine, theirs) in self.by_instruction.iter_mut().zip(&other.by_instruction) {
            mine.add(theirs);
        }
        for (mine, theirs) in self.footprints.iter_mut().zip(&other.footprints) {
            mine.union(theirs);
        }
    }
}

/// The active lanes' addresses.
pub(super) fn active<'a>(request: &'a Request<'_>) -> impl Iterator<Item = u64> + 'a {
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
