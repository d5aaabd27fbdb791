//! The runtime's state during one host function, and the dispatch of its calls.

use std::collections::{BTreeMap, BTreeSet};

use kernels::HostCall;
use simulator::host::{HostCallError, HostCalls, HostView};
use simulator::{Finding, KernelInfo, Kind, Location, Severity};

use super::arrays::Array;
use super::images::Image;
use super::managed::Managed;
use super::order::VectorClocks;
use super::pending::Pending;
use super::pinned::Pinned;
use crate::codes;
use crate::engine::{Engine, EngineError, ImageKind};

/// Device memory that the host function may name.
#[derive(Debug, Clone)]
pub struct Allocation {
    /// As findings call it: a parameter's name, or `cudaMalloc #2`.
    pub name: String,
    /// Size in bytes.
    pub bytes: u64,
    /// The line that allocated it, if the host function did; it then has to free it.
    pub allocated_at: Option<Option<Location>>,
}

/// What a host function left behind.
#[derive(Debug)]
pub struct Left {
    /// Faults and remarks of its runtime calls and launches, in order.
    pub findings: Vec<Finding>,
    /// The failure that broke the GPU, if one did.
    pub crash: Option<(i32, String)>,
    /// Addresses it allocated and did not free.
    pub unfreed: Vec<u64>,
    /// The same of objects, then of arrays.
    pub unfreed_images: Vec<LeftImage>,
}

/// What a host function made for textures and surfaces and left behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeftImage {
    /// An object.
    Object(ImageKind, u64),
    /// An array, as the engine knows it.
    Array(u64),
}

/// Carries out runtime calls.
pub struct Runtime<'a> {
    pub(super) engine: &'a mut dyn Engine,
    pub(super) kernels: &'a BTreeMap<String, KernelInfo>,
    pub(super) allocations: BTreeMap<u64, Allocation>,
    pub(super) findings: Vec<Finding>,
    pub(super) streams: BTreeSet<u64>,
    pub(super) events: BTreeMap<u64, Option<usize>>,
    pub(super) clocks: VectorClocks,
    pub(super) pending: Vec<Pending>,
    pub(super) pinned: BTreeMap<u64, Pinned>,
    pub(super) managed: BTreeMap<u64, Managed>,
    pub(super) arrays: BTreeMap<u64, Array>,
    pub(super) images: BTreeMap<u64, Image>,
    pub(super) next_handle: u64,
    pub(super) mallocs: u32,
    pub(super) opted_in: BTreeMap<String, u32>,
    crash: Option<(i32, String)>,
    last_error: i32,
}

/// Why a call did not do what it says.
pub(super) enum Refusal {
    /// It returns this `cudaError_t`, as the real runtime does.
    Code(i32),
    /// The host function ends here.
    End(HostCallError),
    /// The GPU is broken.
    Crash(i32, String),
}

pub(super) type Outcome<T> = Result<T, Refusal>;

impl<'a> Runtime<'a> {
    /// A runtime over `engine` in which the host function is given `allocations`, by address.
    pub fn new(
        engine: &'a mut dyn Engine,
        kernels: &'a BTreeMap<String, KernelInfo>,
        allocations: BTreeMap<u64, Allocation>,
    ) -> Self {
        Self {
            engine,
            kernels,
            allocations,
            findings: Vec::new(),
            streams: BTreeSet::new(),
            events: BTreeMap::new(),
            clocks: VectorClocks::default(),
            pending: Vec::new(),
            pinned: BTreeMap::new(),
            managed: BTreeMap::new(),
            arrays: BTreeMap::new(),
            images: BTreeMap::new(),
            // Small handles 0, 1 and 2 mean the default streams.
            next_handle: 0x100,
            mallocs: 0,
            opted_in: BTreeMap::new(),
            crash: None,
            last_error: 0,
        }
    }

    /// Ends the host function's world. `faulted`: a fault of its own ended it early.
    pub fn finish(mut self, faulted: bool) -> Left {
        if !faulted && self.crash.is_none() {
            self.findings.extend(self.never_waited_for());
        }
        // Whatever a function that was stopped would have freed, it had no chance to.
        let stopped = faulted || self.findings.iter().any(|finding| finding.severity == Severity::Error);
        let mut unfreed = Vec::new();
        for (address, allocation) in &self.allocations {
            let Some(location) = &allocation.allocated_at else { continue };
            unfreed.push(*address);
            if stopped {
                continue;
            }
            self.findings.push(Finding {
                location: location.clone(),
                severity: Severity::Warning,
                ..finding(
                    "W0615",
                    Kind::Host,
                    format!("`{}` ({} bytes) is never freed", allocation.name, allocation.bytes),
                    "call `cudaFree` before the host function returns: it is called once per image, and the \
                     GPU's memory runs out",
                )
            });
        }
        if !stopped {
            self.warn_of_pinned();
        }
        let unfreed_images = self.forget_images(stopped);
        Left { findings: self.findings, crash: self.crash, unfreed, unfreed_images }
    }

