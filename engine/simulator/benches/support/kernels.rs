//! The kernels that the speed of the simulator is measured on, with inputs and launch shapes. Shared by the
//! criterion benchmark and the comparison with other simulators.

use std::sync::Arc;

use simulator::{Checks, Device, Launch, LaunchReport, Limits, Module};

const BASICS: &str = include_str!("../../tests/programs/basics.ptx");
const SCAN: &str = include_str!("../programs/scan.ptx");

/// Image of all workloads, in pixels.
pub const WIDTH: u32 = 1024;
/// See [`WIDTH`].
pub const HEIGHT: u32 = 1024;

/// How much the simulator watches: name in benchmarks and tables, and the checks. Bounds, alignment and address
/// spaces are always checked.
pub const LEVELS: [(&str, Checks); 6] = [
    ("unchecked", Checks::NONE),
    ("counting", Checks::COUNT),
    ("initialisation", Checks { initialisation: true, ..Checks::NONE }),
    ("races", Checks { races: true, ..Checks::NONE }),
    ("analyses", Checks { initialisation: true, races: true, ..Checks::NONE }),
    ("all", Checks::ALL),
];

/// One kernel and what it is launched on.
#[derive(Debug, Clone)]
pub struct Workload {
    pub name: &'static str,
    /// Pixels that one launch reads or makes.
    pub pixels: u64,
    ptx: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    /// Bytes of the input, then of the output.
    buffers: [usize; 2],
    /// The `int` arguments that follow the two pointers.
    sizes: &'static [u32],
    /// Whether the kernel adds to its output, which is zero then; else nothing wrote it before.
    adds: bool,
}

impl Workload {
    /// One pixel a thread.
    pub fn gray() -> Self {
        let pixels = WIDTH * HEIGHT;
        Self {
            name: "gray",
            pixels: u64::from(pixels),
            ptx: BASICS,
            grid: [pixels.div_ceil(256), 1, 1],
            block: [256, 1, 1],
            buffers: [3 * pixels as usize, pixels as usize],
            sizes: &[WIDTH * HEIGHT],
            adds: false,
        }
    }

    /// A histogram per block in shared memory, grid-stride.
    pub fn histogram() -> Self {
        let pixels = WIDTH * HEIGHT;
        let buffers = [pixels as usize, 1024];
        Self { name: "histogram", grid: [264, 1, 1], buffers, adds: true, ..Self::gray() }
    }

    /// The plain 5×5 box filter, one pixel a thread.
    pub fn box5() -> Self {
        let pixels = (WIDTH * HEIGHT) as usize;
        Self {
            name: "box",
            grid: [WIDTH.div_ceil(32), HEIGHT.div_ceil(8), 1],
            block: [32, 8, 1],
            buffers: [pixels, pixels],
            sizes: &[WIDTH, HEIGHT],
            ..Self::gray()
        }
    }

    /// Scans within warps by shuffles.
    pub fn scan() -> Self {
        let bytes = 4 * (WIDTH * HEIGHT) as usize;
        Self { name: "scan", ptx: SCAN, buffers: [bytes, bytes], ..Self::gray() }
    }

    /// Warp instructions of one launch.
    pub fn warp_instructions(&self) -> u64 {
        self.prepare().launch(Checks::COUNT).counters.warp_instructions
    }

    /// Loads the module and fills the input with noise.
    pub fn prepare(&self) -> Prepared {
        let module = Arc::new(Module::from_ptx(self.ptx).expect("the PTX is valid"));
        let mut device = Device::new(module, Limits::default());
        let mut arguments = Vec::new();
        for (size, name) in self.buffers.iter().zip(["input", "output"]) {
            let address = device.alloc(*size as u64, name).expect("memory for the benchmark");
            arguments.push(address.to_le_bytes().to_vec());
            if name == "input" {
                device.write(address, &noise(*size)).expect("the input fits");
            } else if self.adds {
                device.write(address, &vec![0; *size]).expect("the output fits");
            }
        }
        arguments.extend(self.sizes.iter().map(|size| size.to_le_bytes().to_vec()));
        Prepared { workload: self.clone(), device, arguments }
    }
}

/// A workload ready to be launched again and again.
#[derive(Debug)]
pub struct Prepared {
    workload: Workload,
    device: Device,
    arguments: Vec<Vec<u8>>,
}

impl Prepared {
    /// Runs the kernel once.
    pub fn launch(&mut self, checks: Checks) -> LaunchReport {
        let launch = Launch {
            kernel: self.workload.name,
            grid: self.workload.grid,
            block: self.workload.block,
            dynamic_shared: 0,
            cooperative: false,
            arguments: &self.arguments,
            checks,
            order: simulator::Order::Forward,
        };
        let report = self.device.launch(&launch).expect("the simulator knows this kernel");
        assert!(!report.stopped && report.findings.is_empty(), "{:?}", report.findings);
        report
    }
}

/// Bytes without a pattern, the same on every run.
fn noise(count: usize) -> Vec<u8> {
    (0..count as u64).map(|i| ((i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as u8).collect()
}
