//! A trapped runtime call's view of the host function: its memory, its line, its module.

use std::ops::Range;

use super::watch::LocalBytes;
use super::{HOST_BASE, HOST_END, HostCallError};
use crate::exec::Warp;
use crate::finding::{Finding, Kind, Location, Severity};
use crate::layout::{HOST, in_window};
use crate::memory::Memory;
use crate::module::{ManagedVariable, Module};
use crate::rows::{Rows, each_row, numbered};

/// The parts of a host function's state that a trapped call may read and change.
pub struct HostView<'a> {
    pub(super) module: &'a Module,
    pub(super) location: Option<Location>,
    pub(super) memory: &'a mut Memory,
    pub(super) warp: &'a mut Warp,
    pub(super) locals: &'a mut (dyn LocalBytes + 'a),
    pub(super) executed: u64,
    /// Where frames of functions begin in local memory.
    pub(super) stack_start: u32,
    pub(super) polls: bool,
}

impl HostView<'_> {
    /// The student's line that makes this call.
    pub fn location(&self) -> Option<&Location> {
        self.location.as_ref()
    }

    /// Whether the access is a load of a `volatile` or atomic variable, which asks for what others write.
    pub fn polls(&self) -> bool {
        self.polls
    }

    /// Instructions that the host function has executed so far.
    pub fn executed(&self) -> u64 {
        self.executed
    }

    /// The name of the host memory that an address lies in: that of a parameter, say.
    pub fn name_at(&self, address: u64) -> Option<&str> {
        let known = self.memory.nearest(address)?;
        (known.base..known.base + known.size).contains(&address).then_some(known.name.as_str())
    }

    /// How many bytes from `address` on are in use, up to `most`: of an allocation, or of the stack.
    pub fn in_use(&self, address: u64, most: u64) -> u64 {
        let end = match in_window(address, HOST.local) {
            Some(offset) => {
                let path = self.warp.paths.first();
                let top = path.and_then(|path| path.stack.last()).map_or(self.stack_start, |frame| frame.top);
                address + u64::from(top).saturating_sub(offset)
            }
            None => self.memory.nearest(address).map_or(address, |known| known.base + known.size),
        };
        end.saturating_sub(address).min(most)
    }

    /// Reads `length` bytes of host memory; a finding if any of them is not the host function's to read.
    pub fn read(&self, address: u64, length: u64) -> Result<Vec<u8>, HostCallError> {
        let bytes = match in_window(address, HOST.local) {
            Some(offset) => slice(self.warp.local_of(0), offset, length),
            None => self.memory.bytes(address, length).ok(),
        };
        bytes.map(<[u8]>::to_vec).ok_or_else(|| self.stray(address, length, "reads"))
    }

    /// Reads `count` consecutive 8-byte words.
    pub fn read_u64s(&self, address: u64, count: usize) -> Result<Vec<u64>, HostCallError> {
        let bytes = self.read(address, 8 * count as u64)?;
        Ok(bytes.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word)).collect())
    }

    /// Writes bytes to host memory, which are defined from then on.
    pub fn write(&mut self, address: u64, bytes: &[u8]) -> Result<(), HostCallError> {
        let length = bytes.len() as u64;
        self.define(address, length, true);
        let target = match in_window(address, HOST.local) {
            Some(offset) => {
                let range = range(offset, length);
                self.warp.local_of_mut(0).get_mut(range)
            }
            None => self.memory.bytes_mut(address, length).ok(),
        };
        match target {
            Some(target) => {
                target.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(self.stray(address, length, "writes")),
        }
    }

    /// Marks bytes as written, or as not.
    fn define(&mut self, address: u64, length: u64, defined: bool) {
        match in_window(address, HOST.local) {
            Some(offset) => self.locals.define(self.warp, range(offset, length), defined),
            None => self.memory.define(address, length, defined),
        }
    }

    /// Marks these parts of what lies at `address`, offsets from there, as never written: what was copied there was
    /// not either.
    pub fn unset(&mut self, address: u64, parts: &[Range<u64>]) {
        for part in parts {
            self.define(address + part.start, part.end - part.start, false);
        }
    }

    /// The parts of `length` bytes at `address` that nothing has written, as offsets from there.
    pub fn undefined(&mut self, address: u64, length: u64) -> Vec<Range<u64>> {
        match in_window(address, HOST.local) {
            Some(offset) => {
                let parts = self.locals.undefined(self.warp, range(offset, length));
                parts.into_iter().map(|part| part.start as u64 - offset..part.end as u64 - offset).collect()
            }
            None => self.memory.undefined(address, length),
        }
    }

    /// Allocates host memory (`cudaMallocHost`), named in findings as `label`.
    pub fn alloc(&mut self, bytes: u64, label: &str) -> Option<u64> {
        self.memory.alloc(bytes, label).ok()
    }

    /// Frees what [`HostView::alloc`] gave; `false` if `address` is not the start of such an allocation.
    pub fn free(&mut self, address: u64) -> bool {
        self.memory.free(address).is_ok()
    }

    /// Gives the host function memory at an address that the engine chose: managed memory. Its contents are
    /// away at first.
    pub fn alloc_managed(&mut self, base: u64, bytes: u64, label: &str) -> bool {
        self.memory.alloc_at(base, bytes, label).is_ok() && self.memory.set_away(base, true)
    }

    /// The variables that the host function shares with kernels. Their contents are away at first.
    pub fn managed_variables(&self) -> Vec<ManagedVariable> {
        self.module.managed_variables().collect()
    }

    /// Leaves a managed variable where it is: no kernel has it.
    pub fn keep(&mut self, base: u64) {
        self.memory.set_away(base, false);
    }

    /// Takes the contents of managed memory away; the next access to it asks for them.
    pub fn send_away(&mut self, base: u64) -> bool {
        self.memory.set_away(base, true)
    }

    /// Puts contents back that were away.
    pub fn bring_back(&mut self, base: u64, bytes: &[u8]) -> Result<(), HostCallError> {
        self.memory.set_away(base, false);
        if bytes.is_empty() { Ok(()) } else { self.write(base, bytes) }
    }

    /// Closes bytes that a copy may still be writing, until [`HostView::open`]; `false` if they are not all
    /// allocated.
    pub fn close(&mut self, rows: Rows) -> bool {
        self.memory.set_in_flight(rows, true)
    }

    /// Opens what was closed.
    pub fn open(&mut self, rows: Rows) -> bool {
        self.memory.set_in_flight(rows, false)
    }

    /// Reads rows, and returns them without the gaps.
    pub fn read_rows(&self, rows: Rows) -> Result<Vec<u8>, HostCallError> {
        let extent = rows.extent();
        let all = match in_window(rows.address, HOST.local) {
            Some(offset) => slice(self.warp.local_of(0), offset, extent),
            None => self.memory.bytes_of_rows(rows),
        };
        let all = all.ok_or_else(|| self.stray(rows.address, extent, "reads"))?;
        let (mut packed, width) = (Vec::with_capacity(rows.bytes() as usize), rows.width as usize);
        each_row(&rows, |there, _| packed.extend_from_slice(&all[there..there + width]));
        Ok(packed)
    }

    /// Fails, as a write would, if these rows are not the host function's to write.
    pub fn check_write(&self, rows: Rows) -> Result<(), HostCallError> {
        let extent = rows.extent();
        let there = match in_window(rows.address, HOST.local) {
            Some(offset) => slice(self.warp.local_of(0), offset, extent).is_some(),
            None => self.memory.bytes_of_rows(rows).is_some(),
        };
        if there { Ok(()) } else { Err(self.stray(rows.address, extent, "writes")) }
    }

    /// Writes rows, given without the gaps; they are defined from then on.
    pub fn write_rows(&mut self, rows: Rows, packed: &[u8]) -> Result<(), HostCallError> {
        let (extent, width) = (rows.extent(), rows.width as usize);
        let all = match in_window(rows.address, HOST.local) {
            Some(offset) => self.warp.local_of_mut(0).get_mut(range(offset, extent)),
            None => self.memory.bytes_of_rows_mut(rows),
        };
        let Some(all) = all else { return Err(self.stray(rows.address, extent, "writes")) };
        each_row(&rows, |there, here| all[there..there + width].copy_from_slice(&packed[here..here + width]));
        match in_window(rows.address, HOST.local) {
            Some(_) => rows.starts().for_each(|start| self.define(start, rows.width, true)),
            None => self.memory.define_rows(rows, true),
        }
        Ok(())
    }

    /// Marks these parts of rows, numbered without the gaps, as never written.
    pub fn unset_rows(&mut self, rows: Rows, parts: &[Range<u64>]) {
        for place in parts.iter().flat_map(|part| rows.places(part.clone())) {
            self.define(place.start, place.end - place.start, false);
        }
    }

    /// The parts of rows, numbered without the gaps, that nothing has written.
    pub fn undefined_rows(&mut self, rows: Rows) -> Vec<Range<u64>> {
        numbered(rows, |start, width| self.undefined(start, width))
    }

    /// Whether these are all bytes of one allocation.
    pub fn is_allocation(&self, address: u64, length: u64) -> bool {
        self.memory.nearest(address).is_some_and(|known| known.base == address && known.size == length)
    }

    /// Whether these bytes lie in one live allocation and can be touched now.
    pub fn holds(&self, address: u64, length: u64) -> bool {
        self.memory.find(address, length).is_some()
    }

    /// Whether the address lies in the range of host memory (allocated or not).
    pub fn is_host_address(address: u64) -> bool {
        (HOST_BASE..HOST_END).contains(&address)
    }

    /// The mangled name of the kernel whose address this is.
    pub fn kernel_at(&self, address: u64) -> Option<&str> {
        self.module.function_at(address)
    }

    /// The `__device__` or `__constant__` variable at this address, and the offset into it.
    pub fn symbol_at(&self, address: u64) -> Option<(&str, u64)> {
        self.module.variable_at(address)
    }

    /// The finding for a runtime call whose host pointer leads nowhere.
    fn stray(&self, address: u64, length: u64, verb: &str) -> HostCallError {
        let (message, hint) = if !Self::is_host_address(address) && address >= 4096 {
            (
                format!("this call {verb} host memory, and is given a pointer to GPU memory"),
                "check the order of the arguments and the direction (`cudaMemcpyHostToDevice`, \
                 `cudaMemcpyDeviceToHost`)",
            )
        } else if address < 4096 {
            (format!("this call {verb} host memory through a null pointer"), "the pointer was never set")
        } else {
            // The nearest allocation is the one that is meant only if the call begins in it, or right behind it.
            let near = self.memory.nearest(address).filter(|near| {
                near.live && address.checked_sub(near.base).is_some_and(|offset| offset <= near.size)
            });
            let name = near.map_or(String::new(), |near| {
                let plural = if near.size == 1 { "" } else { "s" };
                format!(" near `{}`, which has {} byte{plural}", near.name, near.size)
            });
            (
                format!("this call {verb} {length} bytes of host memory that are not all allocated{name}"),
                "check the number of bytes: elements × size of an element",
            )
        };
        HostCallError::Finding(Box::new(Finding {
            code: "W0602",
            kind: Kind::Host,
            severity: Severity::Error,
            message,
            location: self.location.clone(),
            labels: Vec::new(),
            thread: None,
            count: 1,
            hint: hint.to_owned(),
        }))
    }
}

fn range(offset: u64, length: u64) -> Range<usize> {
    offset as usize..offset.saturating_add(length) as usize
}

fn slice(bytes: &[u8], offset: u64, length: u64) -> Option<&[u8]> {
    bytes.get(range(offset, length))
}
