//! What `cudaGetDeviceProperties` tells, in the workbook's own layout: `cudaDeviceProp` differs between CUDA
//! versions, and `include/runtime/device.cuh` copies this record into it field by field.

/// Bytes of the name in a record.
const NAME_BYTES: usize = 256;

/// Properties of a device, named as in `cudaDeviceProp`. Sizes in bytes, clocks in kHz.
#[expect(missing_docs, reason = "the CUDA runtime's manual documents them under these names")]
#[expect(clippy::struct_excessive_bools, reason = "a device has this many independent boolean properties")]
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DeviceProperties {
    pub name: String,
    pub total_global_mem: u64,
    pub shared_mem_per_block: u64,
    pub regs_per_block: u64,
    pub warp_size: u64,
    pub mem_pitch: u64,
    pub max_threads_per_block: u64,
    pub max_threads_dim: [u64; 3],
    pub max_grid_size: [u64; 3],
    pub clock_rate: u64,
    pub total_const_mem: u64,
    pub major: u64,
    pub minor: u64,
    pub multi_processor_count: u64,
    pub integrated: bool,
    pub can_map_host_memory: bool,
    pub concurrent_kernels: bool,
    pub ecc_enabled: bool,
    pub async_engine_count: u64,
    pub unified_addressing: bool,
    pub memory_clock_rate: u64,
    pub memory_bus_width: u64,
    pub l2_cache_size: u64,
    pub max_threads_per_multi_processor: u64,
    pub shared_mem_per_multiprocessor: u64,
    pub regs_per_multiprocessor: u64,
    pub managed_memory: bool,
    pub shared_mem_per_block_optin: u64,
    pub max_blocks_per_multi_processor: u64,
    pub reserved_shared_mem_per_block: u64,
    pub cooperative_launch: bool,
}

impl DeviceProperties {
    /// The record as the host function expects it: the name in 256 bytes, zeros after it, then one 64-bit word
    /// a value.
    pub fn record(&self) -> Vec<u8> {
        let mut record: Vec<u8> = self.name.bytes().take(NAME_BYTES - 1).collect();
        record.resize(NAME_BYTES, 0);
        record.extend(self.values().iter().flat_map(|(_, value)| value.to_le_bytes()));
        record
    }

    /// The values in the record's order, with their names in `cudaDeviceProp`.
    fn values(&self) -> [(&'static str, u64); 34] {
        [
            ("totalGlobalMem", self.total_global_mem),
            ("sharedMemPerBlock", self.shared_mem_per_block),
            ("regsPerBlock", self.regs_per_block),
            ("warpSize", self.warp_size),
            ("memPitch", self.mem_pitch),
            ("maxThreadsPerBlock", self.max_threads_per_block),
            ("maxThreadsDim[0]", self.max_threads_dim[0]),
            ("maxThreadsDim[1]", self.max_threads_dim[1]),
            ("maxThreadsDim[2]", self.max_threads_dim[2]),
            ("maxGridSize[0]", self.max_grid_size[0]),
            ("maxGridSize[1]", self.max_grid_size[1]),
            ("maxGridSize[2]", self.max_grid_size[2]),
            ("clockRate", self.clock_rate),
            ("totalConstMem", self.total_const_mem),
            ("major", self.major),
            ("minor", self.minor),
            ("multiProcessorCount", self.multi_processor_count),
            ("integrated", self.integrated.into()),
            ("canMapHostMemory", self.can_map_host_memory.into()),
            ("concurrentKernels", self.concurrent_kernels.into()),
            ("ECCEnabled", self.ecc_enabled.into()),
            ("asyncEngineCount", self.async_engine_count),
            ("unifiedAddressing", self.unified_addressing.into()),
            ("memoryClockRate", self.memory_clock_rate),
            ("memoryBusWidth", self.memory_bus_width),
            ("l2CacheSize", self.l2_cache_size),
            ("maxThreadsPerMultiProcessor", self.max_threads_per_multi_processor),
            ("sharedMemPerMultiprocessor", self.shared_mem_per_multiprocessor),
            ("regsPerMultiprocessor", self.regs_per_multiprocessor),
            ("managedMemory", self.managed_memory.into()),
            ("sharedMemPerBlockOptin", self.shared_mem_per_block_optin),
            ("maxBlocksPerMultiProcessor", self.max_blocks_per_multi_processor),
            ("reservedSharedMemPerBlock", self.reserved_shared_mem_per_block),
            ("cooperativeLaunch", self.cooperative_launch.into()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    const HEADER: &str = include_str!("../include/runtime/device.cuh");

    /// The header reads the words in the order of [`DeviceProperties::values`].
    #[test]
    fn the_header_reads_the_same_order() {
        let read: Vec<&str> = HEADER
            .lines()
            .filter_map(|line| line.trim().strip_suffix(" = *next++;"))
            .map(|target| match target {
                "const workbook::word clock_rate" => "clockRate",
                "const workbook::word memory_clock_rate" => "memoryClockRate",
                field => field.trim_start_matches("properties->"),
            })
            .collect();
        let written: Vec<&str> = DeviceProperties::default().values().iter().map(|(name, _)| *name).collect();
        assert_eq!(read, written);
        assert!(HEADER.contains(&format!("NAME_BYTES = {NAME_BYTES}, PROPERTY_COUNT = {} ", written.len())));
    }

    #[test]
    fn a_record_holds_a_terminated_name_and_the_words() {
        let properties = DeviceProperties {
            name: "x".repeat(300),
            total_global_mem: 0x0102,
            cooperative_launch: true,
            ..Default::default()
        };
        let record = properties.record();
        assert_eq!(record.len(), 256 + 34 * 8);
        assert_eq!(&record[254..260], b"x\0\x02\x01\0\0");
        assert_eq!(record[256 + 33 * 8..], 1_u64.to_le_bytes());
    }
}
