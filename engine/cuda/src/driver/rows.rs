//! Copies and fills of rows that lie apart, each one operation of the GPU: a copy for each row would take some
//! microseconds for each of thousands of rows.

use cust::sys::{self, CUDA_MEMCPY2D, CUmemorytype};

use super::error::check;
use super::gpu::Gpu;
use super::regions::refuse;
use super::stream::Stream;
use super::types::{DeviceRows, DriverError};

impl Gpu {
    /// Copies rows within the device in a stream; `None` is the default one. Both sides have as many rows of the same width.
    pub fn copy_rows_in(
        &self,
        stream: Option<&Stream>,
        to: DeviceRows,
        from: DeviceRows,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemcpy2DAsync";
        if (to.width, to.rows) != (from.width, from.rows) {
            return Err(refuse(CALL, format!("{from:?} to {to:?}")));
        }
        self.reach(CALL, to.address, extent(CALL, to)?)?;
        self.reach(CALL, from.address, extent(CALL, from)?)?;
        let copy = CUDA_MEMCPY2D {
            srcXInBytes: 0,
            srcY: 0,
            srcMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
            srcHost: std::ptr::null(),
            srcDevice: from.address,
            srcArray: std::ptr::null_mut(),
            srcPitch: from.pitch as usize,
            dstXInBytes: 0,
            dstY: 0,
            dstMemoryType: CUmemorytype::CU_MEMORYTYPE_DEVICE,
            dstHost: std::ptr::null_mut(),
            dstDevice: to.address,
            dstArray: std::ptr::null_mut(),
            dstPitch: to.pitch as usize,
            WidthInBytes: to.width as usize,
            Height: to.rows as usize,
        };
        // SAFETY: both sides lie in allocations with all their rows; the driver reads the description during the call.
        check(CALL, unsafe { sys::cuMemcpy2DAsync_v2(&raw const copy, Stream::handle(stream)) })
    }

    /// Sets the bytes of rows in a stream; `None` is the default one.
    pub fn fill_rows_in(
        &self,
        stream: Option<&Stream>,
        rows: DeviceRows,
        value: u8,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemsetD2D8Async";
        self.reach(CALL, rows.address, extent(CALL, rows)?)?;
        let (pitch, width, height) = (rows.pitch as usize, rows.width as usize, rows.rows as usize);
        let handle = Stream::handle(stream);
        // SAFETY: all rows lie in an allocation.
        check(CALL, unsafe { sys::cuMemsetD2D8Async(rows.address, pitch, value, width, height, handle) })
    }
}

/// Bytes from the first of the rows to the last.
fn extent(call: &'static str, rows: DeviceRows) -> Result<u64, DriverError> {
    let before = rows.rows.saturating_sub(1).checked_mul(rows.pitch);
    match before.and_then(|before| before.checked_add(rows.width)) {
        Some(bytes) if rows.width <= rows.pitch => Ok(bytes),
        _ => Err(refuse(call, format!("{rows:?}"))),
    }
}
