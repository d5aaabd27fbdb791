//! The same interface for every platform but 64-bit x86 Linux: opening a GPU says that there is no GPU engine,
//! so a [`Gpu`] cannot exist.

use std::convert::Infallible;

use super::types::{
    ArrayFormat, ArrayPart, DeviceProperties, DeviceRows, DriverError, FunctionAttribute, TextureMemory,
    TextureSettings,
};

fn not_here() -> DriverError {
    DriverError::NoDevice("the GPU engine is built for 64-bit x86 Linux only; use the simulator".to_owned())
}

/// Says that there is no GPU engine here.
pub fn start() -> Result<(), DriverError> {
    Err(not_here())
}

/// Says that there is no GPU engine here.
pub fn devices() -> Result<Vec<DeviceProperties>, DriverError> {
    Err(not_here())
}

/// A GPU; there is none here.
#[derive(Debug)]
pub struct Gpu(Infallible);

/// A queue of work; there is none here.
#[derive(Debug)]
pub struct Stream(Infallible);

/// A point in the GPU's time; there is none here.
#[derive(Debug)]
pub struct Event(Infallible);

/// A gate in the GPU's queue; there is none here.
#[derive(Debug)]
pub struct Gate(Infallible);

/// Page-locked host memory; there is none here.
#[derive(Debug)]
pub struct Pinned(Infallible);

/// Methods that can never run.
macro_rules! never {
    ($($(#[$doc:meta])* fn $name:ident($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(&self, $($argument: $kind),*) -> $result {
                let _ = ($($argument,)*);
                match self.0 {}
            }
        )*
    };
}

impl Gpu {
    /// Says that there is no GPU engine here.
    pub fn open(index: u32, cubin: &[u8]) -> Result<Self, DriverError> {
        let _ = (index, cubin);
        Err(not_here())
    }

    /// Never called.
    pub fn load(&mut self, cubin: &[u8]) -> Result<(), DriverError> {
        let _ = cubin;
        match self.0 {}
    }

