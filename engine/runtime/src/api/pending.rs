//! Copies that the host has not waited for. Until the host waits, it must not touch the destination of a copy, and it
//! must not change the source.

use simulator::host::{HostCallError, HostView};
use simulator::{Finding, Kind, Label, Location, Rows, TouchedRanges as Touched};

use super::clocks::Op;
use super::memory::{ALLOCATES, FREES};
use super::resources::{Download, Pending, Progress};
use super::state::{Outcome, Refusal, Runtime, finding};
use crate::engine::HostSide;

/// Sources up to this size are compared with their contents at the call, once the copy is known to be finished.
const COMPARED: u64 = 4 << 20;
/// The same of all copies that nothing waits for.
const COMPARED_IN_ALL: u64 = 128 << 20;

impl Runtime<'_> {
    /// Adds an operation to a stream; reports a race if nothing orders an earlier one on the same bytes before it.
    pub(super) fn ordered(&mut self, stream: u64, what: &str, touched: Touched, host: &HostView<'_>) -> Op {
        let (op, conflict) = self.kept.clocks.add(stream, what, host.location(), touched);
        let Some(conflict) = conflict else { return op };
        let memory = self.allocation_at(conflict.address).map(|(known, _)| known.name.as_str());
        let memory = memory.or_else(|| self.array_at(conflict.address)).unwrap_or("memory");
        let does = if conflict.writes { "writing" } else { "reading" };
        let earlier = &conflict.what;
        let message = if earlier == ALLOCATES && what == FREES {
            format!(
                "{FREES} gives `{memory}` back in another stream than {ALLOCATES} took it in: nothing orders the two, and the next \
                 allocation may get the same bytes while they are still in use"
            )
        } else if earlier == ALLOCATES {
            format!(
                "{what} uses `{memory}`, which {ALLOCATES} allocates in another stream: nothing orders the two, so the memory may \
                 not be there yet"
            )
        } else if what == FREES {
            format!(
                "{FREES} gives `{memory}` back while {earlier} in another stream may still be {does} it: nothing orders the two, and \
                 the next allocation may get the same bytes"
            )
        } else {
            format!(
                "{what} uses `{memory}` while {earlier} in another stream may still be {does} it: nothing orders the two"
            )
        };
        let mut found = finding(
            "W0308",
            Kind::Race,
            message,
            "put both in one stream; or call `cudaEventRecord` after the first and `cudaStreamWaitEvent` before the \
             second",
        );
        found.labels.extend(conflict.location.map(|location| Label {
            location,
            text: format!("{}: nothing waits for its end", conflict.what),
        }));
        // What nothing has waited for since is in the way of every later operation: one finding tells it.
        let same = |known: &&mut Finding| known.code == found.code && known.labels == found.labels;
        match self.findings.iter_mut().find(same) {
            Some(known) if !found.labels.is_empty() => known.count += 1,
            _ => self.note(host, found),
        }
        op
    }

    /// Reports work that `cudaFree` does not wait for, because it frees memory that `cudaMallocAsync` allocated.
    pub(super) fn freed_while_in_use(&mut self, address: u64, bytes: u64, host: &HostView<'_>) {
        let Some(conflict) = self.kept.clocks.unfinished_use(address, bytes, ALLOCATES) else { return };
        let memory = self.kept.allocations.get(&address).map_or("memory", |known| known.name.as_str());
        let does = if conflict.writes { "writing" } else { "reading" };
        let mut found = finding(
            "W0308",
            Kind::Race,
            format!(
                "`cudaFree` gives `{memory}` back while {} may still be {does} it: for memory of {ALLOCATES} it waits for nothing",
                conflict.what
            ),
            "free it with `cudaFreeAsync(pointer, stream)`, in the stream that used it last; or call `cudaStreamSynchronize(stream)` \
             before `cudaFree`",
        );
        found.labels.extend(conflict.location.map(|location| Label {
            location,
            text: format!("{}: nothing waits for its end", conflict.what),
        }));
        self.note(host, found);
    }

    /// Host to device.
    pub(super) fn upload(
        &mut self,
        call: &str,
        (to, from): (Rows, Rows),
        (stream, waits, counts): (u64, bool, u64),
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        let pinned = self.pinned_at(from.address, from.extent());
        let later = pinned.is_some() && !waits;
        let arriving = later && to.rows == 1 && self.engine.can_send_on() && self.arriving(from, stream);
        let (bytes, unset) = if arriving {
            (Vec::new(), Vec::new())
        } else {
            if later {
                self.fetch_for(from, stream, host)?;
            }
            (self.host_bytes(call, from, host)?, host.undefined_rows(from))
        };
        let what = format!("`{call}`");
        // A function in another stream may be writing the source.
        let reads = if pinned.is_some() { self.ranges(from) } else { Vec::new() };
        let touched = Touched { reads, writes: self.ranges(to), ..Touched::default() };
        let op = self.ordered(stream, &what, touched, host);
        self.used_by(&[to.address], op, &what, host.location());
        self.engine.select_stream(stream);
        let waits = waits || pinned.is_none();
        let side = HostSide { pinned, waits, counts };
        if arriving {
            self.engine.send_on(to.address, from.width, side)?;
        } else if to.rows == 1 {
            self.engine.upload(to.address, &bytes, side)?;
        } else {
            self.engine.upload_rows(to, &bytes, side, from.pitch)?;
        }
        self.copied_unset(call, to, &unset, host)?;
        if waits {
            return self.waited_for_copy(stream, host);
        }
        let kept = if self.room_to_compare(from.bytes()) { bytes } else { Vec::new() };
        let location = host.location().cloned();
        let progress = Progress::Up(kept);
        self.pending.push(Pending { op, rows: from, location, progress, unset: Vec::new() });
        Ok(())
    }

    /// Whether the source of a copy can be kept, beside those that are kept already.
    fn room_to_compare(&self, bytes: u64) -> bool {
        let kept = self.pending.iter().map(|pending| match &pending.progress {
            Progress::Up(kept) => kept.len() as u64,
            _ => 0,
        });
        bytes <= COMPARED && kept.sum::<u64>() + bytes <= COMPARED_IN_ALL
    }

    /// Device to host.
    pub(super) fn download(
        &mut self,
        call: &str,
        (to, from): (Rows, Rows),
        (stream, waits, counts): (u64, bool, u64),
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        self.refuse_in_flight(call, to, "writes", host)?;
        // Reports a bad pointer before the bytes are fetched from the device.
        host.check_write(to)?;
        let pinned = self.pinned_at(to.address, to.extent());
        let what = format!("`{call}`");
        let touched = Touched { reads: self.ranges(from), ..Touched::default() };
        let op = self.ordered(stream, &what, touched, host);
        self.used_by(&[from.address], op, &what, host.location());
        self.engine.select_stream(stream);
        let waits = waits || pinned.is_none();
        let unset = self.engine.undefined_rows(from);
        if !unset.is_empty() {
            self.host_read_unset(from, host);
        }
        let side = HostSide { pinned, waits, counts };
        let numbers = if from.rows == 1 {
            vec![self.engine.download(from.address, from.width, side)?]
        } else {
            self.engine.download_rows(from, side, to.pitch)?
        };
        let location = host.location().cloned();
        let pending = Pending { op, rows: to, location, progress: Progress::Arrived, unset };
        if waits {
            self.deliver(&pending, &Download::Parts(numbers), host)?;
            return self.waited_for_copy(stream, host);
        }
        host.close(to);
        self.pending.push(Pending { progress: Progress::Down(Download::Parts(numbers)), ..pending });
        Ok(())
    }

    /// Between an array and page-locked memory, without waiting: `bytes` are on their way.
    pub(super) fn leave_pending(
        &mut self,
        op: Op,
        (rows, bytes): (Rows, Vec<u8>),
        out: bool,
        host: &mut HostView<'_>,
    ) {
        let progress = if out {
            host.close(rows);
            Progress::Down(Download::Bytes(bytes))
        } else {
            Progress::Up(if self.room_to_compare(rows.bytes()) { bytes } else { Vec::new() })
        };
        let location = host.location().cloned();
        self.pending.push(Pending { op, rows, location, progress, unset: Vec::new() });
    }

    /// Host to host; the GPU has no part in it.
    pub(super) fn copy_on_host(
        &mut self,
        call: &str,
        (to, from): (Rows, Rows),
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        self.refuse_in_flight(call, to, "writes", host)?;
        host.check_write(to)?;
        let start = std::time::Instant::now();
        let bytes = self.host_bytes(call, from, host)?;
        let seconds = start.elapsed().as_secs_f64();
        let unset = host.undefined_rows(from);
        host.write_rows(to, &bytes)?;
        host.unset_rows(to, &unset);
        Ok(self.engine.copied_on_host(from.bytes(), seconds)?)
    }

    pub(super) fn waited_for_copy(&mut self, stream: u64, host: &mut HostView<'_>) -> Outcome<()> {
        self.kept.clocks.wait_for_stream(stream);
        self.settle(host)
    }

    /// Reads host memory; an error if a copy may still be writing it.
    pub(super) fn host_bytes(&mut self, call: &str, from: Rows, host: &mut HostView<'_>) -> Outcome<Vec<u8>> {
        self.refuse_in_flight(call, from, "reads", host)?;
        Ok(host.read_rows(from)?)
    }

    pub(super) fn refuse_in_flight(
        &mut self,
        call: &str,
        rows: Rows,
        does: &str,
        host: &HostView<'_>,
    ) -> Outcome<()> {
        match self.in_flight(rows) {
            Some(pending) => {
                let found = still_copying(pending, &format!("`{call}` {does}"));
                let location = host.location().cloned();
                Err(Refusal::End(HostCallError::Finding(Box::new(Finding { location, ..found }))))
            }
            None => Ok(()),
        }
    }

    /// The copy that may still be writing some of these bytes of host memory.
    fn in_flight(&self, rows: Rows) -> Option<&Pending> {
        let mut down = self.pending.iter().filter(|pending| matches!(pending.progress, Progress::Down(_)));
        down.find(|pending| pending.rows.meet(&rows))
    }

    /// Whether a copy that comes earlier in the stream, and that the host has not waited for, brings all of these bytes.
    fn arriving(&self, line: Rows, stream: u64) -> bool {
        let Some(pending) = self.in_flight(line) else { return false };
        let whole = pending.rows;
        line.rows == 1
            && whole.rows == 1
            && whole.address <= line.address
            && line.address + line.width <= whole.address + whole.width
            && matches!(pending.progress, Progress::Down(Download::Parts(_)))
            && self.kept.clocks.is_before(pending.op, stream)
    }

    /// Delivers earlier copies of the same stream into a host range that the stream reads next.
    pub(super) fn fetch_for(&mut self, rows: Rows, stream: u64, host: &mut HostView<'_>) -> Outcome<()> {
        for index in 0..self.pending.len() {
            let pending = &self.pending[index];
            let Progress::Down(download) = &pending.progress else { continue };
            if pending.rows.meet(&rows) && self.kept.clocks.is_before(pending.op, stream) {
                let (pending, download) = (pending.clone(), download.clone());
                host.open(pending.rows);
                self.deliver(&pending, &download, host)?;
                self.pending[index].progress = Progress::Arrived;
            }
        }
        Ok(())
    }

    /// The host touches memory that it must not touch yet, or managed memory.
    pub(super) fn touched(&mut self, address: u64, bytes: u64, host: &mut HostView<'_>) -> Outcome<()> {
        self.know_variables(host);
        if let Some(base) = self.managed_at(address) {
            return self.bring_to_host(base, host);
        }
        match self.in_flight(Rows::line(address, bytes)).cloned() {
            Some(Pending { progress: Progress::Down(Download::Function { before, .. }), rows, .. })
                if host.polls() =>
            {
                // It asks for what the function writes, and may ask again.
                host.open(rows);
                Ok(host.write_rows(rows, &before)?)
            }
            Some(pending) => {
                let found = still_copying(&pending, "the host function touches");
                Err(Refusal::End(HostCallError::Finding(Box::new(found))))
            }
            None => Ok(()),
        }
    }

    /// Whether a function in a stream has written what the host has not seen yet.
    pub(super) fn awaits_function(&self) -> bool {
        self.pending.iter().any(is_of_function)
    }

    /// The host has computed for a while: it sees what the first such function has written, and may know from it that it has run.
    pub(super) fn sees_function(&mut self, host: &mut HostView<'_>) -> Outcome<()> {
        let Some(pending) = self.pending.iter().find(|pending| is_of_function(pending)) else {
            return Ok(());
        };
        self.kept.clocks.wait_for(pending.op);
        // The time was spent waiting.
        self.charged = self.charged.max(host.executed());
        self.settle(host)
    }

    /// The host waits for everything.
    pub(super) fn wait_for_all(&mut self, host: &mut HostView<'_>) -> Outcome<()> {
        self.engine.synchronize()?;
        self.kept.clocks.wait_for_all();
        self.settle(host)
    }

    /// Delivers the copies that the host now knows to be finished.
    pub(super) fn settle(&mut self, host: &mut HostView<'_>) -> Outcome<()> {
        let (done, pending): (Vec<_>, Vec<_>) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|pending| self.kept.clocks.is_done(pending.op));
        self.pending = pending;
        for pending in done {
            match &pending.progress {
                Progress::Down(download) => {
                    host.open(pending.rows);
                    self.deliver(&pending, download, host)?;
                }
                Progress::Up(kept) if !kept.is_empty() => {
                    self.compare_source(pending.rows, kept, pending.location.as_ref(), host);
                }
                Progress::Up(_) | Progress::Arrived => {}
            }
        }
        Ok(())
    }

    /// Writes a download to host memory, which the host may touch from now on.
    fn deliver(&mut self, pending: &Pending, download: &Download, host: &mut HostView<'_>) -> Outcome<()> {
        match download {
            Download::Bytes(bytes) => host.write_rows(pending.rows, bytes)?,
            Download::Function { now, .. } => return Ok(host.write_rows(pending.rows, now)?),
            Download::Parts(numbers) => {
                let mut bytes = Vec::new();
                for number in numbers {
                    let part = self.engine.take_download(*number)?;
                    if bytes.is_empty() { bytes = part } else { bytes.extend(part) }
                }
                host.write_rows(pending.rows, &bytes)?;
            }
        }
        host.unset_rows(pending.rows, &pending.unset);
        Ok(())
    }

    /// Reports a source that changed after the call: either version may have been copied.
    fn compare_source(&mut self, rows: Rows, kept: &[u8], location: Option<&Location>, host: &HostView<'_>) {
        let same = |now: Vec<u8>| now == kept;
        if host.read_rows(rows).map_or(true, same) {
            return;
        }
        let found = finding(
            "W0620",
            Kind::Race,
            "the host function changes the source of this copy while the copy may still be reading it"
                .to_owned(),
            "call `cudaStreamSynchronize(stream)` before you change the buffer: `cudaMemcpyAsync` from page-locked memory \
             returns before the copy has run",
        );
        self.note(host, Finding { location: location.cloned(), ..found });
    }

    /// Copies to the host that nobody waited for.
    pub(super) fn never_waited_for(&self) -> Vec<Finding> {
        // What a function in a stream has written may be for the next call.
        let copies = |pending: &&Pending| {
            !matches!(pending.progress, Progress::Up(_) | Progress::Down(Download::Function { .. }))
        };
        self.pending.iter().filter(copies).map(|pending| Finding {
            location: pending.location.clone(),
            ..finding(
                "W0620",
                Kind::Race,
                "the host function returns while this copy may still be running".to_owned(),
                "call `cudaStreamSynchronize(stream)` or `cudaDeviceSynchronize()` before you return: the caller reads the \
                 result at once",
            )
        })
        .collect()
    }
}

