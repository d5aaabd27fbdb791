//! Copies and fills, each checked against the allocations it names before the engine sees it.

use std::ops::Range;

use kernels::HostCall;
use simulator::host::{HostCallError, HostView};
use simulator::{Finding, Kind, Rows, TouchedRanges as Touched};

use super::clocks::DEFAULT;
use super::resources::{Allocation, NEGATIVE, in_bytes};
use super::state::{Outcome, Refusal, Runtime, finding, malformed};
use crate::codes;
use crate::engine::MovedFrom;

/// One side of a copy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Host,
    Device,
}

/// The stream of a copy, and whether the host waits.
#[derive(Clone, Copy)]
struct How {
    stream: u64,
    /// Whether the host waits for it.
    waits: bool,
    /// Bytes of the whole call for its first or only part; else 0.
    counts: u64,
}

impl Side {
    /// The side of plain memory; managed memory counts as device memory.
    pub(super) fn of(address: u64) -> Self {
        if HostView::is_host_address(address) { Self::Host } else { Self::Device }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Host => "host memory",
            Self::Device => "device memory",
        }
    }
}

/// The directions of `cudaMemcpyKind`, by number: name, destination, source.
const DIRECTIONS: [(&str, Side, Side); 4] = [
    ("cudaMemcpyHostToHost", Side::Host, Side::Host),
    ("cudaMemcpyHostToDevice", Side::Device, Side::Host),
    ("cudaMemcpyDeviceToHost", Side::Host, Side::Device),
    ("cudaMemcpyDeviceToDevice", Side::Device, Side::Device),
];

