//! Arrays, textures and surfaces.
//!
//! The driver's descriptions are laid out by hand as in `cuda.h`: a tag, a union of 32 words, flags. What names
//! an array, object or range is checked here against what was made, since the driver takes any number.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{c_int, c_uint, c_void};
use std::ptr;

use super::calls;
use super::context::enter;
use super::error::check;
use super::gpu::Gpu;
use super::regions::refuse;
use super::types::{ArrayFormat, ArrayPart, DriverError, TextureMemory, TextureSettings};

/// What this GPU has been asked to make.
#[derive(Debug, Default)]
pub(super) struct Images {
    /// Array → bytes of a row, rows.
    arrays: BTreeMap<u64, (u64, u64)>,
    textures: BTreeSet<u64>,
    surfaces: BTreeSet<u64>,
}

/// `CUDA_ARRAY3D_DESCRIPTOR`.
#[repr(C)]
pub(super) struct ArrayDescription {
    width: usize,
    height: usize,
    depth: usize,
    format: c_int,
    channels: c_uint,
    flags: c_uint,
}

/// `CUDA_RESOURCE_DESC`.
#[repr(C)]
pub(super) struct ResourceDescription {
    kind: c_int,
    /// The union, as 64-bit words.
    words: [u64; 16],
    flags: c_uint,
}

/// `CUDA_TEXTURE_DESC`.
#[repr(C)]
pub(super) struct TextureDescription {
    address: [c_int; 3],
    filter: c_int,
    flags: c_uint,
    anisotropy: c_uint,
    level_filter: c_int,
    levels: [f32; 3],
    border: [f32; 4],
    reserved: [c_int; 12],
}

/// `CUDA_MEMCPY2D`, one half of it.
#[repr(C)]
#[derive(Clone, Copy)]
struct Side {
    x: usize,
    y: usize,
    kind: c_int,
    host: *mut c_void,
    device: u64,
    array: u64,
    pitch: usize,
}

/// `CUDA_MEMCPY2D`.
#[repr(C)]
pub(super) struct Copy2D {
    from: Side,
    to: Side,
    width: usize,
    rows: usize,
}

const _: () = assert!(
    size_of::<ArrayDescription>() == 40
        && size_of::<ResourceDescription>() == 144
        && size_of::<TextureDescription>() == 104
        && size_of::<Copy2D>() == 128
);

/// `CUmemorytype`.
const HOST: c_int = 1;
const DEVICE: c_int = 2;
const ARRAY: c_int = 3;

/// `CUresourcetype`.
const FROM_ARRAY: c_int = 0;
const FROM_LINEAR: c_int = 2;
const FROM_ROWS: c_int = 3;

impl Side {
    fn host(pointer: *mut c_void, part: ArrayPart) -> Self {
        Self { x: 0, y: 0, kind: HOST, host: pointer, device: 0, array: 0, pitch: part.width as usize }
    }

    fn device(address: u64, pitch: u64) -> Self {
        Self {
            x: 0,
            y: 0,
            kind: DEVICE,
            host: ptr::null_mut(),
            device: address,
            array: 0,
            pitch: pitch as usize,
        }
    }

    fn array(array: u64, part: ArrayPart) -> Self {
        Self {
            x: part.x as usize,
            y: part.y as usize,
            kind: ARRAY,
            host: ptr::null_mut(),
            device: 0,
            array,
            pitch: 0,
        }
    }
}

impl Gpu {
    /// Allocates an array; rows 0 makes one of one dimension.
    pub fn alloc_array(
        &self,
        format: ArrayFormat,
        width: u32,
        rows: u32,
        surfaces: bool,
        gather: bool,
    ) -> Result<u64, DriverError> {
        const SURFACES: c_uint = 2;
        const GATHER: c_uint = 8;
        enter(&self.context)?;
        let description = ArrayDescription {
            width: width as usize,
            height: rows as usize,
            depth: 0,
            format: format.number,
            channels: format.channels,
            flags: if surfaces { SURFACES } else { 0 } | if gather { GATHER } else { 0 },
        };
        let mut array = 0;
        // SAFETY: both arguments live during the call.
        check("cuArray3DCreate", unsafe {
            calls::cuArray3DCreate_v2(&raw mut array, &raw const description)
        })?;
        let row = u64::from(width) * u64::from(format.channels) * u64::from(format.bytes);
        self.images.borrow_mut().arrays.insert(array, (row, u64::from(rows.max(1))));
        Ok(array)
    }

