//! `cudaLaunchHostFunc`: a function of the host in its place among the work of a stream.
//!
//! It runs at once, after what the stream has had before. The thread that put it there has not waited for it, and nor has another
//! stream: page-locked memory that it changes is written by an operation of the stream. That thread finds what the function changes there,
//! and in what its argument points to, once it has waited.

use kernels::HostCall;
use simulator::host::HostView;
use simulator::{Rows, TouchedRanges as Touched};

use super::clocks::VectorClock;
use super::resources::{Download, Pending, Progress};
use super::state::{Outcome, Runtime, malformed};

/// Page-locked allocations up to this size are compared with what they held before.
const COMPARED: u64 = 1 << 20;
/// So is this much of what the argument points to.
const COMPARED_OF_ARGUMENT: u64 = 4096;

/// A function that runs.
pub(super) struct InStream {
    /// What the host knew before.
    knew: VectorClock,
    /// Page-locked memory, and what the argument points to, before: address and contents.
    held: Vec<(u64, Vec<u8>)>,
}

/// Bytes that it has changed: where, what they were, what they are.
struct Changed {
    address: u64,
    before: Vec<u8>,
    now: Vec<u8>,
}

impl Runtime<'_> {
    /// The beginning and the end of such a function.
    pub(super) fn host_function(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        match *words {
            [stream, 0, _, data, now] => {
                host.write(now, &1i32.to_le_bytes())?;
                self.begin_host_function(stream, data, host)
            }
            [stream, ..] => self.end_host_function(stream, host),
            [] => Err(malformed(HostCall::HostFunction)),
        }
    }

    pub(super) fn begin_host_function(
        &mut self,
        stream: u64,
        data: u64,
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        let knew = self.kept.clocks.host_knows();
        self.stream_synchronize(stream, host)?;
        let small = self.kept.pinned.iter().filter(|(_, pinned)| pinned.bytes <= COMPARED);
        let mut places: Vec<(u64, u64)> = small.map(|(address, pinned)| (*address, pinned.bytes)).collect();
        if HostView::is_host_address(data)
            && self.managed_at(data).is_none()
            && self.pinned_at(data, 1).is_none()
        {
            places.push((data, host.in_use(data, COMPARED_OF_ARGUMENT)));
        }
        let read = |(address, bytes): (u64, u64)| Some((address, host.read(address, bytes).ok()?));
        let held = places.into_iter().filter_map(read).collect();
        self.in_stream = Some(InStream { knew, held });
        Ok(())
    }

    pub(super) fn end_host_function(&mut self, stream: u64, host: &mut HostView<'_>) -> Outcome<()> {
        let Some(InStream { knew, held }) = self.in_stream.take() else {
            return Err(malformed(HostCall::HostFunction));
        };
        let changed: Vec<Changed> =
            held.iter().filter_map(|(address, before)| changed(*address, before, host)).collect();
        self.kept.clocks.host_knew(knew);
        let stream = self.check_stream(stream)?;
        let end = |one: &Changed| one.address + one.now.len() as u64;
        let locked = changed.iter().filter(|one| self.pinned_at(one.address, 1).is_some());
        let writes = locked.map(|one| one.address..end(one)).collect();
        let touched = Touched { writes, ..Touched::default() };
        let op = self.ordered(stream, "the host function of `cudaLaunchHostFunc`", touched, host);
        for Changed { address, before, now } in changed {
            let rows = Rows::line(address, now.len() as u64);
            if !host.close(rows) {
                // The stack cannot be closed: there the old values wait for the new ones.
                host.write(address, &before)?;
            }
            let location = host.location().cloned();
            let progress = Progress::Down(Download::Function { before, now });
            self.pending.push(Pending { op, rows, location, progress, unset: Vec::new() });
        }
        Ok(())
    }
}

/// What changed there, from the first byte to the last.
fn changed(address: u64, before: &[u8], host: &HostView<'_>) -> Option<Changed> {
    let now = host.read(address, before.len() as u64).ok()?;
    let differs = |at: &usize| now[*at] != before[*at];
    let first = (0..now.len()).find(differs)?;
    let last = (0..now.len()).rfind(differs)?;
    Some(Changed {
        address: address + first as u64,
        before: before[first..=last].to_vec(),
        now: now[first..=last].to_vec(),
    })
}
