//! Copies that the host has not waited for. What one of them writes stays closed to the host until it has; what
//! one reads must be the same then.

use std::ops::Range;

use simulator::host::{HostCallError, HostView};
use simulator::{Finding, Kind, Label, Location, TouchedRanges as Touched};

use super::calls::{Outcome, Refusal, Runtime, finding};
use super::order::Op;
use crate::engine::HostSide;

/// Sources up to this size are compared when their copy is known to be finished.
const COMPARED: u64 = 4 << 20;

/// A copy whose end the host does not know of.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    op: Op,
    /// The host's side of it.
    address: u64,
    bytes: u64,
    location: Option<Location>,
    what: What,
    /// Of a copy to the host: the parts, as offsets, that nothing had written on the GPU.
    unset: Vec<Range<u64>>,
}

#[derive(Debug, Clone)]
enum What {
    /// Reads this from the host; empty if it is too much to keep.
    Up(Vec<u8>),
    /// Writes what the engine has under this number.
    Down(usize),
    /// The same, fetched already, because later work in its stream needed it.
    Arrived,
}

impl Runtime<'_> {
    /// Adds a piece of work to the selected stream, and says if it comes too early.
    pub(super) fn ordered(&mut self, stream: u64, what: &str, touched: Touched, host: &HostView<'_>) -> Op {
        let (op, conflict) = self.clocks.add(stream, what, host.location(), touched);
        let Some(conflict) = conflict else { return op };
        let memory = self.allocation_at(conflict.address).map_or("memory", |(known, _)| known.name.as_str());
        let does = if conflict.writes { "writing" } else { "reading" };
        let mut found = finding(
            "W0308",
            Kind::Race,
            format!(
                "{what} uses `{memory}` while {}, in another stream, may still be {does} it",
                conflict.what
            ),
            "put both in one stream, or let the later one wait: `cudaEventRecord` after the first, then \
             `cudaStreamWaitEvent` in the other stream",
        );
        found.labels.extend(conflict.location.map(|location| Label {
            location,
            text: format!("{}: nothing says that it has finished", conflict.what),
        }));
        self.note(host, found);
        op
    }

    /// Host to device.
    pub(super) fn upload(
        &mut self,
        call: &str,
        (to, from, length): (u64, u64, u64),
        (stream, waits, counts): (u64, bool, u64),
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        let pinned = self.pinned_at(from, length);
        if pinned.is_some() && !waits {
            self.fetch_for(from, length, stream, host)?;
        }
        let bytes = self.host_bytes(call, from, length, host)?;
        let unset = host.undefined(from, length);
        let what = format!("`{call}`");
        let op = self.ordered(stream, &what, Touched::write(to, length), host);
        self.used_by(&[to], op, &what, host.location());
        self.engine.select_stream(stream);
        let waits = waits || pinned.is_none();
        self.engine.upload(to, &bytes, HostSide { pinned, waits, counts })?;
        self.copied_unset(call, (to, length), &unset, host)?;
        if waits {
            return self.waited_for_copy(stream, host);
        }
        let kept = if length <= COMPARED { bytes } else { Vec::new() };
        let location = host.location().cloned();
        let what = What::Up(kept);
        self.pending.push(Pending { op, address: from, bytes: length, location, what, unset: Vec::new() });
        Ok(())
    }

    /// Device to host.
    pub(super) fn download(
        &mut self,
        call: &str,
        (to, from, length): (u64, u64, u64),
        (stream, waits, counts): (u64, bool, u64),
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        self.refuse_in_flight(call, to, length, "writes", host)?;
        if !host.holds(to, length) {
            // Says what is wrong with the pointer, before the device's bytes are fetched for nothing.
            host.write(to, &vec![0; length as usize])?;
        }
        let pinned = self.pinned_at(to, length);
        let what = format!("`{call}`");
        let op = self.ordered(stream, &what, Touched::read(from, length), host);
        self.used_by(&[from], op, &what, host.location());
        self.engine.select_stream(stream);
        let waits = waits || pinned.is_none();
        let unset = self.engine.undefined(from, length);
        let number = self.engine.download(from, length, HostSide { pinned, waits, counts })?;
        if waits {
            let bytes = self.engine.take_download(number)?;
            host.write(to, &bytes)?;
            host.unset(to, &unset);
            return self.waited_for_copy(stream, host);
        }
        host.close(to, length);
        let location = host.location().cloned();
        let what = What::Down(number);
        self.pending.push(Pending { op, address: to, bytes: length, location, what, unset });
        Ok(())
    }

    /// Host to host; `None` of the GPU's work is involved.
    pub(super) fn copy_on_host(
        &mut self,
        call: &str,
        (to, from, length): (u64, u64, u64),
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        self.refuse_in_flight(call, to, length, "writes", host)?;
        let start = std::time::Instant::now();
        let bytes = self.host_bytes(call, from, length, host)?;
        let seconds = start.elapsed().as_secs_f64();
        let unset = host.undefined(from, length);
        host.write(to, &bytes)?;
        host.unset(to, &unset);
        Ok(self.engine.copied_on_host(length, seconds)?)
    }

    fn waited_for_copy(&mut self, stream: u64, host: &mut HostView<'_>) -> Outcome<()> {
        self.clocks.wait_for_stream(stream);
        self.settle(host)
    }

    /// Bytes of host memory that no copy may still be writing.
    fn host_bytes(
        &mut self,
        call: &str,
        from: u64,
        length: u64,
        host: &mut HostView<'_>,
    ) -> Outcome<Vec<u8>> {
        self.refuse_in_flight(call, from, length, "reads", host)?;
        Ok(host.read(from, length)?)
    }

    fn refuse_in_flight(
        &mut self,
        call: &str,
        address: u64,
        length: u64,
        does: &str,
        host: &HostView<'_>,
    ) -> Outcome<()> {
        match self.in_flight(address, length) {
            Some(pending) => {
                let found = still_copying(pending, &format!("`{call}` {does}"));
                let location = host.location().cloned();
                Err(Refusal::End(HostCallError::Finding(Box::new(Finding { location, ..found }))))
            }
            None => Ok(()),
        }
    }

    /// The copy that may still be writing some of these bytes of host memory.
    fn in_flight(&self, address: u64, length: u64) -> Option<&Pending> {
        self.pending.iter().find(|pending| {
            !matches!(pending.what, What::Up(_))
                && address < pending.address + pending.bytes
                && pending.address < address + length
                && !matches!(pending.what, What::Arrived)
        })
    }

    /// Fetches what earlier copies of the same stream have brought into a range that the stream reads next.
    fn fetch_for(&mut self, address: u64, length: u64, stream: u64, host: &mut HostView<'_>) -> Outcome<()> {
        for index in 0..self.pending.len() {
            let pending = self.pending[index].clone();
            let meets = address < pending.address + pending.bytes && pending.address < address + length;
            let What::Down(number) = pending.what else { continue };
            if meets && self.clocks.is_before(pending.op, stream) {
                let bytes = self.engine.take_download(number)?;
                host.open(pending.address, pending.bytes);
                host.write(pending.address, &bytes)?;
                host.unset(pending.address, &pending.unset);
                self.pending[index].what = What::Arrived;
            }
        }
        Ok(())
    }

    /// The host touches memory that is closed to it.
    pub(super) fn touched(&mut self, address: u64, bytes: u64, host: &mut HostView<'_>) -> Outcome<()> {
        if let Some(base) = self.managed_at(address) {
            return self.bring_to_host(base, host);
        }
        match self.in_flight(address, bytes) {
            Some(pending) => {
                let found = still_copying(pending, "the host touches");
                Err(Refusal::End(HostCallError::Finding(Box::new(found))))
            }
            None => Ok(()),
        }
    }

    /// The host waits for everything.
    pub(super) fn wait_for_all(&mut self, host: &mut HostView<'_>) -> Outcome<()> {
        self.engine.synchronize()?;
        self.clocks.wait_for_all();
        self.settle(host)
    }

    /// Delivers what the host now knows to be finished.
    pub(super) fn settle(&mut self, host: &mut HostView<'_>) -> Outcome<()> {
        let (done, pending): (Vec<_>, Vec<_>) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition(|pending| self.clocks.is_done(pending.op));
        self.pending = pending;
        for pending in done {
            match pending.what {
                What::Down(number) => {
                    let bytes = self.engine.take_download(number)?;
                    host.open(pending.address, pending.bytes);
                    host.write(pending.address, &bytes)?;
                    host.unset(pending.address, &pending.unset);
                }
                What::Up(kept) if !kept.is_empty() => {
                    self.compare_source(pending.address, &kept, pending.location.as_ref(), host);
                }
                What::Up(_) | What::Arrived => {}
            }
        }
        Ok(())
    }

    /// A source that is not what it was when the copy was asked for: who knows which of both was copied.
    fn compare_source(
        &mut self,
        address: u64,
        kept: &[u8],
        location: Option<&Location>,
        host: &HostView<'_>,
    ) {
        let same = |now: Vec<u8>| now == kept;
        if host.read(address, kept.len() as u64).map_or(true, same) {
            return;
        }
        let found = finding(
            "W0620",
            Kind::Race,
            "the host changed the source of this copy before the copy was known to be finished".to_owned(),
            "`cudaMemcpyAsync` from page-locked memory returns at once: synchronise the stream before the \
             buffer is used again",
        );
        self.note(host, Finding { location: location.cloned(), ..found });
    }

    /// Copies to the host that nobody waited for.
    pub(super) fn never_waited_for(&self) -> Vec<Finding> {
        let down = self.pending.iter().filter(|pending| !matches!(pending.what, What::Up(_)));
        down.map(|pending| Finding {
            location: pending.location.clone(),
            ..finding(
                "W0620",
                Kind::Race,
                "the host function returns while this copy may still be running".to_owned(),
                "the caller reads the result at once: end with `cudaStreamSynchronize(stream)` or \
                 `cudaDeviceSynchronize()`",
            )
        })
        .collect()
    }
}

fn still_copying(pending: &Pending, who: &str) -> Finding {
    let mut found = finding(
        "W0620",
        Kind::Race,
        format!("{who} host memory that a copy may still be writing"),
        "`cudaMemcpyAsync` to page-locked memory returns at once: call `cudaStreamSynchronize(stream)` first",
    );
    let text = "the copy: nothing waits for its end".to_owned();
    found.labels.extend(pending.location.clone().map(|location| Label { location, text }));
    found
}
