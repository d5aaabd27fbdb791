//! The order in which blocks, warps and lanes run. CUDA promises none, so that a right program gives the same result in
//! every one of them.

/// One of the orders that a GPU may choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Blocks and warps by rising number, the lanes of a warp together.
    #[default]
    Forward,
    /// Blocks and warps by falling number, the lanes of a warp together.
    Backward,
    /// As backward, and each lane of a warp as far as it gets before the next begins, as compute capability 7.0 and later
    /// allow. Slow: nothing runs for 32 lanes at once.
    LanesApart,
}

impl Order {
    /// The number of the block or warp, of `count`, that comes after `before` others.
    pub(crate) fn nth(self, before: u64, count: u64) -> u64 {
        match self {
            Self::Forward => before,
            Self::Backward | Self::LanesApart => count - 1 - before,
        }
    }
}
