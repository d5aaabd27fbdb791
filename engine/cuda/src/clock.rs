//! The clock of a GPU's multiprocessors, as NVIDIA's management library (NVML) reports it.

use nvml_wrapper::Nvml;
use nvml_wrapper::enum_wrappers::device::Clock as Domain;

/// A GPU whose clock can be read.
#[derive(Debug)]
pub struct Clock {
    library: Nvml,
    pci: String,
}

impl Clock {
    /// The GPU with this PCI address (`00000000:65:00.0`); `None` if the library is missing or does not know it.
    pub fn open(pci: &str) -> Option<Self> {
        let clock = Self { library: Nvml::init().ok()?, pci: pci.to_owned() };
        clock.mhz().map(|_| clock)
    }

    /// The current clock of the multiprocessors in MHz.
    pub fn mhz(&self) -> Option<u32> {
        let device = self.library.device_by_pci_bus_id(self.pci.as_str()).ok()?;
        device.clock_info(Domain::SM).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_that_is_nowhere_has_no_clock() {
        assert!(Clock::open("ffffffff:ff:1f.7").is_none());
    }
}
