//! How many blocks and warps a multiprocessor has at once, and in how many waves the blocks of a grid run.

use crate::model::gpu::{Gpu, Needs, occupancy};
use crate::model::launch::{Kernel, Whole};

/// Multiprocessors that have a block.
pub(super) fn working(whole: Whole, gpu: &Gpu) -> f64 {
    whole.blocks.clamp(1.0, f64::from(gpu.multiprocessors))
}

/// Blocks at once on a multiprocessor.
pub(super) fn resident(kernel: &Kernel, gpu: &Gpu) -> f64 {
    let needs = Needs { threads: kernel.threads, registers: kernel.registers, shared: kernel.shared };
    f64::from(occupancy(needs, &gpu.residency).blocks.max(1))
}

/// The same on a multiprocessor that works.
pub(super) fn at_once(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    resident(kernel, gpu).min(whole.blocks / working(whole, gpu)).max(1.0)
}

/// Warps at once on a multiprocessor that works.
pub fn warps(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    (at_once(kernel, whole, gpu) * f64::from(kernel.warps())).max(1.0)
}

/// How often a multiprocessor replaces its resident blocks by others, with the first ones.
pub(super) fn waves(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    (whole.blocks / (working(whole, gpu) * resident(kernel, gpu))).max(1.0)
}

/// Rounds of blocks on the multiprocessor that has most of them: what does not fit at once waits until a block is done, however few are
/// left for the last round.
pub(super) fn rounds(kernel: &Kernel, whole: Whole, gpu: &Gpu) -> f64 {
    let most = (whole.blocks / working(whole, gpu)).ceil();
    (most / resident(kernel, gpu)).ceil().max(1.0)
}