    /// Memory that stays page-locked.
    fn warn_of_pinned(&mut self) {
        for (message, call, location) in self.left_pinned() {
            let hint = format!("call `{call}` before the host function returns: it is called once per image");
            let found = finding("W0615", Kind::Host, message, &hint);
            self.findings.push(Finding { location, severity: Severity::Warning, ..found });
        }
    }

    /// Objects and arrays that are left, each a warning unless something `stopped` the function.
    fn forget_images(&mut self, stopped: bool) -> Vec<LeftImage> {
        let mut left = Vec::new();
        let mut warnings = Vec::new();
        for (handle, image) in &self.images {
            let (what, call) = match image.kind {
                ImageKind::Texture => ("a texture object", "cudaDestroyTextureObject"),
                ImageKind::Surface => ("a surface object", "cudaDestroySurfaceObject"),
            };
            left.push(LeftImage::Object(image.kind, *handle));
            warnings.push((image.made_at.clone(), format!("{what} is never destroyed"), call));
        }
        for array in self.arrays.values() {
            left.push(LeftImage::Array(array.id));
            let bytes = array.shape.row_bytes() * u64::from(array.shape.rows.max(1));
            let message = format!("`{}` ({bytes} bytes) is never freed", array.name);
            warnings.push((array.allocated_at.clone(), message, "cudaFreeArray"));
        }
        for (location, message, call) in warnings.into_iter().filter(|_| !stopped) {
            let hint = format!(
                "call `{call}` before the host function returns: it is called once per image, and the GPU's \
                 memory runs out"
            );
            let found = finding("W0615", Kind::Host, message, &hint);
            self.findings.push(Finding { location, severity: Severity::Warning, ..found });
        }
        left
    }

    /// Notes an error-level finding at the current call.
    pub(super) fn note(&mut self, host: &HostView<'_>, found: Finding) {
        let location = found.location.clone().or_else(|| host.location().cloned());
        self.findings.push(Finding { location, ..found });
    }

    /// Notes a finding, and makes the call return `code`.
    pub(super) fn refuse<T>(&mut self, host: &HostView<'_>, code: i32, found: Finding) -> Outcome<T> {
        self.note(host, found);
        Err(Refusal::Code(code))
    }

