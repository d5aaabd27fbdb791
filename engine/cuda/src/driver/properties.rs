//! The GPUs of this machine, with the properties that the students' reports list.

use cust::device::{Device, DeviceAttribute as Attribute};
use cust::sys::{self, CUdevice_attribute as Unnamed};
use cust::{CudaApiVersion, CudaFlags};

use super::error::{INVALID_VALUE, check, describe, of_cust};
use super::slots;
use super::types::{DeviceProperties, DriverError};

const ATTRIBUTE: &str = "cuDeviceGetAttribute";

/// Loads and initialises the driver; later calls return the same answer. A sandbox must be closed after this
/// call, because the driver writes below `/proc/self/task`.
pub fn start() -> Result<(), DriverError> {
    slots::load().map_err(|reason| {
        DriverError::NoDevice(format!(
            "the NVIDIA driver is not installed (failed to load libcuda: {reason})"
        ))
    })?;
    cust::init(CudaFlags::empty()).map_err(|_| {
        DriverError::NoDevice(format!(
            "the NVIDIA driver is installed but does not start: {}; `nvidia-smi` may say more",
            describe(slots::last())
        ))
    })
}

/// All visible GPUs.
pub fn devices() -> Result<Vec<DeviceProperties>, DriverError> {
    start()?;
    let count = Device::num_devices().map_err(of_cust("cuDeviceGetCount"))?;
    if count == 0 {
        let reason = "the driver shows none; is `CUDA_VISIBLE_DEVICES` set?";
        return Err(DriverError::NoDevice(reason.to_owned()));
    }
    (0..count).map(properties).collect()
}

fn properties(index: u32) -> Result<DeviceProperties, DriverError> {
    let device = Device::get_device(index).map_err(of_cust("cuDeviceGet"))?;
    let version = CudaApiVersion::get().map_err(of_cust("cuDriverGetVersion"))?;
    let major = attribute(device, Attribute::ComputeCapabilityMajor)?;
    let minor = attribute(device, Attribute::ComputeCapabilityMinor)?;
    let multiprocessors = attribute(device, Attribute::MultiprocessorCount)?;
    let capability = major * 10 + minor;
    Ok(DeviceProperties {
        index,
        name: device.name().map_err(of_cust("cuDeviceGetName"))?,
        driver_version: version.major() * 1000 + version.minor() * 10,
        capability,
        memory_bytes: device.total_memory().map_err(of_cust("cuDeviceTotalMem"))? as u64,
        multiprocessors,
        attributes: attributes(device, capability, multiprocessors)?,
        l2_bytes: u64::from(attribute(device, Attribute::L2CacheSize)?),
        clock_khz: attribute(device, Attribute::ClockRate)?,
        memory_clock_khz: attribute(device, Attribute::MemoryClockRate)?,
        bus_bits: attribute(device, Attribute::GlobalMemoryBusWidth)?,
        pci: pci(device)?,
    })
}

fn pci(device: Device) -> Result<String, DriverError> {
    let value = |which| attribute(device, which);
    let (domain, bus) = (value(Attribute::PciDomainId)?, value(Attribute::PciBusId)?);
    Ok(format!("{domain:08x}:{bus:02x}:{:02x}.0", value(Attribute::PciDeviceId)?))
}

/// An attribute. One that an old driver does not know counts as 0, as in the runtime's `deviceQuery`.
pub(super) fn attribute(device: Device, which: Attribute) -> Result<u32, DriverError> {
    value(device.get_attribute(which).map_err(of_cust(ATTRIBUTE)))
}

/// The same for an attribute that `cust` 0.3.2 does not name.
fn unnamed(device: Device, which: Unnamed) -> Result<u32, DriverError> {
    let mut number = 0;
    // SAFETY: `number` lives during the call, and the driver checks the device.
    let result = unsafe { sys::cuDeviceGetAttribute(&raw mut number, which, device.as_raw()) };
    value(check(ATTRIBUTE, result).map(|()| number))
}

fn value(answer: Result<i32, DriverError>) -> Result<u32, DriverError> {
    match answer {
        Ok(number) => Ok(u32::try_from(number).unwrap_or(0)),
        Err(DriverError::Call { code: INVALID_VALUE, .. }) => Ok(0),
        Err(error) => Err(error),
    }
}

