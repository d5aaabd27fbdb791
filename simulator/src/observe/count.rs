//! Counts what the timing model needs: instructions, sectors, wavefronts, atomics, by instruction.

use std::collections::BTreeMap;

use super::requests::{BANKS, SECTOR, Sectors, rounds, sectors, used, wavefronts};
use super::{Observer, Place, Request};
use crate::decode::Program;
use crate::exec::AccessKind;
use crate::finding::Location;
use crate::launch::{Counters, LineCounters};
use crate::ptx::ast::Space;

/// The counting observer.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    /// Events by instruction.
    by_instruction: Vec<Counters>,
    /// Sectors of global memory read and written at least once.
    read: Sectors,
    written: Sectors,
    /// For [`rounds`].
    tally: Vec<u8>,
}

impl Counting {
    /// Counts for a program.
    pub fn new(program: &Program) -> Self {
        Self { by_instruction: vec![Counters::default(); program.code.len()], ..Self::default() }
    }

    /// The launch's totals, and the events by source line.
    pub fn finish(self, program: &Program, lines: &LineTable) -> (Counters, Vec<LineCounters>) {
        let mut total = Counters {
            unique_read_sectors: self.read.count(),
            unique_write_sectors: self.written.count(),
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
    #[inline(always)]
    fn issue(&mut self, pc: u32, mask: u32) {
        let counters = &mut self.by_instruction[pc as usize];
        counters.warp_instructions += 1;
        counters.thread_instructions += u64::from(mask.count_ones());
    }

    fn access(&mut self, pc: u32, request: &Request<'_>, place: &Place<'_>) {
        let counters = &mut self.by_instruction[pc as usize];
        match (request.space, request.kind) {
            (Space::Shared, AccessKind::Atomic) => {
                counters.shared_atomics += u64::from(request.mask.count_ones());
                counters.atomic_requests += 1;
                counters.atomic_rounds += rounds(request, &mut self.tally);
            }
            (Space::Shared, _) => {
                counters.shared_requests += 1;
                counters.shared_wavefronts += wavefronts(request);
                counters.shared_wavefronts_least += used(request).div_ceil(4 * BANKS);
            }
            (Space::Global, kind) => {
                match kind {
                    AccessKind::Read => {
                        counters.global_load_requests += 1;
                        counters.global_load_sectors += sectors(request);
                        counters.global_sectors_least += used(request).div_ceil(SECTOR);
                    }
                    AccessKind::Write => {
                        counters.global_store_requests += 1;
                        counters.global_store_sectors += sectors(request);
                        counters.global_sectors_least += used(request).div_ceil(SECTOR);
                    }
                    AccessKind::Atomic => {
                        counters.global_atomics += u64::from(request.mask.count_ones());
                        counters.atomic_requests += 1;
                        counters.atomic_rounds += rounds(request, &mut self.tally);
                    }
                }
                let touched = if kind == AccessKind::Read { &mut self.read } else { &mut self.written };
                touched.mark(request, place);
            }
            // Constant cache, local memory and parameters: not part of the first estimate.
            _ => {}
        }
    }

    fn texels(&mut self, pc: u32, request: &Request<'_>, fresh: u32, place: &Place<'_>) {
        if fresh != 0 {
            let asked = Request::new(request.space, request.kind, fresh, request.addresses, request.bytes);
            self.access(pc, &asked, place);
        }
    }

    fn absorb(&mut self, other: Self) {
        for (mine, theirs) in self.by_instruction.iter_mut().zip(&other.by_instruction) {
            mine.add(theirs);
        }
        self.read.absorb(other.read);
        self.written.absorb(other.written);
    }
}
