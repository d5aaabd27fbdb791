//! Page-locked host memory: allocating, registering, and what of a range is page-locked.

use kernels::HostCall;
use simulator::Kind;
use simulator::Location;
use simulator::host::HostView;

use super::calls::{Outcome, Refusal, Runtime, finding};
use super::memory::malformed;
use crate::codes;

/// A page-locked range of host memory.
#[derive(Debug, Clone)]
pub(super) struct Pinned {
    /// Bytes.
    pub bytes: u64,
    /// Registered memory of somebody else's, rather than allocated.
    registered: bool,
    /// The line that did.
    location: Option<Location>,
}

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
        self.pinned.insert(address, Pinned { bytes, registered, location });
        Ok(())
    }

    /// `cudaFreeHost`: waits for all copies, as the real one does.
    pub(super) fn free_pinned(&mut self, address: u64, host: &mut HostView<'_>) -> Outcome<()> {
        if self.pinned.get(&address).is_none_or(|pinned| pinned.registered) {
            return self.not_allocated(address, "cudaFreeHost", "cudaMallocHost", host);
        }
        self.wait_for_all(host)?;
        self.pinned.remove(&address);
        self.engine.unpin(address)?;
        host.free(address);
        Ok(())
    }

    pub(super) fn host_register(&mut self, words: &[u64], host: &mut HostView<'_>) -> Outcome<()> {
        let &[address, bytes, _] = words else { return Err(malformed(HostCall::HostRegister)) };
        let refused = |message: String, hint: &str| finding("W0621", Kind::Host, message, hint);
        if !HostView::is_host_address(address) {
            let found = refused(
                "`cudaHostRegister` is given a pointer that is not to host memory".to_owned(),
                "register memory from `malloc`, or what the caller passed as host memory",
            );
            return self.refuse(host, codes::INVALID_VALUE, found);
        }
        if bytes == 0 || !host.holds(address, bytes) {
            let found = refused(
                format!("`cudaHostRegister` of {bytes} bytes that are not all allocated"),
                "the second argument is the size of the buffer in bytes",
            );
            return self.refuse(host, codes::INVALID_VALUE, found);
        }
        if self.overlaps_pinned(address, bytes) {
            let found = refused(
                "`cudaHostRegister` of memory that is page-locked already".to_owned(),
                "register a buffer once, and not at all if it comes from `cudaMallocHost`",
            );
            return self.refuse(host, codes::ALREADY_REGISTERED, found);
        }
        self.pin(address, bytes, true, host)
    }

    pub(super) fn host_unregister(&mut self, address: u64, host: &mut HostView<'_>) -> Outcome<()> {
        if self.pinned.get(&address).is_none_or(|pinned| !pinned.registered) {
            let found = finding(
                "W0621",
                Kind::Host,
                "`cudaHostUnregister` of memory that `cudaHostRegister` was not given".to_owned(),
                "pass the pointer that was registered, once; `cudaFreeHost` belongs to `cudaMallocHost`",
            );
            return self.refuse(host, codes::NOT_REGISTERED, found);
        }
        self.wait_for_all(host)?;
        self.pinned.remove(&address);
        Ok(self.engine.unpin(address)?)
    }

    pub(super) fn host_device_pointer(&mut self, host: &HostView<'_>) -> Outcome<()> {
        let found = finding(
            "W0616",
            Kind::Host,
            "kernels cannot read host memory in place here: `cudaHostGetDevicePointer` is not available"
                .to_owned(),
            "copy with `cudaMemcpyAsync`, or use `cudaMallocManaged`",
        );
        self.refuse(host, codes::NOT_SUPPORTED, found)
    }

    fn overlaps_pinned(&self, address: u64, bytes: u64) -> bool {
        let before = self.pinned.range(..address + bytes).next_back();
        before.is_some_and(|(start, pinned)| start + pinned.bytes > address)
    }

    /// The page-locked range that holds these bytes, and how far into it they begin.
    pub(super) fn pinned_at(&self, address: u64, bytes: u64) -> Option<(u64, u64)> {
        let (start, pinned) = self.pinned.range(..=address).next_back()?;
        let offset = address - start;
        (offset.checked_add(bytes)? <= pinned.bytes).then_some((*start, offset))
    }

    /// What is left page-locked, each as a message, the call that is missing, and where it was locked.
    pub(super) fn left_pinned(&self) -> Vec<(String, &'static str, Option<Location>)> {
        let of = |pinned: &Pinned| {
            let (message, call) = if pinned.registered {
                (format!("{} bytes of host memory stay registered", pinned.bytes), "cudaHostUnregister")
            } else {
                (format!("`cudaMallocHost` ({} bytes) is never freed", pinned.bytes), "cudaFreeHost")
            };
            (message, call, pinned.location.clone())
        };
        self.pinned.values().map(of).collect()
    }
}
