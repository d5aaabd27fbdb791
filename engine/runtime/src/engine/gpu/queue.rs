//! What waits to be issued, issuing it, and the time that it takes.

use cuda::driver::{Event, FunctionAttribute, Gpu};

use super::GpuEngine;
use super::host_memory::{Download, Locked, find};
use super::pixels::part;
use crate::engine::{Command, EngineError, ImageKind, Part};
use crate::statistics::median;

/// Pairs of events with nothing between them that are timed to know what the events take.
const EMPTY_RUNS: usize = 21;
/// The same with a copy that the host waits for between them, and its bytes: a histogram's.
const TRIPS: usize = 101;
const TABLE: usize = 1024;
/// What keeps the GPU busy behind a gate: fills, and bytes of each.
const SMALL_FILLS: usize = 8;
const SMALL_BYTES: u64 = 4096;

/// What keeps the GPU busy while a transfer that is timed by itself is queued: fills, and bytes of each. About
/// 20 µs on an H200, and too few bytes to drive much out of its L2.
const BUSY_FILLS: usize = 4;
const BUSY_BYTES: u64 = 16 << 20;
/// The same before kernels, each of twice the size of the L2: a millisecond on an H200. Host functions allocate, and a GPU that has
/// been idle meanwhile is slower at first: the kernels of lab 5's rung 8 took 94 µs after 2 fills and 93 after 32, for the same
/// file (`workshop bench lab5`).
const COLD_FILLS: usize = 32;

/// Something to do.
pub(super) enum Action {
    Launch(Command),
    Write(u64, Vec<u8>),
    /// Without waiting for what is queued before it.
    WriteBehind(u64, Vec<u8>),
    WriteLocked {
        to: u64,
        from: Locked,
        length: u64,
    },
    /// Into the buffer of the download of this number.
    Read {
        from: u64,
        number: usize,
    },
    /// The same, into page-locked memory of its own: the host does not wait while it is queued.
    ReadStaged {
        from: u64,
        number: usize,
    },
    ReadLocked {
        from: u64,
        to: Locked,
        length: u64,
    },
    Copy {
        to: u64,
        from: u64,
        length: u64,
    },
    Fill {
        address: u64,
        value: u8,
        length: u64,
    },
    ToArray {
        array: u64,
        part: Part,
        from: u64,
        pitch: u64,
    },
    FromArray {
        to: u64,
        pitch: u64,
        array: u64,
        part: Part,
    },
    Mark(usize),
    Wait(usize),
}

/// What is to be done in a stream; 0 is the default one.
pub(super) struct Queued {
    stream: u64,
    action: Action,
}

/// What is no longer needed once the GPU is done with what was queued.
pub(super) enum Doomed {
    Memory(u64),
    Array(u64),
    Image(ImageKind, u64),
}

/// Where the time of a piece of work goes.
pub(super) enum Account {
    Transfers,
    Kernels,
}

impl Action {
    fn account(&self) -> Account {
        match self {
            Self::Write(..)
            | Self::WriteBehind(..)
            | Self::WriteLocked { .. }
            | Self::Read { .. }
            | Self::ReadStaged { .. }
            | Self::ReadLocked { .. } => Account::Transfers,
            _ => Account::Kernels,
        }
    }

    fn goes_down(&self) -> bool {
        matches!(self, Self::Read { .. } | Self::ReadStaged { .. } | Self::ReadLocked { .. })
    }

    /// Whether the host cannot queue what follows before this is done.
    fn keeps_the_host(&self) -> bool {
        matches!(self, Self::Write(..) | Self::Read { .. })
    }
}

impl GpuEngine {
    /// Queues in the selected stream, which the driver makes when it is first used.
    pub(super) fn queue(&mut self, action: Action) -> Result<(), EngineError> {
        if self.stream != 0 && !self.streams.contains_key(&self.stream) {
            self.streams.insert(self.stream, self.gpu.stream()?);
        }
        self.queue.push(Queued { stream: self.stream, action });
        Ok(())
    }

    /// Issues everything queued, and waits for it.
    pub(super) fn drain(&mut self) -> Result<(), EngineError> {
        if self.queue.is_empty() {
            self.gpu.synchronize()?;
            return self.free_doomed();
        }
        let mut queue = std::mem::take(&mut self.queue);
        if self.apart.is_some() {
            return self.drain_apart(queue);
        }
        let in_one_go = !queue.iter().any(|queued| queued.action.keeps_the_host());
        let gathered = in_one_go && self.gathered;
        // In the middle of a gathered call, only what the host waits for comes here.
        let waits = gathered && self.gathering;
        self.gathered = self.gathering;
        let flushed = self.make_ready(gathered)?;
        // What the host reads is part of the wait, and no work of the GPU's.
        let read = queue.pop_if(|last| waits && matches!(last.action, Action::ReadStaged { .. }));
        // Both in the default stream, which all others wait for and which waits for them.
        self.gpu.record(&self.start)?;
        for queued in queue {
            self.issue(queued)?;
        }
        self.gpu.record(&self.stop)?;
        read.map_or(Ok(()), |read| self.issue(read))?;
        if let Some(gate) = &self.gate {
            gate.open();
        }
        if flushed && in_one_go {
            self.ahead.learn(self.gpu.event_is_done(&self.start)?);
        }
        self.gpu.synchronize()?;
        let seconds = f64::from(self.gpu.elapsed_ms(&self.start, &self.stop)?) * 1e-3;
        self.seconds += (seconds - self.empty.unwrap_or(0.0)).max(0.0);
        if waits {
            self.seconds += self.round_trip.unwrap_or(0.0);
        }
        self.free_doomed()
    }

