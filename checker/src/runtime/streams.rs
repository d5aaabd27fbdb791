//! Streams and events. All work runs in the order of the calls, which every use of streams allows.

use kernels::HostCall;
use simulator::host::HostView;

use super::calls::{Outcome, Refusal, Runtime};
use super::codes;
use super::memory::malformed;

/// The default stream, `cudaStreamLegacy` and `cudaStreamPerThread`.
const DEFAULT_STREAMS: std::ops::RangeInclusive<u64> = 0..=2;

const INVALID_HANDLE: Refusal = Refusal::Code(codes::INVALID_RESOURCE_HANDLE);

impl Runtime<'_> {
    pub(super) fn check_stream(&self, stream: u64) -> Outcome<()> {
        let known = DEFAULT_STREAMS.contains(&stream) || self.streams.contains(&stream);
        if known { Ok(()) } else { Err(INVALID_HANDLE) }
    }

    pub(super) fn handle(&mut self) -> u64 {
        self.next_handle += 8;
        self.next_handle
    }

    pub(super) fn stream_create(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let stream = self.handle();
        self.streams.insert(stream);
        Ok(host.write(words[0], &stream.to_le_bytes())?)
    }

    pub(super) fn stream_destroy(&mut self, stream: u64) -> Outcome<()> {
        if self.streams.remove(&stream) { Ok(()) } else { Err(INVALID_HANDLE) }
    }

    pub(super) fn stream_synchronize(&mut self, stream: u64) -> Outcome<()> {
        self.check_stream(stream)?;
        Ok(self.engine.synchronize()?)
    }

    pub(super) fn stream_wait_event(&mut self, words: &[u64]) -> Outcome<()> {
        let &[stream, event, _] = words else { return Err(malformed(HostCall::StreamWaitEvent)) };
        self.check_stream(stream)?;
        self.event(event).map(|_| ())
    }

    fn event(&self, event: u64) -> Outcome<Option<usize>> {
        self.events.get(&event).copied().ok_or(INVALID_HANDLE)
    }

    pub(super) fn event_create(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let event = self.handle();
        self.events.insert(event, None);
        Ok(host.write(words[0], &event.to_le_bytes())?)
    }

    pub(super) fn event_destroy(&mut self, event: u64) -> Outcome<()> {
        self.events.remove(&event).map(|_| ()).ok_or(INVALID_HANDLE)
    }

    pub(super) fn event_record(&mut self, words: &[u64]) -> Outcome<()> {
        let &[event, stream] = words else { return Err(malformed(HostCall::EventRecord)) };
        self.check_stream(stream)?;
        self.event(event)?;
        let mark = self.engine.mark()?;
        self.events.insert(event, Some(mark));
        Ok(())
    }

    pub(super) fn event_synchronize(&mut self, event: u64) -> Outcome<()> {
        self.event(event)?;
        Ok(self.engine.synchronize()?)
    }

    pub(super) fn event_elapsed(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, start, stop] = words else { return Err(malformed(HostCall::EventElapsedTime)) };
        let (Some(start), Some(stop)) = (self.event(start)?, self.event(stop)?) else {
            return Err(INVALID_HANDLE);
        };
        let milliseconds = self.engine.between_ms(start, stop)?;
        Ok(host.write(result, &milliseconds.to_le_bytes())?)
    }
}
