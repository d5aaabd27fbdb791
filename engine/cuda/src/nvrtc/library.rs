//! The loaded library: its functions, its version, its architectures.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::path::{Path, PathBuf};

use libloading::Library;

use super::types::{CompilerError, Origin};

/// `nvrtcResult`.
pub(super) type Status = c_int;
/// `nvrtcProgram`.
pub(super) type Program = *mut c_void;
pub(super) type SizeCall = unsafe extern "C" fn(Program, *mut usize) -> Status;
pub(super) type FillCall = unsafe extern "C" fn(Program, *mut c_char) -> Status;

/// The oldest major version that takes the workbook's options and headers.
const OLDEST: u32 = 12;

/// The functions of NVRTC, as its header declares them.
#[derive(Debug)]
pub(super) struct Functions {
    version: unsafe extern "C" fn(*mut c_int, *mut c_int) -> Status,
    architecture_count: unsafe extern "C" fn(*mut c_int) -> Status,
    architectures: unsafe extern "C" fn(*mut c_int) -> Status,
    error_string: unsafe extern "C" fn(Status) -> *const c_char,
    pub create: unsafe extern "C" fn(
        *mut Program,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Status,
    pub destroy: unsafe extern "C" fn(*mut Program) -> Status,
    pub compile: unsafe extern "C" fn(Program, c_int, *const *const c_char) -> Status,
    pub log_size: SizeCall,
    pub log: FillCall,
    pub ptx_size: SizeCall,
    pub ptx: FillCall,
    pub cubin_size: SizeCall,
    pub cubin: FillCall,
}

/// A loaded NVRTC. Several threads may compile at once.
#[derive(Debug)]
pub struct Compiler {
    pub(super) functions: Functions,
    path: PathBuf,
    origin: Origin,
    version: (u32, u32),
    architectures: Vec<u32>,
}

impl Compiler {
    /// Loads a library, after the `libnvrtc-builtins` beside it. NVRTC opens the builtins by their bare name, which
    /// works only if they are already loaded or in the loader's path.
    pub(super) fn load(path: &Path, origin: Origin) -> Result<Self, CompilerError> {
        let failed = |reason: String| CompilerError::Load { path: path.to_owned(), reason };
        for builtins in super::paths::builtins_beside(path) {
            open_global(&builtins)
                .map_err(|reason| CompilerError::Load { path: builtins.clone(), reason })?;
        }
        let library = open_global(path).map_err(&failed)?;
        let functions = Functions::of(library).map_err(&failed)?;
        let version = functions.read_version().map_err(&failed)?;
        if version.0 < OLDEST {
            let (major, minor) = version;
            return Err(failed(format!("it is version {major}.{minor}; {OLDEST}.0 or newer is needed")));
        }
        let architectures = functions.read_architectures().map_err(&failed)?;
        let path = if path.is_absolute() { path.to_owned() } else { loaded_from(&functions, path) };
        Ok(Self { functions, path, origin, version, architectures })
    }

    /// Version, such as (12, 9).
    pub fn version(&self) -> (u32, u32) {
        self.version
    }

    /// The library's path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Where it was found.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Whether this is the pinned compiler, whose PTX is the same on every machine.
    pub fn is_pinned(&self) -> bool {
        self.origin == Origin::Cache
    }

    /// The architectures that it compiles for, in ascending order: 50, 52 … 121.
    pub fn architectures(&self) -> Vec<u32> {
        self.architectures.clone()
    }

