//! The mechanisms of the timing model, each with its unit, where it comes from, and how to do without it.
//!
//! `workshop model --ablate` leaves out one after the other, fits the rest again, and says what the cross-validated error becomes.
//! What does not lower it is not worth its lines.

use simulator::Counters;
use simulator::model::counters::{CriticalPath, SchedulerBalance};
use simulator::model::machine::MachineWork;
use simulator::model::{Gpu, Kernel, Whole};

/// A launch and the GPU of a model that lacks something.
pub struct Without<'a> {
    /// The launch.
    pub kernel: &'a mut Kernel,
    /// How it grows.
    pub whole: &'a mut Whole,
    /// The GPU.
    pub gpu: &'a mut Gpu,
}

/// Something that the model knows of GPUs.
pub struct Mechanism {
    /// Its name.
    pub name: &'static str,
    /// What its counts are counted in.
    pub unit: &'static str,
    /// Where its figures come from.
    pub source: &'static str,
    /// Does without it.
    pub off: fn(&mut Without<'_>),
}

impl Without<'_> {
    fn counters(&mut self) -> &mut Counters {
        &mut self.kernel.counters
    }

    fn machine(&mut self, change: impl Fn(&mut MachineWork)) {
        self.kernel.machine.iter_mut().for_each(change);
    }
}

/// Measured by `workshop micro`.
const MICRO: &str = "workshop micro";
/// Seen in the counters of the profiler.
const PROFILER: &str = "the GPU's counters, and workshop micro";
/// Found in the validation kernels.
const CHOSEN: &str = "chosen, or fitted";
/// Follows from how GPUs work.
const GUIDE: &str = "CUDA C Programming Guide";

/// All of them.
pub const MECHANISMS: [Mechanism; 21] = [
    Mechanism {
        name: "machine code instead of PTX",
        unit: "instructions",
        source: "the cubin",
        off: |all| all.kernel.machine = None,
    },
    Mechanism {
        name: "from one block to the next",
        unit: "blocks",
        source: MICRO,
        off: |all| all.gpu.rates.turn = [0.0; 2],
    },
    Mechanism {
        name: "first loads of a launch",
        unit: "launches",
        source: MICRO,
        off: |all| all.gpu.rates.first_seconds = 0.0,
    },
    Mechanism {
        name: "the slowest warp of a block",
        unit: "deviations",
        source: MICRO,
        off: |all| all.gpu.rates.far_deviation = [0.0; 2],
    },
    Mechanism {
        name: "in a round of a loop only the first load waits for DRAM",
        unit: "rounds",
        source: MICRO,
        off: |all| all.machine(|work| work.rounds_missed = f64::INFINITY),
    },
    Mechanism {
        name: "neighbouring blocks wait for the same sectors",
        unit: "sectors",
        source: PROFILER,
        off: |all| {
            let counters = all.counters();
            counters.traffic.first_by_request = [counters.unique_read_sectors; 6];
            counters.traffic.first_by_round = [counters.unique_read_sectors; 6];
        },
    },
    Mechanism {
        name: "bank conflicts and lines of a warp alone",
        unit: "passes",
        source: MICRO,
        off: |all| all.machine(|work| work.conflicts = 0.0),
    },
    Mechanism {
        name: "the longest block",
        unit: "cycles",
        source: "critical paths of the PTX",
        off: |all| all.counters().longest_path = CriticalPath::default(),
    },
    Mechanism {
        name: "sectors stored in part",
        unit: "sectors",
        source: MICRO,
        off: |all| all.counters().traffic.partial_sectors = 0,
    },
    Mechanism {
        name: "lines stored",
        unit: "lines",
        source: MICRO,
        off: |all| all.counters().traffic.store_lines = 0,
    },
    Mechanism {
        name: "multiprocessors that load the same at once",
        unit: "sectors",
        source: PROFILER,
        off: |all| {
            let counters = all.counters();
            counters.traffic.distinct_missed_sectors = counters.missed_sectors;
        },
    },
    Mechanism {
        name: "data of an earlier launch in the L2",
        unit: "bytes",
        source: MICRO,
        off: |all| all.whole.earlier = None,
    },
    Mechanism {
        name: "atomics in the busiest slice of the L2",
        unit: "rounds",
        source: MICRO,
        off: |all| {
            let counters = all.counters();
            counters.hottest_atomic_rounds = 0;
            counters.hottest_atomic_neighbours = 0;
        },
    },
    Mechanism {
        name: "atomics of several words of a sector",
        unit: "rounds",
        source: MICRO,
        off: |all| all.gpu.rates.atomic_neighbours = 1.0,
    },
    Mechanism {
        name: "atomics behind a warp's last load",
        unit: "atomics",
        source: CHOSEN,
        off: |all| all.counters().traffic.last_atomics = 0,
    },
    Mechanism {
        name: "schedulers with more to do",
        unit: "instructions",
        source: PROFILER,
        off: |all| all.counters().scheduler_balance = SchedulerBalance::default(),
    },
    Mechanism {
        name: "constant memory serves one address at a time",
        unit: "passes",
        source: MICRO,
        off: |all| all.counters().constant_passes = 0,
    },
    Mechanism {
        name: "textures",
        unit: "cycles",
        source: MICRO,
        off: |all| all.counters().texture_passes = 0,
    },
    Mechanism { name: "matches", unit: "values", source: MICRO, off: |all| all.counters().match_values = 0 },
    Mechanism {
        name: "starting blocks",
        unit: "blocks",
        source: MICRO,
        off: |all| all.gpu.rates.block_seconds = 0.0,
    },
    Mechanism {
        name: "the L1 keeps what a block has loaded",
        unit: "sectors",
        source: GUIDE,
        off: |all| {
            let counters = all.counters();
            counters.missed_sectors = counters.missed_sectors.max(counters.global_load_sectors);
            counters.traffic.distinct_missed_sectors = counters.missed_sectors;
        },
    },
];
