//! Streams and events. The simulator runs all work in the order of the calls, which every use of streams
//! allows; [`super::clocks`] knows which operations may overlap.

use kernels::HostCall;
use simulator::host::HostView;

use simulator::Kind;

use super::clocks::{DEFAULT, Op};
use super::resources::Event;
use super::state::{Outcome, Refusal, Runtime, finding, malformed};
use crate::codes;

/// `cudaStreamLegacy`: another name for the default stream.
const LEGACY: u64 = 1;
/// `cudaStreamPerThread`
const PER_THREAD: u64 = 2;
/// `cudaStreamNonBlocking`
const NON_BLOCKING: u64 = 1;

const NOT_READY: Refusal = Refusal::Code(codes::NOT_READY);
const INVALID_HANDLE: Refusal = Refusal::Code(codes::INVALID_RESOURCE_HANDLE);

impl Runtime<'_> {
    /// The engine's handle of the stream that a call names.
    pub(super) fn check_stream(&self, stream: u64) -> Outcome<u64> {
        match stream {
            DEFAULT | LEGACY => Ok(DEFAULT),
            PER_THREAD => Ok(PER_THREAD),
            known if self.kept.streams.contains_key(&known) => Ok(known),
            // A launch of a graph has its other streams in streams of its own.
            branch if self.kept.graphs.values().any(|graph| graph.has_branch(branch)) => Ok(branch),
            _ => Err(INVALID_HANDLE),
        }
    }

    pub(super) fn handle(&mut self) -> u64 {
        self.kept.next_handle += 8;
        self.kept.next_handle
    }

    pub(super) fn stream_create(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, flags] = words else { return Err(malformed(HostCall::StreamCreate)) };
        let stream = self.handle();
        self.kept.streams.insert(stream, host.location().cloned());
        if flags & NON_BLOCKING != 0 {
            self.kept.clocks.add_independent(stream);
        }
        Ok(host.write(result, &stream.to_le_bytes())?)
    }

    pub(super) fn stream_destroy(&mut self, stream: u64) -> Outcome<()> {
        self.kept.streams.remove(&stream).map(|_| ()).ok_or(INVALID_HANDLE)
    }

    pub(super) fn stream_synchronize(&mut self, stream: u64, host: &mut HostView<'_>) -> Outcome<()> {
        let stream = self.check_stream(stream)?;
        self.engine.select_stream(stream);
        self.engine.synchronize_stream()?;
        self.kept.clocks.wait_for_stream(stream);
        self.settle(host)
    }

    /// `cudaStreamQuery`: a stream is not ready when it is asked first, and ready when it is asked again.
    pub(super) fn stream_query(&mut self, stream: u64, host: &mut HostView<'_>) -> Outcome<()> {
        let stream = self.check_stream(stream)?;
        let unfinished = self.kept.clocks.unfinished_in_stream(stream);
        if self.asked_first(unfinished) { Err(NOT_READY) } else { self.stream_synchronize(stream, host) }
    }

    /// `cudaEventQuery`, likewise.
    pub(super) fn event_query(&mut self, event: u64, host: &mut HostView<'_>) -> Outcome<()> {
        let unfinished = self.event(event)?.and_then(|mark| self.kept.clocks.unfinished_before_mark(mark));
        if self.asked_first(unfinished) { Err(NOT_READY) } else { self.event_synchronize(event, host) }
    }

    /// Whether the host asks for the first time whether this is finished.
    fn asked_first(&mut self, unfinished: Option<Op>) -> bool {
        unfinished.is_some_and(|op| self.asked.insert(op))
    }

    pub(super) fn stream_wait_event(&mut self, words: &[u64]) -> Outcome<()> {
        let &[stream, event, _] = words else { return Err(malformed(HostCall::StreamWaitEvent)) };
        let stream = self.check_stream(stream)?;
        // A stream does not wait for an event that was never recorded.
        let Some(mark) = self.event(event)? else { return Ok(()) };
        self.engine.select_stream(stream);
        self.kept.clocks.stream_waits(stream, mark);
        Ok(self.engine.wait_for_mark(mark)?)
    }

    fn event(&self, event: u64) -> Outcome<Option<usize>> {
        self.kept.events.get(&event).map(|event| event.mark).ok_or(INVALID_HANDLE)
    }

    pub(super) fn event_create(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let event = self.handle();
        self.kept.events.insert(event, Event { mark: None, made_at: host.location().cloned() });
        Ok(host.write(words[0], &event.to_le_bytes())?)
    }

    pub(super) fn event_destroy(&mut self, event: u64) -> Outcome<()> {
        self.kept.events.remove(&event).map(|_| ()).ok_or(INVALID_HANDLE)
    }

    pub(super) fn event_record(&mut self, words: &[u64]) -> Outcome<()> {
        let &[event, stream] = words else { return Err(malformed(HostCall::EventRecord)) };
        let stream = self.check_stream(stream)?;
        self.event(event)?;
        self.engine.select_stream(stream);
        let mark = self.engine.mark()?;
        self.kept.clocks.mark(mark, stream);
        if let Some(event) = self.kept.events.get_mut(&event) {
            event.mark = Some(mark);
        }
        Ok(())
    }

    pub(super) fn event_synchronize(&mut self, event: u64, host: &mut HostView<'_>) -> Outcome<()> {
        let Some(mark) = self.event(event)? else { return Ok(()) };
        self.engine.synchronize_mark(mark)?;
        self.kept.clocks.wait_for_mark(mark);
        self.settle(host)
    }

    pub(super) fn event_elapsed(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, start, stop] = words else { return Err(malformed(HostCall::EventElapsedTime)) };
        let (Some(start), Some(stop)) = (self.event(start)?, self.event(stop)?) else {
            return Err(INVALID_HANDLE);
        };
        if !self.kept.clocks.mark_is_done(start) || !self.kept.clocks.mark_is_done(stop) {
            let found = finding(
                "W0620",
                Kind::Race,
                "`cudaEventElapsedTime` is given an event that the GPU may not have reached yet".to_owned(),
                "wait for the later event first: `cudaEventSynchronize(stop)`",
            );
            return self.refuse(host, codes::NOT_READY, found);
        }
        let milliseconds = self.engine.between_ms(start, stop)?;
        Ok(host.write(result, &milliseconds.to_le_bytes())?)
    }
}
