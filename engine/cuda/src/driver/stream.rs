//! Streams and events.

use std::ptr;
use std::rc::Rc;

use cust::stream::StreamFlags;
use cust::sys::{self, CUevent, CUstream};

use super::context::{SharedContext, enter};
use super::error::{check, of_cust};
use super::gpu::Gpu;
use super::slots::last;
use super::types::DriverError;

/// `cudaErrorNotReady`: an answer where a call asks whether work is done.
const NOT_READY: i32 = 600;

/// A queue of work that runs in order. As with `cudaStreamCreate`, it waits for the default stream's work, and
/// the default stream waits for it. Dropping it lets its work finish.
#[derive(Debug)]
pub struct Stream {
    stream: cust::stream::Stream,
    // Last, because the stream is destroyed in it.
    context: SharedContext,
}

/// A point in the GPU's time.
#[derive(Debug)]
pub struct Event {
    handle: CUevent,
    context: SharedContext,
}

impl Gpu {
    /// Makes a stream.
    pub fn stream(&self) -> Result<Stream, DriverError> {
        enter(&self.context)?;
        let stream = cust::stream::Stream::new(StreamFlags::DEFAULT, None);
        let stream = stream.map_err(of_cust("cuStreamCreate"))?;
        Ok(Stream { stream, context: Rc::clone(&self.context) })
    }

    /// Waits for a stream's work.
    pub fn synchronize_stream(&self, stream: &Stream) -> Result<(), DriverError> {
        enter(&self.context)?;
        stream.stream.synchronize().map_err(of_cust("cuStreamSynchronize"))
    }

    /// Lets a stream's later work wait for an event.
    pub fn wait_event(&self, stream: Option<&Stream>, event: &Event) -> Result<(), DriverError> {
        enter(&self.context)?;
        // SAFETY: both are alive.
        let result = unsafe { sys::cuStreamWaitEvent(Stream::handle(stream), event.handle, 0) };
        check("cuStreamWaitEvent", result)
    }

    /// Makes an event.
    pub fn event(&self) -> Result<Event, DriverError> {
        enter(&self.context)?;
        let mut handle = ptr::null_mut();
        // SAFETY: `handle` lives during the call.
        check("cuEventCreate", unsafe { sys::cuEventCreate(&raw mut handle, 0) })?;
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
        check("cuEventRecord", unsafe { sys::cuEventRecord(event.handle, Stream::handle(stream)) })
    }

    /// Whether an event has been reached.
    pub fn event_is_done(&self, event: &Event) -> Result<bool, DriverError> {
        enter(&self.context)?;
        // SAFETY: the event is alive.
        let result = unsafe { sys::cuEventQuery(event.handle) };
        if last() == NOT_READY { Ok(false) } else { check("cuEventQuery", result).map(|()| true) }
    }

    /// Milliseconds between two recorded events (waits for the second).
    pub fn elapsed_ms(&self, start: &Event, stop: &Event) -> Result<f32, DriverError> {
        enter(&self.context)?;
        let mut milliseconds = 0.0;
        // SAFETY: the event is alive.
        check("cuEventSynchronize", unsafe { sys::cuEventSynchronize(stop.handle) })?;
        // SAFETY: both events are alive, `milliseconds` lives during the call.
        let result = unsafe { sys::cuEventElapsedTime(&raw mut milliseconds, start.handle, stop.handle) };
        check("cuEventElapsedTime", result)?;
        Ok(milliseconds)
    }
}

impl Stream {
    /// The driver's handle; NULL is the default stream.
    pub(super) fn handle(stream: Option<&Self>) -> CUstream {
        stream.map_or(ptr::null_mut(), |stream| stream.stream.as_inner())
    }
}

// Calls fail below only if the context is broken, and then nothing is lost.

impl Drop for Stream {
    fn drop(&mut self) {
        // The stream itself is dropped next.
        let _ = enter(&self.context);
    }
}

impl Drop for Event {
    fn drop(&mut self) {
        if enter(&self.context).is_ok() {
            // SAFETY: made by `cuEventCreate` and not destroyed before.
            unsafe { sys::cuEventDestroy_v2(self.handle) };
        }
    }
}
