//! What a launch keeps the units of a multiprocessor busy for.

use crate::decode::Class;
use crate::model::gpu::Gpu;
use crate::model::launch::Kernel;

/// What the units of a multiprocessor are busy for, in its cycles.
pub(super) struct Units {
    pub issue: f64,
    pub integer: f64,
    pub multiply: f64,
    pub special: f64,
    pub double: f64,
    pub warp: f64,
    pub barrier: f64,
}

impl Units {
    pub fn of(kernel: &Kernel, scale: f64, gpu: &Gpu) -> Self {
        let rates = &gpu.rates;
        let Some(work) = kernel.machine else { return Self::by_ptx(kernel, scale, gpu) };
        let [integer, multiply, float, special] = rates.machine;
        Self {
            issue: scale * work.issued / rates.issue,
            integer: scale * work.integer * integer,
            multiply: scale * (work.multiply * multiply + work.float * float),
            special: scale * work.special * special,
            double: scale * work.double * rates.double,
            warp: scale * work.warp * rates.warp,
            barrier: scale * work.barrier * rates.barrier,
        }
    }

    /// Where there is no machine code that could be read: instructions of PTX that are left when known values are worked
    /// out, [`ASSEMBLED`] machine instructions each, routines by their length. Integer and single-precision units are then
    /// taken to keep up with issue.
    fn by_ptx(kernel: &Kernel, scale: f64, gpu: &Gpu) -> Self {
        let (live, rates) = (&kernel.counters.live, &gpu.rates);
        let of = |class: Class| live[class as usize] as f64 * scale;
        let all: f64 = live.iter().map(|&events| events as f64 * scale).sum();
        let routines =
            of(Class::IntDiv) * (rates.divide - 1.0) + of(Class::Fp32Div) * (rates.divide_float - 1.0);
        Self {
            issue: ASSEMBLED * (all + routines) / rates.issue,
            integer: 0.0,
            multiply: 0.0,
            special: of(Class::Convert) * rates.convert + of(Class::Sfu) * rates.special,
            double: of(Class::Fp64) * rates.double,
            warp: of(Class::Warp) * rates.warp,
            barrier: of(Class::Barrier) * rates.barrier,
        }
    }
}

/// Machine instructions that become of one of PTX on average: as fitted to the ladders on the H200 when the model knew no machine code.
const ASSEMBLED: f64 = 0.93;
