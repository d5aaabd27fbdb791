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
    /// As backward, and each lane of a warp, the last one first, as far as it gets before the next begins, as compute capability
    /// 7.0 and later allow. Slow: nothing runs for 32 lanes at once.
    LanesApart,
    /// The same by rising number of blocks, warps and lanes.
    LanesRising,
    /// The first warp of every block as far as it gets, then the others, those of the last block first: blocks that are there
    /// at once.
    FirstWarps,
    /// The same with the last warp of every block.
    LastWarps,
    /// Blocks that are there at once take turns after every instruction.
    InTurns,
    /// The same after some instructions, and after the first turn the last block first: blocks of which each waits for the one before
    /// it end one after another.
    InChains,
}

/// Blocks that are there at once: every GPU that is modelled holds at least so many, one per multiprocessor.
pub const AT_ONCE: u64 = 64;

impl Order {
    /// The number of the block or warp, of `count`, that comes after `before` others.
    pub(crate) fn nth(self, before: u64, count: u64) -> u64 {
        match self {
            Self::Forward
            | Self::LanesRising
            | Self::FirstWarps
            | Self::LastWarps
            | Self::InTurns
            | Self::InChains => before,
            Self::Backward | Self::LanesApart => count - 1 - before,
        }
    }

    /// Whether several blocks are there at once.
    pub(super) fn at_once(self) -> bool {
        matches!(self, Self::FirstWarps | Self::LastWarps | Self::InTurns | Self::InChains)
    }

    /// The warp, of `count`, that runs ahead in every block.
    pub(super) fn ahead(self, count: usize) -> Option<usize> {
        match self {
            Self::FirstWarps => Some(0),
            Self::LastWarps => Some(count - 1),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use pretty_assertions::assert_eq;

    use super::*;

    #[test]
    fn each_number_comes_once() {
        let of = |order: Order| (0..4).map(|before| order.nth(before, 4)).collect::<Vec<_>>();
        assert_eq!(of(Order::Forward), [0, 1, 2, 3]);
        assert_eq!(of(Order::Backward), [3, 2, 1, 0]);
        assert_eq!(of(Order::LanesApart), of(Order::Backward));
        assert_eq!(of(Order::LanesRising), of(Order::Forward));
        assert_eq!(of(Order::FirstWarps), of(Order::Forward));
        assert_eq!(of(Order::InTurns), of(Order::Forward));
    }
}
