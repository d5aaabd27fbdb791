//! Streams, events, page-locked memory and the copies that run beside kernels.

use std::ptr::{self, NonNull};
use std::rc::Rc;

use cust::sys::{CUevent, CUstream};

use super::calls;
use super::context::{SharedContext, enter};
use super::error::{NOT_READY, check};
use super::gpu::Gpu;
use super::regions::refuse;
use super::types::DriverError;

/// A queue of work that runs in order. As with `cudaStreamCreate`, it waits for the default stream's work and
/// that for its own.
#[derive(Debug)]
pub struct Stream {
    handle: CUstream,
    context: SharedContext,
}

/// A point in the GPU's time.
#[derive(Debug)]
pub struct Event {
    handle: CUevent,
    context: SharedContext,
}

/// Page-locked host memory. A copy between it and the device may still be under way while it is read or
/// written here: synchronise first.
#[derive(Debug)]
pub struct Pinned {
    pointer: NonNull<u8>,
    length: usize,
    context: SharedContext,
}

impl Gpu {
    /// Makes a stream.
    pub fn stream(&self) -> Result<Stream, DriverError> {
        enter(&self.context)?;
        let mut handle = ptr::null_mut();
        // SAFETY: `handle` lives during the call.
        check("cuStreamCreate", unsafe { calls::cuStreamCreate(&raw mut handle, 0) })?;
        Ok(Stream { handle, context: Rc::clone(&self.context) })
    }

    /// Destroys a stream; its work is still finished. Dropping it does the same and keeps the error quiet.
    pub fn destroy_stream(&self, mut stream: Stream) -> Result<(), DriverError> {
        enter(&self.context)?;
        let handle = std::mem::replace(&mut stream.handle, ptr::null_mut());
        // SAFETY: made by `cuStreamCreate`, and taken out so that it is not destroyed twice.
        check("cuStreamDestroy", unsafe { calls::cuStreamDestroy_v2(handle) })
    }

    /// Waits for a stream's work.
    pub fn synchronize_stream(&self, stream: &Stream) -> Result<(), DriverError> {
        enter(&self.context)?;
        // SAFETY: the stream is alive.
        check("cuStreamSynchronize", unsafe { calls::cuStreamSynchronize(stream.handle) })
    }

    /// Whether a stream's work is done.
    pub fn stream_is_done(&self, stream: &Stream) -> Result<bool, DriverError> {
        enter(&self.context)?;
        // SAFETY: the stream is alive.
        done("cuStreamQuery", unsafe { calls::cuStreamQuery(stream.handle) })
    }

    /// Lets a stream's later work wait for an event.
    pub fn wait_event(&self, stream: Option<&Stream>, event: &Event) -> Result<(), DriverError> {
        enter(&self.context)?;
        // SAFETY: both are alive.
        let status = unsafe { calls::cuStreamWaitEvent(Stream::handle(stream), event.handle, 0) };
        check("cuStreamWaitEvent", status)
    }

    /// Makes an event.
    pub fn event(&self) -> Result<Event, DriverError> {
        enter(&self.context)?;
        let mut handle = ptr::null_mut();
        // SAFETY: `handle` lives during the call.
        check("cuEventCreate", unsafe { calls::cuEventCreate(&raw mut handle, 0) })?;
        Ok(Event { handle, context: Rc::clone(&self.context) })
    }

    /// Records it.
    pub fn record(&self, event: &Event) -> Result<(), DriverError> {
        self.record_in(None, event)
    }

    /// Records it on a stream; `None` is the default one.
    pub fn record_in(&self, stream: Option<&Stream>, event: &Event) -> Result<(), DriverError> {
        enter(&self.context)?;
        // SAFETY: both are alive.
        check("cuEventRecord", unsafe { calls::cuEventRecord(event.handle, Stream::handle(stream)) })
    }

    /// Waits for an event.
    pub fn synchronize_event(&self, event: &Event) -> Result<(), DriverError> {
        enter(&self.context)?;
        // SAFETY: the event is alive.
        check("cuEventSynchronize", unsafe { calls::cuEventSynchronize(event.handle) })
    }

    /// Whether an event has been reached.
    pub fn event_is_done(&self, event: &Event) -> Result<bool, DriverError> {
        enter(&self.context)?;
        // SAFETY: the event is alive.
        done("cuEventQuery", unsafe { calls::cuEventQuery(event.handle) })
    }