/// The name of a call: the first of two, or the other one for the call that returns before the work is done.
pub(super) fn named(names: [&'static str; 2], later: u64) -> &'static str {
    names[usize::from(later != 0)]
}

/// The C library's `memcpy`: the third kind of [`HostCall::Memcpy`], after copies that wait (0) and that do not (1).
const PLAIN: u64 = 2;

/// Rows of a copy that are compared with other streams one by one; more would take gigabytes.
const MOST_RANGES: u64 = 1 << 21;

/// The line of a call; 0 if it is unknown.
fn line_of(host: &HostView<'_>) -> u32 {
    host.location().map_or(0, |location| location.line)
}

/// The C library's copy.
const PLAIN_CALL: &str = "memcpy";

/// `cudaMemcpyDefault`: the pointers decide the direction.
const ANY_DIRECTION: u64 = 4;

impl Runtime<'_> {
    pub(super) fn memcpy(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[to, from, length, kind, stream, later] = words else { return Err(malformed(HostCall::Memcpy)) };
        let how = How { stream: self.check_stream(stream)?, waits: later == 0, counts: length };
        let call = match later {
            0 => "cudaMemcpy",
            PLAIN => {
                self.check_plain([("destination", to), ("source", from)])?;
                PLAIN_CALL
            }
            _ => "cudaMemcpyAsync",
        };
        self.check_direction(call, to, from, kind, host)?;
        self.transfer(call, (Rows::line(to, length), Rows::line(from, length)), kind, how, host)
    }

    pub(super) fn memcpy_2d(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[to, to_pitch, from, from_pitch, width, rows, kind, stream, later] = words else {
            return Err(malformed(HostCall::Memcpy2D));
        };
        let stream = self.check_stream(stream)?;
        let call = named(["cudaMemcpy2D", "cudaMemcpy2DAsync"], later);
        self.check_direction(call, to, from, kind, host)?;
        self.check_pitch(call, "copies", width, to_pitch.min(from_pitch), host)?;
        let of = |address, pitch| Rows { address, pitch, width, rows };
        let how = How { stream, waits: later == 0, counts: width.saturating_mul(rows) };
        self.transfer(call, (of(to, to_pitch), of(from, from_pitch)), kind, how, host)
    }

    fn check_pitch(
        &mut self,
        call: &str,
        does: &str,
        width: u64,
        pitch: u64,
        host: &HostView<'_>,
    ) -> Outcome<()> {
        if width <= pitch {
            return Ok(());
        }
        let found = finding(
            "W0612",
            Kind::Host,
            format!("`{call}` {does} rows of {width} bytes with a pitch of only {pitch}"),
            "pass a pitch of at least the width of a row: the pitch is the distance between two rows in bytes",
        );
        self.refuse(host, codes::INVALID_VALUE, found)
    }

    pub(super) fn memset(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[to, value, length, stream, later] = words else { return Err(malformed(HostCall::Memset)) };
        let stream = self.check_stream(stream)?;
        self.fill(
            named(["cudaMemset", "cudaMemsetAsync"], later),
            Rows::line(to, length),
            value as u8,
            stream,
            host,
        )
    }

    pub(super) fn memset_2d(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[to, pitch, value, width, rows] = words else { return Err(malformed(HostCall::Memset2D)) };
        self.check_pitch("cudaMemset2D", "fills", width, pitch, host)?;
        self.fill("cudaMemset2D", Rows { address: to, pitch, width, rows }, value as u8, DEFAULT, host)
    }

    pub(super) fn memcpy_to_symbol(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[symbol, from, length, offset, kind, stream, later] = words else {
            return Err(malformed(HostCall::MemcpyToSymbol));
        };
        let how = How { stream: self.check_stream(stream)?, waits: later == 0, counts: length };
        let call = named(["cudaMemcpyToSymbol", "cudaMemcpyToSymbolAsync"], later);
        let to = self.symbol_range(call, symbol, offset, length, host)?;
        let ends = (Rows::line(to, length), Rows::line(from, length));
        self.transfer(call, ends, kind, how, host)
    }

    pub(super) fn memcpy_from_symbol(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[to, symbol, length, offset, kind, stream, later] = words else {
            return Err(malformed(HostCall::MemcpyFromSymbol));
        };
        let how = How { stream: self.check_stream(stream)?, waits: later == 0, counts: length };
        let call = named(["cudaMemcpyFromSymbol", "cudaMemcpyFromSymbolAsync"], later);
        let from = self.symbol_range(call, symbol, offset, length, host)?;
        let ends = (Rows::line(to, length), Rows::line(from, length));
        self.transfer(call, ends, kind, how, host)
    }

    fn transfer(
        &mut self,
        call: &str,
        (to, from): (Rows, Rows),
        kind: u64,
        How { stream, waits, counts }: How,
        host: &mut HostView<'_>,
    ) -> Outcome<()> {
        if from.bytes() == 0 {
            return Ok(());
        }
        let (to, from) = (to.joined(), from.joined());
        // Both sides have the same rows, or neither has gaps.
        let (to, from) = match (to.rows, from.rows) {
            (1, rows) if rows > 1 => (Rows { pitch: from.width, width: from.width, rows, ..to }, from),
            (rows, 1) if rows > 1 => (to, Rows { pitch: to.width, width: to.width, rows, ..from }),
            _ => (to, from),
        };
        self.check_device_rows(call, "writes", to, host)?;
        self.check_device_rows(call, "reads", from, host)?;
        let wanted = DIRECTIONS.get(kind as usize);
        // The C library's `memcpy` follows nothing: it is the host's.
        if call != PLAIN_CALL {
            self.follows_kernels(&[to.address, from.address], stream);
        }
        let to_side = self.side(to.address, wanted.map(|(_, to, _)| *to), host)?;
        let from_side = self.side(from.address, wanted.map(|(_, _, from)| *from), host)?;
        let ends = (to, from);
        self.lands(call, to, host);
        if to_side == Side::Device {
            self.host_wrote(call, to, false, host);
        }
        match (to_side, from_side) {
            (Side::Host, Side::Host) => self.copy_on_host(call, ends, host),
            (Side::Device, Side::Host) => {
                self.engine.moves(to, MovedFrom::Host, line_of(host));
                self.upload(call, ends, (stream, waits, counts), host)
            }
            (Side::Host, Side::Device) => {
                self.host_read(from, host);
                self.engine.host_used(from, None, line_of(host));
                self.download(call, ends, (stream, waits, counts), host)
            }
            (Side::Device, Side::Device) => {
                let touched =
                    Touched { reads: self.ranges(from), writes: self.ranges(to), ..Touched::default() };
                let what = format!("`{call}`");
                let op = self.ordered(stream, &what, touched, host);
                self.used_by(&[to.address, from.address], op, &what, host.location());
                self.engine.select_stream(stream);
                self.engine.moves(to, MovedFrom::Device(from.address), line_of(host));
                if from.rows == 1 {
                    return Ok(self.engine.copy(to.address, from.address, from.width)?);
                }
                Ok(self.engine.copy_rows(to, from)?)
            }
        }
    }

    /// Ends the host function if `memcpy` is given device memory.
    fn check_plain(&self, sides: [(&str, u64); 2]) -> Outcome<()> {
        let wrong = |address: u64| {
            let device = self.allocation_at(address).is_some();
            device && Side::of(address) == Side::Device && self.managed_at(address).is_none()
        };
        let Some((role, _)) = sides.into_iter().find(|(_, address)| wrong(*address)) else { return Ok(()) };
        let found = finding(
            "W0611",
            Kind::Memory,
            format!("`memcpy` runs on the host and cannot access its {role}, which is device memory"),
            "use `cudaMemcpy`, with the direction of the copy as its last argument",
        );
        Err(Refusal::End(HostCallError::Finding(Box::new(found))))
    }

    /// The side that an address is on. Managed memory is moved to the side that the call names; else it stays where it
    /// is.
    fn side(&mut self, address: u64, wanted: Option<Side>, host: &mut HostView<'_>) -> Outcome<Side> {
        let Some(base) = self.managed_at(address) else { return Ok(Side::of(address)) };
        let there = if self.managed_is_on_host(base) { Side::Host } else { Side::Device };
        // Copies know page-locked memory that kernels use by its address on the host.
        let locked = self.kept.managed.get(&base).is_some_and(|known| known.mapped && known.device != base);
        let side = if locked { Side::Host } else { wanted.unwrap_or(there) };
        match side {
            Side::Host => self.bring_to_host(base, host)?,
            Side::Device => self.take_to_device(base, host)?,
        }
        Ok(side)
    }

    fn fill(&mut self, call: &str, to: Rows, value: u8, stream: u64, host: &mut HostView<'_>) -> Outcome<()> {
        if to.bytes() == 0 {
            return Ok(());
        }
        let to = to.joined();
        if Side::of(to.address) == Side::Host {
            let found = finding(
                "W0611",
                Kind::Memory,
                format!("`{call}` fills device memory, but its first argument points to host memory"),
                "pass a pointer from `cudaMalloc`, or clear host memory with `memset`",
            );
            return self.refuse(host, codes::INVALID_VALUE, found);
        }
        self.check_device_rows(call, "writes", to, host)?;
        if let Some(base) = self.managed_at(to.address) {
            self.take_to_device(base, host)?;
        }
        self.host_wrote(call, to, true, host);
        self.engine.host_used(to, Some(value), line_of(host));
        self.engine.moves(to, MovedFrom::Fill(value), line_of(host));
        let what = format!("`{call}`");
        let touched = Touched { writes: self.ranges(to), ..Touched::default() };
        let op = self.ordered(stream, &what, touched, host);
        self.used_by(&[to.address], op, &what, host.location());
        self.engine.select_stream(stream);
        if to.rows == 1 {
            return Ok(self.engine.fill(to.address, value, to.width)?);
        }
        Ok(self.engine.fill_rows(to, value)?)
    }

    /// The addresses of rows, for the comparison with other streams. Without other streams nothing is compared, and the
    /// gaps do not matter.
    pub(super) fn ranges(&self, rows: Rows) -> Vec<Range<u64>> {
        if self.kept.streams.is_empty() || rows.rows == 1 {
            return std::iter::once(rows.address..rows.address + rows.extent()).collect();
        }
        // Only a dry run on a timed picture has so many; the smaller pictures have been compared before.
        if rows.rows > MOST_RANGES {
            return Vec::new();
        }
        rows.starts().map(|start| start..start + rows.width).collect()
    }

    /// [`Self::check_device_side`] for rows.
    fn check_device_rows(&mut self, call: &str, does: &str, rows: Rows, host: &HostView<'_>) -> Outcome<()> {
        let known = |known: (&Allocation, u64)| (known.0.name.clone(), known.0.bytes, known.1);
        match self.allocation_at(rows.address).map(known) {
            Some((name, bytes, room)) if rows.rows > 1 && room < rows.extent() => {
                let Rows { pitch, width, rows, .. } = rows;
                let message = format!(
                    "`{call}` {does} {rows} rows of {width} bytes, {pitch} bytes apart, but `{name}` ({bytes} bytes) has only \
                     {room} bytes from this address on"
                );
                let hint = "give the width and the pitch in bytes, the height in rows: the last row must end inside the memory";
                self.refuse(host, codes::INVALID_VALUE, finding("W0612", Kind::Memory, message, hint))
            }
            _ => self.check_device_side(call, does, rows.address, rows.extent(), host),
        }
    }

    fn check_direction(
        &mut self,
        call: &str,
        to: u64,
        from: u64,
        kind: u64,
        host: &HostView<'_>,
    ) -> Outcome<()> {
        if kind == ANY_DIRECTION {
            return Ok(());
        }
        let Some((name, wanted_to, wanted_from)) = DIRECTIONS.get(kind as usize).copied() else {
            let found = finding(
                "W0611",
                Kind::Host,
                format!("`{call}` is given {kind} as its direction, which is not a `cudaMemcpyKind`"),
                "pass `cudaMemcpyHostToDevice`, `cudaMemcpyDeviceToHost` or `cudaMemcpyDeviceToDevice` as the last \
                 argument",
            );
            return self.refuse(host, codes::INVALID_VALUE, found);
        };
        let wrong = [("destination", wanted_to, to), ("source", wanted_from, from)].into_iter().find(
            |(_, wanted, address)| Side::of(*address) != *wanted && self.managed_at(*address).is_none(),
        );
        let Some((role, _, address)) = wrong else { return Ok(()) };
        let found = self.variable_of_the_gpu(call, role, address, host).unwrap_or_else(|| {
            finding(
                "W0611",
                Kind::Memory,
                format!("`{call}` is given `{name}`, but its {role} is {}", Side::of(address).name()),
                "make the direction fit the two pointers; the order is destination, source, bytes, direction",
            )
        });
        self.refuse(host, codes::INVALID_VALUE, found)
    }

    /// The finding for the host's address of a `__device__` or `__constant__` variable.
    fn variable_of_the_gpu(
        &mut self,
        call: &str,
        role: &str,
        address: u64,
        host: &HostView<'_>,
    ) -> Option<Finding> {
        let (name, _) = host.symbol_at(address)?;
        let name = name.to_owned();
        self.engine.symbol(&name)?;
        let symbol = if role == "destination" { "cudaMemcpyToSymbol" } else { "cudaMemcpyFromSymbol" };
        Some(finding(
            "W0611",
            Kind::Memory,
            format!(
                "the {role} of `{call}` is `{name}`, a variable on the GPU: on the host, its name is not a device pointer"
            ),
            &format!("use `{symbol}`, which takes such a variable by its name and needs no direction"),
        ))
    }

    /// Checks that `length` bytes at `address` lie in one allocation; host memory is checked when it is touched.
    pub(super) fn check_device_side(
        &mut self,
        call: &str,
        does: &str,
        address: u64,
        length: u64,
        host: &HostView<'_>,
    ) -> Outcome<()> {
        if Side::of(address) == Side::Host {
            return Ok(());
        }
        let message = match self.allocation_at(address) {
            Some((_, room)) if room >= length => return Ok(()),
            Some((allocation, room)) => format!(
                "`{call}` {does} {}, but `{}` ({}) has only {} from this address on",
                in_bytes(length),
                allocation.name,
                in_bytes(allocation.bytes),
                in_bytes(room)
            ),
            None if address == 0 => format!("`{call}` {does} {} at a null pointer", in_bytes(length)),
            None => {
                format!(
                    "`{call}` {does} {} at an address that is not in allocated device memory",
                    in_bytes(length)
                )
            }
        };
        let hint = if address == 0 {
            "call `cudaMalloc(&pointer, bytes)` before, and check the error that it returns"
        } else if length.cast_signed() < 0 {
            NEGATIVE
        } else {
            "give the length in bytes (number of elements × `sizeof(element)`), of memory that is still allocated"
        };
        self.refuse(host, codes::INVALID_VALUE, finding("W0612", Kind::Memory, message, hint))
    }

    pub(super) fn symbol_address(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let address = self.symbol_range("cudaGetSymbolAddress", words[1], 0, 0, host)?;
        Ok(host.write(words[0], &address.to_le_bytes())?)
    }

    pub(super) fn symbol_size(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let address = self.symbol_range("cudaGetSymbolSize", words[1], 0, 0, host)?;
        let bytes = self.kept.allocations[&address].bytes;
        Ok(host.write(words[0], &bytes.to_le_bytes())?)
    }

    /// The device address `offset` bytes into a `__device__` or `__constant__` variable. From then on the variable is an
    /// allocation like any other.
    fn symbol_range(
        &mut self,
        call: &str,
        symbol: u64,
        offset: u64,
        length: u64,
        host: &HostView<'_>,
    ) -> Outcome<u64> {
        let named = host.symbol_at(symbol).map(|(name, into)| (name.to_owned(), into));
        let found = named.and_then(|(name, into)| {
            let (address, bytes) = self.engine.symbol(&name)?;
            Some((name, into, address, bytes))
        });
        let Some((name, into, address, bytes)) = found else {
            let unknown = finding(
                "W0614",
                Kind::Host,
                format!("the symbol given to `{call}` is not a `__device__` or `__constant__` variable"),
                "pass the variable itself, not a pointer to it or its name in quotes",
            );
            return self.refuse(host, codes::INVALID_SYMBOL, unknown);
        };
        let end = into.saturating_add(offset).saturating_add(length);
        if end > bytes {
            let outside = finding(
                "W0612",
                Kind::Memory,
                format!("`{call}` accesses `{name}` up to byte {end}, and it has only {bytes} bytes"),
                &outside_hint(&name, bytes, (into == 0 && offset == 0).then_some(length)),
            );
            return self.refuse(host, codes::INVALID_VALUE, outside);
        }
        let allocation = Allocation { name, bytes, allocated_at: None, in_order: false };
        self.kept.allocations.entry(address).or_insert(allocation);
        Ok(address + into + offset)
    }
}

/// What to try about an access past the end of a variable; `length` is that of a copy from its first byte on.
fn outside_hint(name: &str, bytes: u64, length: Option<u64>) -> String {
    // Sizes of elements differ by such factors.
    let times =
        length.filter(|length| length.is_multiple_of(bytes.max(1))).map(|length| length / bytes.max(1));
    match times.filter(|times| [2, 4, 8].contains(times)) {
        Some(times) => format!(
            "it is exactly {times} times as long as `{name}`: either `{name}` is declared with a smaller type than that of the copied values, as \
             `char` in place of `int`, or the length counts the bytes of an element twice"
        ),
        None => "give the length and the offset in bytes, and stay inside the variable".to_owned(),
    }
}