fn attributes(
    device: Device,
    capability: u32,
    multiprocessors: u32,
) -> Result<Vec<(&'static str, String)>, DriverError> {
    let value = |which| attribute(device, which);
    let bytes = |which: Attribute| value(which).map(|value| format!("{value} bytes"));
    let count = |which: Attribute| value(which).map(|value| value.to_string());
    let tuple = |which: &[Attribute]| -> Result<String, DriverError> {
        let values: Result<Vec<String>, DriverError> = which.iter().map(|&which| count(which)).collect();
        Ok(values?.join(" x "))
    };
    let mut list = vec![
        ("CUDA cores", cores(capability, multiprocessors)),
        ("texture 1D", tuple(&[Attribute::MaximumTexture1DWidth])?),
        ("texture 2D", tuple(&[Attribute::MaximumTexture2DWidth, Attribute::MaximumTexture2DHeight])?),
        (
            "texture 3D",
            tuple(&[
                Attribute::MaximumTexture3DWidth,
                Attribute::MaximumTexture3DHeight,
                Attribute::MaximumTexture3DDepth,
            ])?,
        ),
        (
            "layered texture 1D",
            tuple(&[Attribute::MaximumTexture1DLayeredWidth, Attribute::MaximumTexture1DLayeredLayers])?,
        ),
        (
            "layered texture 2D",
            tuple(&[
                Attribute::MaximumTexture2DLayeredWidth,
                Attribute::MaximumTexture2DLayeredHeight,
                Attribute::MaximumTexture2DLayeredLayers,
            ])?,
        ),
        ("constant memory", bytes(Attribute::TotalConstantMemory)?),
        ("shared memory per block", bytes(Attribute::MaxSharedMemoryPerBlock)?),
        (
            "shared memory per block, on request",
            format!(
                "{} bytes",
                unnamed(device, Unnamed::CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN)?
            ),
        ),
        ("shared memory per multiprocessor", bytes(Attribute::MaxSharedMemoryPerMultiprocessor)?),
        ("registers per block", count(Attribute::MaxRegistersPerBlock)?),
        ("registers per multiprocessor", count(Attribute::MaxRegistersPerMultiprocessor)?),
        ("warp size", count(Attribute::WarpSize)?),
        ("threads per multiprocessor", count(Attribute::MaxThreadsPerMultiprocessor)?),
        ("threads per block", count(Attribute::MaxThreadsPerBlock)?),
        ("block dimensions", tuple(&BLOCK)?),
        ("grid dimensions", tuple(&GRID)?),
        ("memory pitch", bytes(Attribute::MaxPitch)?),
        ("texture alignment", bytes(Attribute::TextureAlignment)?),
        ("surface alignment", bytes(Attribute::SurfaceAlignment)?),
        ("copy while a kernel runs", copy_engines(value(Attribute::AsyncEngineCount)?)),
    ];
    for (label, answer) in [
        ("run time limit on kernels", value(Attribute::KernelExecTimeout)),
        ("integrated, shares host memory", value(Attribute::Integrated)),
        ("can map page-locked host memory", value(Attribute::CanMapHostMemory)),
        ("ECC", value(Attribute::EccEnabled)),
        ("unified addressing", value(Attribute::UnifiedAddressing)),
        ("managed memory", value(Attribute::ManagedMemory)),
        ("compute preemption", value(Attribute::ComputePreemptionSupported)),
        ("cooperative launch", unnamed(device, Unnamed::CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH)),
        (
            "cooperative launch on several GPUs",
            unnamed(device, Unnamed::CU_DEVICE_ATTRIBUTE_COOPERATIVE_MULTI_DEVICE_LAUNCH),
        ),
    ] {
        list.push((label, if answer? == 0 { "no" } else { "yes" }.to_owned()));
    }
    let [domain, bus, slot] =
        [Attribute::PciDomainId, Attribute::PciBusId, Attribute::PciDeviceId].map(value);
    list.push(("PCI domain / bus / device", format!("{} / {} / {}", domain?, bus?, slot?)));
    list.push(("compute mode", compute_mode(value(Attribute::ComputeMode)?).to_owned()));
    Ok(list)
}

/// The largest size of a block along each dimension.
pub(super) const BLOCK: [Attribute; 3] =
    [Attribute::MaxBlockDimX, Attribute::MaxBlockDimY, Attribute::MaxBlockDimZ];
/// The same of a grid.
pub(super) const GRID: [Attribute; 3] =
    [Attribute::MaxGridDimX, Attribute::MaxGridDimY, Attribute::MaxGridDimZ];

/// FP32 units per multiprocessor by compute capability, from the throughput table of NVIDIA's CUDA C++
/// Programming Guide; `None` for a capability that the table does not list.
fn cores_per_multiprocessor(capability: u32) -> Option<u32> {
    match capability {
        20 => Some(32),
        21 => Some(48),
        30..=37 => Some(192),
        60 | 70..=75 | 80 => Some(64),
        50..=53 | 61..=62 | 86..=90 | 100..=103 | 110 | 120..=121 => Some(128),
        _ => None,
    }
}

fn cores(capability: u32, multiprocessors: u32) -> String {
    cores_per_multiprocessor(capability).map_or_else(
        || "unknown".to_owned(),
        |each| format!("{} ({multiprocessors} multiprocessors x {each})", multiprocessors * each),
    )
}

fn copy_engines(count: u32) -> String {
    match count {
        0 => "no".to_owned(),
        1 => "yes, 1 copy engine".to_owned(),
        count => format!("yes, {count} copy engines"),
    }
}

fn compute_mode(mode: u32) -> &'static str {
    match mode {
        0 => "default (several processes at a time)",
        2 => "prohibited (no process may use it)",
        3 => "exclusive (one process at a time)",
        _ => "unknown",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cards_of_the_reports() {
        // Name, capability, multiprocessors, cores as NVIDIA lists them.
        for (name, capability, multiprocessors, total) in [
            ("GTX 480", 20, 15, 480),
            ("Tesla K80", 37, 13, 2496),
            ("Quadro K620", 50, 3, 384),
            ("Tesla T4", 75, 40, 2560),
            ("A100", 80, 108, 6912),
            ("H200", 90, 132, 16896),
        ] {
            assert!(cores(capability, multiprocessors).starts_with(&format!("{total} (")), "{name}");
        }
        assert_eq!(cores(999, 1), "unknown");
    }
}