    fn dispatch(&mut self, call: HostCall, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        match call {
            HostCall::Launch => self.launch(words, host),
            HostCall::LaunchCooperative => self.launch_cooperative(words, host),
            HostCall::Malloc => self.malloc(words, host),
            HostCall::Free => self.free(words, host),
            HostCall::MallocPitch => self.malloc_pitch(words, host),
            HostCall::MemGetInfo => self.mem_get_info(words, host),
            HostCall::Memcpy => self.memcpy(words, host),
            HostCall::Memcpy2D => self.memcpy_2d(words, host),
            HostCall::Memset => self.memset(words, host),
            HostCall::Memset2D => self.memset_2d(words, host),
            HostCall::MemcpyToSymbol => self.memcpy_to_symbol(words, host),
            HostCall::MemcpyFromSymbol => self.memcpy_from_symbol(words, host),
            HostCall::GetSymbolAddress => self.symbol_address(words, host),
            HostCall::GetSymbolSize => self.symbol_size(words, host),
            HostCall::DeviceSynchronize => self.wait_for_all(host),
            HostCall::StreamCreate => self.stream_create(words, host),
            HostCall::StreamDestroy => self.stream_destroy(words[0]),
            HostCall::StreamSynchronize | HostCall::StreamQuery => self.stream_synchronize(words[0], host),
            HostCall::StreamWaitEvent => self.stream_wait_event(words),
            HostCall::EventCreate => self.event_create(words, host),
            HostCall::EventDestroy => self.event_destroy(words[0]),
            HostCall::EventRecord => self.event_record(words),
            HostCall::EventSynchronize | HostCall::EventQuery => self.event_synchronize(words[0], host),
            HostCall::EventElapsedTime => self.event_elapsed(words, host),
            HostCall::GetDeviceProperties => self.device_properties(words, host),
            HostCall::DeviceGetAttribute => self.device_attribute(words, host),
            HostCall::GetDevice => Ok(host.write(words[0], &0_i32.to_le_bytes())?),
            HostCall::GetDeviceCount => Ok(host.write(words[0], &1_i32.to_le_bytes())?),
            HostCall::SetDevice if words[0] == 0 => Ok(()),
            HostCall::SetDevice => Err(Refusal::Code(codes::INVALID_DEVICE)),
            HostCall::FuncSetAttribute => self.func_set_attribute(words, host),
            HostCall::OccupancyMaxActiveBlocks => self.max_active_blocks(words, host),
            HostCall::GetLastError | HostCall::PeekAtLastError => Ok(()),
            HostCall::MallocArray => self.malloc_array(words, host),
            HostCall::FreeArray => self.free_array(words[0], host),
            HostCall::Memcpy2DToArray => self.array_copy(false, words, host),
            HostCall::Memcpy2DFromArray => self.array_copy(true, words, host),
            HostCall::CreateTexture => self.create_texture(words, host),
            HostCall::CreateSurface => self.create_surface(words, host),
            HostCall::DestroyTexture => self.destroy_image(ImageKind::Texture, words[0], host),
            HostCall::DestroySurface => self.destroy_image(ImageKind::Surface, words[0], host),
            HostCall::HostRegister => self.host_register(words, host),
            HostCall::HostUnregister => self.host_unregister(words[0], host),
            HostCall::HostGetDevicePointer => self.host_device_pointer(host),
            HostCall::ManagedHint => self.managed_hint(words, host),
            HostCall::Exit => {
                let ended = finding(
                    "W0617",
                    Kind::Host,
                    format!("the host function calls `exit({})`", words[0] as i32),
                    "the message before it says why; return from the function instead, so that the check goes on",
                );
                Err(Refusal::End(HostCallError::Finding(Box::new(ended))))
            }
        }
    }
}

impl Runtime<'_> {
    /// The `cudaError_t` of a refusal, if the host function goes on with one.
    fn code_of(&mut self, refusal: Refusal) -> Result<i32, HostCallError> {
        match refusal {
            Refusal::Code(code) => Ok(code),
            Refusal::End(error) => Err(error),
            Refusal::Crash(code, message) => {
                // Only the end of this process mends it; `job` reads the crash from here.
                let text = format!("error {code}: {message}");
                self.crash = Some((code, message));
                Err(HostCallError::Engine(text))
            }
        }
    }
}

impl HostCalls for Runtime<'_> {
    fn call(&mut self, id: i32, arguments: u64, host: &mut HostView<'_>) -> Result<i32, HostCallError> {
        let Some((call, count)) = HostCall::from_number(id) else {
            return Err(HostCallError::Engine(format!(
                "the shim made runtime call {id}, which has no meaning"
            )));
        };
        let words = if count == 0 { Vec::new() } else { host.read_u64s(arguments, count)? };
        match call {
            HostCall::GetLastError => return Ok(std::mem::take(&mut self.last_error)),
            HostCall::PeekAtLastError => return Ok(self.last_error),
            _ => {}
        }
        match self.dispatch(call, &words, host) {
            Ok(()) => Ok(0),
            Err(refusal) => {
                let code = self.code_of(refusal)?;
                self.last_error = code;
                Ok(code)
            }
        }
    }

    fn touch(&mut self, address: u64, bytes: u64, host: &mut HostView<'_>) -> Result<(), HostCallError> {
        let Err(refusal) = self.touched(address, bytes, host) else { return Ok(()) };
        let code = self.code_of(refusal)?;
        Err(HostCallError::Engine(format!("managed memory could not be fetched: error {code}")))
    }
}

/// An error without a place.
pub(super) fn finding(code: &'static str, kind: Kind, message: String, hint: &str) -> Finding {
    Finding {
        code,
        kind,
        severity: Severity::Error,
        message,
        location: None,
        labels: Vec::new(),
        thread: None,
        count: 1,
        hint: hint.to_owned(),
    }
}

impl From<HostCallError> for Refusal {
    fn from(error: HostCallError) -> Self {
        Self::End(error)
    }
}

impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Refused { code, .. } => Self::Code(code),
            EngineError::Crashed { code, message } => Self::Crash(code, message),
            EngineError::Broken(message) => Self::End(HostCallError::Engine(message)),
        }
    }
}
