//! NVIDIA's management library (NVML), which comes with the driver: what it says of one GPU.

use std::ffi::{CStr, CString, c_char, c_int, c_uint, c_void};
use std::sync::OnceLock;

use libloading::Library;

/// `nvmlReturn_t`; 0 is success.
type Status = c_int;
/// `nvmlDevice_t`.
type Device = *mut c_void;

const LIBRARY: &str = if cfg!(windows) { "nvml.dll" } else { "libnvidia-ml.so.1" };
/// `NVML_CLOCK_SM`.
const CLOCK_OF_MULTIPROCESSORS: c_uint = 1;
/// `NVML_DEVICE_UUID_V2_BUFFER_SIZE`: no identifier is longer.
const LONGEST_UUID: usize = 96;

/// The functions of NVML, as its header declares them.
#[derive(Debug)]
struct Functions {
    by_pci: unsafe extern "C" fn(*const c_char, *mut Device) -> Status,
    clock: unsafe extern "C" fn(Device, c_uint, *mut c_uint) -> Status,
    uuid: unsafe extern "C" fn(Device, *mut c_char, c_uint) -> Status,
}

impl Functions {
    /// Loads and initialises the library; `None` where it is missing or finds no driver.
    fn load() -> Option<Self> {
        fn get<T: Copy>(library: &'static Library, name: &CStr) -> Option<T> {
            // SAFETY: each call asks for the type that nvml.h gives the function, and the library is never unloaded.
            unsafe { library.get::<T>(name.to_bytes_with_nul()) }.ok().map(|symbol| *symbol)
        }
        // SAFETY: loading the library runs only its own initialisers.
        let library: &'static Library = Box::leak(Box::new(unsafe { Library::new(LIBRARY) }.ok()?));
        let initialise: unsafe extern "C" fn() -> Status = get(library, c"nvmlInit_v2")?;
        let functions = Self {
            by_pci: get(library, c"nvmlDeviceGetHandleByPciBusId_v2")?,
            clock: get(library, c"nvmlDeviceGetClockInfo")?,
            uuid: get(library, c"nvmlDeviceGetUUID")?,
        };
        // SAFETY: it takes no argument, and may be called at any time.
        (unsafe { initialise() } == 0).then_some(functions)
    }
}

/// A GPU that NVML knows.
#[derive(Debug)]
pub(crate) struct Gpu {
    functions: &'static Functions,
    device: Device,
}

impl Gpu {
    /// The GPU with this PCI address (`00000000:65:00.0`); `None` if the library is missing or does not know it.
    pub(crate) fn at(pci: &str) -> Option<Self> {
        static FUNCTIONS: OnceLock<Option<Functions>> = OnceLock::new();
        let functions = FUNCTIONS.get_or_init(Functions::load).as_ref()?;
        let pci = CString::new(pci).ok()?;
        let mut device = std::ptr::null_mut();
        // SAFETY: the address ends with a zero byte, and both live during the call.
        let status = unsafe { (functions.by_pci)(pci.as_ptr(), &raw mut device) };
        (status == 0).then_some(Self { functions, device })
    }

    /// The current clock of the multiprocessors in MHz.
    pub(crate) fn mhz(&self) -> Option<u32> {
        let mut mhz = 0;
        // SAFETY: the device comes from this library, which stays initialised, and `mhz` lives during the call.
        let status = unsafe { (self.functions.clock)(self.device, CLOCK_OF_MULTIPROCESSORS, &raw mut mhz) };
        (status == 0).then_some(mhz)
    }

    /// Its unique identifier.
    pub(crate) fn uuid(&self) -> Option<String> {
        let mut text = [0_u8; LONGEST_UUID];
        // SAFETY: as above; the library writes at most as many bytes as it is told.
        let status =
            unsafe { (self.functions.uuid)(self.device, text.as_mut_ptr().cast(), LONGEST_UUID as c_uint) };
        (status == 0).then(|| CStr::from_bytes_until_nul(&text).ok()?.to_str().ok().map(str::to_owned))?
    }
}