    /// Frees it.
    pub fn free_array(&self, array: u64) -> Result<(), DriverError> {
        enter(&self.context)?;
        if self.images.borrow_mut().arrays.remove(&array).is_none() {
            return Err(refuse("cuArrayDestroy", format!("{array:#x} is no array")));
        }
        // SAFETY: made here and not destroyed before.
        check("cuArrayDestroy", unsafe { calls::cuArrayDestroy(array) })
    }

    /// Host to array; `bytes` holds the part's rows one after another.
    pub fn write_array(&self, array: u64, part: ArrayPart, bytes: &[u8]) -> Result<(), DriverError> {
        self.reach_part(array, part)?;
        whole(part, bytes.len())?;
        let from = Side::host(bytes.as_ptr().cast_mut().cast(), part);
        // SAFETY: the driver only reads the source, a slice of exactly these rows.
        unsafe { copy_2d(from, Side::array(array, part), part) }
    }

    /// Array to host.
    pub fn read_array(&self, array: u64, part: ArrayPart, bytes: &mut [u8]) -> Result<(), DriverError> {
        self.reach_part(array, part)?;
        whole(part, bytes.len())?;
        let to = Side::host(bytes.as_mut_ptr().cast(), part);
        // SAFETY: the target is a slice of exactly these rows.
        unsafe { copy_2d(Side::array(array, part), to, part) }
    }

    /// Device memory, in rows `pitch` bytes apart, to array.
    pub fn copy_to_array(
        &self,
        array: u64,
        part: ArrayPart,
        from: u64,
        pitch: u64,
    ) -> Result<(), DriverError> {
        self.reach_part(array, part)?;
        self.reach("cuMemcpy2D", from, length(part, pitch)?)?;
        // SAFETY: both rectangles lie in what was allocated.
        unsafe { copy_2d(Side::device(from, pitch), Side::array(array, part), part) }
    }

    /// Array to device memory.
    pub fn copy_from_array(
        &self,
        to: u64,
        pitch: u64,
        array: u64,
        part: ArrayPart,
    ) -> Result<(), DriverError> {
        self.reach_part(array, part)?;
        self.reach("cuMemcpy2D", to, length(part, pitch)?)?;
        // SAFETY: both rectangles lie in what was allocated.
        unsafe { copy_2d(Side::array(array, part), Side::device(to, pitch), part) }
    }

    /// Creates a texture object.
    pub fn create_texture(
        &self,
        memory: TextureMemory,
        settings: &TextureSettings,
    ) -> Result<u64, DriverError> {
        const AS_INTEGERS: c_uint = 1;
        const NORMALIZED: c_uint = 2;
        let resource = self.resource(memory)?;
        let texture = TextureDescription {
            address: [settings.address[0], settings.address[1], settings.address[1]],
            filter: c_int::from(settings.linear_filter),
            flags: if settings.as_integers { AS_INTEGERS } else { 0 }
                | if settings.normalized { NORMALIZED } else { 0 },
            anisotropy: 0,
            level_filter: 0,
            levels: [0.0; 3],
            border: settings.border,
            reserved: [0; 12],
        };
        let mut object = 0;
        // SAFETY: all descriptions live during the call; a null view means the whole resource.
        let status = unsafe {
            calls::cuTexObjectCreate(&raw mut object, &raw const resource, &raw const texture, ptr::null())
        };
        check("cuTexObjectCreate", status)?;
        self.images.borrow_mut().textures.insert(object);
        Ok(object)
    }

    /// Destroys it.
    pub fn destroy_texture(&self, object: u64) -> Result<(), DriverError> {
        enter(&self.context)?;
        if !self.images.borrow_mut().textures.remove(&object) {
            return Err(refuse("cuTexObjectDestroy", format!("{object:#x} is no texture object")));
        }
        // SAFETY: made here and not destroyed before.
        check("cuTexObjectDestroy", unsafe { calls::cuTexObjectDestroy(object) })
    }

    /// Creates a surface object over an array.
    pub fn create_surface(&self, array: u64) -> Result<u64, DriverError> {
        let resource = self.resource(TextureMemory::Array(array))?;
        let mut object = 0;
        // SAFETY: both arguments live during the call.
        let status = unsafe { calls::cuSurfObjectCreate(&raw mut object, &raw const resource) };
        check("cuSurfObjectCreate", status)?;
        self.images.borrow_mut().surfaces.insert(object);
        Ok(object)
    }