    /// The same after its file was moved.
    pub(super) fn moved_to(self, path: PathBuf) -> Self {
        Self { path, ..self }
    }
}

impl Functions {
    fn of(library: &'static Library) -> Result<Self, String> {
        /// Looks up a function, which has the type of its field.
        fn get<T: Copy>(library: &'static Library, name: &CStr) -> Result<T, String> {
            // SAFETY: every field of `Functions` has the type that nvrtc.h gives the function, and the library is
            // never unloaded.
            let symbol = unsafe { library.get::<T>(name.to_bytes_with_nul()) };
            symbol.map(|symbol| *symbol).map_err(|_| format!("it lacks `{}`", name.to_string_lossy()))
        }
        Ok(Self {
            version: get(library, c"nvrtcVersion")?,
            architecture_count: get(library, c"nvrtcGetNumSupportedArchs")?,
            architectures: get(library, c"nvrtcGetSupportedArchs")?,
            error_string: get(library, c"nvrtcGetErrorString")?,
            create: get(library, c"nvrtcCreateProgram")?,
            destroy: get(library, c"nvrtcDestroyProgram")?,
            compile: get(library, c"nvrtcCompileProgram")?,
            log_size: get(library, c"nvrtcGetProgramLogSize")?,
            log: get(library, c"nvrtcGetProgramLog")?,
            ptx_size: get(library, c"nvrtcGetPTXSize")?,
            ptx: get(library, c"nvrtcGetPTX")?,
            cubin_size: get(library, c"nvrtcGetCUBINSize")?,
            cubin: get(library, c"nvrtcGetCUBIN")?,
        })
    }

    fn read_version(&self) -> Result<(u32, u32), String> {
        let (mut major, mut minor) = (0, 0);
        // SAFETY: both point to integers that live during the call.
        let status = unsafe { (self.version)(&raw mut major, &raw mut minor) };
        self.check(status)?;
        Ok((major.unsigned_abs(), minor.unsigned_abs()))
    }

    fn read_architectures(&self) -> Result<Vec<u32>, String> {
        let mut count = 0;
        // SAFETY: points to an integer that lives during the call.
        self.check(unsafe { (self.architecture_count)(&raw mut count) })?;
        let mut list = vec![0; usize::try_from(count).unwrap_or(0)];
        // SAFETY: NVRTC writes as many integers as it has just counted.
        self.check(unsafe { (self.architectures)(list.as_mut_ptr()) })?;
        let mut list: Vec<u32> = list.into_iter().map(c_int::unsigned_abs).collect();
        list.sort_unstable();
        Ok(list)
    }

    /// `Ok` for success, or NVRTC's text for the status.
    pub(super) fn check(&self, status: Status) -> Result<(), String> {
        if status == 0 {
            return Ok(());
        }
        // SAFETY: NVRTC returns a static string for every number.
        let text = unsafe { CStr::from_ptr((self.error_string)(status)) };
        Err(format!("{} ({status})", text.to_string_lossy()))
    }
}

/// Opens a library and never closes it, because NVRTC keeps threads and caches that do not survive that. Opened
/// again, it is the same library. Its symbols are global because NVRTC finds its builtins that way.
#[cfg(unix)]
pub(super) fn open_global(path: &Path) -> Result<&'static Library, String> {
    use libloading::os::unix;
    // SAFETY: the library is NVIDIA's or one that the user named; its initialisers have no requirements.
    let opened = unsafe { unix::Library::open(Some(path), unix::RTLD_NOW | unix::RTLD_GLOBAL) };
    opened.map(|library| &*Box::leak(Box::new(Library::from(library)))).map_err(|error| reason(&error))
}

/// Opens a library and never closes it.
#[cfg(not(unix))]
pub(super) fn open_global(path: &Path) -> Result<&'static Library, String> {
    // SAFETY: the library is NVIDIA's or one that the user named; its initialisers have no requirements.
    let opened = unsafe { Library::new(path) };
    opened.map(|library| &*Box::leak(Box::new(library))).map_err(|error| reason(&error))
}

fn reason(error: &libloading::Error) -> String {
    match std::error::Error::source(error) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    }
}

/// The path of a library that the loader found by its bare name.
fn loaded_from(functions: &Functions, name: &Path) -> PathBuf {
    let address = functions.version as usize;
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    let holder = maps.lines().find_map(|line| {
        let (range, rest) = line.split_once(' ')?;
        let (start, end) = range.split_once('-')?;
        let start = usize::from_str_radix(start, 16).ok()?;
        let end = usize::from_str_radix(end, 16).ok()?;
        let path = &rest[rest.find('/')?..];
        (start..end).contains(&address).then(|| PathBuf::from(path))
    });
    holder.unwrap_or_else(|| name.to_owned())
}
