//! Allocating and freeing, and finding the allocation that an address lies in.

use kernels::HostCall;
use simulator::host::HostView;
use simulator::{Kind, TouchedRanges as Touched};

use super::resources::Allocation;
use super::state::{Outcome, Refusal, Runtime, finding, malformed};
use crate::codes;

/// `cudaMalloc`, `cudaMallocHost`, `cudaMallocAsync`, as [`HostCall::Malloc`] numbers them.
const DEVICE: u64 = 0;
const PINNED: u64 = 1;
const STREAM_ORDERED: u64 = 3;
/// `cudaHostAlloc` of memory that kernels can use: managed memory, as far as the simulator is concerned.
const MAPPED: u64 = 4;

/// Their operations in a stream, as findings name them.
pub(super) const ALLOCATES: &str = "`cudaMallocAsync`";
pub(super) const FREES: &str = "`cudaFreeAsync`";

/// The row alignment of `cudaMallocPitch` on every GPU since compute capability 3.0.
const PITCH: u64 = 512;

impl Runtime<'_> {
    pub(super) fn malloc(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, bytes, kind, stream] = words else { return Err(malformed(HostCall::Malloc)) };
        let address = match kind {
            DEVICE => self.allocate(bytes, host)?,
            STREAM_ORDERED => self.allocate_in_order(bytes, stream, host)?,
            PINNED => self.malloc_pinned(bytes, host)?,
            MAPPED => self.malloc_managed(bytes, true, host)?,
            _ => self.malloc_managed(bytes, false, host)?,
        };
        Ok(host.write(result, &address.to_le_bytes())?)
    }

    pub(super) fn malloc_pitch(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, pitch_result, width, rows] = words else {
            return Err(malformed(HostCall::MallocPitch));
        };
        let pitch = width.checked_next_multiple_of(PITCH).ok_or(Refusal::Code(codes::INVALID_VALUE))?;
        let bytes = pitch.checked_mul(rows).ok_or(Refusal::Code(codes::INVALID_VALUE))?;
        let address = self.allocate(bytes, host)?;
        host.write(pitch_result, &pitch.to_le_bytes())?;
        Ok(host.write(result, &address.to_le_bytes())?)
    }

    fn allocate(&mut self, bytes: u64, host: &HostView<'_>) -> Outcome<u64> {
        if bytes == 0 {
            // As in the real runtime: success, and a null pointer.
            return Ok(0);
        }
        self.check_room(bytes)?;
        self.kept.mallocs += 1;
        // The name has the line, because a host function may allocate several times.
        let name = match host.location() {
            Some(at) => format!("cudaMalloc #{} (line {})", self.kept.mallocs, at.line),
            None => format!("cudaMalloc #{}", self.kept.mallocs),
        };
        let address = self.engine.alloc(bytes, &name)?;
        let allocated_at = Some(host.location().cloned());
        self.kept.allocations.insert(address, Allocation { name, bytes, allocated_at, in_order: false });
        Ok(address)
    }

    /// `cudaMallocAsync`: the memory is there for what comes later in the order of this stream.
    fn allocate_in_order(&mut self, bytes: u64, stream: u64, host: &HostView<'_>) -> Outcome<u64> {
        let stream = self.check_stream(stream)?;
        let address = self.allocate(bytes, host)?;
        if let Some(allocation) = self.kept.allocations.get_mut(&address) {
            allocation.in_order = true;
        }
        self.kept.clocks.add(stream, ALLOCATES, host.location(), Touched::write(address, bytes));
        Ok(address)
    }

    pub(super) fn free(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[address, kind, stream] = words else { return Err(malformed(HostCall::Free)) };
        if address == 0 {
            return Ok(());
        }
        let mapped = self.kept.managed.get(&address).is_some_and(|managed| managed.mapped);
        match (kind == PINNED, mapped) {
            (true, false) => return self.free_pinned(address, host),
            (false, true) => return self.not_allocated(address, "cudaFree", "cudaMalloc", host),
            _ => {}
        }
        match self.kept.allocations.get(&address).map(|allocation| allocation.allocated_at.is_some()) {
            Some(true) => {
                // As in the real runtime, `cudaFree` waits for all work first, unless the memory is of a pool.
                let &Allocation { bytes, in_order, .. } = &self.kept.allocations[&address];
                if kind == STREAM_ORDERED {
                    let stream = self.check_stream(stream)?;
                    self.ordered(stream, FREES, Touched::write(address, bytes), host);
                    self.kept.clocks.forget(&(address..address + bytes));
                } else if in_order {
                    self.freed_while_in_use(address, bytes, host);
                    self.kept.clocks.forget(&(address..address + bytes));
                } else {
                    self.wait_for_all(host)?;
                }
                let device = self.kept.managed.get(&address).map_or(address, |managed| managed.device);
                self.forget_managed(address, host);
                self.kept.allocations.remove(&address);
                self.kept.written.remove(&address);
                Ok(self.engine.free(device)?)
            }
            Some(false) => {
                let name = &self.kept.allocations[&address].name;
                let found = finding(
                    "W0613",
                    Kind::Host,
                    format!("`cudaFree` is given `{name}`, which belongs to the caller"),
                    "free only memory that this function allocated",
                );
                self.refuse(host, codes::INVALID_VALUE, found)
            }
            None => self.not_allocated(address, "cudaFree", "cudaMalloc", host),
        }
    }

    pub(super) fn not_allocated(
        &mut self,
        address: u64,
        call: &str,
        origin: &str,
        host: &HostView<'_>,
    ) -> Outcome<()> {
        let what = if HostView::is_host_address(address) { "host memory" } else { "device memory" };
        let found = finding(
            "W0613",
            Kind::Host,
            format!(
                "`{call}` is given a pointer to {what} that `{origin}` did not return, or that is already freed"
            ),
            "free each allocation once, with the pointer that the allocation returned",
        );
        self.refuse(host, codes::INVALID_VALUE, found)
    }

    pub(super) fn mem_get_info(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let total = self.engine.limits().total_memory;
        host.write(words[0], &self.free_memory().to_le_bytes())?;
        Ok(host.write(words[1], &total.to_le_bytes())?)
    }

    /// Bytes of the GPU's memory that are not allocated: what `cudaMemGetInfo` tells, and what an allocation may take.
    pub(super) fn free_memory(&self) -> u64 {
        let plain = self.kept.allocations.values().map(|allocation| allocation.bytes);
        let arrays = self.kept.arrays.values().map(|array| array.shape.bytes());
        let used = plain.chain(arrays).fold(0, u64::saturating_add);
        self.engine.limits().memory.saturating_sub(used)
    }

    /// Fails as the real runtime does if the GPU has not so much memory left.
    pub(super) fn check_room(&self, bytes: u64) -> Outcome<()> {
        if bytes > self.free_memory() { Err(Refusal::Code(codes::MEMORY_ALLOCATION)) } else { Ok(()) }
    }

    /// The allocation that `address` lies in, and the bytes from there to its end.
    pub(super) fn allocation_at(&self, address: u64) -> Option<(&Allocation, u64)> {
        let (base, allocation) = self.kept.allocations.range(..=address).next_back()?;
        let offset = address - base;
        (offset < allocation.bytes).then(|| (allocation, allocation.bytes - offset))
    }
}
