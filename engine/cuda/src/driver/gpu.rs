//! A GPU with its memory. Launching is in `launch`, streams and events in `stream`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ptr;
use std::rc::Rc;

use cust::context::Context;
use cust::device::{Device, DeviceAttribute};
use cust::sys::CUfunction;

use super::calls;
use super::context::{Module, SharedContext, enter};
use super::error::{check, of_cust};
use super::images::Images;
use super::properties::{BLOCK, GRID, attribute, start};
use super::regions::{Regions, refuse};
use super::stream::Stream;
use super::types::DriverError;

/// A GPU with a context and one loaded module. Not `Send`: it belongs to the thread that made it.
#[derive(Debug)]
pub struct Gpu {
    /// Kernels by mangled name, as they are first used.
    pub(super) functions: RefCell<HashMap<String, CUfunction>>,
    pub(super) module: Module,
    pub(super) limits: Limits,
    regions: RefCell<Regions>,
    pub(super) images: RefCell<Images>,
    // Last, because what is above is destroyed in it.
    pub(super) context: SharedContext,
}

/// What a launch may ask of any GPU of this kind.
#[derive(Debug)]
pub(super) struct Limits {
    pub block: [u32; 3],
    pub grid: [u32; 3],
    pub threads: u32,
}

impl Gpu {
    /// Opens GPU `index` and loads a cubin, which must be for that GPU's exact compute capability.
    pub fn open(index: u32, cubin: &[u8]) -> Result<Self, DriverError> {
        start()?;
        let count = Device::num_devices().map_err(of_cust("cuDeviceGetCount"))?;
        if index >= count {
            let visible = if count == 1 { "1 is".to_owned() } else { format!("{count} are") };
            return Err(DriverError::NoDevice(format!(
                "there is no GPU {index}; {visible} visible, from 0 on"
            )));
        }
        let device = Device::get_device(index).map_err(of_cust("cuDeviceGet"))?;
        let limits = Limits::of(device)?;
        let context = Context::new(device).map_err(of_cust("cuDevicePrimaryCtxRetain"))?;
        let context: SharedContext = Rc::new(context);
        let module = Module::load(&context, cubin)?;
        Ok(Self {
            functions: RefCell::default(),
            module,
            limits,
            regions: RefCell::default(),
            images: RefCell::default(),
            context,
        })
    }

    /// Replaces the module: the variables of the old one are gone, allocations stay.
    pub fn load(&mut self, cubin: &[u8]) -> Result<(), DriverError> {
        let module = Module::load(&self.context, cubin)?;
        self.functions.borrow_mut().clear();
        self.regions.borrow_mut().forget_variables();
        self.module = module;
        Ok(())
    }

    /// Allocates device memory.
    pub fn alloc(&self, bytes: u64) -> Result<u64, DriverError> {
        enter(&self.context)?;
        let mut address = 0;
        // SAFETY: `address` lives during the call.
        check("cuMemAlloc", unsafe { calls::cuMemAlloc_v2(&raw mut address, bytes as usize) })?;
        self.regions.borrow_mut().add_allocation(address, bytes);
        Ok(address)
    }

    /// Allocates managed memory. [`Self::read`] and [`Self::write`] take it as device memory,
    /// [`Self::read_managed`] and [`Self::write_managed`] as the host's.
    pub fn alloc_managed(&self, bytes: u64) -> Result<u64, DriverError> {
        const ATTACH_GLOBAL: u32 = 1;
        enter(&self.context)?;
        let mut address = 0;
        // SAFETY: `address` lives during the call.
        let status = unsafe { calls::cuMemAllocManaged(&raw mut address, bytes as usize, ATTACH_GLOBAL) };
        check("cuMemAllocManaged", status)?;
        self.regions.borrow_mut().add_managed(address, bytes);
        Ok(address)
    }

    /// Writes managed memory as the host, after all work of the GPU: its pages are the host's then.
    pub fn write_managed(&self, address: u64, bytes: &[u8]) -> Result<(), DriverError> {
        let target = self.managed("memcpy", address, bytes.len() as u64)?;
        // SAFETY: the range lies in one managed allocation, which the host may touch while the GPU is idle; no
        // reference points to it.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), target, bytes.len()) };
        Ok(())
    }

