//! Page-locked memory, and the copies that run beside the host.

use std::ptr::{self, NonNull};
use std::rc::Rc;

use cust::context::CurrentContext;
use cust::memory::LockedBuffer;
use cust::sys;

use super::context::{SharedContext, enter};
use super::error::{check, of_cust};
use super::gpu::Gpu;
use super::memory::not_empty;
use super::regions::refuse;
use super::stream::Stream;
use super::types::DriverError;

const UPLOAD: &str = "cuMemcpyHtoDAsync";

/// Page-locked host memory. A copy between it and the device may still run while it is read or written here:
/// synchronise first.
#[derive(Debug)]
pub struct Pinned {
    /// Its first byte. All access goes through this pointer, because the GPU may write while a reference to the
    /// buffer would promise that nobody does.
    pointer: NonNull<u8>,
    length: usize,
    #[expect(dead_code, reason = "frees the memory when it is dropped")]
    buffer: LockedBuffer<u8>,
    // Last, because the buffer is freed in it.
    context: SharedContext,
}

impl Gpu {
    /// Allocates page-locked host memory, set to zero.
    pub fn alloc_pinned(&self, bytes: u64) -> Result<Pinned, DriverError> {
        const CALL: &str = "cuMemAllocHost";
        enter(&self.context)?;
        not_empty(CALL, bytes)?;
        let mut buffer = LockedBuffer::new(&0, bytes as usize).map_err(of_cust(CALL))?;
        let pointer = NonNull::from(buffer.as_mut_slice()).cast();
        Ok(Pinned { pointer, length: bytes as usize, buffer, context: Rc::clone(&self.context) })
    }

    /// Page-locked host memory, from `offset` on, to the device; returns before the copy is done.
    pub fn write_async(
        &self,
        stream: Option<&Stream>,
        address: u64,
        from: &Pinned,
        offset: u64,
        length: u64,
    ) -> Result<(), DriverError> {
        let source = from.range(UPLOAD, offset, length)?.as_ptr().cast();
        self.reach(UPLOAD, address, length)?;
        // SAFETY: the target lies in an allocation; the source lies in memory that is freed only after the GPU has
        // finished (see `Drop`).
        let result =
            unsafe { sys::cuMemcpyHtoDAsync_v2(address, source, length as usize, Stream::handle(stream)) };
        check(UPLOAD, result)
    }

    /// Ordinary host memory to the device, after the stream's work. The host does not wait for that work: the
    /// driver has copied the bytes when this returns.
    pub fn write_behind(
        &self,
        stream: Option<&Stream>,
        address: u64,
        bytes: &[u8],
    ) -> Result<(), DriverError> {
        self.reach(UPLOAD, address, bytes.len() as u64)?;
        let source = bytes.as_ptr().cast();
        // SAFETY: the target lies in an allocation; the driver returns with its own copy of pageable memory ("API
        // synchronization behavior" in its documentation).
        let result =
            unsafe { sys::cuMemcpyHtoDAsync_v2(address, source, bytes.len(), Stream::handle(stream)) };
        check(UPLOAD, result)
    }

    /// The device to page-locked host memory, from `offset` on; returns before the copy is done.
    pub fn read_async(
        &self,
        stream: Option<&Stream>,
        address: u64,
        to: &Pinned,
        offset: u64,
        length: u64,
    ) -> Result<(), DriverError> {
        const CALL: &str = "cuMemcpyDtoHAsync";
        let target = to.range(CALL, offset, length)?.as_ptr().cast();
        self.reach(CALL, address, length)?;
        // SAFETY: the source lies in an allocation; the target lies in memory that is freed only after the GPU
        // has finished (see `Drop`) and that no reference points to.
        let result =
            unsafe { sys::cuMemcpyDtoHAsync_v2(target, address, length as usize, Stream::handle(stream)) };
        check(CALL, result)
    }
}

impl Pinned {
    /// Bytes.
    pub fn length(&self) -> u64 {
        self.length as u64
    }

    /// Where it begins.
    pub(super) fn address(&self) -> NonNull<u8> {
        self.pointer
    }

    /// Writes bytes from `offset` on.
    pub fn write(&self, offset: u64, bytes: &[u8]) -> Result<(), DriverError> {
        let target = self.range("memcpy", offset, bytes.len() as u64)?;
        // SAFETY: the range lies in this allocation, which no reference points to.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), target.as_ptr(), bytes.len()) };
        Ok(())
    }

    /// Reads bytes from `offset` on.
    pub fn read(&self, offset: u64, bytes: &mut [u8]) -> Result<(), DriverError> {
        let source = self.range("memcpy", offset, bytes.len() as u64)?;
        // SAFETY: the range lies in this allocation, which was set to zero at the start.
        unsafe { ptr::copy_nonoverlapping(source.as_ptr(), bytes.as_mut_ptr(), bytes.len()) };
        Ok(())
    }

    fn range(&self, call: &'static str, offset: u64, length: u64) -> Result<NonNull<u8>, DriverError> {
        let end = offset.checked_add(length).filter(|&end| end <= self.length());
        if end.is_none() {
            let size = self.length;
            let message = format!("{length} bytes at {offset} do not lie in the {size} page-locked bytes");
            return Err(refuse(call, message));
        }
        // SAFETY: `offset` is at most the length of the allocation.
        Ok(unsafe { self.pointer.add(offset as usize) })
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        // The GPU must have finished with the buffer, which is dropped next. A broken context does not use it.
        if enter(&self.context).is_ok() {
            let _ = CurrentContext::synchronize();
        }
    }
}
