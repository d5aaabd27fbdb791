//! Arrays, textures and surfaces.
//!
//! The driver takes any number for an array, object or address. So each is checked here against what was made.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::c_void;
use std::ptr;

use cust::sys::{
    self, CUDA_ARRAY3D_DESCRIPTOR, CUDA_MEMCPY2D, CUDA_RESOURCE_DESC, CUDA_TEXTURE_DESC, CUaddress_mode,
    CUarray, CUarray_format, CUfilter_mode, CUmemorytype, CUresourcetype,
};

use super::context::enter;
use super::error::check;
use super::gpu::Gpu;
use super::regions::refuse;
use super::types::{ArrayFormat, ArrayPart, DriverError, TextureMemory, TextureSettings};

const COPY: &str = "cuMemcpy2D";
const TEXTURE: &str = "cuTexObjectCreate";

/// What has been made on this GPU.
#[derive(Debug, Default)]
pub(super) struct Images {
    /// Array → bytes per row, rows.
    arrays: BTreeMap<u64, (u64, u64)>,
    textures: BTreeSet<u64>,
    surfaces: BTreeSet<u64>,
}

/// What part of an array is copied from or to.
enum Other<'a> {
    Source(&'a [u8]),
    Target(&'a mut [u8]),
    /// Address and pitch of rows of device memory.
    FromDevice(u64, u64),
    ToDevice(u64, u64),
}

/// One half of a `CUDA_MEMCPY2D`.
struct Side {
    x: usize,
    y: usize,
    kind: CUmemorytype,
    host: *mut c_void,
    device: u64,
    array: CUarray,
    pitch: usize,
}

impl Side {
    fn of(kind: CUmemorytype) -> Self {
        Self { x: 0, y: 0, kind, host: ptr::null_mut(), device: 0, array: ptr::null_mut(), pitch: 0 }
    }
}

impl Gpu {
    /// Allocates an array; 0 rows make it one-dimensional.
    pub fn alloc_array(
        &self,
        format: ArrayFormat,
        width: u32,
        rows: u32,
        surfaces: bool,
        gather: bool,
    ) -> Result<u64, DriverError> {
        enter(&self.context)?;
        let description = CUDA_ARRAY3D_DESCRIPTOR {
            Width: width as usize,
            Height: rows as usize,
            Depth: 0,
            Format: pixel("cuArray3DCreate", format)?,
            NumChannels: format.channels,
            Flags: if surfaces { sys::CUDA_ARRAY3D_SURFACE_LDST } else { 0 }
                | if gather { sys::CUDA_ARRAY3D_TEXTURE_GATHER } else { 0 },
        };
        let mut array = ptr::null_mut();
        // SAFETY: both arguments live during the call.
        check("cuArray3DCreate", unsafe { sys::cuArray3DCreate_v2(&raw mut array, &raw const description) })?;
        let array = array.expose_provenance() as u64;
        let row = u64::from(width) * u64::from(format.channels) * u64::from(format.bytes);
        self.images.borrow_mut().arrays.insert(array, (row, u64::from(rows.max(1))));
        Ok(array)
    }

    /// Frees it.
    pub fn free_array(&self, array: u64) -> Result<(), DriverError> {
        enter(&self.context)?;
        if self.images.borrow_mut().arrays.remove(&array).is_none() {
            return Err(refuse("cuArrayDestroy", format!("{array:#x} is not an array")));
        }
        // SAFETY: made here and not destroyed before.
        check("cuArrayDestroy", unsafe { sys::cuArrayDestroy(handle(array)) })
    }

    /// Host to an array; `bytes` holds the rows of the part one after another.
    pub fn write_array(&self, array: u64, part: ArrayPart, bytes: &[u8]) -> Result<(), DriverError> {
        self.copy_part(array, part, Other::Source(bytes))
    }

    /// An array to the host.
    pub fn read_array(&self, array: u64, part: ArrayPart, bytes: &mut [u8]) -> Result<(), DriverError> {
        self.copy_part(array, part, Other::Target(bytes))
    }

    /// Device memory, in rows `pitch` bytes apart, to an array.
    pub fn copy_to_array(
        &self,
        array: u64,
        part: ArrayPart,
        from: u64,
        pitch: u64,
    ) -> Result<(), DriverError> {
        self.copy_part(array, part, Other::FromDevice(from, pitch))
    }

    /// An array to device memory.
    pub fn copy_from_array(
        &self,
        to: u64,
        pitch: u64,
        array: u64,
        part: ArrayPart,
    ) -> Result<(), DriverError> {
        self.copy_part(array, part, Other::ToDevice(to, pitch))
    }

    fn copy_part(&self, array: u64, part: ArrayPart, other: Other<'_>) -> Result<(), DriverError> {
        self.reach_part(array, part)?;
        let array = Side {
            x: part.x as usize,
            y: part.y as usize,
            array: handle(array),
            ..Side::of(CUmemorytype::CU_MEMORYTYPE_ARRAY)
        };
        let host = |pointer: *mut c_void, bytes: usize| -> Result<Side, DriverError> {
            whole(part, bytes)?;
            let pitch = part.width as usize;
            Ok(Side { host: pointer, pitch, ..Side::of(CUmemorytype::CU_MEMORYTYPE_HOST) })
        };
        let device = |address: u64, pitch: u64| -> Result<Side, DriverError> {
            self.reach(COPY, address, length(part, pitch)?)?;
            let pitch = pitch as usize;
            Ok(Side { device: address, pitch, ..Side::of(CUmemorytype::CU_MEMORYTYPE_DEVICE) })
        };
        let (from, to) = match other {
            Other::Source(bytes) => (host(bytes.as_ptr().cast_mut().cast(), bytes.len())?, array),
            Other::Target(bytes) => (array, host(bytes.as_mut_ptr().cast(), bytes.len())?),
            Other::FromDevice(address, pitch) => (device(address, pitch)?, array),
            Other::ToDevice(address, pitch) => (array, device(address, pitch)?),
        };
        let copy = CUDA_MEMCPY2D {
            srcXInBytes: from.x,
            srcY: from.y,
            srcMemoryType: from.kind,
            srcHost: from.host,
            srcDevice: from.device,
            srcArray: from.array,
            srcPitch: from.pitch,
            dstXInBytes: to.x,
            dstY: to.y,
            dstMemoryType: to.kind,
            dstHost: to.host,
            dstDevice: to.device,
            dstArray: to.array,
            dstPitch: to.pitch,
            WidthInBytes: part.width as usize,
            Height: part.rows as usize,
        };
        // SAFETY: the part lies in the array, the other side holds its rows, and the source is only read.
        check(COPY, unsafe { sys::cuMemcpy2D_v2(&raw const copy) })
    }

    /// Creates a texture object.
    pub fn create_texture(
        &self,
        memory: TextureMemory,
        settings: &TextureSettings,
    ) -> Result<u64, DriverError> {
        let resource = self.resource(memory)?;
        let [along_x, along_y] = settings.address.map(address_mode);
        let along_y = along_y?;
        let mut texture =
            CUDA_TEXTURE_DESC { addressMode: [along_x?, along_y, along_y], ..Default::default() };
        texture.borderColor = settings.border;
        if settings.linear_filter {
            texture.filterMode = CUfilter_mode::CU_TR_FILTER_MODE_LINEAR;
        }
        if settings.as_integers {
            texture.flags |= sys::CU_TRSF_READ_AS_INTEGER;
        }
        if settings.normalized {
            texture.flags |= sys::CU_TRSF_NORMALIZED_COORDINATES;
        }
        let mut object = 0;
        // SAFETY: all descriptions live during the call; a null view means the whole resource.
        let result = unsafe {
            sys::cuTexObjectCreate(&raw mut object, &raw const resource, &raw const texture, ptr::null())
        };
        check(TEXTURE, result)?;
        self.images.borrow_mut().textures.insert(object);
        Ok(object)
    }

    /// Destroys it.
    pub fn destroy_texture(&self, object: u64) -> Result<(), DriverError> {
        enter(&self.context)?;
        if !self.images.borrow_mut().textures.remove(&object) {
            return Err(refuse("cuTexObjectDestroy", format!("{object:#x} is not a texture object")));
        }
        // SAFETY: made here and not destroyed before.
        check("cuTexObjectDestroy", unsafe { sys::cuTexObjectDestroy(object) })
    }

    /// Creates a surface object over an array.
    pub fn create_surface(&self, array: u64) -> Result<u64, DriverError> {
        let resource = self.resource(TextureMemory::Array(array))?;
        let mut object = 0;
        // SAFETY: both arguments live during the call.
        let result = unsafe { sys::cuSurfObjectCreate(&raw mut object, &raw const resource) };
        check("cuSurfObjectCreate", result)?;
        self.images.borrow_mut().surfaces.insert(object);
        Ok(object)
    }

    /// Destroys it.
    pub fn destroy_surface(&self, object: u64) -> Result<(), DriverError> {
        enter(&self.context)?;
        if !self.images.borrow_mut().surfaces.remove(&object) {
            return Err(refuse("cuSurfObjectDestroy", format!("{object:#x} is not a surface object")));
        }
        // SAFETY: made here and not destroyed before.
        check("cuSurfObjectDestroy", unsafe { sys::cuSurfObjectDestroy(object) })
    }

    /// Destroys everything that is left, when the GPU is dropped.
    pub(super) fn destroy_images(&mut self) {
        let images = self.images.take();
        // SAFETY: all made here and not destroyed before; the context is current. After a sticky error each call
        // fails, and nothing is lost.
        unsafe {
            for object in images.textures {
                sys::cuTexObjectDestroy(object);
            }
            for object in images.surfaces {
                sys::cuSurfObjectDestroy(object);
            }
            for array in images.arrays.into_keys() {
                sys::cuArrayDestroy(handle(array));
            }
        }
    }

    /// The driver's description of memory, which must have been allocated here.
    fn resource(&self, memory: TextureMemory) -> Result<CUDA_RESOURCE_DESC, DriverError> {
        let mut resource = CUDA_RESOURCE_DESC::default();
        match memory {
            TextureMemory::Array(array) => {
                enter(&self.context)?;
                if !self.images.borrow().arrays.contains_key(&array) {
                    return Err(refuse(TEXTURE, format!("{array:#x} is not an array")));
                }
                resource.resType = CUresourcetype::CU_RESOURCE_TYPE_ARRAY;
                resource.res.array.hArray = handle(array);
            }
            TextureMemory::Linear { address, bytes, format } => {
                self.reach(TEXTURE, address, bytes)?;
                resource.resType = CUresourcetype::CU_RESOURCE_TYPE_LINEAR;
                resource.res.linear.devPtr = address;
                resource.res.linear.format = pixel(TEXTURE, format)?;
                resource.res.linear.numChannels = format.channels;
                resource.res.linear.sizeInBytes = bytes as usize;
            }
            TextureMemory::Rows { address, format, width, rows, pitch } => {
                let row = u64::from(width) * u64::from(format.channels) * u64::from(format.bytes);
                let part = ArrayPart { x: 0, y: 0, width: row, rows: u64::from(rows) };
                self.reach(TEXTURE, address, length(part, pitch)?)?;
                resource.resType = CUresourcetype::CU_RESOURCE_TYPE_PITCH2D;
                resource.res.pitch2D.devPtr = address;
                resource.res.pitch2D.format = pixel(TEXTURE, format)?;
                resource.res.pitch2D.numChannels = format.channels;
                resource.res.pitch2D.width = width as usize;
                resource.res.pitch2D.height = rows as usize;
                resource.res.pitch2D.pitchInBytes = pitch as usize;
            }
        }
        Ok(resource)
    }

    /// Refuses a part that does not lie in the array.
    fn reach_part(&self, array: u64, part: ArrayPart) -> Result<(), DriverError> {
        let inside = self.images.borrow().arrays.get(&array).is_some_and(|&(row, rows)| {
            part.x.saturating_add(part.width) <= row && part.y.saturating_add(part.rows) <= rows
        });
        if inside {
            return enter(&self.context);
        }
        Err(refuse(COPY, format!("{part:?} does not lie in an array {array:#x}")))
    }
}

/// Refuses bytes that are not exactly the part's rows.
fn whole(part: ArrayPart, bytes: usize) -> Result<(), DriverError> {
    if part.width.checked_mul(part.rows) == Some(bytes as u64) {
        return Ok(());
    }
    Err(refuse(COPY, format!("{bytes} bytes for {part:?}")))
}

/// Bytes from the first to the last of rows `pitch` bytes apart.
fn length(part: ArrayPart, pitch: u64) -> Result<u64, DriverError> {
    let before = part.rows.saturating_sub(1).checked_mul(pitch);
    let bytes = before.and_then(|before| before.checked_add(part.width));
    match bytes {
        Some(bytes) if part.width <= pitch => Ok(bytes),
        _ => Err(refuse(COPY, format!("a pitch of {pitch} bytes for {part:?}"))),
    }
}

/// An array by the number that callers know it by. Only the driver follows the pointer.
fn handle(array: u64) -> CUarray {
    ptr::with_exposed_provenance_mut(array as usize)
}

/// The driver's enum for a pixel.
fn pixel(call: &'static str, format: ArrayFormat) -> Result<CUarray_format, DriverError> {
    Ok(match format.number {
        0x01 => CUarray_format::CU_AD_FORMAT_UNSIGNED_INT8,
        0x02 => CUarray_format::CU_AD_FORMAT_UNSIGNED_INT16,
        0x03 => CUarray_format::CU_AD_FORMAT_UNSIGNED_INT32,
        0x08 => CUarray_format::CU_AD_FORMAT_SIGNED_INT8,
        0x09 => CUarray_format::CU_AD_FORMAT_SIGNED_INT16,
        0x0a => CUarray_format::CU_AD_FORMAT_SIGNED_INT32,
        0x10 => CUarray_format::CU_AD_FORMAT_HALF,
        0x20 => CUarray_format::CU_AD_FORMAT_FLOAT,
        number => return Err(refuse(call, format!("{number:#x} is not a format of pixels"))),
    })
}

/// The driver's enum for what a texture returns beyond its border.
fn address_mode(number: i32) -> Result<CUaddress_mode, DriverError> {
    Ok(match number {
        0 => CUaddress_mode::CU_TR_ADDRESS_MODE_WRAP,
        1 => CUaddress_mode::CU_TR_ADDRESS_MODE_CLAMP,
        2 => CUaddress_mode::CU_TR_ADDRESS_MODE_MIRROR,
        3 => CUaddress_mode::CU_TR_ADDRESS_MODE_BORDER,
        number => return Err(refuse(TEXTURE, format!("{number} is not an address mode"))),
    })
}
