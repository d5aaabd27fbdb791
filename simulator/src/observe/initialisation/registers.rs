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
}

impl Registers {
    pub fn new(count: usize) -> Self {
        Self { dirty: vec![0; count], details: HashMap::new() }
    }

    /// A new block: all defined but these.
    pub fn reset(&mut self, undefined: &[u32], origin: u32) {
        self.dirty.fill(0);
        for &register in undefined {
            self.put(register, &[u64::MAX; LANES], &[origin; LANES], u32::MAX);
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
