//! Streams and events. On the simulator all work is carried out in the order of the calls, which every use of streams
//! allows; what may run beside what is kept in [`super::order`].

use kernels::HostCall;
use simulator::host::HostView;

use simulator::Kind;

use super::calls::{Outcome, Refusal, Runtime, finding};
use super::memory::malformed;
use super::order::DEFAULT;
use crate::codes;

/// `cudaStreamLegacy`: another name of the default stream.
const LEGACY: u64 = 1;
/// `cudaStreamPerThread`
const PER_THREAD: u64 = 2;
/// `cudaStreamNonBlocking`
const NON_BLOCKING: u64 = 1;

const INVALID_HANDLE: Refusal = Refusal::Code(codes::INVALID_RESOURCE_HANDLE);

impl Runtime<'_> {
    /// The stream that a call names, by the handle that the engine knows it by.
    pub(super) fn check_stream(&self, stream: u64) -> Outcome<u64> {
        match stream {
            DEFAULT | LEGACY => Ok(DEFAULT),
            PER_THREAD => Ok(PER_THREAD),
            known if self.streams.contains(&known) => Ok(known),
            _ => Err(INVALID_HANDLE),
        }
    }

    pub(super) fn handle(&mut self) -> u64 {
        self.next_handle += 8;
        self.next_handle
    }

    pub(super) fn stream_create(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, flags] = words else { return Err(malformed(HostCall::StreamCreate)) };
        let stream = self.handle();
        self.streams.insert(stream);
        if flags & NON_BLOCKING != 0 {
            self.clocks.add_independent(stream);
        }
        Ok(host.write(result, &stream.to_le_bytes())?)
    }

    pub(super) fn stream_destroy(&mut self, stream: u64) -> Outcome<()> {
        if self.streams.remove(&stream) { Ok(()) } else { Err(INVALID_HANDLE) }
    }

    pub(super) fn stream_synchronize(&mut self, stream: u64, host: &mut HostView<'_>) -> Outcome<()> {
        let stream = self.check_stream(stream)?;
        self.engine.select_stream(stream);
        self.engine.synchronize_stream()?;
        self.clocks.wait_for_stream(stream);
        self.settle(host)
    }

    pub(super) fn stream_wait_event(&mut self, words: &[u64]) -> Outcome<()> {
        let &[stream, event, _] = words else { return Err(malformed(HostCall::StreamWaitEvent)) };
        let stream = self.check_stream(stream)?;
        // An event that was never recorded is no reason to wait.
        let Some(mark) = self.event(event)? else { return Ok(()) };
        self.engine.select_stream(stream);
        self.clocks.stream_waits(stream, mark);
        Ok(self.engine.wait_for_mark(mark)?)
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
        let stream = self.check_stream(stream)?;
        self.event(event)?;
        self.engine.select_stream(stream);
        let mark = self.engine.mark()?;
        self.clocks.mark(mark, stream);
        self.events.insert(event, Some(mark));
        Ok(())
    }

    pub(super) fn event_synchronize(&mut self, event: u64, host: &mut HostView<'_>) -> Outcome<()> {
        let Some(mark) = self.event(event)? else { return Ok(()) };
        self.engine.synchronize_mark(mark)?;
        self.clocks.wait_for_mark(mark);
        self.settle(host)
    }

    pub(super) fn event_elapsed(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, start, stop] = words else { return Err(malformed(HostCall::EventElapsedTime)) };
        let (Some(start), Some(stop)) = (self.event(start)?, self.event(stop)?) else {
            return Err(INVALID_HANDLE);
        };
        if !self.clocks.mark_is_done(start) || !self.clocks.mark_is_done(stop) {
            let found = finding(
                "W0620",
                Kind::Race,
                "`cudaEventElapsedTime` of an event that may not have been reached yet".to_owned(),
                "wait for the later event first: `cudaEventSynchronize(stop)`",
            );
            return self.refuse(host, codes::NOT_READY, found);
        }
        let milliseconds = self.engine.between_ms(start, stop)?;
        Ok(host.write(result, &milliseconds.to_le_bytes())?)
    }
}
