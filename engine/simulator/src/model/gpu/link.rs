//! The link between host and GPU: what a copy takes. Modelled; each [`Link::source`] says what of it was measured.
//!
//! A copy from or to page-locked memory runs at the link's own speed, beside kernels. From or to pageable memory
//! the driver copies through a buffer of its own, and the host waits. Managed memory moves when it is touched.

use super::gpus::Gpu;
use super::link_h200::H200;

/// Speeds in bytes a second.
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

/// The link of a GPU.
///
/// H200: the middle of the machines on which `workshop link` has run. Elsewhere page-locked: the bus by its generation, less what its
/// protocol takes: 55 GB/s for generation 5 with 16 lanes, 6 for generation 2, 11 for generation 3 (shared by the two
/// GPUs of a K80). Assumed, for want of a measurement.
/// Pageable, GTX 480: the first report moved 140,859,288 bytes in 35.1 ms to the GPU and 46,953,096 in 18.4 ms
/// back. Elsewhere a single core of the host is assumed to copy 10 GB/s (6 on hosts of the older GPUs), and the
/// faults of managed memory to halve the link's speed.
pub fn link(gpu: &Gpu) -> Link {
    const ASSUMED: &str = "PCIe by generation, pageable and managed copies assumed";
    let assumed = |pinned: f64, pageable: f64| Link {
        pinned,
        pageable_up: pageable,
        pageable_down: pageable,
        managed: pinned / 2.0,
        source: ASSUMED,
    };
    match gpu.name {
        "h200" => H200,
        "gtx480" => Link {
            pageable_up: 140_859_288.0 / 35.1e-3,
            pageable_down: 46_953_096.0 / 18.4e-3,
            source: "pageable copies as the first report measured them, the rest assumed",
            ..assumed(6e9, 6e9)
        },
        "k80" => assumed(11e9, 6e9),
        "k620" => assumed(6e9, 4e9),
        _ => assumed(55e9, 10e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::gpu::gpus;

    #[test]
    fn nothing_is_faster_than_page_locked_memory() {
        for gpu in gpus() {
            let link = link(gpu);
            let others = [link.pageable_up, link.pageable_down, link.managed];
            assert!(others.iter().all(|&speed| speed > 0.0 && speed <= link.pinned), "{}", gpu.name);
        }
    }
}
