//! A GPU and what is loaded on it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use cust::context::{Context, CurrentContext};
use cust::device::{Device, DeviceAttribute};
use cust::sys::CUfunction;

use super::context::{Module, SharedContext, enter};
use super::error::of_cust;
use super::images::Images;
use super::memory::Memory;
use super::properties::{BLOCK, GRID, attribute, start};
use super::regions::Regions;
use super::types::DriverError;

/// A GPU with a context and one loaded module. Not `Send`: it belongs to the thread that made it.
#[derive(Debug)]
pub struct Gpu {
    /// Kernels by mangled name, as they are first used.
    pub(super) functions: RefCell<HashMap<String, CUfunction>>,
    pub(super) module: Module,
    pub(super) limits: Limits,
    pub(super) regions: RefCell<Regions<Memory>>,
    pub(super) images: RefCell<Images>,
    // Last, because everything above is destroyed in it.
    pub(super) context: SharedContext,
}

/// The largest launch that this GPU takes.
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

    /// Replaces the module. The variables of the old one are gone; allocations stay.
    pub fn load(&mut self, cubin: &[u8]) -> Result<(), DriverError> {
        let module = Module::load(&self.context, cubin)?;
        self.functions.borrow_mut().clear();
        self.regions.borrow_mut().forget_variables();
        self.module = module;
        Ok(())
    }

    /// Address and size of a `__device__` or `__constant__` variable.
    pub fn symbol(&self, name: &str) -> Result<(u64, u64), DriverError> {
        enter(&self.context)?;
        let (address, bytes) = self.module.variable(name)?;
        self.regions.borrow_mut().add_variable(address, bytes);
        Ok((address, bytes))
    }

    /// Address and size of each variable of the module that the driver knows by name.
    pub fn variables(&self) -> Vec<(u64, u64)> {
        let known = self.module.variables.iter().filter_map(|name| self.symbol(name).ok());
        known.filter(|(_, bytes)| *bytes > 0).collect()
    }

    /// Waits for everything.
    pub fn synchronize(&self) -> Result<(), DriverError> {
        enter(&self.context)?;
        CurrentContext::synchronize().map_err(of_cust("cuCtxSynchronize"))
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // After a sticky error all of it fails, and nothing is lost.
        if enter(&self.context).is_ok() {
            self.destroy_images();
            self.regions.get_mut().clear();
        }
    }
}

impl Limits {
    fn of(device: Device) -> Result<Self, DriverError> {
        let three = |which: [DeviceAttribute; 3]| -> Result<[u32; 3], DriverError> {
            let [x, y, z] = which.map(|which| attribute(device, which));
            Ok([x?, y?, z?])
        };
        let threads = attribute(device, DeviceAttribute::MaxThreadsPerBlock)?;
        Ok(Self { block: three(BLOCK)?, grid: three(GRID)?, threads })
    }
}