fn is_of_function(pending: &Pending) -> bool {
    matches!(pending.progress, Progress::Down(Download::Function { .. }))
}

fn still_copying(pending: &Pending, access: &str) -> Finding {
    if is_of_function(pending) {
        let mut found = finding(
            "W0620",
            Kind::Race,
            format!("{access} host memory that the function of `cudaLaunchHostFunc` may still be writing"),
            "call `cudaStreamSynchronize(stream)` first: `cudaLaunchHostFunc` returns before the function has run",
        );
        let text = "the function: nothing waits for its end".to_owned();
        found.labels.extend(pending.location.clone().map(|location| Label { location, text }));
        return found;
    }
    // Two results in one place are hardly ever meant.
    let hint = if access.ends_with(" writes") {
        "both write the same bytes. If each is to bring a part of its own, the place or the length of one is wrong: compare them. If not, call \
         `cudaStreamSynchronize(stream)` between the two"
    } else {
        "call `cudaStreamSynchronize(stream)` first: `cudaMemcpyAsync` to page-locked memory returns before the copy has run"
    };
    let message = format!("{access} host memory that a copy may still be writing");
    let mut found = finding("W0620", Kind::Race, message, hint);
    let text = "the copy: nothing waits for its end".to_owned();
    found.labels.extend(pending.location.clone().map(|location| Label { location, text }));
    found
}