    /// Reads managed memory as the host, after all work of the GPU.
    pub fn read_managed(&self, address: u64, bytes: &mut [u8]) -> Result<(), DriverError> {
        let source = self.managed("memcpy", address, bytes.len() as u64)?;
        // SAFETY: as in `write_managed`; what was never written reads as zeros.
        unsafe { ptr::copy_nonoverlapping(source, bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    /// A range of managed memory, with the GPU idle.
    fn managed(&self, call: &'static str, address: u64, length: u64) -> Result<*mut u8, DriverError> {
        self.regions.borrow().check_managed(call, address, length)?;
        self.synchronize()?;
        Ok(ptr::with_exposed_provenance_mut(address as usize))
    }

    /// Frees it.
    pub fn free(&self, address: u64) -> Result<(), DriverError> {
        enter(&self.context)?;
        self.regions.borrow_mut().remove(address)?;
        // SAFETY: allocated here and not freed before, as `remove` has found.
        check("cuMemFree", unsafe { calls::cuMemFree_v2(address) })
    }

    /// Host to device.
    pub fn write(&self, address: u64, bytes: &[u8]) -> Result<(), DriverError> {
        self.reach("cuMemcpyHtoD", address, bytes.len() as u64)?;
        // SAFETY: the source is a slice, and the target lies in an allocation.
        let status = unsafe { calls::cuMemcpyHtoD_v2(address, bytes.as_ptr().cast(), bytes.len()) };
        check("cuMemcpyHtoD", status)
    }

    /// Device to host.
    pub fn read(&self, address: u64, bytes: &mut [u8]) -> Result<(), DriverError> {
        self.reach("cuMemcpyDtoH", address, bytes.len() as u64)?;
        // SAFETY: the target is a slice, and the source lies in an allocation.
        let status = unsafe { calls::cuMemcpyDtoH_v2(bytes.as_mut_ptr().cast(), address, bytes.len()) };
        check("cuMemcpyDtoH", status)
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
        self.reach("cuMemcpyDtoD", to, length)?;
        self.reach("cuMemcpyDtoD", from, length)?;
        // SAFETY: both ranges lie in allocations.
        let status =
            unsafe { calls::cuMemcpyDtoDAsync_v2(to, from, length as usize, Stream::handle(stream)) };
        check("cuMemcpyDtoD", status)
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
        self.reach("cuMemsetD8", address, length)?;
        // SAFETY: the range lies in an allocation.
        let status =
            unsafe { calls::cuMemsetD8Async(address, value, length as usize, Stream::handle(stream)) };
        check("cuMemsetD8", status)
    }

    /// Address and size of a `__device__` or `__constant__` variable.
    pub fn symbol(&self, name: &str) -> Result<(u64, u64), DriverError> {
        enter(&self.context)?;
        let (address, bytes) = self.module.variable(name)?;
        self.regions.borrow_mut().add_variable(address, bytes);
        Ok((address, bytes))
    }

    /// Waits for everything.
    pub fn synchronize(&self) -> Result<(), DriverError> {
        enter(&self.context)?;
        // SAFETY: the context is current.
        check("cuCtxSynchronize", unsafe { calls::cuCtxSynchronize() })
    }

    /// Makes the context current and refuses a range outside device memory.
    pub(super) fn reach(&self, call: &'static str, address: u64, length: u64) -> Result<(), DriverError> {
        self.regions.borrow().check(call, address, length)?;
        enter(&self.context)
    }

    /// Page-locked host memory, which asynchronous copies need.
    pub(super) fn lock_pages(&self, bytes: usize) -> Result<ptr::NonNull<u8>, DriverError> {
        enter(&self.context)?;
        let mut pointer = ptr::null_mut();
        // SAFETY: `pointer` lives during the call.
        check("cuMemAllocHost", unsafe { calls::cuMemAllocHost_v2(&raw mut pointer, bytes) })?;
        ptr::NonNull::new(pointer.cast())
            .ok_or_else(|| refuse("cuMemAllocHost", "the driver gave no memory".to_owned()))
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        if enter(&self.context).is_err() {
            return;
        }
        self.destroy_images();
        for address in self.regions.get_mut().drain() {
            // SAFETY: allocated here and not freed before. After a sticky error it fails, and nothing is lost.
            unsafe { calls::cuMemFree_v2(address) };
        }
    }
}

impl Limits {
    fn of(device: Device) -> Result<Self, DriverError> {
        let three = |which: [DeviceAttribute; 3]| -> Result<[u32; 3], DriverError> {
            let [x, y, z] = which.map(|which| attribute(device, which as i32));
            Ok([x?, y?, z?])
        };
        let threads = attribute(device, DeviceAttribute::MaxThreadsPerBlock as i32)?;
        Ok(Self { block: three(BLOCK)?, grid: three(GRID)?, threads })
    }
}
