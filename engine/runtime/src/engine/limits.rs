//! The limits of a GPU, and its properties as `cudaGetDeviceProperties` returns them.

use simulator::model::Gpu;

/// Limits and properties of one GPU. Sources: CUDA C Programming Guide, table "Technical Specifications per
/// Compute Capability".
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Name of the GPU.
    pub name: String,
    /// Compute capability: 90 for 9.0.
    pub capability: u32,
    /// Threads in a block.
    pub block_threads: u32,
    /// Threads in a block, by dimension.
    pub block: [u32; 3],
    /// Blocks in a grid, by dimension.
    pub grid: [u32; 3],
    /// Shared memory of a block, in bytes.
    pub shared: u32,
    /// The same after `cudaFuncSetAttribute(…MaxDynamicSharedMemorySize…)`.
    pub shared_opt_in: u32,
    /// Resident threads of a multiprocessor.
    pub multiprocessor_threads: u32,
    /// Resident blocks of a multiprocessor.
    pub multiprocessor_blocks: u32,
    /// Shared memory of a multiprocessor, in bytes.
    pub multiprocessor_shared: u32,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// Memory, in bytes.
    pub memory: u64,
    /// The GPU's memory as it answers when it is asked; the simulator has less room.
    pub total_memory: u64,
    /// L2 cache, in bytes.
    pub l2: u64,
    /// SM clock in kHz.
    pub clock_khz: u32,
    /// Memory clock in kHz.
    pub memory_clock_khz: u32,
    /// Memory bus in bits.
    pub bus_bits: u32,
}

/// Memory of a simulated GPU: small enough for the simulator to hold without swapping.
const SIMULATED_MEMORY: u64 = 2 << 30;

impl Limits {
    /// The limits of a simulated GPU: what the real one answers, as if other programs used most of its memory.
    pub fn simulated(gpu: &Gpu) -> Self {
        let (memory_clock_khz, bus_bits) = gpu.memory_interface;
        Self {
            name: gpu.title.to_owned(),
            multiprocessors: gpu.multiprocessors,
            memory: SIMULATED_MEMORY.min(gpu.memory_bytes),
            total_memory: gpu.memory_bytes,
            l2: gpu.l2_bytes,
            clock_khz: (gpu.clock_hz / 1e3) as u32,
            memory_clock_khz,
            bus_bits,
            ..Self::of_capability(gpu.capability)
        }
    }

    /// The limits of a real GPU.
    pub fn real(gpu: &cuda::driver::DeviceProperties) -> Self {
        Self {
            name: gpu.name.clone(),
            multiprocessors: gpu.multiprocessors,
            memory: gpu.memory_bytes,
            total_memory: gpu.memory_bytes,
            l2: gpu.l2_bytes,
            clock_khz: gpu.clock_khz,
            memory_clock_khz: gpu.memory_clock_khz,
            bus_bits: gpu.bus_bits,
            ..Self::of_capability(gpu.capability)
        }
    }

    /// Whether it supports cooperative launches: compute capability 6.0 or newer.
    pub fn cooperative(&self) -> bool {
        self.capability >= 60
    }

    /// Pixels of the largest texture in plain memory without rows.
    pub fn linear_texture(&self) -> u64 {
        if self.capability >= 75 { 1 << 28 } else { 1 << 27 }
    }

    fn of_capability(capability: u32) -> Self {
        const KIB: u32 = 1024;
        let (shared_opt_in, multiprocessor_shared) = match capability {
            ..=36 => (48 * KIB, 48 * KIB),
            37 => (48 * KIB, 112 * KIB),
            50 | 53 | 60 | 62 => (48 * KIB, 64 * KIB),
            52 | 61 => (48 * KIB, 96 * KIB),
            70 | 72 => (96 * KIB, 96 * KIB),
            75 => (64 * KIB, 64 * KIB),
            80 | 87 => (163 * KIB, 164 * KIB),
            86 | 89 | 120 | 121 => (99 * KIB, 100 * KIB),
            _ => (227 * KIB, 228 * KIB),
        };
        let (multiprocessor_threads, multiprocessor_blocks) = match capability {
            ..=29 => (1536, 8),
            30..=49 => (2048, 16),
            75 => (1024, 16),
            86 | 87 => (1536, 16),
            89 | 120 | 121 => (1536, 24),
            _ => (2048, 32),
        };
        let wide = if capability >= 30 { i32::MAX as u32 } else { 65_535 };
        Self {
            name: String::new(),
            capability,
            block_threads: 1024,
            block: [1024, 1024, 64],
            grid: [wide, 65_535, 65_535],
            shared: 48 * KIB,
            shared_opt_in,
            multiprocessor_threads,
            multiprocessor_blocks,
            multiprocessor_shared,
            multiprocessors: 0,
            memory: 0,
            total_memory: 0,
            l2: 0,
            clock_khz: 0,
            memory_clock_khz: 0,
            bus_bits: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use simulator::model::gpus;

    use super::*;

    #[test]
    fn every_simulated_gpu_answers_like_the_real_one() {
        for gpu in gpus() {
            let limits = Limits::simulated(gpu);
            let answers = [limits.clock_khz, limits.memory_clock_khz, limits.bus_bits, limits.l2 as u32];
            assert!(answers.iter().all(|answer| *answer > 0), "{}: {answers:?}", gpu.name);
            // Two transfers per clock: the peak is above what a copy reaches, and below twice that.
            let peak = 2e3 * f64::from(limits.memory_clock_khz) * f64::from(limits.bus_bits) / 8.0;
            let reached = peak / gpu.dram_bytes_per_second;
            assert!((1.0..2.0).contains(&reached), "{}: {reached}", gpu.name);
        }
    }
}
