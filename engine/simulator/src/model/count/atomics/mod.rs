//! Where atomics on global memory meet.

mod granules;

use std::collections::BTreeMap;

use granules::{Granule, Granules};

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
        self.part = Granules::part_of(number, self.blocks);
    }

    /// Adds a request, and puts its rounds among the events of its instruction.
    pub fn add(&mut self, request: &Request<'_>, place: &Place<'_>, counters: &mut Counters) {
        sector_rounds(request, |address, rounds, several| {
            counters.global_atomic_rounds += rounds;
            counters.global_atomic_neighbours += if several { rounds } else { 0 };
            if let Some(granule) = Granule::at(address, place) {
                self.granules.add(self.part, granule, rounds, several, place);
            }
        });
        if matches!(place.inst.action, Action::Atomic { op: AtomicOp::Add, ty: AtomicType::F32, .. }) {
            for lane in lanes(request.mask) {
                *self.float_adds.entry(request.addresses[lane]).or_default() += 1;
            }
        }
    }

    /// Puts the busiest place among a launch's events.
    pub fn finish(self, counters: &mut Counters) {
        [counters.hottest_atomic_rounds, counters.hottest_atomic_neighbours] = self.hottest();
    }

    /// The most rounds in one place, and how many of those were in sectors of several words.
    fn hottest(&self) -> [u64; 2] {
        // One addition of a floating-point number waits for the other: 1.75 ns at one address of an H200, integers 0.73.
        let floats = self.float_adds.values().max().unwrap_or(&0) * 12 / 5;
        let [rounds, neighbours] = self.granules.most();
        if floats > rounds { [floats, 0] } else { [rounds, neighbours] }
    }

    /// Adds another worker's.
    pub fn absorb(&mut self, other: Self) {
        self.granules.absorb(other.granules);
        for (address, times) in other.float_adds {
            *self.float_adds.entry(address).or_default() += times;
        }
    }
}
