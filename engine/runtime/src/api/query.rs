//! Properties of the GPU: `cudaDeviceGetAttribute`, `cudaGetDeviceProperties`.

use kernels::{DeviceProperties, HostCall};
use simulator::host::HostView;

use super::state::{Outcome, Refusal, Runtime, malformed};
use crate::codes;
use crate::engine::Limits;

impl Runtime<'_> {
    pub(super) fn device_attribute(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, attribute, device] = words else { return Err(malformed(HostCall::DeviceGetAttribute)) };
        only_device(device)?;
        let value =
            attribute_value(self.engine.limits(), attribute).ok_or(Refusal::Code(codes::INVALID_VALUE))?;
        Ok(host.write(result, &value.to_le_bytes())?)
    }

    pub(super) fn device_properties(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, device] = words else { return Err(malformed(HostCall::GetDeviceProperties)) };
        only_device(device)?;
        Ok(host.write(result, &properties(self.engine.limits()).record())?)
    }

    /// `cudaPointerGetAttributes`: the `cudaMemoryType` of an address.
    pub(super) fn pointer_attributes(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        const UNREGISTERED: u64 = 0;
        const HOST: u64 = 1;
        const DEVICE: u64 = 2;
        const MANAGED: u64 = 3;
        let &[address, result] = words else { return Err(malformed(HostCall::PointerGetAttributes)) };
        let kind = if self.managed_at(address).is_some() {
            MANAGED
        } else if self.allocation_at(address).is_some() {
            DEVICE
        } else if self.pinned_at(address, 1).is_some() {
            HOST
        } else {
            UNREGISTERED
        };
        Ok(host.write(result, &kind.to_le_bytes())?)
    }
}

fn only_device(device: u64) -> Outcome<()> {
    if device == 0 { Ok(()) } else { Err(Refusal::Code(codes::INVALID_DEVICE)) }
}

fn properties(limits: &Limits) -> DeviceProperties {
    DeviceProperties {
        name: limits.name.clone(),
        total_global_mem: limits.total_memory,
        shared_mem_per_block: limits.shared.into(),
        regs_per_block: 65_536,
        warp_size: 32,
        mem_pitch: i32::MAX as u64,
        max_threads_per_block: limits.block_threads.into(),
        max_threads_dim: limits.block.map(u64::from),
        max_grid_size: limits.grid.map(u64::from),
        clock_rate: limits.clock_khz.into(),
        total_const_mem: 65_536,
        major: (limits.capability / 10).into(),
        minor: (limits.capability % 10).into(),
        multi_processor_count: limits.multiprocessors.into(),
        integrated: false,
        can_map_host_memory: true,
        concurrent_kernels: true,
        ecc_enabled: false,
        async_engine_count: 1,
        unified_addressing: true,
        memory_clock_rate: limits.memory_clock_khz.into(),
        memory_bus_width: limits.bus_bits.into(),
        l2_cache_size: limits.l2,
        max_threads_per_multi_processor: limits.multiprocessor_threads.into(),
        shared_mem_per_multiprocessor: limits.multiprocessor_shared.into(),
        regs_per_multiprocessor: 65_536,
        managed_memory: true,
        shared_mem_per_block_optin: limits.shared_opt_in.into(),
        max_blocks_per_multi_processor: limits.multiprocessor_blocks.into(),
        reserved_shared_mem_per_block: 0,
        cooperative_launch: limits.cooperative(),
    }
}

/// The value of a `cudaDeviceAttr` (numbers of `driver_types.h`); `None` for an attribute that the workbook does not
/// know.
fn attribute_value(limits: &Limits, attribute: u64) -> Option<i32> {
    let value = match attribute {
        1 => limits.block_threads,
        2..=4 => limits.block[attribute as usize - 2],
        5..=7 => limits.grid[attribute as usize - 5],
        8 => limits.shared,
        10 => 32,
        11 => i32::MAX as u32,
        // Bytes of constant memory, registers of a block and of a multiprocessor.
        9 | 12 | 82 => 65_536,
        13 => limits.clock_khz,
        16 => limits.multiprocessors,
        36 => limits.memory_clock_khz,
        37 => limits.bus_bits,
        // A display, memory shared with the host, how many programs may use it, errors that are corrected.
        17 | 18 | 20 | 32 => 0,
        // Kernels can use memory of the host, registered or not; they run side by side, with copies; one space of addresses; priorities,
        // managed memory, pools.
        15 | 19 | 31 | 40 | 41 | 78 | 83 | 89 | 99 | 115 => 1,
        38 => limits.l2 as u32,
        39 => limits.multiprocessor_threads,
        75 => limits.capability / 10,
        76 => limits.capability % 10,
        81 => limits.multiprocessor_shared,
        95 => u32::from(limits.cooperative()),
        97 => limits.shared_opt_in,
        106 => limits.multiprocessor_blocks,
        _ => return None,
    };
    Some(value as i32)
}
