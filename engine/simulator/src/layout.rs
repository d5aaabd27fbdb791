//! Where things lie in the simulated 64-bit address space.
//!
//! The ranges are far apart, so that a stray address shows which range was meant. Device and host differ in
//! every range: an address of one side is never valid on the other.

/// Where host memory begins in the simulated address space. No device address reaches this far.
pub const HOST_BASE: u64 = 0x0000_4000_0000_0000;
/// The end of the range reserved for host memory.
pub const HOST_END: u64 = 0x0000_6000_0000_0000;

/// Address ranges of one side, device or host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Variables of the module (`.global`, `.const`).
    pub variables: u64,
    /// Allocations made at run time.
    pub heap: u64,
    /// Generic window of shared memory; the shared state space itself begins at 0.
    pub shared: u64,
    /// Generic window of local memory (a host function's stack); the state space itself begins at 0.
    pub local: u64,
    /// Generic window of kernel parameters.
    pub param: u64,
    /// Addresses of functions and kernels, 16 bytes apart.
    pub functions: u64,
}

/// Where managed memory begins: the same addresses on both sides, above the device's own and below the host's.
pub(crate) const MANAGED: u64 = 0x0000_2000_0000_0000;

/// The heap of kernels that call `malloc`: above the variables, below the allocations of the host function.
pub(crate) const KERNEL_HEAP: u64 = 0x0000_000f_0000_0000;

/// Bytes in each window.
pub(crate) const WINDOW: u64 = 1 << 32;

/// A kernel's side.
pub(crate) const DEVICE: Layout = Layout {
    variables: 0x0000_0001_0000_0000,
    heap: 0x0000_0010_0000_0000,
    shared: 0x0000_0f00_0000_0000,
    local: 0x0000_0f10_0000_0000,
    param: 0x0000_0f20_0000_0000,
    functions: 0x0000_0f30_0000_0000,
};

/// A host function's side.
pub(crate) const HOST: Layout = Layout {
    variables: HOST_BASE + 0x0000_0001_0000_0000,
    heap: HOST_BASE + 0x0000_0010_0000_0000,
    shared: HOST_BASE + 0x0000_0f00_0000_0000,
    local: HOST_BASE + 0x0000_0f10_0000_0000,
    param: HOST_BASE + 0x0000_0f20_0000_0000,
    functions: HOST_BASE + 0x0000_0f30_0000_0000,
};

impl Layout {
    /// The address of function number `index`.
    pub fn function_address(&self, index: usize) -> u64 {
        self.functions + 16 * index as u64
    }

    /// The function number behind an address, if it is one.
    pub fn function_index(&self, address: u64) -> Option<usize> {
        let distance = address.checked_sub(self.functions)?;
        (distance < WINDOW && distance.is_multiple_of(16)).then_some((distance / 16) as usize)
    }
}

/// Whether an address lies where allocations of device memory do.
pub fn is_allocated_on_device(address: u64) -> bool {
    (DEVICE.heap..HOST_BASE).contains(&address)
}

/// The offset of `address` in the window that starts at `base`.
pub(crate) fn in_window(address: u64, base: u64) -> Option<u64> {
    let offset = address.wrapping_sub(base);
    (offset < WINDOW).then_some(offset)
}