    never! {
        /// Never called.
        fn alloc(bytes: u64) -> Result<u64, DriverError>;
        /// Never called.
        fn alloc_managed(bytes: u64) -> Result<u64, DriverError>;
        /// Never called.
        fn write_managed(address: u64, bytes: &[u8]) -> Result<(), DriverError>;
        /// Never called.
        fn read_managed(address: u64, bytes: &mut [u8]) -> Result<(), DriverError>;
        /// Never called.
        fn wipe(address: u64) -> Result<(), DriverError>;
        /// Never called.
        fn free(address: u64) -> Result<(), DriverError>;
        /// Never called.
        fn write(address: u64, bytes: &[u8]) -> Result<(), DriverError>;
        /// Never called.
        fn read(address: u64, bytes: &mut [u8]) -> Result<(), DriverError>;
        /// Never called.
        fn copy(to: u64, from: u64, length: u64) -> Result<(), DriverError>;
        /// Never called.
        fn copy_in(stream: Option<&Stream>, to: u64, from: u64, length: u64) -> Result<(), DriverError>;
        /// Never called.
        fn fill(address: u64, value: u8, length: u64) -> Result<(), DriverError>;
        /// Never called.
        fn fill_in(stream: Option<&Stream>, address: u64, value: u8, length: u64) -> Result<(), DriverError>;
        /// Never called.
        fn copy_rows_in(stream: Option<&Stream>, to: DeviceRows, from: DeviceRows) -> Result<(), DriverError>;
        /// Never called.
        fn fill_rows_in(stream: Option<&Stream>, rows: DeviceRows, value: u8) -> Result<(), DriverError>;
        /// Never called.
        fn variables() -> Vec<(u64, u64)>;
        /// Never called.
        fn symbol(name: &str) -> Result<(u64, u64), DriverError>;
        /// Never called.
        fn alloc_array(format: ArrayFormat, width: u32, rows: u32, surfaces: bool, gather: bool) -> Result<u64, DriverError>;
        /// Never called.
        fn free_array(array: u64) -> Result<(), DriverError>;
        /// Never called.
        fn write_array(array: u64, part: ArrayPart, bytes: &[u8]) -> Result<(), DriverError>;
        /// Never called.
        fn read_array(array: u64, part: ArrayPart, bytes: &mut [u8]) -> Result<(), DriverError>;
        /// Never called.
        fn copy_to_array(array: u64, part: ArrayPart, from: u64, pitch: u64) -> Result<(), DriverError>;
        /// Never called.
        fn copy_from_array(to: u64, pitch: u64, array: u64, part: ArrayPart) -> Result<(), DriverError>;
        /// Never called.
        fn create_texture(memory: TextureMemory, settings: &TextureSettings) -> Result<u64, DriverError>;
        /// Never called.
        fn destroy_texture(object: u64) -> Result<(), DriverError>;
        /// Never called.
        fn create_surface(array: u64) -> Result<u64, DriverError>;
        /// Never called.
        fn destroy_surface(object: u64) -> Result<(), DriverError>;
        /// Never called.
        fn synchronize() -> Result<(), DriverError>;
        /// Never called.
        fn launch(kernel: &str, grid: [u32; 3], block: [u32; 3], dynamic_shared: u32, arguments: &[Vec<u8>]) -> Result<(), DriverError>;
        /// Never called.
        fn launch_in(stream: Option<&Stream>, kernel: &str, grid: [u32; 3], block: [u32; 3], dynamic_shared: u32, arguments: &[Vec<u8>]) -> Result<(), DriverError>;
        /// Never called.
        fn launch_together_in(stream: Option<&Stream>, kernel: &str, grid: [u32; 3], block: [u32; 3], dynamic_shared: u32, arguments: &[Vec<u8>]) -> Result<(), DriverError>;
        /// Never called.
        fn function_attribute(kernel: &str, attribute: FunctionAttribute) -> Result<u32, DriverError>;
        /// Never called.
        fn set_dynamic_shared_limit(kernel: &str, bytes: u32) -> Result<(), DriverError>;
        /// Never called.
        fn occupancy(kernel: &str, block: u32, dynamic_shared: u32) -> Result<u32, DriverError>;
        /// Never called.
        fn stream() -> Result<Stream, DriverError>;
        /// Never called.
        fn synchronize_stream(stream: &Stream) -> Result<(), DriverError>;
        /// Never called.
        fn wait_event(stream: Option<&Stream>, event: &Event) -> Result<(), DriverError>;
        /// Never called.
        fn event() -> Result<Event, DriverError>;
        /// Never called.
        fn record(event: &Event) -> Result<(), DriverError>;
        /// Never called.
        fn record_in(stream: Option<&Stream>, event: &Event) -> Result<(), DriverError>;
        /// Never called.
        fn event_is_done(event: &Event) -> Result<bool, DriverError>;
        /// Never called.
        fn elapsed_ms(start: &Event, stop: &Event) -> Result<f32, DriverError>;
        /// Never called.
        fn gate() -> Result<Gate, DriverError>;
        /// Never called.
        fn alloc_pinned(bytes: u64) -> Result<Pinned, DriverError>;
        /// Never called.
        fn write_async(stream: Option<&Stream>, address: u64, from: &Pinned, offset: u64, length: u64) -> Result<(), DriverError>;
        /// Never called.
        fn write_behind(stream: Option<&Stream>, address: u64, bytes: &[u8]) -> Result<(), DriverError>;
        /// Never called.
        fn read_async(stream: Option<&Stream>, address: u64, to: &Pinned, offset: u64, length: u64) -> Result<(), DriverError>;
    }
}

impl Gate {
    never! {
        /// Never called.
        fn close(gpu: &Gpu) -> Result<(), DriverError>;
        /// Never called.
        fn open() -> ();
    }
}

impl Pinned {
    never! {
        /// Never called.
        fn length() -> u64;
        /// Never called.
        fn write(offset: u64, bytes: &[u8]) -> Result<(), DriverError>;
        /// Never called.
        fn read(offset: u64, bytes: &mut [u8]) -> Result<(), DriverError>;
    }
}
