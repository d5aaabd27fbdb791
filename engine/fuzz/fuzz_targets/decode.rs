//! No PTX makes decoding or a launch panic.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use simulator::{Checks, Device, Launch, Limits, Module};

fuzz_target!(|text: &str| {
    let Ok(module) = Module::from_ptx(text) else { return };
    let module = Arc::new(module);
    let limits = Limits { block_instructions: 2_000, launch_instructions: 4_000 };
    for kernel in module.kernels() {
        // Parameters of any size can be declared; only those of real kernels are worth a launch.
        if kernel.parameter_sizes.iter().sum::<usize>() > 4096 {
            continue;
        }
        let mut device = Device::new(Arc::clone(&module), limits);
        let Ok(buffer) = device.alloc(4096, "buffer") else { continue };
        let word = buffer.to_le_bytes();
        let arguments: Vec<Vec<u8>> =
            kernel.parameter_sizes.iter().map(|&size| word.into_iter().cycle().take(size).collect()).collect();
        let _ = device.launch(&Launch {
            kernel: &kernel.name,
            grid: [2, 1, 1],
            block: [40, 1, 1],
            dynamic_shared: 256, cooperative: false,
            arguments: &arguments,
            checks: Checks::ALL,
            order: simulator::Order::Forward,
        });
    }
});