    /// Keeps the GPU busy, or back, until what is queued next is all there. Whether nothing is left in the L2.
    ///
    /// Behind a gate small fills come first, so that the GPU fetches its commands while it is busy, as it does when nobody waits: without
    /// them a kernel behind a gate takes longer, and now more and now less.
    fn make_ready(&mut self, gathered: bool) -> Result<bool, EngineError> {
        let Some((scratch, bytes)) = self.scratch else { return Ok(false) };
        let flush = std::mem::take(&mut self.flush);
        if flush {
            // Long enough on the GPU for everything that follows to be queued behind it: no launch waits for us.
            for _ in 0..self.ahead.fills() {
                self.gpu.fill(scratch, 0, bytes)?;
            }
        } else if let (true, Some(gate)) = (gathered, &mut self.gate) {
            gate.close(&self.gpu)?;
            for _ in 0..SMALL_FILLS {
                self.gpu.fill(scratch, 0, SMALL_BYTES)?;
            }
        }
        Ok(flush)
    }

    /// Frees or destroys when nothing in the queue uses it any more: now, or at the end of a batch.
    pub(super) fn doom(&mut self, doomed: Doomed) -> Result<(), EngineError> {
        self.doomed.push(doomed);
        if self.gathering { Ok(()) } else { self.drain() }
    }

    fn free_doomed(&mut self) -> Result<(), EngineError> {
        for doomed in std::mem::take(&mut self.doomed) {
            match doomed {
                Doomed::Memory(address) => self.gpu.free(address)?,
                Doomed::Array(array) => self.gpu.free_array(array)?,
                Doomed::Image(ImageKind::Texture, handle) => self.gpu.destroy_texture(handle)?,
                Doomed::Image(ImageKind::Surface, handle) => self.gpu.destroy_surface(handle)?,
            }
        }
        Ok(())
    }

    /// The time that the two events themselves take.
    pub(super) fn empty_seconds(&self, scratch: u64, bytes: u64) -> Result<f64, EngineError> {
        Ok(median(&self.times_of(scratch, bytes, EMPTY_RUNS, || Ok(()))?))
    }

    /// What it takes until the host has read a table and queued what comes next, while the GPU is idle. In a host function it would be as
    /// much, whatever else that does. Here it interprets in between, and the time of a copy in the middle of that says more of the
    /// interpreter than of the GPU. That of a run in ten is shorter: what disturbs the host only ever makes it longer.
    pub(super) fn round_trip_seconds(&self, scratch: u64, bytes: u64) -> Result<f64, EngineError> {
        let mut table = vec![1; TABLE];
        let mut times = self.times_of(scratch, bytes, TRIPS, || Ok(self.gpu.read(scratch, &mut table)?))?;
        times.sort_by(f64::total_cmp);
        Ok(times[TRIPS / 10] - self.empty.unwrap_or(0.0))
    }

    /// So many times between two events with this between them, while the GPU has no other work.
    fn times_of(
        &self,
        scratch: u64,
        bytes: u64,
        runs: usize,
        mut work: impl FnMut() -> Result<(), EngineError>,
    ) -> Result<Vec<f64>, EngineError> {
        let mut once = || -> Result<f64, EngineError> {
            self.gpu.fill(scratch, 0, bytes)?;
            self.gpu.record(&self.start)?;
            work()?;
            self.gpu.record(&self.stop)?;
            self.gpu.synchronize()?;
            Ok(f64::from(self.gpu.elapsed_ms(&self.start, &self.stop)?) * 1e-3)
        };
        (0..runs).map(|_| once()).collect()
    }

    /// Issues everything queued so that nothing overlaps: what goes up, each by itself; then all kernels, one right after the
    /// other, as they would run with everything on the GPU; then what comes down. A buffer that is used several times may hold
    /// another part's bytes meanwhile, which changes results and not times: nobody looks at what such a run computes.
    fn drain_apart(&mut self, queue: Vec<Queued>) -> Result<(), EngineError> {
        let (kernels, transfers): (Vec<_>, Vec<_>) =
            queue.into_iter().partition(|queued| !matches!(queued.action.account(), Account::Transfers));
        let (down, up): (Vec<_>, Vec<_>) =
            transfers.into_iter().partition(|queued| queued.action.goes_down());
        for queued in up {
            self.issue_apart(vec![queued], &Account::Transfers)?;
        }
        // In one stream none runs beside another.
        let kernels: Vec<_> = kernels.into_iter().map(|queued| Queued { stream: 0, ..queued }).collect();
        if !kernels.is_empty() {
            self.issue_apart(kernels, &Account::Kernels)?;
        }
        for queued in down {
            self.issue_apart(vec![queued], &Account::Transfers)?;
        }
        self.free_doomed()
    }

