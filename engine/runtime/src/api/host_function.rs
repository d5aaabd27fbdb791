//! `cudaLaunchHostFunc`: a function of the host in its place among the work of a stream.
//!
//! It runs at once, after what the stream has had before. The thread that put it there has not waited for it, and nor has another
//! stream: page-locked memory that it changes is written by an operation of the stream.

use kernels::HostCall;
use simulator::TouchedRanges as Touched;
use simulator::host::HostView;

use super::clocks::VectorClock;
use super::state::{Outcome, Runtime, malformed};

/// Page-locked allocations up to this size are compared with what they held before.
const COMPARED: u64 = 1 << 20;

/// A function that runs.
pub(super) struct InStream {
    /// What the host knew before.
    knew: VectorClock,
    /// Page-locked memory before: address and contents.
    held: Vec<(u64, Vec<u8>)>,
}

impl Runtime<'_> {
    /// The beginning and the end of such a function.
    pub(super) fn host_function(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[stream, ended] = words else { return Err(malformed(HostCall::HostFunction)) };
        if ended == 0 {
            let knew = self.kept.clocks.host_knows();
            self.stream_synchronize(stream, host)?;
            let small = self.kept.pinned.iter().filter(|(_, pinned)| pinned.bytes <= COMPARED);
            let read = |(address, pinned): (&u64, &super::resources::Pinned)| {
                Some((*address, host.read(*address, pinned.bytes).ok()?))
            };
            let held = small.filter_map(read).collect();
            self.in_stream = Some(InStream { knew, held });
            return Ok(());
        }
        let Some(InStream { knew, held }) = self.in_stream.take() else {
            return Err(malformed(HostCall::HostFunction));
        };
        let changed = |(address, before): &(u64, Vec<u8>)| {
            let now = host.read(*address, before.len() as u64).ok()?;
            let differs = |at: &usize| now[*at] != before[*at];
            let first = (0..now.len()).find(differs)? as u64;
            let last = (0..now.len()).rfind(differs)? as u64;
            Some(address + first..address + last + 1)
        };
        let writes = held.iter().filter_map(changed).collect();
        self.kept.clocks.host_knew(knew);
        let stream = self.check_stream(stream)?;
        self.ordered(
            stream,
            "the host function of `cudaLaunchHostFunc`",
            Touched { writes, ..Touched::default() },
            host,
        );
        Ok(())
    }
}
