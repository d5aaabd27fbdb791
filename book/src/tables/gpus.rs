//! The GPUs that times can be predicted for.

use checker::numbers::significant;
use simulator::model::{Gpu, gpus};

use crate::markdown::{Align, prose, table};

/// A row per GPU.
pub fn all() -> String {
    let columns = [
        ("`--gpu`", Align::Left),
        ("GPU", Align::Left),
        ("compute capability", Align::Right),
        ("multiprocessors", Align::Right),
        ("memory, GB/s", Align::Right),
        ("L2, MB", Align::Right),
        ("clock, MHz", Align::Right),
        ("figures from", Align::Left),
    ];
    let row = |gpu: &Gpu| {
        vec![
            format!("`{}`", gpu.name),
            gpu.title.to_owned(),
            format!("{}.{}", gpu.capability / 10, gpu.capability % 10),
            gpu.multiprocessors.to_string(),
            significant(1e-9 * gpu.dram_bytes_per_second),
            significant(1e-6 * gpu.l2_bytes as f64),
            significant(1e-6 * gpu.clock_hz),
            prose(gpu.source),
        ]
    };
    table(&columns, &gpus().iter().map(row).collect::<Vec<_>>())
}