    /// Issues work with nothing beside it, and adds its time to its kind. It does not wait for the host, as it would not with
    /// others queued before it.
    fn issue_apart(&mut self, work: Vec<Queued>, account: &Account) -> Result<(), EngineError> {
        if let Some((scratch, bytes)) = self.scratch {
            let (fills, bytes) = match account {
                Account::Transfers => (BUSY_FILLS, bytes.min(BUSY_BYTES)),
                // Nothing is left in the L2, as in any other measurement.
                Account::Kernels => (COLD_FILLS, bytes),
            };
            for _ in 0..fills {
                self.gpu.fill(scratch, 0, bytes)?;
            }
        }
        self.gpu.record(&self.start)?;
        for queued in work {
            self.issue(queued)?;
        }
        self.gpu.record(&self.stop)?;
        self.gpu.synchronize()?;
        let seconds = f64::from(self.gpu.elapsed_ms(&self.start, &self.stop)?) * 1e-3;
        let seconds = (seconds - self.empty.unwrap_or(0.0)).max(0.0);
        self.seconds += seconds;
        self.account(account, seconds);
        Ok(())
    }

    fn account(&mut self, account: &Account, seconds: f64) {
        let Some(apart) = &mut self.apart else { return };
        match account {
            Account::Transfers => apart.transfers += seconds,
            Account::Kernels => apart.kernels += seconds,
        }
    }

    /// Adds what the host itself took for moving bytes.
    pub(super) fn host_took(&mut self, seconds: f64) {
        self.seconds += seconds;
        self.account(&Account::Transfers, seconds);
    }

    fn issue(&mut self, Queued { stream, action }: Queued) -> Result<(), EngineError> {
        let stream = self.streams.get(&stream);
        let gpu = &self.gpu;
        match action {
            Action::Launch(command) => {
                // The runtime has checked that the host function asked for it.
                self.allow_shared(&command.kernel, command.dynamic_shared)?;
                let launch = if command.cooperative { Gpu::launch_together_in } else { Gpu::launch_in };
                launch(
                    gpu,
                    stream,
                    &command.kernel,
                    command.grid,
                    command.block,
                    command.dynamic_shared,
                    &command.arguments,
                )?;
            }
            // From and to pageable memory the driver's copies wait for their end, in the default stream: no
            // earlier than in the stream that was asked for.
            Action::Write(address, bytes) => gpu.write(address, &bytes)?,
            Action::WriteBehind(address, bytes) => gpu.write_behind(stream, address, &bytes)?,
            Action::Read { from, number } => {
                if let Some(Download::Here(bytes)) = self.downloads.get_mut(number) {
                    gpu.read(from, bytes)?;
                }
            }
            Action::ReadStaged { from, number } => {
                if let Some(Download::Staged(to)) = self.downloads.get(number) {
                    gpu.read_async(stream, from, to, 0, to.length())?;
                }
            }
            Action::WriteLocked { to, from: (locked, offset), length } => {
                gpu.write_async(stream, to, find(&self.locked, locked)?, offset, length)?;
            }
            Action::ReadLocked { from, to: (locked, offset), length } => {
                gpu.read_async(stream, from, find(&self.locked, locked)?, offset, length)?;
            }
            Action::Copy { to, from, length } => gpu.copy_in(stream, to, from, length)?,
            Action::Fill { address, value, length } => gpu.fill_in(stream, address, value, length)?,
            Action::ToArray { array, part: to, from, pitch } => {
                gpu.copy_to_array(array, part(to), from, pitch)?;
            }
            Action::FromArray { to, pitch, array, part: from } => {
                gpu.copy_from_array(to, pitch, array, part(from))?;
            }
            Action::Mark(index) => gpu.record_in(stream, &self.marks[index])?,
            Action::Wait(index) => gpu.wait_event(stream, &self.marks[index])?,
        }
        Ok(())
    }

    /// Allows a kernel so much dynamic shared memory, where that has to be asked for: what a block has in all counts.
    pub(super) fn allow_shared(&self, kernel: &str, dynamic: u32) -> Result<(), EngineError> {
        if dynamic == 0 {
            return Ok(());
        }
        let fixed = self.gpu.function_attribute(kernel, FunctionAttribute::StaticShared)?;
        if fixed.saturating_add(dynamic) > self.limits.shared {
            self.gpu.set_dynamic_shared_limit(kernel, dynamic)?;
        }
        Ok(())
    }

    pub(super) fn mark_at(&self, mark: usize) -> Result<&Event, EngineError> {
        self.marks.get(mark).ok_or_else(|| EngineError::Broken(format!("no time mark {mark}")))
    }
}
