//! The queue of a real GPU: issuing it, and measuring the time it takes.

use cuda::driver::{Event, FunctionAttribute, Gpu};

use super::actions::{Account, Action, Doomed, Download, Queued};
use super::host_memory::find;
use super::pixels::{device_rows, part};
use super::state::GpuEngine;
use crate::engine::images::ImageKind;
use crate::engine::interface::EngineError;
use crate::statistics::median;

/// Pairs of events with nothing between them, timed to know the cost of the events themselves.
const EMPTY_RUNS: usize = 21;
/// The same with a copy between them that the host waits for; and the copy's bytes, those of a histogram.
const TRIPS: usize = 101;
const TABLE: usize = 1024;
/// Fills that keep the GPU busy behind a gate, and bytes of each.
const SMALL_FILLS: usize = 8;
const SMALL_BYTES: u64 = 4096;

/// Fills that keep the GPU busy while a transfer is queued that is timed by itself, and bytes of each. They take about
/// 20 µs on an H200, and evict little from its L2.
const BUSY_FILLS: usize = 4;
const BUSY_BYTES: u64 = 16 << 20;
/// Fills before kernels, each of twice the size of the L2: a millisecond on an H200. A GPU is slower at first after it
/// was idle, as it is while a host function allocates: the kernels of lab 5's rung 8 took 94 µs after 2 fills and 93 µs
/// after 32 (`workshop bench lab5`).
const COLD_FILLS: usize = 32;

impl GpuEngine {
    /// Queues in the selected stream, which is created on first use.
    pub(super) fn queue(&mut self, action: Action) -> Result<(), EngineError> {
        if self.stream != 0 && !self.streams.contains_key(&self.stream) {
            self.streams.insert(self.stream, self.gpu.stream()?);
        }
        self.queue.push(Queued { stream: self.stream, action });
        Ok(())
    }

    /// Issues the queue, and waits for it.
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
        // While calls are gathered, the queue is only drained when the host needs a result.
        let waits = gathered && self.gathering;
        self.gathered = self.gathering;
        let flushed = self.make_ready(gathered)?;
        // The final read of the host is part of the wait, not work of the GPU.
        let read = queue.pop_if(|last| waits && matches!(last.action, Action::ReadStaged { .. }));
        // Both events are in the default stream: it waits for all others, and all others wait for it.
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

    /// Keeps the GPU busy, or holds it back, until the whole batch is queued. Returns whether the L2 was emptied.
    ///
    /// Behind a gate, small fills come first, so that the GPU fetches commands while it is busy, as in a program that
    /// does not wait. Without them a kernel behind a gate takes longer, and its time varies.
    fn make_ready(&mut self, gathered: bool) -> Result<bool, EngineError> {
        let Some((scratch, bytes)) = self.scratch else { return Ok(false) };
        let flush = std::mem::take(&mut self.flush);
        if flush {
            // They take long enough for the whole batch to be queued behind them: the GPU never waits for a launch.
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

    /// Frees a resource when nothing in the queue uses it any more: now, or at the end of gathered calls.
    pub(super) fn doom(&mut self, doomed: Doomed) -> Result<(), EngineError> {
        self.doomed.push(doomed);
        if self.gathering { Ok(()) } else { self.drain() }
    }

    fn free_doomed(&mut self) -> Result<(), EngineError> {
        for doomed in std::mem::take(&mut self.doomed) {
            match doomed {
                Doomed::Memory(address) => {
                    self.gpu.wipe(address)?;
                    self.gpu.free(address)?;
                }
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

    /// The time until the host has read a table and queued the next operation, while the GPU is idle. A compiled host
    /// function takes about this time for such a read. Ours is interpreted, and a time measured inside it would be the
    /// interpreter's. Returns the 10th percentile: disturbances of the host only make a run longer.
    pub(super) fn round_trip_seconds(&self, scratch: u64, bytes: u64) -> Result<f64, EngineError> {
        let mut table = vec![1; TABLE];
        let mut times = self.times_of(scratch, bytes, TRIPS, || Ok(self.gpu.read(scratch, &mut table)?))?;
        times.sort_by(f64::total_cmp);
        Ok(times[TRIPS / 10] - self.empty.unwrap_or(0.0))
    }

    /// Seconds between two events around `work`, `runs` times, while the GPU has no other work.
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

    /// Issues the queue so that nothing overlaps: each upload by itself; then all kernels back to back, as they would
    /// run with all data on the GPU; then each download by itself. A reused buffer may hold the bytes of another part
    /// meanwhile: that changes results, which nobody reads, and not times.
    fn drain_apart(&mut self, queue: Vec<Queued>) -> Result<(), EngineError> {
        let (kernels, transfers): (Vec<_>, Vec<_>) =
            queue.into_iter().partition(|queued| !matches!(queued.action.account(), Account::Transfers));
        let (down, up): (Vec<_>, Vec<_>) =
            transfers.into_iter().partition(|queued| queued.action.goes_down());
        for queued in up {
            self.issue_apart(vec![queued], &Account::Transfers)?;
        }
        // In one stream, kernels do not overlap.
        let kernels: Vec<_> = kernels.into_iter().map(|queued| Queued { stream: 0, ..queued }).collect();
        if !kernels.is_empty() {
            self.issue_apart(kernels, &Account::Kernels)?;
        }
        for queued in down {
            self.issue_apart(vec![queued], &Account::Transfers)?;
        }
        self.free_doomed()
    }

    /// Issues work with nothing beside it, and adds its time to its kind. Fills come first, so that the GPU does not
    /// wait for the host.
    fn issue_apart(&mut self, work: Vec<Queued>, account: &Account) -> Result<(), EngineError> {
        if let Some((scratch, bytes)) = self.scratch {
            let (fills, bytes) = match account {
                Account::Transfers => (BUSY_FILLS, bytes.min(BUSY_BYTES)),
                // They empty the L2, as before any other measurement.
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

    /// Adds the time that the host took for moving bytes.
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
            // Copies of pageable memory wait for their end. In the default stream they run no earlier than in the
            // stream that was asked for.
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
            Action::CopyRows { to, from } => gpu.copy_rows_in(stream, device_rows(to), device_rows(from))?,
            Action::FillRows { rows, value } => gpu.fill_rows_in(stream, device_rows(rows), value)?,
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

    /// Raises a kernel's limit of dynamic shared memory if a block needs more than the default in all.
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
        self.marks.get(mark).ok_or_else(|| EngineError::Broken(format!("no mark {mark}")))
    }
}
