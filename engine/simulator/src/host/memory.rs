//! The memory of a host program, which lives from one call of its functions to the next.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::memory::Memory;
use crate::module::Module;

/// Variables, `static` ones of functions among them, and what was allocated and not freed.
#[derive(Debug)]
pub struct HostMemory {
    pub(super) memory: Memory,
    /// Address and size of the caller's buffers in the last call.
    pub(super) buffers: Vec<(u64, u64)>,
}

impl HostMemory {
    /// The memory before the first call.
    pub fn new(module: &Module) -> Self {
        let mut memory = module.memory();
        // Their contents come from the device, where something else may have left them.
        for variable in module.managed_variables() {
            memory.set_away(variable.address, true);
        }
        Self { memory, buffers: Vec::new() }
    }

    /// Whether a variable holds another value than before the first call.
    pub fn changed(&self, module: &Module) -> bool {
        module.initial_variables().any(|(address, initial)| {
            let now = self.memory.bytes(address, initial.len() as u64);
            now.is_ok_and(|now| now != initial)
        })
    }

    /// Whether these bytes lie in one live allocation.
    pub fn holds(&self, address: u64, length: u64) -> bool {
        self.memory.find(address, length).is_some()
    }

    /// Of these ranges of addresses, those that a variable points into, or memory that a variable leads to: the program can still
    /// reach them. The numbers are places in `ranges`.
    pub fn reached(&self, ranges: &[Range<u64>]) -> BTreeSet<usize> {
        let mut reached = BTreeSet::new();
        if ranges.is_empty() {
            return reached;
        }
        let all = self.memory.allocations();
        let mut seen: Vec<bool> =
            all.iter().map(|known| known.variable && known.live && !known.constant).collect();
        let mut left: Vec<usize> = (0..all.len()).filter(|&index| seen[index]).collect();
        while let Some(index) = left.pop() {
            let words = all[index].data.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
            for word in words.filter(|&word| word != 0) {
                reached.extend(ranges.iter().position(|range| range.contains(&word)));
                if let Some(spot) = self.memory.find(word, 1)
                    && !std::mem::replace(&mut seen[spot.allocation], true)
                {
                    left.push(spot.allocation);
                }
            }
        }
        reached
    }
}
