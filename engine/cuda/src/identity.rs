//! Which of all GPUs this one is, as NVIDIA's management library (NVML) reports it.

use nvml_wrapper::Nvml;

/// The identifier of the GPU plugged in there (`00000000:65:00.0`), the same on every start and unlike any other's:
/// `GPU-` and 32 hexadecimal digits. `None` where the library is missing or does not know the GPU.
pub fn uuid(pci: &str) -> Option<String> {
    let library = Nvml::init().ok()?;
    library.device_by_pci_bus_id(pci).ok()?.uuid().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gpu_that_is_nowhere_has_no_identifier() {
        assert_eq!(uuid("ffffffff:ff:1f.7"), None);
    }
}