    /// Destroys it.
    pub fn destroy_surface(&self, object: u64) -> Result<(), DriverError> {
        enter(&self.context)?;
        if !self.images.borrow_mut().surfaces.remove(&object) {
            return Err(refuse("cuSurfObjectDestroy", format!("{object:#x} is no surface object")));
        }
        // SAFETY: made here and not destroyed before.
        check("cuSurfObjectDestroy", unsafe { calls::cuSurfObjectDestroy(object) })
    }

    /// Destroys all that is left, when the GPU is let go of.
    pub(super) fn destroy_images(&mut self) {
        let images = self.images.take();
        // SAFETY: all made here and not destroyed before; the context is current. After a sticky error each
        // fails, and nothing is lost.
        unsafe {
            for object in images.textures {
                calls::cuTexObjectDestroy(object);
            }
            for object in images.surfaces {
                calls::cuSurfObjectDestroy(object);
            }
            for array in images.arrays.into_keys() {
                calls::cuArrayDestroy(array);
            }
        }
    }

    /// The driver's description of memory that has been found to be there.
    fn resource(&self, memory: TextureMemory) -> Result<ResourceDescription, DriverError> {
        const CALL: &str = "cuTexObjectCreate";
        let mut words = [0; 16];
        let format =
            |format: ArrayFormat| u64::from(format.number.unsigned_abs()) | u64::from(format.channels) << 32;
        let kind = match memory {
            TextureMemory::Array(array) => {
                enter(&self.context)?;
                if !self.images.borrow().arrays.contains_key(&array) {
                    return Err(refuse(CALL, format!("{array:#x} is no array")));
                }
                words[0] = array;
                FROM_ARRAY
            }
            TextureMemory::Linear { address, bytes, format: pixels } => {
                self.reach(CALL, address, bytes)?;
                words[..3].copy_from_slice(&[address, format(pixels), bytes]);
                FROM_LINEAR
            }
            TextureMemory::Rows { address, format: pixels, width, rows, pitch } => {
                let row = u64::from(width) * u64::from(pixels.channels) * u64::from(pixels.bytes);
                let part = ArrayPart { x: 0, y: 0, width: row, rows: u64::from(rows) };
                self.reach(CALL, address, length(part, pitch)?)?;
                let shape = [address, format(pixels), u64::from(width), u64::from(rows), pitch];
                words[..5].copy_from_slice(&shape);
                FROM_ROWS
            }
        };
        Ok(ResourceDescription { kind, words, flags: 0 })
    }

    /// Refuses a part that does not lie in the array.
    fn reach_part(&self, array: u64, part: ArrayPart) -> Result<(), DriverError> {
        let inside = self.images.borrow().arrays.get(&array).is_some_and(|&(row, rows)| {
            part.x.saturating_add(part.width) <= row && part.y.saturating_add(part.rows) <= rows
        });
        if inside {
            return enter(&self.context);
        }
        Err(refuse("cuMemcpy2D", format!("{part:?} does not lie in an array {array:#x}")))
    }
}

/// Refuses bytes that are not exactly the part's rows.
fn whole(part: ArrayPart, bytes: usize) -> Result<(), DriverError> {
    if part.width.checked_mul(part.rows) == Some(bytes as u64) {
        return Ok(());
    }
    Err(refuse("cuMemcpy2D", format!("{bytes} bytes for {part:?}")))
}

/// Bytes from the first to the last of rows `pitch` bytes apart.
fn length(part: ArrayPart, pitch: u64) -> Result<u64, DriverError> {
    let before = part.rows.saturating_sub(1).checked_mul(pitch);
    let bytes = before.and_then(|before| before.checked_add(part.width));
    match bytes {
        Some(bytes) if part.width <= pitch => Ok(bytes),
        _ => Err(refuse("cuMemcpy2D", format!("a pitch of {pitch} bytes for {part:?}"))),
    }
}

/// # Safety
/// Both sides hold the part's rows.
unsafe fn copy_2d(from: Side, to: Side, part: ArrayPart) -> Result<(), DriverError> {
    let copy = Copy2D { from, to, width: part.width as usize, rows: part.rows as usize };
    // SAFETY: the caller's.
    check("cuMemcpy2D", unsafe { calls::cuMemcpy2D_v2(&raw const copy) })
}
