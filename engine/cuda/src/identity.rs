//! The identity of a GPU, as NVIDIA's management library (NVML) reports it.

use nvml_wrapper::Nvml;

/// The unique identifier of the GPU with this PCI address (`00000000:65:00.0`): `GPU-` and 32 hexadecimal digits,
/// the same on every start. `None` if the library is missing or does not know the GPU.
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
