//! Page-locked host memory: allocating, registering, and finding the page-locked range that bytes lie in.

use kernels::HostCall;
use simulator::Kind;
use simulator::host::HostView;

use super::resources::Pinned;
use super::state::{Outcome, Refusal, Runtime, finding, malformed};
use crate::codes;

impl Runtime<'_> {
    /// `cudaMallocHost`, `cudaHostAlloc`.
    pub(super) fn malloc_pinned(&mut self, bytes: u64, host: &mut HostView<'_>) -> Outcome<u64> {
        if bytes == 0 {
            return Ok(0);
        }
        let out_of_memory = Refusal::Code(codes::MEMORY_ALLOCATION);
        let address = host.alloc(bytes, "cudaMallocHost").ok_or(out_of_memory)?;
        self.pin(address, bytes, false, host)?;
        Ok(address)
    }

    fn pin(&mut self, address: u64, bytes: u64, registered: bool, host: &HostView<'_>) -> Outcome<()> {
        self.engine.pin(address, bytes)?;
        let location = host.location().cloned();
        self.kept.pinned.insert(address, Pinned { bytes, registered, location });
        Ok(())
    }

    /// `cudaFreeHost`: waits for all copies, as in the real runtime.
    pub(super) fn free_pinned(&mut self, address: u64, host: &mut HostView<'_>) -> Outcome<()> {
        if self.kept.pinned.get(&address).is_none_or(|pinned| pinned.registered) {
            return self.not_allocated(address, "cudaFreeHost", "cudaMallocHost", host);
        }
        self.wait_for_all(host)?;
        self.kept.pinned.remove(&address);
        self.engine.unpin(address)?;
        host.free(address);
        Ok(())
    }

    pub(super) fn host_register(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[address, bytes, _] = words else { return Err(malformed(HostCall::HostRegister)) };
        let refused = |message: String, hint: &str| finding("W0621", Kind::Host, message, hint);
        if !HostView::is_host_address(address) {
            let found = refused(
                "`cudaHostRegister` is given a pointer that does not point to host memory".to_owned(),
                "register memory from `malloc`, or a host buffer that the caller passed",
            );
            return self.refuse(host, codes::INVALID_VALUE, found);
        }
        if bytes == 0 || !host.holds(address, bytes) {
            let found = refused(
                format!("`cudaHostRegister` is given {bytes} bytes, and not all of them are allocated"),
                "pass the size of the buffer in bytes as the second argument",
            );
            return self.refuse(host, codes::INVALID_VALUE, found);
        }
        if self.overlaps_pinned(address, bytes) {
            let found = refused(
                "`cudaHostRegister` is given memory that is already page-locked".to_owned(),
                "register a buffer once, and not at all if it comes from `cudaMallocHost`",
            );
            return self.refuse(host, codes::ALREADY_REGISTERED, found);
        }
        self.pin(address, bytes, true, host)
    }

    pub(super) fn host_unregister(&mut self, address: u64, host: &mut HostView<'_>) -> Outcome<()> {
        if self.kept.managed.get(&address).is_some_and(|managed| managed.registered) {
            self.wait_for_all(host)?;
            return self.unshare(address, host);
        }
        if self.kept.pinned.get(&address).is_none_or(|pinned| !pinned.registered) {
            let found = finding(
                "W0621",
                Kind::Host,
                "`cudaHostUnregister` is given memory that `cudaHostRegister` did not register".to_owned(),
                "pass the pointer that you registered, once; free memory from `cudaMallocHost` with `cudaFreeHost`",
            );
            return self.refuse(host, codes::NOT_REGISTERED, found);
        }
        self.wait_for_all(host)?;
        self.kept.pinned.remove(&address);
        Ok(self.engine.unpin(address)?)
    }

    /// `cudaHostGetDevicePointer`: mapped memory has one address on both sides.
    pub(super) fn host_device_pointer(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[result, pointer, _] = words else { return Err(malformed(HostCall::HostGetDevicePointer)) };
        if let Some(base) = self.managed_at(pointer)
            && self.kept.managed[&base].mapped
        {
            return Ok(host.write(result, &pointer.to_le_bytes())?);
        }
        if self.pinned_at(pointer, 1).is_some_and(|(base, _)| self.can_share(base, host)) {
            // A launch with it makes it memory of both sides.
            return Ok(host.write(result, &pointer.to_le_bytes())?);
        }
        let found = finding(
            "W0616",
            Kind::Host,
            "`cudaHostGetDevicePointer` is given memory that kernels cannot access here".to_owned(),
            "allocate it with `cudaHostAlloc(&pointer, bytes, cudaHostAllocMapped)`, or register the whole buffer with \
             `cudaHostRegister` first",
        );
        self.refuse(host, codes::NOT_SUPPORTED, found)
    }

    /// Whether kernels can use the page-locked memory at this base: a whole allocation of the host, which then moves between the two.
    pub(super) fn can_share(&self, base: u64, host: &HostView<'_>) -> bool {
        self.kept.pinned.get(&base).is_some_and(|pinned| host.is_allocation(base, pinned.bytes))
    }

    fn overlaps_pinned(&self, address: u64, bytes: u64) -> bool {
        let before = self.kept.pinned.range(..address + bytes).next_back();
        before.is_some_and(|(start, pinned)| start + pinned.bytes > address)
            || self.managed_at(address).is_some()
    }

    /// The page-locked range that holds these bytes, and how far into it they begin.
    pub(super) fn pinned_at(&self, address: u64, bytes: u64) -> Option<(u64, u64)> {
        let (start, pinned) = self.kept.pinned.range(..=address).next_back()?;
        let offset = address - start;
        (offset.checked_add(bytes)? <= pinned.bytes).then_some((*start, offset))
    }
}
