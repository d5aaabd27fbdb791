//! The link between host and GPU: what a copy takes. Modelled; each [`Link::source`] says what of it was measured.
//!
//! A copy from or to page-locked memory runs at the link's own speed, beside kernels. From or to pageable memory
//! the driver copies through a buffer of its own, and the host waits. Managed memory moves when it is touched.

/// Speeds in bytes per second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// Page-locked host memory, either direction.
    pub pinned: f64,
    /// Pageable host memory to the GPU.
    pub pageable_up: f64,
    /// The GPU to pageable host memory.
    pub pageable_down: f64,
    /// Managed memory that moves when the other side touches it.
    pub managed: f64,
    /// Where the figures come from.
    pub source: &'static str,
}

impl Link {
    /// A link whose page-locked copies run at this speed, and whose pageable ones at that: both assumed, for want of a measurement.
    ///
    /// Page-locked: the bus by its generation, less what its protocol takes: 55 GB/s for generation 5 with 16 lanes, 26 for generation 4,
    /// 12 for generation 3 (11 for each of the two GPUs of a K80, which share it), 6 for generation 2. Pageable: a single core of the host
    /// is assumed to copy 10 GB/s (6 on hosts of the oldest GPUs); the faults of managed memory are assumed to halve the link's speed.
    pub(super) const fn assumed(pinned: f64, pageable: f64) -> Self {
        Self {
            pinned,
            pageable_up: pageable,
            pageable_down: pageable,
            managed: pinned / 2.0,
            source: "PCIe by generation, pageable and managed copies assumed",
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::model::gpu::gpus;

    #[test]
    fn nothing_is_faster_than_page_locked_memory() {
        for gpu in gpus() {
            let link = gpu.link;
            let others = [link.pageable_up, link.pageable_down, link.managed];
            assert!(others.iter().all(|&speed| speed > 0.0 && speed <= link.pinned), "{}", gpu.name);
        }
    }
}
