//! Which register bits of a warp are undefined, and where they came from.

use std::collections::HashMap;

use super::rules::{Column, column_of};
use crate::exec::{LANES, lanes};

/// Undefined bits and origin of one register, where any lane has some.
#[derive(Debug, Clone)]
struct Detail {
    bits: Column,
    origin: [u32; LANES],
}

/// One warp's registers, by their numbers.
#[derive(Debug, Clone, Default)]
pub(super) struct Registers {
    /// Lanes with an undefined bit.
    pub dirty: Vec<u32>,
    /// Kept only for registers that were dirty once.
    details: HashMap<u32, Detail>,
    /// By lane, for each running call of a function that calls itself: its dirty registers before the call.
    put_by: Vec<Vec<Vec<Kept>>>,
}

/// A register's undefined bits in one lane, and where they came from.
#[derive(Debug, Clone, Copy)]
struct Kept {
    register: u32,
    bits: u64,
    origin: u32,
}

impl Registers {
    pub fn new(count: usize) -> Self {
        Self { dirty: vec![0; count], details: HashMap::new(), put_by: vec![Vec::new(); LANES] }
    }

    /// A new block: all defined but these.
    pub fn reset(&mut self, undefined: &[u32], origin: u32) {
        self.dirty.fill(0);
        self.put_by.iter_mut().for_each(Vec::clear);
        for &register in undefined {
            self.put(register, &[u64::MAX; LANES], &[origin; LANES], u32::MAX);
        }
    }

    /// Puts what is known of these registers by in the lanes of `mask`; the new call's are undefined if it may read
    /// them before it writes them.
    pub fn put_by(
        &mut self,
        registers: impl Iterator<Item = u32>,
        unassigned: impl Fn(u32) -> bool,
        mask: u32,
    ) {
        for lane in lanes(mask) {
            self.put_by[lane].push(Vec::new());
        }
        for register in registers {
            for lane in lanes(mask & self.dirty[register as usize]) {
                let detail = &self.details[&register];
                let kept = Kept { register, bits: detail.bits[lane], origin: detail.origin[lane] };
                self.put_by[lane].last_mut().expect("just pushed").push(kept);
            }
            self.dirty[register as usize] &= !mask;
            if unassigned(register) {
                self.put(register, &[u64::MAX; LANES], &[0; LANES], mask);
            }
        }
    }

    /// Restores the registers that were saved last.
    pub fn take_back(&mut self, registers: impl Iterator<Item = u32>, mask: u32) {
        for register in registers {
            self.dirty[register as usize] &= !mask;
        }
        for lane in lanes(mask) {
            for kept in self.put_by[lane].pop().unwrap_or_default() {
                self.put(kept.register, &[kept.bits; LANES], &[kept.origin; LANES], 1 << lane);
            }
        }
    }

    /// The undefined bits of a register.
    pub fn bits(&self, register: u32) -> Column {
        let dirty = self.dirty[register as usize];
        match self.details.get(&register) {
            Some(detail) if dirty != 0 => {
                let lane = column_of(dirty);
                std::array::from_fn(|l| detail.bits[l] * lane[l])
            }
            _ => [0; LANES],
        }
    }

    /// Where the undefined bits of a lane came from.
    pub fn origin(&self, register: u32, lane: usize) -> u32 {
        self.details.get(&register).map_or(0, |detail| detail.origin[lane])
    }

    /// Replaces the lanes in `mask`.
    pub fn put(&mut self, register: u32, bits: &Column, origin: &[u32; LANES], mask: u32) {
        let detail =
            self.details.entry(register).or_insert_with(|| Detail { bits: [0; LANES], origin: [0; LANES] });
        let dirty = &mut self.dirty[register as usize];
        for lane in lanes(mask) {
            detail.bits[lane] = bits[lane];
            detail.origin[lane] = origin[lane];
            *dirty = *dirty & !(1 << lane) | u32::from(bits[lane] != 0) << lane;
        }
    }
}
