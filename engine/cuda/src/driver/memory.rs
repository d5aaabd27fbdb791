//! Device and managed memory, and the copies that wait or stay on the GPU. Those that run beside the host are
//! in `pinned`.

use std::mem::forget;

use cust::memory::{CopyDestination, DeviceBuffer, DevicePointer, DeviceSlice, UnifiedBuffer};
use cust::sys;

use super::context::enter;
use super::error::{INVALID_VALUE, check, error, of_cust};
use super::gpu::Gpu;
use super::regions::refuse;
use super::stream::Stream;
use super::types::DriverError;

/// An allocation, which is freed when this is dropped.
#[derive(Debug)]
pub(super) enum Memory {
    Device(DeviceBuffer<u8>),
    Managed(UnifiedBuffer<u8>),
}

impl Gpu {
    /// Allocates device memory.
    pub fn alloc(&self, bytes: u64) -> Result<u64, DriverError> {
        const CALL: &str = "cuMemAlloc";
        enter(&self.context)?;
        not_empty(CALL, bytes)?;
        // SAFETY: only the GPU reads it, and its bytes are plain numbers.
        let buffer = unsafe { DeviceBuffer::uninitialized(bytes as usize) }.map_err(of_cust(CALL))?;
        let address = buffer.as_device_ptr().as_raw();
        self.regions.borrow_mut().add_allocation(address, bytes, Memory::Device(buffer));
        Ok(address)
    }

    /// Allocates managed memory. [`Self::read`] and [`Self::write`] access it as device memory,
    /// [`Self::read_managed`] and [`Self::write_managed`] as host memory.
    pub fn alloc_managed(&self, bytes: u64) -> Result<u64, DriverError> {
        const CALL: &str = "cuMemAllocManaged";
        enter(&self.context)?;
        not_empty(CALL, bytes)?;
        // SAFETY: the driver's pages are zero until something is written.
        let buffer = unsafe { UnifiedBuffer::<u8>::uninitialized(bytes as usize) };
        let mut buffer = buffer.map_err(of_cust(CALL))?;
        let address = buffer.as_unified_ptr().as_raw().expose_provenance() as u64;
        self.regions.borrow_mut().add_allocation(address, bytes, Memory::Managed(buffer));
        Ok(address)
    }

    /// Frees either kind.
    pub fn free(&self, address: u64) -> Result<(), DriverError> {
        enter(&self.context)?;
        // What could not be freed is let go: a second try would fail too.
        let freed = match self.regions.borrow_mut().remove(address)? {
            Memory::Device(buffer) => DeviceBuffer::drop(buffer).map_err(|(error, buffer)| {
                forget(buffer);
                error
            }),
            Memory::Managed(buffer) => UnifiedBuffer::drop(buffer).map_err(|(error, buffer)| {
                forget(buffer);
                error
            }),
        };
        freed.map_err(of_cust("cuMemFree"))
    }

    /// Writes managed memory as host memory, after all work of the GPU: its pages then belong to the host. A
    /// `__managed__` variable is written by a copy of the driver.
    pub fn write_managed(&self, address: u64, bytes: &[u8]) -> Result<(), DriverError> {
        let allocated = self.managed(address, bytes.len(), |range| range.copy_from_slice(bytes))?;
        if allocated { Ok(()) } else { self.write(address, bytes) }
    }

    /// Reads managed memory as host memory, after all work of the GPU; a `__managed__` variable by a copy of the driver.
    pub fn read_managed(&self, address: u64, bytes: &mut [u8]) -> Result<(), DriverError> {
        let allocated = self.managed(address, bytes.len(), |range| bytes.copy_from_slice(range))?;
        if allocated { Ok(()) } else { self.read(address, bytes) }
    }

    /// Gives `copy` a range of a managed allocation while the GPU is idle. Returns whether the range lies in an allocation.
    fn managed(
        &self,
        address: u64,
        length: usize,
        copy: impl FnOnce(&mut [u8]),
    ) -> Result<bool, DriverError> {
        let mut regions = self.regions.borrow_mut();
        match regions.find(address, length as u64) {
            Some((offset, Memory::Managed(buffer))) => {
                self.synchronize()?;
                copy(&mut buffer[offset..offset + length]);
                Ok(true)
            }
            Some((_, Memory::Device(_))) => {
                Err(refuse("memcpy", format!("the {length} bytes at {address:#x} are not managed memory")))
            }
            None => Ok(false),
        }
    }

    /// Host to device.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DriverError> {
        const CALL: &str = "cuMemcpyHtoD";
        self.reach(CALL, address, bytes.len() as u64)?.copy_from(bytes).map_err(of_cust(CALL))
    }

    /// Device to host.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DriverError> {
        const CALL: &str = "cuMemcpyDtoH";
        self.reach(CALL, address, bytes.len() as u64)?.copy_to(bytes).map_err(of_cust(CALL))
    }

    /// Device to device.
    pub fn copy(&self, to: u64, from: u64, length: u64) -> Result<(), DriverError> {
        self.copy_in(None, to, from, length)
    }

    /// The same on a stream; `None` is the default one.
    pub fn copy_in(
        &self,
        stream: Option<&Stream>,
        to: u64,
        from: u64,
        length: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemcpyDtoD";
        self.reach(CALL, to, length)?;
        self.reach(CALL, from, length)?;
        // SAFETY: both ranges lie in allocations.
        let result = unsafe { sys::cuMemcpyDtoDAsync_v2(to, from, length as usize, Stream::handle(stream)) };
        check(CALL, result)
    }

    /// Sets bytes.
    pub fn fill(&self, address: u64, value: u8, length: u64) -> Result<(), DriverError> {
        self.fill_in(None, address, value, length)
    }

    /// The same on a stream; `None` is the default one.
    pub fn fill_in(
        &self,
        stream: Option<&Stream>,
        address: u64,
        value: u8,
        length: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemsetD8";
        self.reach(CALL, address, length)?;
        // SAFETY: the range lies in an allocation.
        let result = unsafe { sys::cuMemsetD8Async(address, value, length as usize, Stream::handle(stream)) };
        check(CALL, result)
    }

    /// Makes the context current and gives a range of device memory; refuses a range outside it.
    pub(super) fn reach(
        &self,
        call: &'static str,
        address: u64,
        length: u64,
    ) -> Result<DeviceSlice<u8>, DriverError> {
        self.regions.borrow().check(call, address, length)?;
        enter(&self.context)?;
        // SAFETY: the range lies in one allocation or variable.
        Ok(unsafe { DeviceSlice::from_raw_parts(DevicePointer::from_raw(address), length as usize) })
    }
}

/// `cust` makes an empty buffer without asking the driver, which refuses 0 bytes.
pub(super) fn not_empty(call: &'static str, bytes: u64) -> Result<(), DriverError> {
    if bytes == 0 { Err(error(call, INVALID_VALUE)) } else { Ok(()) }
}
