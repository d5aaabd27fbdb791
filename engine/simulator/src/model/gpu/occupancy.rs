//! How many blocks of a kernel a multiprocessor holds at once, and what limits them.
//!
//! Follows the rules of NVIDIA's occupancy calculator: registers are given to warps in units, warps and
//! shared memory to blocks in units; the scarcest resource decides.

use super::gpus::Residency;

/// What one block needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Needs {
    /// Threads a block.
    pub threads: u32,
    /// Registers a thread, as the assembler reports them.
    pub registers: u32,
    /// Bytes of shared memory a block, static and dynamic.
    pub shared: u32,
}

/// What runs out first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scarce {
    /// Warps (threads) a multiprocessor.
    Warps,
    /// Blocks a multiprocessor.
    Blocks,
    /// Registers.
    Registers,
    /// Shared memory.
    Shared,
}

/// Blocks at once on one multiprocessor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Occupancy {
    /// Resident blocks; 0 if the block does not fit at all.
    pub blocks: u32,
    /// Resident warps as a share of the most a multiprocessor holds.
    pub share: f64,
    /// What limits it.
    pub limiter: Scarce,
}

/// Blocks of this kind that one multiprocessor holds.
pub fn occupancy(needs: Needs, has: &Residency) -> Occupancy {
    let warps = needs.threads.div_ceil(32).max(1);
    let by_warps = has.warps / warps;
    let by_registers = if needs.registers == 0 {
        u32::MAX
    } else {
        let of_warp = (needs.registers * 32).next_multiple_of(has.register_unit);
        // Registers are split over the schedulers; a warp's all come from one.
        let warps_that_fit = has.registers / has.schedulers / of_warp * has.schedulers;
        warps_that_fit / warps
    };
    let by_shared = match needs.shared + has.shared_reserved {
        0 => u32::MAX,
        bytes => has.shared / bytes.next_multiple_of(has.shared_unit),
    };
    let limits = [
        (by_warps, Scarce::Warps),
        (by_registers, Scarce::Registers),
        (by_shared, Scarce::Shared),
        (has.blocks, Scarce::Blocks),
    ];
    let (blocks, limiter) =
        limits.into_iter().min_by_key(|(blocks, _)| *blocks).expect("there are four limits");
    Occupancy { blocks, share: f64::from(blocks * warps) / f64::from(has.warps), limiter }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;
    use crate::model::gpu::find;

    #[test]
    fn the_scarcest_resource_decides() {
        let h200 = &find("h200").unwrap().residency;
        let of = |threads, registers, shared| {
            let occupancy = occupancy(Needs { threads, registers, shared }, h200);
            (occupancy.blocks, occupancy.limiter)
        };
        assert_eq!(of(256, 16, 0), (8, Scarce::Warps));
        assert_eq!(of(32, 16, 0), (32, Scarce::Blocks));
        assert_eq!(of(256, 64, 0), (4, Scarce::Registers));
        assert_eq!(of(256, 16, 100 * 1024), (2, Scarce::Shared));
        assert_eq!(of(1024, 255, 0).0, 0);
    }

    #[test]
    fn fermi_holds_eight_blocks() {
        let fermi = &find("gtx480").unwrap().residency;
        let occupancy = occupancy(Needs { threads: 64, registers: 10, shared: 0 }, fermi);
        assert_eq!((occupancy.blocks, occupancy.limiter), (8, Scarce::Blocks));
        assert!((occupancy.share - 16.0 / 48.0).abs() < 1e-9);
    }
}