    /// Milliseconds between two recorded events (waits for the second).
    pub fn elapsed_ms(&self, start: &Event, stop: &Event) -> Result<f32, DriverError> {
        self.synchronize_event(stop)?;
        let mut milliseconds = 0.0;
        // SAFETY: both events are alive, `milliseconds` lives during the call.
        let status = unsafe { calls::cuEventElapsedTime(&raw mut milliseconds, start.handle, stop.handle) };
        check("cuEventElapsedTime", status)?;
        Ok(milliseconds)
    }

    /// Allocates page-locked host memory, set to zero.
    pub fn alloc_pinned(&self, bytes: u64) -> Result<Pinned, DriverError> {
        let length = bytes as usize;
        let pointer = self.lock_pages(length)?;
        // SAFETY: the driver gave `length` bytes.
        unsafe { ptr::write_bytes(pointer.as_ptr(), 0, length) };
        Ok(Pinned { pointer, length, context: Rc::clone(&self.context) })
    }

    /// Page-locked host memory, from `offset` on, to the device; returns before it is done.
    pub fn write_async(
        &self,
        stream: Option<&Stream>,
        address: u64,
        from: &Pinned,
        offset: u64,
        length: u64,
    ) -> Result<(), DriverError> {
        let source = from.range("cuMemcpyHtoDAsync", offset, length)?;
        self.reach("cuMemcpyHtoDAsync", address, length)?;
        // SAFETY: the target lies in an allocation; the source lies in memory that is freed only after the
        // GPU has finished (see `Drop`).
        let status = unsafe {
            calls::cuMemcpyHtoDAsync_v2(
                address,
                source.as_ptr().cast(),
                length as usize,
                Stream::handle(stream),
            )
        };
        check("cuMemcpyHtoDAsync", status)
    }

    /// Ordinary host memory to the device, behind the stream's work, for which the host does not wait: the driver has taken the
    /// bytes when this returns.
    pub fn write_behind(
        &self,
        stream: Option<&Stream>,
        address: u64,
        bytes: &[u8],
    ) -> Result<(), DriverError> {
        self.reach("cuMemcpyHtoDAsync", address, bytes.len() as u64)?;
        // SAFETY: the target lies in an allocation; of pageable memory the driver has a copy of its own when it returns ("API
        // synchronization behavior" in its documentation).
        let status = unsafe {
            calls::cuMemcpyHtoDAsync_v2(address, bytes.as_ptr().cast(), bytes.len(), Stream::handle(stream))
        };
        check("cuMemcpyHtoDAsync", status)
    }

    /// The device to page-locked host memory, from `offset` on; returns before it is done.
    pub fn read_async(
        &self,
        stream: Option<&Stream>,
        address: u64,
        to: &Pinned,
        offset: u64,
        length: u64,
    ) -> Result<(), DriverError> {
        let target = to.range("cuMemcpyDtoHAsync", offset, length)?;
        self.reach("cuMemcpyDtoHAsync", address, length)?;
        // SAFETY: the source lies in an allocation; the target lies in memory that is freed only after the
        // GPU has finished (see `Drop`) and that no reference points to.
        let status = unsafe {
            calls::cuMemcpyDtoHAsync_v2(
                target.as_ptr().cast(),
                address,
                length as usize,
                Stream::handle(stream),
            )
        };
        check("cuMemcpyDtoHAsync", status)
    }
}

impl Stream {
    /// The driver's handle; NULL is the default stream.
    pub(super) fn handle(stream: Option<&Self>) -> CUstream {
        stream.map_or(ptr::null_mut(), |stream| stream.handle)
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
        // SAFETY: the range lies in this allocation, all of which was set at the start.
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

/// "Not ready" is an answer here.
fn done(call: &'static str, status: i32) -> Result<bool, DriverError> {
    if status == NOT_READY { Ok(false) } else { check(call, status).map(|()| true) }
}

// What fails below fails because the context is broken, and then nothing is lost.

impl Drop for Stream {
    fn drop(&mut self) {
        if !self.handle.is_null() && enter(&self.context).is_ok() {
            // SAFETY: made by `cuStreamCreate` and not destroyed before.
            unsafe { calls::cuStreamDestroy_v2(self.handle) };
        }
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if enter(&self.context).is_ok() {
            // SAFETY: made by `cuEventCreate` and not destroyed before.
            unsafe { calls::cuEventDestroy_v2(self.handle) };
        }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if enter(&self.context).is_ok() {
            // SAFETY: allocated by `cuMemAllocHost`; the GPU has finished with it after the first call.
            unsafe {
                calls::cuCtxSynchronize();
                calls::cuMemFreeHost(self.pointer.as_ptr().cast());
            }
        }
    }
}
