//! Where atomics on global memory meet, and when.

mod granules;
mod phases;

use std::collections::BTreeMap;

use granules::{Granule, Granules};
use phases::AtomicPhases;

use super::requests::sector_rounds;
use crate::decode::{Action, AtomicOp, AtomicType};
use crate::exec::lanes;
use crate::model::counters::Counters;
use crate::observe::{Place, Request};

/// Follows atomics on global memory, block by block.
#[derive(Debug, Default)]
pub(super) struct GlobalAtomics {
    /// Blocks of the grid, and the part of it that runs now.
    blocks: u64,
    part: usize,
    granules: Granules,
    phases: AtomicPhases,
    /// Sectors of the current request: where, rounds, whether of several words.
    sectors: Vec<(Granule, u64, bool)>,
    /// Additions of floating-point numbers, by address.
    float_adds: BTreeMap<u64, u64>,
}

impl GlobalAtomics {
    /// On a grid of so many blocks.
    pub fn new(blocks: u64) -> Self {
        Self { blocks, ..Self::default() }
    }

    /// A block begins.
    pub fn block(&mut self, number: u64) {
        self.phases.close();
        self.part = Granules::part_of(number, self.blocks);
    }

    /// Adds a request, and puts its rounds among the events of its instruction.
    pub fn add(&mut self, request: &Request<'_>, place: &Place<'_>, counters: &mut Counters) {
        self.sectors.clear();
        sector_rounds(request, |address, rounds, several| {
            counters.global_atomic_rounds += rounds;
            counters.global_atomic_neighbours += if several { rounds } else { 0 };
            if let Some(granule) = Granule::at(address, place) {
                self.granules.add(self.part, granule, rounds, several, place);
                self.sectors.push((granule, rounds, several));
            }
        });
        self.phases.add(place.warp.index as usize, &self.sectors);
        if matches!(place.inst.action, Action::Atomic { op: AtomicOp::Add, ty: AtomicType::F32, .. }) {
            for lane in lanes(request.mask) {
                *self.float_adds.entry(request.addresses[lane]).or_default() += 1;
            }
        }
    }

    /// Puts the busiest place among a launch's events.
    pub fn finish(mut self, counters: &mut Counters) {
        self.phases.close();
        [counters.hottest_atomic_rounds, counters.hottest_atomic_neighbours] = self.hottest();
        counters.traffic.hottest_by_phase = self.phases.most();
    }

    /// The most rounds in one place, and how many of those were in sectors of several words.
    fn hottest(&self) -> [u64; 2] {
        // One addition of a floating-point number waits for the other: 1.75 ns at one address of an H200, integers 0.73.
        let floats = self.float_adds.values().max().unwrap_or(&0) * 12 / 5;
        let [rounds, neighbours] = self.granules.most();
        if floats > rounds { [floats, 0] } else { [rounds, neighbours] }
    }

    /// Adds another worker's.
    pub fn absorb(&mut self, mut other: Self) {
        other.phases.close();
        self.phases.close();
        self.phases.absorb(other.phases);
        self.granules.absorb(other.granules);
        for (address, times) in other.float_adds {
            *self.float_adds.entry(address).or_default() += times;
        }
    }
}
